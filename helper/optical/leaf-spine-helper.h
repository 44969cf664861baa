/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAF_SPINE_HELPER_H
#define LEAF_SPINE_HELPER_H

#include "datacenter-helper.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs a network of two levels: each leaf switch has nodes, and a link to each spine.
 *
 * The number of spine switches is the number of nodes of a leaf over the oversubscription; the
 * number of leaves follows from the number of nodes.
 */
class LeafSpineHelper : public DatacenterHelper
{
  public:
    /**
     * @param nodes the number of nodes of a leaf; 0, at first, for 8, or the least number above it
     *        that are whole servers
     */
    void SetNodesPerLeaf(uint32_t nodes);

    /**
     * @return the number of nodes of a leaf
     */
    uint32_t GetNodesPerLeaf() const;

    std::string Check(uint32_t nNodes) const override;
  protected:
    NetDeviceContainer Build(ClosBuilder& builder, const NodeContainer& nodes) const override;

  private:
    uint32_t GetNLinks() const override;

    uint32_t m_nodesPerLeaf{0}; //!< Nodes of a leaf, 0 for the usual number
};

} // namespace lightpath
} // namespace ns3

#endif /* LEAF_SPINE_HELPER_H */
