/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-problem.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Lanes of one word of a mask.
constexpr uint32_t BITS = 64;

/// The directions by index.
constexpr RingDirection DIRECTIONS[2] = {RingDirection::CLOCKWISE, RingDirection::COUNTERCLOCKWISE};

} // namespace

RingProblem::RingProblem(const TrafficMatrix& demand,
                         const RingGeometry& geometry,
                         const RingLimits& limits)
    : nodes(geometry.GetNNodes()),
      capacity(geometry.GetCapacity()),
      isLoadOnly(geometry.GetWavelengthMode() == RingGeometry::LOAD_ONLY)
{
    // The failed segments below a segment, counted over two turns, tell about arcs at once
    std::array<std::vector<uint32_t>, 2> failed;
    for (uint32_t d = 0; d < 2; ++d)
    {
        inUse[d].assign(nodes, 1);
        failed[d].assign(2 * nodes + 1, 0);
        for (uint32_t segment = 0; segment < 2 * nodes; ++segment)
        {
            const bool broken = geometry.IsFailed(segment % nodes, DIRECTIONS[d]);
            inUse[d][segment % nodes] = !broken;
            failed[d][segment + 1] = failed[d][segment] + broken;
        }
    }
    const std::vector<char> isWhole = FindWorking(geometry);
    for (uint32_t source = 0; source < nodes; ++source)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            RingPair pair{{source, destination}, bytes, {}, {source, destination}};
            for (uint32_t d = 0; d < 2; ++d)
            {
                RingArc& arc = pair.arcs[d];
                arc.first = geometry.GetFirstSegment(source, destination, DIRECTIONS[d]);
                arc.hops = geometry.GetHops(source, destination, DIRECTIONS[d]);
                arc.usable = (geometry.GetReach() == 0 || arc.hops <= geometry.GetReach()) &&
                             (!limits.shorterOnly || 2 * arc.hops <= nodes) &&
                             failed[d][arc.first + arc.hops] == failed[d][arc.first];
                arc.mask = d;
                arc.lanes = room[d];
                if (arc.usable && !(isWhole[source] && isWhole[destination]))
                {
                    FindLanes(geometry, pair.ports, DIRECTIONS[d], arc);
                }
                arc.usable = arc.usable && arc.lanes > 0;
                arc.lanes = arc.usable ? arc.lanes : 0;
            }
            if (pair.arcs[0].usable || pair.arcs[1].usable)
            {
                pairs.push_back(pair);
            }
        }
    }
    if (geometry.GetWavelengthMode() == RingGeometry::EXCLUSIVE)
    {
        Merge();
    }
}

void
RingProblem::Merge()
{
    nodes = 2;
    for (uint32_t d = 0; d < 2; ++d)
    {
        inUse[d].assign(nodes, 1);
        for (RingPair& pair : pairs)
        {
            pair.ports = {0, 1};
            pair.arcs[d].first = d;
            pair.arcs[d].hops = 1;
        }
    }
}

std::vector<char>
RingProblem::FindWorking(const RingGeometry& geometry)
{
    const uint32_t wavelengths = geometry.GetNWavelengths();
    masks.assign(2, Mask((capacity + BITS - 1) / BITS, 0));
    std::vector<char> isWhole(nodes, 1);
    for (uint32_t d = 0; d < 2; ++d)
    {
        for (uint32_t lane = 0; lane < capacity; ++lane)
        {
            const uint32_t fibre = geometry.GetFirstFibre(DIRECTIONS[d]) + lane / wavelengths;
            if (geometry.IsFibreFailed(fibre))
            {
                continue;
            }
            masks[d][lane / BITS] |= uint64_t{1} << (lane % BITS);
            ++room[d];
            for (uint32_t node = 0; geometry.HasFailures() && node < nodes; ++node)
            {
                const bool works = geometry.HasEnds(node, node, {fibre, lane % wavelengths});
                isWhole[node] = isWhole[node] && works;
            }
        }
    }
    return isWhole;
}

void
RingProblem::FindLanes(const RingGeometry& geometry,
                       PortPair ports,
                       RingDirection direction,
                       RingArc& arc)
{
    const uint32_t wavelengths = geometry.GetNWavelengths();
    Mask mask = masks[arc.mask];
    uint32_t lost = 0;
    for (uint32_t lane = 0; lane < capacity; ++lane)
    {
        const uint32_t fibre = geometry.GetFirstFibre(direction) + lane / wavelengths;
        if (!geometry.IsFibreFailed(fibre) &&
            !geometry.HasEnds(ports.first, ports.second, {fibre, lane % wavelengths}))
        {
            mask[lane / BITS] &= ~(uint64_t{1} << (lane % BITS));
            ++lost;
        }
    }
    if (lost > 0)
    {
        arc.lanes -= lost;
        arc.mask = static_cast<uint32_t>(masks.size());
        masks.push_back(std::move(mask));
    }
}

std::vector<uint64_t>
RingProblem::GetDemands() const
{
    std::vector<uint64_t> demands;
    demands.reserve(pairs.size());
    for (const RingPair& pair : pairs)
    {
        demands.push_back(pair.bytes);
    }
    return demands;
}

bool
RingProblem::HasLane(const RingArc& arc, uint32_t lane) const
{
    return ((masks[arc.mask][lane / BITS] >> (lane % BITS)) & 1U) != 0;
}

CircuitPlan
RingProblem::MakePlan(const std::vector<RingUnit>& units, const RingGeometry& geometry) const
{
    std::vector<uint32_t> counts(pairs.size(), 0);
    for (const RingUnit& unit : units)
    {
        ++counts[unit.pair];
    }
    std::vector<std::vector<Lane>> lanes(pairs.size());
    for (std::size_t pair = 0; pair < pairs.size(); ++pair)
    {
        lanes[pair].reserve(counts[pair]);
    }
    std::array<std::vector<Lane>, 2> names;
    for (uint32_t d = 0; d < 2; ++d)
    {
        for (uint32_t lane = 0; lane < capacity; ++lane)
        {
            names[d].push_back(
                {geometry.GetFirstFibre(DIRECTIONS[d]) + lane / geometry.GetNWavelengths(),
                 lane % geometry.GetNWavelengths()});
        }
    }
    for (const RingUnit& unit : units)
    {
        lanes[unit.pair].push_back(names[unit.direction][unit.lane]);
    }
    CircuitPlan plan;
    for (std::size_t pair = 0; pair < pairs.size(); ++pair)
    {
        if (!std::is_sorted(lanes[pair].begin(), lanes[pair].end()))
        {
            std::sort(lanes[pair].begin(), lanes[pair].end());
        }
        const auto [source, destination] = pairs[pair].ends;
        plan.AddLanes(source, destination, std::move(lanes[pair]));
    }
    return plan;
}

RingProblem
RingProblem::Select(const std::vector<uint32_t>& chosen) const
{
    RingProblem part;
    part.nodes = nodes;
    part.capacity = capacity;
    part.isLoadOnly = isLoadOnly;
    part.room = room;
    part.inUse = inUse;
    part.masks = masks;
    part.pairs.reserve(chosen.size());
    for (const uint32_t index : chosen)
    {
        part.pairs.push_back(pairs[index]);
    }
    return part;
}

} // namespace lightpath
} // namespace ns3
