/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "heavy-scheduler.h"

#include "assignment-solver.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(HeavyScheduler);

TypeId
HeavyScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::HeavyScheduler")
                            .SetParent<MatchingScheduler>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<HeavyScheduler>();
    return tid;
}

std::vector<TimedMatching>
HeavyScheduler::Decompose(const ServiceTimeMatrix& times)
{
    const uint32_t n = times.GetSize();
    ServiceTimeMatrix left = times;
    AssignmentSolver solver(n);
    std::vector<TimedMatching> matchings;
    std::vector<int64_t> weights(std::size_t{n} * n);
    for (uint32_t degree = left.GetDegree(); degree > 0; degree = left.GetDegree())
    {
        std::vector<uint32_t> sends(n, 0);
        std::vector<uint32_t> receives(n, 0);
        int64_t most = 0;
        for (uint32_t source = 0; source < n; ++source)
        {
            for (uint32_t destination = 0; destination < n; ++destination)
            {
                const int64_t steps = left.Get(source, destination);
                sends[source] += steps > 0;
                receives[destination] += steps > 0;
                most = std::max(most, steps);
            }
        }
        // A device with most peers counts more than all times together
        const int64_t bonus = most * n + 1;
        for (uint32_t source = 0; source < n; ++source)
        {
            for (uint32_t destination = 0; destination < n; ++destination)
            {
                const int64_t steps = left.Get(source, destination);
                const int64_t nFull = (sends[source] == degree) + (receives[destination] == degree);
                weights[std::size_t{source} * n + destination] =
                    steps > 0 ? steps + nFull * bonus : 0;
            }
        }
        solver.Solve(weights);
        TimedMatching matching{std::vector<uint32_t>(n), 0};
        std::iota(matching.peers.begin(), matching.peers.end(), 0);
        for (uint32_t source = 0; source < n; ++source)
        {
            const uint32_t destination = solver.GetColumn(source);
            const int64_t steps = left.Get(source, destination);
            if (steps > 0)
            {
                matching.peers[source] = destination;
                matching.steps = std::max(matching.steps, steps);
                left.Add(source, destination, -steps);
            }
        }
        matchings.push_back(std::move(matching));
    }
    return matchings;
}

std::vector<TimedMatching>
HeavyScheduler::FindMatchings(const ServiceTimeMatrix& times) const
{
    return Decompose(times);
}

} // namespace lightpath
} // namespace ns3
