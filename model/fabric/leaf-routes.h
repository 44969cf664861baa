/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAF_ROUTES_H
#define LEAF_ROUTES_H

#include "link-graph.h"
#include "link-routes.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The routes, spread over all shortest ones, between ports that each hang on one switch.
 *
 * Pairs on the same two switches share their way between these, which is found once.
 */
class LeafRoutes
{
  public:
    /// The way from one switch to another.
    struct Way
    {
        bool exists{false};    //!< There is one
        LinkRoutes::Uses uses; //!< Its links; none from a switch to itself
        Time delay;            //!< The longest delay of its routes
    };

    /**
     * @param graph a network
     * @return true if each port has one link, in each direction, to a switch, and forwards nothing
     */
    static bool Suits(const LinkGraph& graph);

    /**
     * @param graph a network that suits, which must outlive this object
     */
    explicit LeafRoutes(const LinkGraph& graph);

    /**
     * @param source a port
     * @param destination another port
     * @return the way from the switch of the first to that of the second
     */
    const Way& GetWay(uint32_t source, uint32_t destination);

    /**
     * @param source a port
     * @param destination another port
     * @return the delay of the way between them, with the links of both
     */
    Time GetDelay(uint32_t source, uint32_t destination);

    /**
     * @param port a port
     * @return its link to its switch
     */
    const LinkGraph::Link& GetUp(uint32_t port) const;

    /**
     * @param port a port
     * @return the link from its switch
     */
    const LinkGraph::Link& GetDown(uint32_t port) const;

  private:
    /// No link.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// A port.
    struct Port
    {
        uint32_t leaf{0};  //!< Number of its switch among those with ports
        uint32_t up{NONE}; //!< Its link to its switch
        uint32_t down{0};  //!< The link from there
    };

    /**
     * @param graph the network
     * @return the ports
     */
    static std::vector<Port> FindPorts(const LinkGraph& graph);

    /**
     * @param graph the network
     * @param ports its ports
     * @return the network with the first port of each switch alone
     */
    static LinkGraph Reduce(const LinkGraph& graph, const std::vector<Port>& ports);

    const LinkGraph& m_graph;                 //!< The network
    std::vector<Port> m_ports;                //!< Its ports
    LinkGraph m_reduced;                      //!< It with one port of each switch
    LinkRoutes m_routes;                      //!< The routes there
    std::vector<uint32_t> m_links;            //!< The link of the network by link there
    std::unordered_map<uint64_t, Way> m_ways; //!< Those found so far, by both switches
};

} // namespace lightpath
} // namespace ns3

#endif /* LEAF_ROUTES_H */
