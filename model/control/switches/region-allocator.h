/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REGION_ALLOCATOR_H
#define REGION_ALLOCATOR_H

#include "ns3/circuit-allocator.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Gives lightpaths to the pairs of ports in the same region, as the allocator of the region
 * decides; ports of different regions get none, nor do ports without a region.
 */
class RegionAllocator : public CircuitAllocator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param regions the allocators of the regions, whose ports follow each other
     * @param alone the number of further ports, without a region
     */
    RegionAllocator(std::vector<Ptr<const CircuitAllocator>> regions, uint32_t alone);

    uint32_t GetNPorts() const override;

  private:
    CircuitAllocation DoAllocate(const TrafficMatrix& demand) const override;

    std::vector<Ptr<const CircuitAllocator>> m_regions; //!< The allocators of the regions
    uint32_t m_alone;                                   //!< Further ports, without a region
};

} // namespace lightpath
} // namespace ns3

#endif /* REGION_ALLOCATOR_H */
