/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_COLLECTIVES_H
#define RING_COLLECTIVES_H

#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Chooses how the groups of a plan sum in a network of links whose routes are known.
 *
 * Where the strategy has the algorithm AUTOMATIC, a group sums along as many rings at once as have
 * a link of their own for each of their messages (MULTI_RING, with the strides of
 * MultiRingSchedule::GetStrides()), and along one ring if there are not two such.
 * On a torus, a group whose ranks are on axes sums along all of these (TORUS). Where ports
 * should send to all others rather than to a few, all ranks do so (DIRECT).
 */
class RingCollectives
{
  public:
    /**
     * Choose anew for the placement of a plan.
     *
     * @param links the network
     * @param [in,out] plan the plan
     */
    static void Choose(const LinkLimits& links, TrainingPlan& plan);

    /**
     * @param links the network
     * @param ports the ports of the members of a group, in the order of their positions
     * @return the rings along which the group sums
     */
    static uint32_t Count(const LinkLimits& links, const std::vector<uint32_t>& ports);

  private:
    /**
     * @param links the network
     * @param plan a plan
     * @param kind a kind of group
     * @return how all groups of this kind sum
     */
    static CollectiveOptions GetForKind(const LinkLimits& links,
                                        const TrainingPlan& plan,
                                        uint32_t kind);
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_COLLECTIVES_H */
