/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-packer.h"

namespace ns3
{
namespace lightpath
{

namespace
{

/// Steps for trying cuts of the ring, by direction.
constexpr uint64_t ASSIGN_EFFORT = 200000;

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
    const bool done = Attempt(needs, RingRouter::Ties::SPLIT) ||
                      (m_hasTies && Attempt(needs, RingRouter::Ties::LESS_LOADED)) ||
                      (m_hasAttempt && m_missing.size() <= MOST_MISSING &&
                       m_exchange.Complete(m_units, m_missing, EXCHANGE_EFFORT));
    if (done)
    {
        units = m_units;
    }
    return done;
}

bool
RingPacker::Attempt(const std::vector<uint32_t>& needs, RingRouter::Ties ties)
{
    // A lane that finds no room is missing on one segment at least
    if (m_router.Route(needs, ties) > MOST_MISSING * m_problem.nodes)
    {
        return false;
    }
    std::vector<RingUnit> units;
    std::vector<uint32_t> missing;
    for (uint32_t d = 0; d < 2; ++d)
    {
        RingLaneAssigner& assigner = m_assigners[d];
        assigner.Assign(m_router.GetRouting()[d], ASSIGN_EFFORT);
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

} // namespace lightpath
} // namespace ns3
