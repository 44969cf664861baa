/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_PACKER_H
#define RING_PACKER_H

#include "ring-lane-assigner.h"
#include "ring-lane-exchange.h"
#include "ring-problem.h"
#include "ring-router.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Tries to realise given numbers of lanes on a ring: directions first, then lanes.
 */
class RingPacker
{
  public:
    /**
     * @param problem the pairs and the ring; must outlive this object
     */
    explicit RingPacker(const RingProblem& problem);

    /**
     * @param needs the lanes wanted by pair
     * @param units where to put the lanes if all were found
     * @return true if all were found; false does not prove that this is impossible
     */
    bool Pack(const std::vector<uint32_t>& needs, std::vector<RingUnit>& units);

  private:
    /**
     * Find lanes for the directions found last as well as the greedy ways can.
     *
     * @param excess the lanes for which these directions have no room, summed over all segments
     * @return true if all lanes were found; else the attempt is kept if it is the best one so far
     */
    bool Attempt(uint64_t excess);

    /**
     * Give each pair lanes that its source uses for no other, where segments only limit their
     * number.
     *
     * @return true if all were found, as they are wherever these directions allow it
     */
    bool Count();

    const RingProblem& m_problem;                //!< The pairs and the ring
    RingRouter m_router;                         //!< Finds directions
    std::array<RingLaneAssigner, 2> m_assigners; //!< Find lanes, by direction
    RingLaneExchange m_exchange;                 //!< Places the lanes that these have left out
    bool m_hasTies{false};                       //!< Whether a pair has equally long sides
    bool m_hasAttempt{false};                    //!< Whether there is an attempt to complete
    std::vector<RingUnit> m_units;               //!< The lanes of the best attempt
    std::vector<uint32_t> m_missing;             //!< The pairs that it leaves out
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_PACKER_H */
