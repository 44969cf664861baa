/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-graph.h"

#include "ns3/assert.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

LinkGraph::LinkGraph(uint32_t nPorts)
    : m_nPorts(nPorts)
{
    for (uint32_t port = 0; port < nPorts; ++port)
    {
        m_names.push_back("gpu-" + std::to_string(port));
        m_nodes.emplace(m_names.back(), port);
    }
}

LinkGraph
LinkGraph::CreateMesh(uint32_t nPorts, DataRate rate, Time delay)
{
    LinkGraph graph(nPorts);
    for (uint32_t a = 0; a < nPorts; ++a)
    {
        for (uint32_t b = a + 1; b < nPorts; ++b)
        {
            graph.Connect(a, b, rate, delay);
        }
    }
    return graph;
}

LinkGraph
LinkGraph::CreateRing(uint32_t nPorts, DataRate rate, Time delay)
{
    LinkGraph graph(nPorts);
    graph.SetPortsForward(true);
    for (uint32_t port = 0; port + 1 < nPorts; ++port)
    {
        graph.Connect(port, port + 1, rate, delay);
    }
    if (nPorts > 2)
    {
        graph.Connect(nPorts - 1, 0, rate, delay);
    }
    return graph;
}

void
LinkGraph::CheckName(const std::string& name) const
{
    // Colons separate the parts of the name of a component
    if (name.empty() || name.find(':') != std::string::npos)
    {
        throw std::invalid_argument("A switch of a network cannot have the name '" + name +
                                    "': a name has one letter at least, and no colon");
    }
    if (m_nodes.count(name) + m_circuitSwitches.count(name) > 0)
    {
        throw std::invalid_argument("A network cannot have two nodes of the name '" + name + "'");
    }
}

void
LinkGraph::AddCircuitSwitch(const std::string& name,
                            const std::vector<std::pair<uint32_t, uint32_t>>& links)
{
    CheckName(name);
    m_circuitSwitches.emplace(name, links);
}

const std::map<std::string, std::vector<std::pair<uint32_t, uint32_t>>>&
LinkGraph::GetCircuitSwitches() const
{
    return m_circuitSwitches;
}

uint32_t
LinkGraph::AddSwitch(const std::string& name)
{
    CheckName(name);
    const uint32_t node = GetNNodes();
    m_nodes.emplace(name, node);
    m_names.push_back(name);
    return node;
}

void
LinkGraph::AddLink(uint32_t from, uint32_t to, DataRate rate, Time delay)
{
    NS_ASSERT_MSG(from < GetNNodes() && to < GetNNodes() && from != to, "a link joins two nodes");
    NS_ASSERT_MSG(rate > DataRate(0) && !delay.IsStrictlyNegative(), "a link has a rate");
    m_links.push_back({from, to, rate, delay});
}

void
LinkGraph::Connect(uint32_t a, uint32_t b, DataRate rate, Time delay)
{
    AddLink(a, b, rate, delay);
    AddLink(b, a, rate, delay);
}

void
LinkGraph::SetPortsForward(bool forwards)
{
    m_portsForward = forwards;
}

bool
LinkGraph::PortsForward() const
{
    return m_portsForward;
}

LinkGraph
LinkGraph::Keep(const std::vector<uint32_t>& ports) const
{
    LinkGraph kept(static_cast<uint32_t>(ports.size()));
    kept.m_whole = std::make_shared<const LinkGraph>(GetWhole());
    constexpr uint32_t none = UINT32_MAX;
    std::vector<uint32_t> numbers(GetNNodes(), none);
    for (uint32_t i = 0; i < ports.size(); ++i)
    {
        NS_ASSERT_MSG(ports[i] < m_nPorts && numbers[ports[i]] == none, "a port is left once");
        numbers[ports[i]] = i;
    }
    for (uint32_t node = m_nPorts; node < GetNNodes(); ++node)
    {
        numbers[node] = kept.AddSwitch(m_names[node]);
    }
    for (const auto& link : m_links)
    {
        if (numbers[link.from] != none && numbers[link.to] != none)
        {
            kept.AddLink(numbers[link.from], numbers[link.to], link.rate, link.delay);
        }
    }
    return kept;
}

const LinkGraph&
LinkGraph::GetWhole() const
{
    return m_whole ? *m_whole : *this;
}

uint32_t
LinkGraph::GetNPorts() const
{
    return m_nPorts;
}

uint32_t
LinkGraph::GetNNodes() const
{
    return static_cast<uint32_t>(m_names.size());
}

const std::string&
LinkGraph::GetName(uint32_t node) const
{
    return m_names[node];
}

uint32_t
LinkGraph::Find(const std::string& name) const
{
    const auto found = m_nodes.find(name);
    return found == m_nodes.end() ? GetNNodes() : found->second;
}

LinkGraph::Component
LinkGraph::FindComponent(const std::string& component) const
{
    const std::size_t colon = component.find(':');
    const std::string kind = component.substr(0, colon);
    if (colon == std::string::npos)
    {
        return {};
    }
    const std::string name = component.substr(colon + 1);
    if (kind == "switch")
    {
        const auto& circuits = m_circuitSwitches;
        if (const auto found = circuits.find(name); found != circuits.end())
        {
            return {component, {}, found->second};
        }
        const uint32_t node = Find(name);
        return node >= GetNPorts() && node < GetNNodes() ? Component{component, {node}, {}}
                                                         : Component();
    }
    const std::size_t second = name.find(':');
    if (kind != "link" || second == std::string::npos)
    {
        return {};
    }
    const uint32_t a = Find(name.substr(0, second));
    const uint32_t b = Find(name.substr(second + 1));
    const auto& links = m_links;
    const bool isJoined = std::any_of(links.begin(), links.end(), [a, b](const auto& link) {
        return (link.from == a && link.to == b) || (link.from == b && link.to == a);
    });
    if (!isJoined)
    {
        return {};
    }
    const auto [first, last] = std::minmax(a, b);
    return {"link:" + GetName(first) + ":" + GetName(last), {}, {{a, b}}};
}

std::string
LinkGraph::CheckComponent(const std::string& component) const
{
    const Component found = FindComponent(component);
    if (!found.nodes.empty() || !found.links.empty())
    {
        return "";
    }
    std::string known;
    const auto& circuits = m_circuitSwitches;
    if (GetNNodes() > GetNPorts() || !circuits.empty())
    {
        known = "switch:NAME, such as switch:" +
                (circuits.empty() ? GetName(GetNPorts()) : circuits.begin()->first) + ", and ";
    }
    known += "link:NAME:NAME";
    if (!m_links.empty())
    {
        const auto& last = m_links.back();
        known += ", such as link:" + GetName(last.from) + ":" + GetName(last.to);
    }
    return "There is no component '" + component + "': the components of this network are " + known;
}

const std::vector<LinkGraph::Link>&
LinkGraph::GetLinks() const
{
    return m_links;
}

} // namespace lightpath
} // namespace ns3
