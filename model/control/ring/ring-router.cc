/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-router.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/// How many steps in a row may fail to find less overload than ever before.
constexpr uint32_t ROUTING_PATIENCE = 24;

/// The same with LoadOnly, where no later step repairs an overload.
constexpr uint32_t MOST_PATIENCE = 400;

/// Moves that may be compared in such steps in a row.
constexpr uint64_t ROUTING_EFFORT = 200000;

/// For how many steps lanes that were moved may not be moved back, at least.
constexpr uint32_t FREEZE = 8;

/// How many different numbers of steps there are, which keeps a search from going round in circles.
constexpr uint32_t FREEZES = 5;

} // namespace

RingRouter::RingRouter(const RingProblem& problem)
    : m_problem(problem),
      m_patience(ROUTING_PATIENCE)
{
    if (problem.isLoadOnly)
    {
        const uint64_t pairs = std::max<uint64_t>(problem.pairs.size(), 1);
        const uint64_t affordable = std::min<uint64_t>(ROUTING_EFFORT / pairs, MOST_PATIENCE);
        m_patience = std::max(ROUTING_PATIENCE, static_cast<uint32_t>(affordable));
    }
}

uint64_t
RingRouter::Route(const std::vector<uint32_t>& needs, Ties ties)
{
    Start(needs, ties);
    Improve();
    return GetExcess();
}

const RingRouter::Routing&
RingRouter::GetRouting() const
{
    return m_routing;
}

void
RingRouter::Start(const std::vector<uint32_t>& needs, Ties ties)
{
    Clear(needs.size());
    bool odd = false;
    for (uint32_t p = 0; p < needs.size(); ++p)
    {
        const std::array<RingArc, 2>& arcs = m_problem.pairs[p].arcs;
        uint32_t lanes = needs[p];
        uint32_t better = arcs[1].hops < arcs[0].hops;
        if (!arcs[0].usable || !arcs[1].usable)
        {
            better = !arcs[0].usable;
        }
        else if (arcs[0].hops == arcs[1].hops && ties == Ties::SPLIT)
        {
            // Odd lanes go one way and the other in turn
            lanes = needs[p] / 2 + (needs[p] % 2 == 1 && odd);
            odd = odd != (needs[p] % 2 == 1);
            better = 0;
        }
        else if (arcs[0].hops == arcs[1].hops)
        {
            std::array<int64_t, 2> load{};
            for (uint32_t d = 0; d < 2; ++d)
            {
                for (uint32_t hop = 0; hop < arcs[d].hops; ++hop)
                {
                    load[d] += m_over[d][(arcs[d].first + hop) % m_problem.nodes];
                }
            }
            better = load[1] < load[0];
        }
        Put(p, better, lanes, needs[p] - lanes);
    }
}

void
RingRouter::Clear(std::size_t pairs)
{
    for (uint32_t d = 0; d < 2; ++d)
    {
        m_routing[d].assign(pairs, 0);
        m_frozen[d].assign(pairs, 0);
        m_over[d].assign(m_problem.nodes, -static_cast<int64_t>(m_problem.room[d]));
    }
}

void
RingRouter::Put(uint32_t pair, uint32_t direction, uint32_t lanes, uint32_t others)
{
    const std::array<RingArc, 2>& arcs = m_problem.pairs[pair].arcs;
    // Neither arc takes more lanes than it has; the other one takes the rest
    const uint32_t need = lanes + others;
    const uint32_t most = arcs[!direction].lanes;
    lanes = std::min(std::max(lanes, need > most ? need - most : 0), arcs[direction].lanes);
    m_routing[direction][pair] = lanes;
    m_routing[!direction][pair] = need - lanes;
    Load(direction, arcs[direction], lanes);
    Load(!direction, arcs[!direction], need - lanes);
}

void
RingRouter::Improve()
{
    // A tabu search: each step takes the best move, even one that makes things worse, and the best
    // routing on the way is kept
    uint64_t least = GetExcess();
    Routing best = m_routing;
    uint32_t idle = 0;
    for (uint32_t step = 1; least > 0 && idle < m_patience; ++step)
    {
        SumUp();
        Move move;
        if (!FindMove(step, move))
        {
            break;
        }
        // The lanes may not go back for a while, of varying length, lest the search runs in circles
        Carry(move);
        m_frozen[!move.from][move.pair] = step + FREEZE + step % FREEZES;
        const uint64_t excess = GetExcess();
        ++idle;
        if (excess < least)
        {
            least = excess;
            best = m_routing;
            idle = 0;
        }
    }
    // Return to the best routing, and count its lanes anew
    if (least < GetExcess())
    {
        m_routing = best;
        for (uint32_t d = 0; d < 2; ++d)
        {
            m_over[d].assign(m_problem.nodes, -static_cast<int64_t>(m_problem.room[d]));
            for (uint32_t p = 0; p < m_problem.pairs.size(); ++p)
            {
                Load(d, m_problem.pairs[p].arcs[d], m_routing[d][p]);
            }
        }
    }
}

void
RingRouter::SumUp()
{
    // With an overload of x on a segment, one lane less lowers its square by 2x - 1, and one more
    // raises it by 2x + 1. Sums below each segment give the change along any arc at once.
    for (uint32_t d = 0; d < 2; ++d)
    {
        m_gains[d].assign(m_problem.nodes + 1, 0);
        m_costs[d].assign(m_problem.nodes + 1, 0);
        for (uint32_t segment = 0; segment < m_problem.nodes; ++segment)
        {
            const int64_t over = m_over[d][segment];
            m_gains[d][segment + 1] = m_gains[d][segment] + (over > 0 ? 2 * over - 1 : 0);
            m_costs[d][segment + 1] = m_costs[d][segment] + (over >= 0 ? 2 * over + 1 : 0);
        }
    }
}

int64_t
RingRouter::GetSum(const std::vector<int64_t>& sums, const RingArc& arc) const
{
    const uint32_t end = arc.first + arc.hops;
    if (end <= m_problem.nodes)
    {
        return sums[end] - sums[arc.first];
    }
    return sums[m_problem.nodes] - sums[arc.first] + sums[end - m_problem.nodes];
}

bool
RingRouter::FindMove(uint32_t step, Move& move) const
{
    bool found = false;
    for (uint32_t p = 0; p < m_problem.pairs.size(); ++p)
    {
        const std::array<RingArc, 2>& arcs = m_problem.pairs[p].arcs;
        if (!arcs[0].usable || !arcs[1].usable)
        {
            continue;
        }
        for (uint32_t from = 0; from < 2; ++from)
        {
            if (m_routing[from][p] == 0 || m_frozen[from][p] > step ||
                m_routing[!from][p] >= arcs[!from].lanes)
            {
                continue;
            }
            const int64_t gain = GetSum(m_gains[from], arcs[from]);
            // Only lanes that pass an overloaded segment are worth moving
            if (gain == 0)
            {
                continue;
            }
            const int64_t change = GetSum(m_costs[!from], arcs[!from]) - gain;
            if (!found || change < move.change)
            {
                found = true;
                move = {p, from, change};
            }
        }
    }
    return found;
}

void
RingRouter::Carry(const Move& move)
{
    uint32_t lanes = 1;
    const RingArc& other = m_problem.pairs[move.pair].arcs[!move.from];
    const uint32_t most =
        std::min(m_routing[move.from][move.pair], other.lanes - m_routing[!move.from][move.pair]);
    // Move twice as many lanes as long as that lowers the overload further
    int64_t change = move.change;
    while (2 * lanes <= most)
    {
        const int64_t ofMore = GetChange(move, 2 * lanes);
        if (ofMore >= change)
        {
            break;
        }
        change = ofMore;
        lanes *= 2;
    }
    const std::array<RingArc, 2>& arcs = m_problem.pairs[move.pair].arcs;
    m_routing[move.from][move.pair] -= lanes;
    m_routing[!move.from][move.pair] += lanes;
    Load(move.from, arcs[move.from], -static_cast<int64_t>(lanes));
    Load(!move.from, arcs[!move.from], lanes);
}

int64_t
RingRouter::GetChange(const Move& move, uint32_t lanes) const
{
    const std::array<RingArc, 2>& arcs = m_problem.pairs[move.pair].arcs;
    int64_t change = 0;
    for (uint32_t d = 0; d < 2; ++d)
    {
        const int64_t added = d == move.from ? -static_cast<int64_t>(lanes) : lanes;
        for (uint32_t hop = 0; hop < arcs[d].hops; ++hop)
        {
            const int64_t over = m_over[d][(arcs[d].first + hop) % m_problem.nodes];
            const int64_t before = std::max<int64_t>(over, 0);
            const int64_t after = std::max<int64_t>(over + added, 0);
            change += after * after - before * before;
        }
    }
    return change;
}

void
RingRouter::Load(uint32_t direction, const RingArc& arc, int64_t lanes)
{
    if (lanes == 0)
    {
        return;
    }
    uint32_t segment = arc.first;
    for (uint32_t hop = 0; hop < arc.hops; ++hop)
    {
        m_over[direction][segment] += lanes;
        segment = segment + 1 == m_problem.nodes ? 0 : segment + 1;
    }
}

uint64_t
RingRouter::GetExcess() const
{
    uint64_t excess = 0;
    for (const std::vector<int64_t>& overs : m_over)
    {
        for (const int64_t over : overs)
        {
            excess += static_cast<uint64_t>(std::max<int64_t>(over, 0));
        }
    }
    return excess;
}

} // namespace lightpath
} // namespace ns3
