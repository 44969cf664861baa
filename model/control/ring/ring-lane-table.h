/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_LANE_TABLE_H
#define RING_LANE_TABLE_H

#include "ring-problem.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Which lanes are free on which segments, in one direction of a ring.
 */
class RingLaneTable
{
  public:
    /// No lane.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * All lanes are free at first.
     *
     * @param problem the ring; must outlive this object
     */
    explicit RingLaneTable(const RingProblem& problem);

    /// Make all lanes free.
    void Clear();

    /**
     * Take lanes that an arc may have and that are free on all of its segments.
     *
     * @param arc the arc
     * @param count the most lanes wanted
     * @param from the lane from which on free lanes are taken upwards, beginning again at 0
     * @param lanes the list to which the lanes are appended
     * @return how many were found
     */
    uint32_t Take(const RingArc& arc, uint32_t count, uint32_t from, std::vector<uint32_t>& lanes);

    /**
     * Take the first lane that an arc may have and that is free on all of its segments.
     *
     * @param arc the arc
     * @return the lane; NONE if there is none
     */
    uint32_t TakeFirst(const RingArc& arc);

    /**
     * Take one lane whether it is free or not.
     *
     * @param arc the arc
     * @param lane the lane
     */
    void Set(const RingArc& arc, uint32_t lane);

    /**
     * @return the number of steps spent in taking lanes so far
     */
    uint64_t GetWork() const;

  private:
    /**
     * Collect the lanes that an arc may have and that are free on all of its segments.
     *
     * @param arc the arc
     * @return true if there is one
     */
    bool FindFree(const RingArc& arc);

    /**
     * Pick free lanes out of a range and note them as taken.
     *
     * @param begin the first lane of the range
     * @param end the lane after the last
     * @param count the most lanes wanted
     * @param lanes the list to which the lanes are appended
     * @return how many were found
     */
    uint32_t Pick(uint32_t begin, uint32_t end, uint32_t count, std::vector<uint32_t>& lanes);

    const RingProblem& m_problem;   //!< The ring
    uint32_t m_nodes;               //!< Number of segments
    uint32_t m_capacity;            //!< Number of lanes
    uint32_t m_words;               //!< Words of 64 lanes for one segment
    std::vector<uint64_t> m_free;   //!< A bit for each free lane, by segment
    std::vector<uint64_t> m_common; //!< The lanes that are free on an arc
    std::vector<uint64_t> m_taken;  //!< The lanes that are being taken
    uint64_t m_work{0};             //!< Steps spent
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_LANE_TABLE_H */
