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
 * @brief Parallel optical circuit switches, with one fibre from each device to each switch.
 *
 * A switch connects its input ports to its output ports one to one: through each switch a device
 * sends to one device and receives from one device. The lane of a circuit is {switch, 0}: it takes
 * all wavelengths of the fibre. Several switches may join the same pair of devices.
 * CircuitSwitchGeometry::SetFailed() lists the components that can fail. Set the attributes before
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
     * @return the switches with their failures; at least two devices must be attached
     */
    const CircuitSwitchGeometry& GetGeometry() const;

    /**
     * Limit the ports of a switch to the first devices. All devices must be attached before.
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
    FabricPlant GetPlant() const override;
    bool HasPath(uint32_t source, uint32_t destination) const override;
    CircuitPlan Extend(const CircuitPlan& plan, const CircuitPlan& more) const override;
    Time GetPathDelay(uint32_t source, uint32_t destination, Lane lane) const override;
    std::string CheckTurns() const override;

  protected:
    void DoAdd(uint32_t port) override;

  private:
    OpticalPath MakePath(uint32_t hops, uint32_t nPorts) const override;
    uint32_t GetFibreWavelengths() const override;
    bool HasTurned() const override;
    DataRate GetWavelengthRate() const override;
    std::string DoCheck(const CircuitPlan& plan) const override;
    std::string DoSetFailed(const std::string& component, bool failed) override;
    bool IsIntact(PortPair pair, Lane lane) const override;

    uint32_t m_nSwitches;             //!< Number of switches
    double m_fibreLength;             //!< Fibre between a device and a switch, in metres
    std::string m_kind;               //!< Kind of switch
    DataRate m_wavelengthRate;        //!< Rate of a wavelength
    bool m_duplex;                    //!< Circuits are bidirectional
    CircuitSwitchGeometry m_geometry; //!< The switches

    TracedCallback<const CircuitSwitchGeometry&> m_geometryTrace; //!< Components have changed
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_SWITCH_CHANNEL_H */
