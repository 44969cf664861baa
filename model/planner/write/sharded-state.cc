/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sharded-state.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

void
ShardedState::Check(const Strategy& strategy)
{
    const std::string stage = "ZeroStage is " + std::to_string(strategy.zeroStage);
    if (strategy.zeroStage > 3)
    {
        throw std::invalid_argument(stage + ", but must be 0, 1, 2 or 3");
    }
    if (strategy.zeroStage > 1 && strategy.pipelineParallel > 1)
    {
        throw std::invalid_argument(
            stage +
            ", which would send what a stage of the pipeline shares out once for each microbatch: "
            "with PipelineParallel above 1 it must be 0 or 1");
    }
    if (strategy.wholeGradients && strategy.zeroStage != 3)
    {
        throw std::invalid_argument(stage + ", but WholeGradients belongs to stage 3: gradients "
                                            "are whole with ZeroStage 0 and 1 anyway");
    }
    const uint32_t gpus = strategy.shardGpus;
    if (gpus == 0)
    {
        return;
    }
    const std::string begin = "ShardGpus is " + std::to_string(gpus) + ", but ";
    if (gpus == 1 || strategy.GetDataMembers() % gpus != 0)
    {
        throw std::invalid_argument(begin + "must be 2 or more and divide the " +
                                    std::to_string(strategy.GetDataMembers()) +
                                    " GPUs with the same part of the model");
    }
    if (strategy.zeroStage == 0)
    {
        throw std::invalid_argument(begin + "nothing is shared out: ZeroStage must be 1, 2 or 3");
    }
    if (strategy.expertParallel > 1 || strategy.schedule == PipelineScheduleKind::DUALPIPE)
    {
        throw std::invalid_argument(
            begin + "experts that are shared out, and parts of a model that two stages hold "
                    "(DualPipe), have state on other GPUs: it must be 0");
    }
}

ShardedState::ShardedState(const StagedModel& model)
    : m_model(model),
      m_bytes(model.GetGraph().GetNLayers(), 0)
{
    const OperatorGraph& graph = model.GetGraph();
    const auto& operators = graph.GetOperators();
    // A layer gathers the parameters whose gradients its operators make
    for (const auto update : model.GetUpdates(0))
    {
        std::set<uint32_t> layers;
        for (const auto maker : GetMakers(update))
        {
            layers.insert(operators[maker].layer);
        }
        for (const auto layer : layers)
        {
            m_bytes[layer] +=
                model.GetSharing().GetParameters(operators[update]) * graph.parameterBytes;
        }
    }
    // The steps: the layers in the order in which the passes enter them
    for (const auto pass : {Pass::FORWARD, Pass::BACKWARD})
    {
        bool isFirst = true;
        for (const auto op : model.GetPartition().GetOperators(0, pass))
        {
            const uint32_t layer = operators[op].layer;
            if (m_bytes[layer] > 0 && (isFirst || m_steps.back() != layer))
            {
                m_steps.push_back(layer);
                isFirst = false;
            }
        }
    }
}

std::set<uint32_t>
ShardedState::GetMakers(uint32_t update) const
{
    const OperatorGraph& graph = m_model.GetGraph();
    const auto& sources = m_model.GetGradients().GetSources(update);
    std::set<uint32_t> makers(sources.begin(), sources.end());
    for (const auto source : sources)
    {
        for (const auto other : graph.GetPredecessors(source))
        {
            const Operator& op = graph.GetOperators()[other];
            // Its only result is a gradient of parameters that both operators use
            if (op.pass == Pass::BACKWARD && op.outputBytes == 0)
            {
                makers.insert(other);
            }
        }
    }
    return makers;
}

uint64_t
ShardedState::GetLayerBytes(uint32_t layer) const
{
    return m_bytes.at(layer);
}

const std::vector<uint32_t>&
ShardedState::GetSteps() const
{
    return m_steps;
}

uint64_t
ShardedState::GetParameterBytes() const
{
    const OperatorGraph& graph = m_model.GetGraph();
    const uint64_t replicas = m_model.GetStrategy().GetShardMembers();
    uint64_t bytes = 0;
    for (const auto update : m_model.GetUpdates(0))
    {
        const uint64_t own = m_model.GetSharing().GetParameters(graph.GetOperators()[update]);
        bytes += (own + replicas - 1) / replicas * graph.parameterBytes;
    }
    // Besides its share a GPU holds the layer of the current step and the one gathered for the next
    uint64_t whole = 0;
    for (std::size_t i = 0; i < m_steps.size(); ++i)
    {
        // The first step of a microbatch follows the last one of the microbatch before
        const bool isLast = i + 1 == m_steps.size();
        const bool hasNext = !isLast || m_model.GetStrategy().microbatches > 1;
        const uint64_t next = hasNext ? m_bytes[m_steps[isLast ? 0 : i + 1]] : 0;
        whole = std::max(whole, m_bytes[m_steps[i]] + next);
    }
    return bytes + whole;
}

uint64_t
ShardedState::GetGradientBytes() const
{
    const OperatorGraph& graph = m_model.GetGraph();
    const uint64_t replicas = m_model.GetStrategy().GetShardMembers();
    uint64_t bytes = 0;
    for (const auto update : m_model.GetUpdates(0))
    {
        const uint64_t own = m_model.GetSharing().GetParameters(graph.GetOperators()[update]);
        // Late gradients are whole until they are summed
        bytes += (IsLate(update) ? own : (own + replicas - 1) / replicas) * graph.gradientBytes;
    }
    return bytes + GetBucketBytes();
}

uint64_t
ShardedState::GetBucketBytes() const
{
    const GradientMap& gradients = m_model.GetGradients();
    // By operator, the updates whose first gradient it makes
    std::vector<std::vector<uint32_t>> begun(m_model.GetGraph().GetOperators().size());
    for (const auto update : m_model.GetUpdates(0))
    {
        if (!IsLate(update))
        {
            begun[*GetMakers(update).begin()].push_back(update);
        }
    }
    uint64_t begunBytes = 0; // some, but not all of their operators have run
    uint64_t filled = 0;     // in the bucket that is being filled
    uint64_t summed = 0;     // in the bucket whose sum is on its way
    uint64_t most = 0;
    // The sum of the last bucket of a microbatch is on its way as the next one begins
    for (uint32_t i = 0; i < std::min(m_model.GetStrategy().microbatches, 2U); ++i)
    {
        for (const auto op : m_model.GetPartition().GetOperators(0, Pass::BACKWARD))
        {
            for (const auto update : begun[op])
            {
                begunBytes += m_model.GetGradientBytes(update);
            }
            most = std::max(most, begunBytes + filled + summed);
            // Complete gradients go into the bucket; a full bucket is summed
            for (const auto update : gradients.GetUpdates(op))
            {
                if (IsLate(update))
                {
                    continue;
                }
                begunBytes -= m_model.GetGradientBytes(update);
                filled += m_model.GetGradientBytes(update);
                if (filled >= m_model.GetStrategy().bucketBytes)
                {
                    summed = filled;
                    filled = 0;
                }
            }
        }
        summed = filled > 0 ? filled : summed;
        filled = 0;
    }
    return most;
}

bool
ShardedState::IsLate(uint32_t update) const
{
    return m_model.GetSharing().IsGradientPartial(m_model.GetGraph().GetOperators()[update]);
}

} // namespace lightpath
} // namespace ns3
