/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-scheduler.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Holds products of bytes, ticks and rates
__extension__ using Wide = unsigned __int128;

} // namespace

NS_LOG_COMPONENT_DEFINE("CircuitScheduler");

NS_OBJECT_ENSURE_REGISTERED(CircuitScheduler);

TypeId
CircuitScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::CircuitScheduler").SetParent<Object>().SetGroupName("Lightpath");
    return tid;
}

void
CircuitScheduler::SetPlanes(std::shared_ptr<const CircuitPlanes> planes)
{
    m_planes = std::move(planes);
}

const CircuitPlanes&
CircuitScheduler::GetPlanes() const
{
    NS_ABORT_MSG_UNLESS(m_planes,
                        "A " << GetInstanceTypeId().GetName()
                             << " does not know its fabric: call SetPlanes() first");
    return *m_planes;
}

void
CircuitScheduler::SetTiming(DataRate laneRate, Time switchingDelay)
{
    if (laneRate.GetBitRate() == 0 || switchingDelay.IsStrictlyNegative())
    {
        throw std::invalid_argument("A schedule needs a lane rate above 0 and a switching delay "
                                    "that is not negative");
    }
    m_laneRate = laneRate;
    m_switchingDelay = switchingDelay;
}

DataRate
CircuitScheduler::GetLaneRate() const
{
    return m_laneRate;
}

Time
CircuitScheduler::GetSwitchingDelay() const
{
    return m_switchingDelay;
}

std::string
CircuitScheduler::CheckTiming(bool /* isPartial */) const
{
    return "";
}

CircuitSchedule
CircuitScheduler::Schedule(const TrafficMatrix& demand) const
{
    const CircuitPlanes& planes = GetPlanes();
    if (demand.GetSize() != planes.GetNPorts())
    {
        throw std::invalid_argument("A demand of " + std::to_string(demand.GetSize()) +
                                    " ports cannot be scheduled on a fabric of " +
                                    std::to_string(planes.GetNPorts()) +
                                    " ports: both must have the same size");
    }
    CircuitSchedule schedule = DoSchedule(demand);
    schedule.makespan = Time(0);
    for (const ScheduleSlot& slot : schedule.slots)
    {
        const std::string conflict = planes.FindConflict(slot.plan);
        if (!conflict.empty())
        {
            throw std::invalid_argument("The fabric cannot carry the schedule of a " +
                                        GetInstanceTypeId().GetName() + ": " + conflict);
        }
        schedule.makespan += m_switchingDelay + slot.duration;
    }
    schedule.unserved = FindUnserved(schedule, demand);
    NS_LOG_LOGIC(GetInstanceTypeId().GetName()
                 << " serves " << demand.GetTotal() - schedule.unserved.GetTotal() << " of "
                 << demand.GetTotal() << " bytes by " << schedule.slots.size() << " slots in "
                 << schedule.makespan.As(Time::US) << ", bound " << schedule.bound.As(Time::US));
    return schedule;
}

TrafficMatrix
CircuitScheduler::FindUnserved(const CircuitSchedule& schedule, const TrafficMatrix& demand) const
{
    const std::size_t size = demand.GetSize();
    // Light by pair, in the time of one lane: a slot counts once for each lane of the pair
    std::vector<Time> light(size * size);
    for (const ScheduleSlot& slot : schedule.slots)
    {
        for (const auto& [pair, lanes] : slot.plan.GetLightpaths())
        {
            light[pair.first * size + pair.second] +=
                TimeStep(slot.duration.GetTimeStep() * lanes.size());
        }
    }
    TrafficMatrix unserved(demand.GetSize());
    for (uint32_t source = 0; source < size; ++source)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            const Time served = light[source * size + destination];
            const uint64_t done = GetServedBytes(served, 1);
            if (done < bytes && !(schedule.cyclic && served.IsStrictlyPositive()))
            {
                unserved.Add(source, destination, bytes - done);
            }
        }
    }
    return unserved;
}

Time
CircuitScheduler::GetServiceTime(uint64_t bytes, uint32_t lanes) const
{
    if (lanes == 0)
    {
        throw std::invalid_argument("A lightpath without lanes serves nothing: the service time "
                                    "needs at least 1 lane");
    }
    // 8 bytes ticks / (lanes rate), in integers, rounded up
    const auto work = static_cast<Wide>(bytes) * 8 * Seconds(1).GetTimeStep();
    const auto rate = static_cast<Wide>(m_laneRate.GetBitRate()) * lanes;
    const Wide steps = (work + rate - 1) / rate;
    if (steps > static_cast<Wide>(std::numeric_limits<int64_t>::max()))
    {
        throw std::invalid_argument(std::to_string(bytes) + " bytes take " + std::to_string(lanes) +
                                    " lanes longer than a Time can hold: the demand must be "
                                    "smaller or the lane rate higher");
    }
    return TimeStep(static_cast<int64_t>(steps));
}

uint64_t
CircuitScheduler::GetServedBytes(Time time, uint32_t lanes) const
{
    const auto bits = static_cast<Wide>(m_laneRate.GetBitRate()) * lanes * time.GetTimeStep() /
                      Seconds(1).GetTimeStep();
    return static_cast<uint64_t>(bits / 8);
}

} // namespace lightpath
} // namespace ns3
