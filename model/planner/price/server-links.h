/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERVER_LINKS_H
#define SERVER_LINKS_H

#include "flow-network.h"
#include "grid-ways.h"
#include "plan-circuits.h"

#include "ns3/planning-problem.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The links that messages take where GPUs stand in servers: those of the scale-up network of
 * each server, and those between the ports of the fabrics that join servers.
 *
 * A switch inside a server has a link from and to each GPU; a mesh one for each pair; a ring one to
 * each neighbour, and messages take the shorter way around. Between ports there is a link for each
 * lightpath; or, at a switch, one from and to each port, and on a grid such links at the row and at
 * the column, where what is for the same port goes by one transceiver; what passes from one leaf to
 * another has links that all ports of a leaf share; in a network whose routes are known, its links;
 * elsewhere the rate of a port is split evenly
 * into as many channels as it has peers, but no more than the fabric has circuits. A message to
 * another rail takes links inside the server of its sender first. GPUs that share a card share the
 * links of its port.
 */
class ServerLinks
{
  public:
    /// The way of a message.
    struct Way
    {
        /**
         * @param link another link, which all of the message takes
         */
        void Add(uint32_t link)
        {
            links.push_back({link, 1});
        }

        std::vector<FlowNetwork::Use> links; //!< Its links, with their parts of each byte
        double latency{0};                   //!< Time besides the bytes, seconds
        double relaySeconds{0};              //!< Of relays, for each byte of a frame, seconds
        bool isInside{false};                //!< Whether it stays inside a server
        GridWays::Way grid;                  //!< Between servers on a grid: from port to port
    };

    /**
     * @param traffic the bytes by source and destination place
     * @param fabric the fabric
     * @param circuits the circuits
     * @param grid the grid of ports, if the fabric is one
     * @param [in,out] network the network that gets the links; all but the traffic must outlive
     *        this object
     */
    ServerLinks(const TrafficMatrix& traffic,
                const FabricLimits& fabric,
                const PlanCircuits& circuits,
                const GridWays& grid,
                FlowNetwork& network);

    /**
     * @param source a place
     * @param destination another place
     * @param [out] way the way of a message; what it held before is lost
     */
    void GetWay(uint32_t source, uint32_t destination, Way& way);

    /**
     * @param source a place
     * @param destination a place of another server
     * @param [out] way the way of a message over the network beside the circuits
     */
    void GetWayBeside(uint32_t source, uint32_t destination, Way& way);

    /**
     * @param place a place
     * @param isInside whether the switch of its server averages, not the fabric between servers
     * @param [out] way the way to where messages are averaged, and back; what it held before is
     *        lost
     */
    void GetAverageWay(uint32_t place, bool isInside, Way& way);

    /**
     * @param link a link
     * @return its rate in bytes/s; the least one of the settings in which it carries light
     */
    double GetRate(uint32_t link) const;

    /**
     * @param setting the setting of the circuits from now on
     * @param isLit whether they carry light already
     */
    void Light(uint32_t setting, bool isLit);

  private:
    /// The kinds of links.
    enum Kind : uint32_t
    {
        FROM_GPU,    //!< From a GPU to the switch of its server
        TO_GPU,      //!< The other way
        PAIR,        //!< From a GPU to another one of its server
        FROM_PORT,   //!< From a port to the fabric, or to the row of the grid
        TO_PORT,     //!< The other way
        FROM_LEAF,   //!< From a leaf to all others
        TO_LEAF,     //!< The other way
        FROM_COLUMN, //!< From a port to the column of the grid
        TO_COLUMN,   //!< The other way
        ROW_FLOW,    //!< From a port to another one of its row, by one transceiver
        COLUMN_FLOW, //!< The same in its column
        LIGHTPATH,   //!< From a port to another one
        NUMBERED,    //!< Of a network whose routes are known
        CHANNEL,     //!< From a port, to some of its peers
    };

    /// The fabric between servers itself.
    static constexpr uint32_t FABRIC = 0;

    /// The network beside its circuits: marks the rail of its links.
    static constexpr uint32_t BESIDE = uint32_t{1} << 11;

    /// A link.
    struct Link
    {
        uint32_t rail{0};          //!< The fabric between servers that it belongs to
        double rate{0};            //!< Its rate, or the least one with light, bytes/s
        double latency{0};         //!< Of a lightpath, seconds
        std::vector<double> rates; //!< Of a lightpath, by setting
    };

    /**
     * @param kind the kind
     * @param rail the fabric between servers, if it belongs to one
     * @param from where it begins
     * @param to where it ends, if there are several
     * @return the link
     */
    uint32_t Get(Kind kind, uint32_t rail, uint32_t from, uint32_t to = 0);

    /**
     * @param kind the kind
     * @param rail the fabric between servers, if it belongs to one
     * @param from where it begins
     * @param to where it ends
     * @return a new link
     */
    Link Make(Kind kind, uint32_t rail, uint32_t from, uint32_t to) const;

    /**
     * Append links inside a server.
     *
     * @param source a place
     * @param destination another place of its server
     * @param [in,out] way the way
     */
    void AddInside(uint32_t source, uint32_t destination, Way& way);

    /**
     * Append the links between two ports.
     *
     * @param rail the fabric
     * @param from the port that sends
     * @param to the port that receives
     * @param [in,out] way the way
     */
    void AddBetween(uint32_t rail, uint32_t from, uint32_t to, Way& way);

    /**
     * Append the links between two ports of a network of shared links.
     *
     * @param network FABRIC, or BESIDE
     * @param rail the fabric
     * @param from the port that sends
     * @param to the port that receives
     * @param [in,out] way the way
     */
    void AddShared(uint32_t network, uint32_t rail, uint32_t from, uint32_t to, Way& way);

    /**
     * @param rail the fabric between servers that a link belongs to, or with BESIDE the network
     *        beside it
     * @return its limits
     */
    const FabricLimits& GetLimits(uint32_t rail) const
    {
        return (rail & BESIDE) != 0 ? *m_fabric.beside.network : m_fabric;
    }

    /**
     * Append a lightpath, or the links for what has none.
     *
     * @param rail the fabric
     * @param from the port that sends
     * @param to the port that receives
     * @param [in,out] way the way
     */
    void AddCircuit(uint32_t rail, uint32_t from, uint32_t to, Way& way);

    const FabricLimits& m_fabric;                 //!< The fabric
    const PlanCircuits& m_circuits;               //!< The circuits
    const GridWays& m_grid;                       //!< The grid of ports
    FlowNetwork& m_network;                       //!< The network
    uint32_t m_setting{0};                        //!< The setting of the circuits
    bool m_isLit{true};                           //!< Whether they carry light
    std::unordered_map<uint64_t, uint32_t> m_ids; //!< Links by kind and ends; never iterated
    std::unordered_map<uint32_t, Link> m_links;   //!< By index in the network; never iterated
    std::vector<uint32_t> m_lightpaths;           //!< Links that are lightpaths
    std::vector<TrafficMatrix> m_peers;           //!< Channels: traffic of the ports by rail
};

} // namespace lightpath
} // namespace ns3

#endif /* SERVER_LINKS_H */
