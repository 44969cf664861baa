/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "job-timeline.h"

#include "model/training/transport/server-network.h"

#include "ns3/rank-groups.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param number a number
 * @return a number that looks random, another one for each number (SplitMix64's finaliser)
 */
uint64_t
MixBits(uint64_t number)
{
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
    number = (number ^ number >> 27) * 0x94d049bb133111eb;
    return number ^ number >> 31;
}

} // namespace

JobTimeline::JobTimeline(TimelineTracks& tracks,
                         Ptr<TrainingJob> job,
                         const std::string& name,
                         const TimelineSettings& settings)
    : m_tracks(tracks),
      m_nIterations(job->GetNIterations())
{
    m_showsMessages = (settings.details.value_or(0) & TimelineSettings::MESSAGES) != 0;
    const char* const kinds[] = {"compute", "send", "receive", "collective"};
    std::transform(std::begin(kinds), std::end(kinds), m_names.kinds, [&](const char* kind) {
        return tracks.GetName(kind);
    });
    for (uint32_t group = 0; group < N_GROUP_KINDS; ++group)
    {
        m_names.groups[group] = tracks.GetName(RankGroups::GetKindName(group));
        m_names.waits[group] =
            tracks.GetName("wait: communication " + RankGroups::GetKindName(group));
    }
    m_names.groups[N_GROUP_KINDS] = tracks.GetName("other");
    m_names.waits[BUBBLE_WAIT] = tracks.GetName("wait: bubble");
    m_names.waits[CIRCUIT_WAIT] = tracks.GetName("wait: circuits");
    m_names.wait = tracks.GetName("wait");
    m_names.operation = tracks.GetName("operation");
    m_names.message = tracks.GetName("message");
    m_names.send = tracks.GetName("send");
    m_names.receive = tracks.GetName("receive");
    m_names.iteration = tracks.GetName("iteration");
    m_names.phase = tracks.GetName("phase");
    m_names.group = tracks.GetName("group");
    m_names.bytes = tracks.GetName("bytes");
    m_names.source = tracks.GetName("source");
    m_names.destination = tracks.GetName("destination");
    m_names.failure = tracks.GetName("failure");
    AddRanks(*job, name, settings);
    job->TraceConnectWithoutContext("Wait", MakeCallback(&JobTimeline::NoteWait, this));
    job->TraceConnectWithoutContext("PhaseBegin", MakeCallback(&JobTimeline::NotePhase, this));
    job->TraceConnectWithoutContext("IterationEnd",
                                    MakeCallback(&JobTimeline::NoteIterationEnd, this));
    job->TraceConnectWithoutContext("Failed", MakeCallback(&JobTimeline::NoteFailure, this));
}

void
JobTimeline::AddRanks(const TrainingJob& job,
                      const std::string& name,
                      const TimelineSettings& settings)
{
    const uint32_t process = m_tracks.AddProcess(name);
    m_salt = MixBits(process);
    m_iterations = m_tracks.AddThread(process, "iterations");
    m_phases = m_tracks.AddThread(process, "phases");
    m_underway = m_showsMessages ? m_tracks.AddCounter(process, "bytes under way") : 0;
    const std::string prefix = name == "job" ? "" : name + ", ";
    m_ranks.resize(job.GetRanks().size());
    uint32_t server = UINT32_MAX;
    uint32_t owner = 0;
    for (const auto& application : job.GetRanks())
    {
        const uint32_t number = application->GetRank();
        Rank& rank = m_ranks[number];
        rank.isShown = settings.ranks.empty() || settings.ranks.count(number) > 0;
        if (!rank.isShown)
        {
            continue;
        }
        const std::string title = "rank " + std::to_string(number);
        const uint32_t home =
            job.GetServers() ? job.GetServers()->GetLayout().GetServer(number) : number;
        if (home != server)
        {
            server = home;
            owner = m_tracks.AddProcess(
                prefix + (job.GetServers() ? "server " + std::to_string(server) : title));
        }
        rank.process = owner;
        rank.compute = m_tracks.AddThread(owner, title);
        const auto connect = [&](const std::string& source, const CallbackBase& callback) {
            application->TraceConnectWithoutContext(source, callback);
        };
        connect("TaskBegin", MakeCallback(&JobTimeline::NoteTaskBegin, this));
        connect("TaskEnd", MakeCallback(&JobTimeline::NoteTaskEnd, this));
        connect("CollectiveBegin", MakeCallback(&JobTimeline::NoteOperationBegin, this));
        connect("CollectiveEnd", MakeCallback(&JobTimeline::NoteOperationEnd, this));
        if (m_showsMessages)
        {
            const LateSinks late;
            rank.messages = m_tracks.AddThread(owner, title + ": messages");
            connect("MessageSent", MakeCallback(&JobTimeline::NoteSent, this));
            connect("MessageReceived", MakeCallback(&JobTimeline::NoteReceived, this));
            connect("ComputedMessage", MakeCallback(&JobTimeline::NoteComputed, this));
        }
    }
}

JobTimeline::Lane&
JobTimeline::GetLane(const TaskEvent& event)
{
    auto& rank = m_ranks[event.rank];
    const auto find = [&rank](uint32_t task) {
        return std::find_if(rank.lanes.begin(), rank.lanes.end(), [task](const Lane& lane) {
            return lane.task == task;
        });
    };
    auto lane = find(event.index);
    lane = lane == rank.lanes.end() ? find(NO_TASK) : lane;
    if (lane == rank.lanes.end())
    {
        std::string title = "rank " + std::to_string(event.rank) + ": communication";
        title += rank.lanes.empty() ? "" : " " + std::to_string(rank.lanes.size() + 1);
        rank.lanes.push_back({m_tracks.AddThread(rank.process, title)});
        return rank.lanes.back();
    }
    return *lane;
}

void
JobTimeline::NoteTaskBegin(const TaskEvent& event)
{
    const Task& task = event.task;
    Rank& rank = m_ranks[event.rank];
    rank.iteration = event.iteration;
    const uint32_t kind = m_names.kinds[static_cast<uint32_t>(task.kind)];
    const uint32_t name = m_tracks.GetName(task.name);
    if (task.kind == TaskKind::COMPUTE)
    {
        m_tracks.Begin(rank.compute, name, kind, {{m_names.iteration, false, event.iteration}});
        return;
    }
    Lane& lane = GetLane(event);
    lane.task = event.index;
    const uint32_t group = std::min<uint32_t>(task.group, N_GROUP_KINDS);
    m_tracks.Begin(lane.track,
                   name,
                   kind,
                   {{m_names.bytes, false, task.bytes},
                    {m_names.group, true, m_names.groups[group]},
                    {m_names.phase, false, task.phase},
                    {m_names.iteration, false, event.iteration}});
}

void
JobTimeline::NoteTaskEnd(const TaskEvent& event)
{
    Rank& rank = m_ranks[event.rank];
    rank.iteration = event.iteration;
    if (event.task.kind == TaskKind::COMPUTE)
    {
        m_tracks.End(rank.compute);
        return;
    }
    Lane& lane = GetLane(event);
    if (lane.task == event.index)
    {
        lane.task = NO_TASK;
        m_tracks.End(lane.track);
    }
}

void
JobTimeline::NoteOperationBegin(const TaskEvent& event)
{
    const Lane& lane = GetLane(event);
    if (lane.task == event.index)
    {
        m_tracks.Begin(lane.track, m_names.operation, m_names.operation);
    }
}

void
JobTimeline::NoteOperationEnd(const TaskEvent& event)
{
    const Lane& lane = GetLane(event);
    if (lane.task == event.index)
    {
        m_tracks.End(lane.track);
    }
}

void
JobTimeline::NoteSent(uint32_t rank, uint32_t peer, uint64_t tag, uint64_t bytes)
{
    if (m_ranks[peer].isShown)
    {
        BeginArrow({rank, peer, tag, bytes, Simulator::Now(), {}, {}, {}});
    }
}

void
JobTimeline::NoteReceived(uint32_t rank, uint32_t peer, uint64_t tag, uint64_t bytes)
{
    if (m_ranks[peer].isShown)
    {
        EndArrow({peer, rank, tag, bytes, {}, {}, {}, Simulator::Now()});
    }
}

void
JobTimeline::NoteComputed(const ComputedMessage& message)
{
    if (!m_ranks[message.destination].isShown)
    {
        return;
    }
    BeginArrow(message);
    if (message.received != Time::Max())
    {
        EndArrow(message);
    }
}

uint64_t
JobTimeline::GetArrow(const ComputedMessage& message) const
{
    const uint64_t pair = uint64_t{message.source} << 32 | message.destination;
    return MixBits(MixBits(m_salt ^ pair) ^ message.tag);
}

void
JobTimeline::BeginArrow(const ComputedMessage& message)
{
    m_tracks.BeginFlow(
        m_ranks[message.source].messages,
        m_names.send,
        m_names.message,
        GetArrow(message),
        {{m_names.destination, false, message.destination}, {m_names.bytes, false, message.bytes}},
        message.sent);
    AddUnderway(message.sent, static_cast<int64_t>(message.bytes));
}

void
JobTimeline::EndArrow(const ComputedMessage& message)
{
    m_tracks.EndFlow(m_ranks[message.destination].messages,
                     m_names.receive,
                     m_names.message,
                     GetArrow(message),
                     {{m_names.source, false, message.source}},
                     message.received);
    AddUnderway(message.received, -static_cast<int64_t>(message.bytes));
}

void
JobTimeline::AddUnderway(Time time, int64_t bytes)
{
    constexpr std::size_t MANY = std::size_t{1} << 16;
    m_changes.push_back({time, bytes});
    if (m_changes.size() >= MANY && m_show.IsExpired())
    {
        m_show = Simulator::ScheduleNow(&JobTimeline::ShowUnderway, this, false);
    }
}

void
JobTimeline::ShowUnderway(bool all)
{
    // Messages that are computed are told of late, in no order of time
    LightpathBorrower::ReportAll();
    std::sort(m_changes.begin(), m_changes.end(), [](const auto& a, const auto& b) {
        return a.time < b.time;
    });
    auto change = m_changes.begin();
    while (change != m_changes.end() && (all || change->time < Simulator::Now()))
    {
        // The last value of an instant counts
        const Time time = change->time;
        for (; change != m_changes.end() && change->time == time; ++change)
        {
            m_bytes += change->bytes;
        }
        m_tracks.SetCounter(m_underway, m_bytes, time);
    }
    m_changes.erase(m_changes.begin(), change);
}

void
JobTimeline::Close()
{
    ShowUnderway(true);
}

void
JobTimeline::NoteWait(uint32_t rank, uint32_t kind, Time begin, Time end)
{
    if (m_ranks[rank].isShown)
    {
        m_tracks.AddSlice(m_ranks[rank].compute,
                          begin,
                          end,
                          m_names.waits[kind],
                          m_names.wait,
                          {{m_names.iteration, false, m_ranks[rank].iteration}});
    }
}

void
JobTimeline::BeginIteration(uint32_t iteration)
{
    m_tracks.Begin(m_iterations,
                   m_tracks.GetName("iteration " + std::to_string(iteration)),
                   m_names.iteration);
}

void
JobTimeline::NotePhase(uint32_t iteration, uint32_t phase)
{
    if (iteration == 0 && phase == 0)
    {
        BeginIteration(0);
    }
    m_tracks.End(m_phases);
    m_tracks.Begin(m_phases,
                   m_tracks.GetName("phase " + std::to_string(phase)),
                   m_names.phase,
                   {{m_names.iteration, false, iteration}});
}

void
JobTimeline::NoteIterationEnd(uint32_t iteration)
{
    m_tracks.End(m_iterations);
    if (iteration < m_nIterations)
    {
        BeginIteration(iteration);
        return;
    }
    m_tracks.End(m_phases);
}

void
JobTimeline::NoteFailure(std::string sentence)
{
    m_tracks.AddInstant(m_iterations, m_tracks.GetName(sentence), m_names.failure);
}

} // namespace lightpath
} // namespace ns3
