/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-timer.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{
namespace lightpath
{

double
CircuitTimer::GetSeconds(const CollectiveSchedule& schedule,
                         const LinkCost& circuit,
                         uint32_t headers)
{
    return GetSeconds(
        schedule,
        [&circuit](uint32_t, uint32_t) { return circuit; },
        headers);
}

double
CircuitTimer::GetSeconds(const CollectiveSchedule& schedule,
                         const Circuits& circuits,
                         uint32_t headers)
{
    const uint32_t n = schedule.GetNRanks();
    const uint32_t steps = schedule.GetNSteps();
    std::vector<double> begin(n, 0);
    std::vector<double> next;
    // When each circuit is free, by sender
    std::vector<std::map<uint32_t, double>> free(n);
    std::vector<Transfer> sends;
    for (uint32_t step = 0; step < steps; ++step)
    {
        next = begin;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            schedule.GetSends(rank, step, sends);
            for (const auto& send : sends)
            {
                const LinkCost circuit = circuits(rank, send.peer);
                double& end = free[rank][send.peer];
                end = std::max(end, begin[rank]) + (send.bytes + headers) / circuit.rate;
                next[send.peer] = std::max(next[send.peer], end + circuit.latency);
            }
        }
        std::swap(begin, next);
    }
    return *std::max_element(begin.begin(), begin.end());
}

} // namespace lightpath
} // namespace ns3
