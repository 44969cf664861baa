/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-graph-description.h"

#include "model/control/graph/topology-finder.h"
#include "model/fabric/leaf-routes.h"
#include "model/fabric/link-routes.h"
#include "model/plan/plan-demand.h"
#include "model/planner/place/link-chooser.h"
#include "training-helper.h"

#include "ns3/enum.h"
#include "ns3/link-graph-channel.h"
#include "ns3/nstime.h"
#include "ns3/optical-switch.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// A network and its routes.
struct RoutedGraph
{
    /**
     * @param network the network
     */
    explicit RoutedGraph(const LinkGraph& network)
        : graph(network),
          routes(graph)
    {
    }

    LinkGraph graph;                                    //!< The network
    LinkRoutes routes;                                  //!< Its routes
    std::unordered_map<uint64_t, LinkLimits::Way> ways; //!< Those found so far, by both ends
};

/**
 * Set the delays between ports.
 *
 * @param routed a network
 * @param ofMessage the delay of a message besides that of links
 * @param [in,out] limits what planners know of it
 */
void
SetDelays(const std::shared_ptr<RoutedGraph>& routed, Time ofMessage, FabricLimits& limits)
{
    const uint32_t nPorts = routed->graph.GetNPorts();
    Time longest;
    if (LeafRoutes::Suits(routed->graph))
    {
        const auto leaves = std::make_shared<LeafRoutes>(routed->graph);
        Time least = Time::Max();
        for (uint32_t other = 1; other < nPorts; ++other)
        {
            // Nothing may lead from one rail to another
            if (leaves->GetWay(0, other).exists)
            {
                longest = std::max(longest, leaves->GetDelay(0, other));
                least = std::min(least, leaves->GetDelay(0, other));
            }
        }
        // The routes refer to the network
        limits.links.getDelay = [routed, leaves, ofMessage](uint32_t from, uint32_t to) {
            return (leaves->GetDelay(from, to) + ofMessage).GetSeconds();
        };
        limits.links.leastDelay = (std::min(least, longest) + ofMessage).GetSeconds();
    }
    else
    {
        LinkRoutes::Uses uses;
        for (uint32_t other = 1; other < nPorts; ++other)
        {
            longest = std::max(longest, routed->routes.Spray(0, other, uses));
        }
    }
    limits.latency = (longest + ofMessage).GetSeconds();
}

/**
 * @param fabric a network
 * @return true if hashes choose routes
 */
bool
IsHashed(const LinkGraphHelper& fabric)
{
    EnumValue routing(LinkGraphChannel::ECMP);
    fabric.GetSetting("Routing", routing);
    return routing.Get() == LinkGraphChannel::ECMP;
}

/**
 * @param finder finds networks
 * @param degree the links of a node
 * @param plan a plan
 * @return the network that has the split of the plan or, if it has none for these links, one for
 *         each split
 */
std::vector<TopologyFinder::Topology>
FindNetworks(const TopologyFinder& finder, uint32_t degree, const TrainingPlan& plan)
{
    const auto nPorts = static_cast<uint32_t>(plan.programs.size());
    const SummedDemand demand = PlanDemand::Get(plan);
    if (plan.linkSplit.GetTotal() == degree)
    {
        return {finder.Find(nPorts, demand, plan.linkSplit)};
    }
    return finder.FindAll(nPorts, demand);
}

} // namespace

FabricLimits
LinkGraphDescription::GetLimits(uint32_t nNodes) const
{
    RequireValid(nNodes);
    FabricLimits limits;
    const auto routed = std::make_shared<RoutedGraph>(m_fabric.GetGraph(nNodes));
    limits.bitRate = m_fabric.GetBandwidth().GetBitRate();
    limits.isShared = true;
    SetDelays(routed, m_fabric.GetMessageDelay(), limits);
    ConfigureLeaves(nNodes, limits);
    // Flows whose routes are hashed meet on some of the links out of a leaf
    if (m_fabric.GetKind() == LinkGraphHelper::DRAGONFLY ||
        m_fabric.GetKind() == LinkGraphHelper::CUSTOM || IsHashed(m_fabric))
    {
        limits.links = GetLinks(m_fabric, routed->graph);
    }
    if (m_fabric.GetKind() == LinkGraphHelper::RAIL_ONLY ||
        m_fabric.GetKind() == LinkGraphHelper::CUSTOM)
    {
        const std::string remedy = m_fabric.GetKind() == LinkGraphHelper::RAIL_ONLY
                                       ? ": they are on different rails, which nothing joins; use "
                                         "rail-optimised, or a plan that keeps to rails"
                                       : ": no links of the network lead there";
        limits.pathRefusal = [routed, remedy](uint32_t a, uint32_t b) {
            return routed->routes.HasPath(a, b)
                       ? std::string()
                       : "GPU " + std::to_string(a) + " cannot send to GPU " + std::to_string(b) +
                             remedy;
        };
    }
    return limits;
}

LinkLimits
LinkGraphDescription::GetLinks(const LinkGraphHelper& fabric, const LinkGraph& graph)
{
    const bool isHashed = IsHashed(fabric);
    const uint32_t nPaths = fabric.GetCountSetting("Paths");
    const uint32_t seed = fabric.GetCountSetting("HashSeed");
    const Time ofMessage = fabric.GetMessageDelay();
    const auto routed = std::make_shared<RoutedGraph>(graph);
    LinkLimits limits;
    limits.isHashed = isHashed;
    for (const auto& link : routed->graph.GetLinks())
    {
        limits.bitRates.push_back(static_cast<double>(link.rate.GetBitRate()));
    }
    limits.getWay = [=](uint32_t from, uint32_t to) -> const auto& {
        const auto [found, isNew] = routed->ways.try_emplace(uint64_t{from} << 32 | to);
        if (isNew)
        {
            LinkRoutes::Uses uses;
            const Time delay = isHashed ? routed->routes.Hash(from, to, seed, nPaths, uses)
                                        : routed->routes.Spray(from, to, uses);
            found->second.delay = (delay + ofMessage).GetSeconds();
            for (const auto& use : uses)
            {
                found->second.parts.emplace_back(use.link, 1.0 * use.part / LinkSharing::WHOLE);
            }
        }
        return found->second;
    };
    return limits;
}

FabricLimits
LinkGraphDescription::GetDirectLimits(uint32_t nNodes) const
{
    RequireValid(nNodes);
    FabricLimits limits;
    limits.bitRate = static_cast<double>(m_fabric.GetBandwidth().GetBitRate());
    limits.isShared = true;
    limits.latency = (m_fabric.GetDelay() + m_fabric.GetMessageDelay()).GetSeconds();
    limits.links = GetLinks(m_fabric, m_fabric.GetGraph(nNodes));
    return limits;
}

BillOfMaterials
LinkGraphDescription::GetBill(uint32_t nNodes) const
{
    RequireValid(nNodes);
    return GetBill(m_fabric.GetGraph(nNodes));
}

BillOfMaterials
LinkGraphDescription::GetBill(const LinkGraph& graph)
{
    BillOfMaterials bill;
    // Ports of each switch by their rate
    std::map<std::pair<uint32_t, DataRate>, uint32_t> ports;
    for (const auto& link : graph.GetLinks())
    {
        if (link.from < graph.GetNPorts())
        {
            bill.AddCards(1, static_cast<double>(link.rate.GetBitRate()));
        }
        else
        {
            ++ports[{link.from, link.rate}];
        }
    }
    for (const auto& [port, count] : ports)
    {
        const auto bitRate = static_cast<double>(port.second.GetBitRate());
        bill.AddSwitch(count, bitRate);
        bill.AddSwitchOptics(count, bitRate);
    }
    return bill;
}

void
LinkGraphDescription::ConfigureLeaves(uint32_t nNodes, FabricLimits& limits) const
{
    const LinkGraphHelper::Leaves leaves = m_fabric.GetLeaves(nNodes);
    const bool hasLeaves = m_fabric.HasLeaves();
    const double bitRate = leaves.up * limits.bitRate;
    if ((hasLeaves || m_fabric.GetKind() == LinkGraphHelper::DRAGONFLY) &&
        leaves.up < leaves.nodes && leaves.nodes < nNodes)
    {
        if (hasLeaves)
        {
            limits.leaf.gpus = leaves.nodes;
            limits.leaf.rails = leaves.rails;
            limits.leaf.bitRate = bitRate;
        }
        // The rate of each GPU of a leaf if all send to a peer outside it
        limits.peerBitRate = bitRate / leaves.nodes;
    }
}

FabricLimits
TorusDescription::GetLimits(uint32_t nNodes) const
{
    FabricLimits limits = GetDirectLimits(nNodes);
    limits.links.isTorus = true;
    return limits;
}

BillOfMaterials
TorusDescription::GetBill(uint32_t nNodes) const
{
    RequireValid(nNodes);
    const LinkGraph graph = m_fabric.GetGraph(nNodes);
    double circuits = 0;
    for (const auto& each : graph.GetCircuitSwitches())
    {
        circuits += static_cast<double>(each.second.size());
    }
    const auto bitRate = static_cast<double>(m_fabric.GetLinkRate().GetBitRate());
    const double links = static_cast<double>(graph.GetLinks().size()) / 2;
    BillOfMaterials bill;
    bill.AddScaleUpLinks((links - circuits) * bitRate);
    bill.AddPluggables(2 * circuits, bitRate);
    bill.Add("circuit-switch-port", 2 * circuits);
    return bill;
}

FabricLimits
TopoOptDescription::GetLimits(uint32_t nNodes) const
{
    FabricLimits limits = GetDirectLimits(nNodes);
    limits.linksFor = [fabric = m_fabric](const TrainingPlan& plan) {
        std::vector<LinkChoice> choices;
        const TopologyFinder finder(fabric.GetDegree(), fabric.GetLinkRate(), fabric.GetDelay());
        for (const auto& topology : FindNetworks(finder, fabric.GetDegree(), plan))
        {
            choices.push_back({topology.split, GetLinks(fabric, topology.graph)});
        }
        return choices;
    };
    return limits;
}

LinkGraph
TopoOptDescription::GetGraphFor(const TrainingPlan& plan) const
{
    TrainingPlan chosen = plan;
    if (plan.linkSplit.GetTotal() != m_fabric.GetDegree())
    {
        LinkChooser::Choose(GetLimits(static_cast<uint32_t>(plan.programs.size())), chosen, false);
    }
    return FindNetworks({m_fabric.GetDegree(), m_fabric.GetLinkRate(), m_fabric.GetDelay()},
                        m_fabric.GetDegree(),
                        chosen)
        .front()
        .graph;
}

BillOfMaterials
TopoOptDescription::GetBill(uint32_t nNodes) const
{
    RequireValid(nNodes);
    BillOfMaterials bill;
    bill.AddCards(static_cast<double>(nNodes) * m_fabric.GetDegree(),
                  static_cast<double>(m_fabric.GetLinkRate().GetBitRate()));
    if (m_fabric.GetSwitchingDelay().IsZero())
    {
        bill.Add("patch-panel-port", static_cast<double>(nNodes) * m_fabric.GetDegree());
    }
    else
    {
        bill.AddOpticalSwitch("circuit-switch-port",
                              *OpticalSwitch::Create("mems"),
                              nNodes,
                              m_fabric.GetDegree());
    }
    return bill;
}

ApplicationContainer
TopoOptDescription::InstallJob(const TrainingHelper& training,
                               TrainingPlan plan,
                               const NetDeviceContainer& devices) const
{
    const auto channel = DynamicCast<LinkGraphChannel>(TopoOptHelper::GetChannel(devices));
    channel->SetGraph(GetGraphFor(plan));
    if (m_fabric.GetSwitchingDelay().IsStrictlyPositive())
    {
        channel->Darken(m_fabric.GetSwitchingDelay());
    }
    return LinkGraphDescription::InstallJob(training, std::move(plan), devices);
}

} // namespace lightpath
} // namespace ns3
