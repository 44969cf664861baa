/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "matching-scheduler.h"

#include <stdexcept>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(MatchingScheduler);

TypeId
MatchingScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::MatchingScheduler")
                            .SetParent<CircuitScheduler>()
                            .SetGroupName("Lightpath");
    return tid;
}

uint32_t
MatchingScheduler::GetNLanes(uint32_t source, uint32_t destination) const
{
    uint32_t lanes = 0;
    for (uint32_t plane = 0; plane < GetPlanes().GetNPlanes(); ++plane)
    {
        lanes += GetPlanes().FindLane(source, destination, plane) ? 1 : 0;
    }
    return lanes;
}

CircuitSchedule
MatchingScheduler::DoSchedule(const TrafficMatrix& demand) const
{
    ServiceTimeMatrix left = GetServiceTimes(demand);
    CircuitSchedule schedule;
    schedule.bound =
        TimeStep(left.GetMaxLineSum()) +
        TimeStep(GetSwitchingDelay().GetTimeStep() * static_cast<int64_t>(left.GetDegree()));
    for (const TimedMatching& matching : FindMatchings(left))
    {
        ScheduleSlot slot;
        slot.duration = TimeStep(matching.steps);
        for (uint32_t source = 0; source < left.GetSize(); ++source)
        {
            const uint32_t destination = matching.peers[source];
            // A circuit whose pair has nothing left to send would only occupy the fabric
            if (left.Serve(source, destination, matching.steps) == 0)
            {
                continue;
            }
            for (uint32_t plane = 0; plane < GetPlanes().GetNPlanes(); ++plane)
            {
                if (const auto lane = GetPlanes().FindLane(source, destination, plane))
                {
                    slot.plan.AddLane(source, destination, *lane);
                }
            }
        }
        if (!slot.plan.GetLightpaths().empty())
        {
            schedule.slots.push_back(std::move(slot));
        }
    }
    return schedule;
}

ServiceTimeMatrix
MatchingScheduler::GetServiceTimes(const TrafficMatrix& demand) const
{
    // Sums over all pairs of times multiplied by lanes must fit into 62 bits
    const int64_t limit = (int64_t{1} << 62) / GetPlanes().GetNPlanes();
    ServiceTimeMatrix times(demand.GetSize());
    int64_t total = 0;
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            const uint32_t lanes = GetNLanes(source, destination);
            if (lanes == 0)
            {
                continue;
            }
            const int64_t steps = GetServiceTime(bytes, lanes).GetTimeStep();
            if (steps > limit - total)
            {
                throw std::invalid_argument(
                    "The service times of a demand add up to more than " + std::to_string(limit) +
                    " time steps: the demand must be smaller, the lane rate higher or the "
                    "resolution of Time coarser");
            }
            total += steps;
            times.Add(source, destination, steps);
        }
    }
    return times;
}

} // namespace lightpath
} // namespace ns3
