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
 * @brief Parallel circuit switches, the devices that each of them has a port for, and what has
 * failed.
 *
 * Device i has input i and output i of a switch, as far as the switch has so many ports. A circuit
 * through switch q leads from an input to an output of q, of two different devices; each input and
 * each output carries one circuit. On duplex switches a circuit comes with the one back: the two
 * devices join both their ports of this switch.
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
     * Give a switch ports for the first devices only.
     *
     * @param circuitSwitch the index of the switch
     * @param ports the number of its ports; more than there are devices serve no device
     */
    void SetNPorts(uint32_t circuitSwitch, uint32_t ports);

    /**
     * @param circuitSwitch the index of a switch
     * @return the number of devices that it has ports for, whether these work or not
     */
    uint32_t GetNPorts(uint32_t circuitSwitch) const;

    /**
     * @param duplex whether a circuit comes with the one back; not at first
     */
    void SetDuplex(bool duplex);

    /**
     * @return whether a circuit comes with the one back
     */
    bool IsDuplex() const;

    /**
     * Take a component out of use, or bring it back. A name that no component has ends the program
     * with a sentence that lists the known ones.
     *
     * @param component "switch:Q", a whole switch; "input:Q:P" and "output:Q:P", the path by which
     *        device P sends to switch Q and the one by which it receives from it (a port of the
     *        switch, a fibre or a transceiver); "port:Q:P", both
     * @param failed true to take it out of use, false to mend it
     */
    void SetFailed(const std::string& component, bool failed);

    /**
     * As SetFailed(), for a name that may belong to no component.
     *
     * @param component the name of the component
     * @param failed true to take it out of use, false to mend it
     * @return empty if the switches have it; otherwise the sentence that lists the known ones
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

  private:
    uint32_t m_devices;                                     //!< Number of devices
    std::vector<uint32_t> m_ports;                          //!< Ports, by switch
    bool m_duplex{false};                                   //!< A circuit comes with the one back
    std::set<uint32_t> m_failedSwitches;                    //!< Switches out of use
    std::set<std::pair<uint32_t, uint32_t>> m_failedInputs; //!< By switch and device
    /// By switch and device
    std::set<std::pair<uint32_t, uint32_t>> m_failedOutputs;
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_SWITCH_GEOMETRY_H */
