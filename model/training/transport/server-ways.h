/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERVER_WAYS_H
#define SERVER_WAYS_H

#include "ns3/fabric-channel.h"
#include "ns3/server-layout.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The ways of messages between servers, of which some components may have failed.
 *
 * Each message takes the way of its ServerLayout. If that has failed, it takes one through other
 * cards of the two servers: the one over the fewest networks, on which there is a circuit if
 * possible.
 */
class ServerWays
{
  public:
    /**
     * @brief The GPUs at which a message enters and leaves the fabric between servers.
     */
    struct Way
    {
        uint32_t relay{0}; //!< GPU that hands it to the fabric
        uint32_t exit{0};  //!< GPU that takes it from the fabric
    };

    /**
     * @brief A fabric between servers, or another network.
     */
    struct Rail
    {
        Ptr<FabricChannel> channel; //!< The fabric; null for another network
        bool findsWays{false};      //!< Its transports find ways where two ports have no path
    };

    /**
     * @param layout which GPUs share a server, and their cards
     * @param places the number of GPUs
     * @param rails the fabrics between servers
     */
    void SetUp(const ServerLayout& layout, uint32_t places, std::vector<Rail> rails);

    /**
     * Mark a component as failed or repaired, as ServerNetwork::SetFailed(). An unknown name ends
     * the program with a message that lists the known names.
     *
     * @param component the name of the component
     * @param failed true for a failure, false for a repair
     */
    void SetFailed(const std::string& component, bool failed);

    /**
     * @return the names of the components that SetFailed() has marked as failed
     */
    const std::set<std::string>& GetFailed() const
    {
        return m_failed;
    }

    /**
     * @param server a server
     * @return true if its scale-up network works
     */
    bool IsInsideUp(uint32_t server) const
    {
        return m_failedServers.count(server) == 0;
    }

    /**
     * @param place a GPU
     * @return true if the card of the GPU, and the fabric that it is on, have not failed
     */
    bool IsCardUp(uint32_t place) const;

    /**
     * @param from a GPU
     * @param to a GPU of another server, whose card is on the same fabric
     * @return true if the fabric can carry messages from one to the other
     */
    bool IsUsable(uint32_t from, uint32_t to) const;

    /**
     * @param at the GPU that has a message
     * @param destination the GPU of another server that it is for
     * @param [out] way its way
     * @return empty; otherwise the sentence that says why there is none
     */
    std::string Choose(uint32_t at, uint32_t destination, Way& way) const;

  private:
    /**
     * Find the best way through cards that work.
     *
     * @param at the GPU that has a message
     * @param destination the GPU of another server that it is for
     * @param [out] way its way
     * @return false if there is none
     */
    bool FindDetour(uint32_t at, uint32_t destination, Way& way) const;

    /**
     * @param from a GPU
     * @param to a GPU of another server, such that IsUsable()
     * @return true if no decision on circuits must come first
     */
    bool HasCircuit(uint32_t from, uint32_t to) const;

    /**
     * @param place a GPU
     * @param own a GPU of its server
     * @return a GPU for each card of the server: the own one for its card, else the first of it
     */
    std::vector<uint32_t> GetCards(uint32_t place, uint32_t own) const;

    /**
     * @param place a GPU
     * @return its card, by server and number
     */
    std::pair<uint32_t, uint32_t> GetCard(uint32_t place) const
    {
        return {m_layout.GetServer(place), m_layout.GetIndex(place) / m_layout.portGpus};
    }

    std::set<std::string> m_failed;     //!< Names of what has failed
    ServerLayout m_layout;              //!< Which GPUs share a server
    uint32_t m_places{0};               //!< Number of GPUs
    std::vector<Rail> m_rails;          //!< The fabrics between servers
    std::set<uint32_t> m_failedRails;   //!< Fabrics that have failed
    std::set<uint32_t> m_failedServers; //!< Servers whose scale-up network has failed
    /// Cards that have failed, by server and number
    std::set<std::pair<uint32_t, uint32_t>> m_failedCards;
};

} // namespace lightpath
} // namespace ns3

#endif /* SERVER_WAYS_H */
