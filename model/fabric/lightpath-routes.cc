/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lightpath-routes.h"

#include "optical-channel.h"

#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"

#include <cstddef>

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
    m_next.clear();
    m_sources.clear();
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
        m_plan = channel->GetLive();
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
    if (m_plan == plan)
    {
        return;
    }
    m_plan = plan;
    m_next.clear();
    m_sources.clear();
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
    auto found = m_next.find(destination);
    if (found == m_next.end())
    {
        if (m_sources.empty())
        {
            // Searches run backwards from a destination: find the sources of each port, once a plan
            m_sources.resize(m_channel->GetNDevices());
            for (const auto& lightpath : m_plan.GetLightpaths())
            {
                m_sources[lightpath.first.second].push_back(lightpath.first.first);
            }
        }
        found = m_next.emplace(destination, FindWays(destination)).first;
    }
    return found->second[source];
}

std::vector<uint32_t>
LightpathRoutes::CountHops(uint32_t destination) const
{
    std::vector<uint32_t> hops(m_sources.size(), NONE);
    hops[destination] = 0;
    // Breadth-first search against the direction of the lightpaths
    std::vector<uint32_t> reached{destination};
    for (std::size_t i = 0; i < reached.size(); ++i)
    {
        const uint32_t port = reached[i];
        for (const uint32_t source : m_sources[port])
        {
            if (hops[source] == NONE)
            {
                hops[source] = hops[port] + 1;
                reached.push_back(source);
            }
        }
    }
    return hops;
}

std::vector<uint32_t>
LightpathRoutes::FindWays(uint32_t destination) const
{
    const std::vector<uint32_t> hops = CountHops(destination);
    std::vector<uint32_t> next(hops.size(), NONE);
    std::vector<uint32_t> widest;
    std::size_t width = 0;
    const auto& lightpaths = m_plan.GetLightpaths();
    // Lightpaths are sorted by source: gather the widest of a source that lead closer
    for (std::size_t i = 0; i < lightpaths.size(); ++i)
    {
        const auto [source, neighbour] = lightpaths[i].first;
        const std::size_t lanes = lightpaths[i].second.size();
        if (hops[neighbour] != NONE && hops[source] == hops[neighbour] + 1 && lanes >= width)
        {
            if (lanes > width)
            {
                widest.clear();
            }
            width = lanes;
            widest.push_back(neighbour);
        }
        // After the last lightpath of a source, spread its pairs over equally wide ones
        if (i + 1 == lightpaths.size() || lightpaths[i + 1].first.first != source)
        {
            if (!widest.empty())
            {
                next[source] = widest[(source + destination) % widest.size()];
            }
            widest.clear();
            width = 0;
        }
    }
    return next;
}

} // namespace lightpath
} // namespace ns3
