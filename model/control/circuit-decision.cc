/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-decision.h"

#include "ns3/fatal-error.h"

#include <chrono>
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
