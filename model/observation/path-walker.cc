/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-walker.h"

#include "ns3/message-tag.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

PathWalker::PathWalker(TrainingJob& job, const JobRecord& record, uint32_t iteration, Time begin)
    : m_job(job),
      m_record(record),
      m_messages(job, record),
      m_iteration(iteration),
      m_begin(begin)
{
}

const JobRecord::TaskTimes&
PathWalker::GetTimes(const TaskRef& task) const
{
    static const JobRecord::TaskTimes none;
    const auto iteration = m_record.iterations.find(task.iteration);
    if (iteration == m_record.iterations.end() || task.rank >= iteration->second.tasks.size() ||
        task.index >= iteration->second.tasks[task.rank].size())
    {
        return none;
    }
    return iteration->second.tasks[task.rank][task.index];
}

const Task&
PathWalker::GetTask(const TaskRef& task) const
{
    return m_job.GetPlan().programs[task.rank]->GetTasks()[task.index];
}

std::vector<CriticalPath::Segment>
PathWalker::Walk(uint32_t rank, Time end)
{
    m_now = end;
    m_segments.clear();
    Cause cause = FindLast(m_iteration, rank);
    while (m_now > m_begin)
    {
        cause = Follow(cause);
    }
    return std::move(m_segments);
}

PathWalker::Cause
PathWalker::FindLast(uint32_t iteration, uint32_t rank) const
{
    const auto nTasks = static_cast<uint32_t>(m_job.GetPlan().programs[rank]->GetTasks().size());
    for (uint32_t index = nTasks; index-- > 0;)
    {
        const TaskRef task{iteration, rank, index};
        if (GetTimes(task).end == m_now)
        {
            return {Event::TASK_END, task};
        }
    }
    return Cause(Event::UNKNOWN);
}

PathWalker::Cause
PathWalker::Follow(const Cause& cause)
{
    switch (cause.event)
    {
    case Event::TASK_END:
        return FollowEnd(cause.task);
    case Event::LAUNCH_END:
        Add(Kind::LAUNCH, GetTimes(cause.task).begin, cause.task);
        return {Event::TASK_BEGIN, cause.task};
    case Event::TASK_BEGIN:
        return FollowBegin(cause.task);
    case Event::ARRIVAL:
        return FollowArrival(cause.message);
    case Event::SENDING_END:
        return FollowSending(cause.message);
    case Event::SENDING_BEGIN:
        return FollowSendingBegin(cause.message);
    case Event::HAND_OVER:
        return FollowHandOver(cause.message);
    case Event::UNKNOWN:
        break;
    }
    CriticalPath::Segment rest;
    rest.kind = Kind::UNKNOWN;
    Add(m_begin, rest);
    return cause;
}

PathWalker::Cause
PathWalker::FollowEnd(const TaskRef& task)
{
    const JobRecord::TaskTimes& times = GetTimes(task);
    const TaskKind kind = GetTask(task).kind;
    if (kind == TaskKind::COMPUTE)
    {
        Add(Kind::COMPUTE, times.begin, task);
    }
    if (kind == TaskKind::COLLECTIVE && times.end == times.operation)
    {
        return {Event::LAUNCH_END, task};
    }
    // A message may have arrived before the task that waits for it began
    if (kind == TaskKind::COLLECTIVE || (kind == TaskKind::RECEIVE && times.end > times.begin))
    {
        const MessageRef last = kind == TaskKind::RECEIVE
                                    ? m_messages.FindReceived(task, m_now)
                                    : m_messages.FindReceived(task, m_now, UINT32_MAX);
        return m_record.Find(last) ? Cause(Event::ARRIVAL, last) : Cause(Event::UNKNOWN);
    }
    return {Event::TASK_BEGIN, task};
}

PathWalker::Cause
PathWalker::FollowBegin(const TaskRef& task)
{
    const auto& predecessors = m_messages.GetPredecessors(task);
    for (const uint32_t index : predecessors)
    {
        const TaskRef before{task.iteration, task.rank, index};
        if (GetTimes(before).end == m_now)
        {
            return {Event::TASK_END, before};
        }
    }
    const auto& tasks = m_job.GetPlan().programs[task.rank]->GetTasks();
    for (uint32_t index = 0; GetTask(task).kind == TaskKind::COMPUTE && index < tasks.size();
         ++index)
    {
        // The GPU was busy until now
        const TaskRef other{task.iteration, task.rank, index};
        const JobRecord::TaskTimes& times = GetTimes(other);
        if (tasks[index].kind == TaskKind::COMPUTE && times.end == m_now && times.begin < m_now)
        {
            return {Event::TASK_END, other};
        }
    }
    // With its iteration; the rank has ended the one before
    return predecessors.empty() && task.iteration > m_iteration
               ? FindLast(task.iteration - 1, task.rank)
               : Cause(Event::UNKNOWN);
}

PathWalker::Cause
PathWalker::FollowArrival(MessageRef ref)
{
    const Message& message = *m_record.Find(ref);
    if (message.source == message.peer)
    {
        return FollowAverage(ref);
    }
    if (message.IsSplit())
    {
        Add(Kind::PROPAGATION, message.ended, message);
        return {Event::SENDING_END, ref};
    }
    Add(Kind::TRANSFER, message.sent, message);
    return {Event::HAND_OVER, ref};
}

PathWalker::Cause
PathWalker::FollowAverage(MessageRef ref)
{
    const MessageRef before = m_messages.FindAverageBefore(ref);
    const MessageRef last = m_messages.FindLastPart(ref);
    // The segment leads from the rank that took part last
    Message part = *m_record.Find(last);
    part.peer = m_record.Find(ref)->peer;
    const Message* const earlier = m_record.Find(before);
    if (earlier && earlier->received > part.sent && earlier->received < m_now)
    {
        Add(Kind::TRANSFER, earlier->received, part);
        return {Event::ARRIVAL, before};
    }
    Add(Kind::TRANSFER, part.sent, part);
    return {Event::HAND_OVER, last};
}

PathWalker::Cause
PathWalker::FollowSending(MessageRef ref)
{
    const Message& message = *m_record.Find(ref);
    const auto& cuts = m_record.iterations.at(ref.iteration).cuts;
    for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut)
    {
        if (cut->message == ref.index && cut->end <= message.ended)
        {
            Add(Kind::TRANSMISSION, cut->end, message);
            AddWait(cut->begin, message);
        }
    }
    Add(Kind::TRANSMISSION, message.begun, message);
    return {Event::SENDING_BEGIN, ref};
}

PathWalker::Cause
PathWalker::FollowSendingBegin(MessageRef ref)
{
    const Message& message = *m_record.Find(ref);
    const MessageRef behind = m_record.GetBehind(ref);
    const Message* const before = m_record.Find(behind);
    const Time free = before ? before->ended : message.sent;
    if (free < m_now)
    {
        // It waited for light, whose cause may be earlier than the message
        const JobRecord::Fabric& fabric = m_record.fabrics[message.fabric];
        if (m_now <= fabric.firstLight && fabric.firstLight != JobRecord::Never())
        {
            AddWait(m_begin, message);
            return Cause(Event::UNKNOWN);
        }
        if (fabric.followsPhases)
        {
            const auto [cause, time] = FindPhase();
            if (time != JobRecord::Never())
            {
                AddWait(time, message);
                return cause;
            }
        }
        AddWait(free, message);
    }
    return before ? Cause(Event::SENDING_END, behind) : Cause(Event::HAND_OVER, ref);
}

std::pair<PathWalker::Cause, Time>
PathWalker::FindPhase() const
{
    const auto& phases = m_record.phases;
    const auto next = std::find_if(phases.begin(), phases.end(), [this](const auto& phase) {
        return phase.begin > m_now;
    });
    if (next == phases.begin())
    {
        return {Cause(Event::UNKNOWN), JobRecord::Never()};
    }
    const JobRecord::Phase& phase = *std::prev(next);
    if (phase.begin <= m_begin)
    {
        return {Cause(Event::UNKNOWN), phase.begin};
    }
    for (uint32_t rank = 0; rank < m_job.GetRanks().size(); ++rank)
    {
        const auto& tasks = m_job.GetPlan().programs[rank]->GetTasks();
        // It began with the end of the last communication of an earlier phase
        for (uint32_t index = 0; index < tasks.size(); ++index)
        {
            const TaskRef task{phase.iteration, rank, index};
            if (tasks[index].kind != TaskKind::COMPUTE && tasks[index].phase < phase.phase &&
                GetTimes(task).end == phase.begin)
            {
                return {Cause(Event::TASK_END, task), phase.begin};
            }
        }
    }
    return {Cause(Event::UNKNOWN), JobRecord::Never()};
}

PathWalker::Cause
PathWalker::FollowHandOver(MessageRef ref)
{
    const Message& message = *m_record.Find(ref);
    const TaskRef sender{ref.iteration, message.source, m_messages.FindTask(message)};
    if (!MessageTag::IsCollective(message.tag))
    {
        return {Event::TASK_BEGIN, sender};
    }
    const MessageRef before =
        m_messages.FindReceived(sender, m_now, MessageTag::GetStep(message.tag));
    if (m_record.Find(before))
    {
        return {Event::ARRIVAL, before};
    }
    return GetTimes(sender).operation == m_now ? Cause(Event::LAUNCH_END, sender)
                                               : Cause(Event::UNKNOWN);
}

void
PathWalker::Add(Kind kind, Time from, const TaskRef& task)
{
    CriticalPath::Segment segment;
    segment.kind = kind;
    segment.group = GetTask(task).group;
    segment.rank = task.rank;
    segment.peer = task.rank;
    segment.name = GetTask(task).name;
    Add(from, segment);
}

void
PathWalker::Add(Kind kind, Time from, const Message& message)
{
    const uint32_t group = MessageTag::Decode(message.tag).group;
    CriticalPath::Segment segment;
    segment.kind = kind;
    segment.group = group;
    segment.rank = message.source;
    segment.peer = message.peer;
    segment.name = GetTask({m_iteration, message.source, m_messages.FindTask(message)}).name;
    segment.bytes = message.bytes;
    segment.messages = 1;
    Add(from, segment);
}

void
PathWalker::Add(Time from, CriticalPath::Segment segment)
{
    // The path ends where the iteration begins, also in the middle of a task
    segment.begin = std::max(from, m_begin);
    segment.end = m_now;
    m_now = std::min(m_now, segment.begin);
    if (segment.begin < segment.end)
    {
        m_segments.push_back(std::move(segment));
    }
}

void
PathWalker::AddWait(Time from, const Message& message)
{
    const auto& switchings = m_record.fabrics[message.fabric].switchings;
    for (auto switching = switchings.rbegin(); switching != switchings.rend(); ++switching)
    {
        if (switching->dark < m_now && switching->light > from)
        {
            Add(Kind::CIRCUIT, std::min(switching->light, m_now), message);
            Add(Kind::DARKNESS, std::max(switching->dark, from), message);
        }
    }
    Add(Kind::CIRCUIT, from, message);
}

} // namespace lightpath
} // namespace ns3
