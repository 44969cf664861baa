/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_FREE_LANES_H
#define RING_FREE_LANES_H

#include "ring-lane-table.h"
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
 * @brief The lanes of a ring that are still free while lanes are granted one by one.
 *
 * With wavelength continuity a lane is free on an arc if no other pair has it on a segment of the
 * arc. With LoadOnly, each segment only tracks how many lanes remain, and a pair takes the lowest
 * lane that its source does not use already. Lanes that have failed are never granted.
 */
class RingFreeLanes
{
  public:
    /**
     * All lanes are free at first.
     *
     * @param problem the pairs and the ring; must outlive this object
     */
    explicit RingFreeLanes(const RingProblem& problem);

    /**
     * Note a lane that a pair has.
     *
     * @param unit the lane
     */
    void Set(const RingUnit& unit);

    /**
     * Grant a pair the lowest free lane of one direction.
     *
     * @param pair index of the pair
     * @param direction the direction of a usable arc of the pair
     * @param units the list to which the lane is added
     * @return true if there is one
     */
    bool Take(uint32_t pair, uint32_t direction, std::vector<RingUnit>& units);

    /**
     * Grant a pair the lowest free lane on the shorter of its arcs that has one.
     *
     * @param pair index of the pair
     * @param most the most segments that the arc may cover
     * @param units the list to which the lane is added
     * @return true if there is one
     */
    bool TakeOne(uint32_t pair, uint32_t most, std::vector<RingUnit>& units);

  private:
    /**
     * Grant a lane where each segment only tracks how many remain.
     *
     * @param unit the lane
     */
    void Count(const RingUnit& unit);

    /**
     * @param unit a lane of a pair
     * @return whether the source of the pair uses the lane for some pair
     */
    char& IsAdded(const RingUnit& unit);

    const RingProblem& m_problem;                //!< The pairs and the ring
    std::array<RingLaneTable, 2> m_tables;       //!< The lanes that are free, by direction
    std::array<std::vector<uint32_t>, 2> m_left; //!< Lanes that remain, by direction and segment
    std::array<std::vector<char>, 2> m_added;    //!< Lanes in use, by direction, source and lane
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_FREE_LANES_H */
