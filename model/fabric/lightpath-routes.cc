/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lightpath-routes.h"

#include "optical-channel.h"

#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("LightpathRoutes");

NS_OBJECT_ENSURE_REGISTERED(LightpathRoutes);

TypeId
LightpathRoutes::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::LightpathRoutes")
            .SetParent<Object>()
            .SetGroupName("Lightpath")
            .AddConstructor<LightpathRoutes>()
            .AddTraceSource("Change",
                            "The lightpaths have changed, and so may have the paths.",
                            MakeTraceSourceAccessor(&LightpathRoutes::m_changeTrace),
                            "ns3::lightpath::LightpathRoutes::ChangeTracedCallback");
    return tid;
}

void
LightpathRoutes::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_channel = nullptr;
    m_paths = RelayPaths();
    Object::DoDispose();
}

Ptr<LightpathRoutes>
LightpathRoutes::Get(Ptr<OpticalChannel> channel)
{
    auto routes = channel->GetObject<LightpathRoutes>();
    if (!routes)
    {
        routes = CreateObject<LightpathRoutes>();
        channel->AggregateObject(routes);
    }
    return routes;
}

void
LightpathRoutes::NotifyNewAggregate()
{
    NS_LOG_FUNCTION(this);
    const auto channel = GetObject<OpticalChannel>();
    if (!m_channel && channel)
    {
        // The channel owns this object: a Ptr would keep both alive
        m_channel = PeekPointer(channel);
        m_paths = RelayPaths(channel->GetLive());
        channel->TraceConnectWithoutContext("Dark",
                                            MakeCallback(&LightpathRoutes::NotifyDark, this));
        channel->TraceConnectWithoutContext("Light",
                                            MakeCallback(&LightpathRoutes::NotifyLight, this));
        channel->TraceConnectWithoutContext("Fault",
                                            MakeCallback(&LightpathRoutes::NotifyFault, this));
    }
    Object::NotifyNewAggregate();
}

void
LightpathRoutes::Follow(const CircuitPlan& plan)
{
    NS_LOG_FUNCTION(this << plan.GetNLanes());
    if (m_paths.GetPlan() == plan)
    {
        return;
    }
    m_paths = RelayPaths(plan);
    m_changeTrace();
}

void
LightpathRoutes::NotifyDark(const CircuitPlan& plan)
{
    NS_LOG_FUNCTION(this);
    m_isDark = true;
    Follow(plan);
}

void
LightpathRoutes::NotifyLight(const CircuitPlan& plan)
{
    NS_LOG_FUNCTION(this);
    m_isDark = false;
    Follow(plan);
}

void
LightpathRoutes::NotifyFault(const std::string& component, bool failed)
{
    NS_LOG_FUNCTION(this << component << failed);
    // The failure may have removed lightpaths of the plan that is followed
    Follow(m_isDark ? m_channel->GetPlan() : m_channel->GetLive());
}

uint32_t
LightpathRoutes::GetNext(uint32_t source, uint32_t destination)
{
    return m_paths.GetNext(source, destination);
}

} // namespace lightpath
} // namespace ns3
