/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "grid-timer.h"

#include "model/base/wire-format.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most frames that one is cut into.
constexpr double MOST_PARTS = 256;

/// The most messages that are followed one by one; the steps of an operation with more go on alike.
constexpr uint64_t MOST_MESSAGES = 20000;

/**
 * @param bytes the size of a message that passes a corner
 * @return the bytes of it in a frame
 */
double
GetFramePart(double bytes)
{
    return std::max<double>(FORWARDED_PART_BYTES, bytes / MOST_PARTS);
}

} // namespace

GridTimer::GridTimer(const GridLimits& grid)
    : m_grid(grid)
{
}

GridTimer::Way
GridTimer::GetWay(uint32_t source, uint32_t destination) const
{
    const uint32_t columns = m_grid.columns;
    const uint32_t rows[2] = {source / columns, destination / columns};
    const uint32_t places[2] = {source % columns, destination % columns};
    if (rows[0] == rows[1] || places[0] == places[1])
    {
        return {UINT32_MAX, rows[0] == rows[1] ? 0U : 1U};
    }
    // The last row may have no GPU at a corner
    const Way ways[2] = {{rows[0] * columns + places[1], 0}, {rows[1] * columns + places[0], 1}};
    const Way& way = ways[m_grid.isColumnFirst ? 1 : 0];
    return way.corner < m_grid.gpus ? way : ways[1 - way.first];
}

double
GridTimer::GetRate(uint32_t side) const
{
    return (side == 0 ? m_grid.rowBitRate : m_grid.columnBitRate) / 8;
}

double
GridTimer::GetSwitchRate(uint32_t side) const
{
    return m_grid.transceivers * GetRate(side);
}

double
GridTimer::GetPause() const
{
    return m_grid.controlSeconds + m_grid.tuningSeconds;
}

double
GridTimer::GetLag(double bytes, const Way& way) const
{
    const double rate = GetRate(1 - way.first);
    const double least = std::min(bytes, GetFramePart(bytes)) / rate;
    const double last = std::sqrt(2 * GetPause() * bytes / rate);
    return GetPause() + std::min(std::max(last, least), bytes / rate);
}

double
GridTimer::GetSeconds(const CollectiveSchedule& schedule,
                      const std::vector<const std::vector<uint32_t>*>& groups)
{
    const uint32_t steps = schedule.GetNSteps();
    double seconds = 0;
    if (steps == 0 || TryEven(schedule, groups, seconds))
    {
        return seconds;
    }
    schedule.GetSends(0, 0, m_transfers);
    const uint64_t each = m_transfers.size() * groups.size() * groups.front()->size();
    const auto most = std::max<uint64_t>(MOST_MESSAGES / std::max<uint64_t>(each, 1), 2);
    const auto count = static_cast<uint32_t>(std::min<uint64_t>(steps, most));
    const std::vector<double> ends = Run(schedule, groups, count);
    // Once the pipeline is full, further steps take as long as the later ones of these
    const uint32_t half = count / 2;
    const double slope = (ends[count - 1] - ends[count - 1 - half]) / std::max(half, 1U);
    return ends[count - 1] + (steps - count) * slope;
}

bool
GridTimer::TryEven(const CollectiveSchedule& schedule,
                   const std::vector<const std::vector<uint32_t>*>& groups,
                   double& seconds) const
{
    seconds = 0;
    // The last step in which each transmitter and each receiver has had a flow
    const std::size_t ports = 2 * std::size_t{m_grid.rows} * m_grid.columns;
    std::vector<uint32_t> sent(ports, UINT32_MAX);
    std::vector<uint32_t> received(ports, UINT32_MAX);
    std::vector<Transfer> transfers;
    for (uint32_t step = 0; step < schedule.GetNSteps(); ++step)
    {
        double longest = 0;
        for (const auto* const group : groups)
        {
            for (uint32_t position = 0; position < group->size(); ++position)
            {
                schedule.GetSends(position, step, transfers);
                for (const auto& transfer : transfers)
                {
                    const uint32_t source = (*group)[position];
                    const uint32_t destination = (*group)[transfer.peer];
                    const Way way = GetWay(source, destination);
                    uint32_t& last = sent[2 * source + way.first];
                    uint32_t& lastIn = received[2 * destination + way.first];
                    if (way.corner != UINT32_MAX || last == step || lastIn == step)
                    {
                        return false;
                    }
                    last = lastIn = step;
                    longest = std::max(longest,
                                       (transfer.bytes + FRAME_HEADER_BYTES) / GetRate(way.first));
                }
            }
        }
        seconds += longest > 0 ? GetPause() + longest + m_grid.delay : 0;
    }
    return true;
}

std::vector<double>
GridTimer::Run(const CollectiveSchedule& schedule,
               const std::vector<const std::vector<uint32_t>*>& groups,
               uint32_t steps)
{
    const std::size_t ports = std::size_t{m_grid.rows} * m_grid.columns;
    m_now = 0;
    m_nSteps = steps;
    m_schedule = &schedule;
    m_groups = groups;
    m_members.assign(groups.size(), {});
    m_messages.clear();
    m_outgoing.assign(ports, {});
    m_senders.assign(2 * ports, {});
    m_receivers.assign(2 * ports, {});
    m_flows.clear();
    m_arrivals.clear();
    m_ends.assign(steps, 0);
    for (uint32_t group = 0; group < groups.size(); ++group)
    {
        m_members[group].resize(groups[group]->size());
        for (auto& member : m_members[group])
        {
            member.received.assign(steps, 0);
        }
    }
    for (uint32_t group = 0; group < groups.size(); ++group)
    {
        for (uint32_t position = 0; position < groups[group]->size(); ++position)
        {
            Send(group, position);
            Advance(group, position);
        }
    }
    while (!m_events.empty())
    {
        const Event event = m_events.top();
        m_events.pop();
        m_now = event.seconds;
        switch (event.what)
        {
        case What::REQUESTED: {
            const Flow& flow = m_flows[event.index];
            m_receivers[2 * flow.hop + flow.side].flows.push_back(event.index);
            Grant(flow.hop, flow.side);
            break;
        }
        case What::GRANTED:
            Begin(event.index);
            break;
        case What::ENDED:
            End(event.index);
            break;
        case What::DARK: {
            const Flow& flow = m_flows[event.index];
            --m_receivers[2 * flow.hop + flow.side].nBusy;
            Grant(flow.hop, flow.side);
            break;
        }
        case What::ARRIVED:
            Arrive(m_arrivals[event.index]);
            break;
        }
    }
    for (std::size_t step = 1; step < m_ends.size(); ++step)
    {
        m_ends[step] = std::max(m_ends[step], m_ends[step - 1]);
    }
    return m_ends;
}

void
GridTimer::Advance(uint32_t group, uint32_t position)
{
    // A step that nothing comes in for ends at once
    Member& member = m_members[group][position];
    while (true)
    {
        m_schedule->GetReceives(position, member.step, m_transfers);
        if (member.received[member.step] < m_transfers.size() || member.step + 1 >= m_nSteps)
        {
            return;
        }
        ++member.step;
        Send(group, position);
    }
}

void
GridTimer::Send(uint32_t group, uint32_t position)
{
    const auto& members = *m_groups[group];
    const uint32_t step = m_members[group][position].step;
    std::vector<Transfer> sends;
    m_schedule->GetSends(position, step, sends);
    for (const auto& send : sends)
    {
        const auto bytes = static_cast<double>(send.bytes);
        const bool isForwarded = GetWay(members[position], members[send.peer]).corner != UINT32_MAX;
        const double frames = isForwarded ? std::ceil(bytes / GetFramePart(bytes)) : 1;
        const auto message = static_cast<uint32_t>(m_messages.size());
        m_messages.push_back({group, send.peer, step, bytes + frames * FRAME_HEADER_BYTES});
        Push(members[position], members[send.peer], {message, m_messages.back().left});
    }
}

void
GridTimer::Push(uint32_t port, uint32_t destination, const Part& part)
{
    Outgoing& outgoing = m_outgoing[port][destination];
    outgoing.parts.push_back(part);
    if (!outgoing.isQueued)
    {
        outgoing.isQueued = true;
        const uint32_t side = GetWay(port, destination).first;
        m_senders[2 * port + side].destinations.push_back(destination);
        Request(port, side);
    }
}

void
GridTimer::Request(uint32_t port, uint32_t side)
{
    Sender& sender = m_senders[2 * port + side];
    while (sender.nBusy < m_grid.transceivers && !sender.destinations.empty())
    {
        const uint32_t destination = sender.destinations.front();
        sender.destinations.pop_front();
        ++sender.nBusy;
        const Way way = GetWay(port, destination);
        const uint32_t hop = way.corner != UINT32_MAX ? way.corner : destination;
        m_flows.push_back(
            {port, destination, hop, side, std::exchange(m_outgoing[port][destination].parts, {})});
        Schedule(m_now + m_grid.controlSeconds / 2,
                 What::REQUESTED,
                 static_cast<uint32_t>(m_flows.size() - 1));
    }
}

void
GridTimer::Grant(uint32_t port, uint32_t side)
{
    Receiver& receiver = m_receivers[2 * port + side];
    while (receiver.nBusy < m_grid.transceivers && !receiver.flows.empty())
    {
        ++receiver.nBusy;
        Schedule(m_now + m_grid.controlSeconds / 2, What::GRANTED, receiver.flows.front());
        receiver.flows.pop_front();
    }
}

void
GridTimer::Begin(uint32_t index)
{
    const Flow& flow = m_flows[index];
    const double rate = GetRate(flow.side);
    const double begin = m_now + m_grid.tuningSeconds;
    const auto arrive = [&](double seconds, const Part& part) {
        m_arrivals.push_back({flow.hop, flow.destination, part});
        Schedule(seconds + m_grid.delay,
                 What::ARRIVED,
                 static_cast<uint32_t>(m_arrivals.size() - 1));
    };
    double sent = 0;
    for (const auto& part : flow.parts)
    {
        double left = part.bytes;
        if (flow.hop != flow.destination)
        {
            // The corner's flows take what comes in during the one before, and a pause
            const double next = GetRate(1 - flow.side);
            double piece = GetFramePart(part.bytes);
            for (; left > piece; left -= piece, piece = rate * (GetPause() + piece / next))
            {
                sent += piece;
                arrive(begin + sent / rate, {part.message, piece});
            }
        }
        sent += left;
        arrive(begin + sent / rate, {part.message, left});
    }
    Schedule(begin + sent / rate, What::ENDED, index);
    Schedule(begin + sent / rate + m_grid.delay, What::DARK, index);
}

void
GridTimer::End(uint32_t index)
{
    const Flow& flow = m_flows[index];
    --m_senders[2 * flow.source + flow.side].nBusy;
    Outgoing& outgoing = m_outgoing[flow.source][flow.destination];
    outgoing.isQueued = !outgoing.parts.empty();
    if (outgoing.isQueued)
    {
        m_senders[2 * flow.source + flow.side].destinations.push_back(flow.destination);
    }
    Request(flow.source, flow.side);
}

void
GridTimer::Arrive(const Arrival& arrival)
{
    if (arrival.port != arrival.destination)
    {
        Push(arrival.port, arrival.destination, arrival.part);
        return;
    }
    Message& message = m_messages[arrival.part.message];
    message.left -= arrival.part.bytes;
    // Rounding leaves less than a byte
    if (message.left < 0.5)
    {
        m_ends[message.step] = std::max(m_ends[message.step], m_now);
        ++m_members[message.group][message.position].received[message.step];
        Advance(message.group, message.position);
    }
}

void
GridTimer::Schedule(double seconds, What what, uint32_t index)
{
    m_events.push({seconds, m_nEvents++, what, index});
}

} // namespace lightpath
} // namespace ns3
