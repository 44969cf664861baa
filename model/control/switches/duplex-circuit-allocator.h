/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DUPLEX_CIRCUIT_ALLOCATOR_H
#define DUPLEX_CIRCUIT_ALLOCATOR_H

#include "circuit-switch-allocator.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

class CircuitSwitchPorts;
struct ConcavePair;

/**
 * @ingroup lightpath
 * @brief Circuits on duplex switches, where a circuit joins both ports of two devices.
 *
 * A pair is two devices, and its demand is the sum of both directions. The first circuit of a pair
 * is worth its demand relative to that of the largest pair, and each further one half of the one
 * before it, as in TopoOpt (Wang et al., 2023). The objective is the sum.
 *
 * The circuits of a switch are a matching in a general graph. Switch after switch takes a matching
 * of largest weight (Edmonds, 1965), in which circuits on the switches before it have halved the
 * weights. With one switch this is exact. With more the bound is the smaller of two: what the
 * switches would be worth if no weight were halved, and the best that the numbers of ports alone
 * allow, fractions of circuits included.
 *
 * All devices' numbers of circuits cannot be found first and placed on switches then, as those of
 * one direction can: a graph that is not bipartite may need half as many switches again as it has
 * circuits at a node (Shannon, 1949).
 */
class DuplexCircuitAllocator : public CircuitSwitchAllocator
{
  public:
    /**
     * @brief How the switches are dealt with.
     */
    enum Method
    {
        GREEDY,  //!< Each switch once
        ITERATED //!< Each switch again, beside all others, until no switch becomes worth more
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    /// The pairs that each switch joins, by their indices.
    using Matchings = std::vector<std::vector<uint32_t>>;

    CircuitAllocation DoAllocate(const TrafficMatrix& demand) const override;

    /**
     * @param ports the ports that work
     * @param pairs the pairs
     * @return the pairs that each switch joins
     */
    Matchings FindMatchings(const CircuitSwitchPorts& ports,
                            const std::vector<ConcavePair>& pairs) const;

    /**
     * @param ports the ports that work
     * @param pairs the pairs
     * @return a bound on the total worth of circuits
     */
    static double FindBound(const CircuitSwitchPorts& ports, const std::vector<ConcavePair>& pairs);

    Method m_method{ITERATED}; //!< How the switches are dealt with
};

} // namespace lightpath
} // namespace ns3

#endif /* DUPLEX_CIRCUIT_ALLOCATOR_H */
