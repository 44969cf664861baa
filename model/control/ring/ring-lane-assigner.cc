/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-lane-assigner.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace ns3
{
namespace lightpath
{

RingLaneAssigner::RingLaneAssigner(const RingProblem& problem, uint32_t direction)
    : m_problem(problem),
      m_direction(direction),
      m_table(problem)
{
}

uint64_t
RingLaneAssigner::Assign(const std::vector<uint32_t>& counts, uint64_t effort)
{
    m_counts = counts;
    m_units.clear();
    m_missing.clear();
    m_hasAttempt = false;
    Prepare();
    // The cut that fewest lanes pass is the best guess, and exact if none does
    const uint64_t end = m_table.GetWork() + effort;
    const auto fewest = std::min_element(m_through.begin(), m_through.end());
    OrderByCut(static_cast<uint32_t>(fewest - m_through.begin()));
    Attempt(Fit::LOWEST);
    const bool isAlike = m_problem.masks.size() == 2;
    if (m_missing.empty() || (*fewest == 0 && isAlike))
    {
        return m_missing.size();
    }
    Attempt(Fit::NEXT);
    if (!m_missing.empty())
    {
        OrderByLength();
        Attempt(Fit::LOWEST);
    }
    std::vector<uint32_t> cuts(m_problem.nodes);
    std::iota(cuts.begin(), cuts.end(), 0);
    std::stable_sort(cuts.begin(), cuts.end(), [this](uint32_t a, uint32_t b) {
        return m_through[a] < m_through[b];
    });
    for (std::size_t i = 1; i < cuts.size() && m_table.GetWork() < end && !m_missing.empty(); ++i)
    {
        OrderByCut(cuts[i]);
        Attempt(Fit::LOWEST);
        if (!m_missing.empty())
        {
            Attempt(Fit::NEXT);
        }
    }
    return m_missing.size();
}

const std::vector<RingUnit>&
RingLaneAssigner::GetUnits() const
{
    return m_units;
}

const std::vector<uint32_t>&
RingLaneAssigner::GetMissing() const
{
    return m_missing;
}

void
RingLaneAssigner::Prepare()
{
    const uint32_t nodes = m_problem.nodes;
    m_sweep.clear();
    // Lanes that pass a node, by the changes at the ends of arcs over two turns
    std::vector<int64_t> change(2 * nodes + 1, 0);
    for (uint32_t p = 0; p < m_counts.size(); ++p)
    {
        if (m_counts[p] > 0)
        {
            const RingArc& arc = m_problem.pairs[p].arcs[m_direction];
            m_sweep.push_back(p);
            change[arc.first + 1] += m_counts[p];
            change[arc.first + arc.hops] -= m_counts[p];
        }
    }
    m_through.assign(nodes, 0);
    int64_t through = 0;
    for (uint32_t node = 0; node < 2 * nodes; ++node)
    {
        through += change[node];
        m_through[node % nodes] += static_cast<uint64_t>(through);
    }
    std::sort(m_sweep.begin(), m_sweep.end(), [this](uint32_t a, uint32_t b) {
        const RingArc& ofA = m_problem.pairs[a].arcs[m_direction];
        const RingArc& ofB = m_problem.pairs[b].arcs[m_direction];
        return ofA.first != ofB.first ? ofA.first < ofB.first
               : ofA.hops != ofB.hops ? ofA.hops > ofB.hops
                                      : a < b;
    });
}

void
RingLaneAssigner::OrderByCut(uint32_t node)
{
    const auto begin = std::partition_point(m_sweep.begin(), m_sweep.end(), [&](uint32_t p) {
        return m_problem.pairs[p].arcs[m_direction].first < node;
    });
    std::vector<uint32_t> others;
    m_order.clear();
    const auto add = [&](uint32_t p) {
        const RingArc& arc = m_problem.pairs[p].arcs[m_direction];
        const uint32_t start = (arc.first + m_problem.nodes - node) % m_problem.nodes;
        (start + arc.hops > m_problem.nodes ? m_order : others).push_back(p);
    };
    // Of the arcs that pass the node, the first ones to start get the lowest lanes: a sweep that
    // takes the lowest lanes then prefers those that are free for the shortest while
    std::for_each(begin, m_sweep.end(), add);
    std::for_each(m_sweep.begin(), begin, add);
    m_order.insert(m_order.end(), others.begin(), others.end());
}

void
RingLaneAssigner::OrderByLength()
{
    m_order = m_sweep;
    std::stable_sort(m_order.begin(), m_order.end(), [this](uint32_t a, uint32_t b) {
        return m_problem.pairs[a].arcs[m_direction].hops >
               m_problem.pairs[b].arcs[m_direction].hops;
    });
}

void
RingLaneAssigner::Attempt(Fit fit)
{
    m_table.Clear();
    std::vector<RingUnit> units;
    units.reserve(std::accumulate(m_counts.begin(), m_counts.end(), std::size_t{0}));
    std::vector<uint32_t> missing;
    std::vector<uint32_t> lanes;
    uint32_t from = 0;
    for (const uint32_t p : m_order)
    {
        lanes.clear();
        const RingArc& arc = m_problem.pairs[p].arcs[m_direction];
        const uint32_t found = m_table.Take(arc, m_counts[p], from, lanes);
        for (const uint32_t lane : lanes)
        {
            units.push_back({p, m_direction, lane});
        }
        missing.insert(missing.end(), m_counts[p] - found, p);
        // No better than the attempt before: give up
        if (m_hasAttempt && missing.size() >= m_missing.size())
        {
            return;
        }
        if (fit == Fit::NEXT && found > 0)
        {
            from = (lanes.back() + 1) % m_problem.capacity;
        }
    }
    m_hasAttempt = true;
    m_units.swap(units);
    m_missing.swap(missing);
}

} // namespace lightpath
} // namespace ns3
