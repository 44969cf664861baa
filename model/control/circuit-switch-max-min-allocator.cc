/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-switch-max-min-allocator.h"

#include "bipartite-edge-colouring.h"
#include "fair-share.h"

#include "ns3/boolean.h"

#include <algorithm>
#include <queue>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(CircuitSwitchMaxMinAllocator);

TypeId
CircuitSwitchMaxMinAllocator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::CircuitSwitchMaxMinAllocator")
            .SetParent<CircuitSwitchAllocator>()
            .SetGroupName("Lightpath")
            .AddConstructor<CircuitSwitchMaxMinAllocator>()
            .AddAttribute("FillLeftover",
                          "Give the ports that the max-min leaves over to the demanded pairs with "
                          "the smallest share.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&CircuitSwitchMaxMinAllocator::m_fillLeftover),
                          MakeBooleanChecker());
    return tid;
}

CircuitAllocation
CircuitSwitchMaxMinAllocator::DoAllocate(const TrafficMatrix& demand) const
{
    std::vector<Pair> pairs = SelectPairs(demand);
    ShareOut(pairs);
    if (m_fillLeftover)
    {
        FillUp(pairs);
    }
    CircuitAllocation result = Assess(MakePlan(pairs), demand, 0);
    // Either the share is the largest, or a port has too many peers for any plan to serve all
    result.bound = result.fairness;
    return result;
}

std::vector<CircuitSwitchMaxMinAllocator::Pair>
CircuitSwitchMaxMinAllocator::SelectPairs(const TrafficMatrix& demand) const
{
    std::vector<Pair> pairs;
    for (uint32_t source = 0; source < GetNPorts(); ++source)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            pairs.push_back({{source, destination}, bytes, 0});
        }
    }
    if (demand.GetDegree() <= GetGeometry().GetNSwitches())
    {
        return pairs;
    }
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
        return a.bytes > b.bytes;
    });
    std::vector<uint32_t> sent(GetNPorts(), 0);
    std::vector<uint32_t> received(GetNPorts(), 0);
    std::vector<Pair> served;
    for (const Pair& pair : pairs)
    {
        if (sent[pair.ports.first] < GetGeometry().GetNSwitches() &&
            received[pair.ports.second] < GetGeometry().GetNSwitches())
        {
            ++sent[pair.ports.first];
            ++received[pair.ports.second];
            served.push_back(pair);
        }
    }
    std::sort(served.begin(), served.end(), [](const Pair& a, const Pair& b) {
        return a.ports < b.ports;
    });
    return served;
}

void
CircuitSwitchMaxMinAllocator::ShareOut(std::vector<Pair>& pairs) const
{
    if (pairs.empty())
    {
        return;
    }
    std::vector<uint64_t> demands;
    for (const Pair& pair : pairs)
    {
        demands.push_back(pair.bytes);
    }
    const uint64_t most = *std::max_element(demands.begin(), demands.end());
    std::vector<uint64_t> sent;
    std::vector<uint64_t> received;
    const auto fits = [this, &pairs, &sent, &received](const FairShare& share) {
        sent.assign(GetNPorts(), 0);
        received.assign(GetNPorts(), 0);
        for (const Pair& pair : pairs)
        {
            const uint64_t need = share.GetNeed(pair.bytes);
            if ((sent[pair.ports.first] += need) > GetGeometry().GetNSwitches() ||
                (received[pair.ports.second] += need) > GetGeometry().GetNSwitches())
            {
                return false;
            }
        }
        return true;
    };
    const auto share =
        FairShareSearch(demands).FindLargest({GetGeometry().GetNSwitches(), most}, fits, 0);
    for (Pair& pair : pairs)
    {
        pair.circuits = static_cast<uint32_t>(share->GetNeed(pair.bytes));
    }
}

void
CircuitSwitchMaxMinAllocator::FillUp(std::vector<Pair>& pairs) const
{
    std::vector<uint32_t> sent(GetNPorts(), 0);
    std::vector<uint32_t> received(GetNPorts(), 0);
    const auto after = [&pairs](std::size_t a, std::size_t b) {
        const FairShare ofA{pairs[a].circuits, pairs[a].bytes};
        const FairShare ofB{pairs[b].circuits, pairs[b].bytes};
        return ofB < ofA || (!(ofA < ofB) && b < a);
    };
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(after)> poorest(after);
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        sent[pairs[i].ports.first] += pairs[i].circuits;
        received[pairs[i].ports.second] += pairs[i].circuits;
        poorest.push(i);
    }
    while (!poorest.empty())
    {
        const std::size_t i = poorest.top();
        poorest.pop();
        Pair& pair = pairs[i];
        if (sent[pair.ports.first] < GetGeometry().GetNSwitches() &&
            received[pair.ports.second] < GetGeometry().GetNSwitches())
        {
            ++sent[pair.ports.first];
            ++received[pair.ports.second];
            ++pair.circuits;
            poorest.push(i);
        }
    }
}

CircuitPlan
CircuitSwitchMaxMinAllocator::MakePlan(const std::vector<Pair>& pairs) const
{
    BipartiteEdgeColouring colouring(GetNPorts(), GetGeometry().GetNSwitches());
    for (const Pair& pair : pairs)
    {
        for (uint32_t circuit = 0; circuit < pair.circuits; ++circuit)
        {
            colouring.Add(pair.ports.first, pair.ports.second);
        }
    }
    CircuitPlan plan;
    for (uint32_t source = 0; source < GetNPorts(); ++source)
    {
        for (uint32_t index = 0; index < GetGeometry().GetNSwitches(); ++index)
        {
            const uint32_t destination = colouring.GetRight(source, index);
            if (destination != BipartiteEdgeColouring::NONE)
            {
                plan.AddLane(source, destination, {index, 0});
            }
        }
    }
    return plan;
}

} // namespace lightpath
} // namespace ns3
