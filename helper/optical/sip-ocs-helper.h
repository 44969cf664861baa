/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SIP_OCS_HELPER_H
#define SIP_OCS_HELPER_H

#include "circuit-fabric-helper.h"

#include "ns3/circuit-switch-geometry.h"

#include <map>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs parallel optical circuit switches: SiP-OCS of SiP-ML.
 *
 * The bandwidth of a node must be a multiple of the wavelength rate and is split evenly over the
 * switches, rounded down to whole bit/s.
 */
class SipOcsHelper : public CircuitFabricHelper
{
  public:
    /**
     * 20 switches, 2 Tb/s a node and a switching delay of 10 ms.
     */
    SipOcsHelper();

    /**
     * @param rate the rate of one wavelength, of which the bandwidth of a node must be a multiple;
     *        a circuit takes all wavelengths of its fibre
     */
    void SetWavelengthRate(DataRate rate) override;

    /**
     * @param nSwitches the number of switches: the attribute NSwitches of the channel
     */
    void SetNSwitches(uint32_t nSwitches);

    /**
     * @param duplex whether circuits are bidirectional, through the same switch: the attribute
     *        Duplex of the channel. This requires an allocator for duplex circuits
     *        (DuplexCircuitAllocator).
     */
    void SetDuplex(bool duplex);

    /**
     * @param connected whether all nodes must be connected, over one or several circuits
     *        (ConnectedAllocator), as relays require; false by default. The switches must not be
     *        duplex.
     */
    void SetConnected(bool connected);

    /**
     * Limit the ports of a switch to the first nodes; by default it has one for each node.
     *
     * @param circuitSwitch the index of the switch
     * @param ports the number of its ports; ports beyond the number of nodes are unused
     */
    void SetNPorts(uint32_t circuitSwitch, uint32_t ports);

    std::vector<CircuitAlgorithm> GetAlgorithms() const override;
    std::string Check(uint32_t nNodes) const override;
    Time GetPathDelay() const override;
    DataRate GetWavelengthRate() const override;
    std::string CheckComponent(const std::string& component, uint32_t nNodes) const override;

    /**
     * @param nNodes the number of nodes, at least 2
     * @return the switches for these nodes, all of whose components work
     */
    CircuitSwitchGeometry GetGeometry(uint32_t nNodes) const;

    /**
     * @return the number of switches
     */
    uint32_t GetNSwitches() const;
    bool CanTurn() const override;
    uint32_t GetDegree() const override;
    uint32_t GetNCircuits() const override;

  private:
    std::vector<DerivedAttribute> GetDerived() const override;
    void ConfigureAttached(Ptr<FabricChannel> channel) const override;
    Ptr<CircuitAllocator> Complete(Ptr<CircuitAllocator> allocator) const override;
    std::string CheckAllocator(TypeId type) const override;
    std::pair<uint32_t, std::string> GetSliceable() const override;
    void KeepShare(uint32_t count) override;
    void ConfigureAllocator(Ptr<CircuitAllocator> allocator, uint32_t nNodes) const override;
    void Follow(Ptr<CircuitAllocator> allocator, Ptr<OpticalChannel> channel) const override;
    std::string PrepareScheduler(Ptr<CircuitScheduler> scheduler, uint32_t nNodes) const override;
    void ConfigureScheduler(Ptr<CircuitScheduler> scheduler,
                            Ptr<OpticalChannel> channel) const override;

    /**
     * @return whether circuits are bidirectional
     */
    bool IsDuplex() const;

    DataRate m_wavelengthRate; //!< Rate of one wavelength
    bool m_connected{false};   //!< All nodes reach each other

    std::map<uint32_t, uint32_t> m_nPorts; //!< Ports of switches that do not have all
};

} // namespace lightpath
} // namespace ns3

#endif /* SIP_OCS_HELPER_H */
