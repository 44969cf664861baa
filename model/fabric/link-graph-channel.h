/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_GRAPH_CHANNEL_H
#define LINK_GRAPH_CHANNEL_H

#include "link-graph.h"
#include "shared-link-channel.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class LinkBundles;
class LinkRoutes;

/**
 * @ingroup lightpath
 * @brief A network of switches and links at flow level: no packets, queues or losses, but rates.
 *
 * Frames of a pair of ports form a flow, which takes one of the shortest routes (in links) or is
 * spread over several, as Routing tells. All flows share the links max-min fairly; a flow that is
 * spread has the same share of each of its routes. The delay is that of the longest of its routes.
 *
 * A switch, a circuit switch with the links that pass it, or both directions of all links between
 * two nodes can fail; the pairs then take the
 * shortest routes that are left.
 */
class LinkGraphChannel : public SharedLinkChannel
{
  public:
    /// How a pair of ports chooses between shortest routes.
    enum Routing
    {
        ECMP,    //!< By a hash, so that several pairs may meet on one link while others are idle
        SPRAY,   //!< All of them in equal parts
        ADAPTIVE //!< The one with the least load when its frames begin
    };

    /// A value of Routing and its name in options.
    struct RoutingName
    {
        Routing value;    //!< The value
        std::string name; //!< Its name
    };

    /**
     * @return the ways to choose between routes
     */
    static const std::vector<RoutingName>& GetRoutings();

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    LinkGraphChannel();
    ~LinkGraphChannel() override;

    /**
     * Set the network, or replace it: frames under way go on over the links of the new one. It
     * cannot be replaced while a component has failed.
     *
     * @param graph the network; it has at least as many ports as devices will be attached
     */
    void SetGraph(const LinkGraph& graph);

    /**
     * Let no link carry anything for a time from now on, in which it is switched. Frames wait.
     *
     * @param time the time
     */
    void Darken(Time time);

    /**
     * @return the network
     */
    const LinkGraph& GetGraph() const;

    /**
     * @param source a port
     * @param destination another port
     * @return true if working links lead from one to the other
     */
    bool HasPath(uint32_t source, uint32_t destination) const;

    std::vector<LinkSharing::Use> GetUses(uint32_t source, uint32_t destination) const override;
    std::string GetFabricName() const override;

    /**
     * @return a fibre for each link in one direction, and a port of a switch for each that leads to
     *         a switch
     */
    FabricPlant GetPlant() const override;
    bool CanFail() const override;
    bool IsLinkUp(uint32_t port) const override;
    std::vector<uint32_t> GetReachable(uint32_t source) const override;

  protected:
    void DoDispose() override;
    void DoAdd(uint32_t port) override;

  private:
    void FindRoute(uint32_t source, uint32_t destination, Route& route) override;
    std::string DoSetFailed(const std::string& component, bool failed) override;
    void ApplyFault(bool failed) override;

    /// Find the links that sprayed flows use alike, while no pair uses a link.
    void FindBundles();

    /// Find which ports have a link that works, and tell those that have changed.
    void UpdateLinks();

    /// Let links carry frames again.
    void Lighten();

    LinkGraph m_graph;                    //!< The network
    std::unique_ptr<LinkRoutes> m_routes; //!< Its shortest routes
    Routing m_routing;                    //!< How a pair of ports chooses between shortest routes

    /// Its links that sprayed flows use alike; null with another routing
    std::unique_ptr<LinkBundles> m_bundles;

    uint32_t m_nPaths;        //!< Routes of a pair by hash
    uint32_t m_seed;          //!< Seed of the hash
    Time m_delay;             //!< Delay beyond that of links
    std::string m_name;       //!< Name of this kind of network
    std::vector<bool> m_isUp; //!< Whether each port has a link that works
    EventId m_light;          //!< End of the darkness
};

} // namespace lightpath
} // namespace ns3

#endif /* LINK_GRAPH_CHANNEL_H */
