/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-all-to-all.h"

#include "ring-wavelength-assignment.h"

#include <algorithm>
#include <iterator>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The directions, in the order of arrays.
constexpr std::array<RingDirection, 2> DIRECTIONS{RingDirection::CLOCKWISE,
                                                  RingDirection::COUNTERCLOCKWISE};

} // namespace

RingAllToAll::RingAllToAll(const RingGeometry& geometry, uint32_t lanesPerPair)
    : m_geometry(geometry),
      m_lanesPerPair(lanesPerPair),
      m_fitter(geometry)
{
}

void
RingAllToAll::Run()
{
    CollectWishes();
    for (const auto direction : DIRECTIONS)
    {
        Assign(direction);
    }
    ServeOthers();
}

const CircuitPlan&
RingAllToAll::GetPlan() const
{
    return m_fitter.GetPlan();
}

bool
RingAllToAll::ServesAll() const
{
    return m_servesAll;
}

RingAllToAll::Ranked
RingAllToAll::Choose(uint32_t source, uint32_t destination, uint32_t round) const
{
    const uint32_t nodes = m_geometry.GetNNodes();
    const uint32_t hops = m_geometry.GetHops(source, destination, RingDirection::CLOCKWISE);
    const bool isOpposite = 2 * hops == nodes;
    const bool isClockwise =
        isOpposite ? (source % (nodes / 2) + round) % 2 == 0 : 2 * hops < nodes;
    Ranked chosen{{{source, destination}, DIRECTIONS[isClockwise ? 0 : 1]},
                  round,
                  isClockwise ? hops : nodes - hops};
    if (!m_fitter.IsUsable(chosen.wish))
    {
        chosen.wish.direction = DIRECTIONS[isClockwise ? 1 : 0];
        chosen.hops = nodes - chosen.hops;
    }
    return chosen;
}

void
RingAllToAll::CollectWishes()
{
    const uint32_t nodes = m_geometry.GetNNodes();
    for (uint32_t round = 0; round < m_lanesPerPair; ++round)
    {
        for (uint32_t source = 0; source < nodes; ++source)
        {
            for (uint32_t destination = 0; destination < nodes; ++destination)
            {
                if (source == destination)
                {
                    continue;
                }
                const Ranked chosen = Choose(source, destination, round);
                if (m_fitter.IsUsable(chosen.wish))
                {
                    m_isShortest = m_isShortest && 2 * chosen.hops <= nodes;
                    const bool isClockwise = chosen.wish.direction == RingDirection::CLOCKWISE;
                    m_wishes[isClockwise ? 0 : 1].push_back(chosen);
                }
            }
        }
    }
    for (std::vector<Ranked>& wishes : m_wishes)
    {
        std::stable_sort(wishes.begin(), wishes.end(), [](const Ranked& a, const Ranked& b) {
            return a.round != b.round ? a.round < b.round : a.hops < b.hops;
        });
    }
}

void
RingAllToAll::Assign(RingDirection direction)
{
    const std::vector<Ranked>& wishes = m_wishes[direction == RingDirection::CLOCKWISE ? 0 : 1];
    if (m_geometry.GetWavelengthMode() == RingGeometry::LOAD_ONLY)
    {
        for (const Ranked& wanted : wishes)
        {
            m_fitter.Put(wanted.wish);
        }
        return;
    }
    const uint32_t nodes = m_geometry.GetNNodes();
    const uint32_t room = m_fitter.GetWorkingLanes(direction);
    std::vector<uint32_t> loads(nodes, 0);
    RingWavelengthAssignment assignment(nodes);
    std::vector<RingLaneWish> admitted;
    for (const Ranked& wanted : wishes)
    {
        const RingSpan span = m_fitter.GetSpan(wanted.wish);
        uint32_t hop = 0;
        while (hop < span.hops && loads[(span.first + hop) % nodes] < room)
        {
            ++hop;
        }
        if (hop == span.hops)
        {
            for (hop = 0; hop < span.hops; ++hop)
            {
                ++loads[(span.first + hop) % nodes];
            }
            assignment.Add(span);
            admitted.push_back(wanted.wish);
        }
    }
    const bool isWhole = admitted.size() == wishes.size() && m_isShortest && [this] {
        const uint64_t nodes = m_geometry.GetNNodes();
        return m_wishes[0].size() + m_wishes[1].size() == nodes * (nodes - 1) * m_lanesPerPair;
    }();
    const std::vector<uint32_t> colours =
        isWhole ? GetWalks(direction, admitted) : assignment.Assign().wavelengths;
    const std::vector<uint64_t> worth(admitted.size(), 1);
    for (const RingLaneWish& wish : m_fitter.PutColours(admitted, colours, worth))
    {
        m_fitter.Put(wish);
    }
}

std::vector<uint32_t>
RingAllToAll::GetWalks(RingDirection direction, const std::vector<RingLaneWish>& wishes) const
{
    // Step k of the induction adds the opposite nodes k and half + k; where their number is odd,
    // the last node is the one to begin with
    const uint32_t nodes = m_geometry.GetNNodes();
    const uint32_t half = nodes / 2;
    const uint32_t walks = half * (half + 1) / 2;
    std::vector<uint32_t> rounds(static_cast<std::size_t>(nodes) * nodes, 0);
    std::vector<uint32_t> result;
    result.reserve(wishes.size());
    for (const RingLaneWish& wish : wishes)
    {
        const auto [source, destination] = wish.ports;
        const bool isLast = nodes % 2 == 1 && std::max(source, destination) == nodes - 1;
        const uint32_t a = std::min(source, destination) % half;
        const uint32_t b = isLast ? a : std::max(source, destination) % half;
        const uint32_t step = std::max(a, b);
        // Walk 0 of a step is the one of the new nodes, with the last node if there is one; the
        // others go by the older node on one side, which has a partner on the other
        const uint32_t walk = a == b ? 0 : 1 + std::min(a, b);
        const uint32_t round = rounds[static_cast<std::size_t>(source) * nodes + destination]++;
        result.push_back(round * walks + step * (step + 1) / 2 + walk);
    }
    return result;
}

void
RingAllToAll::ServeOthers()
{
    std::vector<Ranked> others;
    for (const std::vector<Ranked>& wishes : m_wishes)
    {
        std::copy_if(wishes.begin(),
                     wishes.end(),
                     std::back_inserter(others),
                     [this](const Ranked& wanted) {
                         const auto [source, destination] = wanted.wish.ports;
                         return wanted.round == 0 &&
                                m_fitter.GetPlan().GetLanes(source, destination).empty();
                     });
    }
    std::stable_sort(others.begin(), others.end(), [](const Ranked& a, const Ranked& b) {
        return a.hops < b.hops;
    });
    for (const Ranked& wanted : others)
    {
        RingLaneWish other = wanted.wish;
        other.direction = DIRECTIONS[other.direction == RingDirection::CLOCKWISE ? 1 : 0];
        const bool isServed =
            m_fitter.Put(wanted.wish) || (m_fitter.IsUsable(other) && m_fitter.Put(other));
        m_servesAll = m_servesAll && isServed;
    }
}

} // namespace lightpath
} // namespace ns3
