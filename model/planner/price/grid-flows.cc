/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "grid-flows.h"

#include "model/base/wire-format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most frames that a message is cut into where prices are to be quick.
constexpr uint64_t FEW_PARTS = 16;

/// Of two frames' ends that are as near as this, neither is before the other, seconds.
constexpr double GRID_INSTANT = 1e-9;

} // namespace

GridFlows::GridFlows(const GridWays& ways)
    : m_ways(ways),
      m_grid(ways.GetGrid())
{
    Clear();
}

void
GridFlows::FollowFrames()
{
    m_isExact = true;
    // Until then all data wait, and what has gathered sets the pace of later iterations
    m_isHeld.assign(m_isHeld.size(), m_grid.beginSeconds > 0);
    for (uint32_t port = 0; m_grid.beginSeconds > 0 && port < m_grid.gpus; ++port)
    {
        Schedule(m_grid.beginSeconds + port * m_grid.beginGapSeconds, EventKind::SET, port);
    }
}

void
GridFlows::Clear()
{
    const std::size_t ports = std::size_t{m_grid.rows} * m_grid.columns;
    m_now = 0;
    m_left.clear();
    m_outgoing.assign(ports, {});
    m_senders.assign(2 * ports, {});
    m_receivers.assign(2 * ports, {});
    m_up.assign(ports, 0);
    m_down.assign(ports, 0);
    m_isHeld.assign(ports, false);
    m_flows.clear();
}

uint64_t
GridFlows::GetNEvents() const
{
    return m_nEvents;
}

double
GridFlows::GetNow() const
{
    return m_now;
}

double
GridFlows::GetNext() const
{
    return m_events.empty() ? std::numeric_limits<double>::infinity() : m_events.top().seconds;
}

uint32_t
GridFlows::Send(double seconds, uint32_t source, uint32_t destination, uint64_t bytes)
{
    m_now = seconds;
    const bool isForwarded = m_ways.GetWay(source, destination).corner != UINT32_MAX;
    // Quick prices follow few frames
    const uint64_t least = m_isExact ? 0 : bytes / FEW_PARTS + 1;
    const uint64_t part =
        isForwarded ? std::max(GridWays::GetFramePart(bytes), least) : std::max<uint64_t>(bytes, 1);
    const uint64_t frames = std::max<uint64_t>((bytes + part - 1) / part, 1);
    const auto all = static_cast<double>(bytes + frames * FRAME_HEADER_BYTES);
    const auto number = static_cast<uint32_t>(m_left.size());
    m_left.push_back(all);
    Push(source,
         destination,
         {number, all, all, static_cast<double>(part + FRAME_HEADER_BYTES)},
         false);
    return number;
}

bool
GridFlows::Happen(uint32_t& message)
{
    const Event event = m_events.top();
    m_events.pop();
    m_now = event.seconds;
    switch (event.kind)
    {
    case EventKind::SET:
        m_isHeld[event.flow] = false;
        Request(event.flow, 0);
        Request(event.flow, 1);
        break;
    case EventKind::REQUESTED: {
        const Flow& flow = m_flows[event.flow];
        m_receivers[2 * flow.hop + flow.side].flows.push_back(event.flow);
        Grant(flow.hop, flow.side);
        break;
    }
    case EventKind::GRANTED:
        Begin(event.flow);
        break;
    case EventKind::SENT:
        if (event.part.all > 0)
        {
            const Flow& flow = m_flows[event.flow];
            const double atEnd = flow.hop == flow.destination ? m_grid.cardSeconds : 0;
            Schedule(m_now + m_grid.delay + atEnd, EventKind::ARRIVED, event.flow, event.part);
        }
        SendFrame(event.flow, event.part.all == 0);
        break;
    case EventKind::CUT:
        End(event.flow);
        break;
    case EventKind::DARK: {
        const Flow& flow = m_flows[event.flow];
        --m_receivers[2 * flow.hop + flow.side].nBusy;
        Grant(flow.hop, flow.side);
        break;
    }
    case EventKind::ARRIVED:
        message = event.part.message;
        return Arrive(m_flows[event.flow], event.part);
    }
    return false;
}

void
GridFlows::Push(uint32_t port, uint32_t destination, const Part& part, bool isForwarded)
{
    Outgoing& outgoing = m_outgoing[port][destination];
    outgoing.queue.Push(part, isForwarded);
    Enlist(port, destination, outgoing);
}

void
GridFlows::Enlist(uint32_t port, uint32_t destination, Outgoing& outgoing)
{
    if (outgoing.queue.Enlist())
    {
        outgoing.way = m_ways.GetWay(port, destination);
        m_senders[2 * port + outgoing.way.first].destinations.push_back(destination);
        Request(port, outgoing.way.first);
    }
}

void
GridFlows::Request(uint32_t port, uint32_t side)
{
    Sender& sender = m_senders[2 * port + side];
    while (!m_isHeld[port] && sender.nBusy < m_grid.transceivers && !sender.destinations.empty())
    {
        const uint32_t destination = sender.destinations.front();
        sender.destinations.pop_front();
        ++sender.nBusy;
        const Outgoing& outgoing = m_outgoing[port][destination];
        const uint32_t corner = outgoing.way.corner;
        const uint32_t hop = corner != UINT32_MAX ? corner : destination;
        m_flows.push_back({port, destination, hop, side, outgoing.queue.GetBytes()});
        Notify(port, hop, EventKind::REQUESTED, static_cast<uint32_t>(m_flows.size() - 1));
    }
}

void
GridFlows::Divert(uint32_t port, double since)
{
    auto& pending = m_senders[2 * port].destinations;
    const Sender& other = m_senders[2 * port + 1];
    const uint32_t idle = other.ended <= since ? m_grid.transceivers - other.nBusy : 0;
    for (uint32_t i = 0; i < idle; ++i)
    {
        // The last one, so that others keep their turns
        const auto last = std::find_if(pending.rbegin(), pending.rend(), [&](uint32_t to) {
            return m_outgoing[port][to].way.corner != UINT32_MAX &&
                   m_ways.GetCorner(port, to, 1).corner < m_grid.gpus;
        });
        if (last == pending.rend())
        {
            return;
        }
        const uint32_t destination = *last;
        pending.erase(std::next(last).base());
        m_outgoing[port][destination].way = m_ways.GetCorner(port, destination, 1);
        m_senders[2 * port + 1].destinations.push_back(destination);
        Request(port, 1);
    }
}

void
GridFlows::Grant(uint32_t port, uint32_t side)
{
    Receiver& receiver = m_receivers[2 * port + side];
    while (receiver.nBusy < m_grid.transceivers && !receiver.flows.empty())
    {
        ++receiver.nBusy;
        const uint32_t flow = receiver.flows.front();
        Notify(port, m_flows[flow].source, EventKind::GRANTED, flow);
        receiver.flows.pop_front();
    }
}

void
GridFlows::Notify(uint32_t from, uint32_t to, EventKind kind, uint32_t flow)
{
    const double leaves = std::max(m_now, m_up[from]);
    m_up[from] = leaves + m_grid.controlGap;
    const double arrives = std::max(leaves, m_down[to]);
    m_down[to] = arrives + m_grid.controlGap;
    Schedule(arrives + m_grid.controlSeconds / 2, kind, flow);
}

void
GridFlows::Begin(uint32_t index)
{
    Flow& flow = m_flows[index];
    flow.granted = m_now;
    const double begin = m_now + m_grid.tuningSeconds;
    flow.end = begin + flow.bytes / m_ways.GetRate(flow.side);
    // Light may go out as late as if it had begun at the end of the reservation
    flow.limit = flow.end - m_grid.controlSeconds + m_grid.expirySeconds - m_grid.delay;
    Schedule(begin, EventKind::SENT, index);
}

void
GridFlows::SendFrame(uint32_t index, bool isFirst)
{
    const Flow& flow = m_flows[index];
    GridQueue& queue = m_outgoing[flow.source][flow.destination].queue;
    if (queue.IsEmpty() || (!isFirst && m_now + GRID_INSTANT >= flow.end))
    {
        End(index);
        return;
    }
    Part frame = queue.Take();
    const double end = m_now + frame.bytes / m_ways.GetRate(flow.side);
    if (end > flow.limit)
    {
        // The rest follows in another flow
        frame.bytes -= (flow.limit - m_now) * m_ways.GetRate(flow.side);
        queue.PutBack(frame);
        Schedule(flow.limit, EventKind::CUT, index);
        return;
    }
    Schedule(end, EventKind::SENT, index, frame);
}

void
GridFlows::End(uint32_t index)
{
    const Flow flow = m_flows[index];
    Sender& sender = m_senders[2 * flow.source + flow.side];
    --sender.nBusy;
    sender.ended = m_now;
    Schedule(m_now + m_grid.delay, EventKind::DARK, index);
    Outgoing& outgoing = m_outgoing[flow.source][flow.destination];
    outgoing.queue.Dismiss();
    if (!outgoing.queue.IsEmpty())
    {
        Enlist(flow.source, flow.destination, outgoing);
    }
    Request(flow.source, flow.side);
    if (m_grid.diverts && flow.side == 0)
    {
        Divert(flow.source, flow.granted);
    }
}

bool
GridFlows::Arrive(const Flow& flow, const Part& part)
{
    if (flow.hop != flow.destination)
    {
        Push(flow.hop, flow.destination, part, true);
        return false;
    }
    m_left[part.message] -= part.all;
    // Rounding leaves less than a byte
    return m_left[part.message] < 0.5;
}

void
GridFlows::Schedule(double seconds, EventKind kind, uint32_t flow, const Part& part)
{
    // Whole picoseconds, so that rounding sets no order of what happens at once
    const double whole = std::round(seconds * 1e12) * 1e-12;
    m_events.push({whole, m_nEvents++, kind, flow, part});
}

} // namespace lightpath
} // namespace ns3
