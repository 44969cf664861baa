/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-application.h"

#include "drawn-loads.h"
#include "rank-messages.h"
#include "task-counts.h"
#include "training-job.h"
#include "wait-ledger.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/message-tag.h"
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

TypeId
TrainingApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::TrainingApplication")
            .SetParent<Application>()
            .SetGroupName("Lightpath")
            .AddConstructor<TrainingApplication>()
            .AddAttribute("SpeedFactor",
                          "The speed of the GPU relative to the speed that the plan assumes.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&TrainingApplication::m_speedFactor),
                          MakeDoubleChecker<double>(1e-6, 1e6))
            .AddAttribute("ComputeNoise",
                          "A random variable, drawn once an iteration, that multiplies the times "
                          "of compute tasks; null for the times of the plan.",
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
                          "The transport that carries the messages of the rank.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&TrainingApplication::GetTransport),
                          MakePointerChecker<Transport>())
            .AddTraceSource("TaskBegin",
                            "A task begins.",
                            MakeTraceSourceAccessor(&TrainingApplication::m_taskBeginTrace),
                            "ns3::lightpath::TrainingApplication::TaskTracedCallback")
            .AddTraceSource("TaskEnd",
                            "A task is done.",
                            MakeTraceSourceAccessor(&TrainingApplication::m_taskEndTrace),
                            "ns3::lightpath::TrainingApplication::TaskTracedCallback")
            .AddTraceSource("CollectiveBegin",
                            "The operation of a collective task begins: it has been launched.",
                            MakeTraceSourceAccessor(&TrainingApplication::m_collectiveBeginTrace),
                            "ns3::lightpath::TrainingApplication::TaskTracedCallback")
            .AddTraceSource("CollectiveEnd",
                            "The part of the rank in a collective operation is done.",
                            MakeTraceSourceAccessor(&TrainingApplication::m_collectiveEndTrace),
                            "ns3::lightpath::TrainingApplication::TaskTracedCallback")
            .AddTraceSource("MessageSent",
                            "A message is handed to the transport.",
                            MakeTraceSourceAccessor(&TrainingApplication::m_messageSentTrace),
                            "ns3::lightpath::TrainingApplication::MessageTracedCallback")
            .AddTraceSource("MessageReceived",
                            "The last byte of a message has arrived.",
                            MakeTraceSourceAccessor(&TrainingApplication::m_messageReceivedTrace),
                            "ns3::lightpath::TrainingApplication::MessageTracedCallback")
            .AddTraceSource("ComputedMessage",
                            "A message that is computed without events: told after its arrival, in "
                            "place of MessageSent and MessageReceived (LateSinks).",
                            MakeTraceSourceAccessor(&TrainingApplication::m_computedMessageTrace),
                            "ns3::lightpath::TrainingApplication::ComputedMessageTracedCallback");
    return tid;
}

TrainingApplication::TrainingApplication()
    : m_speedFactor(1),
      m_scheduled(Time::Max())
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
    m_messages.reset();
    m_transport = nullptr;
    if (const auto job = std::exchange(m_job, nullptr))
    {
        job->NotifyDispose();
    }
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
    m_counts = job->GetCounts(m_program);
    m_place = m_counts->AddRank();
    m_messages = std::make_unique<RankMessages>(*job,
                                                rank,
                                                transport,
                                                m_counts,
                                                m_place,
                                                m_messageSentTrace);
    m_transport->SetReceiveCallback([this](auto... message) { Receive(message...); });
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

void
TrainingApplication::EndForwarded(uint32_t task, uint64_t tag)
{
    NS_LOG_FUNCTION(this << task << tag);
    m_messages->EndForwarded(tag);
    TraceTask(m_collectiveEndTrace, task);
    EndTask(task);
    Proceed();
}

uint64_t
TrainingApplication::GetProgress() const
{
    return m_progress + m_job->GetRingMessages(m_rank);
}

void
TrainingApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_transport->SetComputed(m_job->IsForward());
    if (!m_job->NotifyStart(*this))
    {
        return;
    }
    m_job->GetWaits().Begin(m_rank, Simulator::Now());
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
    // All tasks are open again. Those that depend on none begin now, in the order of their indices;
    // Proceed() then follows the dependencies
    m_messages->BeginIteration(m_iteration);
    m_left = m_program->GetTasks().size();
    for (uint32_t task = 0; task < m_program->GetTasks().size(); ++task)
    {
        if (m_program->GetNPredecessors()[task] == 0)
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
    // A bound of the distribution is up to the user, so each draw is checked
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
    m_record.waits = m_job->GetWaits().EndIteration(m_rank, m_record.end);
    m_records.push_back(m_record);
    ++m_iteration;
    if (m_iteration < m_job->GetNIterations())
    {
        // A new event, so that a program without any task that takes time does not recurse
        m_transport->NoteEvent(Time(0));
        Simulator::ScheduleNow(&TrainingApplication::BeginIteration, this);
    }
    // Last, since the job may end here and stop the simulation
    m_job->NotifyIterationEnd(m_rank);
}

void
TrainingApplication::TraceTask(const TaskTrace& trace, uint32_t task) const
{
    if (!trace.IsEmpty())
    {
        trace({m_rank, m_iteration, task, m_program->GetTasks()[task]});
    }
}

void
TrainingApplication::BeginTask(uint32_t task)
{
    const Task& what = m_program->GetTasks()[task];
    if (what.kind == TaskKind::COMPUTE)
    {
        // It begins once the GPU is free
        m_ready.push(task);
        return;
    }
    TraceTask(m_taskBeginTrace, task);
    switch (what.kind)
    {
    case TaskKind::SEND:
        NS_LOG_LOGIC("rank " << m_rank << ": '" << what.name << "' hands over " << what.bytes
                             << " bytes");
        m_messages->Send(what, m_iteration);
        EndTask(task);
        break;
    case TaskKind::RECEIVE:
        if (m_counts->HasMessage(m_place, task))
        {
            EndTask(task);
            break;
        }
        NS_LOG_LOGIC("rank " << m_rank << ": '" << what.name << "' waits for its message");
        break;
    default:
        // A collective operation: its kernel takes some time to launch
        m_messages->Join(what, m_iteration);
        LaunchCollective(task);
        break;
    }
}

void
TrainingApplication::EndTask(uint32_t task)
{
    NS_LOG_LOGIC("rank " << m_rank << ": '" << m_program->GetTasks()[task].name << "' is done");
    TraceTask(m_taskEndTrace, task);
    m_done.push_back(task);
}

void
TrainingApplication::Proceed()
{
    // Tasks that take no time end as they begin and add to m_done. A worklist in place of recursion
    // keeps chains of thousands of them off the stack
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
        if (m_left == 0)
        {
            m_messages->ExplainWait(what.group);
        }
        for (const uint32_t next : m_program->GetSuccessors(task))
        {
            if (m_counts->Complete(m_place, next))
            {
                m_messages->ExplainWait(what.group);
                BeginTask(next);
            }
        }
    }
    if (!m_ready.empty() && !IsComputing())
    {
        // After all that happens at this instant, so that no chance decides which tasks are ready
        m_transport->NoteEvent(Time(0));
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
    const double planned = m_job->GetLoads().GetSeconds(what, m_rank, m_iteration);
    const double seconds = planned * m_record.noise / m_speedFactor;
    const double left = (Time::Max() - Simulator::Now()).GetSeconds();
    // Half of the remaining time, as messages and waiting take time as well
    if (!(seconds < left / 2))
    {
        std::ostringstream sentence;
        sentence << "Task '" << what.name << "' of rank " << m_rank << " takes " << seconds
                 << " s, but a simulation with this resolution of time can only go on for " << left
                 << " s: choose a smaller batch, a faster rank or a coarser Time::SetResolution()";
        m_job->Fail(sentence.str());
        return;
    }
    // It cannot be interrupted: a task of a lower index that becomes ready meanwhile waits
    const Time duration = Seconds(seconds);
    m_record.compute += duration;
    m_computeTime = duration;
    m_job->GetWaits().Compute(m_rank, Simulator::Now(), Simulator::Now() + duration);
    NS_LOG_LOGIC("rank " << m_rank << ": computes '" << what.name << "' for "
                         << duration.As(Time::US));
    TraceTask(m_taskBeginTrace, task);
    m_transport->NoteEvent(duration);
    m_compute = Simulator::Schedule(duration, &TrainingApplication::EndCompute, this, task);
}

void
TrainingApplication::EndCompute(uint32_t task)
{
    NS_LOG_FUNCTION(this << task);
    m_scheduled = Simulator::Now() - m_computeTime;
    EndTask(task);
    Proceed();
    m_scheduled = Time::Max();
}

void
TrainingApplication::LaunchCollective(uint32_t task)
{
    const Task& what = m_program->GetTasks()[task];
    const Time latency = m_messages->GetLatency(what, m_iteration);
    if (latency.IsZero() || m_messages->GetSchedule(what, m_iteration)->GetNSteps() == 0)
    {
        BeginCollective(task);
        return;
    }
    NS_LOG_LOGIC("rank " << m_rank << ": '" << what.name << "' is launched in "
                         << latency.As(Time::US));
    m_transport->NoteEvent(latency);
    m_launches[task] = Simulator::Schedule(latency, &TrainingApplication::EndLaunch, this, task);
}

void
TrainingApplication::EndLaunch(uint32_t task)
{
    NS_LOG_FUNCTION(this << task);
    m_launches.erase(task);
    m_scheduled =
        Simulator::Now() - m_messages->GetLatency(m_program->GetTasks()[task], m_iteration);
    BeginCollective(task);
    Proceed();
    m_scheduled = Time::Max();
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

void
TrainingApplication::BeginCollective(uint32_t task)
{
    const Task& what = m_program->GetTasks()[task];
    NS_LOG_LOGIC("rank " << m_rank << ": '" << what.name << "' begins with " << what.bytes
                         << " bytes");
    TraceTask(m_collectiveBeginTrace, task);
    if (m_messages->BeginCollective(task, what, m_iteration, m_scheduled))
    {
        TraceTask(m_collectiveEndTrace, task);
        EndTask(task);
    }
}

void
TrainingApplication::Receive(uint32_t source, uint64_t tag, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << source << tag << bytes);
    ++m_progress;
    m_messageReceivedTrace(m_rank, source, tag, bytes);
    const uint32_t task = m_messages->Receive(source, tag);
    if (task == RankMessages::NONE)
    {
        return;
    }
    if (MessageTag::IsCollective(tag))
    {
        TraceTask(m_collectiveEndTrace, task);
    }
    EndTask(task);
    Proceed();
}

std::vector<std::string>
TrainingApplication::DescribeWaiting(uint32_t most) const
{
    return m_messages->DescribeWaiting(most);
}

} // namespace lightpath
} // namespace ns3
