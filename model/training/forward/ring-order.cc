/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-forward.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cstddef>

/**
 * @file
 * @ingroup lightpath
 * In which order the members of a RingForward take messages, and when it wakes.
 */

namespace ns3
{
namespace lightpath
{

void
RingForward::Merge(int64_t limit)
{
    int64_t least = INT64_MAX;
    for (const Operation& operation : m_operations)
    {
        least = operation.schedule ? std::min(least, operation.least) : least;
    }
    // Without operations there are no messages
    bool isOpen = least < INT64_MAX;
    while (isOpen)
    {
        isOpen = false;
        bool isMoving = false;
        for (uint32_t position = 0; position < m_members.size(); ++position)
        {
            Member& member = m_members[position];
            if (member.until >= limit)
            {
                continue;
            }
            // An earlier arrival is on its way: all other messages have yet to be sent
            int64_t known = limit;
            for (uint32_t ring = 0; ring < m_nRings; ++ring)
            {
                const Lightpath& in = m_lightpaths[GetInput(position, ring)];
                const int64_t next = std::max(m_members[in.from].until, in.free);
                known = std::min(known, next + least + in.delay);
            }
            isMoving = MergeAt(position, known) || isMoving;
            member.until = std::max(member.until, known);
            isOpen = isOpen || member.until < limit;
        }
        if (isOpen && !isMoving)
        {
            // Nothing happens before the next message
            const int64_t next = std::min(limit, GetNextArrival());
            for (Member& member : m_members)
            {
                member.until = std::max(member.until, next);
            }
        }
    }
    for (Member& member : m_members)
    {
        member.until = limit;
    }
}

bool
RingForward::MergeAt(uint32_t position, int64_t limit)
{
    bool isMoving = false;
    for (uint32_t first = FindFirst(position, limit); first != NONE;
         first = FindFirst(position, limit))
    {
        TakeFirst(first);
        isMoving = true;
    }
    return isMoving;
}

int64_t
RingForward::GetNextArrival() const
{
    int64_t next = INT64_MAX;
    for (const Lightpath& lightpath : m_lightpaths)
    {
        if (!lightpath.out.IsEmpty())
        {
            next = std::min(next, lightpath.out.GetFirst().arrival);
        }
    }
    return next;
}

uint32_t
RingForward::FindFirst(uint32_t position, int64_t limit) const
{
    uint32_t found = NONE;
    int64_t arrival = limit;
    for (uint32_t ring = 0; ring < m_nRings; ++ring)
    {
        const uint32_t number = GetInput(position, ring);
        const Lightpath& in = m_lightpaths[number];
        if (in.out.IsEmpty() || in.out.GetFirst().arrival > arrival ||
            in.out.GetFirst().arrival >= limit)
        {
            continue;
        }
        if (found != NONE && in.out.GetFirst().arrival == arrival)
        {
            // Of two events at one instant, the one that was scheduled first comes first: that is
            // when the frame ended, and that, when it began
            const Lightpath& other = m_lightpaths[found];
            if (in.delay < other.delay ||
                (in.delay == other.delay &&
                 in.details.GetFirst().begin >= other.details.GetFirst().begin))
            {
                continue;
            }
        }
        found = number;
        arrival = in.out.GetFirst().arrival;
    }
    return found;
}

void
RingForward::ScheduleWake()
{
    int64_t bound = INT64_MAX;
    for (const Operation& operation : m_operations)
    {
        if (operation.schedule && operation.nBegun == m_members.size() &&
            operation.nLast < m_lightpaths.size())
        {
            bound = std::min(bound, GetBound(operation));
        }
    }
    ScheduleWake(bound);
}

void
RingForward::ScheduleWake(int64_t bound)
{
    if (bound == INT64_MAX || (!m_wake.IsExpired() && m_wakeTick <= bound + 1))
    {
        return;
    }
    m_wake.Remove();
    m_wakeTick = bound + 1;
    m_wake = Simulator::Schedule(TimeStep(m_wakeTick) - Simulator::Now(), &RingForward::Wake, this);
}

void
RingForward::Wake()
{
    Advance(Simulator::Now().GetTimeStep());
    ScheduleWake();
}

int64_t
RingForward::GetBound(const Operation& operation) const
{
    const uint32_t last = operation.nSteps - 1;
    uint32_t most = 0;
    int64_t delay = INT64_MAX;
    int64_t bound = INT64_MAX;
    for (uint32_t position = 0; position < m_members.size(); ++position)
    {
        most = std::max(most, operation.parts[position].received);
        bound = std::min(bound, GetBound(operation, position));
    }
    for (const Lightpath& lightpath : m_lightpaths)
    {
        delay = std::min(delay, lightpath.delay);
    }
    // Each message waits for the one before it, which comes from the member before
    return most < last ? std::max(bound, m_advanced + (last - most - 1) * (operation.least + delay))
                       : bound;
}

int64_t
RingForward::GetBound(const Operation& operation, uint32_t position) const
{
    const uint32_t last = operation.nSteps - 1;
    const Part& part = operation.parts[position];
    if (part.received >= last)
    {
        return INT64_MAX;
    }
    // The next messages for the member, which are on their way or have yet to be sent
    const uint32_t index = &operation - m_operations.data();
    int64_t arrival = 0;
    for (uint32_t ring = 0; ring < m_nRings; ++ring)
    {
        const uint32_t number = GetInput(position, ring);
        const Lightpath& in = m_lightpaths[number];
        if (m_nRings > 1 && operation.taken[number] > part.received)
        {
            continue;
        }
        if (operation.parts[in.from].received < part.received)
        {
            arrival = std::max(arrival, std::max(m_advanced, in.free) + operation.least + in.delay);
            continue;
        }
        std::size_t place = 0;
        while (in.out.Get(place).operation != index)
        {
            ++place;
        }
        arrival = std::max(arrival, in.out.Get(place).arrival);
    }
    return arrival + (last - part.received - 1) * operation.least;
}

} // namespace lightpath
} // namespace ns3
