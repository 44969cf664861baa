/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fat-tree-helper.h"

#include "clos-builder.h"
#include "link-graph-builder.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most ports of a switch.
constexpr uint32_t MOST_PORTS = 256;

} // namespace

void
FatTreeHelper::SetNPorts(uint32_t ports)
{
    m_nPorts = ports;
}

uint64_t
FatTreeHelper::GetRoom(uint32_t ports) const
{
    return uint64_t{ports} * ports * ports / 4 * GetOversubscription();
}

uint32_t
FatTreeHelper::GetNPorts(uint32_t nNodes) const
{
    uint32_t ports = m_nPorts;
    if (ports == 0)
    {
        for (ports = 2; GetRoom(ports) < nNodes && ports < MOST_PORTS;)
        {
            ports += 2;
        }
    }
    return ports;
}

std::string
FatTreeHelper::Check(uint32_t nNodes) const
{
    const std::string refusal = DatacenterHelper::Check(nNodes);
    if (!refusal.empty())
    {
        return refusal;
    }
    if (m_nPorts % 2 != 0 || m_nPorts > MOST_PORTS)
    {
        return "A fat tree cannot have switches with " + std::to_string(m_nPorts) +
               " ports: they must have an even number, up to " + std::to_string(MOST_PORTS);
    }
    const uint64_t room = GetRoom(GetNPorts(nNodes));
    if (nNodes > room)
    {
        return "A fat tree of switches with " + std::to_string(GetNPorts(nNodes)) +
               " ports has room for " + std::to_string(room) + " nodes and not for " +
               std::to_string(nNodes);
    }
    return "";
}

uint32_t
FatTreeHelper::GetNLinks() const
{
    return 6;
}

NetDeviceContainer
FatTreeHelper::Build(ClosBuilder& builder, const NodeContainer& nodes) const
{
    const uint32_t ports = GetNPorts(nodes.GetN());
    const uint32_t half = ports / 2;
    const uint32_t perEdge = half * GetOversubscription();
    NetDeviceContainer devices;
    std::vector<Ptr<Node>> cores;
    for (uint32_t core = 0; core < half * half; ++core)
    {
        const uint64_t host = uint64_t{core} * nodes.GetN() / (half * half);
        cores.push_back(builder.AddSwitch(ClosBuilder::GetProcess(nodes, host)));
    }
    for (uint32_t pod = 0; pod < ports; ++pod)
    {
        std::vector<Ptr<Node>> aggregations;
        const uint32_t podHost = pod * half * perEdge;
        for (uint32_t i = 0; i < half; ++i)
        {
            aggregations.push_back(
                builder.AddSwitch(ClosBuilder::GetProcess(nodes, podHost + i * perEdge)));
        }
        for (uint32_t i = 0; i < half; ++i)
        {
            const uint32_t first = podHost + i * perEdge;
            const auto edge = builder.AddSwitch(ClosBuilder::GetProcess(nodes, first));
            const uint32_t end = std::min(first + perEdge, nodes.GetN());
            devices.Add(builder.ConnectHosts(nodes, first, end, edge, GetBandwidth()));
            const uint32_t nDown = ClosBuilder::GetNLinks(edge);
            ClosBuilder::GetRouting(edge)->AddDown(first, 1, nDown, 1);
            ClosBuilder::GetRouting(edge)->SetUp(nDown + 1, half);
            for (const auto& aggregation : aggregations)
            {
                builder.Connect(edge, aggregation, GetBandwidth());
            }
        }
        for (uint32_t i = 0; i < half; ++i)
        {
            ClosBuilder::GetRouting(aggregations[i])->AddDown(podHost, perEdge, half, 1);
            ClosBuilder::GetRouting(aggregations[i])->SetUp(half + 1, half);
            for (uint32_t j = 0; j < half; ++j)
            {
                builder.Connect(aggregations[i], cores[i * half + j], GetBandwidth());
            }
        }
    }
    for (const auto& core : cores)
    {
        ClosBuilder::GetRouting(core)->AddDown(0, half * perEdge, ports, 1);
    }
    return devices;
}

} // namespace lightpath
} // namespace ns3
