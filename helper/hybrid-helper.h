/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HYBRID_HELPER_H
#define HYBRID_HELPER_H

#include "interconnect-helper.h"

#include <memory>

namespace ns3
{
namespace lightpath
{

class FabricHelper;

/**
 * @ingroup lightpath
 * @brief Installs an optical fabric and an electrical network beside it.
 *
 * Each node has a device of either. Install() returns those of the fabric, in the order of the
 * nodes, and then those of the network. A HybridTransport chooses between them
 * (TrainingHelper::InstallHybrid()).
 */
class HybridHelper : public InterconnectHelper
{
  public:
    /**
     * @param optical installs the fabric
     * @param electrical installs the network; std::invalid_argument if that is one of circuits, or
     *        cannot be beside the fabric
     */
    HybridHelper(std::unique_ptr<FabricHelper> optical,
                 std::unique_ptr<InterconnectHelper> electrical);

    ~HybridHelper() override;

    /**
     * @return what installs the fabric
     */
    FabricHelper& GetOptical() const;

    /**
     * @return what installs the network
     */
    InterconnectHelper& GetElectrical() const;

    /**
     * @param devices devices that Install() returned
     * @return those of the fabric
     */
    static NetDeviceContainer GetOpticalDevices(const NetDeviceContainer& devices);

    /**
     * @param devices devices that Install() returned
     * @return those of the network
     */
    static NetDeviceContainer GetElectricalDevices(const NetDeviceContainer& devices);

    /**
     * @param bandwidth the rate of each node into the optical fabric, and out of it; that into the
     *        network is set by GetElectrical().SetBandwidth()
     */
    void SetBandwidth(DataRate bandwidth) override;

    /**
     * @return the rate of each node into the optical fabric
     */
    DataRate GetBandwidth() const override;

    NetDeviceContainer Install(const NodeContainer& nodes) const override;

    /**
     * Have nodes speak IPv4 over the network.
     *
     * @param devices devices that Install() returned
     * @return the interfaces of the network, in the order of the nodes
     */
    Ipv4InterfaceContainer AssignAddresses(const NetDeviceContainer& devices) const override;

    Ptr<CircuitController> CreateController(const NetDeviceContainer& devices) const override;

    /**
     * @param nNodes the number of nodes
     * @return what a planner needs to know of the optical fabric over so many nodes
     */
    FabricLimits GetLimits(uint32_t nNodes) const override;

  private:
    std::unique_ptr<FabricHelper> m_optical;          //!< Installs the fabric
    std::unique_ptr<InterconnectHelper> m_electrical; //!< Installs the network
};

} // namespace lightpath
} // namespace ns3

#endif /* HYBRID_HELPER_H */
