/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "torus-collectives.h"

namespace ns3
{
namespace lightpath
{

RankAxes
TorusCollectives::Find(const LinkLimits& links, const std::vector<uint32_t>& ports)
{
    const auto n = static_cast<uint32_t>(ports.size());
    const auto isLinked = [&](uint32_t a, uint32_t b) {
        return links.getWay(ports[a], ports[b]).parts.size() == 1;
    };
    RankAxes axes;
    uint32_t stride = 1;
    for (uint32_t axis = 0; axis < RankAxes::MOST && stride < n; ++axis)
    {
        uint32_t size = 1;
        while (size * stride < n && isLinked((size - 1) * stride, size * stride))
        {
            ++size;
        }
        axes.sizes[axis] = size;
        axes.isRing[axis] = size > 2 && isLinked((size - 1) * stride, 0);
        stride *= size;
    }
    if (stride != n)
    {
        return RankAxes();
    }
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        for (uint32_t axis = 0; axis < RankAxes::MOST && axes.sizes[axis] > 1; ++axis)
        {
            const uint32_t next = axes.GetNext(rank, axis, true);
            if (next != RankAxes::NONE && (!isLinked(rank, next) || !isLinked(next, rank)))
            {
                return RankAxes();
            }
        }
    }
    return axes;
}

} // namespace lightpath
} // namespace ns3
