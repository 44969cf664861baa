/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_GRAPH_BUILDER_H
#define LINK_GRAPH_BUILDER_H

#include "ns3/data-rate.h"
#include "ns3/link-graph.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Builds networks of switches whose links are all alike.
 */
class LinkGraphBuilder
{
  public:
    /// The size of the groups of a dragonfly of some nodes.
    struct Dragonfly
    {
        /**
         * @param nNodes the number of nodes
         * @param perRouter the nodes p of a router
         */
        Dragonfly(uint32_t nNodes, uint32_t perRouter);

        uint32_t routers;  //!< Routers of a group: 2 p
        uint32_t groups;   //!< Groups
        uint32_t parallel; //!< Links between each two groups, as p links of a router allow
    };

    /**
     * @param rate the rate of each link, in each direction
     * @param delay the delay of each link
     */
    LinkGraphBuilder(DataRate rate, Time delay);

    /**
     * @param count a number of things
     * @param size how many of them fit into one
     * @return the number of these that hold all
     */
    static uint32_t DivideUp(uint32_t count, uint32_t size);

    /**
     * Build leaves with nodes, and spines that each have a link to each leaf. With r rails, node n
     * is on a leaf of rail n % r.
     *
     * @param nNodes the number of nodes
     * @param rails the number of rails, 1 for none
     * @param perLeaf the nodes of a leaf
     * @param nSpines the number of spines; there is none if there is one leaf
     * @return the network
     */
    LinkGraph MakeLeaves(uint32_t nNodes, uint32_t rails, uint32_t perLeaf, uint32_t nSpines) const;

    /**
     * Build a fat tree of three levels, without the switches that no node would use.
     *
     * @param nNodes the number of nodes
     * @param ports the ports of a switch, an even number
     * @param perEdge the nodes of a switch of the lowest level
     * @return the network
     */
    LinkGraph MakeFatTree(uint32_t nNodes, uint32_t ports, uint32_t perEdge) const;

    /**
     * Build a dragonfly: groups of routers that are all joined with each other, and links between
     * all groups.
     *
     * @param nNodes the number of nodes
     * @param perRouter the nodes of a router
     * @return the network
     */
    LinkGraph MakeDragonfly(uint32_t nNodes, uint32_t perRouter) const;

    /**
     * Read any network from JSON; std::invalid_argument refuses what is wrong.
     *
     * @param input the text
     * @param name its name in sentences, such as that of its file
     * @return the network
     */
    static LinkGraph Read(std::istream& input, const std::string& name);

  private:
    /**
     * Add switches.
     *
     * @param [in,out] graph the network
     * @param name the name of each, before its number
     * @param count the number of switches
     * @return their nodes
     */
    static std::vector<uint32_t> AddSwitches(LinkGraph& graph,
                                             const std::string& name,
                                             uint32_t count);

    /**
     * Join each of some nodes with each of others.
     *
     * @param [in,out] graph the network
     * @param lower the nodes
     * @param upper the others
     */
    void Join(LinkGraph& graph,
              const std::vector<uint32_t>& lower,
              const std::vector<uint32_t>& upper) const;

    DataRate m_rate; //!< Rate of each link
    Time m_delay;    //!< Delay of each link between switches
};

} // namespace lightpath
} // namespace ns3

#endif /* LINK_GRAPH_BUILDER_H */
