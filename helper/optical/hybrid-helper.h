/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HYBRID_HELPER_H
#define HYBRID_HELPER_H

#include "interconnect-helper.h"

#include <memory>
#include <string>

namespace ns3
{
namespace lightpath
{

class FabricHelper;

/**
 * @ingroup lightpath
 * @brief Installs an optical fabric and an electrical network beside it.
 *
 * Each node has a device on both. Install() returns the devices on the fabric, in the order of the
 * nodes, and then the devices on the network. A training job chooses between them for each
 * message.
 */
class HybridHelper : public InterconnectHelper
{
  public:
    /**
     * Combine two helpers. A pair that CheckParts() rejects ends the program with its message.
     *
     * @param optical installs the fabric
     * @param electrical installs the network
     */
    HybridHelper(std::unique_ptr<FabricHelper> optical,
                 std::unique_ptr<InterconnectHelper> electrical);

    ~HybridHelper() override;

    /**
     * @param optical installs a fabric
     * @param electrical installs a network
     * @return empty if the two can form a hybrid; otherwise an error message
     */
    [[nodiscard]] static std::string CheckParts(const FabricHelper& optical,
                                                const InterconnectHelper& electrical);

    /**
     * @return the helper that installs the fabric
     */
    FabricHelper& GetOptical() const;

    /**
     * @return the helper that installs the network
     */
    InterconnectHelper& GetElectrical() const;

    /**
     * @param devices devices that Install() returned
     * @return the devices on the fabric
     */
    static NetDeviceContainer GetOpticalDevices(const NetDeviceContainer& devices);

    /**
     * @param devices devices that Install() returned
     * @return the devices on the network
     */
    static NetDeviceContainer GetElectricalDevices(const NetDeviceContainer& devices);

    std::string Check(uint32_t nNodes) const override;

    /**
     * @param bandwidth the rate of each node into the optical fabric, and out of it; set the rate
     *        into the network by GetElectrical().SetBandwidth()
     */
    void SetBandwidth(DataRate bandwidth) override;

    /**
     * @return the rate of each node into the optical fabric
     */
    DataRate GetBandwidth() const override;

    /**
     * @param delay that of messages over the fabric, and over the network
     */
    void SetMessageDelay(Time delay) override;
    NetDeviceContainer Install(const NodeContainer& nodes) const override;

    /**
     * Let nodes use IPv4 over the network.
     *
     * @param devices devices that Install() returned
     * @return the interfaces of the network, in the order of the nodes
     */
    Ipv4InterfaceContainer AssignAddresses(const NetDeviceContainer& devices) const override;

    Ptr<CircuitController> CreateController(const NetDeviceContainer& devices) const override;

  private:
    std::unique_ptr<FabricHelper> m_optical;          //!< Installs the fabric
    std::unique_ptr<InterconnectHelper> m_electrical; //!< Installs the network
};

} // namespace lightpath
} // namespace ns3

#endif /* HYBRID_HELPER_H */
