/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "allocation-memory.h"

namespace ns3
{
namespace lightpath
{

AllocationMemory::AllocationMemory(uint64_t size)
    : m_mostSize(size)
{
}

const CircuitAllocation*
AllocationMemory::Find(const TrafficMatrix& demand) const
{
    uint64_t pairs = 0;
    const auto found = m_entries.find(GetKey(demand, pairs));
    const bool isKept = found != m_entries.end() && found->second.demand == demand;
    return isKept ? &found->second.allocation : nullptr;
}

void
AllocationMemory::Add(const TrafficMatrix& demand, const CircuitAllocation& allocation)
{
    uint64_t pairs = 0;
    const uint64_t key = GetKey(demand, pairs);
    const uint64_t size = pairs + allocation.plan.GetNLanes();
    if (size > m_mostSize || !m_entries.emplace(key, Entry{demand, allocation, size}).second)
    {
        return;
    }
    m_order.push_back(key);
    m_size += size;
    while (m_size > m_mostSize)
    {
        const auto oldest = m_entries.find(m_order.front());
        m_size -= oldest->second.size;
        m_entries.erase(oldest);
        m_order.pop_front();
    }
}

void
AllocationMemory::Clear()
{
    m_size = 0;
    m_order.clear();
    m_entries.clear();
}

uint64_t
AllocationMemory::GetKey(const TrafficMatrix& demand, uint64_t& pairs)
{
    // Multiplication by an odd number, and the upper half upon the lower
    constexpr uint64_t FACTOR = 0x9e3779b97f4a7c15;
    uint64_t key = demand.GetSize();
    const auto mix = [&key](uint64_t value) {
        key = (key ^ value) * FACTOR;
        key ^= key >> 32;
    };
    pairs = 0;
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            mix(uint64_t{source} << 32 | destination);
            mix(bytes);
            ++pairs;
        }
    }
    return key;
}

} // namespace lightpath
} // namespace ns3
