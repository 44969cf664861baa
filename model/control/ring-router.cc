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
constexpr uint32_t PATIENCE = 24;

/// For how many steps lanes that were moved may not be moved back.
constexpr uint32_t FREEZE = 8;

} // namespace

RingRouter::RingRouter(const RingProblem& problem)
    : m_problem(problem)
{
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
    for (uint32_t d = 0; d < 2; ++d)
    {
        m_routing[d].assign(needs.size(), 0);
        m_frozen[d].assign(needs.size(), 0);
        m_over[d].assign(m_problem.nodes, -static_cast<int64_t>(m_problem.capacity));
    }
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
        if (arcs[!better].usable)
        {
            lanes = std::min(lanes, m_problem.capacity);
        }
        m_routing[better][p] = lanes;
        m_routing[!better][p] = needs[p] - lanes;
        Load(better, arcs[better], lanes);
        Load(!better, arcs[!better], needs[p] - lanes);
    }
}

void
RingRouter::Improve()
{
    uint64_t least = GetExcess();
    Routing best = m_routing;
    uint32_t idle = 0;
    for (uint32_t step = 1; least > 0 && idle < PATIENCE; ++step)
    {
        SumUp();
        Move move;
        if (!FindMove(step, move))
        {
            break;
        }
        Carry(move);
        m_frozen[!move.from][move.pair] = step + FREEZE;
        const uint64_t excess = GetExcess();
        ++idle;
        if (excess < least)
        {
            least = excess;
            best = m_routing;
            idle = 0;
        }
    }
    if (least < GetExcess())
    {
        m_routing = best;
        for (uint32_t d = 0; d < 2; ++d)
        {
            m_over[d].assign(m_problem.nodes, -static_cast<int64_t>(m_problem.capacity));
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
            if (m_routing[from][p] == 0 || m_frozen[from][p] > step)
            {
                continue;
            }
            const int64_t gain = GetSum(m_gains[from], arcs[from]);
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
    const uint32_t most = m_routing[move.from][move.pair];
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
