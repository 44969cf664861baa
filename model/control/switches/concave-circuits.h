/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONCAVE_CIRCUITS_H
#define CONCAVE_CIRCUITS_H

#include "circuit-placement.h"
#include "circuit-switch-ports.h"
#include "concave-flow.h"

#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Looks for the circuits whose sum of concave utilities is largest.
 *
 * If all switches have the same working ports then only their numbers count, and a flow of least
 * cost is exact. Otherwise it is a flow of many commodities, one for each group of switches. A flow
 * then gives the circuits of one group that are best beside those of the other groups, group after
 * group, until no group improves the sum; this starts again from gains that are disturbed at
 * random, always from the same seed (iterated local search: Lourenco, Martin and Stuetzle, 2003).
 */
class ConcaveCircuits
{
  public:
    /**
     * @param ports the ports that work
     * @param pairs the pairs, by source and destination
     */
    ConcaveCircuits(const CircuitSwitchPorts& ports, std::vector<ConcavePair> pairs);

    /**
     * @return a value that the sum of utilities cannot exceed: the best that the numbers of ports
     *         allow
     */
    double GetBound() const;

    /**
     * @param demand the bytes to be carried by the pairs
     * @param fill whether ports that are left over are given to the pairs with the smallest share
     * @return circuits whose sum of utilities is large
     */
    CircuitPlan MakePlan(const TrafficMatrix& demand, bool fill);

    /**
     * @param plan circuits
     * @return their sum of utilities
     */
    double GetValue(const CircuitPlan& plan) const;

  private:
    /// The number of circuits by group and pair.
    using Circuits = std::vector<std::vector<uint32_t>>;

    /**
     * Find the circuits that are best if only the number of ports of a device counts.
     */
    void Relax();

    /**
     * Find circuits for each of several groups.
     */
    void Search();

    /**
     * Replace the circuits of a group by those that are best beside the other groups.
     *
     * @param group the index of the group
     * @param pairs the pairs
     * @param circuits the circuits, of which those of the group are replaced
     */
    void Improve(std::size_t group,
                 const std::vector<ConcavePair>& pairs,
                 Circuits& circuits) const;

    /**
     * Improve the groups in turn until the sum stays.
     *
     * @param circuits the circuits
     * @return the sum of utilities
     */
    double Ascend(Circuits& circuits) const;

    /**
     * @param circuits circuits
     * @return how many each pair has
     */
    std::vector<uint32_t> Count(const Circuits& circuits) const;

    /**
     * @param circuits the number of circuits by pair
     * @return the sum of utilities
     */
    double Sum(const std::vector<uint32_t>& circuits) const;

    /// Pairs times groups that the search may look at.
    static constexpr uint64_t EFFORT = 20000;

    const CircuitSwitchPorts& m_ports; //!< The ports that work
    std::vector<ConcavePair> m_pairs;  //!< The pairs, with gains for the switches that join them
    double m_bound{0};                 //!< The best that the numbers of ports allow
    Circuits m_circuits;               //!< The best circuits
};

} // namespace lightpath
} // namespace ns3

#endif /* CONCAVE_CIRCUITS_H */
