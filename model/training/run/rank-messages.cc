/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-messages.h"

#include "drawn-loads.h"
#include "job-ledger.h"
#include "model/training/forward/ring-forward.h"
#include "model/training/transport/server-network.h"
#include "task-counts.h"
#include "training-application.h"
#include "training-job.h"

#include "ns3/message-tag.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

RankMessages::RankMessages(TrainingJob& job,
                           uint32_t rank,
                           Ptr<Transport> transport,
                           std::shared_ptr<TaskCounts> counts,
                           uint32_t place,
                           const Trace& sent)
    : m_job(job),
      m_rank(rank),
      m_transport(transport),
      m_sentTrace(sent),
      m_counts(std::move(counts)),
      m_place(place)
{
}

void
RankMessages::BeginIteration(uint32_t iteration)
{
    m_counts->Begin(m_place);
    m_iteration = MessageTag::Wrap(iteration);
    const auto later = std::partition(m_ahead.begin(), m_ahead.end(), [this](const auto& message) {
        return MessageTag::GetIteration(message.second) == m_iteration;
    });
    std::for_each(m_ahead.begin(), later, [this](const auto& message) {
        TakeMessage(message.first, message.second);
    });
    m_ahead.erase(m_ahead.begin(), later);
}

void
RankMessages::Transmit(uint32_t peer, uint64_t tag, uint64_t bytes)
{
    m_sentTrace(m_rank, peer, tag, bytes);
    if (MessageTag::IsCollective(tag))
    {
        Subtract(peer, bytes);
    }
    // Who listens to computed messages hears of these as events
    m_transport->SetComputed(m_job.IsForward() && !m_job.GetRanks()[m_rank]->TracesComputed());
    m_transport->Send(peer, tag, bytes);
}

void
RankMessages::Subtract(uint32_t peer, uint64_t bytes)
{
    JobLedger* const ledger = m_job.GetLedger();
    if (ledger && m_transport->UsesCircuits(bytes))
    {
        // From now on it waits in the transport
        ledger->Subtract(m_rank, peer, bytes);
    }
}

void
RankMessages::Average(uint64_t tag, uint64_t bytes, bool isInside)
{
    m_sentTrace(m_rank, m_rank, tag, bytes);
    isInside ? m_transport->AverageInside(tag, bytes) : m_transport->Average(tag, bytes);
}

void
RankMessages::Send(const Task& task, uint32_t iteration)
{
    const uint32_t peer = GetPeer(task);
    const uint64_t tag = GetTag(task, iteration);
    WaitLedger& waits = m_job.GetWaits();
    waits.Prefetch(m_rank, peer, tag);
    const WaitLedger::Wait wait = MakeWait();
    Transmit(peer, tag, task.bytes);
    waits.HandOver(peer, tag, wait);
}

bool
RankMessages::BeginCollective(uint32_t index, const Task& task, uint32_t iteration, Time scheduled)
{
    const RankGroups& groups = m_job.GetPlan().groups[task.group];
    const uint64_t tag = GetTag(task, iteration);
    const auto schedule = GetSchedule(task, iteration);
    if (const auto ring = std::dynamic_pointer_cast<const RingSchedule>(schedule);
        ring && ring->GetNPeers() > 0)
    {
        RingForward* const forward = m_job.GetForward(m_rank, task.group, ring->GetNPeers());
        const auto answer =
            forward ? forward->Begin(tag, ring, groups.GetPosition(m_rank), index, scheduled)
                    : RingForward::Answer::REFUSED;
        if (answer == RingForward::Answer::DONE)
        {
            Leave(tag);
        }
        if (answer != RingForward::Answer::REFUSED)
        {
            return answer == RingForward::Answer::DONE;
        }
    }
    // Peers that are ahead may have sent messages before this rank was ready
    CollectiveProgress::Messages ahead;
    const auto early = m_early.find(tag);
    if (early != m_early.end())
    {
        ahead = std::move(early->second);
        m_early.erase(early);
    }
    CollectiveProgress collective(index,
                                  tag,
                                  groups.GetPosition(m_rank),
                                  groups.GetMembers(m_rank),
                                  schedule,
                                  std::move(ahead));
    if (collective.Begin(*this, m_transfers))
    {
        Leave(tag);
        return true;
    }
    m_collectives.emplace(tag, std::move(collective));
    return false;
}

void
RankMessages::EndForwarded(uint64_t tag)
{
    Leave(tag);
}

void
RankMessages::TakeOver(uint64_t tag, const CollectiveProgress& progress)
{
    m_collectives.emplace(tag, progress);
}

void
RankMessages::TakeEarly(uint64_t tag, const CollectiveProgress::Messages& messages)
{
    if (!messages.empty())
    {
        m_early[tag] = messages;
    }
}

uint32_t
RankMessages::Receive(uint32_t source, uint64_t tag)
{
    if (!MessageTag::IsCollective(tag))
    {
        WaitLedger& waits = m_job.GetWaits();
        waits.Prefetch(source, m_rank, tag);
        uint32_t task = NONE;
        if (MessageTag::GetIteration(tag) == m_iteration)
        {
            task = TakeMessage(source, tag);
        }
        else
        {
            m_ahead.emplace_back(source, tag);
        }
        m_wait = waits.Take(source, m_rank, Simulator::Now(), tag);
        return task;
    }
    const uint32_t step = MessageTag::GetStep(tag);
    const auto found = m_collectives.find(MessageTag::GetFirst(tag));
    if (found == m_collectives.end())
    {
        return ReceiveEarly(MessageTag::GetFirst(tag), step);
    }
    if (!found->second.Receive(step, *this, m_transfers))
    {
        return NONE;
    }
    const uint32_t task = found->second.GetTask();
    m_collectives.erase(found);
    Leave(MessageTag::GetFirst(tag));
    return task;
}

uint32_t
RankMessages::TakeMessage(uint32_t source, uint64_t tag)
{
    const MessageTag fields = MessageTag::Decode(tag);
    const uint32_t position = m_job.GetPlan().groups[fields.group].GetPosition(source);
    const uint32_t* const task = m_counts->FindReceive(fields.group, fields.operation, position);
    return task && m_counts->TakeMessage(m_place, *task) ? *task : NONE;
}

uint32_t
RankMessages::ReceiveEarly(uint64_t first, uint32_t step)
{
    const uint32_t group = MessageTag::Decode(first).group;
    // It may have been on its way when lightpaths of a RingForward began to share links
    RingForward* const forward = m_job.GetForward(m_rank, group, 1);
    if (!forward || !forward->Streams(first))
    {
        ++m_early[first][step];
        return NONE;
    }
    const uint32_t task =
        forward->Receive(first, step, m_job.GetPlan().groups[group].GetPosition(m_rank));
    if (task != NONE)
    {
        Leave(first);
    }
    return task;
}

void
RankMessages::ExplainWait(uint32_t group) const
{
    const Time now = Simulator::Now();
    WaitLedger& waits = m_job.GetWaits();
    if (waits.IsWaiting(m_rank, now) && waits.GetLog())
    {
        waits.ExplainLater(m_rank, now, group, IsInside(group));
    }
    else if (waits.IsWaiting(m_rank, now))
    {
        // Circuits are between servers
        const Time dark = IsInside(group)
                              ? m_wait.dark
                              : m_job.GetRanks()[m_wait.rank]->GetTransport()->GetDarkTime();
        waits.Explain(m_rank, now, m_wait, dark, group);
    }
}

bool
RankMessages::IsInside(uint32_t group) const
{
    const auto servers = m_job.GetServers();
    if (!servers)
    {
        return false;
    }
    const auto& members = m_job.GetPlan().groups[group].GetMembers(m_rank);
    return std::all_of(members.begin(), members.end(), [&](uint32_t member) {
        return servers->GetLayout().AreInside(m_rank, member);
    });
}

WaitLedger::Wait
RankMessages::MakeWait() const
{
    return {m_rank, Simulator::Now(), m_transport->GetDarkTime()};
}

void
RankMessages::Join(const Task& task, uint32_t iteration)
{
    const auto& members = m_job.GetPlan().groups[task.group].GetMembers(m_rank);
    const uint64_t tag = GetTag(task, iteration);
    m_job.GetWaits().Join(members.front(), tag, MakeWait());
    JobLedger* const ledger = m_job.GetLedger();
    if (ledger && ledger->Join(tag, members.front(), members.size()))
    {
        Announce(*ledger, members, *GetSchedule(task, iteration));
    }
}

void
RankMessages::Announce(JobLedger& ledger,
                       const std::vector<uint32_t>& members,
                       const CollectiveSchedule& schedule)
{
    // The sums of each pair suffice, unless the way of a message depends on its size
    const bool usesSums = m_transport->UsesCircuits(1);
    const uint32_t steps = usesSums ? 1 : schedule.GetNSteps();
    for (uint32_t position = 0; position < members.size(); ++position)
    {
        for (uint32_t step = 0; step < steps; ++step)
        {
            usesSums ? schedule.GetTotals(position, m_transfers)
                     : schedule.GetSends(position, step, m_transfers);
            for (const Transfer& transfer : m_transfers)
            {
                // A tensor that the network averages takes no circuit
                if (transfer.peer != position && m_transport->UsesCircuits(transfer.bytes))
                {
                    ledger.Add(members[position], members[transfer.peer], transfer.bytes);
                }
            }
        }
    }
}

void
RankMessages::Leave(uint64_t tag)
{
    m_wait = m_job.GetWaits().Leave(m_rank,
                                    Simulator::Now(),
                                    GetFirst(MessageTag::Decode(tag).group),
                                    tag);
}

uint32_t
RankMessages::GetFirst(uint32_t group) const
{
    return m_job.GetPlan().groups[group].GetMembers(m_rank).front();
}

Time
RankMessages::GetLatency(const Task& task, uint32_t iteration) const
{
    const bool isDrawn = task.routed.experts > 0;
    return m_job.GetCollectiveLatency(isDrawn ? m_job.GetLoads().Get(task, m_rank, iteration).bytes
                                              : task.bytes);
}

std::shared_ptr<const CollectiveSchedule>
RankMessages::GetSchedule(const Task& task, uint32_t iteration) const
{
    const auto& members = m_job.GetPlan().groups[task.group].GetMembers(m_rank);
    if (task.routed.experts > 0)
    {
        // Its size depends on the tokens of the iteration
        const Task drawn = m_job.GetLoads().Get(task, m_rank, iteration);
        return m_job.GetSchedule(drawn.collective, members.size(), drawn.bytes, drawn.options);
    }
    return m_job.GetSchedule(task.collective, members.size(), task.bytes, task.options);
}

uint64_t
RankMessages::GetTag(const Task& task, uint32_t iteration)
{
    MessageTag tag;
    tag.iteration = iteration;
    tag.group = task.group;
    tag.isCollective = task.kind == TaskKind::COLLECTIVE;
    tag.operation = task.operation;
    return tag.Encode();
}

uint32_t
RankMessages::GetPeer(const Task& task) const
{
    return m_job.GetPlan().groups[task.group].GetMembers(m_rank)[task.peer];
}

std::vector<std::string>
RankMessages::DescribeWaiting(uint32_t most) const
{
    // By task, since the collective operations are in no particular order
    std::map<uint32_t, std::string> clauses;
    const auto& tasks = m_job.GetPlan().programs[m_rank]->GetTasks();
    const std::string who = "rank " + std::to_string(m_rank) + " waits in ";
    for (uint32_t task = 0; task < tasks.size(); ++task)
    {
        if (m_counts->WaitsForMessage(m_place, task))
        {
            clauses[task] = who + "'" + tasks[task].name + "' for a message from rank " +
                            std::to_string(GetPeer(tasks[task]));
        }
    }
    for (const auto& entry : m_collectives)
    {
        const uint32_t task = entry.second.GetTask();
        clauses[task] = who + entry.second.DescribeWaiting(tasks[task].name);
    }
    std::vector<std::string> first;
    for (const auto& clause : clauses)
    {
        if (first.size() < most)
        {
            first.push_back(clause.second);
        }
    }
    return first;
}

} // namespace lightpath
} // namespace ns3
