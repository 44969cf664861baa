/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-max-min-search.h"

#include "ring-free-lanes.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Shares above the first one refused that are tried, because a refusal is no proof.
constexpr uint32_t SCAN_COST = 1;

/**
 * @brief A pair that takes lanes, and its share so far.
 */
struct Taker
{
    FairShare share;  //!< Its share
    uint32_t pair{0}; //!< Index of the pair

    /**
     * @param other the pair compared with
     * @return true if this one takes a lane later
     */
    bool operator<(const Taker& other) const
    {
        return other.share < share || (!(share < other.share) && other.pair < pair);
    }
};

/**
 * Sort lanes by pair, direction and lane.
 *
 * @param units the lanes
 * @param nPairs the number of pairs
 */
void
Sort(std::vector<RingUnit>& units, std::size_t nPairs)
{
    std::vector<std::size_t> begins(nPairs + 1, 0);
    for (const RingUnit& unit : units)
    {
        ++begins[unit.pair + 1];
    }
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<RingUnit> sorted(units.size());
    std::vector<std::size_t> ends = begins;
    for (const RingUnit& unit : units)
    {
        sorted[ends[unit.pair]++] = unit;
    }
    for (std::size_t pair = 0; pair < nPairs; ++pair)
    {
        const auto begin = sorted.begin() + static_cast<std::ptrdiff_t>(begins[pair]);
        const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(ends[pair]);
        if (!std::is_sorted(begin, end))
        {
            std::sort(begin, end);
        }
    }
    units.swap(sorted);
}

} // namespace

RingMaxMinSearch::RingMaxMinSearch(const RingProblem& problem)
    : m_problem(problem),
      m_limits(problem),
      m_bound(m_limits.GetLargest())
{
}

std::vector<RingUnit>
RingMaxMinSearch::Run()
{
    std::vector<RingUnit> units;
    if (m_bound.lanes > 0)
    {
        m_found = Search(m_problem, m_bound, units);
    }
    if (units.empty())
    {
        // Not all pairs can have a lane: search among those that are admitted
        units = Admit();
        std::vector<uint32_t> served;
        for (RingUnit& unit : units)
        {
            served.push_back(unit.pair);
            unit.pair = static_cast<uint32_t>(served.size() - 1);
        }
        const RingProblem part = m_problem.Select(served);
        Search(part, RingBound(part).GetLargest(), units);
        for (RingUnit& unit : units)
        {
            unit.pair = served[unit.pair];
        }
        FillUp(units, true);
    }
    Sort(units, m_problem.pairs.size());
    return units;
}

const FairShare&
RingMaxMinSearch::GetBound() const
{
    return m_bound;
}

void
RingMaxMinSearch::LowerBound()
{
    m_bound = m_found < m_bound ? m_limits.Lower(m_found, m_bound) : m_bound;
}

void
RingMaxMinSearch::FillUp(std::vector<RingUnit>& units, bool onlyFirst) const
{
    // The lanes granted so far, and the pairs by share
    RingFreeLanes free(m_problem);
    std::vector<Taker> takers(m_problem.pairs.size());
    std::vector<uint32_t> longest(m_problem.pairs.size(), 0);
    for (uint32_t p = 0; p < takers.size(); ++p)
    {
        takers[p] = {{0, m_problem.pairs[p].bytes}, p};
    }
    for (const RingUnit& unit : units)
    {
        const RingArc& arc = m_problem.pairs[unit.pair].arcs[unit.direction];
        free.Set(unit);
        ++takers[unit.pair].share.lanes;
        longest[unit.pair] = std::max(longest[unit.pair], arc.hops);
    }
    const auto isServed = [](const Taker& taker) { return taker.share.lanes > 0; };
    if (onlyFirst)
    {
        takers.erase(std::remove_if(takers.begin(), takers.end(), isServed), takers.end());
    }
    std::priority_queue<Taker> poorest(std::less<Taker>(), std::move(takers));
    while (!poorest.empty())
    {
        Taker taker = poorest.top();
        const uint32_t p = taker.pair;
        poorest.pop();
        const uint32_t most = isServed(taker) ? longest[p] : m_problem.nodes;
        if (free.TakeOne(p, most, units) && !onlyFirst)
        {
            const RingUnit& unit = units.back();
            longest[p] = std::max(longest[p], m_problem.pairs[p].arcs[unit.direction].hops);
            ++taker.share.lanes;
            poorest.push(taker);
        }
    }
    Sort(units, m_problem.pairs.size());
}

FairShare
RingMaxMinSearch::Search(const RingProblem& problem,
                         const FairShare& bound,
                         std::vector<RingUnit>& units)
{
    RingPacker packer(problem);
    std::vector<uint32_t> needs(problem.pairs.size());
    FairShare best;
    const auto pack = [&](const FairShare& share) {
        for (uint32_t p = 0; p < needs.size(); ++p)
        {
            needs[p] = static_cast<uint32_t>(share.GetNeed(problem.pairs[p].bytes));
        }
        std::vector<RingUnit> found;
        if (!packer.Pack(needs, found))
        {
            return false;
        }
        if (best < share)
        {
            best = share;
            units.swap(found);
        }
        return true;
    };
    // Often the bound can be reached; else bisect among the shares below it
    if (pack(bound))
    {
        return best;
    }
    const std::vector<uint64_t> demands = problem.GetDemands();
    const uint64_t most = *std::max_element(demands.begin(), demands.end());
    const bool isServed = !units.empty();
    const auto judge = [&](const FairShare& share) {
        const bool isFirst = share.lanes == 1 && share.bytes == most;
        return (isServed && isFirst) || (share < bound && pack(share));
    };
    FairShareSearch(demands).FindLargest(bound, judge, SCAN_COST);
    return best;
}

std::vector<RingUnit>
RingMaxMinSearch::Admit() const
{
    const auto shorter = [this](uint32_t p) {
        const std::array<RingArc, 2>& arcs = m_problem.pairs[p].arcs;
        return !arcs[0].usable   ? arcs[1].hops
               : !arcs[1].usable ? arcs[0].hops
                                 : std::min(arcs[0].hops, arcs[1].hops);
    };
    // Of pairs with equal demand, short arcs or long arcs first: the better of the two orders
    std::vector<RingUnit> best;
    for (const bool shortFirst : {true, false})
    {
        std::vector<uint32_t> order(m_problem.pairs.size());
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            const uint64_t ofA = m_problem.pairs[a].bytes;
            const uint64_t ofB = m_problem.pairs[b].bytes;
            const uint32_t hopsA = shorter(a);
            const uint32_t hopsB = shorter(b);
            return ofA != ofB ? ofA > ofB : hopsA != hopsB ? (hopsA < hopsB) == shortFirst : a < b;
        });
        std::vector<RingUnit> units = TakeOneEach(order);
        if (units.size() > best.size())
        {
            best.swap(units);
        }
    }
    std::sort(best.begin(), best.end());
    return best;
}

std::vector<RingUnit>
RingMaxMinSearch::TakeOneEach(const std::vector<uint32_t>& order) const
{
    RingFreeLanes free(m_problem);
    std::vector<RingUnit> units;
    for (const uint32_t p : order)
    {
        free.TakeOne(p, m_problem.nodes, units);
    }
    return units;
}

} // namespace lightpath
} // namespace ns3
