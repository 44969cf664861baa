/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_MAX_MIN_ALLOCATOR_H
#define RING_MAX_MIN_ALLOCATOR_H

#include "model/control/allocation-memory.h"
#include "ring-allocator.h"

#include <tuple>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Max-min fair lightpaths on a ring whose wavelengths are used again on disjoint arcs.
 *
 * A lightpath takes one lane on all segments of one of its pair's two arcs; a pair may have lanes
 * in both directions. Choosing directions and lanes such that the smallest share of all pairs
 * becomes largest is hard, so this is a heuristic: shares are tried by bisection, the directions
 * are found by a local search that starts on the shorter sides, and the lanes by sweeping the ring
 * and, where that fails, by exchanging lanes. What is granted is real: no two lightpaths have a
 * lane of a segment in common. On a ring that converts wavelengths (RingGeometry::LOAD_ONLY) the
 * directions are all there is to find, and each pair takes the lowest of its lanes.
 *
 * CircuitAllocation::bound tells what a better allocation could reach at most. With TightenBound it
 * approaches the optimum of the linear program that splits lanes in fractions, by prices for the
 * lanes of each segment; on small rings it is no larger.
 *
 * Pairs without a lane on an arc that works and may be used are unserved and do not hold back the
 * others; the bound is 0 then. If the ring has no room for a lane of each pair then pairs are
 * served by descending demand, and the max-min is over those that find room.
 *
 * Recent demands, on the same ring, get the same allocation again without a search.
 */
class RingMaxMinAllocator : public RingAllocator
{
  public:
    /// The arcs that a pair may have lanes on.
    enum Routing
    {
        SHORTER, //!< The shorter one; both if they are equally long
        SPLIT,   //!< Both
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    /// The demanded pairs and granted lanes of the allocations that are kept.
    static constexpr uint64_t MEMORY = 200000;

    /// The ring and the attributes, on which an allocation depends besides the demand.
    using Conditions = std::tuple<RingGeometry, bool, bool, Routing>;

    CircuitAllocation DoAllocate(const TrafficMatrix& demand) const override;

    /**
     * @param demand a demand
     * @return the allocation for it, worked out anew
     */
    CircuitAllocation Solve(const TrafficMatrix& demand) const;

    /// Forget all allocations if the conditions have changed.
    void CheckMemory() const;

    bool m_fillLeftover{true};  //!< Whether lanes left over are given too
    bool m_tightenBound{false}; //!< Whether the bound is as low as can be shown
    Routing m_routing{SPLIT};   //!< The arcs that a pair may have lanes on

    /// The conditions of the allocations in memory
    mutable Conditions m_conditions{GetGeometry(), true, false, SPLIT};
    mutable AllocationMemory m_memory{MEMORY}; //!< The last allocations
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_MAX_MIN_ALLOCATOR_H */
