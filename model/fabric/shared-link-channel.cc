/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-link-channel.h"

#include "frame-streams.h"

#include "ns3/lightpath-borrower.h"
#include "ns3/log.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"

#include <utility>

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

SharedLinkChannel::SharedLinkChannel() = default;

SharedLinkChannel::~SharedLinkChannel() = default;

void
SharedLinkChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_share.Cancel();
    if (m_streams)
    {
        m_streams->Leave();
    }
    FabricChannel::DoDispose();
}

DataRate
SharedLinkChannel::GetRate(uint32_t source, uint32_t destination) const
{
    const auto found = m_flows.find(GetKey(source, destination));
    if (found == m_flows.end())
    {
        return DataRate(0);
    }
    // A lent lightpath may be idle
    const PairFlow& flow = found->second;
    const bool isBusy = flow.isLent ? flow.device->GetBacklog(destination) > 0 : HasFrames(flow);
    return DataRate(isBusy ? flow.GetShare() : 0);
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
    if (streams)
    {
        streams->SetRate(stream, bitRate);
        return;
    }
    device->SetRate(destination, bitRate, delay);
}

SharedLinkChannel::PairFlow&
SharedLinkChannel::GetFlow(uint32_t source, uint32_t destination)
{
    // Most ports send to one other for a while
    if (source >= m_recent.size())
    {
        m_recent.resize(source + 1);
    }
    if (m_recent[source] && m_recent[source]->destination == destination)
    {
        return *m_recent[source];
    }
    PairFlow& flow = m_flows[GetKey(source, destination)];
    m_recent[source] = &flow;
    if (!flow.device)
    {
        flow.device = PeekPointer(GetPort(source));
        flow.source = source;
        flow.destination = destination;
        m_order.push_back(&flow);
    }
    return flow;
}

void
SharedLinkChannel::NotifyActive(uint32_t source, uint32_t destination)
{
    NS_LOG_FUNCTION(this << source << destination);
    PairFlow& flow = GetFlow(source, destination);
    flow.hasFrames = true;
    Begin(flow);
}

void
SharedLinkChannel::FindLinks(PairFlow& flow)
{
    if (flow.hasRoute)
    {
        return;
    }
    m_route.uses.clear();
    m_route.isFixed = true;
    FindRoute(flow.source, flow.destination, m_route);
    m_sharing.SetLinks(flow, m_route.uses);
    flow.delay = m_route.delay;
    flow.hasRoute = m_route.isFixed;
    flow.isCut = m_route.uses.empty();
}

void
SharedLinkChannel::Begin(PairFlow& flow)
{
    if (flow.IsActive())
    {
        // It has had no frames for no time, and keeps its share
        GoOn();
        return;
    }
    FindLinks(flow);
    if (flow.isCut)
    {
        NS_LOG_LOGIC("no link leads from port " << flow.source << " to port " << flow.destination);
        // Whether a device waits for light depends on all its pairs
        m_hasCut = true;
        RecallAll();
        return;
    }
    RecallOthers(flow, false);
    m_sharing.Begin(flow);
    ScheduleShare();
}

void
SharedLinkChannel::RecallOthers(const PairFlow& flow, bool onlyIdle)
{
    if (m_nLent == 0 || !m_sharing.Competes(flow))
    {
        return;
    }
    bool isSure = false;
    for (const LinkSharing::Flow* const other : m_sharing.GetOthers(flow))
    {
        // Only pairs are lent. One that was gathered may have been given back with another
        const auto* const pair = dynamic_cast<const PairFlow*>(other);
        LightpathBorrower* const borrower =
            pair && pair->isLent ? pair->device->GetBorrower(pair->destination) : nullptr;
        if (!borrower || (onlyIdle && !borrower->IsIdle()))
        {
            continue;
        }
        if (!std::exchange(isSure, true))
        {
            // Pairs that leave their links at this instant do not count
            EndIdle();
            if (!m_sharing.Competes(flow))
            {
                return;
            }
        }
        onlyIdle ? borrower->GiveBack() : pair->device->Recall(pair->destination);
    }
}

void
SharedLinkChannel::RecallAll()
{
    NS_LOG_FUNCTION(this);
    for (std::size_t i = 0; m_nLent > 0 && i < m_order.size(); ++i)
    {
        if (m_order[i]->isLent)
        {
            m_order[i]->device->GetBorrower(m_order[i]->destination)->GiveBack();
        }
    }
    if (m_streams)
    {
        m_streams->GiveBack();
    }
}

bool
SharedLinkChannel::Lend(uint32_t source, uint32_t destination)
{
    NS_LOG_FUNCTION(this << source << destination);
    PairFlow& flow = GetFlow(source, destination);
    // Rates that change with each frame are lost on a sink
    if (HasFrames(flow) || flow.isLent || flow.device->TracesRates())
    {
        return false;
    }
    EndIdle();
    FindLinks(flow);
    // A route that depends on load is found anew for each message
    if (!flow.hasRoute || flow.isCut)
    {
        return false;
    }
    RecallOthers(flow, true);
    if (m_sharing.Competes(flow))
    {
        return false;
    }
    flow.isLent = true;
    ++m_nLent;
    m_sharing.Begin(flow);
    return true;
}

void
SharedLinkChannel::TakeBack(uint32_t source, uint32_t destination)
{
    NS_LOG_FUNCTION(this << source << destination);
    PairFlow& flow = GetFlow(source, destination);
    m_nLent -= flow.isLent ? 1 : 0;
    flow.isLent = false;
    flow.hasFrames = false;
    EndFlow(flow);
}

bool
SharedLinkChannel::StaysDark() const
{
    return false;
}

FrameStreams*
SharedLinkChannel::GetStreams()
{
    if (!m_streams)
    {
        m_streams = std::make_unique<FrameStreams>(*this);
    }
    return m_streams.get();
}

bool
SharedLinkChannel::CanStream(PairFlow& flow)
{
    if (flow.hasFrames || m_hasCut || flow.device->TracesRates())
    {
        return false;
    }
    EndFlow(flow);
    FindLinks(flow);
    return flow.hasRoute && !flow.isCut;
}

void
SharedLinkChannel::NotifyIdle(uint32_t source, uint32_t destination)
{
    NS_LOG_FUNCTION(this << source << destination);
    EndFrames(GetFlow(source, destination));
}

bool
SharedLinkChannel::HasFrames(const PairFlow& flow)
{
    return flow.streams ? flow.streams->IsActive(flow.stream) : flow.hasFrames;
}

void
SharedLinkChannel::EndFrames(PairFlow& flow)
{
    flow.hasFrames = false;
    // The frame that has ended may lead to the next one at this instant
    if (flow.hasRoute && flow.delay.IsZero() && m_sharing.IsContended(flow))
    {
        EndLater(flow);
        return;
    }
    EndFlow(flow);
}

void
SharedLinkChannel::EndIdle()
{
    // A sink of a device's traces may add others
    for (std::size_t i = 0; m_nIdle > 0 && i < m_idle.size(); ++i)
    {
        if (!HasFrames(*m_idle[i]) && !m_idle[i]->isLent)
        {
            EndFlow(*m_idle[i]);
        }
    }
    m_idle.clear();
    m_nIdle = 0;
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
SharedLinkChannel::ResetRoutes(const std::function<void()>& change)
{
    NS_LOG_FUNCTION(this);
    RecallAll();
    for (PairFlow* const flow : m_order)
    {
        EndFlow(*flow);
        m_sharing.SetLinks(*flow, {});
        flow->hasRoute = false;
    }
    change();
    m_hasCut = false;
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
    if (m_isSharing || (m_idle.empty() && !m_sharing.IsDirty()))
    {
        return;
    }
    m_isSharing = true;
    m_share = Simulator::ScheduleNow(&SharedLinkChannel::Share, this);
    if (m_streams)
    {
        m_streams->NoteEvent(Simulator::Now().GetTimeStep());
    }
}

void
SharedLinkChannel::Share()
{
    NS_LOG_FUNCTION(this);
    m_isSharing = false;
    if (!m_idle.empty() && !std::exchange(m_isLate, true))
    {
        // Frames that arrive at this instant go first
        ScheduleShare();
        return;
    }
    m_isLate = false;
    EndIdle();
    m_sharing.Share();
}

} // namespace lightpath
} // namespace ns3
