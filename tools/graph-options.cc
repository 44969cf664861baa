/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-options.h"

#include "ns3/link-graph-channel.h"
#include "ns3/rdma-helper.h"
#include "ns3/uinteger.h"

#include <stdexcept>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

const std::vector<std::string> FLOW_NETWORKS = {"leaf-spine-flows",
                                                "fat-tree-flows",
                                                "rail-optimised",
                                                "rail-only",
                                                "dragonfly",
                                                "topoopt",
                                                "torus",
                                                "link-graph"};

void
GraphOptions::AddTo(ProgramOptions& options)
{
    const std::string subject = "Fabric: electrical networks";
    auto routed = FLOW_NETWORKS;
    const auto cards = RdmaHelper::GetCongestions();
    routed.insert(routed.end(), cards.begin(), cards.end());
    options.BeginGroup(subject, routed);
    std::vector<std::pair<std::string, std::string>> names;
    for (const auto& each : LinkGraphChannel::GetRoutings())
    {
        names.emplace_back(each.name, each.name);
    }
    options.AddValue(
        "routing",
        "How pairs of GPUs choose between shortest routes: ecmp, spray, adaptive; default: spray, "
        "or "
        "ecmp for dcqcn, hpcc and pfc",
        "",
        [this, names](const std::string& text) { m_routing = ParseWord("routing", text, names); });
    options.BeginGroup(subject, FLOW_NETWORKS);
    options.AddValue("paths",
                     "Routes that ecmp spreads each pair of GPUs over, by one hash each",
                     m_nPaths,
                     1,
                     1024);
    options.BeginGroup(subject, {"rail-optimised", "rail-only"});
    options.AddValue("rails", "Rails; 0: as many as a server has ports, or 8", m_rails, 0, 1024);
    options.BeginGroup(subject, {"fat-tree-flows"});
    options.AddValue("treePorts", "Ports of a switch; 0: the least with room", m_nPorts, 0, 256);
    options.BeginGroup(subject, {"link-graph"});
    options.AddValue("graph", "File with the network, as JSON", m_file);
}

void
GraphOptions::Configure(LinkGraphHelper& fabric) const
{
    fabric.SetRouting(GetRouting("spray"));
    fabric.SetChannelAttribute("Paths", UintegerValue(m_nPaths));
    fabric.SetRails(m_rails);
    fabric.SetNPorts(m_nPorts);
    if (!m_file.empty())
    {
        fabric.ReadGraph(m_file);
    }
    if (fabric.LacksGraph())
    {
        throw std::invalid_argument("link-graph needs a network: give --graph=FILE");
    }
}
