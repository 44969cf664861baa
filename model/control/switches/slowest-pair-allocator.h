/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SLOWEST_PAIR_ALLOCATOR_H
#define SLOWEST_PAIR_ALLOCATOR_H

#include "circuit-switch-allocator.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

struct CircuitDemand;

/**
 * @ingroup lightpath
 * @brief Circuits for the slowest pair of devices, one after the other: the greedy rule of MixNet
 * (SIGCOMM 2025) for an all-to-all.
 *
 * The demand of a pair is the sum of both directions, and a circuit of a pair is a circuit in each
 * direction. The time of a pair is its demand over its circuits, infinite without any. The pair
 * with the largest time gets a circuit if both devices have ports left, again and again; of pairs
 * with the same time the one with the most demand, of these the one whose devices have the most
 * ports left, and of these the first. Pairs without a circuit are left to an electrical network.
 *
 * The objective is the smallest ratio, over the demanded pairs, of circuits to demand relative to
 * the largest demand. The rule is optimal in it: when a pair finds a device without ports left, all
 * circuits of this device are needed for any smaller time.
 */
class SlowestPairAllocator : public CircuitSwitchAllocator
{
  public:
    /// The rule for a slowest pair one of whose devices has no port left.
    enum WhenFull
    {
        SKIP_PAIR, //!< Other pairs still get circuits
        STOP,      //!< No pair gets another circuit, as in the released program
    };

    /// Of several pairs without a circuit, the one that gets one first.
    enum FirstCircuit
    {
        MOST_DEMAND, //!< That with the most demand, as in MixNet
        MOST_PORTS,  //!< That whose devices have the most ports left, so that none is left out
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    CircuitAllocation DoAllocate(const TrafficMatrix& demand) const override;

    /**
     * Give circuits to the slowest pair, again and again.
     *
     * @param free the ports of each device
     * @param [in,out] pairs the pairs of devices, without circuits at first
     */
    void GiveCircuits(std::vector<uint32_t> free, std::vector<CircuitDemand>& pairs) const;

    FirstCircuit m_firstCircuit; //!< The pair that gets its first circuit first
    WhenFull m_whenFull;         //!< What happens when a device has no ports left
};

} // namespace lightpath
} // namespace ns3

#endif /* SLOWEST_PAIR_ALLOCATOR_H */
