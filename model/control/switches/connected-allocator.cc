/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connected-allocator.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(ConnectedAllocator);

TypeId
ConnectedAllocator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::ConnectedAllocator")
                            .SetParent<CircuitSwitchAllocator>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<ConnectedAllocator>();
    return tid;
}

void
ConnectedAllocator::SetAllocator(Ptr<CircuitSwitchAllocator> allocator)
{
    m_allocator = allocator;
}

CircuitAllocation
ConnectedAllocator::DoAllocate(const TrafficMatrix& demand) const
{
    CheckDuplex(false);
    const CircuitSwitchGeometry& all = GetGeometry();
    m_allocator->SetGeometry(all);
    CircuitAllocation decided = m_allocator->Allocate(demand);
    uint32_t ringSwitch = 0;
    std::vector<uint32_t> devices;
    for (uint32_t each = 0; each < all.GetNSwitches(); ++each)
    {
        std::vector<uint32_t> joined = GetDevices(each);
        if (joined.size() > devices.size())
        {
            ringSwitch = each;
            devices.swap(joined);
        }
    }
    if (devices.size() < 2 || IsConnected(decided.plan, devices))
    {
        return decided;
    }
    CircuitSwitchGeometry others = all;
    others.SetFailed("switch:" + std::to_string(ringSwitch), true);
    m_allocator->SetGeometry(others);
    CircuitPlan plan = m_allocator->Allocate(demand).plan;
    for (const auto& [source, destination] : FindRing(demand, devices))
    {
        plan.AddLane(source, destination, {ringSwitch, 0});
    }
    return Assess(std::move(plan), demand, std::numeric_limits<double>::infinity());
}

bool
ConnectedAllocator::IsConnected(const CircuitPlan& plan, const std::vector<uint32_t>& devices) const
{
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(GetNPorts());
    for (const auto& lightpath : plan.GetLightpaths())
    {
        boost::add_edge(lightpath.first.first, lightpath.first.second, graph);
    }
    std::vector<uint32_t> components(GetNPorts());
    boost::strong_components(
        graph,
        boost::make_iterator_property_map(components.begin(),
                                          boost::get(boost::vertex_index, graph)));
    return std::all_of(devices.begin(), devices.end(), [&](uint32_t device) {
        return components[device] == components[devices.front()];
    });
}

std::vector<uint32_t>
ConnectedAllocator::GetDevices(uint32_t circuitSwitch) const
{
    const CircuitSwitchGeometry& geometry = GetGeometry();
    std::vector<uint32_t> devices;
    for (uint32_t device = 0; device < geometry.GetNDevices(); ++device)
    {
        if (geometry.HasInput(circuitSwitch, device) && geometry.HasOutput(circuitSwitch, device))
        {
            devices.push_back(device);
        }
    }
    return devices;
}

std::vector<PortPair>
ConnectedAllocator::FindRing(const TrafficMatrix& demand, const std::vector<uint32_t>& devices)
{
    std::vector<std::tuple<uint64_t, uint32_t, uint32_t>> wanted;
    for (const uint32_t source : devices)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            if (std::binary_search(devices.begin(), devices.end(), destination))
            {
                wanted.emplace_back(bytes, source, destination);
            }
        }
    }
    std::sort(wanted.begin(), wanted.end(), [](const auto& left, const auto& right) {
        return std::get<0>(left) != std::get<0>(right) ? std::get<0>(left) > std::get<0>(right)
                                                       : left < right;
    });
    // Parts of the ring, from the first device of each to the last and back
    std::vector<uint32_t> lasts(devices.back() + 1);
    std::iota(lasts.begin(), lasts.end(), 0);
    std::vector<uint32_t> firsts = lasts;
    std::vector<bool> sends(lasts.size(), false);
    std::vector<bool> receives(lasts.size(), false);
    std::vector<PortPair> ring;
    const auto join = [&](uint32_t source, uint32_t destination) {
        const uint32_t first = firsts[source];
        const uint32_t last = lasts[destination];
        lasts[first] = last;
        firsts[last] = first;
        sends[source] = true;
        receives[destination] = true;
        ring.emplace_back(source, destination);
    };
    for (const auto& [bytes, source, destination] : wanted)
    {
        if (!sends[source] && !receives[destination] && firsts[source] != destination)
        {
            join(source, destination);
        }
    }
    // The part that begins with a device goes on with the one that begins with the next
    const uint32_t first = *std::find_if(devices.begin(), devices.end(), [&](uint32_t device) {
        return !receives[device];
    });
    for (const uint32_t device : devices)
    {
        if (device != first && !receives[device])
        {
            join(lasts[first], device);
        }
    }
    ring.emplace_back(lasts[first], first);
    return ring;
}

} // namespace lightpath
} // namespace ns3
