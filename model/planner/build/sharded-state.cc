/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sharded-state.h"

#include <algorithm>
#include <set>

namespace ns3
{
namespace lightpath
{

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
    const uint64_t replicas = m_model.GetStrategy().GetDataMembers();
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
    const uint64_t replicas = m_model.GetStrategy().GetDataMembers();
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
