/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_BOUND_H
#define RING_BOUND_H

#include "model/control/fair-share.h"
#include "ring-prices.h"
#include "ring-problem.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Conditions that every allocation of lanes on a ring meets.
 *
 * They bound the share that the pairs of a problem can have, and tell cheaply of many numbers of
 * lanes that they cannot be realised.
 */
class RingBound
{
  public:
    /**
     * @param problem the pairs and the ring; must outlive this object
     */
    explicit RingBound(const RingProblem& problem);

    /**
     * @param share a share
     * @return false if not all pairs can have it; true says nothing
     */
    bool MayFit(const FairShare& share);

    /**
     * Look more thoroughly for the largest share that may fit.
     *
     * @param low a share that fits
     * @param high a share that the smallest share of no allocation exceeds
     * @return the lowest such share found
     */
    FairShare Lower(const FairShare& low, const FairShare& high);

    /**
     * @return the largest share that may fit; no lanes if not even one for each pair may fit
     */
    FairShare GetLargest();

  private:
    /**
     * What a lane on an arc costs in one direction: either the segments that it covers, or, as no
     * two arcs of more than half the ring share a lane that is kept from end to end, two for such
     * an arc and one for half.
     */
    enum Cost : uint8_t
    {
        SEGMENTS,
        LONG_ARCS,
    };

    /// Find the pairs that can choose a direction, by descending use of moving them, for all costs.
    void SortPairs();

    /**
     * @param pair a pair
     * @param direction the direction of its arc
     * @param cost the cost to count
     * @return the cost of one lane
     */
    uint64_t GetCost(const RingPair& pair, uint32_t direction, Cost cost) const;

    /**
     * @param share a share
     * @param [out] needs the lanes that pairs want for it, if it may fit
     * @return false if not all pairs can have it, whatever the prices
     */
    bool MayFit(const FairShare& share, std::vector<uint64_t>& needs) const;

    /**
     * Fill the counterclockwise direction with the pairs that relieve the clockwise one most for
     * their cost; lanes may be split, so that this is the best possible.
     *
     * @param needs the lanes wanted by pair
     * @param clockwise the cost to count clockwise
     * @param counterclockwise the cost to count counterclockwise
     * @return false if the clockwise direction is still overloaded
     */
    bool FitsDirections(const std::vector<uint64_t>& needs,
                        Cost clockwise,
                        Cost counterclockwise) const;

    const RingProblem& m_problem; //!< The pairs and the ring
    FairShare m_limit;            //!< What single pairs can have
    RingPrices m_prices;          //!< The prices found so far
    /// The pairs with both arcs usable, by descending relief, by clockwise and other cost
    std::array<std::array<std::vector<uint32_t>, 2>, 2> m_order;
    /// The sum of all costs that there is room for, by direction and cost
    std::array<std::array<uint64_t, 2>, 2> m_room;
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_BOUND_H */
