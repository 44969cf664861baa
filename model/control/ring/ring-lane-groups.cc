/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-lane-groups.h"

#include "ring-lane-assigner.h"
#include "ring-lane-exchange.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Steps for trying cuts of the ring, for each number of groups.
constexpr uint64_t ASSIGN_EFFORT = 1000000;

/// Steps for exchanging lanes, for each number of groups.
constexpr uint64_t EXCHANGE_EFFORT = 200000;

/// The most lanes that may be left out for an exchange to be worth while.
constexpr std::size_t MOST_MISSING = 48;

/**
 * Make all lanes of one direction available to all arcs, and the other direction to none.
 *
 * @param problem the pairs and the ring
 * @param direction the direction
 * @param groups the number of lanes
 */
void
SetLanes(RingProblem& problem, uint32_t direction, uint32_t groups)
{
    RingProblem::Mask all((groups + 63) / 64, ~uint64_t{0});
    if (groups % 64 != 0)
    {
        all.back() = (uint64_t{1} << groups % 64) - 1;
    }
    problem.isLoadOnly = false;
    problem.capacity = groups;
    problem.room = {groups, groups};
    problem.masks = {all, all};
    for (RingPair& pair : problem.pairs)
    {
        pair.arcs[1 - direction].usable = false;
        pair.arcs[direction].mask = direction;
        pair.arcs[direction].lanes = groups;
    }
}

} // namespace

std::vector<RingUnit>
GroupRingLanes(const RingProblem& problem, uint32_t direction, const std::vector<uint32_t>& counts)
{
    std::vector<uint32_t> chosen;
    std::vector<uint32_t> lanes;
    std::vector<uint32_t> loads(problem.nodes, 0);
    for (uint32_t p = 0; p < counts.size(); ++p)
    {
        const RingArc& arc = problem.pairs[p].arcs[direction];
        for (uint32_t hop = 0; hop < arc.hops && counts[p] > 0; ++hop)
        {
            loads[(arc.first + hop) % problem.nodes] += counts[p];
        }
        if (counts[p] > 0)
        {
            chosen.push_back(p);
            lanes.push_back(counts[p]);
        }
    }
    RingProblem part = problem.Select(chosen);
    std::vector<RingUnit> units;
    // Fewer groups than the load cannot do, and as many as there are lanes always do
    for (uint32_t groups = *std::max_element(loads.begin(), loads.end()); !chosen.empty(); ++groups)
    {
        SetLanes(part, direction, groups);
        RingLaneAssigner assigner(part, direction);
        assigner.Assign(lanes, ASSIGN_EFFORT);
        units = assigner.GetUnits();
        const std::vector<uint32_t>& missing = assigner.GetMissing();
        if (missing.empty() || (missing.size() <= MOST_MISSING &&
                                RingLaneExchange(part).Complete(units, missing, EXCHANGE_EFFORT)))
        {
            break;
        }
        // A group more takes in some of the missing lanes; where many are missing, skip ahead
        groups += static_cast<uint32_t>(missing.size()) / (2 * problem.nodes);
    }
    for (RingUnit& unit : units)
    {
        unit.pair = chosen[unit.pair];
    }
    std::sort(units.begin(), units.end());
    return units;
}

} // namespace lightpath
} // namespace ns3
