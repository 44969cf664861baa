/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-job.h"

#include "circuit-watch.h"
#include "drawn-loads.h"
#include "job-ledger.h"
#include "job-ports.h"
#include "model/parallel/process-group.h"
#include "model/training/forward/fast-forward.h"
#include "model/training/transport/server-network.h"
#include "rank-result.h"
#include "task-counts.h"
#include "training-application.h"
#include "wait-ledger.h"
#include "wait-log.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/dark-clock.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("TrainingJob");

NS_OBJECT_ENSURE_REGISTERED(TrainingJob);

TypeId
TrainingJob::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::TrainingJob")
            .SetParent<Object>()
            .SetGroupName("Lightpath")
            .AddConstructor<TrainingJob>()
            .AddAttribute("Iterations",
                          "The number of training iterations.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&TrainingJob::m_nIterations),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("StallTimeout",
                          "The time without progress after which the job is stalled and fails; a "
                          "thousand times as long while transports have bytes on their way.",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&TrainingJob::m_stallTimeout),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("CollectiveLatency",
                          "The time between a collective operation being ready on a rank and its "
                          "start there: the launch of its kernel, besides that of its protocol.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&TrainingJob::m_collectiveLatency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FastForward",
                          "Whether messages of collective operations are computed without an event "
                          "for each, as long as nothing looks at them or can touch them.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TrainingJob::m_fastForward),
                          MakeBooleanChecker())
            .AddAttribute("Weight",
                          "The factor of the planned demand, and of that of phases, where circuits "
                          "are decided on for the sum of the demands of several jobs.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&TrainingJob::m_weight),
                          MakeDoubleChecker<double>(1e-6, 1e6))
            .AddTraceSource("Failed",
                            "The job has failed.",
                            MakeTraceSourceAccessor(&TrainingJob::m_failedTrace),
                            "ns3::lightpath::TrainingJob::FailedTracedCallback")
            .AddTraceSource("Finished",
                            "All ranks have ended all iterations.",
                            MakeTraceSourceAccessor(&TrainingJob::m_finishedTrace),
                            "ns3::lightpath::TrainingJob::FinishedTracedCallback")
            .AddTraceSource("PhaseBegin",
                            "A phase of an iteration has begun.",
                            MakeTraceSourceAccessor(&TrainingJob::m_phaseTrace),
                            "ns3::lightpath::TrainingJob::PhaseTracedCallback")
            .AddTraceSource("Wait",
                            "A rank has waited: its WaitKind, the beginning and the end.",
                            MakeTraceSourceAccessor(&TrainingJob::m_waitTrace),
                            "ns3::lightpath::TrainingJob::WaitTracedCallback")
            .AddTraceSource("IterationEnd",
                            "All ranks have ended an iteration.",
                            MakeTraceSourceAccessor(&TrainingJob::m_iterationTrace),
                            "ns3::lightpath::TrainingJob::IterationTracedCallback")
            .AddTraceSource("IterationTime",
                            "The time since the last iteration ended, or the job began.",
                            MakeTraceSourceAccessor(&TrainingJob::m_iterationTimeTrace),
                            "ns3::TracedValueCallback::Time");
    return tid;
}

TrainingJob::TrainingJob()
{
    NS_LOG_FUNCTION(this);
}

TrainingJob::~TrainingJob()
{
    NS_LOG_FUNCTION(this);
}

void
TrainingJob::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_watch.Cancel();
    m_announcement.Cancel();
    m_circuits.clear();
    m_forward.reset();
    m_fabric = nullptr;
    m_servers = nullptr;
    m_ranks.clear();
    m_failureCallback.Nullify();
    Object::DoDispose();
}

void
TrainingJob::SetPlan(TrainingPlan plan)
{
    NS_LOG_FUNCTION(this);
    // Planners answer by exceptions; a script ends with a sentence
    try
    {
        plan.Check();
    }
    catch (const std::invalid_argument& error)
    {
        NS_ABORT_MSG(error.what());
    }
    m_plan = std::move(plan);
    m_traffic = TrafficMatrix();
    m_iterations.assign(m_plan.programs.size(), 0);
    m_phases = PhaseCounter(m_plan.GetNCommunications());
    m_waits = std::make_unique<WaitLedger>(m_plan.programs.size(), m_waitTrace);
    if (ProcessGroup::IsJoined())
    {
        m_waits->Defer(std::make_unique<WaitLog>());
        DarkClock::KeepChanges();
    }
    m_loads = std::make_unique<DrawnLoads>(m_plan);
}

const TrainingPlan&
TrainingJob::GetPlan() const
{
    return m_plan;
}

uint32_t
TrainingJob::GetNIterations() const
{
    return m_nIterations;
}

void
TrainingJob::SetFailureCallback(FailureCallback callback)
{
    m_failureCallback = callback;
}

void
TrainingJob::SetFabric(Ptr<const FabricChannel> fabric)
{
    NS_LOG_FUNCTION(this << fabric);
    m_fabric = fabric;
    if (fabric)
    {
        const auto note = [failed = m_failed](const std::string& component, bool hasFailed) {
            hasFailed ? (void)failed->insert(component) : (void)failed->erase(component);
        };
        ConstCast<FabricChannel>(fabric)->TraceConnectWithoutContext(
            "Fault",
            Callback<void, const std::string&, bool>(note));
    }
}

void
TrainingJob::SetServers(Ptr<ServerNetwork> servers)
{
    NS_LOG_FUNCTION(this << servers);
    m_servers = servers;
    const ServerLayout& layout = servers->GetLayout();
    if (layout.hasRails && !layout.crossesRails)
    {
        try
        {
            layout.GetInsideTraffic(GetTraffic());
        }
        catch (const std::invalid_argument& error)
        {
            NS_ABORT_MSG(error.what());
        }
    }
}

const TrafficMatrix&
TrainingJob::GetTraffic()
{
    if (m_traffic.GetSize() == 0)
    {
        m_traffic = m_plan.GetTraffic();
    }
    return m_traffic;
}

Ptr<ServerNetwork>
TrainingJob::GetServers() const
{
    return m_servers;
}

std::vector<Ptr<const FabricChannel>>
TrainingJob::GetFabrics() const
{
    std::vector<Ptr<const FabricChannel>> fabrics;
    if (!m_servers)
    {
        fabrics.push_back(m_fabric);
    }
    else
    {
        for (const ServerRail& rail : m_servers->GetRails())
        {
            fabrics.push_back(rail.channel);
        }
    }
    fabrics.erase(std::remove(fabrics.begin(), fabrics.end(), nullptr), fabrics.end());
    return fabrics;
}

void
TrainingJob::Fail(const std::string& sentence)
{
    NS_LOG_FUNCTION(this << sentence);
    EndWatch();
    NS_LOG_LOGIC("the job fails: " << sentence);
    m_failedTrace(sentence);
    NS_ABORT_MSG_IF(m_failureCallback.IsNull(), sentence);
    m_failureCallback(sentence);
}

void
TrainingJob::AddRank(Ptr<TrainingApplication> application)
{
    NS_LOG_FUNCTION(this << application);
    m_ranks.push_back(application);
}

const std::vector<Ptr<TrainingApplication>>&
TrainingJob::GetRanks() const
{
    return m_ranks;
}

int64_t
TrainingJob::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    int64_t next = stream;
    for (const auto& rank : m_ranks)
    {
        next += rank->AssignStreams(next);
    }
    next += m_loads->AssignStreams(next);
    return next - stream;
}

void
TrainingJob::NotifyIterationEnd(uint32_t rank)
{
    NS_LOG_FUNCTION(this << rank);
    // Ranks may be some iterations apart, so the ranks that have ended are counted for each
    const uint32_t iteration = m_iterations[rank]++;
    m_nEnded.resize(m_nIterations, 0);
    if (++m_nEnded[iteration] < CountOwn())
    {
        return;
    }
    NS_LOG_LOGIC("iteration " << iteration << " has ended on all ranks");
    ForgetLoads(iteration);
    const Time end = std::exchange(m_iterationEnd, Simulator::Now());
    const Time duration = m_iterationEnd - (iteration == 0 ? m_start : end);
    m_iterationTimeTrace(std::exchange(m_iterationTime, duration), duration);
    m_iterationTrace(iteration + 1);
    if (iteration + 1 == m_nIterations)
    {
        EndWatch();
        m_finishedTrace();
    }
}

void
TrainingJob::ForgetLoads(uint32_t iteration)
{
    m_loads->Forget(iteration);
    // Schedules of later iterations, of which some ranks may already be, are made again
    for (auto entry = m_schedules.begin(); entry != m_schedules.end();)
    {
        const auto& routing = std::get<CollectiveOptions>(entry->first).routing;
        entry = routing && !routing->loads.empty() ? m_schedules.erase(entry) : std::next(entry);
    }
}

bool
TrainingJob::NotifyStart(const TrainingApplication& application)
{
    NS_LOG_FUNCTION(this);
    if (!ProcessGroup::IsHere(application.GetNode()))
    {
        return false;
    }
    if (m_nRunning == 0)
    {
        m_start = Simulator::Now();
        AnnouncePhase();
    }
    if (++m_nRunning == CountOwn())
    {
        m_lastProgress = Simulator::Now();
        m_lastSign = m_lastProgress;
        m_watch = Simulator::Schedule(m_stallTimeout, &TrainingJob::Watch, this);
    }
    return true;
}

void
TrainingJob::NotifyCommunicationEnd(uint32_t iteration, uint32_t phase)
{
    if (m_phases.End(iteration, phase) && m_phases.GetIteration() < m_nIterations &&
        m_announcement.IsExpired())
    {
        // After all that ends at this instant
        m_announcement = Simulator::ScheduleNow(&TrainingJob::AnnouncePhase, this);
    }
}

void
TrainingJob::AnnouncePhase()
{
    NS_LOG_FUNCTION(this << m_phases.GetIteration() << m_phases.GetPhase());
    if (m_phases.GetIteration() < m_nIterations)
    {
        NS_LOG_LOGIC("phase " << m_phases.GetPhase() << " of iteration " << m_phases.GetIteration()
                              << " begins");
        m_phaseTrace(m_phases.GetIteration(), m_phases.GetPhase());
    }
}

bool
TrainingJob::IsForward() const
{
    return m_fastForward && ProcessGroup::GetSize() == 1;
}

RingForward*
TrainingJob::GetForward(uint32_t rank, uint32_t group, uint32_t nRings)
{
    if (!IsForward())
    {
        return nullptr;
    }
    if (!m_forward)
    {
        m_forward = std::make_unique<FastForward>(*this);
    }
    return m_forward->Get(m_plan.groups[group], rank, nRings);
}

uint64_t
TrainingJob::GetForwarded(uint32_t rank) const
{
    return GetRingMessages(rank) + m_ranks[rank]->GetTransport()->GetComputed();
}

uint64_t
TrainingJob::GetRingMessages(uint32_t rank) const
{
    return m_forward ? m_forward->GetReceived(rank) : 0;
}

WaitLedger&
TrainingJob::GetWaits() const
{
    return *m_waits;
}

void
TrainingJob::WatchCircuits(Ptr<CircuitController> controller, uint32_t rail)
{
    NS_LOG_FUNCTION(this << controller << rail);
    m_circuits.push_back(std::make_unique<CircuitWatch>(*this, controller, rail));
}

void
TrainingJob::SetLedger(std::shared_ptr<TrafficLedger> ledger, uint32_t rail)
{
    NS_LOG_FUNCTION(this << rail);
    if (!ledger && !m_ledger)
    {
        return;
    }
    if (!m_ledger)
    {
        m_ledger = std::make_unique<JobLedger>(m_servers ? m_servers->GetLayout() : ServerLayout(),
                                               JobPorts::Find(*this),
                                               [this] {
                                                   if (m_forward)
                                                   {
                                                       m_forward->Subtract();
                                                   }
                                               });
    }
    m_ledger->SetAccount(rail, std::move(ledger));
    if (m_servers)
    {
        m_servers->SetLedger(m_ledger.get());
    }
}

bool
TrainingJob::IsFinished() const
{
    const auto all = m_results.empty() ? CountOwn() : static_cast<uint32_t>(m_ranks.size());
    return !m_nEnded.empty() && m_nEnded.back() == all;
}

std::shared_ptr<const CollectiveSchedule>
TrainingJob::GetSchedule(CollectiveKind kind,
                         uint32_t ranks,
                         uint64_t bytes,
                         const CollectiveOptions& options)
{
    // All groups of the same size share a schedule, for all iterations
    const uint64_t sent = m_plan.protocols.GetWireBytes(bytes);
    auto& schedule = m_schedules[std::make_tuple(kind, ranks, sent, options)];
    if (!schedule)
    {
        schedule = CollectiveSchedule::Create(kind, ranks, sent, options);
    }
    return schedule;
}

std::shared_ptr<TaskCounts>
TrainingJob::GetCounts(const std::shared_ptr<const RankProgram>& program)
{
    auto& counts = m_counts[program.get()];
    if (!counts)
    {
        counts = std::make_shared<TaskCounts>(program);
    }
    else if (counts->IsClosed())
    {
        counts = counts->MakeNext();
    }
    return counts;
}

DrawnLoads&
TrainingJob::GetLoads() const
{
    return *m_loads;
}

Time
TrainingJob::GetCollectiveLatency(uint64_t bytes) const
{
    return m_collectiveLatency + Seconds(m_plan.protocols.Get(bytes).latency);
}

} // namespace lightpath
} // namespace ns3
