/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_SWITCH_GEOMETRY_H
#define CIRCUIT_SWITCH_GEOMETRY_H

#include "circuit-planes.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Parallel circuit switches, their ports, and their failures.
 *
 * Device i has input i and output i of each switch with more than i ports. A circuit through switch
 * q leads from the input of one device to the output of another; each input and each output carries
 * one circuit. Circuits of duplex switches are bidirectional: they join both ports of the two
 * devices.
 *
 * To a scheduler each switch is a plane, and the lane of a circuit through switch q is {q, 0}.
 */
class CircuitSwitchGeometry : public CircuitPlanes
{
  public:
    /**
     * Switches with a port for each device.
     *
     * @param devices the number of devices, at least 2
     * @param switches the number of switches, at least 1
     */
    CircuitSwitchGeometry(uint32_t devices, uint32_t switches);

    /**
     * @return the number of devices
     */
    uint32_t GetNDevices() const;

    /**
     * @return the number of switches
     */
    uint32_t GetNSwitches() const;

    /**
     * Limit the ports of a switch to the first devices.
     *
     * @param circuitSwitch the index of the switch
     * @param ports the number of its ports; ports beyond the number of devices are unused
     */
    void SetNPorts(uint32_t circuitSwitch, uint32_t ports);

    /**
     * @param circuitSwitch the index of a switch
     * @return the number of devices that it has ports for, working or not
     */
    uint32_t GetNPorts(uint32_t circuitSwitch) const;

    /**
     * @param duplex whether circuits are bidirectional; false by default
     */
    void SetDuplex(bool duplex);

    /**
     * @return whether circuits are bidirectional
     */
    bool IsDuplex() const;

    /**
     * Mark a component as failed, or as repaired. An unknown name ends the program with a message
     * that lists the known names.
     *
     * @param component "switch:Q", a whole switch; "input:Q:P" and "output:Q:P", the paths by which
     *        device P sends to switch Q and receives from it (a port of the switch, a fibre or a
     *        transceiver); "port:Q:P", both
     * @param failed true for a failure, false for a repair
     */
    void SetFailed(const std::string& component, bool failed);

    /**
     * As SetFailed(), but return the message for an unknown name.
     *
     * @param component the name of the component
     * @param failed true for a failure, false for a repair
     * @return empty if the component exists; otherwise a message that lists the known ones
     */
    [[nodiscard]] std::string TrySetFailed(const std::string& component, bool failed);

    /**
     * @param circuitSwitch the index of a switch
     * @param device the index of a device
     * @return true if the device can send through the switch
     */
    bool HasInput(uint32_t circuitSwitch, uint32_t device) const;

    /**
     * @param circuitSwitch the index of a switch
     * @param device the index of a device
     * @return true if the device can receive through the switch
     */
    bool HasOutput(uint32_t circuitSwitch, uint32_t device) const;

    /**
     * @return true if each device can send and receive through each switch
     */
    bool IsUniform() const;

    /**
     * @param source the device that sends
     * @param destination the device that receives
     * @param circuitSwitch the index of a switch
     * @return true if the switch could join the two
     */
    bool CanJoin(uint32_t source, uint32_t destination, uint32_t circuitSwitch) const;

    /**
     * @param source the device that sends
     * @param destination the device that receives
     * @return true if one of the switches could join the two, which are different devices
     */
    bool HasPath(uint32_t source, uint32_t destination) const;

    uint32_t GetNPorts() const override;
    uint32_t GetNPlanes() const override;
    std::optional<Lane> FindLane(uint32_t source,
                                 uint32_t destination,
                                 uint32_t plane) const override;
    std::string FindConflict(const CircuitPlan& plan) const override;

    /**
     * @param plan a plan without conflict
     * @param more another one
     * @return the plan with the circuits of the other whose ports it leaves free
     */
    CircuitPlan Extend(const CircuitPlan& plan, const CircuitPlan& more) const;

  private:
    uint32_t m_devices;                                     //!< Number of devices
    std::vector<uint32_t> m_ports;                          //!< Ports, by switch
    bool m_duplex{false};                                   //!< Circuits are bidirectional
    std::set<uint32_t> m_failedSwitches;                    //!< Failed switches
    std::set<std::pair<uint32_t, uint32_t>> m_failedInputs; //!< By switch and device
    /// By switch and device
    std::set<std::pair<uint32_t, uint32_t>> m_failedOutputs;
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_SWITCH_GEOMETRY_H */
