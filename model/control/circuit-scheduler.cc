/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-scheduler.h"

#include <map>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Holds products of bytes, ticks and rates
__extension__ using Wide = unsigned __int128;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(CircuitScheduler);

TypeId
CircuitScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::CircuitScheduler").SetParent<Object>().SetGroupName("Lightpath");
    return tid;
}

void
CircuitScheduler::SetGeometry(const CircuitSwitchGeometry& geometry)
{
    m_geometry = geometry;
}

const CircuitSwitchGeometry&
CircuitScheduler::GetGeometry() const
{
    return m_geometry;
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

Time
CircuitScheduler::GetSwitchingDelay() const
{
    return m_switchingDelay;
}

CircuitSchedule
CircuitScheduler::Schedule(const TrafficMatrix& demand) const
{
    if (demand.GetSize() != m_geometry.GetNDevices())
    {
        throw std::invalid_argument("A demand of " + std::to_string(demand.GetSize()) +
                                    " ports cannot be scheduled on switches for " +
                                    std::to_string(m_geometry.GetNDevices()) +
                                    " devices: both must have the same size");
    }
    CircuitSchedule schedule = DoSchedule(demand);
    std::map<PortPair, uint64_t> served;
    schedule.makespan = Time(0);
    for (const ScheduleSlot& slot : schedule.slots)
    {
        schedule.makespan += m_switchingDelay + slot.duration;
        for (const auto& [pair, lanes] : slot.plan.GetLightpaths())
        {
            served[pair] += GetServedBytes(slot.duration, lanes.size());
        }
    }
    schedule.unserved = TrafficMatrix(demand.GetSize());
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            const uint64_t done = served[{source, destination}];
            if (done < bytes && !(schedule.cyclic && done > 0))
            {
                schedule.unserved.Add(source, destination, bytes - done);
            }
        }
    }
    return schedule;
}

Time
CircuitScheduler::GetServiceTime(uint64_t bytes, uint32_t lanes) const
{
    // 8 bytes ticks / (lanes rate), in integers, rounded up
    const auto work = static_cast<Wide>(bytes) * 8 * Seconds(1).GetTimeStep();
    const auto rate = static_cast<Wide>(m_laneRate.GetBitRate()) * lanes;
    return TimeStep(static_cast<int64_t>((work + rate - 1) / rate));
}

uint64_t
CircuitScheduler::GetServedBytes(Time time, uint32_t lanes) const
{
    const auto bits = static_cast<Wide>(m_laneRate.GetBitRate()) * lanes *
                      time.GetTimeStep() / Seconds(1).GetTimeStep();
    return static_cast<uint64_t>(bits / 8);
}

} // namespace lightpath
} // namespace ns3
