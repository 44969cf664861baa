/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topo-opt-helper.h"

#include "model/control/graph/topology-finder.h"
#include "model/plan/plan-demand.h"
#include "model/planner/place/link-chooser.h"

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

namespace
{

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

LinkGraph
TopoOptHelper::GetGraphFor(const TrainingPlan& plan) const
{
    TrainingPlan chosen = plan;
    if (plan.linkSplit.GetTotal() != m_degree)
    {
        LinkChooser::Choose(GetLimits(static_cast<uint32_t>(plan.programs.size())), chosen, false);
    }
    return FindNetworks({m_degree, GetLinkRate(), GetDelay()}, m_degree, chosen).front().graph;
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
    return LinkGraphChannel::CheckComponent(
        LinkGraph::CreateMesh(nNodes, GetLinkRate(), GetDelay()),
        component);
}

FabricLimits
TopoOptHelper::GetLimits(uint32_t nNodes) const
{
    RequireValid(nNodes);
    FabricLimits limits;
    limits.bitRate = static_cast<double>(GetBandwidth().GetBitRate());
    limits.isShared = true;
    limits.latency = (GetDelay() + GetMessageDelay()).GetSeconds();
    limits.links = GetLinks(GetGraph(nNodes));
    limits.linksFor = [helper = *this](const TrainingPlan& plan) {
        std::vector<LinkChoice> choices;
        const TopologyFinder finder(helper.m_degree, helper.GetLinkRate(), helper.GetDelay());
        for (const auto& topology : FindNetworks(finder, helper.m_degree, plan))
        {
            choices.push_back({topology.split, helper.GetLinks(topology.graph)});
        }
        return choices;
    };
    return limits;
}

BillOfMaterials
TopoOptHelper::GetBill(uint32_t nNodes) const
{
    RequireValid(nNodes);
    BillOfMaterials bill;
    bill.AddCards(static_cast<double>(nNodes) * m_degree,
                  static_cast<double>(GetLinkRate().GetBitRate()));
    if (m_switchingDelay.IsZero())
    {
        bill.Add("patch-panel-port", static_cast<double>(nNodes) * m_degree);
    }
    else
    {
        bill.AddOpticalSwitch("circuit-switch-port",
                              *OpticalSwitch::Create("mems"),
                              nNodes,
                              m_degree);
    }
    return bill;
}

ApplicationContainer
TopoOptHelper::InstallJob(const TrainingHelper& training,
                          TrainingPlan plan,
                          const NetDeviceContainer& devices) const
{
    const auto channel = DynamicCast<LinkGraphChannel>(GetChannel(devices));
    channel->SetGraph(GetGraphFor(plan));
    if (m_switchingDelay.IsStrictlyPositive())
    {
        channel->Darken(m_switchingDelay);
    }
    return LinkGraphHelper::InstallJob(training, std::move(plan), devices);
}

} // namespace lightpath
} // namespace ns3
