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

GradientSync::GradientSync(ProgramWriter& writer, const Options& options, std::size_t calls)
    : m_writer(writer),
      m_options(options),
      m_all{DATA_GROUP, options.replicas, options.collectives, 0, {}},
      m_same{EXPERT_DATA_GROUP, options.expertReplicas, options.expertCollectives, 0, {}},
      m_shards{SHARD_COPY_GROUP, options.shardCopies, options.shardCollectives, 0, {}},
      m_callsLeft(calls)
{
    for (const auto kind : {DENSE, SPARSE, EXPERTS})
    {
        m_buckets[kind].kind = kind;
    }
}

void
GradientSync::Add(const std::vector<uint32_t>& tasks,
                  uint64_t bytes,
                  double updateSeconds,
                  Kind kind)
{
    Update& bucket = m_buckets[kind];
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
    if (bucket.bytes >= m_options.bucketBytes)
    {
        Close(bucket);
    }
    // No more gradients will come: partly filled buckets are summed as well
    if (m_callsLeft == 0)
    {
        for (auto& last : m_buckets)
        {
            Close(last);
        }
    }
}

void
GradientSync::Close(Update& bucket)
{
    if (bucket.after.empty())
    {
        return;
    }
    const Kind kind = bucket.kind;
    WriteSum(bucket,
             (kind == SPARSE    ? "sparse-gradients "
              : kind == EXPERTS ? "expert-gradients "
                                : "gradients ") +
                 std::to_string(m_updates.size()));
    WriteShardSum(bucket);
    m_updates.push_back(std::exchange(bucket, Update()));
    bucket.kind = kind;
}

void
GradientSync::WriteSum(Update& bucket, std::string name)
{
    Communicator& communicator = bucket.kind == EXPERTS ? m_same : m_all;
    if (communicator.replicas == 1 || bucket.bytes == 0)
    {
        return;
    }
    Task task;
    task.pass = Pass::BACKWARD;
    task.name = std::move(name);
    task.bytes = bucket.bytes;
    // With shared state each replica needs the sum of its own share only
    task.collective = bucket.kind == SPARSE     ? CollectiveKind::ALL_GATHER
                      : m_options.zeroStage > 0 ? CollectiveKind::REDUCE_SCATTER
                                                : m_options.sum;
    bucket.after = {
        WriteCollective(communicator, std::move(task), m_options.sumPhase, bucket.after)};
    // Computation waits for the sum of the bucket before this one
    m_gate = std::exchange(m_sums, bucket.after);
}

void
GradientSync::WriteShardSum(Update& bucket)
{
    if (m_shards.replicas == 1 || bucket.bytes == 0)
    {
        return;
    }
    Task task;
    task.pass = Pass::BACKWARD;
    task.name = "gradient-shares " + std::to_string(m_updates.size());
    task.bytes = (bucket.bytes + m_options.replicas - 1) / m_options.replicas;
    task.collective = CollectiveKind::ALL_REDUCE;
    bucket.after = {WriteCollective(m_shards, std::move(task), m_options.sumPhase, bucket.after)};
}

void
GradientSync::Accumulate(const std::vector<uint32_t>& tasks, uint64_t bytes)
{
    m_early.after.insert(m_early.after.end(), tasks.begin(), tasks.end());
    m_early.bytes += bytes;
    if (m_early.bytes >= m_options.bucketBytes)
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
    if (m_options.isGated)
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
    return WriteCollective(m_all, std::move(task), m_options.sumPhase, after);
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
    if (task.collective == CollectiveKind::ALL_REDUCE ||
        (!isAveraged && task.collective != CollectiveKind::SEND_RECV))
    {
        task.options = communicator.options;
    }
    if (isAveraged)
    {
        task.bytes = static_cast<uint64_t>(std::ceil(task.bytes * m_options.averagedRatio));
    }
    // The collectives of one group go one after the other
    after.insert(after.end(), communicator.last.begin(), communicator.last.end());
    communicator.last.assign(1, m_writer.AddCommunication(std::move(task), after));
    return communicator.last.front();
}

std::vector<uint32_t>
GradientSync::AddNorm()
{
    std::vector<uint32_t> sums;
    for (const auto& update : m_updates)
    {
        sums.insert(sums.end(), update.after.begin(), update.after.end());
    }
    if (m_all.replicas > 1 && m_all.nCollectives > 0 &&
        m_all.options.algorithm == CollectiveAlgorithm::HALVING_DOUBLING)
    {
        Task task;
        task.pass = Pass::UPDATE;
        task.name = "gradient-norm.sum";
        // A number for each replica, so that all of them have a part of the sum
        task.bytes = uint64_t{NORM_BYTES} * m_all.replicas;
        sums = {WriteCollective(m_all, std::move(task), m_options.sumPhase, std::move(sums))};
    }
    return sums;
}

void
GradientSync::Finish(const std::vector<uint32_t>& norm)
{
    NS_ASSERT_MSG(m_callsLeft == 0, "Fewer gradients than announced");
    for (std::size_t i = 0; i < m_updates.size(); ++i)
    {
        Update& update = m_updates[i];
        update.after.insert(update.after.end(), norm.begin(), norm.end());
        const uint32_t task = m_writer.AddCompute(Pass::UPDATE,
                                                  "update " + std::to_string(i),
                                                  update.seconds,
                                                  update.after);
        // Each replica has updated its share of the parameters and gathers the others
        Communicator& communicator = update.kind == EXPERTS ? m_same : m_all;
        if (communicator.replicas > 1 && update.bytes > 0 && update.kind != SPARSE &&
            (m_options.zeroStage == 1 || m_options.zeroStage == 2))
        {
            Task gather;
            gather.pass = Pass::UPDATE;
            gather.name = "parameters " + std::to_string(i);
            gather.bytes = update.bytes / m_options.gradientBytes * m_options.parameterBytes;
            gather.collective = CollectiveKind::ALL_GATHER;
            WriteCollective(communicator, std::move(gather), m_options.gatherPhase, {task});
        }
    }
    m_updates.clear();
}

} // namespace lightpath
} // namespace ns3
