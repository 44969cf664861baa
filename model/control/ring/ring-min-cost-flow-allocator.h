/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_MIN_COST_FLOW_ALLOCATOR_H
#define RING_MIN_COST_FLOW_ALLOCATOR_H

#include "ring-allocator.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Lightpaths on a ring by the minimum-cost flow that the code released with SiP-ML (Khani
 * et al., SIGCOMM 2021) offers besides the max-min, such that the sum of normalised rates is
 * largest.
 *
 * Let x be the share of a direction's lanes that a pair has, and M its demand over the largest
 * demand. Then the sum over all demanded pairs of x / M is made as large as it can, where the
 * shares on each segment add up to 1 at most. This favours pairs that are near each other and have
 * little to send, and starves the others: it is here to compare with, not to be used. In contrast
 * to the released code, arcs past node 0 cover the right segments and lanes are whole without a
 * throw of dice.
 *
 * If shares may be any fractions then the optimum is found exactly, up to the rounding of
 * the ratios 1 / M to 2^-32 of the largest or, on large rings, somewhat more; it is the bound of
 * the allocation. It holds for pairs that keep to the direction that Directions gives them. How
 * whole lanes are made of it, and when these are the best, is told at RingMinCostFlow. With
 * wavelength continuity GroupRingLanes() groups lanes that can share a wavelength, and the groups
 * that add most to the sum get one each. The lanes of the other groups take what is still free, so
 * that those of the pairs with the largest share for their demand are the first to be dropped.
 */
class RingMinCostFlowAllocator : public RingAllocator
{
  public:
    /// Which directions lightpaths take.
    enum Directions
    {
        CLOCKWISE, //!< Clockwise, as in the released code
        BOTH, //!< Each pair its shorter side or, if that is cut, the other; opposite nodes in turn
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    CircuitAllocation DoAllocate(const TrafficMatrix& demand) const override;

    Directions m_directions{CLOCKWISE}; //!< Which directions lightpaths take
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_MIN_COST_FLOW_ALLOCATOR_H */
