/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-problem.h"

namespace ns3
{
namespace lightpath
{

RingProblem::RingProblem(const TrafficMatrix& demand,
                         const RingGeometry& geometry,
                         uint32_t maxDistance)
    : nodes(geometry.GetNNodes()),
      capacity(geometry.GetCapacity())
{
    const RingDirection directions[2] = {RingDirection::CLOCKWISE, RingDirection::COUNTERCLOCKWISE};
    // The failed segments below a segment, counted over two turns, tell about arcs at once
    std::array<std::vector<uint32_t>, 2> failed;
    for (uint32_t d = 0; d < 2; ++d)
    {
        inUse[d].assign(nodes, 1);
        failed[d].assign(2 * nodes + 1, 0);
        for (uint32_t segment = 0; segment < 2 * nodes; ++segment)
        {
            const bool broken = geometry.IsFailed(segment % nodes, directions[d]);
            inUse[d][segment % nodes] = !broken;
            failed[d][segment + 1] = failed[d][segment] + broken;
        }
    }
    for (uint32_t source = 0; source < nodes; ++source)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            RingPair pair{{source, destination}, bytes, {}};
            for (uint32_t d = 0; d < 2; ++d)
            {
                RingArc& arc = pair.arcs[d];
                arc.first = geometry.GetFirstSegment(source, destination, directions[d]);
                arc.hops = geometry.GetHops(source, destination, directions[d]);
                arc.usable = (maxDistance == 0 || arc.hops <= maxDistance) &&
                             failed[d][arc.first + arc.hops] == failed[d][arc.first];
            }
            if (pair.arcs[0].usable || pair.arcs[1].usable)
            {
                pairs.push_back(pair);
            }
        }
    }
}

RingProblem
RingProblem::Select(const std::vector<uint32_t>& chosen) const
{
    RingProblem part;
    part.nodes = nodes;
    part.capacity = capacity;
    part.inUse = inUse;
    part.pairs.reserve(chosen.size());
    for (const uint32_t index : chosen)
    {
        part.pairs.push_back(pairs[index]);
    }
    return part;
}

} // namespace lightpath
} // namespace ns3
