/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "recorded-messages.h"

#include "model/training/transport/server-network.h"

#include "ns3/abort.h"
#include "ns3/message-tag.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace lightpath
{

RecordedMessages::RecordedMessages(TrainingJob& job, const JobRecord& record)
    : m_job(job),
      m_record(record)
{
}

const RecordedMessages::Program&
RecordedMessages::GetProgram(uint32_t rank)
{
    const RankProgram& program = *m_job.GetPlan().programs[rank];
    const auto [found, isNew] = m_programs.try_emplace(&program);
    if (isNew)
    {
        const auto& tasks = program.GetTasks();
        found->second.predecessors.resize(tasks.size());
        for (uint32_t index = 0; index < tasks.size(); ++index)
        {
            const Task& task = tasks[index];
            for (const uint32_t next : program.GetSuccessors(index))
            {
                found->second.predecessors[next].push_back(index);
            }
            if (task.kind != TaskKind::COMPUTE)
            {
                const uint32_t peer = task.kind == TaskKind::COLLECTIVE ? 0 : task.peer;
                found->second.tasks[{task.kind, task.group, task.operation, peer}] = index;
            }
        }
    }
    return found->second;
}

const std::vector<uint32_t>&
RecordedMessages::GetPredecessors(const TaskRef& task)
{
    return GetProgram(task.rank).predecessors[task.index];
}

const std::vector<uint32_t>&
RecordedMessages::GetSorted(uint32_t iteration)
{
    const auto [found, isNew] = m_sorted.try_emplace(iteration);
    const auto recorded = m_record.iterations.find(iteration);
    if (isNew && recorded != m_record.iterations.end())
    {
        const auto& messages = recorded->second.messages;
        found->second.resize(messages.size());
        std::iota(found->second.begin(), found->second.end(), 0);
        std::sort(found->second.begin(), found->second.end(), [&](uint32_t a, uint32_t b) {
            return std::tie(messages[a].peer, messages[a].tag, a) <
                   std::tie(messages[b].peer, messages[b].tag, b);
        });
    }
    return found->second;
}

std::vector<uint32_t>
RecordedMessages::GetReceived(uint32_t iteration, uint32_t rank, uint64_t first, uint64_t last)
{
    const auto& sorted = GetSorted(iteration);
    const auto recorded = m_record.iterations.find(iteration);
    if (recorded == m_record.iterations.end())
    {
        return {};
    }
    const auto& messages = recorded->second.messages;
    const auto precedes = [&](uint32_t index, uint64_t tag) {
        return messages[index].peer < rank ||
               (messages[index].peer == rank && messages[index].tag < tag);
    };
    return {std::lower_bound(sorted.begin(), sorted.end(), first, precedes),
            std::lower_bound(sorted.begin(), sorted.end(), last + 1, precedes)};
}

uint64_t
RecordedMessages::GetTag(const TaskRef& ref) const
{
    const Task& task = m_job.GetPlan().programs[ref.rank]->GetTasks()[ref.index];
    MessageTag tag;
    tag.iteration = ref.iteration;
    tag.group = task.group;
    tag.isCollective = task.kind == TaskKind::COLLECTIVE;
    tag.operation = task.operation;
    return tag.Encode();
}

JobRecord::MessageRef
RecordedMessages::FindReceived(const TaskRef& ref, Time time)
{
    const TrainingPlan& plan = m_job.GetPlan();
    const Task& task = plan.programs[ref.rank]->GetTasks()[ref.index];
    const uint32_t source = plan.groups[task.group].GetMembers(ref.rank)[task.peer];
    const uint64_t tag = GetTag(ref);
    for (const uint32_t index : GetReceived(ref.iteration, ref.rank, tag, tag))
    {
        const auto& message = m_record.iterations.at(ref.iteration).messages[index];
        if (message.source == source && message.received == time)
        {
            return {ref.iteration, index};
        }
    }
    return {};
}

JobRecord::MessageRef
RecordedMessages::FindReceived(const TaskRef& task, Time time, uint32_t step)
{
    const uint64_t first = GetTag(task);
    const uint32_t last = (uint32_t{1} << MessageTag::STEP_BITS) - 1;
    JobRecord::MessageRef found;
    if (step == 0)
    {
        return found;
    }
    // Later messages are nearer in the chain of causes, so the last one found stands
    for (const uint32_t index :
         GetReceived(task.iteration, task.rank, first, first + std::min(step - 1, last)))
    {
        if (m_record.iterations.at(task.iteration).messages[index].received == time)
        {
            found = {task.iteration, index};
        }
    }
    return found;
}

uint32_t
RecordedMessages::FindTask(const JobRecord::Message& message)
{
    const MessageTag tag = MessageTag::Decode(message.tag);
    const auto& tasks = GetProgram(message.source).tasks;
    if (tag.isCollective)
    {
        return tasks.at({TaskKind::COLLECTIVE, tag.group, tag.operation, 0});
    }
    const auto& members = m_job.GetPlan().groups[tag.group].GetMembers(message.source);
    for (uint32_t peer = 0; peer < members.size(); ++peer)
    {
        const auto found = tasks.find({TaskKind::SEND, tag.group, tag.operation, peer});
        if (members[peer] == message.peer && found != tasks.end())
        {
            return found->second;
        }
    }
    NS_ABORT_MSG("A message belongs to no task of its sender, rank " << message.source);
}

bool
RecordedMessages::IsInside(const JobRecord::Message& message)
{
    const MessageTag tag = MessageTag::Decode(message.tag);
    const TrainingPlan& plan = m_job.GetPlan();
    const RankGroups& groups = plan.groups[tag.group];
    const Task& task = plan.programs[message.source]->GetTasks()[FindTask(message)];
    const auto schedule = m_job.GetSchedule(task.collective,
                                            groups.GetMembers(message.source).size(),
                                            task.bytes,
                                            task.options);
    const uint32_t position = groups.GetPosition(message.source);
    std::vector<Transfer> sends;
    schedule->GetSends(position, tag.step, sends);
    return std::any_of(sends.begin(), sends.end(), [position](const Transfer& transfer) {
        return transfer.peer == position && transfer.isInside;
    });
}

JobRecord::MessageRef
RecordedMessages::FindLastPart(JobRecord::MessageRef ref)
{
    const JobRecord::Message average = *m_record.Find(ref);
    const auto servers = m_job.GetServers();
    const bool isInside = servers && IsInside(average);
    const auto takesPart = [&](uint32_t rank) {
        return !servers || (isInside ? servers->GetLayout().AreInside(rank, average.peer)
                                     : servers->GetLayout().GetRail(rank) ==
                                           servers->GetLayout().GetRail(average.peer));
    };
    JobRecord::MessageRef last = ref;
    for (uint32_t rank = 0; rank < m_job.GetRanks().size(); ++rank)
    {
        for (const uint32_t index : GetReceived(ref.iteration, rank, average.tag, average.tag))
        {
            const auto& part = m_record.iterations.at(ref.iteration).messages[index];
            if (part.source == rank && takesPart(rank) && part.sent <= average.received &&
                part.sent > m_record.Find(last)->sent)
            {
                last = {ref.iteration, index};
            }
        }
    }
    return last;
}

JobRecord::MessageRef
RecordedMessages::FindAverageBefore(JobRecord::MessageRef ref)
{
    const JobRecord::Message& average = *m_record.Find(ref);
    const uint32_t rail =
        m_job.GetServers() ? m_job.GetServers()->GetLayout().GetRail(average.peer) : 0;
    if (rail >= m_record.fabrics.size())
    {
        return {};
    }
    const auto& behind = m_record.fabrics[rail].behind;
    const auto before = behind.find(average.tag);
    if (before == behind.end() || (m_job.GetServers() && IsInside(average)))
    {
        return {};
    }
    for (const auto& [iteration, recorded] : m_record.iterations)
    {
        for (const uint32_t index :
             GetReceived(iteration, average.peer, before->second, before->second))
        {
            if (recorded.messages[index].source == average.peer)
            {
                return {iteration, index};
            }
        }
    }
    return {};
}

} // namespace lightpath
} // namespace ns3
