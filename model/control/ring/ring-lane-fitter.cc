/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-lane-fitter.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param direction a direction
 * @return its place in arrays
 */
std::size_t
GetPlace(RingDirection direction)
{
    return direction == RingDirection::CLOCKWISE ? 0 : 1;
}

} // namespace

RingLaneFitter::RingLaneFitter(const RingGeometry& geometry)
    : m_geometry(geometry),
      m_working{0, 0},
      m_tables{RingColourTable(geometry.GetNNodes()), RingColourTable(geometry.GetNNodes())}
{
    const uint32_t nodes = geometry.GetNNodes();
    for (const auto direction : {RingDirection::CLOCKWISE, RingDirection::COUNTERCLOCKWISE})
    {
        std::vector<uint32_t>& failed = m_failed[GetPlace(direction)];
        failed.assign(2 * nodes + 1, 0);
        for (uint32_t segment = 0; segment < 2 * nodes; ++segment)
        {
            failed[segment + 1] = failed[segment] + geometry.IsFailed(segment % nodes, direction);
        }
        for (uint32_t fibre = 0; fibre < geometry.GetNFibres(); ++fibre)
        {
            if (!geometry.IsFibreFailed(geometry.GetFirstFibre(direction) + fibre))
            {
                m_working[GetPlace(direction)] += geometry.GetNWavelengths();
            }
        }
        m_loads[GetPlace(direction)].assign(nodes, 0);
    }
}

RingSpan
RingLaneFitter::GetSpan(const RingLaneWish& wish) const
{
    const auto [source, destination] = wish.ports;
    return {m_geometry.GetFirstSegment(source, destination, wish.direction),
            m_geometry.GetHops(source, destination, wish.direction)};
}

bool
RingLaneFitter::IsUsable(const RingLaneWish& wish) const
{
    const RingSpan span = GetSpan(wish);
    const std::vector<uint32_t>& failed = m_failed[GetPlace(wish.direction)];
    return failed[span.first + span.hops] == failed[span.first];
}

uint32_t
RingLaneFitter::GetWorkingLanes(RingDirection direction) const
{
    return m_working[GetPlace(direction)];
}

std::vector<RingLaneWish>
RingLaneFitter::PutColours(const std::vector<RingLaneWish>& wishes,
                           const std::vector<uint32_t>& colours,
                           const std::vector<uint64_t>& worth)
{
    std::vector<std::vector<uint32_t>> classes;
    std::vector<uint64_t> sums;
    for (uint32_t i = 0; i < wishes.size(); ++i)
    {
        if (colours[i] >= classes.size())
        {
            classes.resize(colours[i] + 1);
            sums.resize(colours[i] + 1, 0);
        }
        classes[colours[i]].push_back(i);
        sums[colours[i]] += worth[i];
    }
    std::vector<uint32_t> order(classes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&sums](uint32_t a, uint32_t b) {
        return sums[a] > sums[b];
    });
    std::vector<uint32_t> lanes(m_geometry.GetCapacity());
    std::iota(lanes.begin(), lanes.end(), 0);
    std::vector<char> isPut(wishes.size(), 0);
    for (const uint32_t colour : order)
    {
        uint64_t most = 0;
        auto best = lanes.end();
        for (auto lane = lanes.begin(); lane != lanes.end() && most < sums[colour]; ++lane)
        {
            uint64_t sum = 0;
            for (const uint32_t i : classes[colour])
            {
                sum += HasEnds(wishes[i], *lane) ? worth[i] : 0;
            }
            if (sum > most)
            {
                most = sum;
                best = lane;
            }
        }
        if (best == lanes.end())
        {
            continue;
        }
        for (const uint32_t i : classes[colour])
        {
            isPut[i] = HasEnds(wishes[i], *best);
            if (isPut[i])
            {
                Take(wishes[i], *best);
            }
        }
        lanes.erase(best);
    }
    std::vector<RingLaneWish> left;
    for (uint32_t i = 0; i < wishes.size(); ++i)
    {
        if (!isPut[i])
        {
            left.push_back(wishes[i]);
        }
    }
    return left;
}

bool
RingLaneFitter::Put(const RingLaneWish& wish)
{
    return m_geometry.GetWavelengthMode() == RingGeometry::CONTINUITY ? PutContinuous(wish)
                                                                      : PutAnywhere(wish);
}

const CircuitPlan&
RingLaneFitter::GetPlan() const
{
    return m_plan;
}

bool
RingLaneFitter::PutContinuous(const RingLaneWish& wish)
{
    const std::vector<uint64_t>& used = m_tables[GetPlace(wish.direction)].FindUsed(GetSpan(wish));
    for (uint32_t index = 0; index < m_geometry.GetCapacity(); ++index)
    {
        const bool isUsed = index / 64 < used.size() && ((used[index / 64] >> index % 64) & 1U);
        if (!isUsed && HasEnds(wish, index))
        {
            Take(wish, index);
            return true;
        }
    }
    return false;
}

bool
RingLaneFitter::PutAnywhere(const RingLaneWish& wish)
{
    const RingSpan span = GetSpan(wish);
    const uint32_t nodes = m_geometry.GetNNodes();
    std::vector<uint32_t>& loads = m_loads[GetPlace(wish.direction)];
    for (uint32_t hop = 0; hop < span.hops; ++hop)
    {
        if (loads[(span.first + hop) % nodes] >= GetWorkingLanes(wish.direction))
        {
            return false;
        }
    }
    for (uint32_t index = 0; index < m_geometry.GetCapacity(); ++index)
    {
        const Lane lane = GetLane(wish.direction, index);
        if (m_addedLanes.count({wish.ports.first, lane}) == 0 && HasEnds(wish, index))
        {
            m_addedLanes.insert({wish.ports.first, lane});
            m_plan.AddLane(wish.ports.first, wish.ports.second, lane);
            for (uint32_t hop = 0; hop < span.hops; ++hop)
            {
                ++loads[(span.first + hop) % nodes];
            }
            return true;
        }
    }
    return false;
}

bool
RingLaneFitter::HasEnds(const RingLaneWish& wish, uint32_t index) const
{
    return !m_geometry.HasFailures() ||
           m_geometry.HasEnds(wish.ports.first, wish.ports.second, GetLane(wish.direction, index));
}

void
RingLaneFitter::Take(const RingLaneWish& wish, uint32_t index)
{
    m_tables[GetPlace(wish.direction)].Take(GetSpan(wish), index);
    m_plan.AddLane(wish.ports.first, wish.ports.second, GetLane(wish.direction, index));
}

Lane
RingLaneFitter::GetLane(RingDirection direction, uint32_t index) const
{
    const uint32_t wavelengths = m_geometry.GetNWavelengths();
    return {m_geometry.GetFirstFibre(direction) + index / wavelengths, index % wavelengths};
}

} // namespace lightpath
} // namespace ns3
