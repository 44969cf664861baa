/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ODDL_HELPER_H
#define ODDL_HELPER_H

#include "fabric-helper.h"
#include "oddl-control-network.h"

#include "ns3/ipv4-address.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class OddlControlUnit;

/**
 * @ingroup lightpath
 * @brief Installs ODDL: a grid of wavelength-selective switches (WssGridChannel), a control unit on
 * each node (OddlControlUnit), and a network for their messages unless there is one.
 *
 * The bandwidth of a node is the sum over its transceivers at one of its two switches.
 */
class OddlHelper : public FabricHelper
{
  public:
    /**
     * A grid whose channel and control units are as they are by default: 100 Gb/s a node.
     */
    OddlHelper();

    /**
     * Set the form of the grid: the attributes Rows and Columns of the channel. Without it, the
     * number of rows is the largest divisor of the number of nodes that is not above the number of
     * columns.
     *
     * @param rows the number of rows; 0 for as many as the columns need
     * @param columns the number of columns; 0 for as many as the rows need
     */
    void SetGrid(uint32_t rows, uint32_t columns);

    /**
     * @param transceivers the number of transceivers of a node at each of its two switches, which
     *        share the bandwidth evenly: the attribute Transceivers of the channel
     */
    void SetTransceivers(uint32_t transceivers);

    /**
     * Set an attribute of the control units (OddlControlUnit) to be installed.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetUnitAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param network the network for control messages that Install() builds
     */
    void SetControlNetwork(const OddlControlNetwork& network);

    /**
     * Send control messages over an existing network; none is built. Its nodes have the IPv4 stack
     * and routes to each other.
     *
     * @param addresses the address of each node there, in the order of the nodes
     */
    void SetControlAddresses(const std::vector<Ipv4Address>& addresses);

    /**
     * Let switches be set from the start (the default), or let an arbiter (OddlArbiter) set them
     * for one job of all nodes before the first frame is sent.
     *
     * @param isSet true for switches that are set from the start
     */
    void SetInitiallySet(bool isSet);

    /**
     * Use an arbiter at an address of the network given with SetControlAddresses().
     *
     * @param address the address
     */
    void SetArbiterAddress(Ipv4Address address);

    /**
     * @param nNodes a number of nodes
     * @return the rows and the columns of their grid
     */
    std::pair<uint32_t, uint32_t> GetGrid(uint32_t nNodes) const;

    /**
     * @return the time from a request to its grant over the network that Install() builds, if
     *         nothing queues
     */
    Time GetControlTime() const;

    /**
     * @return the time that a message on the fabric takes besides its bytes, if nothing queues
     */
    Time GetFlowTime() const;

    /**
     * @param devices devices that Install() returned
     * @return their control units, in the order of the ports
     */
    static std::vector<Ptr<OddlControlUnit>> GetUnits(const NetDeviceContainer& devices);

    std::string Check(uint32_t nNodes) const override;
    std::string CheckComponent(const std::string& component, uint32_t nNodes) const override;
    FabricLimits GetLimits(uint32_t nNodes) const override;

  private:
    std::vector<DerivedAttribute> GetDerived() const override;
    void ConfigureSize(ObjectFactory& factory, uint32_t nNodes) const override;
    void ConfigureAttached(Ptr<FabricChannel> channel) const override;

    bool m_isSet{true};                   //!< Switches are set from the start
    ObjectFactory m_unitFactory;          //!< Makes the control units
    OddlControlNetwork m_network;         //!< The network to be built
    std::vector<Ipv4Address> m_addresses; //!< Addresses on one that exists; empty to build one
    Ipv4Address m_arbiter;                //!< Address of the arbiter on one that exists
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_HELPER_H */
