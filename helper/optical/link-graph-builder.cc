/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-graph-builder.h"

#include "model/base/json-document.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most ports or switches of a network from a file.
constexpr uint64_t MOST_NODES = 1000000;

/// A link as it stands in a file.
struct WrittenLink
{
    std::string ends[2];          //!< Names of its nodes
    std::optional<DataRate> rate; //!< Its rate, if it has one of its own
    std::optional<Time> delay;    //!< Its delay, if it has one of its own
    bool isOneWay{false};         //!< Whether there is none in the other direction
};

/**
 * @param value the value of a rate
 * @return the rate
 */
DataRate
ReadGbps(const JsonValue& value)
{
    constexpr double most = 1e6;
    const double rate = value.GetNumber(most) * 1e9;
    if (rate < 1)
    {
        value.Fail("must be a rate above 0");
    }
    return DataRate(static_cast<uint64_t>(rate));
}

/**
 * @param value the value of a delay
 * @return the delay
 */
Time
ReadDelay(const JsonValue& value)
{
    constexpr double most = 1e9;
    return Seconds(value.GetNumber(most) * 1e-9);
}

/**
 * @param value a link
 * @return its values
 */
WrittenLink
ReadLink(const JsonValue& value)
{
    value.CheckKeys({"from", "to", "rateGbps", "delayNs", "oneWay"});
    WrittenLink link;
    link.ends[0] = value.Get("from").GetText();
    link.ends[1] = value.Get("to").GetText();
    if (const auto rate = value.Find("rateGbps"))
    {
        link.rate = ReadGbps(*rate);
    }
    if (const auto delay = value.Find("delayNs"))
    {
        link.delay = ReadDelay(*delay);
    }
    const auto oneWay = value.Find("oneWay");
    link.isOneWay = oneWay && oneWay->GetBoolean();
    return link;
}

} // namespace

LinkGraphBuilder::LinkGraphBuilder(DataRate rate, Time delay)
    : m_rate(rate),
      m_delay(delay)
{
}

uint32_t
LinkGraphBuilder::DivideUp(uint32_t count, uint32_t size)
{
    return (count + size - 1) / size;
}

std::vector<uint32_t>
LinkGraphBuilder::AddSwitches(LinkGraph& graph, const std::string& name, uint32_t count)
{
    std::vector<uint32_t> nodes;
    for (uint32_t i = 0; i < count; ++i)
    {
        nodes.push_back(graph.AddSwitch(name + std::to_string(i)));
    }
    return nodes;
}

void
LinkGraphBuilder::Join(LinkGraph& graph,
                       const std::vector<uint32_t>& lower,
                       const std::vector<uint32_t>& upper) const
{
    for (const uint32_t a : lower)
    {
        for (const uint32_t b : upper)
        {
            graph.Connect(a, b, m_rate, m_delay);
        }
    }
}

LinkGraph
LinkGraphBuilder::MakeLeaves(uint32_t nNodes,
                             uint32_t rails,
                             uint32_t perLeaf,
                             uint32_t nSpines) const
{
    LinkGraph graph(nNodes);
    std::vector<uint32_t> all;
    for (uint32_t rail = 0; rail < std::min(rails, nNodes); ++rail)
    {
        const uint32_t nodes = DivideUp(nNodes - rail, rails);
        const std::string prefix = rails > 1 ? "rail-" + std::to_string(rail) + "-leaf-" : "leaf-";
        const auto leaves = AddSwitches(graph, prefix, DivideUp(nodes, perLeaf));
        for (uint32_t i = 0; i < nodes; ++i)
        {
            graph.Connect(rail + i * rails, leaves[i / perLeaf], m_rate, m_delay);
        }
        all.insert(all.end(), leaves.begin(), leaves.end());
    }
    if (all.size() > 1)
    {
        Join(graph, all, AddSwitches(graph, "spine-", nSpines));
    }
    return graph;
}

LinkGraph
LinkGraphBuilder::MakeFatTree(uint32_t nNodes, uint32_t ports, uint32_t perEdge) const
{
    const uint32_t half = ports / 2;
    const uint32_t nEdges = DivideUp(nNodes, perEdge);
    const uint32_t nPods = DivideUp(nEdges, half);
    LinkGraph graph(nNodes);
    const auto cores = AddSwitches(graph, "core-", nPods > 1 ? half * half : 0);
    for (uint32_t pod = 0; pod < nPods; ++pod)
    {
        const std::string name = "pod-" + std::to_string(pod);
        const uint32_t first = pod * half;
        const auto edges = AddSwitches(graph, name + "-edge-", std::min(half, nEdges - first));
        for (uint32_t node = first * perEdge; node < std::min(nNodes, (first + half) * perEdge);
             ++node)
        {
            graph.Connect(node, edges[node / perEdge - first], m_rate, m_delay);
        }
        if (nEdges == 1)
        {
            break;
        }
        const auto upper = AddSwitches(graph, name + "-aggregation-", half);
        Join(graph, edges, upper);
        for (uint32_t i = 0; i < half && nPods > 1; ++i)
        {
            Join(graph, {upper[i]}, {cores.begin() + i * half, cores.begin() + (i + 1) * half});
        }
    }
    return graph;
}

LinkGraphBuilder::Dragonfly::Dragonfly(uint32_t nNodes, uint32_t perRouter)
    : routers(2 * perRouter),
      groups(DivideUp(nNodes, routers * perRouter)),
      parallel(groups > 1 ? routers * perRouter / (groups - 1) : 0)
{
}

LinkGraph
LinkGraphBuilder::MakeDragonfly(uint32_t nNodes, uint32_t perRouter) const
{
    const Dragonfly size(nNodes, perRouter);
    LinkGraph graph(nNodes);
    std::vector<std::vector<uint32_t>> routers;
    for (uint32_t group = 0; group < size.groups; ++group)
    {
        const std::string name = "group-" + std::to_string(group) + "-router-";
        routers.push_back(AddSwitches(graph, name, size.routers));
        const auto& own = routers.back();
        for (uint32_t i = 0; i < size.routers; ++i)
        {
            Join(graph, {own[i]}, {own.begin() + i + 1, own.end()});
        }
    }
    for (uint32_t node = 0; node < nNodes; ++node)
    {
        const uint32_t router = node / perRouter;
        graph.Connect(node, routers[router / size.routers][router % size.routers], m_rate, m_delay);
    }
    // The links of a group to the next one, the one after it, and so on go round its routers
    const auto getRouter = [&](uint32_t from, uint32_t to, uint32_t link) {
        const uint32_t steps = (to + size.groups - from - 1) % size.groups;
        return routers[from][(steps * size.parallel + link) % size.routers];
    };
    for (uint32_t a = 0; a < size.groups; ++a)
    {
        for (uint32_t b = a + 1; b < size.groups; ++b)
        {
            for (uint32_t link = 0; link < size.parallel; ++link)
            {
                graph.Connect(getRouter(a, b, link), getRouter(b, a, link), m_rate, m_delay);
            }
        }
    }
    return graph;
}

LinkGraph
LinkGraphBuilder::Read(std::istream& input, const std::string& name)
{
    std::vector<std::string> switches;
    std::vector<WrittenLink> links;
    const JsonDocument document(input,
                                name,
                                "lightpath-network",
                                {"gpus", "gpusForward", "rateGbps", "delayNs", "switches", "links"},
                                [&](const std::string& key, const JsonValue& element) {
                                    if (key == "switches")
                                    {
                                        switches.push_back(element.GetText());
                                    }
                                    else if (key == "links")
                                    {
                                        links.push_back(ReadLink(element));
                                    }
                                    else
                                    {
                                        element.Fail("is in a list, and " + key + " has none");
                                    }
                                });
    const JsonValue root = document.GetRoot();
    LinkGraph graph(static_cast<uint32_t>(root.Get("gpus").GetWhole(2, MOST_NODES)));
    const auto forwards = root.Find("gpusForward");
    graph.SetPortsForward(forwards && forwards->GetBoolean());
    for (const auto& each : switches)
    {
        graph.AddSwitch(each);
    }
    const auto rate = root.Find("rateGbps");
    const auto delay = root.Find("delayNs");
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        const std::string place = name + ", /links/" + std::to_string(i) + ": ";
        uint32_t nodes[2];
        for (uint32_t end = 0; end < 2; ++end)
        {
            nodes[end] = graph.Find(links[i].ends[end]);
            if (nodes[end] == graph.GetNNodes())
            {
                throw std::invalid_argument(place + "there is no node '" + links[i].ends[end] +
                                            "': the nodes are gpu-0 to gpu-" +
                                            std::to_string(graph.GetNPorts() - 1) +
                                            " and the switches");
            }
        }
        if (nodes[0] == nodes[1])
        {
            throw std::invalid_argument(place + "a link cannot lead from " + links[i].ends[0] +
                                        " to itself");
        }
        if (!links[i].rate && !rate)
        {
            throw std::invalid_argument(place + "a link needs rateGbps, here or for all links");
        }
        const DataRate own = links[i].rate ? *links[i].rate : ReadGbps(*rate);
        const Time time = links[i].delay ? *links[i].delay : delay ? ReadDelay(*delay) : Time(0);
        graph.AddLink(nodes[0], nodes[1], own, time);
        if (!links[i].isOneWay)
        {
            graph.AddLink(nodes[1], nodes[0], own, time);
        }
    }
    return graph;
}

} // namespace lightpath
} // namespace ns3
