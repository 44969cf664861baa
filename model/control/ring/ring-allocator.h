/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_ALLOCATOR_H
#define RING_ALLOCATOR_H

#include "ns3/circuit-allocator.h"
#include "ns3/ring-geometry.h"

#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Computes the lightpaths of a ring of micro-ring resonators.
 *
 * The geometry has the failures and the WavelengthMode, which plans respect. No lightpath covers
 * more segments than MaxDistance.
 */
class RingAllocator : public CircuitAllocator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param geometry the ring and its failures
     */
    void SetGeometry(const RingGeometry& geometry);

    /**
     * @return the ring, whose reach is MaxDistance
     */
    const RingGeometry& GetGeometry() const;

    uint32_t GetNPorts() const override;
    std::string GetObstacle(uint32_t source, uint32_t destination) const override;

  private:
    /**
     * @param hops the most segments that a lightpath may cover; 0 for any number
     */
    void SetMaxDistance(uint32_t hops);

    /**
     * @return the most segments that a lightpath may cover; 0 for any number
     */
    uint32_t GetMaxDistance() const;

    RingGeometry m_geometry{2, 1, 1}; //!< The ring, with the reach
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_ALLOCATOR_H */
