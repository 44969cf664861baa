/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-controller.h"

#include "model/base/lightpath-compatibility.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/optical-channel.h"
#include "ns3/optical-net-device.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <chrono>
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
            .AddAttribute("Trigger",
                          "What the decisions after the first wait for: there are none, or they "
                          "come at intervals or as phases begin.",
                          EnumValue(CircuitController::ONCE),
                          MakeEnumAccessorFor<Trigger>(0, &CircuitController::m_trigger),
                          MakeEnumChecker(CircuitController::ONCE,
                                          "Once",
                                          CircuitController::PERIODIC,
                                          "Periodic",
                                          CircuitController::PHASE,
                                          "Phase"))
            .AddAttribute("DecisionInterval",
                          "The time that circuits carry light, from the end of the darkness to the "
                          "next periodic decision.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&CircuitController::m_decisionInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "DemandSource",
                "What the decisions after the first are made for. With the trigger Once it "
                "is the planned demand; with Phase, the phase in place of the backlog.",
                EnumValue(CircuitController::BACKLOG),
                MakeEnumAccessorFor<DemandSource>(0, &CircuitController::m_demandSource),
                MakeEnumChecker(CircuitController::PLANNED_DEMAND,
                                "Planned",
                                CircuitController::BACKLOG,
                                "Backlog",
                                CircuitController::PHASE_DEMAND,
                                "Phase"))
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
            .AddAttribute("FibreByFibre",
                          "Whether the circuits of one fibre are switched after those of another; "
                          "needs the PauseMode Partial.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CircuitController::m_fibreByFibre),
                          MakeBooleanChecker())
            .AddAttribute("ReplanOnFault",
                          "Whether a decision is made as a component of the fabric fails or is "
                          "mended.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&CircuitController::m_replanOnFault),
                          MakeBooleanChecker())
            .AddAttribute("Allocator",
                          "What decides which circuits a demand gets.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&CircuitController::GetAllocator),
                          MakePointerChecker<CircuitAllocator>())
            .AddAttribute("Scheduler",
                          "What decides which circuits a demand gets one after the other, if it "
                          "is a scheduler.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&CircuitController::GetScheduler),
                          MakePointerChecker<CircuitScheduler>())
            .AddTraceSource("Decision",
                            "Circuits have been decided on for a demand.",
                            MakeTraceSourceAccessor(&CircuitController::m_decisionTrace),
                            "ns3::lightpath::CircuitController::DecisionTracedCallback")
            .AddTraceSource("Schedule",
                            "Circuits that follow each other have been decided on for a demand.",
                            MakeTraceSourceAccessor(&CircuitController::m_scheduleTrace),
                            "ns3::lightpath::CircuitController::ScheduleTracedCallback");
    return tid;
}

CircuitController::CircuitController()
{
    NS_LOG_FUNCTION(this);
    m_change.SetCallback(MakeCallback(&CircuitController::Serve, this));
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
    m_change.SetChannel(channel);
    m_channel->TraceConnectWithoutContext("Fault",
                                          MakeCallback(&CircuitController::NotifyFault, this));
}

void
CircuitController::Disconnect()
{
    Stop();
    m_change.SetChannel(nullptr);
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

Ptr<CircuitAllocator>
CircuitController::GetAllocator() const
{
    return m_allocator;
}

void
CircuitController::SetScheduler(Ptr<CircuitScheduler> scheduler)
{
    NS_LOG_FUNCTION(this << scheduler);
    m_scheduler = scheduler;
}

Ptr<CircuitScheduler>
CircuitController::GetScheduler() const
{
    return m_scheduler;
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
    NS_ABORT_MSG_IF(m_scheduler && m_scheduler->NeedsPartialPause() &&
                        m_channel->GetPauseMode() == OpticalChannel::GLOBAL_PAUSE,
                    "A " << m_scheduler->GetInstanceTypeId().GetName()
                         << " whose switches turn one after the other needs a channel with the "
                            "PauseMode Partial, as otherwise all go dark whenever one turns");
    NS_ABORT_MSG_IF(m_fibreByFibre && m_channel->GetPauseMode() == OpticalChannel::GLOBAL_PAUSE,
                    "FibreByFibre needs a channel with the PauseMode Partial, but with Global the "
                    "circuits of all fibres go dark whenever those of one are switched");
}

void
CircuitController::Start(const TrafficMatrix& planned)
{
    NS_LOG_FUNCTION(this << planned.GetTotal());
    CheckAttributes();
    Stop();
    m_running = true;
    m_stale = true;
    m_planned = planned;
    const bool forPhase =
        ServesPhases() || (m_trigger == PHASE && m_demandSource != PLANNED_DEMAND);
    if (!BeginDecision(forPhase && m_phase.GetSize() > 0 ? m_phase : m_planned))
    {
        Wait();
    }
}

void
CircuitController::Stop()
{
    NS_LOG_FUNCTION(this);
    m_running = false;
    m_next.Cancel();
    m_deciding.Cancel();
    m_change.Stop();
    m_replan.Cancel();
}

void
CircuitController::NotifyPhase(const TrafficMatrix& demand)
{
    NS_LOG_FUNCTION(this << demand.GetTotal());
    if (!(m_phase == demand))
    {
        m_phase = demand;
    }
    if (m_running && m_trigger == PHASE)
    {
        BeginDecision(m_demandSource == PLANNED_DEMAND ? m_planned : m_phase);
    }
}

bool
CircuitController::ServesPhases() const
{
    if (m_demandSource == BACKLOG)
    {
        return m_trigger == PHASE && !m_scheduler;
    }
    return m_demandSource == PHASE_DEMAND && (m_trigger != ONCE || m_scheduler);
}

CircuitController::Trigger
CircuitController::GetTrigger() const
{
    return m_trigger;
}

CircuitController::DemandSource
CircuitController::GetDemandSource() const
{
    return m_demandSource;
}

bool
CircuitController::UsesPhases() const
{
    return m_trigger == PHASE || ServesPhases();
}

const TrafficMatrix&
CircuitController::GetDemand()
{
    if (ServesPhases() && m_phase.GetSize() > 0)
    {
        return m_phase;
    }
    const bool waits = m_demandSource == BACKLOG && (m_trigger == PERIODIC || m_scheduler);
    if (!waits)
    {
        return m_planned;
    }
    // To compare is cheaper than to build
    if (m_served.GetSize() == m_channel->GetNDevices() && IsBacklog(m_served))
    {
        return m_served;
    }
    m_backlog = GetBacklog();
    return m_backlog;
}

TrafficMatrix
CircuitController::GetBacklog() const
{
    const uint32_t ports = m_channel->GetNDevices();
    TrafficMatrix backlog(ports);
    TrafficMatrix::Row row;
    for (uint32_t source = 0; source < ports; ++source)
    {
        m_channel->GetPort(source)->GetBacklog(row);
        backlog.SetRow(source, row);
    }
    return backlog;
}

bool
CircuitController::IsBacklog(const TrafficMatrix& demand) const
{
    TrafficMatrix::Row row;
    for (uint32_t port = 0; port < demand.GetSize(); ++port)
    {
        m_channel->GetPort(port)->GetBacklog(row);
        if (row != demand.GetRow(port))
        {
            return false;
        }
    }
    return true;
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
        return demand == m_decision.demand;
    }
    // A schedule that is not repeated serves its demand once
    const bool stands = m_scheduler ? m_schedule.cyclic : m_change.Stands();
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
    const TrafficMatrix& demand = GetDemand();
    const TrafficMatrix& last = m_deciding.IsExpired() ? m_served : m_decision.demand;
    BeginDecision(TrafficMatrix(demand.GetTotal() > 0 ? demand : last));
}

bool
CircuitController::BeginDecision(const TrafficMatrix& demand)
{
    NS_LOG_FUNCTION(this << demand.GetTotal());
    if (demand.GetTotal() == 0 || IsAnswered(demand))
    {
        return false;
    }
    m_next.Cancel();
    m_deciding.Cancel();
    m_stale = false;
    const auto begin = std::chrono::steady_clock::now();
    m_decision.demand = demand;
    if (m_scheduler)
    {
        m_decision.schedule = m_scheduler->Schedule(demand);
    }
    else
    {
        m_decision.allocation = m_allocator->Allocate(demand);
    }
    m_charge = m_decisionTime;
    const std::chrono::nanoseconds taken = std::chrono::steady_clock::now() - begin;
    m_charge += m_measureDecisionTime ? NanoSeconds(taken.count()) : Time(0);
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
    // Its memory serves for the next one
    std::swap(m_served, m_decision.demand);
    if (!m_scheduler)
    {
        CircuitAllocation& allocation = m_decision.allocation;
        // Lanes that have failed since it began, or that the allocator does not know to have failed
        allocation.Reduce(m_channel->GetIntact(allocation.plan), m_served);
        m_unserved = allocation.unserved;
        NS_LOG_INFO("Circuits with fairness " << allocation.fairness << ", " << m_unserved.size()
                                              << " pairs unserved");
        m_decisionTrace(m_served, allocation);
        if (m_running)
        {
            m_change.Begin(allocation.plan, m_fibreByFibre);
        }
        return;
    }
    m_schedule = std::move(m_decision.schedule);
    m_unserved.clear();
    for (uint32_t source = 0; source < m_schedule.unserved.GetSize(); ++source)
    {
        for (const auto& entry : m_schedule.unserved.GetRow(source))
        {
            m_unserved.emplace_back(source, entry.first);
        }
    }
    m_scheduleTrace(m_served, m_schedule);
    m_slot = 0;
    m_scheduleBegin = Simulator::Now();
    if (m_running)
    {
        BeginSlot();
    }
}

void
CircuitController::BeginSlot()
{
    NS_LOG_FUNCTION(this << m_slot);
    if (m_slot < m_schedule.slots.size())
    {
        m_change.Begin(m_schedule.slots[m_slot].plan, m_fibreByFibre);
        return;
    }
    // What takes no time must not be decided on again at the same instant
    const bool empty = Simulator::Now() == m_scheduleBegin;
    m_slot = 0;
    m_scheduleBegin = Simulator::Now();
    if (m_schedule.cyclic && !empty)
    {
        BeginSlot();
        return;
    }
    const bool atOnce = !empty && m_demandSource == BACKLOG && GetBacklog().GetTotal() > 0;
    m_next = Simulator::Schedule(atOnce ? Time(0) : m_decisionInterval,
                                 &CircuitController::Decide,
                                 this);
}

void
CircuitController::EndSlot()
{
    NS_LOG_FUNCTION(this << m_slot);
    ++m_slot;
    BeginSlot();
}

void
CircuitController::Serve()
{
    NS_LOG_FUNCTION(this);
    const bool deciding = !m_deciding.IsExpired();
    if (m_scheduler && !deciding)
    {
        const Time duration = m_schedule.slots[m_slot].duration;
        m_next = Simulator::Schedule(duration, &CircuitController::EndSlot, this);
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
    m_stale = true;
    if (m_running && m_replanOnFault && m_replan.IsExpired())
    {
        // After all faults of this instant
        m_replan = Simulator::ScheduleNow(&CircuitController::Replan, this);
    }
}

const std::vector<PortPair>&
CircuitController::GetUnserved() const
{
    return m_unserved;
}

Time
CircuitController::GetDecisionPeriod() const
{
    return m_decisionInterval + std::max(m_decisionTime, m_charge) + m_schedule.makespan +
           std::max(m_change.GetNSteps(), 1U) * m_channel->GetSwitchingDelay();
}

bool
CircuitController::IsPeriodic() const
{
    return m_scheduler ? !m_schedule.cyclic : m_trigger != ONCE;
}

} // namespace lightpath
} // namespace ns3
