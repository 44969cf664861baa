/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "route-updater.h"

#include "fabric-helper.h"

#include "ns3/boolean.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/nix-vector-routing.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("RouteUpdater");

NS_OBJECT_ENSURE_REGISTERED(RouteUpdater);

TypeId
RouteUpdater::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::RouteUpdater")
            .SetParent<Object>()
            .SetGroupName("Lightpath")
            .AddConstructor<RouteUpdater>()
            .AddAttribute("SetInterfaces",
                          "Whether the interface of a device goes down and comes up with its link.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RouteUpdater::m_setInterfaces),
                          MakeBooleanChecker())
            .AddAttribute("GlobalRouting",
                          "Whether global routes are recomputed; set it to false in a program that "
                          "has never computed any.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RouteUpdater::m_globalRouting),
                          MakeBooleanChecker())
            .AddTraceSource("Update",
                            "All routes have been updated.",
                            MakeTraceSourceAccessor(&RouteUpdater::m_updateTrace),
                            "ns3::lightpath::RouteUpdater::UpdateTracedCallback");
    return tid;
}

void
RouteUpdater::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_update.Cancel();
    Object::DoDispose();
}

void
RouteUpdater::Follow(const NetDeviceContainer& devices)
{
    NS_LOG_FUNCTION(this);
    const auto channel = FabricHelper::GetChannel(devices);
    channel->TraceConnectWithoutContext(
        "LinkChange",
        MakeCallback(&RouteUpdater::NotifyLinks, Ptr<RouteUpdater>(this))
            .Bind(PeekPointer(channel)));
}

uint64_t
RouteUpdater::GetNUpdates() const
{
    return m_nUpdates;
}

void
RouteUpdater::NotifyLinks(FabricChannel* channel, const std::vector<uint32_t>& ports)
{
    NS_LOG_FUNCTION(this << channel << ports.size());
    for (const uint32_t port : ports)
    {
        const auto device = channel->GetDevice(port);
        const auto ipv4 = device->GetNode()->GetObject<Ipv4>();
        const int32_t interface = ipv4 ? ipv4->GetInterfaceForDevice(device) : -1;
        if (m_setInterfaces && interface >= 0)
        {
            SetInterface(ipv4, interface, device->IsLinkUp());
        }
    }
    if (m_update.IsExpired())
    {
        m_update = Simulator::ScheduleNow(&RouteUpdater::Update, this);
    }
}

void
RouteUpdater::SetInterface(Ptr<Ipv4> ipv4, uint32_t interface, bool isUp)
{
    // An interface that the user has taken down stays down
    const std::pair<uint32_t, uint32_t> entry{ipv4->GetObject<Node>()->GetId(), interface};
    if (isUp && m_takenDown.erase(entry) > 0)
    {
        ipv4->SetUp(interface);
    }
    else if (!isUp && ipv4->IsUp(interface))
    {
        m_takenDown.insert(entry);
        ipv4->SetDown(interface);
    }
}

void
RouteUpdater::Update()
{
    NS_LOG_FUNCTION(this);
    if (m_globalRouting)
    {
        Ipv4GlobalRoutingHelper::RecomputeRoutingTables();
    }
    FlushNixRoutes();
    ++m_nUpdates;
    m_updateTrace();
}

void
RouteUpdater::FlushNixRoutes()
{
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        const auto ipv4 = (*node)->GetObject<Ipv4>();
        const auto nix =
            ipv4 ? Ipv4RoutingHelper::GetRouting<Ipv4NixVectorRouting>(ipv4->GetRoutingProtocol())
                 : nullptr;
        if (nix)
        {
            // The paths of all nodes
            nix->FlushGlobalNixRoutingCache();
            return;
        }
    }
}

} // namespace lightpath
} // namespace ns3
