/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-relaxation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Entries of a tableau below this are taken for zero.
constexpr double ZERO = 1e-9;

/// The share of its lanes by which the load of a row is shifted, so that no two are equal.
constexpr double SHIFT = 1e-8;

/// The number of tableaus that must be affordable for a program to be begun.
constexpr uint64_t LEAST_STEPS = 16;

} // namespace

RingRelaxation::RingRelaxation(const RingProblem& problem)
    : m_problem(problem)
{
    SetUp();
}

void
RingRelaxation::SetUp()
{
    for (uint32_t p = 0; p < m_problem.pairs.size(); ++p)
    {
        const std::array<RingArc, 2>& arcs = m_problem.pairs[p].arcs;
        if (arcs[0].usable && arcs[1].usable)
        {
            m_flexible.push_back(p);
        }
    }
    for (uint32_t d = 0; d < 2; ++d)
    {
        AddSegments(d);
        for (const uint32_t p : m_flexible)
        {
            const uint32_t lanes = m_problem.pairs[p].arcs[d].lanes;
            if (lanes < m_problem.room[d])
            {
                const uint32_t none = m_problem.nodes;
                m_rows.push_back({d, none, none, p, static_cast<double>(lanes), none});
            }
        }
    }
}

void
RingRelaxation::AddSegments(uint32_t direction)
{
    const uint32_t nodes = m_problem.nodes;
    std::vector<char> isEnd(nodes, 0);
    for (const uint32_t p : m_flexible)
    {
        const RingArc& arc = m_problem.pairs[p].arcs[direction];
        isEnd[arc.first] = 1;
        isEnd[(arc.first + arc.hops) % nodes] = 1;
    }
    bool isNext = false;
    for (uint32_t segment = 0; segment < nodes; ++segment)
    {
        if (m_problem.room[direction] == 0 || !m_problem.inUse[direction][segment])
        {
            isNext = false;
            continue;
        }
        if (!isNext || isEnd[segment])
        {
            const auto room = static_cast<double>(m_problem.room[direction]);
            m_rows.push_back({direction, segment, segment, 0, room, segment});
        }
        m_rows.back().end = segment + 1;
        isNext = true;
    }
}

bool
RingRelaxation::FindPrices(const std::vector<uint64_t>& needs, uint64_t& effort, Prices& prices)
{
    const uint64_t size = uint64_t{m_rows.size()} * (m_flexible.size() + 1);
    if (m_rows.empty() || size * LEAST_STEPS > effort)
    {
        return false;
    }
    Start(needs);
    effort -= size;
    std::size_t column = 0;
    m_isOptimal = !FindColumn(column);
    while (effort > size && !m_isOptimal)
    {
        Change(column, effort);
        m_isOptimal = !FindColumn(column);
    }
    // A slack out of the basis marks a full segment: its entry in the row of the objective says by
    // how much a lane more there would lower the load, which is the price of the lane
    for (std::vector<double>& ofDirection : prices)
    {
        ofDirection.assign(m_problem.nodes, 0);
    }
    for (column = 0; column < m_others.size(); ++column)
    {
        if (m_others[column] >= m_flexible.size())
        {
            const Row& row = m_rows[m_others[column] - m_flexible.size()];
            if (row.first < row.end)
            {
                prices[row.direction][row.segment] = std::max(0.0, -GetEntries(m_fullest)[column]);
            }
        }
    }
    return true;
}

bool
RingRelaxation::IsOptimal() const
{
    return m_isOptimal;
}

std::vector<double>
RingRelaxation::GetSplit() const
{
    // Variables out of the basis are at one of their bounds, those of the basis have a value
    std::vector<double> clockwise(m_problem.pairs.size(), 0);
    for (std::size_t i = 0; i < m_flexible.size(); ++i)
    {
        clockwise[m_flexible[i]] = m_isUpper[i] ? m_uppers[i] : 0;
    }
    for (std::size_t r = 0; r < m_rows.size(); ++r)
    {
        if (m_basis[r] < m_flexible.size())
        {
            clockwise[m_flexible[m_basis[r]]] = m_values[r];
        }
    }
    return clockwise;
}

bool
RingRelaxation::Uses(const Row& row, uint32_t pair, uint32_t direction) const
{
    if (row.direction != direction)
    {
        return false;
    }
    if (row.first == row.end)
    {
        return row.pair == pair;
    }
    const RingArc& arc = m_problem.pairs[pair].arcs[direction];
    // Without a division, as each entry of a tableau asks
    const uint32_t turn = row.first < arc.first ? m_problem.nodes : 0;
    return row.first + turn - arc.first < arc.hops;
}

void
RingRelaxation::Start(const std::vector<uint64_t>& needs)
{
    m_uppers.clear();
    m_isUpper.assign(m_flexible.size() + m_rows.size(), 0);
    for (std::size_t i = 0; i < m_flexible.size(); ++i)
    {
        const std::array<RingArc, 2>& arcs = m_problem.pairs[m_flexible[i]].arcs;
        m_uppers.push_back(static_cast<double>(needs[m_flexible[i]]));
        m_isUpper[i] = arcs[0].hops <= arcs[1].hops;
    }
    std::vector<std::array<double, 2>> used(needs.size());
    for (std::size_t p = 0; p < needs.size(); ++p)
    {
        used[p][!m_problem.pairs[p].arcs[0].usable] = static_cast<double>(needs[p]);
    }
    for (std::size_t i = 0; i < m_flexible.size(); ++i)
    {
        used[m_flexible[i]] = {m_isUpper[i] ? m_uppers[i] : 0, m_isUpper[i] ? 0 : m_uppers[i]};
    }
    // The load of each row, and the row that is fullest relative to its lanes
    const Prices loads = GetLoads(used);
    m_values.assign(m_rows.size(), 0);
    m_fullest = 0;
    for (std::size_t r = 0; r < m_rows.size(); ++r)
    {
        Row& row = m_rows[r];
        const std::vector<double>& ofSegments = loads[row.direction];
        const auto fullest =
            std::max_element(ofSegments.begin() + row.first, ofSegments.begin() + row.end);
        row.segment = static_cast<uint32_t>(fullest - ofSegments.begin());
        m_values[r] = row.first < row.end ? *fullest : used[row.pair][row.direction];
        if (m_values[r] * m_rows[m_fullest].room > m_values[m_fullest] * row.room)
        {
            m_fullest = r;
        }
    }
    const double most = m_values[m_fullest] / m_rows[m_fullest].room;
    for (std::size_t r = 0; r < m_rows.size(); ++r)
    {
        // Multiples of the golden ratio, which are spread evenly
        const double shift = std::fmod(0.6180339887 * static_cast<double>(r + 1), 1.0);
        m_values[r] += (r == m_fullest ? 1 : shift) * SHIFT * most * m_rows[r].room;
    }
    Fill();
}

RingRelaxation::Prices
RingRelaxation::GetLoads(const std::vector<std::array<double, 2>>& used) const
{
    Prices loads;
    for (uint32_t d = 0; d < 2; ++d)
    {
        // Each arc adds its lanes at its first segment and removes them behind its last, over two
        // turns of the ring
        std::vector<double> changes(2 * m_problem.nodes + 1, 0);
        for (std::size_t p = 0; p < used.size(); ++p)
        {
            const RingArc& arc = m_problem.pairs[p].arcs[d];
            changes[arc.first] += used[p][d];
            changes[arc.first + arc.hops] -= used[p][d];
        }
        loads[d].assign(m_problem.nodes, 0);
        double load = 0;
        for (uint32_t segment = 0; segment < 2 * m_problem.nodes; ++segment)
        {
            load += changes[segment];
            loads[d][segment % m_problem.nodes] += load;
        }
    }
    return loads;
}

void
RingRelaxation::Fill()
{
    // The columns are the pairs and, as the last one, the slack of the fullest row. A lane more
    // clockwise loads the rows of the clockwise arc (+1) and relieves those of the other (-1).
    const std::size_t columns = m_flexible.size() + 1;
    m_entries.assign(m_rows.size() * columns, 0);
    m_basis.resize(m_rows.size());
    m_others.resize(columns);
    const auto sign = [this](const Row& row, std::size_t column) {
        const bool uses = Uses(row, m_flexible[column], row.direction);
        return !uses ? 0.0 : row.direction == 0 ? 1.0 : -1.0;
    };
    // The fullest row, solved for the relative load t, is the objective
    const Row& fullest = m_rows[m_fullest];
    double* const ofFullest = GetEntries(m_fullest);
    for (std::size_t column = 0; column + 1 < columns; ++column)
    {
        m_others[column] = static_cast<uint32_t>(column);
        ofFullest[column] = -sign(fullest, column) / fullest.room;
    }
    m_others[columns - 1] = static_cast<uint32_t>(m_flexible.size() + m_fullest);
    ofFullest[columns - 1] = -1 / fullest.room;
    m_values[m_fullest] /= fullest.room;
    m_basis[m_fullest] = FULLEST;
    for (std::size_t r = 0; r < m_rows.size(); ++r)
    {
        if (r == m_fullest)
        {
            continue;
        }
        // Any other row has the lanes room x t: insert t as the fullest row gives it
        const double room = m_rows[r].room;
        double* const entries = GetEntries(r);
        for (std::size_t column = 0; column + 1 < columns; ++column)
        {
            entries[column] = sign(m_rows[r], column) + room * ofFullest[column];
        }
        entries[columns - 1] = room * ofFullest[columns - 1];
        m_values[r] = room * m_values[m_fullest] - m_values[r];
        m_basis[r] = static_cast<uint32_t>(m_flexible.size() + r);
    }
}

bool
RingRelaxation::FindColumn(std::size_t& column) const
{
    // A variable at its lower bound may rise, one at its upper bound may fall
    const double* const entries = &m_entries[m_fullest * m_others.size()];
    double best = ZERO / m_rows[m_fullest].room;
    bool found = false;
    for (std::size_t other = 0; other < m_others.size(); ++other)
    {
        const double fall = m_isUpper[m_others[other]] ? -entries[other] : entries[other];
        if (fall > best)
        {
            best = fall;
            column = other;
            found = true;
        }
    }
    return found;
}

void
RingRelaxation::Change(std::size_t column, uint64_t& effort)
{
    const uint32_t entering = m_others[column];
    const double sign = m_isUpper[entering] ? -1 : 1;
    double step = GetUpper(entering);
    // The first bound that is reached limits the step: that of the variable itself, or that of a
    // basic one. Of several, the largest pivot is the most accurate.
    double pivot = 0;
    std::size_t leaving = m_rows.size();
    bool leavesAbove = false;
    for (std::size_t r = 0; r < m_rows.size(); ++r)
    {
        const double fall = sign * GetEntries(r)[column];
        if (r == m_fullest || std::abs(fall) < ZERO)
        {
            continue;
        }
        const double room = fall > 0 ? m_values[r] : GetUpper(m_basis[r]) - m_values[r];
        const double limit = std::max(room, 0.0) / std::abs(fall);
        if (limit < step || (limit == step && std::abs(fall) > pivot))
        {
            step = limit;
            pivot = std::abs(fall);
            leaving = r;
            leavesAbove = fall < 0;
        }
    }
    for (std::size_t r = 0; r < m_rows.size(); ++r)
    {
        m_values[r] -= sign * step * GetEntries(r)[column];
    }
    effort -= std::min<uint64_t>(effort, m_rows.size() + m_others.size());
    if (leaving == m_rows.size())
    {
        // The variable itself has reached its other bound, and the basis stays
        m_isUpper[entering] = !m_isUpper[entering];
        return;
    }
    m_values[leaving] = (sign < 0 ? GetUpper(entering) : 0) + sign * step;
    m_isUpper[m_basis[leaving]] = leavesAbove;
    m_isUpper[entering] = 0;
    effort -= std::min(effort, Exchange(leaving, column));
}

uint64_t
RingRelaxation::Exchange(std::size_t row, std::size_t column)
{
    const std::size_t columns = m_others.size();
    double* const entries = GetEntries(row);
    const double pivot = entries[column];
    entries[column] = 1;
    for (std::size_t other = 0; other < columns; ++other)
    {
        entries[other] /= pivot;
    }
    // Eliminate the variable that enters the basis from all other rows
    uint64_t work = columns;
    for (std::size_t r = 0; r < m_rows.size(); ++r)
    {
        double* const target = GetEntries(r);
        const double factor = target[column];
        if (r == row || factor == 0)
        {
            continue;
        }
        target[column] = 0;
        for (std::size_t other = 0; other < columns; ++other)
        {
            target[other] -= factor * entries[other];
        }
        work += columns;
    }
    std::swap(m_basis[row], m_others[column]);
    return work;
}

double
RingRelaxation::GetUpper(uint32_t variable) const
{
    return variable < m_uppers.size() ? m_uppers[variable]
                                      : std::numeric_limits<double>::infinity();
}

double*
RingRelaxation::GetEntries(std::size_t row)
{
    return &m_entries[row * m_others.size()];
}

} // namespace lightpath
} // namespace ns3
