/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-application.h"

#include "training-job.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("TrainingApplication");

NS_OBJECT_ENSURE_REGISTERED(TrainingApplication);

namespace
{

// The fields of a tag, from the lowest bit on. An iteration is told from its neighbours, not from
// all others.
constexpr uint32_t STEP_BITS = 20;      //!< Step of a collective operation
constexpr uint32_t OPERATION_BITS = 24; //!< Number of the operation
constexpr uint32_t COLLECTIVE_BITS = 1; //!< Collective operation, not a single message
constexpr uint32_t GROUP_BITS = 3;      //!< Kind of group

constexpr double MIN_SPEED_FACTOR = 1e-6; //!< Least speed of a rank
constexpr double MAX_SPEED_FACTOR = 1e6;  //!< Largest speed of a rank

static_assert(N_GROUP_KINDS <= 1 << GROUP_BITS, "A tag has room for each kind of group");

/// The bits of the step.
constexpr uint64_t STEP_MASK = (uint64_t{1} << STEP_BITS) - 1;

/// The bit that marks a collective operation.
constexpr uint64_t COLLECTIVE_BIT = uint64_t{1} << (STEP_BITS + OPERATION_BITS);

} // namespace

TypeId
TrainingApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::TrainingApplication")
            .SetParent<Application>()
            .SetGroupName("Lightpath")
            .AddConstructor<TrainingApplication>()
            .AddAttribute("SpeedFactor",
                          "The speed of the GPU relative to what the plan was made for.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&TrainingApplication::m_speedFactor),
                          MakeDoubleChecker<double>(MIN_SPEED_FACTOR, MAX_SPEED_FACTOR))
            .AddAttribute("ComputeNoise",
                          "What the times of compute tasks are multiplied by, drawn once an "
                          "iteration; null for 1.",
                          PointerValue(),
                          MakePointerAccessor(&TrainingApplication::m_noise),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("Job",
                          "The job that the rank belongs to.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&TrainingApplication::GetJob),
                          MakePointerChecker<TrainingJob>())
            .AddAttribute("Transport",
                          "What carries the messages of the rank.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&TrainingApplication::GetTransport),
                          MakePointerChecker<Transport>());
    return tid;
}

TrainingApplication::TrainingApplication()
    : m_speedFactor(1)
{
    NS_LOG_FUNCTION(this);
}

TrainingApplication::~TrainingApplication()
{
    NS_LOG_FUNCTION(this);
}

void
TrainingApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_compute.Cancel();
    CancelLaunches();
    if (m_transport)
    {
        m_transport->Dispose();
    }
    m_transport = nullptr;
    m_job = nullptr;
    m_noise = nullptr;
    Application::DoDispose();
}

void
TrainingApplication::SetUp(Ptr<TrainingJob> job, uint32_t rank, Ptr<Transport> transport)
{
    NS_LOG_FUNCTION(this << job << rank << transport);
    m_job = job;
    m_rank = rank;
    m_transport = transport;
    m_program = job->GetPlan().programs.at(rank);
    m_transport->SetReceiveCallback(MakeCallback(&TrainingApplication::Receive, this));
    job->AddRank(this);
}

Ptr<TrainingJob>
TrainingApplication::GetJob() const
{
    return m_job;
}

uint32_t
TrainingApplication::GetRank() const
{
    return m_rank;
}

Ptr<Transport>
TrainingApplication::GetTransport() const
{
    return m_transport;
}

const std::vector<IterationRecord>&
TrainingApplication::GetRecords() const
{
    return m_records;
}

double
TrainingApplication::GetSpeedFactor() const
{
    return m_speedFactor;
}

Ptr<RandomVariableStream>
TrainingApplication::GetComputeNoise() const
{
    return m_noise;
}

int64_t
TrainingApplication::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    if (!m_noise)
    {
        return 0;
    }
    m_noise->SetStream(stream);
    return 1;
}

uint64_t
TrainingApplication::GetProgress() const
{
    return m_progress;
}

bool
TrainingApplication::IsComputing() const
{
    return !m_compute.IsExpired();
}

bool
TrainingApplication::IsLaunching() const
{
    return !m_launches.empty();
}

void
TrainingApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_job->NotifyStart();
    BeginIteration();
}

void
TrainingApplication::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_compute.Cancel();
    CancelLaunches();
    m_job->NotifyStop();
}

void
TrainingApplication::BeginIteration()
{
    NS_LOG_FUNCTION(this << m_iteration);
    m_record = IterationRecord();
    m_record.begin = Simulator::Now();
    if (!DrawNoise())
    {
        return;
    }
    m_waitsFor = m_program->GetNPredecessors();
    m_left = m_waitsFor.size();
    for (uint32_t task = 0; task < m_waitsFor.size(); ++task)
    {
        if (m_waitsFor[task] == 0)
        {
            BeginTask(task);
        }
    }
    Proceed();
}

bool
TrainingApplication::DrawNoise()
{
    if (!m_noise)
    {
        return true;
    }
    m_record.noise = m_noise->GetValue();
    constexpr double MOST = 1e6;
    if (m_record.noise > 0 && m_record.noise <= MOST)
    {
        return true;
    }
    std::ostringstream sentence;
    sentence << "Rank " << m_rank << " drew " << m_record.noise << " from its ComputeNoise, a "
             << m_noise->GetInstanceTypeId().GetName()
             << ": the times of compute tasks can only be multiplied by a positive number, so "
                "choose bounds that leave nothing else";
    m_job->Fail(sentence.str());
    return false;
}

void
TrainingApplication::EndIteration()
{
    NS_LOG_FUNCTION(this << m_iteration);
    m_record.end = Simulator::Now();
    m_records.push_back(m_record);
    ++m_iteration;
    if (m_iteration < m_job->GetNIterations())
    {
        // A new event, so that a program without any task that takes time does not recurse
        Simulator::ScheduleNow(&TrainingApplication::BeginIteration, this);
    }
    m_job->NotifyIterationEnd(m_rank);
}

void
TrainingApplication::BeginTask(uint32_t task)
{
    const Task& what = m_program->GetTasks()[task];
    switch (what.kind)
    {
    case TaskKind::COMPUTE:
        m_ready.push(task);
        break;
    case TaskKind::SEND:
        m_transport->Send(GetPeer(what), GetTag(what, 0), what.bytes);
        EndTask(task);
        break;
    case TaskKind::RECEIVE: {
        const uint32_t source = GetPeer(what);
        const uint64_t tag = GetTag(what, 0);
        if (m_arrived.Take(source, tag) == MessageTable::NONE)
        {
            m_receives.Add(source, tag, task);
        }
        else
        {
            EndTask(task);
        }
        break;
    }
    case TaskKind::COLLECTIVE:
        LaunchCollective(task);
        break;
    }
}

void
TrainingApplication::EndTask(uint32_t task)
{
    m_done.push_back(task);
}

void
TrainingApplication::Proceed()
{
    while (!m_done.empty())
    {
        const uint32_t task = m_done.back();
        m_done.pop_back();
        --m_left;
        ++m_progress;
        const Task& what = m_program->GetTasks()[task];
        if (what.kind != TaskKind::COMPUTE)
        {
            m_job->NotifyCommunicationEnd(m_iteration, what.phase);
        }
        for (const uint32_t next : m_program->GetSuccessors(task))
        {
            if (--m_waitsFor[next] == 0)
            {
                BeginTask(next);
            }
        }
    }
    if (!m_ready.empty() && !IsComputing())
    {
        // After all that happens at this instant, so that no chance decides which tasks are ready
        m_compute = Simulator::ScheduleNow(&TrainingApplication::BeginCompute, this);
    }
    if (m_left == 0)
    {
        EndIteration();
    }
}

void
TrainingApplication::BeginCompute()
{
    const uint32_t task = m_ready.top();
    m_ready.pop();
    const Task& what = m_program->GetTasks()[task];
    const double seconds = what.seconds * m_record.noise / m_speedFactor;
    const double left = (Time::Max() - Simulator::Now()).GetSeconds();
    // Half of what is left, as messages and waiting take time as well
    if (!(seconds < left / 2))
    {
        std::ostringstream sentence;
        sentence << "Task '" << what.name << "' of rank " << m_rank << " takes " << seconds
                 << " s, but a simulation with this resolution of time can only go on for " << left
                 << " s: choose a smaller batch, a faster rank or a coarser Time::SetResolution()";
        m_job->Fail(sentence.str());
        return;
    }
    const Time duration = Seconds(seconds);
    m_record.compute += duration;
    m_compute = Simulator::Schedule(duration, &TrainingApplication::EndCompute, this, task);
}

void
TrainingApplication::EndCompute(uint32_t task)
{
    NS_LOG_FUNCTION(this << task);
    EndTask(task);
    Proceed();
}

void
TrainingApplication::LaunchCollective(uint32_t task)
{
    const Time latency = m_job->GetCollectiveLatency();
    if (latency.IsZero() || GetSchedule(m_program->GetTasks()[task])->GetNSteps() == 0)
    {
        BeginCollective(task);
        return;
    }
    m_launches[task] = Simulator::Schedule(latency, &TrainingApplication::EndLaunch, this, task);
}

void
TrainingApplication::EndLaunch(uint32_t task)
{
    NS_LOG_FUNCTION(this << task);
    m_launches.erase(task);
    BeginCollective(task);
    Proceed();
}

void
TrainingApplication::CancelLaunches()
{
    for (auto& launch : m_launches)
    {
        launch.second.Cancel();
    }
    m_launches.clear();
}

std::shared_ptr<const CollectiveSchedule>
TrainingApplication::GetSchedule(const Task& task) const
{
    const auto& members = m_job->GetPlan().groups[task.group].GetMembers(m_rank);
    return m_job->GetSchedule(task.collective, members.size(), task.bytes, task.options);
}

void
TrainingApplication::BeginCollective(uint32_t task)
{
    const Task& what = m_program->GetTasks()[task];
    const RankGroups& groups = m_job->GetPlan().groups[what.group];
    const uint64_t tag = GetTag(what, 0);
    CollectiveProgress::Messages ahead;
    const auto early = m_early.find(tag);
    if (early != m_early.end())
    {
        ahead = std::move(early->second);
        m_early.erase(early);
    }
    CollectiveProgress collective(task,
                                  tag,
                                  groups.GetPosition(m_rank),
                                  groups.GetMembers(m_rank),
                                  GetSchedule(what),
                                  std::move(ahead));
    if (collective.Begin(*m_transport, m_transfers))
    {
        EndTask(task);
        return;
    }
    m_collectives.emplace(tag, std::move(collective));
}

void
TrainingApplication::Receive(uint32_t source, uint64_t tag, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << source << tag << bytes);
    ++m_progress;
    if ((tag & COLLECTIVE_BIT) == 0)
    {
        const uint32_t task = m_receives.Take(source, tag);
        if (task == MessageTable::NONE)
        {
            m_arrived.Add(source, tag, 0);
            return;
        }
        EndTask(task);
        Proceed();
        return;
    }
    const uint32_t step = tag & STEP_MASK;
    const auto found = m_collectives.find(tag & ~STEP_MASK);
    if (found == m_collectives.end())
    {
        ++m_early[tag & ~STEP_MASK][step];
        return;
    }
    if (found->second.Receive(step, *m_transport, m_transfers))
    {
        EndTask(found->second.GetTask());
        m_collectives.erase(found);
        Proceed();
    }
}

uint64_t
TrainingApplication::GetTag(const Task& task, uint32_t step) const
{
    uint64_t tag = m_iteration;
    tag = tag << GROUP_BITS | task.group;
    tag = tag << COLLECTIVE_BITS | (task.kind == TaskKind::COLLECTIVE ? 1 : 0);
    tag = tag << OPERATION_BITS | task.operation;
    return tag << STEP_BITS | step;
}

uint32_t
TrainingApplication::GetPeer(const Task& task) const
{
    return m_job->GetPlan().groups[task.group].GetMembers(m_rank)[task.peer];
}

std::vector<std::string>
TrainingApplication::DescribeWaiting(uint32_t most) const
{
    // By task, since the collective operations are in no particular order
    std::map<uint32_t, std::string> clauses;
    const auto& tasks = m_program->GetTasks();
    const std::string who = "rank " + std::to_string(m_rank) + " waits in ";
    for (const MessageTable::Entry& receive : m_receives.GetEntries())
    {
        clauses[receive.value] = who + "'" + tasks[receive.value].name +
                                 "' for a message from rank " + std::to_string(receive.source);
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
