/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_ROOM_H
#define RING_ROOM_H

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
 * @brief What is still free on a ring to which lanes are given one by one.
 *
 * If lanes are kept from end to end then a lane is free on an arc if nobody has it there. If they
 * are but counted then a segment has so many left, and a pair takes the lowest of its lanes that
 * its source does not add for another.
 */
class RingRoom
{
  public:
    /**
     * All is free at first.
     *
     * @param problem the pairs and the ring; must outlive this object
     */
    explicit RingRoom(const RingProblem& problem);

    /**
     * @param unit a lane that a pair has
     */
    void Set(const RingUnit& unit);

    /**
     * Take one lane for a pair on the shorter of its arcs that has one.
     *
     * @param pair index of the pair
     * @param most the most segments that the arc may cover
     * @param units the list to which the lane is added
     * @return true if there was one
     */
    bool TakeOne(uint32_t pair, uint32_t most, std::vector<RingUnit>& units);

  private:
    /**
     * @param pair index of the pair
     * @param direction the direction of a usable arc of it
     * @param lane where to put the lane
     * @return true if there was one
     */
    bool Take(uint32_t pair, uint32_t direction, uint32_t& lane);

    /**
     * Take a lane for a pair where lanes are but counted.
     *
     * @param unit the lane
     */
    void Count(const RingUnit& unit);

    /**
     * @param pair index of a pair
     * @param direction a direction
     * @param lane a lane
     * @return whether the source of the pair adds the lane for some pair
     */
    char& IsAdded(uint32_t pair, uint32_t direction, uint32_t lane);

    const RingProblem& m_problem;                //!< The pairs and the ring
    std::array<RingLaneTable, 2> m_tables;       //!< The lanes that are free, by direction
    std::array<std::vector<uint32_t>, 2> m_free; //!< How many are free, by direction and segment
    std::array<std::vector<char>, 2> m_added;    //!< What is added, by direction, node and lane
    std::vector<uint32_t> m_lanes;               //!< The lane that is being taken
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_ROOM_H */
