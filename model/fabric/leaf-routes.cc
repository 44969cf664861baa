/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "leaf-routes.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

bool
LeafRoutes::Suits(const LinkGraph& graph)
{
    const uint32_t nPorts = graph.GetNPorts();
    std::vector<uint32_t> up(nPorts, NONE);
    std::vector<uint32_t> down(nPorts, NONE);
    bool isSingle = !graph.PortsForward();
    for (const auto& link : graph.GetLinks())
    {
        if (link.from < nPorts)
        {
            isSingle = isSingle && up[link.from] == NONE && link.to >= nPorts;
            up[link.from] = link.to;
        }
        if (link.to < nPorts)
        {
            isSingle = isSingle && down[link.to] == NONE && link.from >= nPorts;
            down[link.to] = link.from;
        }
    }
    return isSingle && up == down && std::find(up.begin(), up.end(), NONE) == up.end();
}

LeafRoutes::LeafRoutes(const LinkGraph& graph)
    : m_graph(graph),
      m_ports(FindPorts(graph)),
      m_reduced(Reduce(graph, m_ports)),
      m_routes(m_reduced)
{
    // Links between switches keep their order; those of ports are not looked up
    std::vector<uint32_t> between;
    const auto& links = graph.GetLinks();
    for (uint32_t link = 0; link < links.size(); ++link)
    {
        if (std::min(links[link].from, links[link].to) >= graph.GetNPorts())
        {
            between.push_back(link);
        }
    }
    auto next = between.begin();
    for (const auto& link : m_reduced.GetLinks())
    {
        const bool isBetween = std::min(link.from, link.to) >= m_reduced.GetNPorts();
        m_links.push_back(isBetween ? *next++ : NONE);
    }
}

std::vector<LeafRoutes::Port>
LeafRoutes::FindPorts(const LinkGraph& graph)
{
    NS_ASSERT_MSG(Suits(graph), "each port has one switch");
    const uint32_t nPorts = graph.GetNPorts();
    std::vector<Port> ports(nPorts);
    std::vector<uint32_t> leaves(graph.GetNNodes(), NONE);
    uint32_t nLeaves = 0;
    const auto& links = graph.GetLinks();
    for (uint32_t link = 0; link < links.size(); ++link)
    {
        if (links[link].from < nPorts)
        {
            ports[links[link].from].up = link;
        }
        if (links[link].to < nPorts)
        {
            ports[links[link].to].down = link;
        }
    }
    for (Port& port : ports)
    {
        uint32_t& leaf = leaves[links[port.up].to];
        leaf = leaf == NONE ? nLeaves++ : leaf;
        port.leaf = leaf;
    }
    return ports;
}

LinkGraph
LeafRoutes::Reduce(const LinkGraph& graph, const std::vector<Port>& ports)
{
    std::vector<uint32_t> first;
    for (uint32_t port = 0; port < ports.size(); ++port)
    {
        // Switches are numbered in the order of their first ports
        if (ports[port].leaf == first.size())
        {
            first.push_back(port);
        }
    }
    return graph.Keep(first);
}

const LeafRoutes::Way&
LeafRoutes::GetWay(uint32_t source, uint32_t destination)
{
    const uint32_t from = m_ports[source].leaf;
    const uint32_t to = m_ports[destination].leaf;
    const auto [found, isNew] = m_ways.try_emplace(uint64_t{from} << 32 | to);
    Way& way = found->second;
    if (!isNew)
    {
        return way;
    }
    if (from == to)
    {
        way.exists = true;
        return way;
    }
    LinkRoutes::Uses uses;
    way.delay = m_routes.Spray(from, to, uses);
    way.exists = !uses.empty();
    for (const auto& use : uses)
    {
        if (m_links[use.link] == NONE)
        {
            way.delay -= m_reduced.GetLinks()[use.link].delay;
        }
        else
        {
            way.uses.push_back({m_links[use.link], use.part});
        }
    }
    return way;
}

Time
LeafRoutes::GetDelay(uint32_t source, uint32_t destination)
{
    return GetUp(source).delay + GetWay(source, destination).delay + GetDown(destination).delay;
}

const LinkGraph::Link&
LeafRoutes::GetUp(uint32_t port) const
{
    return m_graph.GetLinks()[m_ports[port].up];
}

const LinkGraph::Link&
LeafRoutes::GetDown(uint32_t port) const
{
    return m_graph.GetLinks()[m_ports[port].down];
}

} // namespace lightpath
} // namespace ns3
