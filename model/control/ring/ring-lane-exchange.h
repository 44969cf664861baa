/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_LANE_EXCHANGE_H
#define RING_LANE_EXCHANGE_H

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
 * @brief Completes an incomplete assignment of lanes by exchanging lanes that were assigned before.
 *
 * A missing lane is placed where it displaces the fewest segments of other lanes, in either
 * direction. The displaced lanes are missing then, and may not return to the same place for a while
 * (a tabu search among partial colourings).
 */
class RingLaneExchange
{
  public:
    /**
     * @param problem the pairs and the ring; must outlive this object
     */
    explicit RingLaneExchange(const RingProblem& problem);

    /**
     * @param units the lanes assigned so far, no two on one segment the same; completed
     * @param missing the pairs that lack a lane, one entry for each lane
     * @param effort the number of steps after which the search is given up
     * @return true if no pair lacks a lane any more
     */
    bool Complete(std::vector<RingUnit>& units,
                  const std::vector<uint32_t>& missing,
                  uint64_t effort);

  private:
    /// Marks a lane that is free on a segment.
    static constexpr uint32_t NOBODY = UINT32_MAX;

    /**
     * @brief A lane that a missing one may take.
     */
    struct Candidate
    {
        std::size_t missing{0}; //!< Index in the list of the missing
        RingUnit unit;          //!< Its place
        uint64_t cost{0};       //!< The segments of the displaced lanes
    };

    /**
     * @param unit a lane of a pair
     * @return the number of the pair, direction and lane among all
     */
    std::size_t GetIndex(const RingUnit& unit) const;

    /**
     * @param direction a direction
     * @param lane a lane
     * @return the pairs that have the lane, by segment
     */
    uint32_t* GetOwners(uint32_t direction, uint32_t lane);

    /**
     * @param best where to put the lane that drives out least
     * @return true if there is one that is not forbidden
     */
    bool FindCandidate(Candidate& best);

    /**
     * @param unit a lane for a pair
     * @param limit the cost from which on the exact one is of no interest
     * @return the segments of the lanes that would be driven out
     */
    uint64_t GetCost(const RingUnit& unit, uint64_t limit);

    /**
     * Note whose a lane is on all segments of its arc.
     *
     * @param unit the lane of a pair
     * @param owner its new owner
     */
    void Mark(const RingUnit& unit, uint32_t owner);

    /**
     * Give a missing pair its lane and drive out the pairs that have the lane now.
     *
     * @param candidate the lane
     */
    void Apply(const Candidate& candidate);

    /**
     * @return a number that looks random and is the same in each run
     */
    uint32_t Draw();

    const RingProblem& m_problem;                 //!< The pairs and the ring
    std::array<std::vector<uint32_t>, 2> m_owner; //!< The pair by direction, lane and segment
    std::vector<uint32_t> m_frozen;               //!< The step until which a unit may not return
    std::vector<char> m_has;                      //!< Whether a unit is assigned
    std::vector<uint32_t> m_missing;              //!< The pairs that lack a lane
    uint32_t m_step{0};                           //!< The number of the step
    uint64_t m_work{0};                           //!< The work spent
    uint32_t m_state{1};                          //!< The state of Draw()
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_LANE_EXCHANGE_H */
