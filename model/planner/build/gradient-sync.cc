/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gradient-sync.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>
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
    m_same.group = EXPERT_DATA_GROUP;
    m_sparse.sparse = true;
    m_experts.experts = true;
}

void
GradientSync::SetPhase(uint32_t phase)
{
    SetPhases(phase, phase);
}

void
GradientSync::SetPhases(uint32_t sums, uint32_t gathers)
{
    m_phase = sums;
    m_gatherPhase = gathers;
}

void
GradientSync::SetOptions(const CollectiveOptions& options)
{
    m_all.options = options;
}

void
GradientSync::SetAveraged(double ratio)
{
    m_averagedRatio = ratio;
}

void
GradientSync::ShareExperts(uint32_t replicas, const CollectiveOptions& options)
{
    m_same.replicas = replicas;
    m_same.options = options;
}

void
GradientSync::Shard(uint32_t gradientBytes, uint32_t parameterBytes)
{
    m_gradientBytes = gradientBytes;
    m_parameterBytes = parameterBytes;
}

void
GradientSync::ShardGradients()
{
    m_hasGradientShards = true;
}

void
GradientSync::ShardParameters()
{
    m_hasParameterShards = true;
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
    // The sum of a bucket waits for all of its gradients
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
    // A full bucket is summed while the backward pass goes on
    if (bucket.bytes >= m_bucketBytes)
    {
        Close(bucket);
    }
    // No more gradients will come: partly filled buckets are summed as well
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
    WriteSum(bucket,
             (isSparse    ? "sparse-gradients "
              : isExperts ? "expert-gradients "
                          : "gradients ") +
                 std::to_string(m_updates.size()));
    m_updates.push_back(std::move(bucket));
    bucket = Update();
    bucket.sparse = isSparse;
    bucket.experts = isExperts;
}

void
GradientSync::WriteSum(Update& bucket, std::string name)
{
    Communicator& communicator = bucket.experts ? m_same : m_all;
    if (communicator.replicas == 1 || bucket.bytes == 0)
    {
        return;
    }
    Task task;
    task.pass = Pass::BACKWARD;
    task.name = std::move(name);
    task.bytes = bucket.bytes;
    // With shared state each replica needs the sum of its own share only
    task.collective = bucket.sparse         ? CollectiveKind::ALL_GATHER
                      : m_gradientBytes > 0 ? CollectiveKind::REDUCE_SCATTER
                                            : CollectiveKind::ALL_REDUCE;
    bucket.after = {WriteCollective(communicator, std::move(task), m_phase, bucket.after)};
    m_gate = std::exchange(m_sums, bucket.after);
}

void
GradientSync::Accumulate(const std::vector<uint32_t>& tasks, uint64_t bytes)
{
    m_early.after.insert(m_early.after.end(), tasks.begin(), tasks.end());
    m_early.bytes += bytes;
    if (m_early.bytes >= m_bucketBytes)
    {
        EndMicrobatch();
    }
}

void
GradientSync::EndMicrobatch()
{
    WriteSum(m_early, "microbatch-gradients " + std::to_string(m_nEarly));
    m_nEarly += m_early.bytes > 0 ? 1 : 0;
    m_early = Update();
}

void
GradientSync::AddGate(std::vector<uint32_t>& after) const
{
    if (m_hasGradientShards)
    {
        after.insert(after.end(), m_gate.begin(), m_gate.end());
    }
}

uint32_t
GradientSync::AddGather(Pass pass,
                        const std::string& name,
                        uint64_t bytes,
                        const std::vector<uint32_t>& after)
{
    Task task;
    task.pass = pass;
    task.name = name;
    task.bytes = bytes;
    task.collective = CollectiveKind::ALL_GATHER;
    return WriteCollective(m_all, std::move(task), m_phase, after);
}

uint32_t
GradientSync::WriteCollective(Communicator& communicator,
                              Task task,
                              uint32_t phase,
                              std::vector<uint32_t> after)
{
    task.kind = TaskKind::COLLECTIVE;
    task.group = communicator.group;
    task.operation = communicator.nCollectives++;
    task.phase = phase;
    // A fabric that averages sends each gradient once, in its own number of bits
    const bool isAveraged = communicator.options.algorithm == CollectiveAlgorithm::IN_NETWORK;
    if (!isAveraged || task.collective == CollectiveKind::ALL_REDUCE)
    {
        task.options = communicator.options;
    }
    if (isAveraged)
    {
        task.bytes = static_cast<uint64_t>(std::ceil(task.bytes * m_averagedRatio));
    }
    // The collectives of one group go one after the other
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
        // Each replica has updated its share of the parameters and gathers the others
        Communicator& communicator = update.experts ? m_same : m_all;
        if (communicator.replicas > 1 && m_gradientBytes > 0 && update.bytes > 0 &&
            !update.sparse && !m_hasParameterShards)
        {
            Task gather;
            gather.pass = Pass::UPDATE;
            gather.name = "parameters " + std::to_string(i);
            gather.bytes = update.bytes / m_gradientBytes * m_parameterBytes;
            gather.collective = CollectiveKind::ALL_GATHER;
            WriteCollective(communicator, std::move(gather), m_gatherPhase, {task});
        }
    }
    m_updates.clear();
}

} // namespace lightpath
} // namespace ns3
