/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-source-lanes.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

RingSourceLanes::RingSourceLanes(const RingProblem& problem)
    : m_problem(problem)
{
}

void
RingSourceLanes::Restart(uint32_t direction)
{
    m_direction = direction;
    m_owners.assign(static_cast<std::size_t>(m_problem.nodes) * m_problem.capacity, NONE);
    m_next.assign(m_problem.nodes, 0);
}

uint32_t&
RingSourceLanes::GetOwner(uint32_t pair, uint32_t lane)
{
    const std::size_t source = m_problem.pairs[pair].ports.first;
    return m_owners[source * m_problem.capacity + lane];
}

bool
RingSourceLanes::Add(uint32_t pair)
{
    const RingArc& arc = m_problem.pairs[pair].arcs[m_direction];
    uint32_t& next = m_next[m_problem.pairs[pair].ports.first];
    while (next < m_problem.capacity && GetOwner(pair, next) != NONE)
    {
        ++next;
    }
    for (uint32_t lane = next; lane < m_problem.capacity; ++lane)
    {
        if (m_problem.HasLane(arc, lane) && GetOwner(pair, lane) == NONE)
        {
            GetOwner(pair, lane) = pair;
            return true;
        }
    }
    // All lanes that the pair may have are taken: an augmenting path lets other pairs of the source
    // move to different lanes
    m_visited.assign(m_problem.capacity, 0);
    return Exchange(pair);
}

bool
RingSourceLanes::Exchange(uint32_t pair)
{
    const RingArc& arc = m_problem.pairs[pair].arcs[m_direction];
    for (uint32_t lane = 0; lane < m_problem.capacity; ++lane)
    {
        if (m_visited[lane] || !m_problem.HasLane(arc, lane))
        {
            continue;
        }
        m_visited[lane] = 1;
        const uint32_t owner = GetOwner(pair, lane);
        if (owner == NONE || Exchange(owner))
        {
            GetOwner(pair, lane) = pair;
            return true;
        }
    }
    return false;
}

void
RingSourceLanes::AppendUnits(std::vector<RingUnit>& units) const
{
    const auto first = static_cast<std::ptrdiff_t>(units.size());
    for (std::size_t i = 0; i < m_owners.size(); ++i)
    {
        if (m_owners[i] != NONE)
        {
            const auto lane = static_cast<uint32_t>(i % m_problem.capacity);
            units.push_back({m_owners[i], m_direction, lane});
        }
    }
    std::sort(units.begin() + first, units.end());
}

} // namespace lightpath
} // namespace ns3
