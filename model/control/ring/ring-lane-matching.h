/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_LANE_MATCHING_H
#define RING_LANE_MATCHING_H

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Matches takers with lanes that work for them, each lane with one taker at most.
 *
 * This is a maximum bipartite matching that grows along augmenting paths. A taker that is added
 * keeps a lane from then on, but may have to change to another one.
 */
class RingLaneMatching
{
  public:
    /// Tells whether a lane works for a taker, given the taker and the lane.
    using Works = std::function<bool(uint32_t, uint32_t)>;

    /// Stands for no taker.
    static constexpr uint32_t NONE = 0xffffffff;

    /**
     * All lanes are free at first.
     *
     * @param lanes the number of lanes
     * @param works which lanes work for which takers
     */
    RingLaneMatching(uint32_t lanes, Works works);

    /**
     * Give a taker one lane more.
     *
     * @param taker the taker
     * @return true if there is one; false proves that the takers cannot all have their lanes
     */
    bool Add(uint32_t taker);

    /**
     * @return the taker of each lane, or NONE
     */
    const std::vector<uint32_t>& GetTakers() const;

  private:
    /**
     * Give a taker a free lane, or one whose taker finds another.
     *
     * @param taker the taker
     * @return true if there is one
     */
    bool Place(uint32_t taker);

    Works m_works;                  //!< Which lanes work for which takers
    std::vector<uint32_t> m_takers; //!< The taker of each lane
    uint32_t m_next{0};             //!< The lowest lane that may be free
    std::vector<char> m_visited;    //!< The lanes visited since the last success
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_LANE_MATCHING_H */
