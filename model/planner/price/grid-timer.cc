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

/// The most messages that are followed one by one; the steps of an operation with more go on alike.
constexpr uint64_t MOST_MESSAGES = 20000;

} // namespace

GridTimer::GridTimer(const GridLimits& grid)
    : GridWays(grid),
      m_flows(*this)
{
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
    const std::size_t ports = 2 * std::size_t{GetGrid().rows} * GetGrid().columns;
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
        seconds += longest > 0 ? GetPause() + longest + GetGrid().delay + GetGrid().cardSeconds : 0;
    }
    return true;
}

void
GridTimer::Clear()
{
    m_now = 0;
    m_flows.Clear();
    m_operations.clear();
    m_numbers.clear();
    m_messages.clear();
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
    m_flows.FollowFrames();
}

uint64_t
GridTimer::GetNEvents() const
{
    return m_flows.GetNEvents();
}

double
GridTimer::GetNext() const
{
    return m_done.empty() ? m_flows.GetNext() : m_now;
}

void
GridTimer::Proceed(double seconds, std::vector<uint64_t>& tags)
{
    while (m_flows.GetNext() <= seconds)
    {
        uint32_t message = 0;
        const bool hasCome = m_flows.Happen(message);
        m_now = m_flows.GetNow();
        if (hasCome)
        {
            // A copy, as the next messages may move all of them in memory
            const Message arrived = m_messages[message];
            Arrive(arrived);
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
GridTimer::Add(uint32_t source, uint32_t destination, uint64_t bytes, const Message& message)
{
    m_flows.Send(m_now, source, destination, bytes);
    m_messages.push_back(message);
}

void
GridTimer::Arrive(const Message& message)
{
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

} // namespace lightpath
} // namespace ns3
