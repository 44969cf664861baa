/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-link-channel.h"

#include "optical-net-device.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("SharedLinkChannel");

NS_OBJECT_ENSURE_REGISTERED(SharedLinkChannel);

TypeId
SharedLinkChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::SharedLinkChannel")
                            .SetParent<FabricChannel>()
                            .SetGroupName("Lightpath");
    return tid;
}

void
SharedLinkChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_share.Cancel();
    FabricChannel::DoDispose();
}

DataRate
SharedLinkChannel::GetRate(uint32_t source, uint32_t destination) const
{
    const auto found = m_flows.find(GetKey(source, destination));
    return DataRate(found == m_flows.end() ? 0 : found->second.GetShare());
}

std::vector<LinkSharing::Use>
SharedLinkChannel::GetUses(uint32_t source, uint32_t destination) const
{
    const auto found = m_flows.find(GetKey(source, destination));
    return found == m_flows.end() ? std::vector<LinkSharing::Use>() : found->second.GetUses();
}

void
SharedLinkChannel::PairFlow::NotifyShare(uint64_t bitRate)
{
    NS_LOG_LOGIC("port " << source << " has " << bitRate / 1e9 << " Gb/s to port " << destination);
    device->SetRate(destination, bitRate, delay);
}

void
SharedLinkChannel::NotifyActive(uint32_t source, uint32_t destination)
{
    NS_LOG_FUNCTION(this << source << destination);
    PairFlow& flow = m_flows[GetKey(source, destination)];
    if (!flow.device)
    {
        flow.device = PeekPointer(GetPort(source));
        flow.source = source;
        flow.destination = destination;
        m_order.push_back(&flow);
    }
    flow.hasFrames = true;
    Begin(flow);
}

void
SharedLinkChannel::Begin(PairFlow& flow)
{
    if (!flow.hasRoute)
    {
        m_route.uses.clear();
        m_route.isFixed = true;
        FindRoute(flow.source, flow.destination, m_route);
        m_sharing.SetLinks(flow, m_route.uses);
        flow.delay = m_route.delay;
        flow.hasRoute = m_route.isFixed;
        flow.isCut = m_route.uses.empty();
    }
    if (flow.isCut)
    {
        NS_LOG_LOGIC("no link leads from port " << flow.source << " to port " << flow.destination);
        return;
    }
    m_sharing.Begin(flow);
    ScheduleShare();
}

void
SharedLinkChannel::NotifyIdle(uint32_t source, uint32_t destination)
{
    NS_LOG_FUNCTION(this << source << destination);
    PairFlow& flow = m_flows.at(GetKey(source, destination));
    flow.hasFrames = false;
    EndFlow(flow);
}

void
SharedLinkChannel::EndFlow(LinkSharing::Flow& flow)
{
    if (flow.IsActive())
    {
        m_sharing.End(flow);
        ScheduleShare();
    }
}

void
SharedLinkChannel::ResetRoutes()
{
    NS_LOG_FUNCTION(this);
    for (PairFlow* const flow : m_order)
    {
        EndFlow(*flow);
        flow->hasRoute = false;
    }
    for (PairFlow* const flow : m_order)
    {
        if (flow->hasFrames)
        {
            Begin(*flow);
        }
    }
}

void
SharedLinkChannel::ScheduleShare()
{
    // One event shares the rates for all changes of this instant
    if (m_sharing.IsDirty() && m_share.IsExpired())
    {
        m_share = Simulator::ScheduleNow(&SharedLinkChannel::Share, this);
    }
}

void
SharedLinkChannel::Share()
{
    NS_LOG_FUNCTION(this);
    m_sharing.Share();
}

} // namespace lightpath
} // namespace ns3
