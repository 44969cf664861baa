/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MAX_DEMAND_ALLOCATOR_H
#define MAX_DEMAND_ALLOCATOR_H

#include "circuit-switch-allocator.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Circuits of the largest total demand on parallel optical circuit switches, as in the
 * multi-shot program of SiP-ML (Khani et al., 2021).
 *
 * The objective is the sum, over all circuits, of the demand of their pair relative to the largest
 * demand. A pair is worth its whole demand on each switch again, so each switch takes a matching of
 * largest weight of the ports that it has, and switches with the same ports take the same one. This
 * is exact whatever has failed.
 */
class MaxDemandAllocator : public CircuitSwitchAllocator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    CircuitAllocation DoAllocate(const TrafficMatrix& demand) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* MAX_DEMAND_ALLOCATOR_H */
