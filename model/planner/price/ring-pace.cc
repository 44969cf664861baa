/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-pace.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Operations that the mean is taken over: the pattern of up to four members repeats itself in
/// them.
constexpr uint32_t COUNTED = 12;

} // namespace

double
RingPace::GetSeconds(const std::vector<double>& seconds, uint32_t steps)
{
    const std::size_t n = seconds.size();
    // When each member begins the operation
    std::vector<double> begin(n, 0);
    std::vector<double> before(n);
    std::vector<double> sent(n);
    double first = 0;
    for (std::size_t operation = 0; operation < n + COUNTED; ++operation)
    {
        first = operation == n ? *std::max_element(begin.begin(), begin.end()) : first;
        for (std::size_t i = 0; i < n; ++i)
        {
            sent[i] = begin[i] + seconds[i];
        }
        for (uint32_t step = 1; step < steps; ++step)
        {
            before.swap(sent);
            for (std::size_t i = 0; i < n; ++i)
            {
                sent[i] = std::max(before[i], before[(i + n - 1) % n]) + seconds[i];
            }
        }
        for (std::size_t i = 0; i < n; ++i)
        {
            begin[i] = sent[(i + n - 1) % n];
        }
    }
    return (*std::max_element(begin.begin(), begin.end()) - first) / COUNTED;
}

} // namespace lightpath
} // namespace ns3
