/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_LANE_GROUPS_H
#define RING_LANE_GROUPS_H

#include "ring-problem.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * Group the lanes of one direction of an intact ring such that no two of a group overlap, in few
 * groups: all lanes of a group can have one wavelength of one fibre.
 *
 * This is the colouring of a circular-arc graph, which is NP-hard (Garey, Johnson, Miller and
 * Papadimitriou, 1980). The most lanes on one segment are a lower bound, which is tried first; one
 * group more is tried until RingLaneAssigner or RingLaneExchange finds room for all. It is exact if
 * no arc passes some node.
 *
 * @param problem the pairs and the ring, whose failures do not matter here
 * @param direction the direction of all arcs
 * @param counts the lanes of each pair, of which some are above 0 only on arcs of this direction
 * @return the lanes by pair; the lane is the index of the group
 */
std::vector<RingUnit> GroupRingLanes(const RingProblem& problem,
                                     uint32_t direction,
                                     const std::vector<uint32_t>& counts);

} // namespace lightpath
} // namespace ns3

#endif /* RING_LANE_GROUPS_H */
