/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stage-program.h"

#include "model/collective/multi-ring-schedule.h"

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
      m_exchange(model),
      m_stage(stage)
{
}

CollectiveOptions
StageProgram::GetTensorOptions(const StagedModel& model)
{
    const Strategy& strategy = model.GetStrategy();
    return {GetLocal(model.GetProblem(), 1, strategy.tensorParallel),
            strategy.tensorAlgorithm,
            strategy.tensorRings};
}

CollectiveOptions
StageProgram::GetDataOptions(const StagedModel& model)
{
    const Strategy& strategy = model.GetStrategy();
    const FabricLimits& fabric = model.GetProblem().fabric;
    const bool isDataAlone = strategy.tensorParallel == 1 && strategy.pipelineParallel == 1 &&
                             strategy.expertParallel == 1;
    if (isDataAlone && strategy.zeroStage == 0 && fabric.averagedBits > 0)
    {
        return {1, CollectiveAlgorithm::IN_NETWORK};
    }
    if (isDataAlone && strategy.dataParallel > 2 &&
        strategy.dataAlgorithm == CollectiveAlgorithm::AUTOMATIC && fabric.peerBitRate > 0 &&
        fabric.peerBitRate < fabric.bitRate && fabric.degree != 1)
    {
        return {1, CollectiveAlgorithm::MULTI_RING, 2};
    }
    return {GetLocal(model.GetProblem(), strategy.tensorParallel, strategy.dataParallel),
            strategy.dataAlgorithm,
            strategy.dataRings};
}

CollectiveOptions
StageProgram::GetExpertOptions(const StagedModel& model)
{
    const Strategy& strategy = model.GetStrategy();
    const uint32_t same = strategy.dataParallel / strategy.expertParallel;
    const uint32_t local =
        GetLocal(model.GetProblem(), strategy.tensorParallel * strategy.expertParallel, same);
    // What suits the groups of all replicas may need more members than these have
    if (strategy.dataRings > MultiRingSchedule::GetNStrides(same))
    {
        return {local};
    }
    return {local, strategy.dataAlgorithm, strategy.dataRings};
}

uint32_t
StageProgram::GetLocal(const PlanningProblem& problem, uint32_t stride, uint32_t size)
{
    const uint32_t server = problem.fabric.serverGpus;
    if (server <= stride || server % stride != 0)
    {
        return 1;
    }
    const uint32_t local = server / stride;
    return size > local && size % local == 0 ? local : 1;
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
        const bool follows = strategy.recomputation == Strategy::NONE && pass.backward &&
                             !m_pass.backward && pass.chunk == m_pass.chunk &&
                             pass.microbatch == m_pass.microbatch;
        m_writer.Begin(pass.backward ? Pass::BACKWARD : Pass::FORWARD, !follows);
        m_pass = pass;
        WritePass(pass);
    }
    m_gradients->Finish(m_nSums);
    return m_writer.GetWriter().Finish();
}

void
StageProgram::WritePass(const StagePass& pass)
{
    m_part = m_model.GetPart(m_stage, pass.chunk);
    const LayerPartition& partition = m_model.GetPartition();
    const Pass kind = pass.backward ? Pass::BACKWARD : Pass::FORWARD;
    Flight& flight = m_flights[{pass.chunk, pass.microbatch}];
    m_sendAfter = UINT32_MAX;
    const bool isLast = m_part + 1 == partition.GetNParts();
    if (pass.backward ? m_part > 0 : !isLast)
    {
        uint32_t last = 0;
        const auto& sent = partition.GetInputs(pass.backward ? m_part - 1 : m_part + 1, kind);
        for (const auto op : sent)
        {
            const auto& summed = m_model.GetSharing().GetSummed(op);
            last = std::max(last, summed.empty() ? op : summed.back());
        }
        m_sendAfter = sent.empty() ? UINT32_MAX : last;
    }
    if (!partition.GetInputs(m_part, kind).empty())
    {
        WriteReceive(flight);
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
            m_gather->Enter(kind, layer);
        }
        if (pass.backward && layers.insert(layer).second)
        {
            WriteAnew(flight, layer);
        }
        std::vector<uint32_t> after;
        const auto& predecessors = m_model.GetGraph().GetPredecessors(op);
        if (!flight.anew.empty() &&
            std::none_of(predecessors.begin(), predecessors.end(), [&](uint32_t predecessor) {
                return m_operators[predecessor].pass == Pass::BACKWARD &&
                       m_operators[predecessor].layer == layer;
            }))
        {
            after = flight.anew;
        }
        WriteOperator(flight, op, false, std::move(after));
        WriteSend(flight, op);
        if (pass.backward && isLastBatch)
        {
            m_gradients->Add(flight.computes, m_part, op);
        }
        else if (pass.backward && m_model.HasShards(2))
        {
            m_gradients->Accumulate(flight.computes, op);
        }
    }
    if (pass.backward)
    {
        m_gradients->GetSync().EndMicrobatch();
        m_flights.erase({pass.chunk, pass.microbatch});
    }
}

void
StageProgram::WriteReceive(Flight& flight)
{
    const uint32_t boundary = m_pass.backward ? m_part + 1 : m_part;
    const auto& received =
        m_model.GetPartition().GetInputs(m_part, m_pass.backward ? Pass::BACKWARD : Pass::FORWARD);
    const Task message = MakeMessage(TaskKind::RECEIVE, boundary);
    uint32_t task = m_writer.AddCommunication(message, {});
    const uint64_t whole = m_model.GetInputBytes(boundary).second;
    if (whole > 0)
    {
        task = AddCollective(CollectiveKind::ALL_GATHER, message.name + ".gather", whole, {task});
    }
    for (const auto op : received)
    {
        flight.computes[op] = task;
        flight.results[op] = task;
        WriteGather(flight, op, false);
    }
}

void
StageProgram::WriteSend(const Flight& flight, uint32_t op)
{
    if (op != m_sendAfter)
    {
        return;
    }
    const uint32_t boundary = m_pass.backward ? m_part : m_part + 1;
    const auto& sent = m_pass.backward
                           ? m_model.GetPartition().GetInputs(m_part - 1, Pass::BACKWARD)
                           : m_model.GetPartition().GetInputs(m_part + 1, Pass::FORWARD);
    std::vector<uint32_t> after;
    for (const auto producer : sent)
    {
        after.push_back(flight.results.at(producer));
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
    task.operation = (2 * part + (m_pass.backward ? 1 : 0)) * m_model.GetStrategy().microbatches +
                     m_pass.microbatch;
    task.bytes = m_model.GetInputBytes(part).first;
    return task;
}

void
StageProgram::WriteOperator(Flight& flight, uint32_t op, bool anew, std::vector<uint32_t> after)
{
    const Operator& description = m_operators[op];
    const auto& summed = m_model.GetSharing().GetSummed(op);
    const Pass kind = description.pass;
    for (const auto predecessor : m_model.GetGraph().GetPredecessors(op))
    {
        if (m_model.GetPartition().IsShared(predecessor, op))
        {
            continue;
        }
        const uint32_t result = m_experts.GetResult(predecessor, op);
        const auto gathered = flight.gathered.find(result);
        if (gathered != flight.gathered.end() && m_operators[predecessor].pass == kind &&
            m_model.GetSharing().IsGathered(predecessor, op))
        {
            after.push_back(gathered->second);
            continue;
        }
        // Gradients that are summed together are added up before that
        const bool inside = std::binary_search(summed.begin(), summed.end(), predecessor);
        const auto& tasks = inside ? flight.computes : flight.results;
        after.push_back(tasks.at(result));
    }
    if (m_model.GetSharing().IsInputGathered(op))
    {
        const uint32_t gather = WriteInputGather(flight, op, after);
        const auto& predecessors = m_model.GetGraph().GetPredecessors(op);
        if (std::binary_search(predecessors.begin(), predecessors.end(), description.forward))
        {
            after.push_back(gather);
        }
    }
    m_gradients->GetSync().AddGate(after);
    if (m_gather)
    {
        m_gather->AddTo(description.layer, after);
    }
    flight.computes[op] =
        m_writer.AddCompute(description.name, m_model.GetSeconds(description), std::move(after));
    if (m_gather)
    {
        m_gather->Note(flight.computes[op]);
    }
    flight.results[op] = flight.computes[op];
    WriteSum(flight, op);
    if (summed.empty())
    {
        WriteGather(flight, op, anew);
    }
    else if (op == summed.back())
    {
        for (const auto member : summed)
        {
            WriteGather(flight, member, anew);
        }
    }
}

std::vector<uint32_t>
StageProgram::GetGate(const Flight& flight, uint32_t layer) const
{
    std::vector<uint32_t> gate;
    for (const auto op : m_model.GetPartition().GetOperators(m_part, Pass::BACKWARD))
    {
        for (const auto predecessor : m_model.GetGraph().GetPredecessors(op))
        {
            const auto result = flight.results.find(m_experts.GetResult(predecessor, op));
            if (m_operators[op].layer == layer && m_operators[predecessor].layer != layer &&
                m_operators[predecessor].pass == Pass::BACKWARD && result != flight.results.end())
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
StageProgram::WriteAnew(Flight& flight, uint32_t layer)
{
    flight.anew.clear();
    const OperatorGraph& graph = m_model.GetGraph();
    std::vector<uint32_t> chosen;
    for (const auto op : m_model.GetPartition().GetOperators(m_part, Pass::FORWARD))
    {
        if (m_operators[op].layer == layer && m_model.IsRecomputed(m_operators[op]))
        {
            chosen.push_back(op);
        }
    }
    if (chosen.empty())
    {
        return;
    }
    const std::vector<uint32_t> gate = GetGate(flight, layer);
    const std::set<uint32_t> inside(chosen.begin(), chosen.end());
    for (const auto op : chosen)
    {
        // Gathered inputs have not been kept
        for (const auto predecessor : graph.GetPredecessors(op))
        {
            const uint32_t result = m_experts.GetResult(predecessor, op);
            if (inside.count(predecessor) == 0 && flight.gathered.erase(result) > 0 &&
                m_model.GetSharing().IsGathered(predecessor, op))
            {
                std::vector<uint32_t> after = gate;
                after.push_back(flight.results.at(result));
                flight.gathered[result] =
                    AddCollective(CollectiveKind::ALL_GATHER,
                                  m_operators[predecessor].name + ".gather",
                                  m_experts.GetResultBytes(result) * m_model.GetSamples(),
                                  after);
            }
        }
        const auto& predecessors = graph.GetPredecessors(op);
        const bool isFirst =
            std::none_of(predecessors.begin(), predecessors.end(), [&](uint32_t predecessor) {
                return inside.count(predecessor) > 0;
            });
        WriteOperator(flight, op, true, isFirst ? gate : std::vector<uint32_t>());
        const auto& successors = graph.GetSuccessors(op);
        if (std::none_of(successors.begin(), successors.end(), [&](uint32_t successor) {
                return inside.count(successor) > 0;
            }))
        {
            flight.anew.push_back(flight.results.at(op));
        }
    }
}

void
StageProgram::WriteSum(Flight& flight, uint32_t op)
{
    const auto& summed = m_model.GetSharing().GetSummed(op);
    if (summed.empty() || op != summed.back())
    {
        return;
    }
    std::vector<uint32_t> after;
    for (const auto member : summed)
    {
        after.push_back(flight.computes.at(member));
    }
    const Operator& description = m_operators[op];
    const uint64_t bytes = description.pass == Pass::FORWARD
                               ? description.outputBytes
                               : m_operators[description.forward].inputBytes;
    const bool isScattered = m_model.GetSharing().GetLayout(op) == TensorSharing::Layout::TOKENS;
    const uint32_t sum =
        AddCollective(isScattered ? CollectiveKind::REDUCE_SCATTER : CollectiveKind::ALL_REDUCE,
                      description.name + ".sum",
                      bytes * m_model.GetSamples(),
                      after);
    for (const auto member : summed)
    {
        flight.results[member] = sum;
    }
}

bool
StageProgram::IsRead(uint32_t op, uint32_t successor, bool anew) const
{
    const Operator& reader = m_operators[successor];
    return reader.pass == m_operators[op].pass &&
           m_model.GetPartition().GetPart(successor) == m_part &&
           (!anew || (reader.layer == m_operators[op].layer && m_model.IsRecomputed(reader)));
}

void
StageProgram::WriteGather(Flight& flight, uint32_t op, bool anew)
{
    std::set<uint32_t> exchanged;
    std::set<uint32_t> gathered;
    for (const auto successor : m_model.GetGraph().GetSuccessors(op))
    {
        if (!IsRead(op, successor, anew))
        {
            continue;
        }
        const uint32_t result = m_experts.GetResult(op, successor);
        if (result != op && exchanged.insert(result).second)
        {
            flight.results[result] = m_writer.AddCommunication(
                m_exchange.Make(op, m_pass.backward ? Pass::BACKWARD : Pass::FORWARD),
                {flight.results.at(op)});
        }
        if (m_model.GetSharing().IsGathered(op, successor) && gathered.insert(result).second)
        {
            flight.gathered[result] =
                AddCollective(CollectiveKind::ALL_GATHER,
                              m_operators[op].name + ".gather",
                              m_experts.GetResultBytes(result) * m_model.GetSamples(),
                              {flight.results.at(result)});
        }
    }
}

uint32_t
StageProgram::WriteInputGather(Flight& flight, uint32_t op, const std::vector<uint32_t>& after)
{
    const uint32_t forward = m_operators[op].forward;
    std::vector<uint32_t> inputs;
    for (const auto predecessor : m_model.GetGraph().GetPredecessors(forward))
    {
        inputs.push_back(m_experts.GetResult(predecessor, forward));
    }
    const auto found = flight.inputs.find(inputs);
    if (found != flight.inputs.end())
    {
        return found->second;
    }
    const uint32_t task = AddCollective(CollectiveKind::ALL_GATHER,
                                        m_operators[forward].name + ".input-gather",
                                        m_operators[forward].inputBytes * m_model.GetSamples(),
                                        after);
    flight.inputs[inputs] = task;
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
    task.options = GetTensorOptions(m_model);
    return m_writer.AddCommunication(std::move(task), after);
}

} // namespace lightpath
} // namespace ns3
