/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_SWITCH_ALLOCATOR_H
#define CIRCUIT_SWITCH_ALLOCATOR_H

#include "ns3/circuit-allocator.h"
#include "ns3/circuit-switch-geometry.h"

namespace ns3
{
namespace lightpath
{

class ConcaveCircuits;

/**
 * @ingroup lightpath
 * @brief Decides which circuits parallel circuit switches should carry.
 *
 * The geometry says which devices a switch has ports for, which of these have failed, and whether a
 * circuit comes with the one back; plans keep to all of it. A circuit is a lane whose fibre is the
 * index of the switch.
 */
class CircuitSwitchAllocator : public CircuitAllocator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param geometry the switches and their failures
     */
    void SetGeometry(const CircuitSwitchGeometry& geometry);

    /**
     * @return the switches
     */
    const CircuitSwitchGeometry& GetGeometry() const;

    uint32_t GetNPorts() const override;

  protected:
    /**
     * Refuse, by std::invalid_argument, switches of the other kind.
     *
     * @param duplex whether the allocator decides on circuits that come with the one back
     */
    void CheckDuplex(bool duplex) const;

    /**
     * Judge a plan by the sum of its utilities.
     *
     * @param plan the circuits
     * @param demand the bytes to be carried
     * @param circuits the utilities, and a bound on their sum
     * @return the plan with its objective and bound, relative to the largest demand
     */
    static CircuitAllocation AssessUtility(CircuitPlan plan,
                                           const TrafficMatrix& demand,
                                           const ConcaveCircuits& circuits);

  private:
    CircuitSwitchGeometry m_geometry{2, 1}; //!< The switches
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_SWITCH_ALLOCATOR_H */
