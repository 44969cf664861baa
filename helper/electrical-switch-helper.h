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
 * The bandwidth of a node is its rate between servers: the LinkRate of the channel.
 */
class ElectricalSwitchHelper : public FabricHelper
{
  public:
    /**
     * A switch with the defaults of its channel: 2 Tb/s a node.
     */
    ElectricalSwitchHelper();

    /**
     * Let consecutive nodes form servers: the attributes ServerSize, ServerRate and ServerDelay of
     * the channel.
     *
     * @param size the number of nodes of a server, 1 for no servers; the last server may have fewer
     * @param rate the rate of each node to the others of its server, and from them; above 0
     * @param delay the time from the last bit sent to the last received inside a server
     */
    void SetServers(uint32_t size, DataRate rate, Time delay = Time(0));

    /**
     * @param delay the time from the last bit sent to the last received between nodes of different
     *        servers: the attribute Delay of the channel
     */
    void SetDelay(Time delay);

    std::string Check(uint32_t nNodes) const override;
    FabricLimits GetLimits(uint32_t nNodes) const override;

  private:
    std::vector<DerivedAttribute> GetDerived() const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* ELECTRICAL_SWITCH_HELPER_H */
