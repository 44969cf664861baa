/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ordered-scheduler.h"

#include "ordered-arrival.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(OrderedScheduler);

TypeId
OrderedScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::OrderedScheduler")
                            .SetParent<Scheduler>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<OrderedScheduler>();
    return tid;
}

void
OrderedScheduler::Insert(const Event& event)
{
    m_heap.push_back({event, OrderedArrival::GetPlace(event.impl)});
    std::push_heap(m_heap.begin(), m_heap.end());
}

bool
OrderedScheduler::IsEmpty() const
{
    return m_heap.empty();
}

Scheduler::Event
OrderedScheduler::PeekNext() const
{
    return m_heap.front().event;
}

Scheduler::Event
OrderedScheduler::RemoveNext()
{
    std::pop_heap(m_heap.begin(), m_heap.end());
    const Entry next = m_heap.back();
    m_heap.pop_back();
    const auto& key = next.event.key;
    if (key.m_ts != m_instant)
    {
        m_instant = key.m_ts;
        m_latest = 0;
    }
    if (next.place > 0 && key.m_uid < m_latest)
    {
        static_cast<OrderedArrival*>(next.event.impl)->Delay();
    }
    m_latest = std::max(m_latest, key.m_uid);
    return next.event;
}

void
OrderedScheduler::Remove(const Event& event)
{
    const auto found = std::find_if(m_heap.begin(), m_heap.end(), [&event](const Entry& entry) {
        return entry.event.key.m_uid == event.key.m_uid;
    });
    NS_ASSERT(found != m_heap.end());
    m_heap.erase(found);
    std::make_heap(m_heap.begin(), m_heap.end());
}

} // namespace lightpath
} // namespace ns3
