/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "instant-queue.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{
namespace lightpath
{

InstantQueue::InstantQueue(Owner& owner)
    : m_owner(owner)
{
}

InstantQueue::~InstantQueue()
{
    for (Batch& batch : m_batches)
    {
        batch.event.Cancel();
    }
}

uint32_t
InstantQueue::FindOpen(int64_t tick)
{
    const auto [place, isNew] = m_open.try_emplace(tick, 0);
    if (!isNew)
    {
        return place->second;
    }
    if (m_free.empty())
    {
        m_free.push_back(static_cast<uint32_t>(m_batches.size()));
        m_batches.emplace_back();
    }
    const uint32_t index = m_free.back();
    m_free.pop_back();
    place->second = index;
    Batch& batch = m_batches[index];
    batch.tick = tick;
    batch.event =
        Simulator::Schedule(TimeStep(tick) - Simulator::Now(), &InstantQueue::Run, this, index);
    return index;
}

void
InstantQueue::Close(int64_t tick)
{
    m_open.erase(tick);
    Recent& recent = m_recent[tick & (RECENT - 1)];
    if (recent.tick == tick)
    {
        recent.tick = -1;
    }
}

void
InstantQueue::Run(uint32_t index)
{
    // Entries pushed for this instant from now on come behind all events scheduled for it
    const int64_t now = m_batches[index].tick;
    if (const auto open = m_open.find(now); open != m_open.end() && open->second == index)
    {
        Close(now);
    }
    std::vector<Entry> entries = std::exchange(m_batches[index].entries, {});
    for (const Entry& entry : entries)
    {
        m_owner.Happen(entry, now);
    }
    entries.clear();
    // The memory serves the next batch
    m_batches[index].entries.swap(entries);
    m_free.push_back(index);
}

} // namespace lightpath
} // namespace ns3
