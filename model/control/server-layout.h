/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERVER_LAYOUT_H
#define SERVER_LAYOUT_H

#include "traffic-matrix.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// How the GPUs of a server are attached to the fabrics between servers.
enum class Attach : uint8_t
{
    GPU,    //!< Each GPU has a port of one fabric
    RAIL,   //!< Card k of each server has a port of fabric k
    SERVER, //!< All GPUs of a server share a port of one fabric
    CARDS,  //!< Each of some cards has a port of one fabric, which successive GPUs share
};

/// A kind of attachment and its name.
struct AttachName
{
    Attach value;     //!< The kind
    std::string name; //!< Its name in options

    /**
     * @return all kinds, in the order of Attach
     */
    static const std::vector<AttachName>& GetAll();

    /**
     * @param name a name as in options; std::invalid_argument for another one
     * @return the kind
     */
    static Attach Find(const std::string& name);
};

/**
 * @ingroup lightpath
 * @brief Which GPUs share a server, and how they reach the fabrics between servers.
 *
 * GPUs are counted through all servers: place p is GPU p % gpus, its index, of server p / gpus.
 * Inside a server, messages go over its scale-up network, whose port is the index. Between servers
 * they go over one fabric, or over one of several that never meet: rails. Successive GPUs of a
 * server may share a card, which is a port of a fabric.
 */
struct ServerLayout
{
    /**
     * @brief The way of a message from one GPU to another.
     */
    struct Way
    {
        bool isInside{false}; //!< It stays on the scale-up network
        uint32_t relay{0};    //!< The place that hands it to the fabric; the source itself if that
                              //!< does; meaningless inside
        uint32_t rail{0};     //!< The fabric between servers
        uint32_t from{0};     //!< Port of the relay on that fabric, or of the source inside
        uint32_t to{0};       //!< Port of the destination on that fabric, or inside
    };

    /**
     * Throws std::invalid_argument for GPUs that cannot share that many cards.
     *
     * @param attach how the GPUs are attached
     * @param gpus the number of GPUs of a server
     * @param cards the cards of a server, for RAIL and CARDS; 0 for one a GPU
     * @return the layout
     */
    static ServerLayout Create(Attach attach, uint32_t gpus, uint32_t cards = 0);

    /**
     * @return true if servers have more than one GPU
     */
    bool HasServers() const
    {
        return gpus > 1;
    }

    /**
     * @return the number of fabrics between servers
     */
    uint32_t GetNRails() const
    {
        return hasRails ? GetNCards() : 1;
    }

    /**
     * @return the number of cards of a server
     */
    uint32_t GetNCards() const
    {
        return gpus / portGpus;
    }

    /**
     * @param places the number of GPUs
     * @return the number of servers, of which the last may have fewer GPUs
     */
    uint32_t GetNServers(uint32_t places) const
    {
        return (places + gpus - 1) / gpus;
    }

    /**
     * @param places the number of GPUs
     * @return the number of ports of each fabric between servers
     */
    uint32_t GetNPorts(uint32_t places) const
    {
        return hasRails ? GetNServers(places) : (places + portGpus - 1) / portGpus;
    }

    /**
     * @param place a GPU
     * @return its server
     */
    uint32_t GetServer(uint32_t place) const
    {
        return place / gpus;
    }

    /**
     * @param place a GPU
     * @return its number in its server, which is its port of the scale-up network
     */
    uint32_t GetIndex(uint32_t place) const
    {
        return place % gpus;
    }

    /**
     * @param place a GPU
     * @return the fabric that its card is on
     */
    uint32_t GetRail(uint32_t place) const
    {
        return hasRails ? GetIndex(place) / portGpus : 0;
    }

    /**
     * @param place a GPU
     * @return the port of its card
     */
    uint32_t GetPort(uint32_t place) const
    {
        return hasRails ? GetServer(place) : place / portGpus;
    }

    /**
     * @param rail a fabric between servers
     * @param port a port of it
     * @return the first of the portGpus GPUs that share the port
     */
    uint32_t GetFirstPlace(uint32_t rail, uint32_t port) const
    {
        return hasRails ? port * gpus + rail * portGpus : port * portGpus;
    }

    /**
     * @param one a GPU
     * @param other another
     * @return true if both are in the same server
     */
    bool AreInside(uint32_t one, uint32_t other) const
    {
        return GetServer(one) == GetServer(other);
    }

    /**
     * Get the way of a message. Throws std::invalid_argument if it would cross rails, and
     * crossesRails is false.
     *
     * @param source the GPU that sends it
     * @param destination the GPU that it is for, another one
     * @return its way
     */
    Way GetWay(uint32_t source, uint32_t destination) const;

    /**
     * Get what messages put on a fabric between servers. Throws std::invalid_argument as GetWay().
     *
     * @param ofPlaces bytes by GPU
     * @param rail the fabric
     * @return the bytes by port of the fabric
     */
    TrafficMatrix GetRailTraffic(const TrafficMatrix& ofPlaces, uint32_t rail) const;

    /**
     * Get what messages put on the scale-up networks, with those on their way to another rail.
     * Throws std::invalid_argument as GetWay().
     *
     * @param ofPlaces bytes by GPU
     * @return the bytes by GPU, of pairs inside servers
     */
    TrafficMatrix GetInsideTraffic(const TrafficMatrix& ofPlaces) const;

    uint32_t gpus{1};        //!< GPUs of a server; 1: there are no servers
    uint32_t portGpus{1};    //!< Successive GPUs of a server that share a card; divides gpus
    bool hasRails{false};    //!< Whether card k of each server is on fabric k
    bool crossesRails{true}; //!< Whether a message to another rail first goes over the scale-up
                             //!< network of the sender, to the GPU of the index that it is for;
                             //!< otherwise it is refused
};

} // namespace lightpath
} // namespace ns3

#endif /* SERVER_LAYOUT_H */
