/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-axes.h"

#include <tuple>

namespace ns3
{
namespace lightpath
{

RankAxes
RankAxes::GetNearestToCube(uint32_t ranks)
{
    // The largest axis is the least that a product allows, and then the next one
    RankAxes best;
    best.sizes = {1, 1, ranks};
    for (uint32_t a = 1; uint64_t{a} * a * a <= ranks; ++a)
    {
        for (uint32_t b = a; ranks % a == 0 && uint64_t{b} * b <= ranks / a; ++b)
        {
            const uint32_t c = ranks / a / b;
            if (ranks / a % b == 0 && std::tie(c, b) < std::tie(best.sizes[2], best.sizes[1]))
            {
                best.sizes = {a, b, c};
            }
        }
    }
    best.isRing = {true, true, true};
    return best;
}

bool
RankAxes::operator==(const RankAxes& other) const
{
    return sizes == other.sizes && isRing == other.isRing;
}

bool
RankAxes::operator<(const RankAxes& other) const
{
    return std::tie(sizes, isRing) < std::tie(other.sizes, other.isRing);
}

uint64_t
RankAxes::GetNPlaces() const
{
    return uint64_t{sizes[0]} * sizes[1] * sizes[2];
}

uint32_t
RankAxes::GetPlace(uint32_t rank, uint32_t axis) const
{
    for (uint32_t before = 0; before < axis; ++before)
    {
        rank /= sizes[before];
    }
    return rank % sizes[axis];
}

uint32_t
RankAxes::GetNext(uint32_t rank, uint32_t axis, bool isUp) const
{
    const bool isEnd = GetPlace(rank, axis) == (isUp ? sizes[axis] - 1 : 0);
    if (isEnd && !isRing[axis])
    {
        return NONE;
    }
    // From one end of a ring to the other
    uint32_t stride = isEnd ? sizes[axis] - 1 : 1;
    for (uint32_t before = 0; before < axis; ++before)
    {
        stride *= sizes[before];
    }
    return isUp != isEnd ? rank + stride : rank - stride;
}

} // namespace lightpath
} // namespace ns3
