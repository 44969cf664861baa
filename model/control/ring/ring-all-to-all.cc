/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-all-to-all.h"

#include "ring-lane-groups.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The directions by index.
constexpr std::array<RingDirection, 2> DIRECTIONS{RingDirection::CLOCKWISE,
                                                  RingDirection::COUNTERCLOCKWISE};

/**
 * @param nodes a number of nodes
 * @return a byte from each to each other one
 */
TrafficMatrix
MakeDemand(uint32_t nodes)
{
    TrafficMatrix demand(nodes);
    for (uint32_t source = 0; source < nodes; ++source)
    {
        TrafficMatrix::Row row;
        for (uint32_t destination = 0; destination < nodes; ++destination)
        {
            if (destination != source)
            {
                row.emplace_back(destination, 1);
            }
        }
        demand.SetRow(source, row);
    }
    return demand;
}

} // namespace

RingAllToAll::RingAllToAll(const RingGeometry& geometry, uint32_t lanesPerPair)
    : m_geometry(geometry),
      m_lanesPerPair(lanesPerPair),
      m_problem(MakeDemand(geometry.GetNNodes()), geometry, RingLimits{}),
      m_free(m_problem)
{
}

void
RingAllToAll::Run()
{
    CollectWishes();
    Assign(0);
    Assign(1);
    ServeOthers();
    std::sort(m_units.begin(), m_units.end());
}

CircuitPlan
RingAllToAll::GetPlan() const
{
    return m_problem.MakePlan(m_units, m_geometry);
}

bool
RingAllToAll::ServesAll() const
{
    return m_servesAll;
}

RingAllToAll::Wish
RingAllToAll::Choose(uint32_t pair, uint32_t round) const
{
    const uint32_t nodes = m_problem.nodes;
    const auto& [ports, bytes, arcs] = m_problem.pairs[pair];
    const bool isOpposite = 2 * arcs[0].hops == nodes;
    // Pairs of opposite nodes take turns between the directions
    const bool isClockwise =
        isOpposite ? (ports.first % (nodes / 2) + round) % 2 == 0 : 2 * arcs[0].hops < nodes;
    const uint32_t shorter = isClockwise ? 0 : 1;
    // Whether single lanes have failed is found out later, so that near pairs keep their turn
    const bool works = !m_geometry.HasFailures() ||
                       m_geometry.IsUsable(ports.first, ports.second, DIRECTIONS[shorter]);
    const uint32_t direction = works ? shorter : 1 - shorter;
    return {pair, direction, round, arcs[direction].hops};
}

void
RingAllToAll::CollectWishes()
{
    for (uint32_t round = 0; round < m_lanesPerPair; ++round)
    {
        for (uint32_t pair = 0; pair < m_problem.pairs.size(); ++pair)
        {
            const Wish wish = Choose(pair, round);
            m_isShortest = m_isShortest && 2 * wish.hops <= m_problem.nodes;
            m_wishes[wish.direction].push_back(wish);
        }
    }
    for (std::vector<Wish>& wishes : m_wishes)
    {
        std::stable_sort(wishes.begin(), wishes.end(), [](const Wish& a, const Wish& b) {
            return a.round != b.round ? a.round < b.round : a.hops < b.hops;
        });
    }
}

std::vector<RingAllToAll::Wish>
RingAllToAll::Admit(uint32_t direction) const
{
    std::vector<Wish> admitted;
    std::vector<uint32_t> loads(m_problem.nodes, 0);
    for (const Wish& wish : m_wishes[direction])
    {
        const RingArc& arc = m_problem.pairs[wish.pair].arcs[direction];
        const auto getLoad = [&](uint32_t hop) -> uint32_t& {
            return loads[(arc.first + hop) % m_problem.nodes];
        };
        uint32_t hop = 0;
        while (hop < arc.hops && getLoad(hop) < m_problem.room[direction])
        {
            ++hop;
        }
        if (hop == arc.hops)
        {
            for (hop = 0; hop < arc.hops; ++hop)
            {
                ++getLoad(hop);
            }
            admitted.push_back(wish);
        }
    }
    return admitted;
}

void
RingAllToAll::Assign(uint32_t direction)
{
    std::vector<Wish> wishes = m_wishes[direction];
    if (!m_problem.isLoadOnly)
    {
        wishes = Admit(direction);
        const std::size_t nodes = m_problem.nodes;
        const bool isWhole = wishes.size() == m_wishes[direction].size() && m_isShortest &&
                             m_problem.pairs.size() == nodes * (nodes - 1);
        std::vector<uint32_t> counts(m_problem.pairs.size(), 0);
        for (const Wish& wish : wishes)
        {
            ++counts[wish.pair];
        }
        const std::vector<RingUnit> groups =
            isWhole ? GetWalks(wishes) : GroupRingLanes(m_problem, direction, counts);
        std::vector<uint64_t> worth;
        for (const RingPair& pair : m_problem.pairs)
        {
            worth.push_back(nodes * nodes / pair.arcs[direction].hops);
        }
        // What groups do not get is left for single lanes, near pairs first
        std::fill(counts.begin(), counts.end(), 0);
        for (const RingUnit& unit : m_free.TakeGroups(groups, worth, m_units))
        {
            ++counts[unit.pair];
        }
        std::vector<Wish> left;
        for (const Wish& wish : wishes)
        {
            if (counts[wish.pair] > 0)
            {
                --counts[wish.pair];
                left.push_back(wish);
            }
        }
        wishes.swap(left);
    }
    for (const Wish& wish : wishes)
    {
        m_free.Take(wish.pair, direction, m_units);
    }
}

std::vector<RingUnit>
RingAllToAll::GetWalks(const std::vector<Wish>& wishes) const
{
    // Step k of the induction adds the opposite nodes k and half + k; where their number is odd,
    // the last node is the one to begin with
    const uint32_t nodes = m_problem.nodes;
    const uint32_t half = nodes / 2;
    const uint32_t walks = half * (half + 1) / 2;
    std::vector<uint32_t> rounds(m_problem.pairs.size(), 0);
    std::vector<RingUnit> units;
    units.reserve(wishes.size());
    for (const Wish& wish : wishes)
    {
        const auto [source, destination] = m_problem.pairs[wish.pair].ports;
        const bool isLast = nodes % 2 == 1 && std::max(source, destination) == nodes - 1;
        const uint32_t a = std::min(source, destination) % half;
        const uint32_t b = isLast ? a : std::max(source, destination) % half;
        const uint32_t step = std::max(a, b);
        // Walk 0 of a step is the one of the new nodes, with the last node if there is one; the
        // others go by the older node on one side, which has a partner on the other
        const uint32_t walk = a == b ? 0 : 1 + std::min(a, b);
        const uint32_t round = rounds[wish.pair]++;
        units.push_back({wish.pair, wish.direction, round * walks + step * (step + 1) / 2 + walk});
    }
    return units;
}

void
RingAllToAll::ServeOthers()
{
    std::vector<char> isServed(m_problem.pairs.size(), 0);
    for (const RingUnit& unit : m_units)
    {
        isServed[unit.pair] = 1;
    }
    std::vector<Wish> others;
    for (const std::vector<Wish>& wishes : m_wishes)
    {
        for (const Wish& wish : wishes)
        {
            if (wish.round == 0 && isServed[wish.pair] == 0)
            {
                others.push_back(wish);
            }
        }
    }
    std::stable_sort(others.begin(), others.end(), [](const Wish& a, const Wish& b) {
        return a.hops < b.hops;
    });
    for (const Wish& wish : others)
    {
        const bool found = m_free.TakeOne(wish.pair, m_problem.nodes, m_units);
        m_servesAll = m_servesAll && found;
    }
}

} // namespace lightpath
} // namespace ns3
