/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// LEMON 1.3.1 is valid C++17 and no later C++, so this file is compiled as such, and includes
// nothing of ns-3.

#include "graph-solvers.h"

#include <algorithm>
#include <lemon/matching.h>
#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>

namespace ns3
{
namespace lightpath
{

std::vector<uint32_t>
FindMaxWeightMatching(uint32_t nodes, const std::vector<WeightedEdge>& edges)
{
    using Graph = lemon::SmartGraph;
    using Weights = Graph::EdgeMap<int64_t>;
    Graph graph;
    graph.reserveNode(nodes);
    graph.reserveEdge(edges.size());
    for (uint32_t node = 0; node < nodes; ++node)
    {
        graph.addNode();
    }
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < edges.size(); ++i)
    {
        if (edges[i].weight > 0)
        {
            graph.addEdge(graph.nodeFromId(edges[i].first), graph.nodeFromId(edges[i].second));
            indices.push_back(i);
        }
    }
    Weights weights(graph);
    for (uint32_t id = 0; id < indices.size(); ++id)
    {
        weights[Graph::edgeFromId(id)] = edges[indices[id]].weight;
    }
    lemon::MaxWeightedMatching<Graph, Weights> matching(graph, weights);
    matching.run();
    std::vector<uint32_t> chosen;
    for (uint32_t id = 0; id < indices.size(); ++id)
    {
        if (matching.matching(Graph::edgeFromId(id)))
        {
            chosen.push_back(indices[id]);
        }
    }
    return chosen;
}

std::optional<std::vector<int64_t>>
FindMinCostFlow(const std::vector<int64_t>& supplies, const std::vector<FlowArc>& arcs)
{
    using Graph = lemon::SmartDigraph;
    using Simplex = lemon::NetworkSimplex<Graph, int64_t>;
    Graph graph;
    graph.reserveNode(supplies.size());
    graph.reserveArc(arcs.size());
    for (std::size_t node = 0; node < supplies.size(); ++node)
    {
        graph.addNode();
    }
    for (const FlowArc& arc : arcs)
    {
        graph.addArc(graph.nodeFromId(arc.tail), graph.nodeFromId(arc.head));
    }
    Graph::NodeMap<int64_t> supply(graph);
    for (uint32_t node = 0; node < supplies.size(); ++node)
    {
        supply[graph.nodeFromId(node)] = supplies[node];
    }
    Graph::ArcMap<int64_t> capacity(graph);
    Graph::ArcMap<int64_t> cost(graph);
    for (uint32_t id = 0; id < arcs.size(); ++id)
    {
        capacity[Graph::arcFromId(id)] = arcs[id].capacity;
        cost[Graph::arcFromId(id)] = arcs[id].cost;
    }
    Simplex simplex(graph);
    simplex.upperMap(capacity).costMap(cost).supplyMap(supply);
    if (simplex.run() != Simplex::OPTIMAL)
    {
        return std::nullopt;
    }
    std::vector<int64_t> flow(arcs.size());
    for (uint32_t id = 0; id < arcs.size(); ++id)
    {
        flow[id] = simplex.flow(Graph::arcFromId(id));
    }
    return flow;
}

} // namespace lightpath
} // namespace ns3
