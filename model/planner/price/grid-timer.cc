/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "grid-timer.h"

#include "model/base/wire-format.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most frames that one is cut into.
constexpr uint64_t MOST_PARTS = 256;

/// The same where prices are to be quick.
constexpr uint64_t FEW_PARTS = 16;

/// The time from a grant in which there must be light, seconds: OddlControlUnit::ReservationExpiry
constexpr double SLACK = 1e-5;

/// Of two frames' ends that are as near as this, neither is before the other, seconds.
constexpr double GRID_INSTANT = 1e-9;

/// The most messages that are followed one by one; the steps of an operation with more go on alike.
constexpr uint64_t MOST_MESSAGES = 20000;

/**
 * @param bytes the size of a message that passes a corner
 * @return the bytes of it in a frame
 */
uint64_t
GetFramePart(uint64_t bytes)
{
    return std::max(FORWARDED_PART_BYTES, bytes / MOST_PARTS + 1);
}

} // namespace

GridTimer::GridTimer(const GridLimits& grid)
    : m_grid(grid)
{
    Clear();
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
    const auto part = static_cast<double>(GetFramePart(static_cast<uint64_t>(bytes)));
    const double least = std::min(bytes, part) / rate;
    const double last = std::sqrt(2 * GetPause() * bytes / rate);
    return GetPause() + std::min(std::max(last, least), bytes / rate);
}

double
GridTimer::GetSeconds(const std::shared_ptr<const CollectiveSchedule>& schedule,
                      const std::vector<const std::vector<uint32_t>*>& groups)
{
    const uint32_t steps = schedule->GetNSteps();
    double seconds = 0;
    if (steps == 0 || TryEven(*schedule, groups, seconds))
    {
        return seconds;
    }
    schedule->GetSends(0, 0, m_transfers);
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

void
GridTimer::Clear()
{
    const std::size_t ports = std::size_t{m_grid.rows} * m_grid.columns;
    m_now = 0;
    m_operations.clear();
    m_numbers.clear();
    m_messages.clear();
    m_outgoing.assign(ports, {});
    m_senders.assign(2 * ports, {});
    m_receivers.assign(2 * ports, {});
    m_flows.clear();
    m_ends.clear();
}

std::vector<double>
GridTimer::Run(std::shared_ptr<const CollectiveSchedule> schedule,
               const std::vector<const std::vector<uint32_t>*>& groups,
               uint32_t steps)
{
    Clear();
    m_mostSteps = steps;
    for (uint32_t group = 0; group < groups.size(); ++group)
    {
        for (uint32_t position = 0; position < groups[group]->size(); ++position)
        {
            Join(group, schedule, *groups[group], position, 0);
        }
    }
    std::vector<uint64_t> tags;
    Proceed(std::numeric_limits<double>::max(), tags);
    m_mostSteps = UINT32_MAX;
    m_ends.resize(steps, 0);
    for (std::size_t step = 1; step < m_ends.size(); ++step)
    {
        m_ends[step] = std::max(m_ends[step], m_ends[step - 1]);
    }
    return m_ends;
}

void
GridTimer::FollowFrames()
{
    m_isExact = true;
}

uint64_t
GridTimer::GetNEvents() const
{
    return m_nEvents;
}

double
GridTimer::GetNext() const
{
    if (!m_done.empty())
    {
        return m_now;
    }
    return m_events.empty() ? std::numeric_limits<double>::infinity() : m_events.top().seconds;
}

void
GridTimer::Proceed(double seconds, std::vector<uint64_t>& tags)
{
    while (!m_events.empty() && m_events.top().seconds <= seconds)
    {
        const Event event = m_events.top();
        m_events.pop();
        m_now = event.seconds;
        switch (event.what)
        {
        case What::REQUESTED: {
            const Flow& flow = m_flows[event.flow];
            m_receivers[2 * flow.hop + flow.side].flows.push_back(event.flow);
            Grant(flow.hop, flow.side);
            break;
        }
        case What::GRANTED:
            Begin(event.flow);
            break;
        case What::SENT:
            if (event.part.all > 0)
            {
                Schedule(m_now + m_grid.delay, What::ARRIVED, event.flow, event.part);
            }
            SendFrame(event.flow, event.part.all == 0);
            break;
        case What::CUT:
            End(event.flow);
            break;
        case What::DARK: {
            const Flow& flow = m_flows[event.flow];
            --m_receivers[2 * flow.hop + flow.side].nBusy;
            Grant(flow.hop, flow.side);
            break;
        }
        case What::ARRIVED:
            Arrive(m_flows[event.flow], event.part);
            break;
        }
    }
    m_now = seconds;
    tags.clear();
    tags.swap(m_done);
}

void
GridTimer::Send(uint32_t source, uint32_t destination, uint64_t bytes, uint64_t tag)
{
    Message message;
    message.operation = ALONE;
    message.tag = tag;
    Add(source, destination, bytes, message);
}

void
GridTimer::Join(uint64_t key,
                std::shared_ptr<const CollectiveSchedule> schedule,
                const std::vector<uint32_t>& members,
                uint32_t position,
                uint64_t tag)
{
    const auto [found, isNew] =
        m_numbers.try_emplace(key, static_cast<uint32_t>(m_operations.size()));
    if (isNew)
    {
        const uint32_t steps = std::min(schedule->GetNSteps(), m_mostSteps);
        Member member;
        member.received.assign(steps, 0);
        m_operations.push_back(
            {std::move(schedule), &members, std::vector<Member>(members.size(), member), steps});
    }
    Member& member = m_operations[found->second].members[position];
    member.hasBegun = true;
    member.tag = tag;
    if (m_operations[found->second].steps > 0)
    {
        EnterStep(found->second, position);
    }
    Advance(found->second, position);
}

void
GridTimer::Advance(uint32_t operation, uint32_t position)
{
    Operation& whole = m_operations[operation];
    Member& member = whole.members[position];
    // A step that nothing comes in for ends at once
    while (member.step < whole.steps)
    {
        whole.schedule->GetReceives(position, member.step, m_transfers);
        if (member.received[member.step] < m_transfers.size())
        {
            return;
        }
        if (++member.step < whole.steps)
        {
            EnterStep(operation, position);
        }
    }
    m_done.push_back(member.tag);
}

void
GridTimer::EnterStep(uint32_t operation, uint32_t position)
{
    const Operation& whole = m_operations[operation];
    const uint32_t step = whole.members[position].step;
    whole.schedule->GetSends(position, step, m_transfers);
    for (const auto& send : m_transfers)
    {
        Message message;
        message.operation = operation;
        message.position = send.peer;
        message.step = step;
        Add((*whole.gpus)[position], (*whole.gpus)[send.peer], send.bytes, message);
    }
}

void
GridTimer::Add(uint32_t source, uint32_t destination, uint64_t bytes, Message message)
{
    const bool isForwarded = GetWay(source, destination).corner != UINT32_MAX;
    // Quick prices follow few frames
    const uint64_t least = m_isExact ? 0 : bytes / FEW_PARTS + 1;
    const uint64_t part =
        isForwarded ? std::max(GetFramePart(bytes), least) : std::max<uint64_t>(bytes, 1);
    const uint64_t frames = std::max<uint64_t>((bytes + part - 1) / part, 1);
    message.left = static_cast<double>(bytes + frames * FRAME_HEADER_BYTES);
    m_messages.push_back(message);
    Push(source,
         destination,
         {static_cast<uint32_t>(m_messages.size() - 1),
          message.left,
          message.left,
          static_cast<double>(part + FRAME_HEADER_BYTES)},
         false);
}

void
GridTimer::Push(uint32_t port, uint32_t destination, const Part& part, bool isForwarded)
{
    GridQueue& queue = m_outgoing[port][destination];
    queue.Push(part, isForwarded);
    if (queue.Enlist())
    {
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
        m_flows.push_back({port, destination, hop, side, m_outgoing[port][destination].GetBytes()});
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
    Flow& flow = m_flows[index];
    const double begin = m_now + m_grid.tuningSeconds;
    flow.end = begin + flow.bytes / GetRate(flow.side);
    flow.limit = flow.end - m_grid.controlSeconds / 2 + SLACK - m_grid.delay;
    Schedule(begin, What::SENT, index);
}

void
GridTimer::SendFrame(uint32_t index, bool isFirst)
{
    const Flow& flow = m_flows[index];
    GridQueue& queue = m_outgoing[flow.source][flow.destination];
    if (queue.IsEmpty() || (!isFirst && m_now + GRID_INSTANT >= flow.end))
    {
        End(index);
        return;
    }
    Part frame = queue.Take();
    const double end = m_now + frame.bytes / GetRate(flow.side);
    if (end > flow.limit)
    {
        // The rest follows in another flow
        frame.bytes -= (flow.limit - m_now) * GetRate(flow.side);
        queue.PutBack(frame);
        Schedule(flow.limit, What::CUT, index);
        return;
    }
    Schedule(end, What::SENT, index, frame);
}

void
GridTimer::End(uint32_t index)
{
    const Flow& flow = m_flows[index];
    --m_senders[2 * flow.source + flow.side].nBusy;
    Schedule(m_now + m_grid.delay, What::DARK, index);
    GridQueue& queue = m_outgoing[flow.source][flow.destination];
    queue.Dismiss();
    if (!queue.IsEmpty() && queue.Enlist())
    {
        m_senders[2 * flow.source + flow.side].destinations.push_back(flow.destination);
    }
    Request(flow.source, flow.side);
}

void
GridTimer::Arrive(const Flow& flow, const Part& part)
{
    if (flow.hop != flow.destination)
    {
        Push(flow.hop, flow.destination, part, true);
        return;
    }
    Message& message = m_messages[part.message];
    message.left -= part.all;
    // Rounding leaves less than a byte
    if (message.left >= 0.5)
    {
        return;
    }
    if (message.operation == ALONE)
    {
        m_done.push_back(message.tag);
        return;
    }
    m_ends.resize(std::max<std::size_t>(m_ends.size(), message.step + 1), 0);
    m_ends[message.step] = std::max(m_ends[message.step], m_now);
    Member& member = m_operations[message.operation].members[message.position];
    ++member.received[message.step];
    if (member.hasBegun && member.step == message.step)
    {
        Advance(message.operation, message.position);
    }
}

void
GridTimer::Schedule(double seconds, What what, uint32_t flow, const Part& part)
{
    m_events.push({seconds, m_nEvents++, what, flow, part});
}

} // namespace lightpath
} // namespace ns3
