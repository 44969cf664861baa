/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ELECTRICAL_SWITCH_HELPER_H
#define ELECTRICAL_SWITCH_HELPER_H

#include "fabric-helper.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs an ideal electrical switch (CrossbarChannel), with or without servers.
 *
 * GetLimits() tells of the servers and the delays that are set by SetServers() and SetDelay(), but
 * not by SetChannelAttribute(). The bandwidth of a node is that between servers.
 */
class ElectricalSwitchHelper : public FabricHelper
{
  public:
    /**
     * A switch with 2 Tb/s a node.
     */
    ElectricalSwitchHelper();
    ~ElectricalSwitchHelper() override;

    /**
     * Have nodes in a row form servers. A size or a rate of zero and a negative delay are refused
     * by std::invalid_argument.
     *
     * @param size the number of nodes of a server, 1 for no servers; the last server may have fewer
     * @param rate the rate of each node to the others of its server, and from them
     * @param delay the time from the last bit sent to the last received inside a server
     */
    void SetServers(uint32_t size, DataRate rate, Time delay = Time(0));

    /**
     * @param delay the time from the last bit sent to the last received between nodes of different
     * servers; std::invalid_argument if negative
     */
    void SetDelay(Time delay);

    Ptr<CircuitController> CreateController(const NetDeviceContainer& devices) const override;
    FabricLimits GetLimits(uint32_t nNodes) const override;

  private:
    void ConfigureChannel(ObjectFactory& factory) const override;

    uint32_t m_serverSize{1}; //!< Nodes of a server
    DataRate m_serverRate;    //!< Rate of a node inside its server
    Time m_serverDelay;       //!< Delay inside a server
    Time m_delay;             //!< Delay between servers
};

} // namespace lightpath
} // namespace ns3

#endif /* ELECTRICAL_SWITCH_HELPER_H */
