/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topo-opt-helper.h"

#include "model/control/graph/topology-finder.h"

#include "ns3/link-graph-channel.h"
#include "ns3/optical-switch.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

TopoOptHelper::TopoOptHelper()
    : LinkGraphHelper(TOPOOPT)
{
}

void
TopoOptHelper::SetDegree(uint32_t degree)
{
    m_degree = degree;
}

uint32_t
TopoOptHelper::GetDegree() const
{
    return m_degree;
}

void
TopoOptHelper::SetSwitchingDelay(Time delay)
{
    m_switchingDelay = delay;
}

DataRate
TopoOptHelper::GetLinkRate() const
{
    return DataRate(GetBandwidth().GetBitRate() / m_degree);
}

LinkGraph
TopoOptHelper::GetGraph(uint32_t nNodes) const
{
    return TopologyFinder(m_degree, GetLinkRate(), GetDelay()).FindForAll(nNodes).graph;
}

std::string
TopoOptHelper::Check(uint32_t nNodes) const
{
    if (m_degree == 0 || m_degree > GetBandwidth().GetBitRate())
    {
        return "A node of " + std::to_string(GetBandwidth().GetBitRate()) + " bit/s cannot have " +
               std::to_string(m_degree) +
               " links: it needs at least 1, and each of them at least 1 bit/s";
    }
    if (m_switchingDelay.IsStrictlyNegative())
    {
        return "Links cannot be dark for " + std::to_string(m_switchingDelay.GetSeconds()) +
               " s: 0 is the least";
    }
    return LinkGraphHelper::Check(nNodes);
}

std::string
TopoOptHelper::CheckComponent(const std::string& component, uint32_t nNodes) const
{
    // A job may set a link between any two nodes
    return LinkGraph::CreateMesh(nNodes, GetLinkRate(), GetDelay()).CheckComponent(component);
}

} // namespace lightpath
} // namespace ns3
