/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-max-min-search.h"

#include "ring-free-lanes.h"
#include "ring-takers.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Shares above the first one refused that are tried, because a refusal is no proof.
constexpr uint32_t SCAN_COST = 1;

} // namespace

RingMaxMinSearch::RingMaxMinSearch(const RingProblem& problem)
    : m_problem(problem),
      m_limits(problem)
{
}

std::vector<RingUnit>
RingMaxMinSearch::Run()
{
    std::vector<RingUnit> units;
    m_found = Search(m_problem, m_limits, m_bound, units);
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
        RingBound limits(part);
        FairShare bound;
        Search(part, limits, bound, units);
        for (RingUnit& unit : units)
        {
            unit.pair = served[unit.pair];
        }
        FillUp(units, true);
    }
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
    // The lanes granted so far
    RingFreeLanes free(m_problem);
    const std::size_t nPairs = m_problem.pairs.size();
    std::vector<uint32_t> lanes(nPairs, 0);
    std::vector<uint32_t> longest(nPairs, 0);
    for (const RingUnit& unit : units)
    {
        const RingArc& arc = m_problem.pairs[unit.pair].arcs[unit.direction];
        free.Set(unit);
        ++lanes[unit.pair];
        longest[unit.pair] = std::max(longest[unit.pair], arc.hops);
    }
    std::vector<char> mayTake(nPairs, 1);
    std::transform(lanes.begin(), lanes.end(), mayTake.begin(), [onlyFirst](uint32_t granted) {
        return granted == 0 || !onlyFirst;
    });
    units.reserve(3 * units.size());
    RingTakers takers(m_problem.pairs, lanes, mayTake);
    while (!takers.IsEmpty())
    {
        const uint32_t p = takers.GetFirst();
        // None has a lane without hops
        const uint32_t most = longest[p] > 0 ? longest[p] : m_problem.nodes;
        if (free.TakeOne(p, most, units) && !onlyFirst)
        {
            const RingUnit& unit = units.back();
            longest[p] = std::max(longest[p], m_problem.pairs[p].arcs[unit.direction].hops);
            takers.Raise();
        }
        else
        {
            takers.Remove();
        }
    }
}

FairShare
RingMaxMinSearch::Search(const RingProblem& problem,
                         RingBound& limits,
                         FairShare& bound,
                         std::vector<RingUnit>& units)
{
    RingPacker packer(problem);
    std::vector<uint32_t> needs(problem.pairs.size());
    const auto setNeeds = [&](const FairShare& share) {
        for (uint32_t p = 0; p < needs.size(); ++p)
        {
            needs[p] = static_cast<uint32_t>(share.GetNeed(problem.pairs[p].bytes));
        }
    };
    bound = limits.GetLargest();
    FairShare best;
    if (bound.lanes == 0)
    {
        return best;
    }
    const auto pack = [&](const FairShare& share) {
        setNeeds(share);
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
    // If the bound cannot be reached, bisect among the shares below it
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
