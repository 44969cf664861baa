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
RingPace::GetStepSeconds(const std::vector<Hop>& ring)
{
    double slowest = 0;
    double around = 0;
    for (const auto& hop : ring)
    {
        slowest = std::max(slowest, hop.seconds);
        around += hop.seconds + hop.latency;
    }
    return std::max(slowest, around / static_cast<double>(ring.size()));
}

double
RingPace::GetSeconds(const std::vector<Hop>& ring, uint32_t steps)
{
    const std::size_t n = ring.size();
    // When each member may begin the operation, and has sent its message of the step
    std::vector<double> begin(n, 0);
    std::vector<double> before(n);
    std::vector<double> sent(n);
    const auto receive = [&ring, n](const std::vector<double>& times, std::size_t i) {
        const std::size_t source = (i + n - 1) % n;
        return times[source] + ring[source].latency;
    };
    double first = 0;
    for (std::size_t operation = 0; operation < n + COUNTED; ++operation)
    {
        first = operation == n ? *std::max_element(begin.begin(), begin.end()) : first;
        for (std::size_t i = 0; i < n; ++i)
        {
            sent[i] = begin[i] + ring[i].seconds;
        }
        for (uint32_t step = 1; step < steps; ++step)
        {
            before.swap(sent);
            for (std::size_t i = 0; i < n; ++i)
            {
                sent[i] = std::max(before[i], receive(before, i)) + ring[i].seconds;
            }
        }
        for (std::size_t i = 0; i < n; ++i)
        {
            begin[i] = receive(sent, i);
        }
    }
    return (*std::max_element(begin.begin(), begin.end()) - first) / COUNTED;
}

} // namespace lightpath
} // namespace ns3
