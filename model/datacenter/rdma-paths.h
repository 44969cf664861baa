/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_PATHS_H
#define RDMA_PATHS_H

#include "model/fabric/link-routes.h"
#include "rdma-congestion.h"
#include "rdma-link.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The links and the shortest paths of an RdmaNetwork.
 */
class RdmaPaths
{
  public:
    /**
     * @param graph the network
     * @param seed the seed of its hashes
     */
    RdmaPaths(const LinkGraph& graph, uint32_t seed);

    /**
     * @return the links of the network, without what is at their ends
     */
    std::vector<RdmaLink> MakeLinks() const;

    /**
     * @return the network
     */
    const LinkGraph& GetGraph() const
    {
        return m_graph;
    }

    /**
     * @param node a node
     * @return the links from it
     */
    const std::vector<uint32_t>& GetOut(uint32_t node) const
    {
        return m_out[node];
    }

    /**
     * @param node a node
     * @return the links to it
     */
    const std::vector<uint32_t>& GetIn(uint32_t node) const
    {
        return m_in[node];
    }

    /**
     * @param component a component of the network (LinkGraph::CheckComponent())
     * @param failed whether it has failed
     */
    void SetFailed(const std::string& component, bool failed);

    /**
     * @param link a link
     * @return whether it, or the switch at one of its ends, has failed
     */
    bool HasFailed(uint32_t link) const
    {
        return m_routes.HasFailed(link);
    }

    /**
     * @param node a node
     * @param destination a port
     * @return the links by which frames for it may leave; none if failures have left none
     */
    const std::vector<uint32_t>& GetNext(uint32_t node, uint32_t destination);

    /**
     * Choose links for the frames to a destination in rounds, each of which has all links once.
     *
     * @param node a node
     * @param destination a port
     * @param n the number of links
     * @return the one that is next
     */
    uint32_t TakeTurn(uint32_t node, uint32_t destination, uint32_t n);

    /**
     * @param links the links
     * @param source a port
     * @param destination another port
     * @param packet the largest payload of a packet, bytes
     * @return the path between them, without failures
     */
    RdmaCongestion::Path GetPath(const std::vector<RdmaLink>& links,
                                 uint32_t source,
                                 uint32_t destination,
                                 uint32_t packet);

    /**
     * @param source a port
     * @param destination another port
     * @param entropy the entropy of frames between them
     * @return the links that hashes choose for them, in their order, as far as there are some
     */
    std::vector<uint32_t> GetLinks(uint32_t source, uint32_t destination, uint32_t entropy);

    /**
     * @param entropy the entropy of a frame
     * @param node the node that it is at
     * @param n a number
     * @return a number below it, as a hash has it
     */
    uint32_t Hash(uint32_t entropy, uint32_t node, uint32_t n) const;

  private:
    LinkGraph m_graph;                                      //!< The network
    uint32_t m_seed;                                        //!< Seed of its hashes
    LinkRoutes m_whole;                                     //!< Its routes without failures
    LinkRoutes m_routes;                                    //!< Its routes
    std::vector<std::vector<uint32_t>> m_out;               //!< Links from each node
    std::vector<std::vector<uint32_t>> m_in;                //!< Links to each node
    std::vector<std::vector<std::vector<uint32_t>>> m_next; //!< By node and destination
    std::vector<std::vector<uint32_t>> m_turns;             //!< Frames by node and destination
};

} // namespace lightpath
} // namespace ns3

#endif /* RDMA_PATHS_H */
