/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLUSTER_HELPER_H
#define CLUSTER_HELPER_H

#include "leaf-spine-helper.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs a cluster of servers: a fast switch joins the GPUs of a server, and each GPU has
 * its own network card with a link to a leaf of a leaf-spine network.
 *
 * The bandwidth is that of the network cards. Packets inside a server take its switch, all other
 * packets the network card.
 */
class ClusterHelper : public LeafSpineHelper
{
  public:
    /**
     * 4 servers a leaf, with 8 GPUs each and 2.4 Tb/s a GPU inside, like those of a ServerHelper.
     */
    ClusterHelper();

    /**
     * @param size the number of GPUs of a server; the last server may have fewer
     * @param rate the rate of each GPU to the others of its server, and from them
     */
    void SetServers(uint32_t size, DataRate rate);

    /**
     * @return the rate of each GPU to the others of its server
     */
    DataRate GetServerRate() const;

    std::string Check(uint32_t nNodes) const override;

    /**
     * @return the GPUs of a server
     */
    uint32_t GetServerSize() const
    {
        return m_serverSize;
    }

  private:
    NetDeviceContainer Build(ClosBuilder& builder, const NodeContainer& nodes) const override;

    uint32_t m_serverSize{8}; //!< GPUs of a server
    DataRate m_serverRate;    //!< Rate of a GPU inside its server
};

} // namespace lightpath
} // namespace ns3

#endif /* CLUSTER_HELPER_H */
