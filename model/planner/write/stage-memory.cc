/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stage-memory.h"

#include "sharded-state.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Bytes of a number in half precision.
constexpr uint64_t HALF_BYTES = 2;

} // namespace

StageMemory::StageMemory(const StagedModel& model)
    : m_model(model)
{
    FindLastUses();
    for (uint32_t part = 0; part < model.GetPartition().GetNParts(); ++part)
    {
        m_kept.push_back(GetKept(part));
        m_kept.back().workspace = GetWorkspace(part, m_kept.back());
    }
}

uint64_t
StageMemory::GetResultBytes(uint32_t op) const
{
    const TensorSharing& sharing = m_model.GetSharing();
    const uint64_t bytes = m_model.GetBytes(m_model.GetGraph().GetOperators()[op].outputBytes);
    return sharing.GetLayout(op) == TensorSharing::Layout::WHOLE ? bytes : sharing.Divide(bytes);
}

StageMemory::Kept
StageMemory::GetKept(uint32_t part) const
{
    const OperatorGraph& graph = m_model.GetGraph();
    const auto& operators = graph.GetOperators();
    const LayerPartition& partition = m_model.GetPartition();
    const uint64_t samples = m_model.GetSamples();
    Kept kept;
    kept.late =
        m_model.GetDeferred().GetKeptBytes(graph, part, partition, m_model.GetSharing(), samples);
    std::map<uint32_t, uint64_t> recomputed;          // by layer
    std::set<uint32_t> inputs;                        // of recomputed operators
    std::set<std::pair<uint32_t, uint32_t>> perLayer; // layer and input of it
    for (const auto op : partition.GetOperators(part, Pass::FORWARD))
    {
        const uint32_t layer = operators[op].layer;
        const uint64_t bytes = m_model.GetSharing().GetSavedBytes(operators[op], samples);
        if (!m_model.IsRecomputed(operators[op]))
        {
            kept.bytes += bytes;
            continue;
        }
        // These bytes exist during the backward pass of the layer only
        recomputed[layer] += bytes;
        for (const auto input : graph.GetPredecessors(op))
        {
            if (!m_model.IsRecomputed(operators[input]) || operators[input].layer != layer)
            {
                inputs.insert(input);
                perLayer.insert({layer, input});
            }
        }
    }
    for (const auto input : inputs)
    {
        kept.bytes += GetResultBytes(input);
    }
    // The saved bytes of an operator include its inputs, which are counted above
    for (const auto& [layer, input] : perLayer)
    {
        recomputed[layer] -= std::min(recomputed[layer], GetResultBytes(input));
    }
    for (const auto& layer : recomputed)
    {
        kept.working = std::max(kept.working, layer.second);
    }
    return kept;
}

uint64_t
StageMemory::GetGatheredBytes(uint32_t op) const
{
    const auto& operators = m_model.GetGraph().GetOperators();
    const TensorSharing& sharing = m_model.GetSharing();
    uint64_t bytes = 0;
    if (sharing.IsInputGathered(op))
    {
        bytes += m_model.GetBytes(operators[operators[op].forward].inputBytes);
    }
    for (const auto from : m_model.GetGraph().GetPredecessors(op))
    {
        if (operators[from].pass == Pass::BACKWARD && sharing.IsGathered(from, op))
        {
            bytes += m_model.GetBytes(operators[from].outputBytes);
        }
    }
    return bytes;
}

void
StageMemory::FindLastUses()
{
    const OperatorGraph& graph = m_model.GetGraph();
    const auto& operators = graph.GetOperators();
    const LayerPartition& partition = m_model.GetPartition();
    std::vector<uint32_t> lastReaders(operators.size(), 0);
    m_lastBackward.assign(operators.size(), 0);
    m_freed.assign(operators.size(), 0);
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        if (operators[op].pass != Pass::BACKWARD)
        {
            continue;
        }
        lastReaders[op] = op;
        m_lastBackward[operators[op].forward] = op;
        for (const auto from : graph.GetPredecessors(op))
        {
            const bool isNear = partition.GetPart(from) == partition.GetPart(op);
            lastReaders[from] = isNear ? op : lastReaders[from];
        }
    }
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        if (operators[op].pass == Pass::BACKWARD)
        {
            m_freed[lastReaders[op]] += GetResultBytes(op);
        }
    }
}

uint64_t
StageMemory::GetWorkspace(uint32_t part, const Kept& kept) const
{
    const auto& operators = m_model.GetGraph().GetOperators();
    // Recomputed activations of a layer count as its working memory all the time
    const uint64_t before = kept.bytes + kept.working;
    uint64_t live = before;
    uint64_t most = before;
    for (const auto op : m_model.GetPartition().GetOperators(part, Pass::BACKWARD))
    {
        const Operator& forward = operators[operators[op].forward];
        const uint64_t made = GetResultBytes(op);
        const uint64_t saved = m_model.GetSharing().GetSavedBytes(forward, m_model.GetSamples());
        const bool isOverwritten = forward.kind == OperatorKind::LOSS && saved == made;
        live += isOverwritten ? 0 : made;
        most = std::max(most, live + GetGatheredBytes(op));
        live -= std::min(live, m_freed[op]);
        if (m_lastBackward[forward.forward] == op && !isOverwritten &&
            !m_model.IsRecomputed(forward))
        {
            live -= std::min(live, saved);
        }
    }
    return most - before;
}

bool
StageMemory::IsOfProduct(uint32_t update) const
{
    const OperatorGraph& graph = m_model.GetGraph();
    const auto& operators = graph.GetOperators();
    const auto isProduct = [&](uint32_t op) {
        return operators[op].kind == OperatorKind::MATMUL && operators[op].pass == Pass::BACKWARD &&
               operators[op].outputBytes == 0;
    };
    const auto& sources = m_model.GetGradients().GetSources(update);
    return std::any_of(sources.begin(), sources.end(), [&](uint32_t source) {
        // A product with the table of an embedding passes its gradient on to that of the embedding
        const auto& before = graph.GetPredecessors(source);
        return isProduct(source) || std::any_of(before.begin(), before.end(), isProduct);
    });
}

uint64_t
StageMemory::GetPlaceholderBytes(uint32_t stage) const
{
    const OperatorGraph& graph = m_model.GetGraph();
    const auto& operators = graph.GetOperators();
    if (graph.gradientBytes <= graph.parameterBytes || m_model.GetStrategy().zeroStage > 1)
    {
        return 0;
    }
    // Products with as many parameters have the same shape
    std::set<uint64_t> shapes;
    for (const auto update : m_model.GetUpdates(stage))
    {
        if (IsOfProduct(update))
        {
            const Operator& forward = operators[operators[update].forward];
            const uint32_t sharers = m_model.GetSharing().GetExperts().GetSharers(forward);
            const uint64_t experts = std::max(forward.experts / std::max(sharers, 1U), 1U);
            shapes.insert(m_model.GetSharing().GetParameters(operators[update]) / experts);
        }
    }
    uint64_t bytes = 0;
    for (const auto parameters : shapes)
    {
        bytes += parameters * HALF_BYTES;
    }
    return bytes;
}

MemoryUse
StageMemory::GetUse(uint32_t stage) const
{
    MemoryUse memory;
    const OperatorGraph& graph = m_model.GetGraph();
    for (const auto update : m_model.GetUpdates(stage))
    {
        const Operator& op = graph.GetOperators()[update];
        const uint64_t parameters = m_model.GetSharing().GetParameters(op);
        const uint64_t shares = m_model.GetNShares(op);
        memory.parameters += parameters * graph.parameterBytes;
        memory.gradients += m_model.GetGradientBytes(update);
        memory.optimizer += (parameters + shares - 1) / shares * graph.optimizerBytes;
    }
    if (m_model.HasShards(2) || m_model.HasShards(3))
    {
        const ShardedState state(m_model);
        memory.gradients = m_model.HasShards(2) ? state.GetGradientBytes() : memory.gradients;
        memory.parameters = m_model.HasShards(3) ? state.GetParameterBytes() : memory.parameters;
    }
    uint64_t bytes = 0;
    uint64_t most = 0;
    // Forward passes add activations. Backward passes free them, or leave what gradients that are
    // put off need
    for (const auto& pass : PipelineSchedule::GetPasses(m_model.GetStrategy(), stage))
    {
        const Kept& mine = m_kept[m_model.GetPart(stage, pass.chunk)];
        const bool isLate = pass.gradients == PassGradients::WEIGHTS;
        const bool isBackward = pass.backward && !isLate;
        const uint64_t freed = !pass.backward ? 0 : isLate ? mine.late : mine.bytes;
        const uint64_t left = pass.gradients == PassGradients::INPUTS ? mine.late : 0;
        bytes += pass.backward ? 0 : mine.bytes;
        const uint64_t activations =
            bytes - freed + std::max(freed, left) + (isBackward ? mine.working : 0);
        memory.activations = std::max(memory.activations, activations);
        most = std::max(most, activations + (isBackward ? mine.workspace : 0));
        bytes += left - freed;
    }
    memory.workspace = most - memory.activations + GetPlaceholderBytes(stage);
    return memory;
}

} // namespace lightpath
} // namespace ns3
