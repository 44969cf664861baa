/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fair-share.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Holds the product of two 64-bit numbers.
__extension__ typedef unsigned __int128 Wide;

/**
 * @param lanes a number of lanes
 * @param bytes the bytes that these are multiplied by
 * @param divisor the divisor of the product
 * @return the quotient, rounded down, or the largest number that can be held
 */
uint64_t
Scale(uint64_t lanes, uint64_t bytes, uint64_t divisor)
{
    const Wide product = static_cast<Wide>(lanes) * bytes;
    if (product >> 64 == 0)
    {
        return static_cast<uint64_t>(product) / divisor;
    }
    const Wide quotient = product / divisor;
    const uint64_t most = std::numeric_limits<uint64_t>::max();
    return quotient > most ? most : static_cast<uint64_t>(quotient);
}

} // namespace

uint64_t
FairShare::GetNeed(uint64_t demand) const
{
    const uint64_t whole = Scale(lanes, demand, bytes);
    return static_cast<Wide>(whole) * bytes < static_cast<Wide>(lanes) * demand ? whole + 1 : whole;
}

FairShareSearch::FairShareSearch(std::vector<uint64_t> demands)
    : m_demands(std::move(demands))
{
    std::sort(m_demands.begin(), m_demands.end(), std::greater<>());
    m_demands.erase(std::unique(m_demands.begin(), m_demands.end()), m_demands.end());
}

std::optional<FairShare>
FairShareSearch::FindLargest(const FairShare& limit, const Judge& judge, uint32_t scan) const
{
    if (m_demands.empty())
    {
        return std::nullopt;
    }
    const uint64_t most = m_demands.front();
    uint64_t good = 0;
    const uint64_t last = Scale(limit.lanes, most, limit.bytes);
    uint64_t bad = last + 1;
    while (bad - good > 1)
    {
        const uint64_t middle = good + (bad - good) / 2;
        (judge({middle, most}) ? good : bad) = middle;
    }
    const uint64_t refused = bad;
    for (uint64_t next = refused + 1; next <= std::min(last, refused + scan); ++next)
    {
        good = judge({next, most}) ? next : good;
    }
    if (good == 0)
    {
        return std::nullopt;
    }
    return FindAbove({good, most}, limit, judge, scan);
}

FairShare
FairShareSearch::FindAbove(const FairShare& low,
                           const FairShare& limit,
                           const Judge& judge,
                           uint32_t scan) const
{
    FairShare best = low;
    const std::vector<FairShare> shares = GetBetween(low, limit);
    std::size_t first = 0;
    std::size_t last = shares.size();
    while (first < last)
    {
        const std::size_t middle = first + (last - first) / 2;
        if (judge(shares[middle]))
        {
            best = shares[middle];
            first = middle + 1;
        }
        else
        {
            last = middle;
        }
    }
    const std::size_t end = std::min<std::size_t>(shares.size(), first + 1 + scan);
    for (std::size_t next = first + 1; next < end; ++next)
    {
        best = judge(shares[next]) ? shares[next] : best;
    }
    return best;
}

std::vector<FairShare>
FairShareSearch::GetBetween(const FairShare& low, const FairShare& limit) const
{
    const FairShare high{low.lanes + 1, low.bytes};
    std::vector<FairShare> shares;
    for (const uint64_t demand : m_demands)
    {
        // Shares of a smaller demand lie further apart than those of the largest
        const FairShare share{Scale(low.lanes, demand, low.bytes) + 1, demand};
        if (share < high && !(limit < share))
        {
            shares.push_back(share);
        }
    }
    std::sort(shares.begin(), shares.end());
    const auto same = [](const FairShare& a, const FairShare& b) { return !(a < b) && !(b < a); };
    shares.erase(std::unique(shares.begin(), shares.end(), same), shares.end());
    return shares;
}

} // namespace lightpath
} // namespace ns3
