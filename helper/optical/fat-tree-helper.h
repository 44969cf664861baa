/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAT_TREE_HELPER_H
#define FAT_TREE_HELPER_H

#include "datacenter-helper.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs a fat tree of three levels from switches with k ports: k pods of k/2 edge and k/2
 * aggregation switches each, and k^2/4 core switches (Al-Fares, Loukissas and Vahdat, SIGCOMM
 * 2008).
 *
 * It has k^3/4 nodes and (k/2)^2 shortest paths between nodes of different pods. With an
 * oversubscription of o, an edge switch has o k/2 nodes, and there are o times as many in all.
 */
class FatTreeHelper : public DatacenterHelper
{
  public:
    /**
     * @param ports the number of ports of a switch, an even number from 2 to 256; 0, the default,
     *        for the smallest tree that suffices for the nodes
     */
    void SetNPorts(uint32_t ports);

    /**
     * @param nNodes the number of nodes
     * @return the number of ports of a switch
     */
    uint32_t GetNPorts(uint32_t nNodes) const;

    std::string Check(uint32_t nNodes) const override;
  private:
    NetDeviceContainer Build(ClosBuilder& builder, const NodeContainer& nodes) const override;
    uint32_t GetNLinks() const override;

    /**
     * @param ports the number of ports of a switch
     * @return the largest number of nodes of such a tree
     */
    uint64_t GetRoom(uint32_t ports) const;

    uint32_t m_nPorts{0}; //!< Ports of a switch, 0 to follow the number of nodes
};

} // namespace lightpath
} // namespace ns3

#endif /* FAT_TREE_HELPER_H */
