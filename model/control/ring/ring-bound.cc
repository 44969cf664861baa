/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-bound.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The error of a sum of costs by rounding.
constexpr double LOAD_ROUNDING = 1e-6;

} // namespace

RingBound::RingBound(const RingProblem& problem)
    : m_problem(problem),
      m_prices(problem)
{
    for (uint32_t d = 0; d < 2; ++d)
    {
        const uint64_t segments =
            std::accumulate(problem.inUse[d].begin(), problem.inUse[d].end(), uint64_t{0});
        m_room[d][SEGMENTS] = segments * problem.room[d];
        m_room[d][LONG_ARCS] = uint64_t{2} * problem.room[d];
    }
    SortPairs();
    m_limit = {uint64_t{problem.room[0]} + problem.room[1], 1};
    for (const RingPair& pair : problem.pairs)
    {
        m_limit = std::min(m_limit, FairShare{pair.arcs[0].lanes + pair.arcs[1].lanes, pair.bytes});
    }
}

bool
RingBound::MayFit(const FairShare& share)
{
    std::vector<uint64_t> needs;
    return MayFit(share, needs) && !m_prices.Refute(needs);
}

bool
RingBound::MayFit(const FairShare& share, std::vector<uint64_t>& needs) const
{
    needs.reserve(m_problem.pairs.size());
    for (const RingPair& pair : m_problem.pairs)
    {
        needs.push_back(share.GetNeed(pair.bytes));
        if (needs.back() > pair.arcs[0].lanes + pair.arcs[1].lanes)
        {
            return false;
        }
    }
    const auto fitsArcs = [this, &needs] {
        return m_problem.isLoadOnly || (FitsDirections(needs, SEGMENTS, LONG_ARCS) &&
                                        FitsDirections(needs, LONG_ARCS, SEGMENTS) &&
                                        FitsDirections(needs, LONG_ARCS, LONG_ARCS));
    };
    return FitsDirections(needs, SEGMENTS, SEGMENTS) && fitsArcs();
}

FairShare
RingBound::GetLargest()
{
    const auto mayFit = [this](const FairShare& share) { return MayFit(share); };
    const FairShareSearch search(m_problem.GetDemands());
    return search.FindLargest(m_limit, mayFit, 0).value_or(FairShare{});
}

FairShare
RingBound::Lower(const FairShare& low, const FairShare& high)
{
    m_prices.BeThorough();
    const auto mayFit = [this, &low](const FairShare& share) {
        return !(low < share) || MayFit(share);
    };
    const FairShareSearch search(m_problem.GetDemands());
    return search.FindLargest(high, mayFit, 0).value_or(FairShare{});
}

void
RingBound::SortPairs()
{
    // The costs of a pair follow from its hops clockwise
    std::vector<std::vector<uint32_t>> byHops(m_problem.nodes);
    std::vector<uint32_t> flexible;
    for (uint32_t p = 0; p < m_problem.pairs.size(); ++p)
    {
        const std::array<RingArc, 2>& arcs = m_problem.pairs[p].arcs;
        if (arcs[0].usable && arcs[1].usable)
        {
            flexible.push_back(p);
            byHops[arcs[0].hops].push_back(p);
        }
    }
    std::vector<uint32_t> hops;
    for (uint32_t h = 0; h < m_problem.nodes; ++h)
    {
        if (!byHops[h].empty())
        {
            hops.push_back(h);
        }
    }
    for (const Cost clockwise : {SEGMENTS, LONG_ARCS})
    {
        for (const Cost other : {SEGMENTS, LONG_ARCS})
        {
            const auto isBefore = [&](uint32_t a, uint32_t b) {
                const RingPair& ofA = m_problem.pairs[byHops[a].front()];
                const RingPair& ofB = m_problem.pairs[byHops[b].front()];
                return GetCost(ofA, 0, clockwise) * GetCost(ofB, 1, other) >
                       GetCost(ofB, 0, clockwise) * GetCost(ofA, 1, other);
            };
            std::sort(hops.begin(), hops.end(), isBefore);
            // The place of the first pair of each class of equal ratios
            std::vector<std::size_t> places(m_problem.nodes, 0);
            std::vector<uint32_t> classes(m_problem.nodes, 0);
            std::size_t place = 0;
            for (std::size_t i = 0; i < hops.size(); ++i)
            {
                const bool isAlike = i > 0 && !isBefore(hops[i - 1], hops[i]);
                classes[hops[i]] = isAlike ? classes[hops[i - 1]] : hops[i];
                places[hops[i]] = place;
                place += byHops[hops[i]].size();
            }
            std::vector<uint32_t>& order = m_order[clockwise][other];
            order.resize(flexible.size());
            for (const uint32_t p : flexible)
            {
                order[places[classes[m_problem.pairs[p].arcs[0].hops]]++] = p;
            }
        }
    }
}

uint64_t
RingBound::GetCost(const RingPair& pair, uint32_t direction, Cost cost) const
{
    const uint64_t hops = pair.arcs[direction].hops;
    if (cost == SEGMENTS)
    {
        return hops;
    }
    return 2 * hops > m_problem.nodes ? 2 : (2 * hops == m_problem.nodes ? 1 : 0);
}

bool
RingBound::FitsDirections(const std::vector<uint64_t>& needs,
                          Cost clockwise,
                          Cost counterclockwise) const
{
    double load = 0;
    auto room = static_cast<double>(m_room[1][counterclockwise]);
    for (uint32_t p = 0; p < needs.size(); ++p)
    {
        const RingPair& pair = m_problem.pairs[p];
        if (pair.arcs[0].usable)
        {
            load += static_cast<double>(needs[p] * GetCost(pair, 0, clockwise));
        }
        else
        {
            room -= static_cast<double>(needs[p] * GetCost(pair, 1, counterclockwise));
        }
    }
    if (room < -LOAD_ROUNDING)
    {
        return false;
    }
    for (const uint32_t p : m_order[clockwise][counterclockwise])
    {
        const auto relief = static_cast<double>(GetCost(m_problem.pairs[p], 0, clockwise));
        const auto cost = static_cast<double>(GetCost(m_problem.pairs[p], 1, counterclockwise));
        // No pair has more lanes in one direction than there are
        const uint64_t lanes = m_problem.pairs[p].arcs[1].lanes;
        const auto most = static_cast<double>(std::min(needs[p], lanes));
        const double moved = cost > 0 ? std::min(most, std::max(room, 0.0) / cost) : most;
        load -= moved * relief;
        room -= moved * cost;
    }
    return load <= static_cast<double>(m_room[0][clockwise]) + LOAD_ROUNDING;
}

} // namespace lightpath
} // namespace ns3
