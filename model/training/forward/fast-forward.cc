/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fast-forward.h"

#include "ns3/training-job.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

FastForward::FastForward(TrainingJob& job)
    : m_job(job),
      m_byRank(job.GetRanks().size())
{
}

RingForward*
FastForward::Get(const RankGroups& groups, uint32_t rank, uint32_t nRings)
{
    const std::vector<uint32_t>& members = groups.GetMembers(rank);
    const auto [entry, isNew] = m_byGroup.try_emplace({nRings, &members}, nullptr);
    RingForward*& known = entry->second;
    const auto shares = [&](uint32_t member) { return &groups.GetMembers(member) == &members; };
    if (isNew && std::all_of(members.begin(), members.end(), shares))
    {
        auto& ring = m_rings[{nRings, members}];
        if (!ring)
        {
            ring = std::make_unique<RingForward>(m_job, members, nRings);
            for (uint32_t position = 0; position < members.size(); ++position)
            {
                m_byRank[members[position]].emplace_back(ring.get(), position);
            }
        }
        known = ring.get();
    }
    return known;
}

uint64_t
FastForward::GetReceived(uint32_t rank) const
{
    uint64_t received = 0;
    for (const auto& [ring, position] : m_byRank[rank])
    {
        received += ring->GetReceived(position);
    }
    return received;
}

void
FastForward::Subtract()
{
    for (const auto& entry : m_rings)
    {
        entry.second->Subtract();
    }
}

void
FastForward::GiveBack()
{
    for (const auto& entry : m_rings)
    {
        entry.second->GiveBackAll();
    }
}

} // namespace lightpath
} // namespace ns3
