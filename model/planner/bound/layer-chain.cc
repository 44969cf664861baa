/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "layer-chain.h"

#include "fabric-pace.h"

#include <algorithm>
#include <set>

namespace ns3
{
namespace lightpath
{

LayerChain::LayerChain(const PlanningProblem& problem,
                       const TensorSharing& sharing,
                       const Strategy& strategy)
    : m_problem(problem),
      m_sharing(sharing),
      m_strategy(strategy),
      m_layers(problem.graph.GetNLayers())
{
    Build();
    FindCollectives();
    // Other schedules put gradients of weights off
    if (strategy.schedule == PipelineScheduleKind::ONE_F_ONE_B)
    {
        AddOrder();
    }
}

const std::vector<LayerChain::Node>&
LayerChain::GetNodes() const
{
    return m_nodes;
}

const std::vector<std::vector<LayerChain::Edge>>&
LayerChain::GetReads() const
{
    return m_reads;
}

uint32_t
LayerChain::GetFirst(uint32_t op) const
{
    return m_first[op];
}

uint32_t
LayerChain::GetCollectiveEnd(uint32_t layer) const
{
    return m_collectiveEnds[layer];
}

void
LayerChain::FindCollectives()
{
    m_collectiveEnds.assign(m_layers, UINT32_MAX);
    for (uint32_t node = 0; node < m_nodes.size(); ++node)
    {
        for (const auto& edge : m_reads[node])
        {
            const auto [low, high] = std::minmax(m_nodes[edge.from].layer, m_nodes[node].layer);
            if (edge.sample > 0)
            {
                m_collectiveEnds[low] = std::min(m_collectiveEnds[low], high + 1);
            }
        }
    }
    // A range of layers has all collectives of the ranges within it
    for (uint32_t layer = m_layers; layer-- > 1;)
    {
        m_collectiveEnds[layer - 1] =
            std::min(m_collectiveEnds[layer - 1], m_collectiveEnds[layer]);
    }
}

bool
LayerChain::IsRecomputed(const Operator& op) const
{
    return m_strategy.IsRecomputed(op, m_layers);
}

uint32_t
LayerChain::AddNode(uint32_t op, bool isBackward)
{
    const Operator& description = m_problem.graph.GetOperators()[op];
    Node node;
    node.op = op;
    node.layer = description.layer;
    node.backward = isBackward;
    m_nodes.push_back(node);
    m_reads.emplace_back();
    return static_cast<uint32_t>(m_nodes.size() - 1);
}

void
LayerChain::AddEdge(uint32_t from, uint32_t to)
{
    const auto& operators = m_problem.graph.GetOperators();
    const uint32_t writer = m_nodes[from].op;
    const uint32_t reader = m_nodes[to].op;
    const FabricLimits& fabric = m_problem.fabric;
    const double launch = fabric.collectiveLatency + FabricPace::GetBestLatency(fabric);
    const double reduction = FabricPace::GetReductionSeconds(fabric, m_strategy.tensorParallel);
    Edge edge;
    edge.from = from;
    const auto& summed = m_sharing.GetSummed(writer);
    if (!summed.empty() && !std::binary_search(summed.begin(), summed.end(), reader))
    {
        // An all-reduce over the tensor-parallel group; a reduce-scatter takes half as long
        const Operator& last = operators[summed.back()];
        const auto bytes = static_cast<double>(
            last.pass == Pass::FORWARD ? last.outputBytes : operators[last.forward].inputBytes);
        const bool isScattered = m_sharing.GetLayout(writer) == TensorSharing::Layout::TOKENS;
        edge.launch += bytes > 0 ? launch : 0;
        edge.sample += bytes * reduction / (isScattered ? 2 : 1);
    }
    if (operators[writer].pass == operators[reader].pass && m_sharing.IsGathered(writer, reader) &&
        !m_nodes[to].backward == (operators[writer].pass == Pass::FORWARD))
    {
        // An all-gather, which takes half as long as an all-reduce
        edge.launch += launch;
        edge.sample += static_cast<double>(operators[writer].outputBytes) * reduction / 2;
    }
    const ExpertSharing& experts = m_sharing.GetExperts();
    if (experts.IsExchanged(writer, reader) && experts.GetExchangedBytes(writer) > 0)
    {
        // An all-to-all over the replicas that share out experts
        const double sharers = m_strategy.expertParallel;
        edge.launch += launch;
        edge.sample += static_cast<double>(experts.GetExchangedBytes(writer)) /
                       m_strategy.tensorParallel * (sharers - 1) / sharers /
                       FabricPace::GetBestRate(fabric);
    }
    // Each GPU has a share of the tokens
    edge.sample /= m_strategy.contextParallel;
    m_reads[to].push_back(edge);
}

void
LayerChain::AddAnew(uint32_t layer)
{
    const OperatorGraph& graph = m_problem.graph;
    const auto& operators = graph.GetOperators();
    m_recomputed.clear();
    // The gradients that enter the layer: recomputation waits for them
    std::set<uint32_t> gate;
    std::vector<uint32_t> chosen;
    for (const auto op : m_operators[layer])
    {
        if (IsRecomputed(operators[op]))
        {
            chosen.push_back(op);
        }
        for (const auto before : graph.GetPredecessors(op))
        {
            if (operators[op].pass == Pass::BACKWARD && operators[before].layer != layer &&
                operators[before].pass == Pass::BACKWARD && m_latest[before] != UINT32_MAX)
            {
                gate.insert(m_latest[before]);
            }
        }
    }
    const std::set<uint32_t> inside(chosen.begin(), chosen.end());
    for (const auto op : chosen)
    {
        const uint32_t node = AddNode(op, true);
        bool isFirst = true;
        for (const auto before : graph.GetPredecessors(op))
        {
            if (inside.count(before) > 0)
            {
                isFirst = false;
                AddEdge(m_latest[before], node);
            }
        }
        if (isFirst)
        {
            for (const auto before : gate)
            {
                AddEdge(before, node);
            }
        }
        m_latest[op] = node;
        // The last recomputed operators, which the backward pass of the layer waits for
        const auto& readers = graph.GetSuccessors(op);
        if (std::none_of(readers.begin(), readers.end(), [&](uint32_t reader) {
                return inside.count(reader) > 0;
            }))
        {
            m_recomputed.push_back(node);
        }
    }
}

void
LayerChain::Build()
{
    const OperatorGraph& graph = m_problem.graph;
    const auto& operators = graph.GetOperators();
    m_first.assign(operators.size(), UINT32_MAX);
    m_latest = m_first;
    std::vector<bool> hasBegun(m_layers, false);
    m_operators.resize(m_layers);
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        m_operators[operators[op].layer].push_back(op);
    }
    for (const auto pass : {Pass::FORWARD, Pass::BACKWARD})
    {
        for (uint32_t op = 0; op < operators.size(); ++op)
        {
            if (operators[op].pass != pass)
            {
                continue;
            }
            const bool isBackward = pass == Pass::BACKWARD;
            const uint32_t layer = operators[op].layer;
            // Recomputation precedes the first backward operator of a layer
            if (isBackward && !hasBegun[layer])
            {
                hasBegun[layer] = true;
                AddAnew(layer);
            }
            const uint32_t node = AddNode(op, isBackward);
            bool isFirst = isBackward;
            for (const auto before : graph.GetPredecessors(op))
            {
                // Gradients that the first and the last stage share are summed at the end
                const bool isShared = isBackward && operators[before].pass == pass &&
                                      operators[before].outputBytes == 0 &&
                                      operators[before].layer != layer;
                if (m_latest[before] != UINT32_MAX && !isShared)
                {
                    AddEdge(m_latest[before], node);
                    isFirst = isFirst && !(operators[before].pass == Pass::BACKWARD &&
                                           operators[before].layer == layer);
                }
            }
            // The first backward operators of a layer wait for its recomputation
            for (const auto recomputed : m_recomputed)
            {
                if (isFirst && m_nodes[recomputed].layer == layer)
                {
                    AddEdge(recomputed, node);
                }
            }
            m_first[op] = node;
            m_latest[op] = node;
        }
    }
}

void
LayerChain::AddOrder()
{
    const auto reads = m_reads;
    std::vector<std::vector<uint32_t>> readers(m_nodes.size());
    for (uint32_t node = 0; node < m_nodes.size(); ++node)
    {
        for (const auto& edge : reads[node])
        {
            readers[edge.from].push_back(node);
        }
    }
    // If node k waits for everything that node i waits for, i is ready no later than k. So i runs
    // before k, and before the nodes that follow k, if they come behind i in the program
    const auto waitsNoLonger = [&](uint32_t i, uint32_t k) {
        return std::all_of(reads[i].begin(), reads[i].end(), [&](const Edge& mine) {
            return !m_nodes[mine.from].backward ||
                   std::any_of(reads[k].begin(), reads[k].end(), [&](const Edge& other) {
                       return other.from == mine.from && other.launch >= mine.launch &&
                              other.sample >= mine.sample;
                   });
        });
    };
    for (uint32_t i = 0; i < m_nodes.size(); ++i)
    {
        // Another gather of its input may delay node i
        const bool isGathered = m_sharing.IsInputGathered(m_nodes[i].op) ||
                                (m_strategy.sequenceParallel && m_first[m_nodes[i].op] != i);
        if (!m_nodes[i].backward || reads[i].empty() || isGathered)
        {
            continue;
        }
        for (const auto& edge : reads[i])
        {
            for (const auto k : readers[edge.from])
            {
                if (k == i || !m_nodes[edge.from].backward || !m_nodes[k].backward ||
                    m_nodes[k].layer != m_nodes[i].layer || !waitsNoLonger(i, k))
                {
                    continue;
                }
                if (k > i)
                {
                    m_reads[k].push_back({i, 0, 0});
                }
                for (const auto j : readers[k])
                {
                    if (j > i && m_nodes[j].layer == m_nodes[i].layer)
                    {
                        m_reads[j].push_back({i, 0, 0});
                    }
                }
            }
        }
    }
}

} // namespace lightpath
} // namespace ns3
