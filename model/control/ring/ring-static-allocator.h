/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_STATIC_ALLOCATOR_H
#define RING_STATIC_ALLOCATOR_H

#include "ring-allocator.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Gives all ordered pairs of nodes of a ring the same number of lanes, whatever the demand.
 *
 * This is a wavelength-routed mesh on a ring, as Quartz (Liu et al., SIGCOMM 2014) has it. Lanes
 * take the shorter side; pairs of opposite nodes take turns between the directions. If all is
 * intact and there is room, the fewest wavelengths possible are used: one lane for each pair of n
 * nodes takes ceil(floor(n^2/4)/2) in each direction at most. Beyond that, RingLaneAssigner finds
 * wavelengths, as it does for max-min allocations.
 *
 * Failed components are avoided, by the longer side of the ring if need be. Pairs for which no lane
 * is left are left out, those far apart first; a pair gets its second lane only after all others
 * had their turn for the first. If that still leaves pairs out, fewer lanes are tried for all. Of
 * the allocation, only the fairness, the bound and the unserved pairs depend on the demand. The
 * objective is the fairness; the bound is the one that the best plan for the demand may reach.
 */
class RingStaticAllocator : public RingAllocator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    CircuitAllocation DoAllocate(const TrafficMatrix& demand) const override;

    uint32_t m_lanesPerPair{1}; //!< Lanes for each ordered pair
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_STATIC_ALLOCATOR_H */
