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
                          "The time that a configuration of a rotor carries light.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&RotorScheduler::m_slotTime),
                          MakeTimeChecker())
            .AddAttribute(
                "Stagger",
                "Whether the rotors turn one after the other instead of at the same time.",
                BooleanValue(true),
                MakeBooleanAccessor(&RotorScheduler::m_stagger),
                MakeBooleanChecker());
    return tid;
}

std::string
RotorScheduler::CheckTiming(bool isPartial) const
{
    if (!isPartial && m_stagger && GetPlanes().GetNPlanes() > 1)
    {
        return "A " + GetInstanceTypeId().GetName() +
               " whose rotors turn one after the other needs the PauseMode Partial, as otherwise "
               "all go dark whenever one turns; or set Stagger to false";
    }
    try
    {
        GetDurations();
    }
    catch (const std::invalid_argument& refusal)
    {
        return refusal.what();
    }
    return "";
}

CircuitSchedule
RotorScheduler::DoSchedule(const TrafficMatrix& demand) const
{
    const std::vector<Time> durations = GetDurations();
    const uint32_t shifts = GetPlanes().GetNPorts() - 1;
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
            // Before the first turn of the cycle all rotors are where the last cycle left them
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
    const int64_t rotors = GetPlanes().GetNPlanes();
    const int64_t delay = GetSwitchingDelay().GetTimeStep();
    const int64_t period = m_slotTime.GetTimeStep() + delay;
    if (period / rotors <= delay)
    {
        std::ostringstream sentence;
        sentence << rotors << " rotors cannot turn one after the other, each dark for "
                 << GetSwitchingDelay().As() << ", while a configuration carries light for "
                 << m_slotTime.As() << ": SlotTime must be longer than "
                 << TimeStep((rotors - 1) * delay).As() << ", or Stagger false";
        throw std::invalid_argument(sentence.str());
    }
    // The turns divide the period evenly; the sums are rounded, not the parts, so that they add up
    std::vector<Time> durations;
    for (int64_t slot = 0; slot < rotors; ++slot)
    {
        const int64_t begin = period / rotors * slot + period % rotors * slot / rotors;
        const int64_t end = period / rotors * (slot + 1) + period % rotors * (slot + 1) / rotors;
        durations.push_back(TimeStep(end - begin - delay));
    }
    return durations;
}

CircuitPlan
RotorScheduler::MakePlan(uint32_t turn, uint32_t turned) const
{
    const uint64_t ports = GetPlanes().GetNPorts();
    const uint32_t rotors = GetPlanes().GetNPlanes();
    CircuitPlan plan;
    for (uint32_t rotor = 0; rotor < rotors; ++rotor)
    {
        const uint64_t ahead = rotor * (ports - 1) / rotors;
        // The last rotors, which are ahead, turn first
        const uint64_t turns = turn + ahead + (rotor >= rotors - turned ? 1 : 0);
        const uint64_t shift = 1 + turns % (ports - 1);
        for (uint32_t source = 0; source < ports; ++source)
        {
            const auto destination = static_cast<uint32_t>((source + shift) % ports);
            if (const auto lane = GetPlanes().FindLane(source, destination, rotor))
            {
                plan.AddLane(source, destination, *lane);
            }
        }
    }
    return plan;
}

Time
RotorScheduler::GetBound(const TrafficMatrix& demand) const
{
    const CircuitPlanes& planes = GetPlanes();
    const auto isJoined = [&planes](uint32_t source, uint32_t destination) {
        uint32_t plane = 0;
        while (plane < planes.GetNPlanes() && !planes.FindLane(source, destination, plane))
        {
            ++plane;
        }
        return plane < planes.GetNPlanes();
    };
    std::vector<uint64_t> sent(demand.GetSize(), 0);
    std::vector<uint64_t> received(demand.GetSize(), 0);
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            if (isJoined(source, destination))
            {
                sent[source] += bytes;
                received[destination] += bytes;
            }
        }
    }
    Time bound;
    for (uint32_t port = 0; port < demand.GetSize(); ++port)
    {
        if (sent[port] > 0)
        {
            bound = std::max(bound, GetServiceTime(sent[port], CountLanes(port, true)));
        }
        if (received[port] > 0)
        {
            bound = std::max(bound, GetServiceTime(received[port], CountLanes(port, false)));
        }
    }
    return bound;
}

uint32_t
RotorScheduler::CountLanes(uint32_t port, bool sends) const
{
    const CircuitPlanes& planes = GetPlanes();
    uint32_t lanes = 0;
    for (uint32_t plane = 0; plane < planes.GetNPlanes(); ++plane)
    {
        for (uint32_t peer = 0; peer < planes.GetNPorts(); ++peer)
        {
            if (sends ? planes.FindLane(port, peer, plane) : planes.FindLane(peer, port, plane))
            {
                ++lanes;
                break;
            }
        }
    }
    return lanes;
}

} // namespace lightpath
} // namespace ns3
