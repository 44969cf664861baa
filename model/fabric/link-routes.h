/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_ROUTES_H
#define LINK_ROUTES_H

#include "link-graph.h"

#include "ns3/link-sharing.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The shortest routes of a network, in links, over nodes and links that work.
 */
class LinkRoutes
{
  public:
    /// The links that a flow uses, by their number in the graph.
    using Uses = std::vector<LinkSharing::Use>;

    /**
     * @param state a number
     * @return a number that looks random, another one for each state (the finaliser of SplitMix64)
     */
    static uint64_t Scramble(uint64_t state)
    {
        state += 0x9e3779b97f4a7c15;
        state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9;
        state = (state ^ state >> 27) * 0x94d049bb133111eb;
        return state ^ state >> 31;
    }

    /**
     * @param graph the network, which must outlive this object
     */
    explicit LinkRoutes(const LinkGraph& graph);

    /**
     * @param component a component of the network (LinkGraph::CheckComponent())
     * @param failed whether it has failed
     */
    void SetFailed(const std::string& component, bool failed);

    /**
     * @param link a link
     * @return whether it, or the node at one of its ends, has failed
     */
    bool HasFailed(uint32_t link) const;

    /**
     * @return true if a node or a link has failed
     */
    bool HasFailures() const;

    /**
     * @param source a port
     * @param destination another port
     * @return true if there is a route
     */
    bool HasPath(uint32_t source, uint32_t destination);

    /**
     * @param node a port or a switch
     * @param destination a port
     * @return the links from the node that are on shortest routes to the port
     */
    std::vector<uint32_t> GetLinks(uint32_t node, uint32_t destination);

    /**
     * @param port a port
     * @return true if a link from it works
     */
    bool HasLink(uint32_t port) const;

    /**
     * Choose routes by a hash: at each node, it chooses one of the links that lead nearer.
     *
     * @param source a port
     * @param destination another port
     * @param seed the seed of the hash
     * @param nPaths the number of routes, which may coincide
     * @param [out] uses the links, with equal parts for each route; none if there is no route
     * @return the delay of the longest of the routes
     */
    Time Hash(uint32_t source, uint32_t destination, uint32_t seed, uint32_t nPaths, Uses& uses);

    /**
     * Take all routes.
     *
     * @param source a port
     * @param destination another port
     * @param [out] uses the links, with equal parts for each route; none if there is no route
     * @return the delay of the longest of the routes
     */
    Time Spray(uint32_t source, uint32_t destination, Uses& uses);

    /**
     * Choose the route whose most loaded link has the least load; between equal ones, the least sum
     * of loads decides, and then a hash.
     *
     * @param source a port
     * @param destination another port
     * @param seed the seed of the hash
     * @param sharing knows the loads
     * @param [out] uses the links; none if there is no route
     * @return the delay of the route
     */
    Time Adapt(uint32_t source,
               uint32_t destination,
               uint32_t seed,
               const LinkSharing& sharing,
               Uses& uses);

  private:
    /**
     * @param a a node
     * @param b another node
     * @param failed whether all links between them have failed, in both directions
     */
    void SetLinkFailed(uint32_t a, uint32_t b, bool failed);

    /// Distance of a node that leads nowhere.
    static constexpr uint16_t FAR = UINT16_MAX;

    /// No link.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// A node on the shortest routes of a pair.
    struct Place
    {
        bool isFound{false}; //!< It is on one of them
        double count{0};     //!< Number of routes from it
        double part{0};      //!< Part of the flow through it
        Time delay;          //!< Longest delay from it, or the delay of its best route
        double most{0};      //!< Largest load on its best route
        double sum{0};       //!< Sum of the loads there
        uint32_t best{NONE}; //!< First link of its best route
    };

    /**
     * @param destination a port
     * @return the number of links from each node to it
     */
    const std::vector<uint16_t>& GetDistances(uint32_t destination);

    /**
     * @param node a node
     * @param distances the distances to a destination
     * @return the working links that lead nearer to the destination, until the next call
     */
    const std::vector<uint32_t>& GetNext(uint32_t node, const std::vector<uint16_t>& distances);

    /// The nodes that a search from one end of a pair has reached.
    struct Front
    {
        std::vector<uint32_t> nodes;  //!< In the order of their distance
        std::vector<uint32_t> levels; //!< The first one at each distance
        std::size_t nLinks{0};        //!< Links that lead on from those at the largest distance

        /**
         * @param node the end
         * @param n its number of links
         */
        void Begin(uint32_t node, std::size_t n)
        {
            nodes.assign(1, node);
            levels.assign(1, 0);
            nLinks = n;
        }

        /**
         * @return true if no node is at the largest distance
         */
        bool IsAtEnd() const
        {
            return levels.back() == nodes.size();
        }
    };

    /**
     * Search from both ends of a pair, which looks at few nodes of a large network. After that,
     * GetNear() knows the nodes on its shortest routes.
     *
     * @param source a port
     * @param destination another port
     * @return true if there is a route
     */
    bool Meet(uint32_t source, uint32_t destination);

    /**
     * Reach the nodes one link further.
     *
     * @param isForward whether from the source on, or else from the destination
     * @param source the source
     * @param destination the destination
     * @return true if the search from the other end has reached one of them
     */
    bool Advance(bool isForward, uint32_t source, uint32_t destination);

    /**
     * @param node a node on a shortest route of the pair of the last call of Meet()
     * @return the working links that lead nearer to the destination, until the next call
     */
    const std::vector<uint32_t>& GetNear(uint32_t node);

    /**
     * Find the nodes on the shortest routes, each before those that are nearer to the destination.
     *
     * @tparam GET_NEXT returns the links from a node that lead nearer
     * @param source a port
     * @param getNext the function
     */
    template <typename GET_NEXT>
    void FindNodes(uint32_t source, GET_NEXT getNext);

    const LinkGraph& m_graph;                       //!< The network
    std::vector<std::vector<uint32_t>> m_out;       //!< The links from each node
    std::vector<std::vector<uint32_t>> m_in;        //!< The links to each node
    std::set<std::string> m_failed;                 //!< Components that have failed
    std::vector<bool> m_nodeFailed;                 //!< The nodes that have failed
    std::vector<bool> m_linkFailed;                 //!< The links that have failed
    std::vector<std::vector<uint16_t>> m_distances; //!< By destination; empty if not known yet
    Front m_forward;                                //!< What Meet() reached from the source
    Front m_backward;                               //!< What it reached from the destination
    std::vector<uint16_t> m_near;                   //!< Distance to the destination, or FAR
    std::vector<uint16_t> m_far;                    //!< Distance from the source, or FAR
    std::vector<uint32_t> m_next;                   //!< Result of GetNext()
    std::vector<uint32_t> m_nodes;                  //!< Result of FindNodes()
    std::vector<Place> m_places;                    //!< The nodes
};

} // namespace lightpath
} // namespace ns3

#endif /* LINK_ROUTES_H */
