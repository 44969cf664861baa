/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_GRAPH_H
#define LINK_GRAPH_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A network of ports, switches and links between them, as LinkGraphChannel needs it.
 *
 * The nodes 0 to n - 1 are the ports of the fabric, with the names gpu-0, gpu-1 and so on; switches
 * follow in the order in which they are added.
 */
class LinkGraph
{
  public:
    /// A link in one direction.
    struct Link
    {
        uint32_t from{0}; //!< The node that sends
        uint32_t to{0};   //!< The node that receives
        DataRate rate;    //!< Rate
        Time delay;       //!< Propagation delay
    };

    /// A component: a switch or links.
    struct Component
    {
        std::string name;                                 //!< Its name, the same either way round
        std::vector<uint32_t> nodes;                      //!< A switch
        std::vector<std::pair<uint32_t, uint32_t>> links; //!< Both ends of each of its links
    };

    /**
     * @param nPorts the number of ports
     */
    explicit LinkGraph(uint32_t nPorts = 0);

    /**
     * Make a graph without switches, in which each port has a link to each other one.
     *
     * @param nPorts the number of ports
     * @param rate the rate of each link, in each direction
     * @param delay the delay of each link
     * @return the graph
     */
    static LinkGraph CreateMesh(uint32_t nPorts, DataRate rate, Time delay);

    /**
     * Make a graph without switches, in which each port has a link to its two neighbours on a ring.
     * Ports forward what is for others.
     *
     * @param nPorts the number of ports; two have one link
     * @param rate the rate of each link, in each direction
     * @param delay the delay of each link
     * @return the graph
     */
    static LinkGraph CreateRing(uint32_t nPorts, DataRate rate, Time delay);

    /**
     * Add a switch. std::invalid_argument refuses a name that a node has already.
     *
     * @param name its name, like leaf-3, without colons
     * @return the number of its node
     */
    uint32_t AddSwitch(const std::string& name);

    /**
     * Add a link in one direction. Two nodes may have several.
     *
     * @param from the node that sends
     * @param to the node that receives
     * @param rate the rate
     * @param delay the propagation delay
     */
    void AddLink(uint32_t from, uint32_t to, DataRate rate, Time delay);

    /**
     * Add a link in each direction.
     *
     * @param a a node
     * @param b another node
     * @param rate the rate in each direction
     * @param delay the propagation delay
     */
    void Connect(uint32_t a, uint32_t b, DataRate rate, Time delay);

    /**
     * Name a circuit switch that links pass, which fail if it does. std::invalid_argument refuses
     * the name of a node or of another one.
     *
     * @param name its name, without colons
     * @param links both ends of each of the links, which are taken in both directions
     */
    void AddCircuitSwitch(const std::string& name,
                          const std::vector<std::pair<uint32_t, uint32_t>>& links);

    /**
     * @return both ends of the links that pass each circuit switch, by its name
     */
    const std::map<std::string, std::vector<std::pair<uint32_t, uint32_t>>>& GetCircuitSwitches()
        const;

    /**
     * @param forwards whether ports forward what is for others, as in a ring; false at first
     */
    void SetPortsForward(bool forwards);

    /**
     * @return true if ports forward what is for others
     */
    bool PortsForward() const;

    /**
     * Get what is left of the network, in which few ports stand for all: all switches and the links
     * between them, and some ports with their links to these.
     *
     * @param ports the ports that are left, in the order of their new numbers
     * @return the network, which knows this one as the whole
     */
    LinkGraph Keep(const std::vector<uint32_t>& ports) const;

    /**
     * @return the network of which this one is left, or this one if it is whole
     */
    const LinkGraph& GetWhole() const;

    /**
     * @return the number of ports
     */
    uint32_t GetNPorts() const;

    /**
     * @return the number of ports and switches
     */
    uint32_t GetNNodes() const;

    /**
     * @param node a node
     * @return its name
     */
    const std::string& GetName(uint32_t node) const;

    /**
     * @param name a name
     * @return the node of this name; the number of nodes if there is none
     */
    uint32_t Find(const std::string& name) const;

    /**
     * Find what the name of a component names.
     *
     * @param component the name: switch:leaf-3, link:leaf-3:spine-0 or link:gpu-7:leaf-0
     * @return a switch, or links; neither if there is no such component
     */
    Component FindComponent(const std::string& component) const;

    /**
     * @param component the name of a component
     * @return empty if there is such a component; otherwise the sentence that says what there is
     */
    std::string CheckComponent(const std::string& component) const;

    /**
     * @return the links, in the order in which they were added
     */
    const std::vector<Link>& GetLinks() const;

  private:
    /**
     * Refuse, by std::invalid_argument, a name that no further switch can have.
     *
     * @param name the name
     */
    void CheckName(const std::string& name) const;

    uint32_t m_nPorts;                //!< Number of ports
    bool m_portsForward{false};       //!< Ports forward frames for other ports
    std::vector<std::string> m_names; //!< Names of the nodes
    std::vector<Link> m_links;        //!< The links

    std::unordered_map<std::string, uint32_t> m_nodes; //!< The nodes by name
    std::shared_ptr<const LinkGraph> m_whole;          //!< The whole network; null if it is this

    /// Ends of the links that pass each circuit switch
    std::map<std::string, std::vector<std::pair<uint32_t, uint32_t>>> m_circuitSwitches;
};

} // namespace lightpath
} // namespace ns3

#endif /* LINK_GRAPH_H */
