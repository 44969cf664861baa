/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-all-to-all.h"

#include "ring-lane-assigner.h"
#include "ring-lane-matching.h"

#include <algorithm>
#include <map>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Steps for trying cuts of the ring, by direction.
constexpr uint64_t ASSIGN_EFFORT = 1000000;

/// The directions by index.
constexpr std::array<RingDirection, 2> BOTH_DIRECTIONS{RingDirection::CLOCKWISE,
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
        for (uint32_t destination = 0; destination < nodes; ++destination)
        {
            if (destination != source)
            {
                demand.Add(source, destination, 1);
            }
        }
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
    const auto& [ports, bytes, arcs, ends] = m_problem.pairs[pair];
    const bool isOpposite = 2 * arcs[0].hops == nodes;
    // Pairs of opposite nodes take turns between the directions
    const bool isClockwise =
        isOpposite ? (ports.first % (nodes / 2) + round) % 2 == 0 : 2 * arcs[0].hops < nodes;
    const uint32_t shorter = isClockwise ? 0 : 1;
    // Whether single lanes have failed is found out later, so that near pairs keep their turn
    const bool works = m_geometry.IsUsable(ports.first, ports.second, BOTH_DIRECTIONS[shorter]);
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
    if (m_problem.isLoadOnly)
    {
        for (const Wish& wish : m_wishes[direction])
        {
            m_free.Take(wish.pair, direction, m_units);
        }
        return;
    }
    const std::vector<Wish> wishes = Admit(direction);
    // Walks take in arcs on their shorter side; they are the best where none of these is left out
    std::vector<RingUnit> units;
    if (m_isShortest)
    {
        units = FollowWalks(wishes);
    }
    if (units.size() < wishes.size())
    {
        const std::vector<RingUnit> others = Sweep(wishes, direction);
        units = IsBetter(others, units) ? others : units;
    }
    std::vector<uint32_t> counts(m_problem.pairs.size(), 0);
    for (const RingUnit& unit : units)
    {
        m_free.Set(unit);
        m_units.push_back(unit);
        ++counts[unit.pair];
    }
    // Wishes left over are placed one by one, near pairs first
    for (const Wish& wish : wishes)
    {
        if (counts[wish.pair] > 0)
        {
            --counts[wish.pair];
        }
        else
        {
            m_free.Take(wish.pair, direction, m_units);
        }
    }
}

std::vector<RingUnit>
RingAllToAll::Sweep(const std::vector<Wish>& wishes, uint32_t direction) const
{
    std::vector<uint32_t> counts(m_problem.pairs.size(), 0);
    for (const Wish& wish : wishes)
    {
        ++counts[wish.pair];
    }
    RingLaneAssigner assigner(m_problem, direction);
    if (assigner.Assign(counts, ASSIGN_EFFORT) == 0)
    {
        return assigner.GetUnits();
    }
    // Sweeps leave pairs out wherever the ring is cut; perhaps more is served near pairs first
    RingFreeLanes free(m_problem);
    std::vector<RingUnit> nearFirst;
    for (const Wish& wish : wishes)
    {
        free.Take(wish.pair, direction, nearFirst);
    }
    return IsBetter(assigner.GetUnits(), nearFirst) ? assigner.GetUnits() : nearFirst;
}

bool
RingAllToAll::IsBetter(const std::vector<RingUnit>& a, const std::vector<RingUnit>& b) const
{
    const auto getWorth = [this](const std::vector<RingUnit>& units) {
        double worth = 0;
        for (const RingUnit& unit : units)
        {
            worth += 1.0 / m_problem.pairs[unit.pair].arcs[unit.direction].hops;
        }
        return worth;
    };
    return a.size() != b.size() ? a.size() > b.size() : getWorth(a) > getWorth(b);
}

std::vector<std::vector<RingAllToAll::Wish>>
RingAllToAll::GetWalks(const std::vector<Wish>& wishes) const
{
    // Step k of the induction adds the opposite nodes k and half + k; where their number is odd,
    // the last node is the one to begin with
    const uint32_t nodes = m_problem.nodes;
    const uint32_t half = nodes / 2;
    const uint32_t steps = half * (half + 1) / 2;
    std::vector<uint32_t> rounds(m_problem.pairs.size(), 0);
    std::map<uint32_t, std::size_t> index;
    std::vector<std::vector<Wish>> walks;
    for (const Wish& wish : wishes)
    {
        const auto& [ports, bytes, arcs, ends] = m_problem.pairs[wish.pair];
        const auto [low, high] = std::minmax(ports.first, ports.second);
        const uint32_t a = low % half;
        const uint32_t b = nodes % 2 == 1 && high == nodes - 1 ? a : high % half;
        const uint32_t step = std::max(a, b);
        // Walk 0 of a step is the one of the new nodes, with the last node if there is one; the
        // others go by the older node on one side, which has a partner on the other
        const uint32_t walk = a == b ? 0 : 1 + std::min(a, b);
        const uint32_t round = rounds[wish.pair]++;
        const uint32_t name = round * steps + step * (step + 1) / 2 + walk;
        const auto entry = index.try_emplace(name, walks.size());
        walks.resize(index.size());
        walks[entry.first->second].push_back(wish);
    }
    // Where lanes have failed at nodes, the walks of most arcs choose first
    if (m_problem.masks.size() > 2)
    {
        std::stable_sort(walks.begin(), walks.end(), [](const auto& a, const auto& b) {
            return a.size() > b.size();
        });
    }
    return walks;
}

std::vector<RingUnit>
RingAllToAll::FollowWalks(const std::vector<Wish>& wishes) const
{
    const std::vector<std::vector<Wish>> walks = GetWalks(wishes);
    const auto works = [this](const Wish& wish, uint32_t lane) {
        return m_problem.HasLane(m_problem.pairs[wish.pair].arcs[wish.direction], lane);
    };
    // As many walks as possible get lanes that work on all of their arcs
    RingLaneMatching matching(m_problem.capacity, [&](uint32_t walk, uint32_t lane) {
        return std::all_of(walks[walk].begin(), walks[walk].end(), [&](const Wish& wish) {
            return works(wish, lane);
        });
    });
    std::vector<uint32_t> others;
    for (uint32_t walk = 0; walk < walks.size(); ++walk)
    {
        if (!matching.Add(walk))
        {
            others.push_back(walk);
        }
    }
    // Each other walk gets the free lane that works on most of its arcs
    std::vector<uint32_t> takers = matching.GetTakers();
    for (const uint32_t walk : others)
    {
        std::vector<uint32_t> counts(takers.size(), 0);
        for (uint32_t lane = 0; lane < takers.size(); ++lane)
        {
            for (const Wish& wish : walks[walk])
            {
                counts[lane] += takers[lane] == RingLaneMatching::NONE && works(wish, lane);
            }
        }
        const auto best = std::max_element(counts.begin(), counts.end());
        if (*best > 0)
        {
            takers[best - counts.begin()] = walk;
        }
    }
    std::vector<RingUnit> units;
    for (uint32_t lane = 0; lane < takers.size(); ++lane)
    {
        if (takers[lane] == RingLaneMatching::NONE)
        {
            continue;
        }
        for (const Wish& wish : walks[takers[lane]])
        {
            if (works(wish, lane))
            {
                units.push_back({wish.pair, wish.direction, lane});
            }
        }
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
