/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-switch-max-min-allocator.h"

#include "circuit-placement.h"
#include "circuit-switch-ports.h"
#include "model/control/fair-share.h"

#include "ns3/boolean.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(CircuitSwitchMaxMinAllocator);

namespace
{

/// Shares above the first one that could not be placed that are tried all the same.
constexpr uint32_t SCAN = 1;

/**
 * @param pairs pairs
 * @return their demands
 */
std::vector<uint64_t>
GetBytes(const std::vector<CircuitDemand>& pairs)
{
    std::vector<uint64_t> bytes;
    bytes.reserve(pairs.size());
    for (const CircuitDemand& pair : pairs)
    {
        bytes.push_back(pair.bytes);
    }
    return bytes;
}

} // namespace

TypeId
CircuitSwitchMaxMinAllocator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::CircuitSwitchMaxMinAllocator")
            .SetParent<CircuitSwitchAllocator>()
            .SetGroupName("Lightpath")
            .AddConstructor<CircuitSwitchMaxMinAllocator>()
            .AddAttribute("FillLeftover",
                          "Give remaining ports to the demanded pairs with the smallest share.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&CircuitSwitchMaxMinAllocator::m_fillLeftover),
                          MakeBooleanChecker());
    return tid;
}

CircuitAllocation
CircuitSwitchMaxMinAllocator::DoAllocate(const TrafficMatrix& demand) const
{
    CheckDuplex(false);
    const CircuitSwitchPorts ports(GetGeometry());
    std::vector<CircuitDemand> pairs = CircuitDemand::List(demand);
    const std::optional<FairShare> limit = FindBound(ports, pairs);
    CircuitPlacement placement(ports);
    if (!limit || !ShareOut(ports, pairs, placement))
    {
        pairs = SelectPairs(ports, pairs, placement);
        std::vector<CircuitDemand> more = pairs;
        CircuitPlacement better(ports);
        if (ShareOut(ports, more, better))
        {
            pairs = std::move(more);
            placement = std::move(better);
        }
    }
    if (m_fillLeftover)
    {
        placement.Fill(pairs);
    }
    CircuitAllocation result = Assess(placement.GetPlan(), demand, 0);
    if (limit)
    {
        const auto most = static_cast<double>(demand.GetMax());
        result.bound = limit->lanes * most / static_cast<double>(limit->bytes);
    }
    if (ports.GetGroups().size() <= 1 || result.bound < result.fairness)
    {
        result.bound = result.fairness;
    }
    return result;
}

std::vector<CircuitDemand>
CircuitSwitchMaxMinAllocator::SelectPairs(const CircuitSwitchPorts& ports,
                                          const std::vector<CircuitDemand>& pairs,
                                          CircuitPlacement& placement)
{
    std::vector<CircuitDemand> sorted = pairs;
    std::stable_sort(
        sorted.begin(),
        sorted.end(),
        [](const CircuitDemand& a, const CircuitDemand& b) { return a.bytes > b.bytes; });
    placement = CircuitPlacement(ports);
    std::vector<CircuitDemand> served;
    for (const CircuitDemand& pair : sorted)
    {
        if (placement.Add(pair.ports))
        {
            served.push_back({pair.ports, pair.bytes, 1});
        }
    }
    std::sort(served.begin(), served.end(), [](const CircuitDemand& a, const CircuitDemand& b) {
        return a.ports < b.ports;
    });
    return served;
}

std::optional<FairShare>
CircuitSwitchMaxMinAllocator::FindBound(const CircuitSwitchPorts& ports,
                                        const std::vector<CircuitDemand>& pairs)
{
    if (pairs.empty())
    {
        return std::nullopt;
    }
    std::vector<uint32_t> joining;
    joining.reserve(pairs.size());
    for (const CircuitDemand& pair : pairs)
    {
        joining.push_back(ports.CountJoining(pair.ports.first, pair.ports.second));
    }
    std::vector<uint64_t> sent;
    std::vector<uint64_t> received;
    const auto fits = [&](const FairShare& share) {
        sent.assign(ports.GetNDevices(), 0);
        received.assign(ports.GetNDevices(), 0);
        for (std::size_t i = 0; i < pairs.size(); ++i)
        {
            const auto [source, destination] = pairs[i].ports;
            const uint64_t need = share.GetNeed(pairs[i].bytes);
            if (need > joining[i] || (sent[source] += need) > ports.GetInputs()[source] ||
                (received[destination] += need) > ports.GetOutputs()[destination])
            {
                return false;
            }
        }
        return true;
    };
    const std::vector<uint64_t> bytes = GetBytes(pairs);
    const uint64_t most = *std::max_element(bytes.begin(), bytes.end());
    return FairShareSearch(bytes).FindLargest({ports.GetNSwitches(), most}, fits, 0);
}

bool
CircuitSwitchMaxMinAllocator::ShareOut(const CircuitSwitchPorts& ports,
                                       std::vector<CircuitDemand>& pairs,
                                       CircuitPlacement& placement)
{
    std::optional<FairShare> share = FindBound(ports, pairs);
    const auto place = [&ports, &pairs, &placement](const FairShare& wanted) {
        placement = CircuitPlacement(ports);
        for (CircuitDemand& pair : pairs)
        {
            pair.circuits = static_cast<uint32_t>(wanted.GetNeed(pair.bytes));
        }
        return placement.Place(pairs);
    };
    if (share && !place(*share))
    {
        share = FairShareSearch(GetBytes(pairs)).FindLargest(*share, place, SCAN);
        if (share)
        {
            place(*share);
        }
    }
    return share.has_value();
}

} // namespace lightpath
} // namespace ns3
