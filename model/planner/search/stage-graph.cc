/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stage-graph.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param [in,out] list an ascending list
 * @param value the value to put into it, unless it is there
 */
void
Insert(std::vector<uint32_t>& list, uint32_t value)
{
    const auto at = std::lower_bound(list.begin(), list.end(), value);
    if (at == list.end() || *at != value)
    {
        list.insert(at, value);
    }
}

} // namespace

StageGraph
StageGraph::Create(const OperatorGraph& graph,
                   const Accelerator& accelerator,
                   double samples,
                   Grain grain)
{
    const auto& operators = graph.GetOperators();
    StageGraph pieces;
    std::vector<uint32_t> layer;
    std::vector<uint32_t> node(operators.size(), 0);
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        const Operator& now = operators[op];
        if (now.pass == Pass::FORWARD)
        {
            StageNode piece;
            piece.outputBytes = static_cast<double>(now.outputBytes) * samples;
            piece.keptBytes = static_cast<double>(now.savedBytes) * samples;
            piece.parameterBytes = static_cast<double>(now.parameters) * graph.gradientBytes;
            piece.stateBytes = static_cast<double>(now.parameters) * graph.GetStateBytes();
            node[op] = pieces.AddNode(piece);
            layer.push_back(now.layer);
        }
        if (now.pass != Pass::UPDATE)
        {
            node[op] = node[now.forward];
            pieces.m_nodes[node[op]].seconds += accelerator.GetSeconds(now, samples);
        }
        for (const auto from : graph.GetPredecessors(op))
        {
            if (now.pass == Pass::FORWARD)
            {
                pieces.AddEdge(node[from], node[op]);
            }
        }
    }
    if (grain == OPERATORS)
    {
        return pieces;
    }
    // Layers without a forward operator are left out
    std::vector<uint32_t> layers(layer);
    std::sort(layers.begin(), layers.end());
    layers.erase(std::unique(layers.begin(), layers.end()), layers.end());
    for (auto& value : layer)
    {
        value = static_cast<uint32_t>(std::lower_bound(layers.begin(), layers.end(), value) -
                                      layers.begin());
    }
    return pieces.Merge(layer);
}

uint32_t
StageGraph::AddNode(const StageNode& node)
{
    for (const auto value :
         {node.seconds, node.outputBytes, node.parameterBytes, node.stateBytes, node.keptBytes})
    {
        if (!(value >= 0) || !std::isfinite(value))
        {
            throw std::invalid_argument(
                "Node " + std::to_string(m_nodes.size()) + " of a graph of stages has the cost " +
                std::to_string(value) + ": costs must be finite and not negative");
        }
    }
    m_nodes.push_back(node);
    m_predecessors.emplace_back();
    m_successors.emplace_back();
    return static_cast<uint32_t>(m_nodes.size() - 1);
}

void
StageGraph::AddEdge(uint32_t from, uint32_t to)
{
    if (from >= to || to >= m_nodes.size())
    {
        throw std::invalid_argument("An edge from node " + std::to_string(from) + " to node " +
                                    std::to_string(to) + " of " + std::to_string(m_nodes.size()) +
                                    " is not possible: it must lead from a lower to a higher one");
    }
    Insert(m_successors[from], to);
    Insert(m_predecessors[to], from);
}

const std::vector<StageNode>&
StageGraph::GetNodes() const
{
    return m_nodes;
}

const std::vector<uint32_t>&
StageGraph::GetPredecessors(uint32_t node) const
{
    return m_predecessors.at(node);
}

const std::vector<uint32_t>&
StageGraph::GetSuccessors(uint32_t node) const
{
    return m_successors.at(node);
}

StageGraph
StageGraph::MakeChain() const
{
    StageGraph chain(*this);
    for (uint32_t node = 1; node < m_nodes.size(); ++node)
    {
        chain.AddEdge(node - 1, node);
    }
    return chain;
}

StageGraph
StageGraph::Merge(const std::vector<uint32_t>& node) const
{
    StageGraph merged;
    const uint32_t count = node.empty() ? 0 : *std::max_element(node.begin(), node.end()) + 1;
    std::vector<StageNode> sums(count);
    for (uint32_t i = 0; i < m_nodes.size(); ++i)
    {
        StageNode& sum = sums[node.at(i)];
        sum.seconds += m_nodes[i].seconds;
        sum.parameterBytes += m_nodes[i].parameterBytes;
        sum.stateBytes += m_nodes[i].stateBytes;
        sum.keptBytes += m_nodes[i].keptBytes;
        const bool isRead = std::any_of(m_successors[i].begin(),
                                        m_successors[i].end(),
                                        [&](uint32_t to) { return node.at(to) != node[i]; });
        sum.outputBytes += isRead ? m_nodes[i].outputBytes : 0;
    }
    for (const auto& sum : sums)
    {
        merged.AddNode(sum);
    }
    for (uint32_t from = 0; from < m_nodes.size(); ++from)
    {
        for (const auto to : m_successors[from])
        {
            if (node[from] != node[to])
            {
                merged.AddEdge(node[from], node[to]);
            }
        }
    }
    return merged;
}

} // namespace lightpath
} // namespace ns3
