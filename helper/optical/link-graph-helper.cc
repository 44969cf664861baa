/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-graph-helper.h"

#include "link-graph-builder.h"
#include "model/base/json-document.h"
#include "model/fabric/link-routes.h"
#include "refusal.h"

#include "ns3/abort.h"
#include "ns3/enum.h"
#include "ns3/link-graph-channel.h"
#include "ns3/string.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most ports of a switch of a fat tree.
constexpr uint32_t MOST_SWITCH_PORTS = 256;

/// The names of the kinds, as for InterconnectHelper::Create().
const char* const KIND_NAMES[] = {"leaf-spine-flows",
                                  "fat-tree-flows",
                                  "rail-optimised",
                                  "rail-only",
                                  "dragonfly",
                                  "topoopt",
                                  "torus",
                                  "link-graph"};

} // namespace

LinkGraphHelper::LinkGraphHelper(Kind kind)
    : FabricHelper("ns3::lightpath::LinkGraphChannel", DataRate("400Gbps")),
      m_kind(kind),
      m_delay(NanoSeconds(500))
{
    SetRouting("spray");
}

void
LinkGraphHelper::SetNodesPerLeaf(uint32_t nodes)
{
    m_nodesPerLeaf = nodes;
}

void
LinkGraphHelper::SetOversubscription(uint32_t factor)
{
    m_oversubscription = factor;
}

void
LinkGraphHelper::SetNPorts(uint32_t ports)
{
    m_nPorts = ports;
}

void
LinkGraphHelper::SetRails(uint32_t rails)
{
    m_rails = rails;
}

void
LinkGraphHelper::SetDelay(Time delay)
{
    m_delay = delay;
}

void
LinkGraphHelper::SetRouting(const std::string& name)
{
    std::vector<std::string> names;
    for (const auto& each : LinkGraphChannel::GetRoutings())
    {
        names.push_back(each.name);
        if (each.name == name)
        {
            SetChannelAttribute("Routing", EnumValue(each.value));
            return;
        }
    }
    NS_ABORT_MSG(CheckKnown("routing", name, names));
}

void
LinkGraphHelper::SetGraph(const LinkGraph& graph)
{
    m_graph = graph;
}

void
LinkGraphHelper::ReadGraph(const std::string& name)
{
    std::ifstream file = JsonDocument::Open(name);
    m_graph = LinkGraphBuilder::Read(file, name);
}

bool
LinkGraphHelper::HasRails() const
{
    return m_kind == RAIL_OPTIMISED || m_kind == RAIL_ONLY;
}

bool
LinkGraphHelper::LacksGraph() const
{
    return m_kind == CUSTOM && !m_graph;
}

bool
LinkGraphHelper::HasLeaves() const
{
    return m_kind == LEAF_SPINE || m_kind == FAT_TREE || m_kind == RAIL_OPTIMISED;
}

uint32_t
LinkGraphHelper::GetNodesPerLeaf() const
{
    const uint32_t usual = m_kind == RAIL_OPTIMISED ? 32 : m_kind == DRAGONFLY ? 4 : FillServers(8);
    return m_nodesPerLeaf > 0 ? m_nodesPerLeaf : usual;
}

uint32_t
LinkGraphHelper::GetRails() const
{
    constexpr uint32_t usual = 8;
    return m_rails > 0 ? m_rails : GetServerNodes() > 1 ? GetServerNodes() : usual;
}

uint32_t
LinkGraphHelper::GetFill(uint32_t nNodes) const
{
    const uint32_t perLeaf = GetNodesPerLeaf();
    const uint32_t ofRail = LinkGraphBuilder::DivideUp(nNodes, GetRails());
    const uint32_t leaves = LinkGraphBuilder::DivideUp(ofRail, perLeaf);
    return m_kind == RAIL_OPTIMISED ? LinkGraphBuilder::DivideUp(ofRail, leaves) : perLeaf;
}

uint32_t
LinkGraphHelper::GetNSpines(uint32_t nNodes) const
{
    return LinkGraphBuilder::DivideUp(GetFill(nNodes), m_oversubscription);
}

Attach
LinkGraphHelper::GetUsualAttach(uint32_t gpus, uint32_t cards) const
{
    const bool hasSwitches = m_kind != TOPOOPT && m_kind != TORUS;
    const Attach usual = FabricHelper::GetUsualAttach(gpus, cards);
    return hasSwitches && usual == Attach::RAIL ? Attach::GPU : usual;
}

uint32_t
LinkGraphHelper::GetNPorts(uint32_t nNodes) const
{
    uint32_t ports = m_nPorts > 0 ? m_nPorts : 2;
    // A fat tree of k ports has k pods of k / 2 switches with nodes
    while (m_nPorts == 0 && ports < MOST_SWITCH_PORTS &&
           uint64_t{ports} * ports * ports / 4 * m_oversubscription < nNodes)
    {
        ports += 2;
    }
    return ports;
}

void
LinkGraphHelper::StandForAll(const FabricHelper& whole,
                             uint32_t ports,
                             const std::vector<uint32_t>& kept)
{
    m_kept = dynamic_cast<const LinkGraphHelper&>(whole).GetGraph(ports).Keep(kept);
}

std::string
LinkGraphHelper::Check(uint32_t nNodes) const
{
    if (GetBandwidth().GetBitRate() == 0)
    {
        return "The bandwidth of a network of links must not be zero";
    }
    if (m_delay.IsStrictlyNegative())
    {
        return "A link cannot have a delay of " + std::to_string(m_delay.GetSeconds()) +
               " s: it must be 0 or more";
    }
    if (m_oversubscription == 0)
    {
        return "An oversubscription of 0 would leave no links to nodes: 1 is the least";
    }
    const uint32_t perLeaf = GetNodesPerLeaf();
    if (HasLeaves() && m_kind != FAT_TREE && perLeaf % m_oversubscription != 0)
    {
        return "A leaf switch with " + std::to_string(perLeaf) +
               " nodes cannot have an oversubscription of " + std::to_string(m_oversubscription) +
               ": it must divide the number of nodes, so that the links up are a whole number";
    }
    if (m_kind == FAT_TREE && (m_nPorts % 2 != 0 || m_nPorts > MOST_SWITCH_PORTS))
    {
        return "A fat tree cannot have switches with " + std::to_string(m_nPorts) +
               " ports: they must have an even number, up to " + std::to_string(MOST_SWITCH_PORTS);
    }
    const uint64_t ports = GetNPorts(nNodes);
    const uint64_t perGroup = uint64_t{2} * perLeaf * perLeaf;
    const uint64_t room = m_kind == FAT_TREE    ? ports * ports * ports / 4 * m_oversubscription
                          : m_kind == DRAGONFLY ? perGroup * (perGroup + 1)
                                                : UINT64_MAX;
    if (nNodes > room)
    {
        return "A " +
               (m_kind == FAT_TREE
                    ? "fat tree of switches with " + std::to_string(ports) + " ports"
                    : "dragonfly of routers with " + std::to_string(perLeaf) + " nodes") +
               " has room for " + std::to_string(room) + " nodes and not for " +
               std::to_string(nNodes);
    }
    if (m_kind == CUSTOM && m_graph && m_graph->GetNPorts() != nNodes)
    {
        return "The network has " + std::to_string(m_graph->GetNPorts()) + " ports, and not " +
               std::to_string(nNodes) + ": it must have one for each node";
    }
    return "";
}

Time
LinkGraphHelper::GetDelay() const
{
    return m_delay;
}

Time
LinkGraphHelper::GetMessageDelay() const
{
    return GetSetting<TimeValue>("Delay");
}

LinkGraph
LinkGraphHelper::GetGraph(uint32_t nNodes) const
{
    const LinkGraphBuilder builder(GetBandwidth(), m_delay);
    const uint32_t perLeaf = GetNodesPerLeaf();
    const uint32_t nPorts = GetNPorts(nNodes);
    const uint32_t fill = GetFill(nNodes);
    const uint32_t nSpines = GetNSpines(nNodes);
    switch (m_kind)
    {
    case LEAF_SPINE:
        return builder.MakeLeaves(nNodes, 1, fill, nSpines);
    case RAIL_OPTIMISED:
        return builder.MakeLeaves(nNodes, GetRails(), fill, nSpines);
    case RAIL_ONLY:
        return builder.MakeLeaves(nNodes, GetRails(), nNodes, 0);
    case FAT_TREE:
        return builder.MakeFatTree(nNodes, nPorts, nPorts / 2 * m_oversubscription);
    case DRAGONFLY:
        return builder.MakeDragonfly(nNodes, perLeaf);
    default:
        return m_graph ? *m_graph : builder.MakeLeaves(nNodes, 1, nNodes, 0);
    }
}

std::string
LinkGraphHelper::CheckComponent(const std::string& component, uint32_t nNodes) const
{
    return GetGraph(nNodes).CheckComponent(component);
}

LinkGraphHelper::Leaves
LinkGraphHelper::GetLeaves(uint32_t nNodes) const
{
    const uint32_t half = GetNPorts(nNodes) / 2;
    switch (m_kind)
    {
    case FAT_TREE:
        return {half * m_oversubscription, 1, half};
    case DRAGONFLY: {
        const LinkGraphBuilder::Dragonfly dragonfly(nNodes, GetNodesPerLeaf());
        return {dragonfly.routers * GetNodesPerLeaf(),
                1,
                dragonfly.parallel * (dragonfly.groups - 1)};
    }
    default:
        return {GetFill(nNodes), m_kind == RAIL_OPTIMISED ? GetRails() : 1, GetNSpines(nNodes)};
    }
}

std::vector<FabricHelper::DerivedAttribute>
LinkGraphHelper::GetDerived() const
{
    return {{"FabricName", "the kind of network", ns3::Create<StringValue>(KIND_NAMES[m_kind])}};
}

void
LinkGraphHelper::ConfigureAttached(Ptr<FabricChannel> channel) const
{
    const auto nNodes = static_cast<uint32_t>(channel->GetNDevices());
    DynamicCast<LinkGraphChannel>(channel)->SetGraph(m_kept ? *m_kept : GetGraph(nNodes));
}

} // namespace lightpath
} // namespace ns3
