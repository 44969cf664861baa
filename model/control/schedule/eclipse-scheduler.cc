/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eclipse-scheduler.h"

#include "eclipse-search.h"

#include "ns3/double.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(EclipseScheduler);

TypeId
EclipseScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::EclipseScheduler")
            .SetParent<MatchingScheduler>()
            .SetGroupName("Lightpath")
            .AddConstructor<EclipseScheduler>()
            .AddAttribute("Horizon",
                          "The longest makespan; zero to serve the whole demand.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&EclipseScheduler::m_horizon),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Tolerance",
                          "The least relative gain in bytes served by time for which a further "
                          "duration is tried; zero finds the best duration.",
                          DoubleValue(0.05),
                          MakeDoubleAccessor(&EclipseScheduler::m_tolerance),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

std::vector<TimedMatching>
EclipseScheduler::FindMatchings(const ServiceTimeMatrix& times) const
{
    const int64_t delay = GetSwitchingDelay().GetTimeStep();
    int64_t left =
        m_horizon.IsZero() ? std::numeric_limits<int64_t>::max() : m_horizon.GetTimeStep();
    EclipseSearch search(times, GetLanes(), delay, std::lround(m_tolerance * 1e6));
    std::vector<TimedMatching> matchings;
    while (left > delay)
    {
        const TimedMatching best = search.FindBest(left - delay);
        if (best.steps == 0)
        {
            break;
        }
        search.Serve(best);
        left -= best.steps + delay;
        matchings.push_back(best);
    }
    if (!matchings.empty())
    {
        matchings.back().steps += std::min(left, search.GetLongest(matchings.back()));
    }
    return matchings;
}

std::vector<uint32_t>
EclipseScheduler::GetLanes() const
{
    const uint32_t size = GetPlanes().GetNPorts();
    std::vector<uint32_t> lanes;
    uint32_t divisor = 0;
    for (uint32_t source = 0; source < size; ++source)
    {
        for (uint32_t destination = 0; destination < size; ++destination)
        {
            lanes.push_back(GetNLanes(source, destination));
            divisor = std::gcd(divisor, lanes.back());
        }
    }
    for (uint32_t& own : lanes)
    {
        own /= std::max(divisor, 1U);
    }
    return lanes;
}

} // namespace lightpath
} // namespace ns3
