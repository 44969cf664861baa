/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ODDL_HELPER_H
#define ODDL_HELPER_H

#include "fabric-helper.h"
#include "oddl-control-network.h"

#include "ns3/application-container.h"
#include "ns3/bring-up.h"
#include "ns3/ipv4-address.h"
#include "ns3/oddl-settings.h"

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
 * each node (OddlControlUnit), and a network for their messages unless one is given.
 *
 * The bandwidth of a node is the sum over its transceivers at both of its switches. Half of it is
 * at each, unless the attribute RowShare of the channel is set, or the grid has one row or one
 * column, where the only useful switch has it all.
 */
class OddlHelper : public FabricHelper
{
  public:
    /**
     * A grid with the defaults of its channel and control units: 100 Gb/s at each switch of a node.
     */
    OddlHelper();

    /**
     * Set the shape of the grid: the attributes Rows and Columns of the channel. By default the
     * number of rows is the largest divisor of the number of nodes that does not exceed the number
     * of columns.
     *
     * @param rows the number of rows; 0 for as many as the columns need
     * @param columns the number of columns; 0 for as many as the rows need
     */
    void SetGrid(uint32_t rows, uint32_t columns);

    /**
     * @param transceivers the number of transceivers of a node at each of its two switches, which
     *        share the bandwidth there evenly: the attribute Transceivers of the channel
     */
    void SetTransceivers(uint32_t transceivers);

    /**
     * @param steps the steps before the first bit of a flow: the TuningTime and the LockTime of the
     *        channel
     */
    void SetBringUp(const BringUp& steps);

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
     * Send control messages over an existing network, whose nodes have the IPv4 stack and routes to
     * each other, in place of a network built by Install().
     *
     * @param addresses the address of each node in this network, in the order of the nodes
     */
    void SetControlAddresses(const std::vector<Ipv4Address>& addresses);

    /**
     * Choose whether the switches are set from the start (the default), or by an arbiter
     * (OddlArbiter) for one job of all nodes before the first frame.
     *
     * @param isSet true if the switches are set from the start
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
     * @param rows the number of rows
     * @param columns the number of columns
     * @return the share of the bandwidth of a node at the switch of its row
     */
    double GetRowShare(uint32_t rows, uint32_t columns) const;

    /**
     * @return the time from a request to its grant over the network that Install() builds, without
     *         queueing
     */
    Time GetControlTime() const;

    /**
     * @return the latency of a message on the fabric, without queueing
     */
    Time GetFlowTime() const;

    /**
     * @param devices devices that Install() returned
     * @return their control units, in the order of the ports: applications of the type
     *         ns3::lightpath::OddlControlUnit
     */
    static ApplicationContainer GetUnits(const NetDeviceContainer& devices);

    std::string Check(uint32_t nNodes) const override;
    std::string CheckComponent(const std::string& component, uint32_t nNodes) const override;

    /**
     * @param rows the number of rows
     * @param columns the number of columns
     * @return true if all switches of such a grid that connect nodes have bandwidth
     */
    bool IsUsable(uint32_t rows, uint32_t columns) const;

    /**
     * @return the settings of control units
     */
    OddlSettings GetUnitSettings() const;

    /**
     * @return the network that carries control messages
     */
    const OddlControlNetwork& GetControlNetwork() const
    {
        return m_network;
    }

    /**
     * @return whether switches are set from the start
     */
    bool IsInitiallySet() const
    {
        return m_isSet;
    }

  private:
    std::vector<DerivedAttribute> GetDerived() const override;
    void ConfigureSize(ObjectFactory& factory, uint32_t nNodes) const override;
    void ConfigureAttached(Ptr<FabricChannel> channel) const override;

    bool m_isSet{true};                   //!< Switches are set from the start
    ObjectFactory m_unitFactory;          //!< Makes the control units
    OddlControlNetwork m_network;         //!< The network to be built
    std::vector<Ipv4Address> m_addresses; //!< Addresses in an existing network, or none
    Ipv4Address m_arbiter;                //!< Address of the arbiter in an existing network
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_HELPER_H */
