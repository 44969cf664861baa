/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONNECTED_ALLOCATOR_H
#define CONNECTED_ALLOCATOR_H

#include "circuit-switch-allocator.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Has another allocator decide, and sees to it that all devices can reach each other, be it
 * over several circuits.
 *
 * Where the circuits of the other allocator leave some without any way to others, one switch joins
 * all in a ring, and the other allocator decides on the other switches. The ring takes the
 * largest demands first that still fit in one; this is the greedy heuristic of the travelling
 * salesman, for the largest sum. Relays (RelayTransport) then reach everyone, as in TopoOpt (Wang
 * et al., NSDI 2023), whose rings serve the same purpose.
 *
 * A device that the switch with most ports has no working port for is not in the ring.
 */
class ConnectedAllocator : public CircuitSwitchAllocator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param allocator the other allocator, which is not for duplex switches; it is told of the
     *        switches that it is to decide on at each decision
     */
    void SetAllocator(Ptr<CircuitSwitchAllocator> allocator);

  private:
    CircuitAllocation DoAllocate(const TrafficMatrix& demand) const override;

    /**
     * @param plan circuits
     * @param devices some devices
     * @return whether each of the devices can reach each other one over the circuits
     */
    bool IsConnected(const CircuitPlan& plan, const std::vector<uint32_t>& devices) const;

    /**
     * @param circuitSwitch the index of a switch
     * @return the devices that can send and receive through it
     */
    std::vector<uint32_t> GetDevices(uint32_t circuitSwitch) const;

    /**
     * @param demand the bytes to be carried
     * @param devices some devices, two at least
     * @return the pairs of devices that are next to each other in the ring
     */
    static std::vector<PortPair> FindRing(const TrafficMatrix& demand,
                                          const std::vector<uint32_t>& devices);

    Ptr<CircuitSwitchAllocator> m_allocator; //!< The other allocator
};

} // namespace lightpath
} // namespace ns3

#endif /* CONNECTED_ALLOCATOR_H */
