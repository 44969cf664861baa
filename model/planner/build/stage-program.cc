/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stage-program.h"

#include "group-options.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace ns3
{
namespace lightpath
{

StageProgram::StageProgram(const StagedModel& model, uint32_t stage)
    : m_model(model),
      m_operators(model.GetGraph().GetOperators()),
      m_experts(model.GetSharing().GetExperts()),
      m_stage(stage),
      m_context(model, m_writer)
{
    if (model.GetStrategy().recomputation != Recomputation::NONE)
    {
        m_layers.resize(model.GetGraph().GetNLayers());
        for (uint32_t op = 0; op < m_operators.size(); ++op)
        {
            m_layers[m_operators[op].layer].push_back(op);
        }
    }
}

std::shared_ptr<const RankProgram>
StageProgram::Write(uint64_t bucketBytes)
{
    const Strategy& strategy = m_model.GetStrategy();
    m_gradients = std::make_unique<StageGradients>(m_model, m_stage, m_writer, bucketBytes);
    if (m_model.HasShards(3))
    {
        m_gather = std::make_unique<ParameterGather>(m_model, m_gradients->GetSync());
    }
    for (const auto& pass : PipelineSchedule::GetPasses(strategy, m_stage))
    {
        // The backward pass reads what the forward pass just before it has written
        const bool follows = strategy.recomputation == Recomputation::NONE && pass.backward &&
                             !m_pass.backward && pass.chunk == m_pass.chunk &&
                             pass.microbatch == m_pass.microbatch;
        m_writer.Begin(pass.backward ? Pass::BACKWARD : Pass::FORWARD, !follows);
        m_pass = pass;
        WritePass(pass);
    }
    m_gradients->Finish(m_nSums);
    return m_writer.GetWriter().Finish();
}

uint32_t
StageProgram::FindSendAfter() const
{
    const LayerPartition& partition = m_model.GetPartition();
    // The first part passes no gradients on, the last part no activations
    const bool isEnd = m_pass.backward ? m_part == 0 : m_part + 1 == partition.GetNParts();
    if (isEnd)
    {
        return UINT32_MAX;
    }
    uint32_t last = UINT32_MAX;
    for (const auto op : partition.GetInputs(m_pass.backward ? m_part - 1 : m_part + 1,
                                             m_pass.backward ? Pass::BACKWARD : Pass::FORWARD))
    {
        // A result that is summed together with others is complete after the last one of them
        const auto& summed = m_model.GetSharing().GetSummed(op);
        const uint32_t end = summed.empty() ? op : summed.back();
        last = last == UINT32_MAX ? end : std::max(last, end);
    }
    return last;
}

void
StageProgram::WritePass(const StagePass& pass)
{
    m_part = m_model.GetPart(m_stage, pass.chunk);
    m_sendAfter = FindSendAfter();
    const LayerPartition& partition = m_model.GetPartition();
    const Pass kind = pass.backward ? Pass::BACKWARD : Pass::FORWARD;
    Microbatch& batch = m_microbatches[{pass.chunk, pass.microbatch}];
    // The results of other parts come first: the operators below look them up
    if (!partition.GetInputs(m_part, kind).empty())
    {
        WriteReceive(batch);
    }
    if (m_gather)
    {
        m_gather->BeginPass();
    }
    const bool isLastBatch = pass.microbatch + 1 == m_model.GetStrategy().microbatches;
    std::set<uint32_t> layers;
    for (const auto op : partition.GetOperators(m_part, kind))
    {
        const uint32_t layer = m_operators[op].layer;
        if (m_gather)
        {
            // The parameters of a layer are gathered before its first operator
            m_gather->Enter(kind, layer);
        }
        if (pass.backward && layers.insert(layer).second)
        {
            // First recompute the activations that the layer has discarded
            WriteRecomputation(batch, layer);
        }
        WriteOperator(batch, op, false, GetRecomputed(batch, op));
        WriteSend(batch, op);
        // Gradients are complete with the last microbatch, unless each microbatch sums its own
        if (pass.backward && isLastBatch)
        {
            m_gradients->Add(batch.computes, m_part, op);
        }
        else if (pass.backward && m_model.HasShards(2))
        {
            m_gradients->Accumulate(batch.computes, op);
        }
    }
    if (pass.backward)
    {
        m_gradients->GetSync().EndMicrobatch();
        m_microbatches.erase({pass.chunk, pass.microbatch});
    }
}

std::vector<uint32_t>
StageProgram::GetRecomputed(const Microbatch& batch, uint32_t op) const
{
    // The operators that begin the backward pass of a layer wait for its recomputation; the other
    // operators of the layer wait for them
    const auto& predecessors = m_model.GetGraph().GetPredecessors(op);
    const bool isFirst =
        std::none_of(predecessors.begin(), predecessors.end(), [&](uint32_t predecessor) {
            return m_operators[predecessor].pass == Pass::BACKWARD &&
                   m_operators[predecessor].layer == m_operators[op].layer;
        });
    return isFirst ? batch.recomputed : std::vector<uint32_t>();
}

void
StageProgram::WriteReceive(Microbatch& batch)
{
    const uint32_t boundary = m_pass.backward ? m_part + 1 : m_part;
    const auto& received =
        m_model.GetPartition().GetInputs(m_part, m_pass.backward ? Pass::BACKWARD : Pass::FORWARD);
    const Task message = MakeMessage(TaskKind::RECEIVE, boundary);
    // Each GPU receives its share from its counterpart; an all-gather makes results whole
    uint32_t task = m_writer.AddCommunication(message, {});
    const uint64_t whole = m_model.GetInputBytes(boundary).second;
    if (whole > 0)
    {
        task = AddCollective(CollectiveKind::ALL_GATHER, message.name + ".gather", whole, {task});
    }
    for (const auto op : received)
    {
        batch.computes[op] = task;
        batch.results[op] = task;
        WriteGather(batch, op, false);
    }
}

void
StageProgram::WriteSend(const Microbatch& batch, uint32_t op)
{
    if (op != m_sendAfter)
    {
        return;
    }
    const uint32_t boundary = m_pass.backward ? m_part : m_part + 1;
    const auto& sent = m_pass.backward
                           ? m_model.GetPartition().GetInputs(m_part - 1, Pass::BACKWARD)
                           : m_model.GetPartition().GetInputs(m_part + 1, Pass::FORWARD);
    // One message carries all results that cross the boundary
    std::vector<uint32_t> after;
    for (const auto producer : sent)
    {
        after.push_back(batch.results.at(producer));
    }
    m_writer.AddCommunication(MakeMessage(TaskKind::SEND, boundary), after);
}

Task
StageProgram::MakeMessage(TaskKind kind, uint32_t part) const
{
    const uint32_t stages = m_model.GetStrategy().pipelineParallel;
    // Gradients go from a part to the one before, activations to the one behind
    const bool isBefore = (kind == TaskKind::SEND) == m_pass.backward;
    Task task;
    task.kind = kind;
    task.pass = m_pass.backward ? Pass::BACKWARD : Pass::FORWARD;
    task.name = m_pass.backward ? "activation-gradients" : "activations";
    task.group = PIPELINE_GROUP;
    task.peer = (isBefore ? m_part + m_model.GetPartition().GetNParts() - 1 : m_part + 1) % stages;
    // Both ends derive the same number from boundary, direction and microbatch
    task.operation = (2 * part + (m_pass.backward ? 1 : 0)) * m_model.GetStrategy().microbatches +
                     m_pass.microbatch;
    task.bytes = m_model.GetInputBytes(part).first;
    return task;
}

void
StageProgram::WriteOperator(Microbatch& batch,
                            uint32_t op,
                            bool isRecomputed,
                            std::vector<uint32_t> after)
{
    const Operator& description = m_operators[op];
    const TensorSharing& sharing = m_model.GetSharing();
    // First the tasks that the operator waits for: its inputs, in the form that it reads them
    AddInputs(batch, op, after);
    if (sharing.IsInputGathered(op))
    {
        // The gradient of the weights reads the forward operator and needs its gathered input; the
        // gradient of the input overlaps with the gather
        const uint32_t gather = WriteInputGather(batch, op, after);
        const auto& predecessors = m_model.GetGraph().GetPredecessors(op);
        if (std::binary_search(predecessors.begin(), predecessors.end(), description.forward))
        {
            after.push_back(gather);
        }
    }
    // With shared state: the sums that must free memory first, and the parameters of the layer
    m_gradients->GetSync().AddGate(after);
    if (m_gather)
    {
        m_gather->AddTo(description.layer, after);
    }
    // Then the operator itself: its own output is the result until a collective completes it
    batch.computes[op] = m_context.Write(m_pass.backward, description, std::move(after));
    if (m_gather)
    {
        m_gather->Note(batch.computes[op]);
    }
    batch.results[op] = batch.computes[op];
    // Last the collectives: a sum of partial results once all of them are ready, then the gathers
    // of results that other operators read whole
    WriteSum(batch, op);
    const auto& summed = sharing.GetSummed(op);
    if (summed.empty())
    {
        WriteGather(batch, op, isRecomputed);
    }
    else if (op == summed.back())
    {
        for (const auto member : summed)
        {
            WriteGather(batch, member, isRecomputed);
        }
    }
}

void
StageProgram::AddInputs(const Microbatch& batch, uint32_t op, std::vector<uint32_t>& after) const
{
    const TensorSharing& sharing = m_model.GetSharing();
    const auto& summed = sharing.GetSummed(op);
    for (const auto predecessor : m_model.GetGraph().GetPredecessors(op))
    {
        if (m_model.GetPartition().IsShared(predecessor, op))
        {
            // The gradient of a tied parameter, which is summed at the end
            continue;
        }
        const uint32_t result = m_experts.GetResult(predecessor, op);
        const auto gathered = batch.gathered.find(result);
        if (gathered != batch.gathered.end() &&
            m_operators[predecessor].pass == m_operators[op].pass &&
            sharing.IsGathered(predecessor, op))
        {
            after.push_back(gathered->second);
            continue;
        }
        // Operators with a common sum read the partial results of each other
        const bool inside = std::binary_search(summed.begin(), summed.end(), predecessor);
        const auto& tasks = inside ? batch.computes : batch.results;
        after.push_back(tasks.at(result));
    }
}

std::vector<uint32_t>
StageProgram::GetGate(const Microbatch& batch, uint32_t layer) const
{
    // The gradients that enter the layer, once each
    std::vector<uint32_t> gate;
    for (const auto op : m_layers[layer])
    {
        for (const auto predecessor : m_model.GetGraph().GetPredecessors(op))
        {
            const auto result = batch.results.find(m_experts.GetResult(predecessor, op));
            if (m_operators[op].pass == Pass::BACKWARD && m_operators[predecessor].layer != layer &&
                m_operators[predecessor].pass == Pass::BACKWARD && result != batch.results.end())
            {
                gate.push_back(result->second);
            }
        }
    }
    std::sort(gate.begin(), gate.end());
    gate.erase(std::unique(gate.begin(), gate.end()), gate.end());
    return gate;
}

void
StageProgram::WriteRecomputation(Microbatch& batch, uint32_t layer)
{
    batch.recomputed.clear();
    if (m_layers.empty())
    {
        return;
    }
    const OperatorGraph& graph = m_model.GetGraph();
    // The operators of the layer that are recomputed
    std::vector<uint32_t> chosen;
    std::copy_if(m_layers[layer].begin(),
                 m_layers[layer].end(),
                 std::back_inserter(chosen),
                 [this](uint32_t op) { return m_model.IsRecomputed(m_operators[op]); });
    if (chosen.empty())
    {
        return;
    }
    // They begin once the gradient of the layer's output is ready: earlier, their results would
    // only take up memory
    const std::vector<uint32_t> gate = GetGate(batch, layer);
    const std::set<uint32_t> inside(chosen.begin(), chosen.end());
    for (const auto op : chosen)
    {
        // Gathered inputs were discarded: gather them again
        for (const auto predecessor : graph.GetPredecessors(op))
        {
            const uint32_t result = m_experts.GetResult(predecessor, op);
            if (inside.count(predecessor) == 0 && batch.gathered.erase(result) > 0 &&
                m_model.GetSharing().IsGathered(predecessor, op))
            {
                std::vector<uint32_t> after = gate;
                after.push_back(batch.results.at(result));
                batch.gathered[result] =
                    AddCollective(CollectiveKind::ALL_GATHER,
                                  m_operators[predecessor].name + ".gather",
                                  m_model.GetBytes(m_experts.GetResultBytes(result)),
                                  after);
            }
        }
        const auto& predecessors = graph.GetPredecessors(op);
        const bool isFirst =
            std::none_of(predecessors.begin(), predecessors.end(), [&](uint32_t predecessor) {
                return inside.count(predecessor) > 0;
            });
        WriteOperator(batch, op, true, isFirst ? gate : std::vector<uint32_t>());
        // The backward pass of the layer waits for the last recomputed operators
        const auto& successors = graph.GetSuccessors(op);
        if (std::none_of(successors.begin(), successors.end(), [&](uint32_t successor) {
                return inside.count(successor) > 0;
            }))
        {
            batch.recomputed.push_back(batch.results.at(op));
        }
    }
}

void
StageProgram::WriteSum(Microbatch& batch, uint32_t op)
{
    const auto& summed = m_model.GetSharing().GetSummed(op);
    if (summed.empty() || op != summed.back())
    {
        return;
    }
    std::vector<uint32_t> after;
    for (const auto member : summed)
    {
        after.push_back(batch.computes.at(member));
    }
    // Forward, the result is summed; backward, the gradient of the input
    const Operator& description = m_operators[op];
    const uint64_t bytes = description.pass == Pass::FORWARD
                               ? description.outputBytes
                               : m_operators[description.forward].inputBytes;
    const bool isScattered = m_model.GetSharing().GetLayout(op) == TensorSharing::Layout::TOKENS;
    const uint32_t sum =
        AddCollective(isScattered ? CollectiveKind::REDUCE_SCATTER : CollectiveKind::ALL_REDUCE,
                      description.name + ".sum",
                      m_model.GetBytes(bytes),
                      after);
    for (const auto member : summed)
    {
        batch.results[member] = sum;
    }
}

bool
StageProgram::IsRead(uint32_t op, uint32_t successor, bool isRecomputed) const
{
    const Operator& reader = m_operators[successor];
    return reader.pass == m_operators[op].pass &&
           m_model.GetPartition().GetPart(successor) == m_part &&
           (!isRecomputed ||
            (reader.layer == m_operators[op].layer && m_model.IsRecomputed(reader)));
}

void
StageProgram::WriteGather(Microbatch& batch, uint32_t op, bool isRecomputed)
{
    // Each result is exchanged and gathered once, however many operators read it. The exchange
    // comes first: the gather makes the received tokens whole
    std::set<uint32_t> exchanged;
    std::set<uint32_t> gathered;
    for (const auto successor : m_model.GetGraph().GetSuccessors(op))
    {
        if (!IsRead(op, successor, isRecomputed))
        {
            continue;
        }
        const uint32_t result = m_experts.GetResult(op, successor);
        if (result != op && exchanged.insert(result).second)
        {
            batch.results[result] =
                m_writer.AddCommunication(MakeExchange(op), {batch.results.at(op)});
        }
        if (m_model.GetSharing().IsGathered(op, successor) && gathered.insert(result).second)
        {
            batch.gathered[result] =
                AddCollective(CollectiveKind::ALL_GATHER,
                              m_operators[op].name + ".gather",
                              m_model.GetBytes(m_experts.GetResultBytes(result)),
                              {batch.results.at(result)});
        }
    }
}

Task
StageProgram::MakeExchange(uint32_t op)
{
    const Strategy& strategy = m_model.GetStrategy();
    const TensorSharing& sharing = m_model.GetSharing();
    const uint64_t bytes = m_model.GetBytes(m_experts.GetExchangedBytes(op));
    const bool isWhole = sharing.GetLayout(op) == TensorSharing::Layout::WHOLE;
    Task task;
    task.kind = TaskKind::COLLECTIVE;
    task.pass = m_pass.backward ? Pass::BACKWARD : Pass::FORWARD;
    task.name = m_operators[op].name + ".exchange";
    task.group = EXPERT_GROUP;
    task.operation = m_nExchanges++;
    task.bytes = isWhole ? bytes : sharing.Divide(bytes);
    task.collective = CollectiveKind::ALL_TO_ALL;
    task.options.local = GroupOptions::GetLocal(m_model.GetProblem(),
                                                m_experts.GetStride(),
                                                strategy.expertParallel);
    return task;
}

uint32_t
StageProgram::WriteInputGather(Microbatch& batch, uint32_t op, const std::vector<uint32_t>& after)
{
    const uint32_t forward = m_operators[op].forward;
    std::vector<uint32_t> inputs;
    for (const auto predecessor : m_model.GetGraph().GetPredecessors(forward))
    {
        inputs.push_back(m_experts.GetResult(predecessor, forward));
    }
    // Operators with the same inputs share the gather
    const auto found = batch.inputs.find(inputs);
    if (found != batch.inputs.end())
    {
        return found->second;
    }
    const uint32_t task = AddCollective(CollectiveKind::ALL_GATHER,
                                        m_operators[forward].name + ".input-gather",
                                        m_model.GetBytes(m_operators[forward].inputBytes),
                                        after);
    batch.inputs[inputs] = task;
    return task;
}

uint32_t
StageProgram::AddCollective(CollectiveKind kind,
                            const std::string& name,
                            uint64_t bytes,
                            const std::vector<uint32_t>& after)
{
    Task task;
    task.kind = TaskKind::COLLECTIVE;
    task.pass = m_pass.backward ? Pass::BACKWARD : Pass::FORWARD;
    task.name = name;
    task.group = TENSOR_GROUP;
    task.operation = m_nSums++;
    task.bytes = bytes;
    task.collective = kind;
    task.options = GroupOptions::GetTensor(m_model);
    return m_writer.AddCommunication(std::move(task), after);
}

} // namespace lightpath
} // namespace ns3
