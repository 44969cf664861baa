/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-decision.h"

#include "model/device/lane-cursor.h"

#include "ns3/fatal-error.h"
#include "ns3/optical-channel.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

Time
CircuitDecision::Make(Ptr<const CircuitScheduler> scheduler, Ptr<const CircuitAllocator> allocator)
{
    const auto begin = std::chrono::steady_clock::now();
    try
    {
        if (scheduler)
        {
            schedule = scheduler->Schedule(demand);
        }
        else
        {
            allocation = allocator->Allocate(demand);
        }
    }
    catch (const std::invalid_argument& refusal)
    {
        NS_FATAL_ERROR("A circuit controller cannot decide: " << refusal.what());
    }
    const std::chrono::nanoseconds taken = std::chrono::steady_clock::now() - begin;
    return NanoSeconds(taken.count());
}

Time
CircuitDecision::Prefer(const TrafficMatrix& other, Ptr<const CircuitAllocator> allocator)
{
    if (other.GetTotal() == 0)
    {
        return Time(0);
    }
    demand = other;
    return Make(nullptr, allocator);
}

void
CircuitDecision::Settle(const OpticalChannel& channel, const TrafficMatrix& served)
{
    const CircuitPlan& present = channel.GetPlan();
    const CircuitPlan next = channel.Extend(allocation.plan, present);
    const bool isPartial = channel.GetPauseMode() != OpticalChannel::GLOBAL_PAUSE;
    const double laneRate = static_cast<double>(channel.GetLaneRate().GetBitRate()) / 8;
    const double dark = channel.GetSwitchingDelay().GetSeconds();
    // When the last pair is through, in either case
    double stay = 0;
    double change = 0;
    LaneCursor before(present);
    LaneCursor after(next);
    for (uint32_t source = 0; source < served.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : served.GetRow(source))
        {
            const std::vector<Lane>& old = before.GetLanes({source, destination});
            const std::vector<Lane>& lanes = after.GetLanes({source, destination});
            std::vector<Lane> lit;
            if (isPartial)
            {
                std::set_intersection(old.begin(),
                                      old.end(),
                                      lanes.begin(),
                                      lanes.end(),
                                      std::back_inserter(lit));
            }
            const double seconds = static_cast<double>(bytes) / laneRate;
            stay = std::max(stay, seconds / old.size());
            const double rest = seconds - dark * lit.size();
            change = std::max(change, rest > 0 ? dark + rest / lanes.size() : seconds / lit.size());
        }
    }
    const bool stays = std::isfinite(stay) && stay <= change;
    allocation.Replace(stays ? present : next, served);
}

std::vector<PortPair>
CircuitDecision::GetUnscheduled() const
{
    std::vector<PortPair> pairs;
    for (uint32_t source = 0; source < schedule.unserved.GetSize(); ++source)
    {
        for (const auto& entry : schedule.unserved.GetRow(source))
        {
            pairs.emplace_back(source, entry.first);
        }
    }
    return pairs;
}

std::string
CircuitDecision::DescribeAllocation() const
{
    std::ostringstream words;
    words << allocation.plan.GetNLanes() << " lanes for " << allocation.plan.GetLightpaths().size()
          << " pairs, fairness " << allocation.fairness << ", " << allocation.unserved.size()
          << " pairs without a lightpath";
    return words.str();
}

std::string
CircuitDecision::DescribeSchedule() const
{
    std::ostringstream words;
    words << schedule.slots.size() << " slots " << (schedule.cyclic ? "in a cycle of " : "in ")
          << schedule.makespan.As(Time::US) << ", " << schedule.unserved.GetTotal()
          << " bytes unserved";
    return words.str();
}

std::string
DescribeDemand(const TrafficMatrix& demand)
{
    std::ostringstream words;
    words << demand.GetTotal() << " bytes between " << demand.GetNPairs() << " pairs";
    return words.str();
}

} // namespace lightpath
} // namespace ns3
