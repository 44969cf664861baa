/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "leaf-spine-helper.h"

#include "clos-builder.h"
#include "link-graph-builder.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

void
LeafSpineHelper::SetNodesPerLeaf(uint32_t nodes)
{
    m_nodesPerLeaf = nodes;
}

uint32_t
LeafSpineHelper::GetNodesPerLeaf() const
{
    constexpr uint32_t usual = 8;
    return m_nodesPerLeaf > 0 ? m_nodesPerLeaf : FillServers(usual);
}

std::string
LeafSpineHelper::Check(uint32_t nNodes) const
{
    const std::string refusal = DatacenterHelper::Check(nNodes);
    if (!refusal.empty())
    {
        return refusal;
    }
    if (GetNodesPerLeaf() % GetOversubscription() != 0)
    {
        return "A leaf switch with " + std::to_string(GetNodesPerLeaf()) +
               " nodes cannot have an oversubscription of " +
               std::to_string(GetOversubscription()) +
               ": it must divide the number of nodes, so that the links up are a whole number";
    }
    return "";
}

uint32_t
LeafSpineHelper::GetNLinks() const
{
    return 4;
}

NetDeviceContainer
LeafSpineHelper::Build(ClosBuilder& builder, const NodeContainer& nodes) const
{
    const uint32_t perLeaf = GetNodesPerLeaf();
    const uint32_t nLeaves = (nodes.GetN() + perLeaf - 1) / perLeaf;
    std::vector<Ptr<Node>> spines;
    const uint32_t nSpines = perLeaf / GetOversubscription();
    for (uint32_t i = 0; i < nSpines; ++i)
    {
        const uint64_t host = uint64_t{i} * nodes.GetN() / nSpines;
        spines.push_back(builder.AddSwitch(ClosBuilder::GetProcess(nodes, host)));
    }
    NetDeviceContainer devices;
    for (uint32_t i = 0; i < nLeaves; ++i)
    {
        const uint32_t first = i * perLeaf;
        const auto leaf = builder.AddSwitch(ClosBuilder::GetProcess(nodes, first));
        const uint32_t end = std::min(first + perLeaf, nodes.GetN());
        devices.Add(builder.ConnectHosts(nodes, first, end, leaf, GetBandwidth()));
        ClosBuilder::GetRouting(leaf)->AddDown(first, 1, end - first, 1);
        ClosBuilder::GetRouting(leaf)->SetUp(end - first + 1, static_cast<uint32_t>(spines.size()));
        for (const auto& spine : spines)
        {
            builder.Connect(leaf, spine, GetBandwidth());
        }
    }
    for (const auto& spine : spines)
    {
        ClosBuilder::GetRouting(spine)->AddDown(0, perLeaf, nLeaves, 1);
    }
    return devices;
}

} // namespace lightpath
} // namespace ns3
