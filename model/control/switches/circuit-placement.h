/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_PLACEMENT_H
#define CIRCUIT_PLACEMENT_H

#include "bipartite-edge-colouring.h"
#include "circuit-switch-ports.h"

#include "ns3/circuit-plan.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A pair of devices with its demand and its number of circuits.
 */
struct CircuitDemand
{
    PortPair ports;       //!< Source and destination
    uint64_t bytes{0};    //!< The demand, at least 1
    uint32_t circuits{0}; //!< Number of circuits

    /**
     * @param demand the bytes to be carried
     * @return its pairs, by source and destination, without circuits
     */
    static std::vector<CircuitDemand> List(const TrafficMatrix& demand);
};

/**
 * @ingroup lightpath
 * @brief Places circuits on switches, where both of their ends have a port that works and is free.
 *
 * To place circuits is to colour the edges of a bipartite multigraph by switches. If all switches
 * have the same working ports then numbers of circuits that no device has too few ports for can
 * always be placed (Koenig). Otherwise each circuit has a list of its own of switches, and the
 * question is NP-complete: circuits that find no switch, by alternating paths either, take the
 * place of others, which may not come back to the same switch for a while (the tabu search with
 * partial colourings of Bloechliger and Zufferey, 2008).
 */
class CircuitPlacement
{
  public:
    /**
     * @param ports the ports that work
     */
    explicit CircuitPlacement(const CircuitSwitchPorts& ports);

    /**
     * Place one more circuit. Others may change to another switch.
     *
     * @param pair source and destination
     * @return true if there was room for it
     */
    bool Add(PortPair pair);

    /**
     * Place circuits, those with the smallest choice of switches first.
     *
     * @param pairs the pairs with their numbers of circuits
     * @return true if all of them found a place; otherwise some have, and perhaps others than Add()
     *         would have placed
     */
    bool Place(const std::vector<CircuitDemand>& pairs);

    /**
     * Place the circuits of one group of switches, of which no device has more than ports.
     *
     * @param group the group
     * @param pairs the pairs
     * @param circuits the number of circuits by pair
     */
    void PlaceGroup(const CircuitSwitchPorts::Group& group,
                    const std::vector<PortPair>& pairs,
                    const std::vector<uint32_t>& circuits);

    /**
     * Give circuits on ports that are left over, always to the pair with the smallest share.
     *
     * @param pairs the pairs with the circuits that they have
     */
    void Fill(std::vector<CircuitDemand>& pairs);

    /**
     * @return the circuits
     */
    CircuitPlan GetPlan() const;

  private:
    /**
     * Let circuits take the places of others, until all have one.
     *
     * @param waiting the circuits without a place
     * @return true if all have a place
     */
    bool Repair(std::deque<PortPair> waiting);

    /**
     * Put a circuit on a switch in place of those at its ends.
     *
     * @param pair source and destination
     * @param index the switch
     * @return those that had to go
     */
    std::vector<PortPair> Replace(PortPair pair, uint32_t index);

    CircuitSwitchPorts m_ports;         //!< The ports that work
    BipartiteEdgeColouring m_colouring; //!< The circuits, coloured by switches
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_PLACEMENT_H */
