/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stage-cuts.h"

#include "model/planner/write/chain-cutter.h"
#include "model/planner/write/layer-partition.h"
#include "model/planner/write/tensor-sharing.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

StageCuts::StageCuts(const PlanningProblem& problem)
    : m_problem(problem)
{
    const auto& operators = problem.graph.GetOperators();
    const uint32_t layers = problem.graph.GetNLayers();
    m_forward.assign(layers + 1, 0);
    m_backward.assign(layers + 1, 0);
    m_reach.assign(layers + 1, 0);
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        const Operator& from = operators[op];
        const bool isForward = from.pass == Pass::FORWARD;
        uint32_t low = from.layer;
        uint32_t high = from.layer;
        for (const auto to : problem.graph.GetSuccessors(op))
        {
            if (operators[to].pass == from.pass)
            {
                low = std::min(low, operators[to].layer);
                high = std::max(high, operators[to].layer);
            }
        }
        // The gradient of a parameter that layers share goes another way
        if (from.pass == Pass::UPDATE || (!isForward && from.outputBytes == 0))
        {
            continue;
        }
        // The result crosses all cuts between its layer and its readers
        for (uint32_t cut = low + 1; cut <= high; ++cut)
        {
            (isForward ? m_forward : m_backward)[cut] += from.outputBytes;
            m_reach[cut] = std::max(m_reach[cut], high);
        }
    }
}

const std::vector<double>&
StageCuts::GetLayerSeconds(const Strategy& strategy, uint64_t samples) const
{
    const auto& graph = m_problem.graph;
    auto& seconds = m_seconds[{strategy.tensorParallel,
                               strategy.contextParallel,
                               strategy.expertParallel,
                               strategy.wholeExperts,
                               strategy.sequenceParallel,
                               strategy.recomputation,
                               samples}];
    if (!seconds.empty())
    {
        return seconds;
    }
    const LayerPartition whole(graph, 1, std::vector<double>(graph.GetNLayers(), 0));
    const TensorSharing sharing(graph, whole, strategy);
    seconds.assign(graph.GetNLayers() + 1, 0);
    for (const auto& op : graph.GetOperators())
    {
        if (op.pass != Pass::UPDATE)
        {
            seconds[op.layer + 1] +=
                sharing.GetSeconds(op, m_problem.accelerator, static_cast<double>(samples)) *
                (strategy.IsRecomputed(op, graph.GetNLayers()) ? 2 : 1);
        }
    }
    for (uint32_t layer = 0; layer < graph.GetNLayers(); ++layer)
    {
        seconds[layer + 1] += seconds[layer];
    }
    return seconds;
}

StageCuts::Costs
StageCuts::GetCosts(const Strategy& strategy) const
{
    const auto& graph = m_problem.graph;
    const uint64_t samples =
        m_problem.globalBatch / (uint64_t{strategy.dataParallel} * strategy.microbatches);
    Costs costs;
    costs.seconds = GetLayerSeconds(strategy, samples);
    const double each =
        8.0 * static_cast<double>(samples) /
        (strategy.tensorParallel * strategy.contextParallel * m_problem.fabric.bitRate);
    for (uint32_t cut = 0; cut <= graph.GetNLayers(); ++cut)
    {
        costs.forward.push_back(static_cast<double>(m_forward[cut]) * each);
        costs.backward.push_back(static_cast<double>(m_backward[cut]) * each);
    }
    return costs;
}

double
StageCuts::GetSeconds(const Costs& costs, uint32_t first, uint32_t end)
{
    return std::max({costs.seconds[end] - costs.seconds[first],
                     costs.forward[first] + costs.backward[end],
                     costs.backward[first] + costs.forward[end]});
}

std::vector<uint32_t>
StageCuts::Get(const Strategy& strategy) const
{
    const Costs costs = GetCosts(strategy);
    const uint32_t parts = strategy.pipelineParallel * strategy.virtualStages;
    const auto layers = static_cast<uint32_t>(m_reach.size() - 1);
    // First the least time of the slowest part
    const auto slowest = [&](uint32_t first, uint32_t end, double rest) {
        return end > m_reach[first] ? std::max(rest, GetSeconds(costs, first, end))
                                    : ChainCutter::NEVER;
    };
    const double limit = ChainCutter::Cut(layers, parts, slowest).price;
    if (limit == ChainCutter::NEVER)
    {
        return {};
    }
    // Then the fewest bytes between parts that are no slower
    const auto bytes = [&](uint32_t first, uint32_t end, double rest) {
        return end > m_reach[first] && GetSeconds(costs, first, end) <= limit
                   ? rest + costs.forward[end] + costs.backward[end]
                   : ChainCutter::NEVER;
    };
    return ChainCutter::Cut(layers, parts, bytes).cuts;
}

} // namespace lightpath
} // namespace ns3
