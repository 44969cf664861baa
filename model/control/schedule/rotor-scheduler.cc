/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rotor-scheduler.h"

#include "ns3/boolean.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(RotorScheduler);

TypeId
RotorScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::RotorScheduler")
            .SetParent<CircuitScheduler>()
            .SetGroupName("Lightpath")
            .AddConstructor<RotorScheduler>()
            .AddAttribute("SlotTime",
                          "How long a configuration of a switch carries light.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&RotorScheduler::m_slotTime),
                          MakeTimeChecker())
            .AddAttribute("Stagger",
                          "Whether the switches turn one after the other, instead of all at once.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RotorScheduler::m_stagger),
                          MakeBooleanChecker());
    return tid;
}

bool
RotorScheduler::NeedsPartialPause() const
{
    return m_stagger && GetGeometry().GetNSwitches() > 1;
}

CircuitSchedule
RotorScheduler::DoSchedule(const TrafficMatrix& demand) const
{
    const std::vector<Time> durations = GetDurations();
    const uint32_t shifts = GetGeometry().GetNDevices() - 1;
    CircuitSchedule schedule;
    schedule.cyclic = true;
    schedule.bound = GetBound(demand);
    for (uint32_t turn = 0; turn < shifts; ++turn)
    {
        if (!m_stagger)
        {
            schedule.slots.push_back({MakePlan(turn, 0), durations.front()});
            continue;
        }
        for (uint32_t slot = 0; slot < durations.size(); ++slot)
        {
            // Before the first turn of the cycle all switches are where the last one left them
            schedule.slots.push_back({MakePlan(turn + shifts - 1, slot + 1), durations[slot]});
        }
    }
    return schedule;
}

std::vector<Time>
RotorScheduler::GetDurations() const
{
    if (!m_slotTime.IsStrictlyPositive())
    {
        throw std::invalid_argument("The attribute SlotTime of a rotor schedule must be above 0");
    }
    if (!m_stagger)
    {
        return {m_slotTime};
    }
    const int64_t switches = GetGeometry().GetNSwitches();
    const int64_t delay = GetSwitchingDelay().GetTimeStep();
    const int64_t period = m_slotTime.GetTimeStep() + delay;
    if (period / switches <= delay)
    {
        std::ostringstream sentence;
        sentence << switches << " switches cannot turn one after the other, each dark for "
                 << GetSwitchingDelay().As() << ", while a configuration carries light for "
                 << m_slotTime.As() << ": SlotTime must be longer than "
                 << TimeStep((switches - 1) * delay).As() << ", or Stagger false";
        throw std::invalid_argument(sentence.str());
    }
    std::vector<Time> durations;
    for (int64_t slot = 0; slot < switches; ++slot)
    {
        const int64_t begin = period / switches * slot + period % switches * slot / switches;
        const int64_t end =
            period / switches * (slot + 1) + period % switches * (slot + 1) / switches;
        durations.push_back(TimeStep(end - begin - delay));
    }
    return durations;
}

CircuitPlan
RotorScheduler::MakePlan(uint32_t turn, uint32_t turned) const
{
    const uint64_t devices = GetGeometry().GetNDevices();
    const uint32_t switches = GetGeometry().GetNSwitches();
    CircuitPlan plan;
    for (uint32_t index = 0; index < switches; ++index)
    {
        const uint64_t ahead = index * (devices - 1) / switches;
        const uint64_t turns = turn + ahead + (index >= switches - turned ? 1 : 0);
        const uint64_t shift = 1 + turns % (devices - 1);
        for (uint32_t source = 0; source < devices; ++source)
        {
            const auto destination = static_cast<uint32_t>((source + shift) % devices);
            if (GetGeometry().CanJoin(source, destination, index))
            {
                plan.AddLane(source, destination, {index, 0});
            }
        }
    }
    return plan;
}

Time
RotorScheduler::GetBound(const TrafficMatrix& demand) const
{
    const CircuitSwitchGeometry& geometry = GetGeometry();
    std::vector<uint64_t> received(demand.GetSize(), 0);
    Time bound;
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        uint64_t sent = 0;
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            if (geometry.HasPath(source, destination))
            {
                sent += bytes;
                received[destination] += bytes;
            }
        }
        uint32_t lanes = 0;
        for (uint32_t index = 0; index < geometry.GetNSwitches(); ++index)
        {
            lanes += geometry.HasInput(index, source) ? 1 : 0;
        }
        bound = sent > 0 ? std::max(bound, GetServiceTime(sent, lanes)) : bound;
    }
    for (uint32_t destination = 0; destination < demand.GetSize(); ++destination)
    {
        uint32_t lanes = 0;
        for (uint32_t index = 0; index < geometry.GetNSwitches(); ++index)
        {
            lanes += geometry.HasOutput(index, destination) ? 1 : 0;
        }
        const uint64_t bytes = received[destination];
        bound = bytes > 0 ? std::max(bound, GetServiceTime(bytes, lanes)) : bound;
    }
    return bound;
}

} // namespace lightpath
} // namespace ns3
