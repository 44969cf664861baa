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
#include <numeric>
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
            .AddAttribute(
                "FirstCircuit",
                "Of several pairs without a circuit, the one that gets one first: with "
                "the most demand (Demand), or with the most ports left (Ports).",
                EnumValue(SlowestPairAllocator::MOST_DEMAND),
                MakeEnumAccessorFor<FirstCircuit>(0, &SlowestPairAllocator::m_firstCircuit),
                MakeEnumChecker(SlowestPairAllocator::MOST_DEMAND,
                                "Demand",
                                SlowestPairAllocator::MOST_PORTS,
                                "Ports"))
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

void
SlowestPairAllocator::GiveCircuits(std::vector<uint32_t> free,
                                   std::vector<CircuitDemand>& pairs) const
{
    // Time, demand and ports left of a pair, in the order in which they decide
    const auto getKey = [this, &pairs, &free](std::size_t i) {
        const auto& [ports, bytes, circuits] = pairs[i];
        const uint64_t left = std::min(free[ports.first], free[ports.second]);
        const double time = circuits > 0 ? static_cast<double>(bytes) / circuits
                                         : std::numeric_limits<double>::infinity();
        return circuits == 0 && m_firstCircuit == MOST_PORTS ? std::make_tuple(time, left, bytes)
                                                             : std::make_tuple(time, bytes, left);
    };
    std::vector<std::size_t> open(pairs.size());
    std::iota(open.begin(), open.end(), 0);
    while (!open.empty())
    {
        const auto slowest =
            std::max_element(open.begin(), open.end(), [&getKey](std::size_t i, std::size_t j) {
                return getKey(i) < getKey(j);
            });
        CircuitDemand& pair = pairs[*slowest];
        const auto& [first, second] = pair.ports;
        if (free[first] > 0 && free[second] > 0)
        {
            --free[first];
            --free[second];
            ++pair.circuits;
        }
        else if (m_whenFull == STOP)
        {
            break;
        }
        else
        {
            open.erase(slowest);
        }
    }
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
    GiveCircuits(std::move(free), pairs);
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
