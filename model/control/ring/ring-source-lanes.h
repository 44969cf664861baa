/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_SOURCE_LANES_H
#define RING_SOURCE_LANES_H

#include "ring-problem.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The lanes of one direction that each node adds, for one lightpath each.
 *
 * With LoadOnly, the lanes of a source are all that must differ: segments only limit their number.
 * Lanes that were found may be exchanged for others as more are added.
 */
class RingSourceLanes
{
  public:
    /**
     * @param problem the pairs and the ring; must outlive this object
     */
    explicit RingSourceLanes(const RingProblem& problem);

    /**
     * Forget all lanes.
     *
     * @param direction the direction to go on with
     */
    void Restart(uint32_t direction);

    /**
     * Find another lane for a pair.
     *
     * @param pair index of the pair, whose arc must be usable
     * @return true if there is one, perhaps after an exchange; it is found wherever one exists
     */
    bool Add(uint32_t pair);

    /**
     * @param units the list to which all lanes are added, by pair and lane
     */
    void AppendUnits(std::vector<RingUnit>& units) const;

  private:
    /// Stands for no pair.
    static constexpr uint32_t NONE = 0xffffffff;

    /**
     * Take a lane for a pair, from another that finds a different one if need be.
     *
     * @param pair index of the pair
     * @return true if there was one
     */
    bool Exchange(uint32_t pair);

    /**
     * @param pair index of a pair
     * @param lane a lane
     * @return the pair for which the source of this pair adds the lane
     */
    uint32_t& GetOwner(uint32_t pair, uint32_t lane);

    const RingProblem& m_problem;   //!< The pairs and the ring
    uint32_t m_direction{0};        //!< The direction
    std::vector<uint32_t> m_owners; //!< For which pair, by node and lane
    std::vector<uint32_t> m_next;   //!< The lowest lane that may be free, by node
    std::vector<char> m_visited;    //!< Whether a lane was tried in this exchange
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_SOURCE_LANES_H */
