/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-lane-exchange.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The part of the effort after which a search that leaves no fewer lanes out is given up.
constexpr uint64_t EXCHANGE_PATIENCE = 4;

} // namespace

RingLaneExchange::RingLaneExchange(const RingProblem& problem)
    : m_problem(problem)
{
}

bool
RingLaneExchange::Complete(std::vector<RingUnit>& units,
                           const std::vector<uint32_t>& missing,
                           uint64_t effort)
{
    const std::size_t lanes = std::size_t{2} * m_problem.capacity;
    for (std::vector<uint32_t>& owner : m_owner)
    {
        owner.assign(static_cast<std::size_t>(m_problem.nodes) * m_problem.capacity, NOBODY);
    }
    m_frozen.assign(m_problem.pairs.size() * lanes, 0);
    m_has.assign(m_problem.pairs.size() * lanes, 0);
    m_missing = missing;
    m_work = 0;
    m_state = 1;
    for (const RingUnit& unit : units)
    {
        Mark(unit, unit.pair);
        m_has[GetIndex(unit)] = 1;
    }
    // Each step places one missing lane. The search ends when none is missing, or when a quarter of
    // the effort has brought no progress.
    std::size_t fewest = m_missing.size();
    uint64_t end = effort / EXCHANGE_PATIENCE;
    for (m_step = 1; !m_missing.empty(); ++m_step)
    {
        Candidate candidate;
        if (m_missing.size() < fewest)
        {
            fewest = m_missing.size();
            end = std::min(effort, m_work + effort / EXCHANGE_PATIENCE);
        }
        if (++m_work > end)
        {
            return false;
        }
        if (FindCandidate(candidate))
        {
            Apply(candidate);
        }
    }
    units.clear();
    // By memchr(), as there are many units, of which few are assigned
    const char* const begin = m_has.data();
    const char* const last = begin + m_has.size();
    const auto find = [last](const char* from) {
        const auto left = static_cast<std::size_t>(last - from);
        return static_cast<const char*>(std::memchr(from, 1, left));
    };
    for (const char* unit = find(begin); unit; unit = unit + 1 < last ? find(unit + 1) : nullptr)
    {
        const auto index = static_cast<std::size_t>(unit - begin);
        const auto lane = static_cast<uint32_t>(index % lanes);
        units.push_back({static_cast<uint32_t>(index / lanes),
                         lane / m_problem.capacity,
                         lane % m_problem.capacity});
    }
    return true;
}

std::size_t
RingLaneExchange::GetIndex(const RingUnit& unit) const
{
    return (std::size_t{2} * unit.pair + unit.direction) * m_problem.capacity + unit.lane;
}

uint32_t*
RingLaneExchange::GetOwners(uint32_t direction, uint32_t lane)
{
    return &m_owner[direction][static_cast<std::size_t>(lane) * m_problem.nodes];
}

bool
RingLaneExchange::FindCandidate(Candidate& best)
{
    best.cost = std::numeric_limits<uint64_t>::max();
    uint32_t ties = 0;
    for (std::size_t i = 0; i < m_missing.size(); ++i)
    {
        if (std::find(m_missing.begin(), m_missing.begin() + i, m_missing[i]) !=
            m_missing.begin() + i)
        {
            continue;
        }
        for (uint32_t lane = 0; lane < 2 * m_problem.capacity; ++lane)
        {
            const RingUnit unit{m_missing[i], lane / m_problem.capacity, lane % m_problem.capacity};
            const RingArc& arc = m_problem.pairs[unit.pair].arcs[unit.direction];
            if (!arc.usable || !m_problem.HasLane(arc, unit.lane) || m_has[GetIndex(unit)])
            {
                continue;
            }
            // A free place may always be taken, one that displaces others not if it is frozen; of
            // equal ones each has the same chance
            const uint64_t cost = GetCost(unit, best.cost);
            if (cost > best.cost || (cost > 0 && m_frozen[GetIndex(unit)] > m_step))
            {
                continue;
            }
            ties = cost < best.cost ? 1 : ties + 1;
            if (ties == 1 || Draw() % ties == 0)
            {
                best = {i, unit, cost};
            }
        }
    }
    return ties > 0;
}

uint64_t
RingLaneExchange::GetCost(const RingUnit& unit, uint64_t limit)
{
    const uint32_t nodes = m_problem.nodes;
    const uint32_t* const owners = GetOwners(unit.direction, unit.lane);
    const RingArc& arc = m_problem.pairs[unit.pair].arcs[unit.direction];
    uint64_t cost = 0;
    uint32_t segment = arc.first;
    uint32_t hop = 0;
    while (hop < arc.hops && cost <= limit)
    {
        uint32_t step = 1;
        if (owners[segment] != NOBODY)
        {
            // Go on behind the arc of the owner
            const RingArc& other = m_problem.pairs[owners[segment]].arcs[unit.direction];
            const uint32_t into = (segment + nodes - other.first) % nodes;
            cost += other.hops;
            step = other.hops - into;
        }
        hop += step;
        segment += step;
        segment -= segment >= nodes ? nodes : 0;
        ++m_work;
    }
    return cost;
}

void
RingLaneExchange::Mark(const RingUnit& unit, uint32_t owner)
{
    uint32_t* const owners = GetOwners(unit.direction, unit.lane);
    const RingArc& arc = m_problem.pairs[unit.pair].arcs[unit.direction];
    for (uint32_t hop = 0; hop < arc.hops; ++hop)
    {
        owners[(arc.first + hop) % m_problem.nodes] = owner;
    }
}

void
RingLaneExchange::Apply(const Candidate& candidate)
{
    const RingUnit& unit = candidate.unit;
    m_missing.erase(m_missing.begin() + static_cast<std::ptrdiff_t>(candidate.missing));
    const uint32_t* const owners = GetOwners(unit.direction, unit.lane);
    const RingArc& arc = m_problem.pairs[unit.pair].arcs[unit.direction];
    for (uint32_t hop = 0; hop < arc.hops; ++hop)
    {
        const uint32_t owner = owners[(arc.first + hop) % m_problem.nodes];
        // Displace the owner from its whole arc
        if (owner != NOBODY)
        {
            const RingUnit out{owner, unit.direction, unit.lane};
            Mark(out, NOBODY);
            m_has[GetIndex(out)] = 0;
            m_missing.push_back(owner);
            m_frozen[GetIndex(out)] =
                m_step + 2 + Draw() % 4 + static_cast<uint32_t>(m_missing.size());
        }
    }
    Mark(unit, unit.pair);
    m_has[GetIndex(unit)] = 1;
    m_work += arc.hops;
}

uint32_t
RingLaneExchange::Draw()
{
    // Numerical Recipes' linear congruential generator, of which the upper bits are used
    m_state = m_state * 1664525U + 1013904223U;
    return m_state >> 16;
}

} // namespace lightpath
} // namespace ns3
