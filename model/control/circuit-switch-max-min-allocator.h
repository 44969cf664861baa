/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_SWITCH_MAX_MIN_ALLOCATOR_H
#define CIRCUIT_SWITCH_MAX_MIN_ALLOCATOR_H

#include "circuit-switch-allocator.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Max-min fair circuits on parallel optical circuit switches, exactly.
 *
 * Each port has one fibre to each switch, and a switch joins its inputs to its outputs one to one.
 * A circuit is a lane whose fibre is the index of the switch; a pair may have several. Numbers of
 * circuits can be realised if and only if no port sends or receives more of them than there are
 * switches, because a bipartite multigraph of this degree falls apart into as many matchings
 * (Koenig). So the largest smallest share is found by bisection, without an integer program.
 *
 * If a port has more demanded peers than there are switches then the pairs are taken by descending
 * demand, and the max-min is over those that find both their ports free; the others are unserved.
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
    /**
     * @brief A pair with its demand and its circuits.
     */
    struct Pair
    {
        PortPair ports;       //!< Source and destination
        uint64_t bytes{0};    //!< The demand
        uint32_t circuits{0}; //!< The circuits granted
    };

    CircuitAllocation DoAllocate(const TrafficMatrix& demand) const override;

    /**
     * @param demand the bytes to be carried
     * @return the pairs that are served, by source and destination
     */
    std::vector<Pair> SelectPairs(const TrafficMatrix& demand) const;

    /**
     * Give each pair the circuits of the largest share that all can have.
     *
     * @param pairs the pairs that are served
     */
    void ShareOut(std::vector<Pair>& pairs) const;

    /**
     * Give circuits on ports that are left over to the pairs with the smallest share.
     *
     * @param pairs the pairs that are served
     */
    void FillUp(std::vector<Pair>& pairs) const;

    /**
     * @param pairs the pairs that are served
     * @return their circuits, each on one of the switches
     */
    CircuitPlan MakePlan(const std::vector<Pair>& pairs) const;

    bool m_fillLeftover{true}; //!< Whether ports left over are used too
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_SWITCH_MAX_MIN_ALLOCATOR_H */
