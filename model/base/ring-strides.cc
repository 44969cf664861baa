/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-strides.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3
{
namespace lightpath
{

uint32_t
RingStrides::Count(uint32_t ranks)
{
    // Euler's totient: each prime factor p leaves a share of 1 - 1 / p
    uint32_t count = ranks;
    uint32_t left = ranks;
    for (uint64_t factor = 2; factor * factor <= left; ++factor)
    {
        if (left % factor == 0)
        {
            count -= count / factor;
            while (left % factor == 0)
            {
                left /= factor;
            }
        }
    }
    count -= left > 1 ? count / left : 0;
    return count;
}

std::vector<uint32_t>
RingStrides::Choose(uint32_t ranks, uint32_t rings)
{
    if (rings <= 1 || ranks <= 2)
    {
        return {1};
    }
    std::vector<uint32_t> left;
    for (uint32_t stride = 1; stride < ranks; ++stride)
    {
        if (std::gcd(stride, ranks) == 1)
        {
            left.push_back(stride);
        }
    }
    // One value less than a whole number by rounding alone counts as that number
    constexpr double rounding = 1e-9;
    const double ratio = std::pow(ranks - 1.0, 1.0 / (rings / 2 + rings % 2));
    std::vector<uint32_t> chosen;
    for (double wanted = 1; chosen.size() < rings && !left.empty(); wanted *= ratio)
    {
        auto found = std::lower_bound(left.begin(), left.end(), wanted * (1 - rounding));
        found -= found == left.end() ? 1 : 0;
        const uint32_t stride = *found;
        left.erase(found);
        chosen.push_back(stride);
        // The ring the other way round has the opposite stride
        const auto opposite = std::lower_bound(left.begin(), left.end(), ranks - stride);
        if (chosen.size() < rings)
        {
            left.erase(opposite);
            chosen.push_back(ranks - stride);
        }
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

} // namespace lightpath
} // namespace ns3
