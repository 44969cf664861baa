/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "job-recorder.h"

#include "transmission-watch.h"

#include "ns3/message-tag.h"
#include "ns3/simulator.h"
#include "ns3/training-application.h"

#include <string>

namespace ns3
{
namespace lightpath
{

JobRecorder::JobRecorder(Ptr<TrainingJob> job, std::optional<uint32_t> iteration)
    : m_job(job),
      m_chosen(iteration.value_or(job->GetNIterations() - 1)),
      m_record(std::make_unique<JobRecord>()),
      m_watch(std::make_unique<TransmissionWatch>(*job, *m_record))
{
    using TaskTimes = JobRecord::TaskTimes;
    for (const auto& rank : job->GetRanks())
    {
        const auto connect = [&](const std::string& source, Time TaskTimes::*time) {
            rank->TraceConnectWithoutContext(
                source,
                Callback<void, const TaskEvent&>(
                    [this, time](const TaskEvent& event) { Note(event, time); }));
        };
        connect("TaskBegin", &TaskTimes::begin);
        connect("CollectiveBegin", &TaskTimes::operation);
        connect("TaskEnd", &TaskTimes::end);
        const LateSinks late;
        rank->TraceConnectWithoutContext("ComputedMessage",
                                         MakeCallback(&JobRecorder::NoteComputed, this));
        rank->TraceConnectWithoutContext("MessageSent", MakeCallback(&JobRecorder::NoteSent, this));
        rank->TraceConnectWithoutContext("MessageReceived",
                                         MakeCallback(&JobRecorder::NoteReceived, this));
    }
    job->TraceConnectWithoutContext("PhaseBegin", MakeCallback(&JobRecorder::NotePhase, this));
    job->TraceConnectWithoutContext("IterationEnd",
                                    MakeCallback(&JobRecorder::NoteIteration, this));
}

JobRecorder::~JobRecorder() = default;

Ptr<TrainingJob>
JobRecorder::GetJob() const
{
    return m_job;
}

std::optional<uint32_t>
JobRecorder::GetIteration() const
{
    return m_chosen < m_ended ? std::optional<uint32_t>(m_chosen) : std::nullopt;
}

const JobRecord&
JobRecorder::GetRecord() const
{
    return *m_record;
}

bool
JobRecorder::IsRecorded(uint32_t iteration) const
{
    // Ranks that are ahead may hold up what belongs to the iteration
    return m_ended <= m_chosen && (iteration == m_chosen || iteration == m_chosen + 1);
}

void
JobRecorder::Note(const TaskEvent& event, Time JobRecord::TaskTimes::*time)
{
    if (!IsRecorded(event.iteration))
    {
        return;
    }
    m_watch->Begin();
    auto& ranks = m_record->iterations[event.iteration].tasks;
    ranks.resize(m_job->GetRanks().size());
    auto& tasks = ranks[event.rank];
    tasks.resize(m_job->GetPlan().programs[event.rank]->GetTasks().size());
    tasks[event.index].*time = Simulator::Now();
}

JobRecord::MessageRef
JobRecorder::Record(const JobRecord::Message& message)
{
    // The tag holds the iteration modulo a power of two, and no rank is behind m_ended
    const auto ahead = static_cast<uint16_t>(MessageTag::Decode(message.tag).iteration - m_ended);
    const uint32_t iteration = m_ended + ahead;
    if (!IsRecorded(iteration))
    {
        return {};
    }
    auto& messages = m_record->iterations[iteration].messages;
    messages.push_back(message);
    return {iteration, static_cast<uint32_t>(messages.size() - 1)};
}

void
JobRecorder::NoteSent(uint32_t rank, uint32_t peer, uint64_t tag, uint64_t bytes)
{
    JobRecord::Message message;
    message.tag = tag;
    message.bytes = bytes;
    message.sent = Simulator::Now();
    message.source = rank;
    message.peer = peer;
    const auto ref = Record(message);
    if (m_record->Find(ref))
    {
        m_watch->Send(ref);
    }
}

void
JobRecorder::NoteComputed(const ComputedMessage& message)
{
    JobRecord::Message recorded;
    recorded.tag = message.tag;
    recorded.bytes = message.bytes;
    recorded.sent = message.sent;
    recorded.source = message.source;
    recorded.peer = message.destination;
    const auto ref = Record(recorded);
    if (m_record->Find(ref))
    {
        m_watch->AddComputed(ref, message);
    }
}

void
JobRecorder::NoteReceived(uint32_t rank, uint32_t peer, uint64_t tag, uint64_t)
{
    m_watch->Receive(peer, rank, tag);
}

void
JobRecorder::NotePhase(uint32_t iteration, uint32_t phase)
{
    if (IsRecorded(iteration))
    {
        m_record->phases.push_back({Simulator::Now(), iteration, phase});
    }
}

void
JobRecorder::NoteIteration(uint32_t ended)
{
    m_ended = ended;
}

} // namespace lightpath
} // namespace ns3
