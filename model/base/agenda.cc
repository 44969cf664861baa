/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "agenda.h"

#include "ns3/assert.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ns3
{
namespace lightpath
{

int64_t
Agenda::GetTicks(double seconds)
{
    return std::llround(seconds * static_cast<double>(Seconds(1).GetTimeStep()));
}

PrivateAgenda::~PrivateAgenda()
{
    for (const Entry& entry : m_events)
    {
        entry.event->Unref();
    }
}

void
PrivateAgenda::Add(int64_t tick, const Ptr<EventImpl>& event, uint32_t /* node */)
{
    NS_ASSERT_MSG(tick >= m_now, "tick " << tick << " is before the present one, " << m_now);
    event->Ref();
    m_events.push_back({tick, m_nEvents++, PeekPointer(event)});
    std::push_heap(m_events.begin(), m_events.end(), std::greater<>());
}

EventImpl*
PrivateAgenda::Pop()
{
    std::pop_heap(m_events.begin(), m_events.end(), std::greater<>());
    EventImpl* const event = m_events.back().event;
    m_events.pop_back();
    return event;
}

int64_t
PrivateAgenda::GetNext()
{
    // Skip cancelled events
    while (!m_events.empty() && m_events.front().event->IsCancelled())
    {
        Pop()->Unref();
    }
    return m_events.empty() ? INT64_MAX : m_events.front().tick;
}

void
PrivateAgenda::Happen()
{
    m_now = GetNext();
    NS_ASSERT_MSG(!m_events.empty(), "nothing is to happen");
    const Ptr<EventImpl> event(Pop(), false);
    event->Invoke();
}

} // namespace lightpath
} // namespace ns3
