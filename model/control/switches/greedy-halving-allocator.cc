/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "greedy-halving-allocator.h"

#include "circuit-placement.h"
#include "circuit-switch-ports.h"
#include "concave-circuits.h"
#include "concave-flow.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(GreedyHalvingAllocator);

namespace
{

/**
 * @param a a pair with the circuits that it has
 * @param b another one
 * @return true if a has less demand, halved by each circuit, than b
 */
bool
HasLess(const CircuitDemand& a, const CircuitDemand& b)
{
    const uint32_t more = std::max(a.circuits, b.circuits);
    const uint32_t ofA = a.circuits == more ? more - b.circuits : 0;
    const uint32_t ofB = b.circuits == more ? more - a.circuits : 0;
    if (ofA >= 64 || ofB >= 64)
    {
        return ofA >= 64;
    }
    // For whole x and y, x / 2^k < y if x >> k < y, and x < y / 2^k if x <= (y - 1) >> k
    return ofB > 0 ? a.bytes <= (b.bytes - 1) >> ofB : a.bytes >> ofA < b.bytes;
}

} // namespace

TypeId
GreedyHalvingAllocator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::GreedyHalvingAllocator")
                            .SetParent<CircuitSwitchAllocator>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<GreedyHalvingAllocator>();
    return tid;
}

CircuitAllocation
GreedyHalvingAllocator::DoAllocate(const TrafficMatrix& demand) const
{
    CheckDuplex(false);
    const CircuitSwitchPorts ports(GetGeometry());
    CircuitPlacement placement(ports);
    std::vector<CircuitDemand> pairs = CircuitDemand::List(demand);
    std::vector<ConcavePair> utilities;
    utilities.reserve(pairs.size());
    for (const CircuitDemand& pair : pairs)
    {
        const auto bytes = static_cast<double>(pair.bytes);
        utilities.push_back(ConcavePair::Halve(pair.ports, bytes, ports.GetNSwitches()));
    }
    const auto less = [&pairs](std::size_t a, std::size_t b) {
        return HasLess(pairs[a], pairs[b]) || (!HasLess(pairs[b], pairs[a]) && b < a);
    };
    std::vector<std::size_t> all(pairs.size());
    std::iota(all.begin(), all.end(), 0);
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(less)> largest(
        less,
        std::move(all));
    while (!largest.empty())
    {
        const std::size_t i = largest.top();
        largest.pop();
        if (placement.Add(pairs[i].ports))
        {
            ++pairs[i].circuits;
            largest.push(i);
        }
    }
    const ConcaveCircuits circuits(ports, std::move(utilities));
    return AssessUtility(placement.GetPlan(), demand, circuits);
}

} // namespace lightpath
} // namespace ns3
