/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_SWITCH_MAX_MIN_ALLOCATOR_H
#define CIRCUIT_SWITCH_MAX_MIN_ALLOCATOR_H

#include "circuit-switch-allocator.h"

#include <optional>
#include <vector>

namespace ns3
{
namespace lightpath
{

class CircuitPlacement;
class CircuitSwitchPorts;
struct CircuitDemand;
struct FairShare;

/**
 * @ingroup lightpath
 * @brief Max-min fair circuits on parallel optical circuit switches.
 *
 * Each device has one fibre to each switch, and a switch joins its inputs to its outputs one to
 * one. A circuit is a lane whose fibre is the index of the switch; a pair may have several. If all
 * switches have the same working ports then numbers of circuits can be realised if and only if no
 * device sends or receives more of them than it has ports, because a bipartite multigraph of this
 * degree falls apart into as many matchings (Koenig, 1916). So the largest smallest share is found
 * by bisection, without an integer program, and is exact.
 *
 * If the switches differ then shares are tried by bisection with a heuristic that places the
 * circuits, and the bound is the largest share by the numbers of ports alone.
 *
 * If not all demanded pairs can have a circuit then the pairs are taken by descending demand, and
 * the max-min is over those that find a place; the others are unserved.
 */
class CircuitSwitchMaxMinAllocator : public CircuitSwitchAllocator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    CircuitAllocation DoAllocate(const TrafficMatrix& demand) const override;

    /**
     * @param ports the ports that work
     * @param pairs the demanded pairs
     * @param placement where one circuit is placed for each pair that is served
     * @return those that are served, by source and destination, with one circuit each
     */
    static std::vector<CircuitDemand> SelectPairs(const CircuitSwitchPorts& ports,
                                                  const std::vector<CircuitDemand>& pairs,
                                                  CircuitPlacement& placement);

    /**
     * Find the largest share that all pairs can have by the numbers of ports.
     *
     * @param ports the ports that work
     * @param pairs the pairs
     * @return the share; none if there are not enough ports for one circuit each
     */
    static std::optional<FairShare> FindBound(const CircuitSwitchPorts& ports,
                                              const std::vector<CircuitDemand>& pairs);

    /**
     * Find a large share that all pairs can have, and place it.
     *
     * @param ports the ports that work
     * @param pairs the pairs, which get the circuits of this share
     * @param placement where the circuits are placed
     * @return true if each pair has a circuit
     */
    static bool ShareOut(const CircuitSwitchPorts& ports,
                         std::vector<CircuitDemand>& pairs,
                         CircuitPlacement& placement);

    bool m_fillLeftover{true}; //!< Whether ports left over are used too
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_SWITCH_MAX_MIN_ALLOCATOR_H */
