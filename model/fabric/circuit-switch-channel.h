/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_SWITCH_CHANNEL_H
#define CIRCUIT_SWITCH_CHANNEL_H

#include "circuit-switch-geometry.h"
#include "optical-channel.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Parallel optical circuit switches, to each of which each device has one fibre.
 *
 * Each switch joins its input ports to its output ports, one to one: a device sends to one other
 * and receives from one other through each switch. The lane of a circuit is {switch, 0}: it takes
 * all wavelengths of the fibre. A pair of devices may be joined by several switches at once.
 * What can fail is named in CircuitSwitchGeometry::SetFailed(). The attributes are to be set before
 * devices are attached.
 */
class CircuitSwitchChannel : public OpticalChannel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    CircuitSwitchChannel();

    /**
     * @return the number of switches
     */
    uint32_t GetNSwitches() const;

    /**
     * @return the switches, with what has failed; there must be two devices at least
     */
    const CircuitSwitchGeometry& GetGeometry() const;

    /**
     * Give a switch ports for the first devices only. All devices must be attached before.
     *
     * @param circuitSwitch the index of the switch
     * @param ports the number of its ports
     */
    void SetNPorts(uint32_t circuitSwitch, uint32_t ports);

    /**
     * TracedCallback signature for a failure or a repair.
     *
     * @param geometry the switches as they are now
     */
    typedef void (*GeometryTracedCallback)(const CircuitSwitchGeometry& geometry);

    std::string GetFabricName() const override;
    bool HasPath(uint32_t source, uint32_t destination) const override;
    Time GetPathDelay(uint32_t source, uint32_t destination, Lane lane) const override;

  protected:
    void DoAdd(uint32_t port) override;

  private:
    std::string DoCheck(const CircuitPlan& plan) const override;
    std::string DoSetFailed(const std::string& component, bool failed) override;
    bool IsIntact(PortPair pair, Lane lane) const override;

    uint32_t m_nSwitches;             //!< Number of switches
    double m_fibreLength;             //!< Fibre between a device and a switch, in metres
    bool m_duplex;                    //!< A circuit comes with the one back
    CircuitSwitchGeometry m_geometry; //!< The switches

    TracedCallback<const CircuitSwitchGeometry&> m_geometryTrace; //!< What works has changed
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_SWITCH_CHANNEL_H */
