/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-free-lanes.h"

namespace ns3
{
namespace lightpath
{

RingFreeLanes::RingFreeLanes(const RingProblem& problem)
    : m_problem(problem),
      m_tables{RingLaneTable(problem), RingLaneTable(problem)}
{
    for (uint32_t d = 0; d < 2 && problem.isLoadOnly; ++d)
    {
        m_left[d].assign(problem.nodes, problem.room[d]);
        m_added[d].assign(static_cast<std::size_t>(problem.nodes) * problem.capacity, 0);
    }
}

void
RingFreeLanes::Set(const RingUnit& unit)
{
    if (m_problem.isLoadOnly)
    {
        Count(unit);
    }
    else
    {
        m_tables[unit.direction].Set(m_problem.pairs[unit.pair].arcs[unit.direction], unit.lane);
    }
}

bool
RingFreeLanes::TakeOne(uint32_t pair, uint32_t most, std::vector<RingUnit>& units)
{
    const std::array<RingArc, 2>& arcs = m_problem.pairs[pair].arcs;
    const uint32_t shorter = arcs[1].hops < arcs[0].hops;
    for (const uint32_t d : {shorter, 1 - shorter})
    {
        if (arcs[d].usable && arcs[d].hops <= most && Take(pair, d, units))
        {
            return true;
        }
    }
    return false;
}

bool
RingFreeLanes::Take(uint32_t pair, uint32_t direction, std::vector<RingUnit>& units)
{
    const RingArc& arc = m_problem.pairs[pair].arcs[direction];
    if (!m_problem.isLoadOnly)
    {
        const uint32_t lane = m_tables[direction].TakeFirst(arc);
        if (lane != RingLaneTable::NONE)
        {
            units.push_back({pair, direction, lane});
        }
        return lane != RingLaneTable::NONE;
    }
    RingUnit unit{pair, direction, 0};
    while (unit.lane < m_problem.capacity &&
           (!m_problem.HasLane(arc, unit.lane) || IsAdded(unit) != 0))
    {
        ++unit.lane;
    }
    if (unit.lane == m_problem.capacity)
    {
        return false;
    }
    for (uint32_t hop = 0; hop < arc.hops; ++hop)
    {
        if (m_left[direction][(arc.first + hop) % m_problem.nodes] == 0)
        {
            return false;
        }
    }
    Count(unit);
    units.push_back(unit);
    return true;
}

void
RingFreeLanes::Count(const RingUnit& unit)
{
    const RingArc& arc = m_problem.pairs[unit.pair].arcs[unit.direction];
    for (uint32_t hop = 0; hop < arc.hops; ++hop)
    {
        --m_left[unit.direction][(arc.first + hop) % m_problem.nodes];
    }
    IsAdded(unit) = 1;
}

char&
RingFreeLanes::IsAdded(const RingUnit& unit)
{
    const std::size_t source = m_problem.pairs[unit.pair].ports.first;
    return m_added[unit.direction][source * m_problem.capacity + unit.lane];
}

} // namespace lightpath
} // namespace ns3
