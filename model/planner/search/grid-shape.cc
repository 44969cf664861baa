/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "grid-shape.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

uint64_t
GridShape::GetRelayedBytes(const TrafficMatrix& traffic, uint32_t columns)
{
    uint64_t relayed = 0;
    for (uint32_t source = 0; source < traffic.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : traffic.GetRow(source))
        {
            const bool areApart = source / columns != destination / columns &&
                                  source % columns != destination % columns;
            relayed += areApart ? bytes : 0;
        }
    }
    return relayed;
}

GridShape::Shape
GridShape::Choose(const TrafficMatrix& traffic, const std::vector<Shape>& shapes)
{
    return *std::min_element(shapes.begin(), shapes.end(), [&traffic](Shape a, Shape b) {
        return GetRelayedBytes(traffic, a.second) < GetRelayedBytes(traffic, b.second);
    });
}

} // namespace lightpath
} // namespace ns3
