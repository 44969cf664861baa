/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-clock.h"

#include "rdma-network.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

RdmaClock::RdmaClock(RdmaNetwork& network)
    : m_network(network)
{
}

RdmaClock::~RdmaClock()
{
    m_event.Cancel();
}

void
RdmaClock::SetLookAhead(Time lookAhead)
{
    m_lookAhead = lookAhead.GetPicoSeconds();
}

int64_t
RdmaClock::GetOutside()
{
    return Simulator::Now().GetPicoSeconds();
}

Time
RdmaClock::GetDelay(int64_t time)
{
    const Time then = PicoSeconds(time);
    const Time delay = then - Simulator::Now();
    return then.GetPicoSeconds() < time ? delay + TimeStep(1) : delay;
}

void
RdmaClock::At(int64_t time, Kind kind, uint32_t index)
{
    const Entry entry{time, m_nEntries++, kind, index};
    const int64_t number = time >> SPAN;
    if (number - (m_now >> SPAN) >= N_SLOTS)
    {
        m_later.push(entry);
    }
    else
    {
        const int64_t place = number % N_SLOTS;
        Slot& slot = m_slots[place];
        m_filled[place / 64] |= uint64_t{1} << place % 64;
        if (place != m_sorted)
        {
            slot.entries.push_back(entry);
        }
        else
        {
            const auto begin = slot.entries.begin() + static_cast<std::ptrdiff_t>(slot.next);
            slot.entries.insert(std::upper_bound(begin, slot.entries.end(), entry), entry);
        }
    }
    if (!m_isRunning && (m_event.IsExpired() || time < m_wake))
    {
        Schedule(time);
    }
}

int64_t
RdmaClock::FindSlot() const
{
    const int64_t begin = (m_now >> SPAN) % N_SLOTS;
    // From the word of now all around to the slots before it
    for (int64_t i = 0; i <= N_SLOTS / 64; ++i)
    {
        const int64_t word = (begin / 64 + i) % (N_SLOTS / 64);
        uint64_t filled = m_filled[word];
        const uint64_t notBefore = ~uint64_t{0} << begin % 64;
        filled &= i == 0 ? notBefore : i == N_SLOTS / 64 ? ~notBefore : ~uint64_t{0};
        if (filled != 0)
        {
            return word * 64 + __builtin_ctzll(filled);
        }
    }
    return -1;
}

const RdmaClock::Entry*
RdmaClock::GetFirst()
{
    const int64_t place = FindSlot();
    if (place >= 0 && place != m_sorted)
    {
        if (m_sorted >= 0)
        {
            // An earlier one has come
            Slot& former = m_slots[m_sorted];
            former.entries.erase(former.entries.begin(),
                                 former.entries.begin() + static_cast<std::ptrdiff_t>(former.next));
            former.next = 0;
        }
        m_sorted = place;
        std::sort(m_slots[place].entries.begin(), m_slots[place].entries.end());
    }
    const Entry* const near = place >= 0 ? &m_slots[place].entries[m_slots[place].next] : nullptr;
    m_isLater = !m_later.empty() && (!near || m_later.top() < *near);
    return m_isLater ? &m_later.top() : near;
}

void
RdmaClock::Pop()
{
    if (m_isLater)
    {
        m_later.pop();
        return;
    }
    Slot& slot = m_slots[m_sorted];
    if (++slot.next == slot.entries.size())
    {
        slot.entries.clear();
        slot.next = 0;
        m_filled[m_sorted / 64] &= ~(uint64_t{1} << m_sorted % 64);
        m_sorted = -1;
    }
}

void
RdmaClock::Schedule(int64_t time)
{
    m_event.Cancel();
    m_wake = time;
    m_event = Simulator::Schedule(std::max(GetDelay(time), Time(0)), &RdmaClock::Run, this);
}

void
RdmaClock::Run()
{
    const int64_t outside = GetOutside();
    const int64_t end =
        *m_network.GetWatch() || m_lookAhead == 0 ? outside : outside + m_lookAhead - 1;
    m_isRunning = true;
    const Entry* first = GetFirst();
    for (; first && first->time <= end; first = GetFirst())
    {
        const Entry entry = *first;
        Pop();
        m_now = entry.time;
        ++m_count;
        m_network.Happen(static_cast<Kind>(entry.kind), entry.index);
    }
    m_isRunning = false;
    if (first)
    {
        Schedule(first->time);
    }
}

void
RdmaClock::Stop()
{
    for (Slot& slot : m_slots)
    {
        slot = Slot();
    }
    m_filled = {};
    m_sorted = -1;
    m_later = {};
    m_event.Cancel();
}

} // namespace lightpath
} // namespace ns3
