/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-controller.h"

#include "circuit-decision.h"
#include "fabric-demand.h"
#include "model/base/lightpath-compatibility.h"
#include "plan-change.h"
#include "schedule-run.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/optical-channel.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("CircuitController");

NS_OBJECT_ENSURE_REGISTERED(CircuitController);

TypeId
CircuitController::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::CircuitController")
            .SetParent<Object>()
            .SetGroupName("Lightpath")
            .AddConstructor<CircuitController>()
            .AddAttribute(
                "Trigger",
                "When to decide again after the first decision: never (Once), after the "
                "DecisionInterval (Periodic), or at the next phase of an iteration (Phase). "
                "Operation: circuits follow the operations of a job.",
                EnumValue(CircuitController::ONCE),
                MakeEnumAccessorFor<Trigger>(0, &CircuitController::m_trigger),
                MakeEnumChecker(CircuitController::ONCE,
                                "Once",
                                CircuitController::PERIODIC,
                                "Periodic",
                                CircuitController::PHASE,
                                "Phase",
                                CircuitController::OPERATION,
                                "Operation"))
            .AddAttribute(
                "DemandSource",
                "The demand of decisions after the first: the planned one (Planned), bytes that "
                "wait in the devices (Backlog), these and bytes to come of operations under way "
                "(Underway), or that of the last phase (Phase). Once implies Planned; the trigger "
                "Phase turns Backlog and Underway into Phase, a scheduler Underway into Backlog.",
                EnumValue(CircuitController::UNDERWAY),
                MakeEnumAccessorFor<DemandSource>(0, &CircuitController::m_demandSource),
                MakeEnumChecker(CircuitController::PLANNED_DEMAND,
                                "Planned",
                                CircuitController::BACKLOG,
                                "Backlog",
                                CircuitController::UNDERWAY,
                                "Underway",
                                CircuitController::PHASE_DEMAND,
                                "Phase"))
            .AddAttribute("FibreByFibre",
                          "Whether the circuits of one fibre are switched at a time; requires the "
                          "PauseMode Partial.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CircuitController::m_fibreByFibre),
                          MakeBooleanChecker())
            .AddAttribute("ReplanOnFault",
                          "Whether a decision is made when a component of the fabric fails or is "
                          "repaired.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&CircuitController::m_replanOnFault),
                          MakeBooleanChecker())
            .AddAttribute("DecisionInterval",
                          "The time that circuits carry light, from the end of the darkness to the "
                          "next periodic decision.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&CircuitController::m_decisionInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("DecisionTime",
                          "The time that a decision takes, from the reading of the demand to the "
                          "switching of circuits.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&CircuitController::m_decisionTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MeasureDecisionTime",
                          "Whether a decision takes, besides the DecisionTime, the time of its "
                          "computation on this machine. Results cannot be reproduced then.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CircuitController::m_measureDecisionTime),
                          MakeBooleanChecker())
            .AddAttribute("Allocator",
                          "The allocator, which chooses the circuits for a demand.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&CircuitController::GetAllocator),
                          MakePointerChecker<CircuitAllocator>())
            .AddAttribute(
                "Scheduler",
                "The scheduler, which chooses a sequence of circuits for a demand; null for "
                "the Allocator to decide.",
                TypeId::ATTR_GET,
                PointerValue(),
                MakePointerAccessor(&CircuitController::GetScheduler),
                MakePointerChecker<CircuitScheduler>())
            .AddTraceSource("Decision",
                            "The allocator has chosen circuits for a demand.",
                            MakeTraceSourceAccessor(&CircuitController::m_decisionTrace),
                            "ns3::lightpath::CircuitController::DecisionTracedCallback")
            .AddTraceSource("Schedule",
                            "The scheduler has chosen a sequence of circuits for a demand.",
                            MakeTraceSourceAccessor(&CircuitController::m_scheduleTrace),
                            "ns3::lightpath::CircuitController::ScheduleTracedCallback");
    return tid;
}

CircuitController::CircuitController()
    : m_demands(std::make_unique<FabricDemand>()),
      m_decision(std::make_unique<CircuitDecision>()),
      m_run(std::make_unique<ScheduleRun>()),
      m_change(std::make_unique<PlanChange>())
{
    NS_LOG_FUNCTION(this);
    m_change->SetCallback(MakeCallback(&CircuitController::Serve, this));
}

CircuitController::~CircuitController()
{
    NS_LOG_FUNCTION(this);
    Disconnect();
}

void
CircuitController::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Disconnect();
    m_allocator = nullptr;
    m_scheduler = nullptr;
    Object::DoDispose();
}

void
CircuitController::SetChannel(Ptr<OpticalChannel> channel)
{
    NS_LOG_FUNCTION(this << channel);
    Disconnect();
    m_channel = channel;
    m_change->SetChannel(channel);
    m_demands->channel = channel;
    m_channel->TraceConnectWithoutContext("Fault",
                                          MakeCallback(&CircuitController::NotifyFault, this));
}

void
CircuitController::Disconnect()
{
    Halt(); // Events may be gone with their simulator
    m_change->SetChannel(nullptr);
    m_demands->channel = nullptr;
    if (m_channel)
    {
        m_channel->TraceDisconnectWithoutContext(
            "Fault",
            MakeCallback(&CircuitController::NotifyFault, this));
    }
    m_channel = nullptr;
}

Ptr<OpticalChannel>
CircuitController::GetChannel() const
{
    return m_channel;
}

void
CircuitController::SetAllocator(Ptr<CircuitAllocator> allocator)
{
    NS_LOG_FUNCTION(this << allocator);
    m_allocator = allocator;
}

void
CircuitController::SetScheduler(Ptr<CircuitScheduler> scheduler)
{
    NS_LOG_FUNCTION(this << scheduler);
    m_scheduler = scheduler;
}

void
CircuitController::CheckAttributes() const
{
    NS_ABORT_MSG_UNLESS(m_channel && (m_allocator || m_scheduler),
                        "A circuit controller needs a channel, and an allocator or a scheduler, "
                        "before it starts");
    NS_ABORT_MSG_IF((m_trigger == PERIODIC || m_scheduler) && m_decisionInterval.IsZero(),
                    "A circuit controller with "
                        << (m_scheduler ? "a scheduler" : "the Trigger Periodic")
                        << " needs a DecisionInterval above 0");
    const bool isPartial = m_channel->GetPauseMode() != OpticalChannel::GLOBAL_PAUSE;
    const std::string refusal = m_scheduler ? m_scheduler->CheckTiming(isPartial) : "";
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
    NS_ABORT_MSG_IF(m_fibreByFibre && !isPartial,
                    "FibreByFibre needs a channel with the PauseMode Partial, but with Global the "
                    "circuits of all fibres go dark whenever those of one are switched");
}

void
CircuitController::Start(const TrafficMatrix& planned)
{
    NS_LOG_FUNCTION(this << planned.GetTotal());
    CheckAttributes();
    Halt();
    m_running = true;
    m_stale = true;
    m_demands->planned = planned;
    const bool forPhase =
        ServesPhases() || (m_trigger == PHASE && m_demandSource != PLANNED_DEMAND);
    const bool hasPhase = forPhase && m_demands->phase.GetSize() > 0;
    if (!BeginDecision(hasPhase ? m_demands->phase : m_demands->planned))
    {
        Wait();
    }
}

void
CircuitController::Stop()
{
    NS_LOG_FUNCTION(this);
    // A cancelled event would keep the simulation going until its time
    m_next.Remove();
    m_deciding.Remove();
    Halt();
}

void
CircuitController::Halt()
{
    NS_LOG_FUNCTION(this);
    m_running = false;
    m_next.Cancel();
    m_deciding.Cancel();
    m_change->Stop();
    m_replan.Cancel();
}

void
CircuitController::NotifyPhase(const TrafficMatrix& demand)
{
    NS_LOG_FUNCTION(this << demand.GetTotal());
    NS_LOG_LOGIC("a phase begins, " << DescribeDemand(demand));
    m_demands->phase = demand;
    if (m_running && m_trigger == PHASE)
    {
        BeginDecision(m_demandSource == PLANNED_DEMAND ? m_demands->planned : m_demands->phase);
    }
}

bool
CircuitController::ServesPhases() const
{
    if (FollowsTraffic())
    {
        return m_trigger == PHASE && !m_scheduler;
    }
    return m_demandSource == PHASE_DEMAND && (m_trigger != ONCE || m_scheduler);
}

std::shared_ptr<TrafficLedger>
CircuitController::GetLedger()
{
    if (m_demandSource == UNDERWAY && m_trigger == PERIODIC && !m_scheduler && !m_demands->ledger)
    {
        m_demands->ledger = std::make_shared<TrafficLedger>(m_channel->GetNDevices());
    }
    return m_demands->ledger;
}

const TrafficMatrix&
CircuitController::GetDemand()
{
    if (ServesPhases() && m_demands->phase.GetSize() > 0)
    {
        return m_demands->phase;
    }
    const bool forTraffic = FollowsTraffic() && (m_trigger == PERIODIC || m_scheduler);
    return forTraffic ? m_demands->ReadUnderway(m_served) : m_demands->planned;
}

TrafficMatrix
CircuitController::GetBacklog() const
{
    return m_demands->GetBacklog();
}

bool
CircuitController::IsAnswered(const TrafficMatrix& demand) const
{
    if (m_stale)
    {
        return false;
    }
    if (!m_deciding.IsExpired())
    {
        return demand == m_decision->demand;
    }
    // A schedule that is not repeated serves its demand once
    const bool stands = m_scheduler ? m_run->GetSchedule().cyclic : m_change->Stands();
    return stands && (&demand == &m_served || demand == m_served);
}

void
CircuitController::Decide()
{
    NS_LOG_FUNCTION(this);
    if (!BeginDecision(GetDemand()))
    {
        Wait();
    }
}

void
CircuitController::Wait()
{
    if (m_trigger == PERIODIC || m_scheduler)
    {
        m_next = Simulator::Schedule(m_decisionInterval, &CircuitController::Decide, this);
    }
}

void
CircuitController::Replan()
{
    NS_LOG_FUNCTION(this);
    NS_LOG_LOGIC("components have failed or been repaired: decides anew");
    const TrafficMatrix& demand = GetDemand();
    const TrafficMatrix& last = m_deciding.IsExpired() ? m_served : m_decision->demand;
    BeginDecision(TrafficMatrix(demand.GetTotal() > 0 ? demand : last));
}

bool
CircuitController::BeginDecision(const TrafficMatrix& demand)
{
    NS_LOG_FUNCTION(this << demand.GetTotal());
    if (demand.GetTotal() == 0 || IsAnswered(demand))
    {
        NS_LOG_LOGIC("needs no decision for "
                     << m_demands->Describe(demand)
                     << (demand.GetTotal() > 0 ? ", which the circuits serve already" : ""));
        return false;
    }
    m_next.Remove();
    m_deciding.Remove();
    m_stale = false;
    m_decision->demand = demand;
    Time taken = m_decision->Make(m_scheduler, m_allocator);
    if (m_demands->HasOperations(demand) && !m_decision->allocation.unserved.empty())
    {
        // All other pairs may wait for one without a circuit, so that bytes that wait come first
        taken += m_decision->Prefer(GetBacklog(), m_allocator);
    }
    m_charge = m_decisionTime + (m_measureDecisionTime ? taken : Time(0));
    NS_LOG_LOGIC("decides for " << m_demands->Describe(m_decision->demand) << ", which takes "
                                << m_charge.As(Time::US));
    if (m_charge.IsZero())
    {
        EndDecision();
    }
    else
    {
        m_deciding = Simulator::Schedule(m_charge, &CircuitController::EndDecision, this);
    }
    return true;
}

void
CircuitController::EndDecision()
{
    NS_LOG_FUNCTION(this);
    // The memory of the old demand serves the next decision
    std::swap(m_served, m_decision->demand);
    if (m_scheduler)
    {
        NS_LOG_LOGIC("has decided: " << m_decision->DescribeSchedule());
        m_unserved = m_decision->GetUnscheduled();
        m_run->Begin(std::move(m_decision->schedule));
        m_scheduleTrace(m_served, m_run->GetSchedule());
        if (m_running)
        {
            BeginSlot();
        }
        return;
    }
    CircuitAllocation& allocation = m_decision->allocation;
    // Leave out lanes that have failed during the decision, or of whose failure the allocator does
    // not know
    allocation.Replace(m_channel->GetIntact(allocation.plan), m_served);
    if (m_demands->HasOperations(m_served))
    {
        m_decision->Settle(*m_channel, m_served);
    }
    m_unserved = allocation.unserved;
    NS_LOG_LOGIC("has decided: " << m_decision->DescribeAllocation());
    m_decisionTrace(m_served, allocation);
    if (m_running)
    {
        Switch(allocation.plan);
    }
}

void
CircuitController::Switch(const CircuitPlan& plan)
{
    m_change->Begin(plan, m_fibreByFibre);
    if (m_channel->IsChanging())
    {
        NS_LOG_LOGIC("switches circuits, dark for " << m_channel->GetSwitchingDelay().As(Time::US));
    }
}

void
CircuitController::BeginSlot()
{
    NS_LOG_FUNCTION(this);
    // A schedule that has taken no time must not lead to another decision at the same instant
    const bool atOnce = FollowsTraffic() && !m_run->IsInstant();
    if (m_run->GetSlot() || m_run->Repeat())
    {
        NS_LOG_LOGIC("begins " << m_run->DescribeSlot());
        Switch(m_run->GetSlot()->plan);
        return;
    }
    const bool waits = !atOnce || GetBacklog().GetTotal() == 0;
    m_next =
        Simulator::Schedule(waits ? m_decisionInterval : Time(0), &CircuitController::Decide, this);
}

void
CircuitController::EndSlot()
{
    NS_LOG_FUNCTION(this);
    m_run->Advance();
    BeginSlot();
}

void
CircuitController::Serve()
{
    NS_LOG_FUNCTION(this);
    NS_LOG_LOGIC("all " << m_channel->GetLive().GetNLanes() << " lanes carry light");
    const bool deciding = !m_deciding.IsExpired();
    if (m_scheduler && !deciding)
    {
        m_next = Simulator::Schedule(m_run->GetSlot()->duration, &CircuitController::EndSlot, this);
    }
    else if (!deciding)
    {
        Wait();
    }
}

void
CircuitController::NotifyFault(const std::string& component, bool failed)
{
    NS_LOG_FUNCTION(this << component << failed);
    NS_LOG_LOGIC("hears that " << component << (failed ? " has failed" : " works again"));
    m_stale = true;
    if (m_running && m_replanOnFault && m_replan.IsExpired())
    {
        // After all faults of this instant
        m_replan = Simulator::ScheduleNow(&CircuitController::Replan, this);
    }
}

Time
CircuitController::GetDecisionPeriod() const
{
    return m_decisionInterval + std::max(m_decisionTime, m_charge) + m_run->GetSchedule().makespan +
           std::max(m_change->GetNSteps(), 1U) * m_channel->GetSwitchingDelay();
}

bool
CircuitController::IsPeriodic() const
{
    return m_scheduler ? !m_run->GetSchedule().cyclic : m_trigger != ONCE;
}

} // namespace lightpath
} // namespace ns3
