/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "traffic-ledger.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

TrafficLedger::TrafficLedger(uint32_t ports)
    : m_rows(ports)
{
}

void
TrafficLedger::Add(uint32_t source, uint32_t destination, uint64_t bytes)
{
    Get(source, destination) += bytes;
}

void
TrafficLedger::Subtract(uint32_t source, uint32_t destination, uint64_t bytes)
{
    uint64_t& left = Get(source, destination);
    NS_ASSERT_MSG(bytes <= left,
                  "Port " << source << " hands over " << bytes << " bytes for port " << destination
                          << ", of which only " << left << " have been announced");
    left -= bytes;
}

void
TrafficLedger::SetUpdate(const void* owner, std::function<void()> update)
{
    m_updates.erase(std::remove_if(m_updates.begin(),
                                   m_updates.end(),
                                   [owner](const auto& entry) { return entry.first == owner; }),
                    m_updates.end());
    if (update)
    {
        m_updates.emplace_back(owner, std::move(update));
    }
}

void
TrafficLedger::AddTo(TrafficMatrix& demand) const
{
    for (const auto& entry : m_updates)
    {
        entry.second();
    }
    for (uint32_t source = 0; source < m_rows.size(); ++source)
    {
        for (const auto& [destination, bytes] : m_rows[source])
        {
            demand.Add(source, destination, bytes);
        }
    }
}

uint64_t&
TrafficLedger::Get(uint32_t source, uint32_t destination)
{
    TrafficMatrix::Row& row = m_rows[source];
    auto place =
        std::lower_bound(row.begin(), row.end(), TrafficMatrix::Row::value_type{destination, 0});
    if (place == row.end() || place->first != destination)
    {
        place = row.insert(place, {destination, 0});
    }
    return place->second;
}

} // namespace lightpath
} // namespace ns3
