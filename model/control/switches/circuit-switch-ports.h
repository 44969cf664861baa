/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_SWITCH_PORTS_H
#define CIRCUIT_SWITCH_PORTS_H

#include "ns3/circuit-switch-geometry.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The ports of parallel circuit switches that work, as tables.
 *
 * Switches with the same working ports form a group; switches on which no circuit is possible
 * belong to none. On duplex switches a device has a port if both its input and its output work.
 */
class CircuitSwitchPorts
{
  public:
    /**
     * @brief Switches with the same working ports.
     */
    struct Group
    {
        std::vector<uint32_t> switches; //!< Their indices, ascending
        std::vector<bool> inputs;       //!< Whether a device can send through them, by device
        std::vector<bool> outputs;      //!< Whether a device can receive through them, by device
    };

    /**
     * @param geometry the switches and their failures
     */
    explicit CircuitSwitchPorts(const CircuitSwitchGeometry& geometry);

    /**
     * @return the number of devices
     */
    uint32_t GetNDevices() const;

    /**
     * @return the number of switches
     */
    uint32_t GetNSwitches() const;

    /**
     * @return the groups, by the index of their first switch
     */
    const std::vector<Group>& GetGroups() const;

    /**
     * @return the number of switches that each device can send through, by device
     */
    const std::vector<uint32_t>& GetInputs() const;

    /**
     * @return the number of switches that each device can receive through, by device
     */
    const std::vector<uint32_t>& GetOutputs() const;

    /**
     * @param source the device that sends
     * @param destination the device that receives
     * @return the number of switches that could join the two
     */
    uint32_t CountJoining(uint32_t source, uint32_t destination) const;

  private:
    uint32_t m_switches;             //!< Number of switches
    std::vector<Group> m_groups;     //!< The groups
    std::vector<uint32_t> m_inputs;  //!< Switches that a device can send through
    std::vector<uint32_t> m_outputs; //!< Switches that a device can receive through
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_SWITCH_PORTS_H */
