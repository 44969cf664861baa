/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "slowest-pair-allocator.h"

#include "circuit-placement.h"
#include "circuit-switch-ports.h"
#include "model/base/lightpath-compatibility.h"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(SlowestPairAllocator);

namespace
{

/**
 * @param demand the bytes to be carried
 * @return the pairs of devices with demand in any direction, the smaller index first, with the sum
 *         of both directions
 */
std::vector<CircuitDemand>
ListDuplexPairs(const TrafficMatrix& demand)
{
    std::map<PortPair, uint64_t> sums;
    for (const CircuitDemand& pair : CircuitDemand::List(demand))
    {
        sums[std::minmax(pair.ports.first, pair.ports.second)] += pair.bytes;
    }
    std::vector<CircuitDemand> pairs;
    for (const auto& [ports, bytes] : sums)
    {
        pairs.push_back({ports, bytes});
    }
    return pairs;
}

/**
 * @param pairs pairs with their circuits
 * @return the smallest ratio of circuits to demand relative to the largest demand; 0 without pairs
 */
double
GetSmallestShare(const std::vector<CircuitDemand>& pairs)
{
    uint64_t most = 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (const CircuitDemand& pair : pairs)
    {
        most = std::max(most, pair.bytes);
        smallest = std::min(smallest, pair.circuits / static_cast<double>(pair.bytes));
    }
    return most > 0 ? smallest * static_cast<double>(most) : 0;
}

} // namespace

TypeId
SlowestPairAllocator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::SlowestPairAllocator")
            .SetParent<CircuitSwitchAllocator>()
            .SetGroupName("Lightpath")
            .AddConstructor<SlowestPairAllocator>()
            .AddAttribute("WhenFull",
                          "When the slowest pair has a device without ports left: whether other "
                          "pairs still get circuits (Skip), or none does (Stop).",
                          EnumValue(SlowestPairAllocator::SKIP_PAIR),
                          MakeEnumAccessorFor<WhenFull>(0, &SlowestPairAllocator::m_whenFull),
                          MakeEnumChecker(SlowestPairAllocator::SKIP_PAIR,
                                          "Skip",
                                          SlowestPairAllocator::STOP,
                                          "Stop"));
    return tid;
}

CircuitAllocation
SlowestPairAllocator::DoAllocate(const TrafficMatrix& demand) const
{
    CheckDuplex(false);
    const CircuitSwitchPorts ports(GetGeometry());
    std::vector<uint32_t> free(ports.GetNDevices());
    for (uint32_t device = 0; device < free.size(); ++device)
    {
        free[device] = std::min(ports.GetInputs()[device], ports.GetOutputs()[device]);
    }
    std::vector<CircuitDemand> pairs = ListDuplexPairs(demand);
    const auto getTime = [&pairs](std::size_t i) {
        return pairs[i].circuits > 0 ? static_cast<double>(pairs[i].bytes) / pairs[i].circuits
                                     : std::numeric_limits<double>::infinity();
    };
    // Time, demand, and number of a pair, negative so that the first is the largest
    using Entry = std::tuple<double, uint64_t, int64_t>;
    std::priority_queue<Entry> slowest;
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        slowest.emplace(getTime(i), pairs[i].bytes, -static_cast<int64_t>(i));
    }
    while (!slowest.empty())
    {
        const auto i = static_cast<std::size_t>(-std::get<2>(slowest.top()));
        slowest.pop();
        const auto& [first, second] = pairs[i].ports;
        if (free[first] > 0 && free[second] > 0)
        {
            --free[first];
            --free[second];
            ++pairs[i].circuits;
            slowest.emplace(getTime(i), pairs[i].bytes, -static_cast<int64_t>(i));
        }
        else if (m_whenFull == STOP)
        {
            break;
        }
    }
    // No device sends or receives on more circuits than it has switches, so that all find a place
    // on intact switches (Koenig)
    std::vector<CircuitDemand> placed;
    for (const CircuitDemand& pair : pairs)
    {
        const auto& [first, second] = pair.ports;
        placed.push_back({{first, second}, pair.bytes, pair.circuits});
        placed.push_back({{second, first}, pair.bytes, pair.circuits});
    }
    CircuitPlacement placement(ports);
    placement.Place(placed);
    CircuitAllocation result = Assess(placement.GetPlan(), demand, 0);
    result.bound = GetSmallestShare(pairs);
    for (CircuitDemand& pair : pairs)
    {
        const auto& [first, second] = pair.ports;
        const std::size_t there = result.plan.GetLanes(first, second).size();
        const std::size_t back = result.plan.GetLanes(second, first).size();
        pair.circuits = static_cast<uint32_t>(std::min(there, back));
    }
    result.objective = GetSmallestShare(pairs);
    return result;
}

} // namespace lightpath
} // namespace ns3
