/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_GRAPH_HELPER_H
#define LINK_GRAPH_HELPER_H

#include "fabric-helper.h"

#include "ns3/link-graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs a network of switches and links at flow level (LinkGraphChannel).
 *
 * All links have the rate of a node, unless a network is given whole. With an oversubscription of
 * o, a leaf has o links to nodes for each link up.
 */
class LinkGraphHelper : public FabricHelper
{
  public:
    /// The kinds of networks.
    enum Kind
    {
        LEAF_SPINE,     //!< Leaves with nodes, each with a link to each spine
        FAT_TREE,       //!< Three levels of switches with the same number of ports
        RAIL_OPTIMISED, //!< Leaves and spines; node k of each server is on a leaf of rail k
        RAIL_ONLY,      //!< A switch for each rail, which nothing joins
        DRAGONFLY,      //!< Groups of routers, with links between all groups
        TOPOOPT,        //!< Links between nodes alone; for TopoOptHelper
        TORUS,          //!< Links between neighbours; for TorusHelper
        CUSTOM          //!< The network of SetGraph(), or one switch
    };

    /**
     * @param kind the kind of network
     */
    explicit LinkGraphHelper(Kind kind = CUSTOM);

    /**
     * @param nodes the number of nodes of a leaf, the most of a leaf of a rail, or the number of a
     *        router of a dragonfly; 0, at first, for 8 of a leaf, or the least number above it that
     *        are whole servers, 32 of a leaf of a rail, and 4 of a router
     */
    void SetNodesPerLeaf(uint32_t nodes);

    /**
     * @param factor links to nodes for each link up, at leaves and at the lowest level of a fat
     *        tree; 1 at first
     */
    void SetOversubscription(uint32_t factor);

    /**
     * @param ports the number of ports of a switch of a fat tree; 0, at first, for the least that
     *        has room
     */
    void SetNPorts(uint32_t ports);

    /**
     * @param rails the number of rails; 0, at first, for that of the nodes of a server, or 8
     *        without servers
     */
    void SetRails(uint32_t rails);

    /**
     * @param delay the propagation delay of a link, 500 ns at first
     */
    void SetDelay(Time delay);

    /**
     * Choose how pairs of nodes choose between shortest routes: the attribute Routing of the
     * channel. An unknown name ends the program.
     *
     * @param name spray (at first), ecmp or adaptive
     */
    void SetRouting(const std::string& name);

    /**
     * Set the network of the kind CUSTOM. It needs a port for each node.
     *
     * @param graph the network
     */
    void SetGraph(const LinkGraph& graph);

    /**
     * Read the network of the kind CUSTOM from a file of JSON; std::invalid_argument refuses what
     * is wrong.
     *
     * @param name the name of the file
     */
    void ReadGraph(const std::string& name);

    /**
     * @return true if the network consists of rails
     */
    bool HasRails() const;

    /**
     * @return true if the kind is CUSTOM and no network is set
     */
    bool LacksGraph() const;

    /**
     * @param nNodes the number of nodes
     * @return the network over these nodes, which Check() has accepted
     */
    virtual LinkGraph GetGraph(uint32_t nNodes) const;

    /**
     * @param gpus the GPUs of a server
     * @param cards its cards
     * @return a port of a network of switches for each card; as usual for links between nodes alone
     */
    Attach GetUsualAttach(uint32_t gpus, uint32_t cards) const override;

    void StandForAll(const FabricHelper& whole,
                     uint32_t ports,
                     const std::vector<uint32_t>& kept) override;
    std::string Check(uint32_t nNodes) const override;
    std::string CheckComponent(const std::string& component, uint32_t nNodes) const override;

    /**
     * @return the propagation delay of a link
     */
    Time GetDelay() const;

    /**
     * @return the time of a message besides that of links
     */
    Time GetMessageDelay() const;

    /// Groups of nodes that share the links out of the group.
    struct Leaves
    {
        uint32_t nodes{0}; //!< Nodes of a group, of one rail
        uint32_t rails{1}; //!< Number of rails
        uint32_t up{0};    //!< Links out of a group
    };

    /**
     * @param nNodes the number of nodes
     * @return the leaves of the network, or the groups of a dragonfly
     */
    Leaves GetLeaves(uint32_t nNodes) const;

    /**
     * @return whether nodes are attached to leaf switches
     */
    bool HasLeaves() const;

    /**
     * @return the kind of network
     */
    Kind GetKind() const
    {
        return m_kind;
    }

  protected:
  private:
    std::vector<DerivedAttribute> GetDerived() const override;
    void ConfigureAttached(Ptr<FabricChannel> channel) const override;

    /**
     * @return the nodes of a leaf or router; the most of a leaf of a rail
     */
    uint32_t GetNodesPerLeaf() const;

    /**
     * @return the rails
     */
    uint32_t GetRails() const;

    /**
     * @param nNodes the number of nodes
     * @return the nodes of the fullest leaf: on rails the fewest leaves have as many nodes each
     */
    uint32_t GetFill(uint32_t nNodes) const;

    /**
     * @param nNodes the number of nodes
     * @return the spines: the links up of the fullest leaf
     */
    uint32_t GetNSpines(uint32_t nNodes) const;

    /**
     * @param nNodes the number of nodes
     * @return the ports of a switch of a fat tree over these nodes
     */
    uint32_t GetNPorts(uint32_t nNodes) const;

    Kind m_kind;                      //!< Kind of network
    uint32_t m_nodesPerLeaf{0};       //!< Nodes of a leaf, 0 for the usual number
    uint32_t m_oversubscription{1};   //!< Links to nodes for each link up
    uint32_t m_nPorts{0};             //!< Ports of a switch of a fat tree, 0 for the least
    uint32_t m_rails{0};              //!< Number of rails, 0 for the nodes of a server
    Time m_delay;                     //!< Propagation delay of a link
    std::optional<LinkGraph> m_graph; //!< Network of the kind CUSTOM
    std::optional<LinkGraph> m_kept;  //!< What is left of a whole network, if few stand for all
};

} // namespace lightpath
} // namespace ns3

#endif /* LINK_GRAPH_HELPER_H */
