/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stage-gradients.h"

#include "gradient-norm.h"
#include "group-options.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

StageGradients::StageGradients(const StagedModel& model,
                               uint32_t stage,
                               PassWriter& writer,
                               uint64_t bucketBytes)
    : m_model(model),
      m_operators(model.GetGraph().GetOperators()),
      m_stage(stage),
      m_writer(writer),
      m_sync(writer.GetWriter(),
             GetOptions(model, bucketBytes),
             CountGradients(model.GetUpdates(stage)))
{
}

GradientSync::Options
StageGradients::GetOptions(const StagedModel& model, uint64_t bucketBytes)
{
    const Strategy& strategy = model.GetStrategy();
    const OperatorGraph& graph = model.GetGraph();
    // Shared-out gradients must not wait for the circuits of a later phase: they would stay whole
    const bool isLater = strategy.GetGpus() > strategy.dataParallel || strategy.expertParallel > 1;
    GradientSync::Options options;
    options.bucketBytes = bucketBytes;
    options.replicas = strategy.GetShardMembers() * model.GetNCopies();
    options.collectives = GroupOptions::GetData(model);
    options.expertReplicas = model.GetSharing().GetExperts().GetNSame() * model.GetNCopies();
    options.expertCollectives = GroupOptions::GetExperts(model);
    options.shardCopies = strategy.GetDataMembers() / strategy.GetShardMembers();
    options.shardCollectives = GroupOptions::GetShardCopies(model);
    options.sumPhase = isLater && !model.HasShards(2) && !model.HasShards(3) ? 1 : 0;
    options.gatherPhase = isLater ? GradientNorm::GetPhase(model) + 1 : 0;
    options.zeroStage = strategy.zeroStage;
    options.isGated = model.HasShards(2);
    options.gradientBytes = graph.gradientBytes;
    options.parameterBytes = graph.parameterBytes;
    options.averagedRatio = model.GetProblem().fabric.averagedBits / 8 / graph.gradientBytes;
    return options;
}

GradientSync&
StageGradients::GetSync()
{
    return m_sync;
}

std::size_t
StageGradients::CountGradients(const std::vector<uint32_t>& updates) const
{
    // Late gradients are added to the sums together, as one
    std::size_t count = 0;
    bool isPartial = false;
    bool isShared = false;
    for (const auto update : updates)
    {
        const auto& shared = m_model.GetPartition().GetSharedUpdates();
        if (std::binary_search(shared.begin(), shared.end(), update))
        {
            isShared = true;
        }
        else if (m_model.GetSharing().IsGradientPartial(m_operators[update]))
        {
            isPartial = true;
        }
        else
        {
            ++count;
        }
    }
    return count + (isPartial ? 1 : 0) + (isShared ? 1 : 0);
}

std::vector<uint32_t>
StageGradients::GetTasks(const TaskTable& computes, uint32_t update) const
{
    std::vector<uint32_t> tasks;
    for (const auto source : m_model.GetGradients().GetSources(update))
    {
        tasks.push_back(computes.Get(source));
    }
    return tasks;
}

void
StageGradients::Add(const TaskTable& computes, uint32_t part, uint32_t op)
{
    const auto& sharers = m_model.GetPartition().GetSharers();
    const auto& shared = m_model.GetPartition().GetSharedUpdates();
    // The last stage makes a part of the gradients of tied parameters
    if (part > 0 && std::binary_search(sharers.begin(), sharers.end(), op))
    {
        m_shared.tasks.push_back(computes.Get(op));
    }
    for (const auto update : m_model.GetGradients().GetUpdates(op))
    {
        // Sparse gradients are gathered, and gradients of experts summed over fewer replicas
        const std::vector<uint32_t> tasks = GetTasks(computes, update);
        const Operator& description = m_operators[update];
        const double seconds = m_model.GetUpdateSeconds(description);
        const bool isExpert = m_model.GetSharing().GetExperts().GetSharers(description) > 1;
        if (description.sparse || isExpert)
        {
            m_sync.Add(tasks,
                       m_model.GetGradientBytes(update),
                       seconds,
                       isExpert ? GradientSync::EXPERTS : GradientSync::SPARSE);
            continue;
        }
        const bool isShared = std::binary_search(shared.begin(), shared.end(), update);
        if (!isShared && !m_model.GetSharing().IsGradientPartial(description))
        {
            m_sync.Add(tasks, m_model.GetGradientBytes(update), seconds);
            continue;
        }
        // The remaining gradients wait for a sum over the group, or over the first and the last
        // stage
        Late& late = isShared ? m_shared : m_partial;
        late.tasks.insert(late.tasks.end(), tasks.begin(), tasks.end());
        late.parameters += m_model.GetSharing().GetParameters(description);
        late.seconds += seconds;
    }
}

void
StageGradients::Accumulate(const TaskTable& computes, uint32_t op)
{
    for (const auto update : m_model.GetGradients().GetUpdates(op))
    {
        // Partial gradients are summed once, after the last microbatch
        if (!m_model.GetSharing().IsGradientPartial(m_operators[update]))
        {
            m_sync.Accumulate(GetTasks(computes, update), m_model.GetGradientBytes(update));
        }
    }
}

void
StageGradients::Finish(uint32_t operation, const std::vector<uint32_t>& sent)
{
    const bool isCopied = m_model.GetNCopies() > 1;
    if (!isCopied && m_stage > 0 && m_stage + 1 == m_model.GetStrategy().pipelineParallel)
    {
        // The last stage updates its copy of the parameters of the first stage
        for (const auto update : m_model.GetPartition().GetSharedUpdates())
        {
            m_shared.parameters += m_model.GetSharing().GetParameters(m_operators[update]);
            m_shared.seconds += m_model.GetUpdateSeconds(m_operators[update]);
        }
    }
    // The sums within the replica come last, before the updates
    Task task;
    task.kind = TaskKind::COLLECTIVE;
    task.pass = Pass::BACKWARD;
    task.name = "token-gradients.sum";
    task.operation = operation;
    task.options = GroupOptions::GetTensor(m_model);
    WriteLate(m_partial, task);
    if (isCopied && !m_shared.tasks.empty())
    {
        // The first and the last part are on the same GPUs
        m_sync.Add(m_shared.tasks,
                   m_shared.parameters * m_model.GetGraph().gradientBytes,
                   m_shared.seconds);
        m_shared.tasks.clear();
    }
    task.name = "shared-gradients.sum";
    task.group = TIED_GROUP;
    task.operation = 0;
    task.options = CollectiveOptions();
    if (m_stage > 0 && !m_shared.tasks.empty())
    {
        // The last stage has them early, but its gradients of activations must not wait for them
        m_shared.tasks.insert(m_shared.tasks.end(), sent.begin(), sent.end());
    }
    WriteLate(m_shared, task);
    m_sync.Finish(WriteNorm());
}

std::vector<uint32_t>
StageGradients::WriteNorm()
{
    if (!GradientNorm::IsUsed(m_model))
    {
        return {};
    }
    // A stage without parameters only passes on what the others know
    std::vector<uint32_t> parts = m_sync.AddNorm();
    const auto& ends = m_writer.GetEnds();
    parts.insert(parts.end(), ends.begin(), ends.end());
    return GradientNorm::Write(m_writer.GetWriter(), m_model, m_stage, parts);
}

void
StageGradients::WriteLate(const Late& late, Task task)
{
    if (late.tasks.empty())
    {
        return;
    }
    task.bytes = late.parameters * m_model.GetGraph().gradientBytes;
    const uint64_t bytes = task.bytes;
    const uint32_t sum = m_writer.AddCommunication(std::move(task), late.tasks);
    m_sync.Add({sum}, bytes, late.seconds);
}

} // namespace lightpath
} // namespace ns3
