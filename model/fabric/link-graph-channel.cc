/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-graph-channel.h"

#include "link-bundles.h"
#include "link-routes.h"
#include "model/base/lightpath-compatibility.h"
#include "model/base/named-enum.h"

#include "ns3/abort.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("LinkGraphChannel");

NS_OBJECT_ENSURE_REGISTERED(LinkGraphChannel);

const std::vector<LinkGraphChannel::RoutingName>&
LinkGraphChannel::GetRoutings()
{
    static const std::vector<RoutingName> names = {{ECMP, "ecmp"},
                                                   {SPRAY, "spray"},
                                                   {ADAPTIVE, "adaptive"}};
    return names;
}

TypeId
LinkGraphChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::LinkGraphChannel")
            .SetParent<SharedLinkChannel>()
            .SetGroupName("Lightpath")
            .AddConstructor<LinkGraphChannel>()
            .AddAttribute("Routing",
                          "How a pair of ports chooses between shortest routes, set before the "
                          "network: " +
                              NamedEnum::ListAttributeNames(GetRoutings()) + ".",
                          EnumValue(ECMP),
                          MakeEnumAccessorFor<Routing>(0, &LinkGraphChannel::m_routing),
                          NamedEnum::MakeChecker<Routing>(GetRoutings()))
            .AddAttribute("Paths",
                          "With Ecmp, the number of routes that the frames of a pair are spread "
                          "over in equal parts, each chosen by a hash, as those of several "
                          "connections are.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&LinkGraphChannel::m_nPaths),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("Delay",
                          "The delay of a pair of ports beyond that of its links, once whatever "
                          "ports forward its frames.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&LinkGraphChannel::m_delay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FabricName",
                          "The name of this kind of network in reports.",
                          StringValue("link-graph"),
                          MakeStringAccessor(&LinkGraphChannel::m_name),
                          MakeStringChecker())
            .AddAttribute("HashSeed",
                          "The seed of the hash that chooses routes.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&LinkGraphChannel::m_seed),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

LinkGraphChannel::LinkGraphChannel()
{
    NS_LOG_FUNCTION(this);
}

LinkGraphChannel::~LinkGraphChannel()
{
    NS_LOG_FUNCTION(this);
}

void
LinkGraphChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_light.Cancel();
    m_bundles.reset();
    m_routes.reset();
    SharedLinkChannel::DoDispose();
}

void
LinkGraphChannel::SetGraph(const LinkGraph& graph)
{
    NS_LOG_FUNCTION(this << graph.GetNNodes());
    NS_ABORT_MSG_IF(m_routes && m_routes->HasFailures(),
                    "A network cannot be replaced while a part of it has failed");
    NS_ABORT_MSG_IF(GetNDevices() > graph.GetNPorts(),
                    "A network of " << graph.GetNPorts() << " ports has no room for "
                                    << GetNDevices() << " devices");
    ResetRoutes([this, &graph] {
        m_graph = graph;
        m_routes = std::make_unique<LinkRoutes>(m_graph);
        m_sharing.RemoveLinks();
        for (const auto& link : m_graph.GetLinks())
        {
            m_sharing.AddLink(link.rate.GetBitRate());
        }
        FindBundles();
    });
    UpdateLinks();
}

void
LinkGraphChannel::FindBundles()
{
    m_bundles = m_routing == SPRAY ? std::make_unique<LinkBundles>(m_graph, *m_routes) : nullptr;
}

void
LinkGraphChannel::Darken(Time time)
{
    NS_LOG_FUNCTION(this << time);
    m_light.Cancel();
    m_light = Simulator::Schedule(time, &LinkGraphChannel::Lighten, this);
    ResetRoutes();
    UpdateLinks();
}

void
LinkGraphChannel::Lighten()
{
    NS_LOG_FUNCTION(this);
    ResetRoutes();
    UpdateLinks();
}

void
LinkGraphChannel::DoAdd(uint32_t port)
{
    NS_ABORT_MSG_IF(m_routes && port >= m_graph.GetNPorts(),
                    "A network of " << m_graph.GetNPorts() << " ports has no room for another "
                                    << "device");
    m_isUp.push_back(true);
}

const LinkGraph&
LinkGraphChannel::GetGraph() const
{
    return m_graph;
}

bool
LinkGraphChannel::HasPath(uint32_t source, uint32_t destination) const
{
    return m_routes && m_routes->HasPath(source, destination);
}

std::vector<LinkSharing::Use>
LinkGraphChannel::GetUses(uint32_t source, uint32_t destination) const
{
    const auto uses = SharedLinkChannel::GetUses(source, destination);
    return m_bundles ? m_bundles->Unfold(uses) : uses;
}

std::string
LinkGraphChannel::GetFabricName() const
{
    return m_name;
}

FabricPlant
LinkGraphChannel::GetPlant() const
{
    const LinkGraph& whole = m_graph.GetWhole();
    const auto& links = whole.GetLinks();
    const auto ports = std::count_if(links.begin(), links.end(), [&whole](const auto& link) {
        return link.to >= whole.GetNPorts();
    });
    return {links.size(), static_cast<uint64_t>(ports), &whole != &m_graph};
}

bool
LinkGraphChannel::CanFail() const
{
    return true;
}

bool
LinkGraphChannel::IsLinkUp(uint32_t port) const
{
    return m_isUp[port];
}

std::vector<uint32_t>
LinkGraphChannel::GetReachable(uint32_t source) const
{
    std::vector<uint32_t> ports = FabricChannel::GetReachable(source);
    ports.erase(std::remove_if(ports.begin(),
                               ports.end(),
                               [this, source](uint32_t port) { return !HasPath(source, port); }),
                ports.end());
    return ports;
}

void
LinkGraphChannel::FindRoute(uint32_t source, uint32_t destination, Route& route)
{
    NS_ABORT_MSG_UNLESS(m_routes, "A network of links needs SetGraph() before there are frames");
    if (!m_light.IsExpired())
    {
        return;
    }
    switch (m_routing)
    {
    case ECMP:
        route.delay = m_routes->Hash(source, destination, m_seed, m_nPaths, route.uses);
        break;
    case SPRAY:
        route.delay = m_routes->Spray(source, destination, route.uses);
        if (m_bundles)
        {
            m_bundles->Fold(route.uses);
        }
        break;
    default:
        route.delay = m_routes->Adapt(source, destination, m_seed, m_sharing, route.uses);
        route.isFixed = false;
    }
    route.delay += m_delay;
}

std::string
LinkGraphChannel::DoSetFailed(const std::string& component, bool failed)
{
    NS_LOG_FUNCTION(this << component << failed);
    const std::string refusal = m_graph.CheckComponent(component);
    if (refusal.empty())
    {
        m_routes->SetFailed(component, failed);
    }
    return refusal;
}

void
LinkGraphChannel::ApplyFault(bool failed)
{
    ResetRoutes([this] { FindBundles(); });
    UpdateLinks();
}

void
LinkGraphChannel::UpdateLinks()
{
    std::vector<uint32_t> changed;
    for (uint32_t port = 0; port < GetNDevices(); ++port)
    {
        const bool isUp = m_light.IsExpired() && m_routes->HasLink(port);
        if (isUp != m_isUp[port])
        {
            m_isUp[port] = isUp;
            changed.push_back(port);
        }
    }
    NotifyLinks(changed);
}

} // namespace lightpath
} // namespace ns3
