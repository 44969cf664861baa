/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "schedule-tests.h"

#include "ns3/circuit-switch-channel.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <map>
#include <sstream>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param switches the number of switches
 * @return circuit switches without devices
 */
Ptr<CircuitSwitchChannel>
MakeOracleSwitches(uint32_t switches)
{
    const auto channel = CreateObject<CircuitSwitchChannel>();
    channel->SetAttribute("NSwitches", UintegerValue(switches));
    return channel;
}

/// The pairs of three devices, in the order of BestSchedules::Entries.
constexpr std::array<std::array<uint32_t, 2>, 6> PAIRS{
    {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}}};

/// The pairs of each matching of three devices that no pair can be added to.
const std::vector<std::vector<uint32_t>> MATCHINGS{{0, 3, 4}, {1, 2, 5}, {0, 2}, {1, 4}, {3, 5}};

} // namespace

ScheduleReplay::ScheduleReplay(uint32_t devices,
                               uint32_t switches,
                               const std::vector<std::string>& failed)
    : m_channel(MakeOracleSwitches(switches)),
      m_fixture(m_channel, devices)
{
    for (const std::string& component : failed)
    {
        m_channel->SetFailed(component, true);
    }
}

const CircuitSwitchGeometry&
ScheduleReplay::GetGeometry() const
{
    return m_channel->GetGeometry();
}

std::string
ScheduleReplay::Check(const CircuitPlan& plan) const
{
    return m_channel->Check(plan);
}

std::string
ScheduleReplay::Replay(const CircuitSchedule& schedule, const TrafficMatrix& demand) const
{
    std::ostringstream error;
    std::map<PortPair, uint64_t> served;
    for (std::size_t i = 0; i < schedule.slots.size(); ++i)
    {
        const ScheduleSlot& slot = schedule.slots[i];
        error << Check(slot.plan);
        if (!slot.duration.IsStrictlyPositive() || slot.plan.GetLightpaths().empty())
        {
            error << "Slot " << i << " carries no light; ";
        }
        for (const auto& [pair, lanes] : slot.plan.GetLightpaths())
        {
            uint64_t& done = served[pair];
            if (done >= demand.Get(pair.first, pair.second))
            {
                error << "Slot " << i << " joins " << pair.first << " to " << pair.second
                      << ", which have nothing left; ";
            }
            done += slot.duration.GetNanoSeconds() * lanes.size();
        }
    }
    TrafficMatrix left(demand.GetSize());
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            left.Add(source, destination, bytes - std::min(bytes, served[{source, destination}]));
        }
    }
    if (!(left == schedule.unserved))
    {
        error << left.GetTotal() << " bytes are left, but " << schedule.unserved.GetTotal()
              << " are said to be unserved; ";
    }
    return error.str();
}

int64_t
ScheduleReplay::GetLongestLine(const TrafficMatrix& demand) const
{
    std::map<std::pair<bool, uint32_t>, int64_t> busy;
    int64_t longest = 0;
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            const int64_t lanes = CountLanes(source, destination);
            const int64_t time = lanes == 0 ? 0 : (bytes + lanes - 1) / lanes;
            longest = std::max(longest, busy[{true, source}] += time);
            longest = std::max(longest, busy[{false, destination}] += time);
        }
    }
    return longest;
}

TrafficMatrix
ScheduleReplay::GetJoined(const TrafficMatrix& demand) const
{
    TrafficMatrix joined(demand.GetSize());
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            joined.Add(source, destination, CountLanes(source, destination) > 0 ? bytes : 0);
        }
    }
    return joined;
}

int64_t
ScheduleReplay::CountLanes(uint32_t source, uint32_t destination) const
{
    int64_t lanes = 0;
    for (uint32_t index = 0; index < GetGeometry().GetNSwitches(); ++index)
    {
        if (GetGeometry().HasInput(index, source) && GetGeometry().HasOutput(index, destination))
        {
            ++lanes;
        }
    }
    return lanes;
}

int64_t
GetLight(const CircuitSchedule& schedule)
{
    Time light;
    for (const ScheduleSlot& slot : schedule.slots)
    {
        light += slot.duration;
    }
    return light.GetNanoSeconds();
}

BestSchedules::BestSchedules(uint32_t most, uint32_t delay, uint32_t horizon)
    : m_most(most),
      m_delay(delay),
      m_horizon(horizon)
{
    uint32_t demands = 1;
    for (std::size_t pair = 0; pair < PAIRS.size(); ++pair)
    {
        demands *= most + 1;
    }
    m_makespan.assign(demands, std::numeric_limits<uint32_t>::max());
    m_served.assign(std::size_t{demands} * (horizon + 1), 0);
    m_makespan[0] = 0;
    // The rest of a demand has a smaller index
    for (uint32_t index = 1; index < demands; ++index)
    {
        Solve(index);
    }
}

uint32_t
BestSchedules::GetNDemands() const
{
    return m_makespan.size();
}

TrafficMatrix
BestSchedules::GetDemand(uint32_t index) const
{
    const Entries entries = Unpack(index);
    TrafficMatrix demand(3);
    for (std::size_t pair = 0; pair < PAIRS.size(); ++pair)
    {
        demand.Add(PAIRS[pair][0], PAIRS[pair][1], entries[pair]);
    }
    return demand;
}

uint32_t
BestSchedules::GetMakespan(uint32_t index) const
{
    return m_makespan[index];
}

uint32_t
BestSchedules::GetServed(uint32_t index, uint32_t horizon) const
{
    return m_served[std::size_t{index} * (m_horizon + 1) + horizon];
}

BestSchedules::Entries
BestSchedules::Unpack(uint32_t index) const
{
    Entries entries;
    for (uint32_t& entry : entries)
    {
        entry = index % (m_most + 1);
        index /= m_most + 1;
    }
    return entries;
}

void
BestSchedules::Solve(uint32_t index)
{
    const Entries entries = Unpack(index);
    for (const std::vector<uint32_t>& matching : MATCHINGS)
    {
        for (uint32_t duration = 1; duration <= m_most; ++duration)
        {
            uint32_t rest = index;
            uint32_t served = 0;
            for (const uint32_t pair : matching)
            {
                const uint32_t bytes = std::min(entries[pair], duration);
                served += bytes;
                uint32_t factor = 1;
                for (uint32_t before = 0; before < pair; ++before)
                {
                    factor *= m_most + 1;
                }
                rest -= bytes * factor;
            }
            if (served == 0)
            {
                continue;
            }
            const uint32_t time = m_delay + duration;
            m_makespan[index] = std::min(m_makespan[index], time + m_makespan[rest]);
            for (uint32_t horizon = time; horizon <= m_horizon; ++horizon)
            {
                uint32_t& best = m_served[std::size_t{index} * (m_horizon + 1) + horizon];
                best = std::max(best, served + GetServed(rest, horizon - time));
            }
        }
    }
}
