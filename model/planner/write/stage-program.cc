/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stage-program.h"

#include "group-options.h"

#include <algorithm>
#include <set>

namespace ns3
{
namespace lightpath
{

StageProgram::StageProgram(const StagedModel& model, uint32_t stage)
    : m_model(model),
      m_operators(model.GetGraph().GetOperators()),
      m_experts(model.GetSharing().GetExperts()),
      m_messages(model, stage),
      m_stage(stage),
      m_recomputation(model),
      m_context(model, m_writer)
{
}

void
StageProgram::SetTransfer(const CacheTransfer& transfer)
{
    m_transfer = transfer;
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
    const auto passes = PipelineSchedule::GetPasses(strategy, m_stage);
    for (auto pass = passes.begin(); pass != passes.end();)
    {
        const auto end = pass + (pass->isPaired ? 2 : 1);
        WritePasses({pass, end});
        pass = end;
    }
    if (m_transfer)
    {
        m_transfer->Finish(m_writer);
    }
    m_gradients->Finish(m_nSums, m_sent);
    return m_writer.GetWriter().Finish();
}

void
StageProgram::WritePasses(const std::vector<StagePass>& passes)
{
    // The backward pass reads what the forward pass just before it has written
    const StagePass& first = passes.front();
    const bool follows = m_model.GetStrategy().recomputation == Recomputation::NONE &&
                         first.backward && !m_pass.backward && first.chunk == m_pass.chunk &&
                         first.microbatch == m_pass.microbatch;
    m_writer.Begin(!follows);
    std::vector<Progress> all;
    for (const auto& pass : passes)
    {
        all.push_back(BeginPass(pass, passes.size() > 1));
    }
    // Passes that overlap take turns: while one communicates, the GPU computes for the other
    for (bool isOpen = true; isOpen;)
    {
        isOpen = false;
        for (auto& progress : all)
        {
            Continue(progress);
            isOpen = isOpen || progress.next < progress.operators.size();
        }
    }
    if (all.front().sendAfter == UINT32_MAX)
    {
        // All results are handed over together
        WriteSends(passes, m_writer.GetEnds());
    }
    if (m_pass.backward && m_pass.gradients != PassGradients::INPUTS)
    {
        m_gradients->GetSync().EndMicrobatch();
        m_microbatches.erase({m_pass.chunk, m_pass.microbatch});
    }
}

StageProgram::Progress
StageProgram::BeginPass(const StagePass& pass, bool isPaired)
{
    m_pass = pass;
    m_part = m_model.GetPart(m_stage, pass.chunk);
    Progress progress;
    progress.pass = pass;
    progress.part = m_part;
    progress.operators = m_model.GetOperators(m_part, pass);
    // A pass that computes all gradients sends its results at its end, others as soon as they can
    const bool isWhole = pass.backward && pass.gradients == PassGradients::ALL;
    progress.sendAfter = isPaired || isWhole ? UINT32_MAX : m_messages.FindSendAfter(pass);
    // The results of other parts come first: the operators below look them up
    if (!m_messages.GetReceived(pass).empty())
    {
        const uint32_t task = WriteReceive(m_microbatches[{pass.chunk, pass.microbatch}]);
        if (isPaired)
        {
            m_writer.AddToFence(task);
        }
    }
    if (m_gather)
    {
        m_gather->BeginPass();
    }
    return progress;
}

void
StageProgram::Continue(Progress& progress)
{
    const StagePass& pass = progress.pass;
    m_pass = pass;
    m_part = progress.part;
    m_writer.SetKind(pass.backward ? Pass::BACKWARD : Pass::FORWARD);
    Microbatch& batch = m_microbatches[{pass.chunk, pass.microbatch}];
    const bool recomputes = pass.backward && pass.gradients != PassGradients::WEIGHTS;
    const uint32_t communications = m_writer.GetNCommunications();
    while (progress.next < progress.operators.size() &&
           m_writer.GetNCommunications() == communications)
    {
        const uint32_t op = progress.operators[progress.next++];
        const uint32_t layer = m_operators[op].layer;
        if (m_gather)
        {
            // The parameters of a layer are gathered before its first operator
            m_gather->Enter(m_operators[op].pass, layer);
        }
        if (recomputes && progress.layers.insert(layer).second)
        {
            // First recompute the activations that the layer has discarded
            WriteRecomputation(batch, layer);
        }
        // The operators that begin the backward pass of a layer wait for its recomputation; the
        // other operators of the layer wait for them
        const bool waits = recomputes && m_recomputation.IsFirst(op);
        WriteOperator(batch, op, false, waits ? batch.recomputed : std::vector<uint32_t>());
        if (op == progress.sendAfter)
        {
            WriteSends({pass}, {});
        }
        // Gradients are complete with the last microbatch, unless each microbatch sums its own
        if (pass.backward && pass.isLast)
        {
            m_gradients->Add(batch.computes, m_part, op);
        }
        else if (pass.backward && m_model.HasShards(2))
        {
            m_gradients->Accumulate(batch.computes, op);
        }
    }
}

void
StageProgram::WriteSends(const std::vector<StagePass>& passes, std::vector<uint32_t> after)
{
    for (const auto& pass : passes)
    {
        for (const auto producer : m_messages.GetSent(pass))
        {
            const Microbatch& batch = m_microbatches.at({pass.chunk, pass.microbatch});
            after.push_back(batch.results.Get(producer));
        }
    }
    m_sent.clear();
    for (const auto& pass : passes)
    {
        // One message carries all results that cross the boundary
        if (!m_messages.GetSent(pass).empty())
        {
            const Task message = m_messages.Make(TaskKind::SEND, pass);
            m_sent.push_back(m_writer.AddCommunication(message, after));
        }
    }
}

uint32_t
StageProgram::WriteReceive(Microbatch& batch)
{
    // Each GPU receives its share from its counterpart; an all-gather makes results whole
    const Task message = m_messages.Make(TaskKind::RECEIVE, m_pass);
    uint32_t task = m_writer.AddCommunication(message, {});
    const uint64_t whole = m_messages.GetGatheredBytes(m_pass);
    if (whole > 0)
    {
        task = AddCollective(CollectiveKind::ALL_GATHER, message.name + ".gather", whole, {task});
    }
    for (const auto op : m_messages.GetReceived(m_pass))
    {
        batch.computes.Set(op, task);
        batch.results.Set(op, task);
        WriteGather(batch, op, false);
    }
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
    after.reserve(after.size() + 8);
    AddInputs(batch, op, after);
    const auto& predecessors = m_model.GetGraph().GetPredecessors(op);
    const bool readsForward =
        std::binary_search(predecessors.begin(), predecessors.end(), description.forward);
    if (sharing.IsInputGathered(op) && (readsForward || m_pass.gradients == PassGradients::ALL))
    {
        // The gradient of the weights reads the forward operator and needs its gathered input; the
        // gradient of the input overlaps with the gather
        const uint32_t gather = WriteInputGather(batch, op, after);
        if (readsForward)
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
    if (m_transfer)
    {
        m_transfer->AddTo(description, m_writer, after);
    }
    // Then the operator itself: its own output is the result until a collective completes it
    const uint32_t task = m_context.Write(m_pass.backward, op, std::move(after));
    batch.computes.Set(op, task);
    if (m_gather)
    {
        m_gather->Note(task);
    }
    batch.results.Set(op, task);
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
        const uint32_t gathered = batch.gathered.Find(result);
        if (gathered != TaskTable::NONE && m_operators[predecessor].pass == m_operators[op].pass &&
            sharing.IsGathered(predecessor, op))
        {
            after.push_back(gathered);
            continue;
        }
        // Operators with a common sum read the partial results of each other
        const bool inside = std::binary_search(summed.begin(), summed.end(), predecessor);
        const auto& tasks = inside ? batch.computes : batch.results;
        after.push_back(tasks.Get(result));
    }
}

void
StageProgram::WriteRecomputation(Microbatch& batch, uint32_t layer)
{
    batch.recomputed.clear();
    const OperatorGraph& graph = m_model.GetGraph();
    const std::vector<uint32_t> chosen = m_recomputation.GetOperators(layer);
    if (chosen.empty())
    {
        return;
    }
    // They begin once the gradient of the layer's output is ready: earlier, their results would
    // only take up memory
    const std::vector<uint32_t> gate = m_recomputation.GetGate(layer, batch.results);
    const std::set<uint32_t> inside(chosen.begin(), chosen.end());
    for (const auto op : chosen)
    {
        // Gathered inputs were discarded: gather them again
        for (const auto predecessor : graph.GetPredecessors(op))
        {
            const uint32_t result = m_experts.GetResult(predecessor, op);
            if (inside.count(predecessor) == 0 && batch.gathered.Erase(result) &&
                m_model.GetSharing().IsGathered(predecessor, op))
            {
                std::vector<uint32_t> after = gate;
                after.push_back(batch.results.Get(result));
                batch.gathered.Set(result,
                                   AddCollective(CollectiveKind::ALL_GATHER,
                                                 m_operators[predecessor].name + ".gather",
                                                 m_model.GetBytes(m_experts.GetResultBytes(result)),
                                                 after,
                                                 m_experts.GetRouted(predecessor, op)));
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
            batch.recomputed.push_back(batch.results.Get(op));
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
        after.push_back(batch.computes.Get(member));
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
                      after,
                      m_experts.GetRouted(description));
    for (const auto member : summed)
    {
        batch.results.Set(member, sum);
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
            batch.results.Set(result,
                              m_writer.AddCommunication(MakeExchange(op), {batch.results.Get(op)}));
        }
        if (m_model.GetSharing().IsGathered(op, successor) && gathered.insert(result).second)
        {
            batch.gathered.Set(result,
                               AddCollective(CollectiveKind::ALL_GATHER,
                                             m_operators[op].name + ".gather",
                                             m_model.GetBytes(m_experts.GetResultBytes(result)),
                                             {batch.results.Get(result)},
                                             m_experts.GetRouted(op, successor)));
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
    m_experts.Route(op, task);
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
                                        after,
                                        m_experts.GetRouted(m_operators[op]));
    batch.inputs[inputs] = task;
    return task;
}

uint32_t
StageProgram::AddCollective(CollectiveKind kind,
                            const std::string& name,
                            uint64_t bytes,
                            const std::vector<uint32_t>& after,
                            const RoutedLayer& routed)
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
    task.routed = routed;
    return m_writer.AddCommunication(std::move(task), after);
}

} // namespace lightpath
} // namespace ns3
