/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_CIRCUIT_SWITCH_ORACLE_H
#define LIGHTPATH_CIRCUIT_SWITCH_ORACLE_H

#include "ns3/circuit-plan.h"
#include "ns3/circuit-switch-allocator.h"
#include "ns3/circuit-switch-channel.h"
#include "ns3/circuit-switch-geometry.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @param type the type of the allocator, without its namespace
 * @param attribute the name of an enum or Boolean attribute; empty for none
 * @param value the value of the attribute
 * @return the allocator
 */
ns3::Ptr<ns3::lightpath::CircuitSwitchAllocator> MakeAllocator(const std::string& type,
                                                               const std::string& attribute = "",
                                                               const std::string& value = "");

/**
 * @ingroup lightpath-tests
 * @param devices the number of devices, which are attached
 * @param switches the number of switches
 * @param duplex whether a circuit comes with the one back
 * @return the switches
 */
ns3::Ptr<ns3::lightpath::CircuitSwitchChannel> MakeSwitches(uint32_t devices,
                                                            uint32_t switches,
                                                            bool duplex);

/**
 * @ingroup lightpath-tests
 * Leave out some ports, and let ports and switches fail.
 *
 * @param random the source of random numbers
 * @param channel the switches
 */
void Damage(std::mt19937& random, ns3::Ptr<ns3::lightpath::CircuitSwitchChannel> channel);

/**
 * @ingroup lightpath-tests
 * @param geometry the switches
 * @param demand the bytes to be carried
 * @param plan circuits on these switches
 * @return a demanded pair that a switch has both ports free for; empty if there is none
 */
std::string FindRoom(const ns3::lightpath::CircuitSwitchGeometry& geometry,
                     const ns3::lightpath::TrafficMatrix& demand,
                     const ns3::lightpath::CircuitPlan& plan);

/**
 * @ingroup lightpath-tests
 * @brief Finds all numbers of circuits that switches can give to demanded pairs such that no switch
 * could carry one more circuit.
 *
 * On duplex switches a pair is two devices, the smaller index first, and its demand that of both
 * directions.
 */
class SwitchSearch
{
  public:
    /// The worth of numbers of circuits, by pair.
    using Worth = std::function<double(const std::vector<uint32_t>&)>;

    /**
     * @param geometry at most 15 switches
     * @param demand a demand of at most 16 pairs
     */
    SwitchSearch(const ns3::lightpath::CircuitSwitchGeometry& geometry,
                 const ns3::lightpath::TrafficMatrix& demand);

    /**
     * @param worth the worth of numbers of circuits, which does not fall with more circuits
     * @return the largest worth of all numbers of circuits
     */
    double Maximise(const Worth& worth) const;

    /**
     * @return the demand of each pair
     */
    const std::vector<double>& GetBytes() const;

    /**
     * @param gain the worth that the circuit with this number, from 0, adds to a pair of this
     *        demand
     * @return the sum of these worths, over the largest demand
     */
    Worth MakeSum(const std::function<double(double bytes, uint32_t circuit)>& gain) const;

  private:
    /**
     * @param duplex whether a circuit comes with the one back
     * @param a the index of a pair
     * @param b the index of another
     * @return true if one switch can join both pairs
     */
    bool AreApart(bool duplex, std::size_t a, std::size_t b) const;

    /**
     * @param duplex whether a circuit comes with the one back
     * @param possible the pairs that a switch could join alone
     * @return the numbers of circuits that the switch can give
     */
    std::vector<uint64_t> FindMatchings(bool duplex,
                                        const std::vector<std::size_t>& possible) const;

    std::vector<ns3::lightpath::PortPair> m_pairs; //!< The pairs
    std::vector<double> m_bytes;                   //!< Their demands
    std::vector<uint64_t> m_circuits;              //!< Numbers of circuits, 4 bits for each pair
};

#endif /* LIGHTPATH_CIRCUIT_SWITCH_ORACLE_H */
