/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_DIRECTIONS_H
#define RING_DIRECTIONS_H

#include "ns3/planning-problem.h"
#include "ns3/strategy.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Finds out which groups of a strategy could sum along two rings, one each way round, on a
 * fabric where a GPU cannot send all of its rate to one peer (FabricLimits::peerBitRate).
 */
class RingDirections
{
  public:
    /**
     * Groups of more than two members may have two rings, unless their algorithm is given, and as
     * far as the fabric gives a GPU circuits to two peers for each kind of group. Data parallelism
     * alone has two rings anyway. Where ranks stand in servers, groups may have them across
     * servers.
     *
     * @param fabric the fabric
     * @param strategy a strategy
     * @return the strategy with two rings over replicas, with two within replicas, and with both,
     *         as far as they can be
     */
    static std::vector<Strategy> GetBothWays(const FabricLimits& fabric, const Strategy& strategy);
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_DIRECTIONS_H */
