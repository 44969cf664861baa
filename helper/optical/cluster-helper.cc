/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-helper.h"

#include "clos-builder.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace lightpath
{

ClusterHelper::ClusterHelper()
    : m_serverRate("2400Gbps")
{
    SetNodesPerLeaf(4 * m_serverSize);
}

void
ClusterHelper::SetServers(uint32_t size, DataRate rate)
{
    m_serverSize = size;
    m_serverRate = rate;
}

DataRate
ClusterHelper::GetServerRate() const
{
    return m_serverRate;
}

std::string
ClusterHelper::Check(uint32_t nNodes) const
{
    const std::string refusal = LeafSpineHelper::Check(nNodes);
    if (!refusal.empty())
    {
        return refusal;
    }
    if (m_serverSize == 0 || m_serverRate.GetBitRate() == 0)
    {
        return "There are no servers of " + std::to_string(m_serverSize) + " GPUs with a rate of " +
               std::to_string(m_serverRate.GetBitRate()) +
               " bit/s inside: a server has 1 GPU at least and a rate above 0";
    }
    if (GetNodesPerLeaf() % m_serverSize != 0)
    {
        return "A leaf switch with " + std::to_string(GetNodesPerLeaf()) +
               " network cards has no room for whole servers of " + std::to_string(m_serverSize) +
               ": give it a multiple of that";
    }
    return "";
}

NetDeviceContainer
ClusterHelper::Build(ClosBuilder& builder, const NodeContainer& nodes) const
{
    NetDeviceContainer devices = LeafSpineHelper::Build(builder, nodes);
    for (uint32_t first = 0; first < nodes.GetN() && m_serverSize > 1; first += m_serverSize)
    {
        const auto inside = builder.AddSwitch(ClosBuilder::GetProcess(nodes, first));
        const uint32_t end = std::min(first + m_serverSize, nodes.GetN());
        for (uint32_t host = first; host < end; ++host)
        {
            builder.Connect(nodes.Get(host), inside, m_serverRate);
            ClosBuilder::GetRouting(nodes.Get(host))
                ->AddDown(first, end - first, 1, ClosBuilder::GetNLinks(nodes.Get(host)));
        }
        ClosBuilder::GetRouting(inside)->AddDown(first, 1, end - first, 1);
    }
    return devices;
}

} // namespace lightpath
} // namespace ns3
