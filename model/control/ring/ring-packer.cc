/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-packer.h"

#include "ring-lane-matching.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Steps for trying cuts of the ring, by direction.
constexpr uint64_t PACKING_EFFORT = 200000;

/// Steps for exchanging lanes.
constexpr uint64_t EXCHANGE_EFFORT = 60000;

/// The most lanes that an attempt may leave out for an exchange to be worth while.
constexpr std::size_t MOST_MISSING = 48;

} // namespace

RingPacker::RingPacker(const RingProblem& problem)
    : m_problem(problem),
      m_router(problem),
      m_assigners{RingLaneAssigner(problem, 0), RingLaneAssigner(problem, 1)},
      m_exchange(problem)
{
    for (const RingPair& pair : problem.pairs)
    {
        const std::array<RingArc, 2>& arcs = pair.arcs;
        m_hasTies = m_hasTies || (arcs[0].usable && arcs[1].usable && arcs[0].hops == arcs[1].hops);
    }
}

bool
RingPacker::Pack(const std::vector<uint32_t>& needs, std::vector<RingUnit>& units)
{
    m_hasAttempt = false;
    for (uint32_t p = 0; p < needs.size(); ++p)
    {
        const std::array<RingArc, 2>& arcs = m_problem.pairs[p].arcs;
        if (needs[p] > arcs[0].lanes + arcs[1].lanes)
        {
            return false;
        }
    }
    const auto start = [this, &needs](RingRouter::Ties ties) {
        return Attempt(m_router.Route(needs, ties));
    };
    // From the cheapest attempt to the dearest, until all lanes are found
    const bool done = start(RingRouter::Ties::SPLIT) ||
                      (m_hasTies && start(RingRouter::Ties::LESS_LOADED)) ||
                      (m_hasAttempt && m_missing.size() <= MOST_MISSING &&
                       m_exchange.Complete(m_units, m_missing, EXCHANGE_EFFORT));
    if (done)
    {
        units = m_units;
    }
    return done;
}

bool
RingPacker::Attempt(uint64_t excess)
{
    if (m_problem.isLoadOnly)
    {
        return excess == 0 && Count();
    }
    // A lane that finds no room is missing on one segment at least
    if (excess > MOST_MISSING * m_problem.nodes)
    {
        return false;
    }
    std::vector<RingUnit> units;
    std::vector<uint32_t> missing;
    for (uint32_t d = 0; d < 2; ++d)
    {
        RingLaneAssigner& assigner = m_assigners[d];
        assigner.Assign(m_router.GetRouting()[d], PACKING_EFFORT);
        units.insert(units.end(), assigner.GetUnits().begin(), assigner.GetUnits().end());
        missing.insert(missing.end(), assigner.GetMissing().begin(), assigner.GetMissing().end());
    }
    if (!m_hasAttempt || missing.size() < m_missing.size())
    {
        m_hasAttempt = true;
        m_units.swap(units);
        m_missing.swap(missing);
    }
    return m_missing.empty();
}

bool
RingPacker::Count()
{
    m_units.clear();
    for (uint32_t d = 0; d < 2; ++d)
    {
        const auto works = [this, d](uint32_t pair, uint32_t lane) {
            return m_problem.HasLane(m_problem.pairs[pair].arcs[d], lane);
        };
        std::vector<RingLaneMatching> sources(m_problem.nodes, {m_problem.capacity, works});
        for (uint32_t p = 0; p < m_problem.pairs.size(); ++p)
        {
            for (uint32_t i = 0; i < m_router.GetRouting()[d][p]; ++i)
            {
                if (!sources[m_problem.pairs[p].ports.first].Add(p))
                {
                    return false;
                }
            }
        }
        for (const RingLaneMatching& source : sources)
        {
            const std::vector<uint32_t>& takers = source.GetTakers();
            for (uint32_t lane = 0; lane < takers.size(); ++lane)
            {
                if (takers[lane] != RingLaneMatching::NONE)
                {
                    m_units.push_back({takers[lane], d, lane});
                }
            }
        }
    }
    return true;
}

} // namespace lightpath
} // namespace ns3
