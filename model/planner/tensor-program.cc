/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tensor-program.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param op an operator
 * @return true if each GPU of a group computes all of it
 */
bool
IsWhole(const Operator& op)
{
    return op.split == TensorSplit::REPLICATED || op.split == TensorSplit::SEQUENCE;
}

} // namespace

TensorProgram::TensorProgram(const OperatorGraph& graph,
                             const Accelerator& accelerator,
                             uint64_t samples,
                             uint32_t tensorParallel)
    : m_graph(graph),
      m_accelerator(accelerator),
      m_samples(samples),
      m_tensorParallel(tensorParallel),
      m_gradients(graph),
      m_computes(graph.GetOperators().size(), UINT32_MAX),
      m_results(graph.GetOperators().size(), UINT32_MAX),
      m_summed(graph.GetOperators().size())
{
    if (tensorParallel > 1)
    {
        FindInputGradients();
    }
}

void
TensorProgram::FindInputGradients()
{
    const auto& operators = m_graph.GetOperators();
    // By predecessors of the COLUMN operator; an operator that reads nothing shares with nobody
    std::map<std::vector<uint32_t>, std::vector<uint32_t>> groups;
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        const uint32_t forward = operators[op].forward;
        if (operators[op].pass != Pass::BACKWARD || operators[op].outputBytes == 0 ||
            operators[forward].split != TensorSplit::COLUMN)
        {
            continue;
        }
        const auto& successors = m_graph.GetSuccessors(op);
        if (std::any_of(successors.begin(), successors.end(), [&](uint32_t successor) {
                return operators[successor].pass == Pass::BACKWARD;
            }))
        {
            m_summed[op].assign(1, op);
            groups[m_graph.GetPredecessors(forward)].push_back(op);
        }
    }
    for (const auto& group : groups)
    {
        const auto& members = group.second;
        if (!group.first.empty() && CanShare(members))
        {
            for (const auto member : members)
            {
                m_summed[member] = members;
            }
        }
    }
}

bool
TensorProgram::CanShare(const std::vector<uint32_t>& members) const
{
    for (const auto member : members)
    {
        for (const auto successor : m_graph.GetSuccessors(member))
        {
            if (successor < members.back() &&
                !std::binary_search(members.begin(), members.end(), successor))
            {
                return false;
            }
        }
    }
    return true;
}

double
TensorProgram::GetShare(const Operator& op) const
{
    return IsWhole(op) ? 1 : 1.0 / m_tensorParallel;
}

uint64_t
TensorProgram::GetShare(const Operator& op, uint64_t bytes) const
{
    return IsWhole(op) ? bytes : (bytes + m_tensorParallel - 1) / m_tensorParallel;
}

std::shared_ptr<const RankProgram>
TensorProgram::Write(uint32_t replicas, uint64_t bucketBytes)
{
    const auto& operators = m_graph.GetOperators();
    const auto samples = static_cast<double>(m_samples);
    const auto nUpdates = std::count_if(operators.begin(), operators.end(), [](const Operator& op) {
        return op.pass == Pass::UPDATE;
    });
    GradientSync sync(m_writer, replicas, bucketBytes, nUpdates);
    sync.SetPhase(m_tensorParallel > 1 ? 1 : 0);
    m_nSums = 0;
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        if (operators[op].pass == Pass::UPDATE)
        {
            continue;
        }
        WriteOperator(op);
        for (const auto update : m_gradients.GetUpdates(op))
        {
            std::vector<uint32_t> tasks;
            for (const auto source : m_gradients.GetSources(update))
            {
                tasks.push_back(m_computes[source]);
            }
            const Operator& description = operators[update];
            sync.Add(tasks,
                     GetShare(description, description.parameters) * m_graph.gradientBytes,
                     m_accelerator.GetSeconds(description, samples, GetShare(description)));
        }
    }
    sync.Finish();
    return m_writer.Finish();
}

void
TensorProgram::WriteOperator(uint32_t op)
{
    const Operator& description = m_graph.GetOperators()[op];
    const auto& summed = m_summed[op];
    std::vector<uint32_t> after;
    for (const auto predecessor : m_graph.GetPredecessors(op))
    {
        // Gradients that are summed together are added up before that
        const bool inside = std::binary_search(summed.begin(), summed.end(), predecessor);
        after.push_back(inside ? m_computes[predecessor] : m_results[predecessor]);
    }
    m_computes[op] = m_writer.AddCompute(description.pass,
                                         description.name,
                                         m_accelerator.GetSeconds(description,
                                                                  static_cast<double>(m_samples),
                                                                  GetShare(description)),
                                         after);
    m_results[op] = m_computes[op];
    if (m_tensorParallel == 1)
    {
        return;
    }
    if (description.pass == Pass::FORWARD && description.split == TensorSplit::ROW)
    {
        m_results[op] = WriteSum(description, description.outputBytes, {m_computes[op]});
    }
    else if (!summed.empty() && op == summed.back())
    {
        std::vector<uint32_t> tasks;
        for (const auto member : summed)
        {
            tasks.push_back(m_computes[member]);
        }
        const Operator& forward = m_graph.GetOperators()[description.forward];
        const uint32_t sum = WriteSum(description, forward.inputBytes, tasks);
        for (const auto member : summed)
        {
            m_results[member] = sum;
        }
    }
}

uint32_t
TensorProgram::WriteSum(const Operator& op, uint64_t bytes, const std::vector<uint32_t>& after)
{
    Task task;
    task.kind = TaskKind::COLLECTIVE;
    task.pass = op.pass;
    task.name = op.name + ".sum";
    task.group = 0;
    task.operation = m_nSums++;
    task.bytes = bytes * m_samples;
    return m_writer.AddCommunication(std::move(task), after);
}

uint64_t
TensorProgram::GetMemoryBytes() const
{
    uint64_t bytes = 0;
    for (const auto& op : m_graph.GetOperators())
    {
        if (op.pass == Pass::UPDATE)
        {
            bytes += GetShare(op, op.parameters) * m_graph.GetStateBytes();
        }
        else if (op.pass == Pass::FORWARD)
        {
            const uint64_t saved = op.savedBytes * m_samples;
            bytes += op.split == TensorSplit::COLUMN ? saved : GetShare(op, saved);
        }
    }
    return bytes;
}

} // namespace lightpath
} // namespace ns3
