/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gradient-sync.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

GradientSync::GradientSync(ProgramWriter& writer,
                           uint32_t replicas,
                           uint64_t bucketBytes,
                           std::size_t calls)
    : m_writer(writer),
      m_bucketBytes(bucketBytes),
      m_callsLeft(calls)
{
    m_all.replicas = replicas;
    m_same.group = 5;
    m_sparse.sparse = true;
    m_experts.experts = true;
}

void
GradientSync::SetPhase(uint32_t phase)
{
    m_phase = phase;
}

void
GradientSync::SetLocal(uint32_t local)
{
    m_all.local = local;
}

void
GradientSync::ShareExperts(uint32_t replicas, uint32_t local)
{
    m_same.replicas = replicas;
    m_same.local = local;
}

void
GradientSync::Shard(uint32_t gradientBytes, uint32_t parameterBytes)
{
    m_gradientBytes = gradientBytes;
    m_parameterBytes = parameterBytes;
}

void
GradientSync::Add(const std::vector<uint32_t>& tasks, uint64_t bytes, double updateSeconds)
{
    AddTo(m_dense, tasks, bytes, updateSeconds);
}

void
GradientSync::AddSparse(const std::vector<uint32_t>& tasks, uint64_t bytes, double updateSeconds)
{
    AddTo(m_sparse, tasks, bytes, updateSeconds);
}

void
GradientSync::AddExperts(const std::vector<uint32_t>& tasks, uint64_t bytes, double updateSeconds)
{
    AddTo(m_experts, tasks, bytes, updateSeconds);
}

void
GradientSync::AddTo(Update& bucket,
                    const std::vector<uint32_t>& tasks,
                    uint64_t bytes,
                    double updateSeconds)
{
    for (const auto task : tasks)
    {
        auto& after = bucket.after;
        if (std::find(after.begin(), after.end(), task) == after.end())
        {
            after.push_back(task);
        }
    }
    bucket.bytes += bytes;
    bucket.seconds += updateSeconds;
    NS_ASSERT_MSG(m_callsLeft > 0, "More gradients than announced");
    --m_callsLeft;
    if (bucket.bytes >= m_bucketBytes)
    {
        Close(bucket);
    }
    if (m_callsLeft == 0)
    {
        Close(m_dense);
        Close(m_sparse);
        Close(m_experts);
    }
}

void
GradientSync::Close(Update& bucket)
{
    if (bucket.after.empty())
    {
        return;
    }
    const bool isSparse = bucket.sparse;
    const bool isExperts = bucket.experts;
    Communicator& communicator = isExperts ? m_same : m_all;
    if (communicator.replicas > 1 && bucket.bytes > 0)
    {
        Task task;
        task.pass = Pass::BACKWARD;
        task.name = (isSparse    ? "sparse-gradients "
                     : isExperts ? "expert-gradients "
                                 : "gradients ") +
                    std::to_string(m_updates.size());
        task.bytes = bucket.bytes;
        task.collective = isSparse              ? CollectiveKind::ALL_GATHER
                          : m_gradientBytes > 0 ? CollectiveKind::REDUCE_SCATTER
                                                : CollectiveKind::ALL_REDUCE;
        bucket.after = {WriteCollective(communicator, std::move(task), bucket.after)};
    }
    m_updates.push_back(std::move(bucket));
    bucket = Update();
    bucket.sparse = isSparse;
    bucket.experts = isExperts;
}

uint32_t
GradientSync::WriteCollective(Communicator& communicator, Task task, std::vector<uint32_t> after)
{
    task.kind = TaskKind::COLLECTIVE;
    task.group = communicator.group;
    task.operation = communicator.nCollectives++;
    task.phase = m_phase;
    task.options.local = communicator.local;
    after.insert(after.end(), communicator.last.begin(), communicator.last.end());
    communicator.last.assign(1, m_writer.AddCommunication(std::move(task), after));
    return communicator.last.front();
}

void
GradientSync::Finish()
{
    NS_ASSERT_MSG(m_callsLeft == 0, "Fewer gradients than announced");
    for (std::size_t i = 0; i < m_updates.size(); ++i)
    {
        const Update& update = m_updates[i];
        const uint32_t task = m_writer.AddCompute(Pass::UPDATE,
                                                  "update " + std::to_string(i),
                                                  update.seconds,
                                                  update.after);
        Communicator& communicator = update.experts ? m_same : m_all;
        if (communicator.replicas > 1 && m_gradientBytes > 0 && update.bytes > 0 && !update.sparse)
        {
            Task gather;
            gather.pass = Pass::UPDATE;
            gather.name = "parameters " + std::to_string(i);
            gather.bytes = update.bytes / m_gradientBytes * m_parameterBytes;
            gather.collective = CollectiveKind::ALL_GATHER;
            WriteCollective(communicator, std::move(gather), {task});
        }
    }
    m_updates.clear();
}

} // namespace lightpath
} // namespace ns3
