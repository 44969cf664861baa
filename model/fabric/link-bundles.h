/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_BUNDLES_H
#define LINK_BUNDLES_H

#include "link-graph.h"

#include "ns3/link-sharing.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

class LinkRoutes;

/**
 * @ingroup lightpath
 * @brief The links of a network that each flow over all shortest routes uses in equal parts, or not
 * at all, such as those from a leaf to all spines: of each such bundle one link stands for all.
 *
 * Nodes are alike if no port can tell them apart by its walks to them and from them (the coarsest
 * equitable partition in which each port is by itself, found by colour refinement). Links of one
 * rate from nodes that are alike to others that are alike form a bundle.
 */
class LinkBundles
{
  public:
    /**
     * @param graph the network
     * @param routes knows which of its links work
     */
    LinkBundles(const LinkGraph& graph, const LinkRoutes& routes);

    /**
     * Leave one link of each bundle.
     *
     * @param [in,out] uses the links of a flow over all shortest routes
     */
    void Fold(std::vector<LinkSharing::Use>& uses) const;

    /**
     * @param uses what Fold() has left
     * @return all links of the bundles
     */
    std::vector<LinkSharing::Use> Unfold(const std::vector<LinkSharing::Use>& uses) const;

  private:
    /**
     * @param graph the network
     * @param links its links that work
     * @return a colour of each node, the same of those that are alike
     */
    static std::vector<uint64_t> FindColours(const LinkGraph& graph,
                                             const std::vector<uint32_t>& links);

    /// A link in its bundle.
    struct Member
    {
        bool isFirst{true};        //!< It stands for the others
        uint32_t next{UINT32_MAX}; //!< The next one of the bundle; none behind the last
    };

    std::vector<Member> m_members; //!< By link
};

} // namespace lightpath
} // namespace ns3

#endif /* LINK_BUNDLES_H */
