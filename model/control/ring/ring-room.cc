/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-room.h"

namespace ns3
{
namespace lightpath
{

RingRoom::RingRoom(const RingProblem& problem)
    : m_problem(problem),
      m_tables{RingLaneTable(problem), RingLaneTable(problem)}
{
    for (uint32_t d = 0; d < 2 && problem.isLoadOnly; ++d)
    {
        m_free[d].assign(problem.nodes, problem.room[d]);
        m_added[d].assign(static_cast<std::size_t>(problem.nodes) * problem.capacity, 0);
    }
}

void
RingRoom::Set(const RingUnit& unit)
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
RingRoom::TakeOne(uint32_t pair, uint32_t most, std::vector<RingUnit>& units)
{
    const std::array<RingArc, 2>& arcs = m_problem.pairs[pair].arcs;
    const uint32_t shorter = arcs[1].hops < arcs[0].hops;
    for (const uint32_t d : {shorter, 1 - shorter})
    {
        uint32_t lane = 0;
        if (arcs[d].usable && arcs[d].hops <= most && Take(pair, d, lane))
        {
            units.push_back({pair, d, lane});
            return true;
        }
    }
    return false;
}

bool
RingRoom::Take(uint32_t pair, uint32_t direction, uint32_t& lane)
{
    const RingArc& arc = m_problem.pairs[pair].arcs[direction];
    if (!m_problem.isLoadOnly)
    {
        m_lanes.clear();
        const bool found = m_tables[direction].Take(arc, 1, 0, m_lanes) > 0;
        lane = found ? m_lanes[0] : 0;
        return found;
    }
    lane = 0;
    while (lane < m_problem.capacity &&
           (!m_problem.HasLane(arc, lane) || IsAdded(pair, direction, lane)))
    {
        ++lane;
    }
    if (lane == m_problem.capacity)
    {
        return false;
    }
    for (uint32_t hop = 0; hop < arc.hops; ++hop)
    {
        if (m_free[direction][(arc.first + hop) % m_problem.nodes] == 0)
        {
            return false;
        }
    }
    Count({pair, direction, lane});
    return true;
}

void
RingRoom::Count(const RingUnit& unit)
{
    const RingArc& arc = m_problem.pairs[unit.pair].arcs[unit.direction];
    for (uint32_t hop = 0; hop < arc.hops; ++hop)
    {
        --m_free[unit.direction][(arc.first + hop) % m_problem.nodes];
    }
    IsAdded(unit.pair, unit.direction, unit.lane) = 1;
}

char&
RingRoom::IsAdded(uint32_t pair, uint32_t direction, uint32_t lane)
{
    const std::size_t source = m_problem.pairs[pair].ports.first;
    return m_added[direction][source * m_problem.capacity + lane];
}

} // namespace lightpath
} // namespace ns3
