/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTERCONNECT_HELPER_H
#define INTERCONNECT_HELPER_H

#include "ns3/circuit-controller.h"
#include "ns3/data-rate.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/planner.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs what a training job runs on: a fabric of one channel (FabricHelper), or a network
 * of switches (DatacenterHelper).
 *
 * This class cannot be instantiated, as it does not know the kind of interconnect.
 */
class InterconnectHelper
{
  public:
    /**
     * @return the names that Create() knows, in ascending order
     */
    static std::vector<std::string> GetNames();

    /**
     * @param name one that FabricHelper::Create() knows, "cluster" (ClusterHelper), "fat-tree"
     *        (FatTreeHelper) or "leaf-spine" (LeafSpineHelper), or two names with a plus between
     *        them (HybridHelper); std::invalid_argument, which lists them, for any other
     * @return the helper for this kind of interconnect
     */
    static std::unique_ptr<InterconnectHelper> Create(const std::string& name);

    virtual ~InterconnectHelper();

    /**
     * @param bandwidth the rate of each node into the interconnect, and out of it; one that it
     *        cannot have is refused by std::invalid_argument
     */
    virtual void SetBandwidth(DataRate bandwidth) = 0;

    /**
     * @return the rate of each node into the interconnect
     */
    virtual DataRate GetBandwidth() const = 0;

    /**
     * Install the interconnect and, on each node, a device that is attached to it.
     *
     * @param nodes the nodes
     * @return the devices, in the order of the nodes
     */
    virtual NetDeviceContainer Install(const NodeContainer& nodes) const = 0;

    /**
     * Have nodes speak IPv4 over the interconnect: those without a protocol stack get one, and each
     * device gets an address, unless it has one already.
     *
     * @param devices devices that Install() returned
     * @return the interfaces, in the order of the devices
     */
    virtual Ipv4InterfaceContainer AssignAddresses(const NetDeviceContainer& devices) const = 0;

    /**
     * @param devices devices that Install() returned
     * @return what decides on the circuits between them, not started yet; null for an interconnect
     *         without circuits
     */
    virtual Ptr<CircuitController> CreateController(const NetDeviceContainer& devices) const = 0;

    /**
     * @param nNodes the number of nodes
     * @return what a planner needs to know of the interconnect over so many nodes
     */
    virtual FabricLimits GetLimits(uint32_t nNodes) const = 0;
};

} // namespace lightpath
} // namespace ns3

#endif /* INTERCONNECT_HELPER_H */
