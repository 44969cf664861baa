/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-controller.h"

#include "ns3/abort.h"
#include "ns3/lightpath-compatibility.h"
#include "ns3/log.h"
#include "ns3/optical-channel.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"

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
            .AddAttribute("DecisionInterval",
                          "The time that circuits serve from one decision to the next; zero for "
                          "one decision only.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&CircuitController::m_decisionInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("DemandSource",
                          "What the decisions after the first are made for: the planned demand or "
                          "the bytes that wait in the devices.",
                          EnumValue(CircuitController::BACKLOG),
                          MakeEnumAccessorFor<DemandSource>(0, &CircuitController::m_demandSource),
                          MakeEnumChecker(CircuitController::PLANNED_DEMAND,
                                          "Planned",
                                          CircuitController::BACKLOG,
                                          "Backlog"))
            .AddTraceSource("Decision",
                            "Circuits have been decided on for a demand.",
                            MakeTraceSourceAccessor(&CircuitController::m_decisionTrace),
                            "ns3::lightpath::CircuitController::DecisionTracedCallback");
    return tid;
}

CircuitController::CircuitController()
{
    NS_LOG_FUNCTION(this);
}

CircuitController::~CircuitController()
{
    NS_LOG_FUNCTION(this);
}

void
CircuitController::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_next.Cancel();
    m_channel = nullptr;
    m_allocator = nullptr;
    Object::DoDispose();
}

void
CircuitController::SetChannel(Ptr<OpticalChannel> channel)
{
    NS_LOG_FUNCTION(this << channel);
    m_channel = channel;
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
CircuitController::Start(const TrafficMatrix& planned)
{
    NS_LOG_FUNCTION(this << planned.GetTotal());
    NS_ABORT_MSG_UNLESS(m_channel && m_allocator,
                        "A circuit controller needs a channel and an allocator before it starts");
    Stop();
    const Time dark = m_channel->GetSwitchingDelay();
    m_planned = planned;
    Serve(m_planned);
    if (IsPeriodic())
    {
        m_next = Simulator::Schedule(dark + m_decisionInterval, &CircuitController::Decide, this);
    }
}

void
CircuitController::Stop()
{
    NS_LOG_FUNCTION(this);
    m_next.Cancel();
}

void
CircuitController::Decide()
{
    NS_LOG_FUNCTION(this);
    const uint32_t before = m_channel->GetNReconfigurations();
    Serve(m_demandSource == BACKLOG ? GetBacklog() : m_planned);
    const bool switching = m_channel->GetNReconfigurations() != before;
    const Time dark = switching ? m_channel->GetSwitchingDelay() : Time(0);
    m_next = Simulator::Schedule(dark + m_decisionInterval, &CircuitController::Decide, this);
}

TrafficMatrix
CircuitController::GetBacklog() const
{
    const uint32_t ports = m_channel->GetNDevices();
    TrafficMatrix backlog(ports);
    for (uint32_t source = 0; source < ports; ++source)
    {
        for (const auto& entry : m_channel->GetPort(source)->GetBacklog())
        {
            backlog.Add(source, entry.first, entry.second);
        }
    }
    return backlog;
}

void
CircuitController::Serve(const TrafficMatrix& demand)
{
    // A failure may have taken lanes off the plan
    const bool unchanged = demand == m_served && m_channel->GetPlan() == m_decided;
    if (demand.GetTotal() == 0 || unchanged)
    {
        return;
    }
    m_served = demand;
    const CircuitAllocation allocation = m_allocator->Allocate(demand);
    m_decided = allocation.plan;
    m_unserved = allocation.unserved;
    NS_LOG_INFO("Circuits with fairness " << allocation.fairness << ", " << m_unserved.size()
                                          << " pairs unserved");
    m_decisionTrace(demand, allocation);
    m_channel->Configure(allocation.plan);
}

const std::vector<PortPair>&
CircuitController::GetUnserved() const
{
    return m_unserved;
}

Time
CircuitController::GetDecisionPeriod() const
{
    return m_channel->GetSwitchingDelay() + m_decisionInterval;
}

bool
CircuitController::IsPeriodic() const
{
    return m_decisionInterval.IsStrictlyPositive();
}

} // namespace lightpath
} // namespace ns3
