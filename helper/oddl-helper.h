/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ODDL_HELPER_H
#define ODDL_HELPER_H

#include "fabric-helper.h"
#include "oddl-control-network.h"

#include "ns3/oddl-arbiter.h"
#include "ns3/oddl-control-unit.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs ODDL: a grid of wavelength-selective switches (WssGridChannel), a control unit on
 * each node (OddlControlUnit), and a network for their messages unless there is one.
 *
 * The bandwidth of a node is that of its transceivers at one of its two switches together.
 */
class OddlHelper : public FabricHelper
{
  public:
    OddlHelper();
    ~OddlHelper() override;

    /**
     * Set the form of the grid. Without it, rows are as many as possible that divide the nodes
     * evenly and are not more than columns.
     *
     * @param rows the number of rows; 0 for what the columns leave
     * @param columns the number of columns; 0 for what the rows leave
     */
    void SetGrid(uint32_t rows, uint32_t columns);

    /**
     * @param transceivers the number of transceivers of a node at each of its two switches;
     *        std::invalid_argument unless they make up the bandwidth evenly
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
     * @param network the network for control messages that is to be built
     */
    void SetControlNetwork(const OddlControlNetwork& network);

    /**
     * Have control messages use a network that exists; none is built. Its nodes have the IPv4 stack
     * and routes to each other.
     *
     * @param addresses the address of each node there, in the order of the nodes
     */
    void SetControlAddresses(const std::vector<Ipv4Address>& addresses);

    /**
     * Have an arbiter (OddlArbiter) set the switches for one job of all nodes before anything is
     * sent, instead of switches that are set from the start.
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
     * @return the rows and the columns of their grid; std::invalid_argument if they do not fit
     */
    std::pair<uint32_t, uint32_t> GetGrid(uint32_t nNodes) const;

    /**
     * @return the time from a request to its grant, if nothing queues, over the network that is to
     *         be built
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

    std::string CheckComponent(const std::string& component, uint32_t nNodes) const override;
    Ptr<CircuitController> CreateController(const NetDeviceContainer& devices) const override;
    FabricLimits GetLimits(uint32_t nNodes) const override;

  private:
    void ConfigureChannel(ObjectFactory& factory) const override;
    void ConfigureSize(ObjectFactory& factory, uint32_t nNodes) const override;
    void ConfigureAttached(Ptr<FabricChannel> channel) const override;

    uint32_t m_rows{0};                   //!< Rows, 0 for what the columns leave
    uint32_t m_columns{0};                //!< Columns, 0 for what the rows leave
    uint32_t m_transceivers{1};           //!< Transceivers of a node at each switch
    bool m_isSet{true};                   //!< Switches are set from the start
    ObjectFactory m_unitFactory;          //!< Makes the control units
    OddlControlNetwork m_network;         //!< The network to be built
    std::vector<Ipv4Address> m_addresses; //!< Addresses on one that exists; empty to build one
    Ipv4Address m_arbiter;                //!< Address of the arbiter on one that exists
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_HELPER_H */
