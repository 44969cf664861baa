/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-turner.h"

#include "circuit-controller.h"

#include "ns3/abort.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("CircuitTurner");

NS_OBJECT_ENSURE_REGISTERED(CircuitTurner);

TypeId
CircuitTurner::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::CircuitTurner")
                            .SetParent<Object>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<CircuitTurner>();
    return tid;
}

Ptr<CircuitTurner>
CircuitTurner::Get(Ptr<CircuitController> controller)
{
    auto turner = controller->GetObject<CircuitTurner>();
    if (!turner)
    {
        const auto switches = DynamicCast<CircuitSwitchChannel>(controller->GetChannel());
        NS_ABORT_MSG_UNLESS(switches && !switches->GetGeometry().IsDuplex(),
                            "Circuits follow operations (Trigger Operation) on circuit switches "
                            "that lead one way: choose another trigger for this fabric");
        turner = CreateObject<CircuitTurner>();
        turner->SetChannel(switches);
        controller->AggregateObject(turner);
    }
    return turner;
}

void
CircuitTurner::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_apply.Cancel();
    if (m_channel)
    {
        m_channel->TraceDisconnectWithoutContext(
            "Geometry",
            MakeCallback(&CircuitTurner::NotifyGeometry, this));
    }
    m_channel = nullptr;
    Object::DoDispose();
}

void
CircuitTurner::SetChannel(Ptr<CircuitSwitchChannel> channel)
{
    m_channel = channel;
    channel->SetAttribute("PauseMode", EnumValue(OpticalChannel::LANE_PAUSE));
    const auto& geometry = channel->GetGeometry();
    m_turns = std::make_unique<CircuitTurns>(geometry.GetNDevices(), geometry.GetNSwitches());
    m_carried = std::make_unique<CarriedCircuits>(geometry.GetNDevices(), geometry.GetNSwitches());
    NotifyGeometry(geometry);
    channel->TraceConnectWithoutContext("Geometry",
                                        MakeCallback(&CircuitTurner::NotifyGeometry, this));
}

void
CircuitTurner::NotifyGeometry(const CircuitSwitchGeometry& geometry)
{
    NS_LOG_FUNCTION(this);
    m_turns->SetCanJoin([switches = std::make_shared<CircuitSwitchGeometry>(
                             geometry)](uint32_t source, uint32_t destination, uint32_t plane) {
        return switches->CanJoin(source, destination, plane);
    });
    NotifyChange();
}

void
CircuitTurner::NotifyChange()
{
    if (m_apply.IsExpired())
    {
        m_apply = Simulator::ScheduleNow(&CircuitTurner::Apply, this);
    }
}

void
CircuitTurner::Apply()
{
    NS_LOG_FUNCTION(this);
    std::vector<CarriedCircuits::Circuit> gone;
    std::vector<CarriedCircuits::Circuit> come;
    m_carried->Update(*m_turns, gone, come);
    for (const auto& [plane, source, destination] : gone)
    {
        m_plan.RemoveLane(source, destination, {plane, 0});
    }
    for (const auto& [plane, source, destination] : come)
    {
        NS_LOG_LOGIC("switch " << plane << " turns port " << source << " to port " << destination);
        m_plan.AddLane(source, destination, {plane, 0});
    }
    m_channel->Configure(m_channel->GetIntact(m_plan));
}

} // namespace lightpath
} // namespace ns3
