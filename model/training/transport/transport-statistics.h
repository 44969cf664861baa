/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSPORT_STATISTICS_H
#define TRANSPORT_STATISTICS_H

#include "ns3/nstime.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Statistics of transports: connections of a SocketTransport, paths of messages of a
 * HybridTransport and a RelayTransport, repeats of a CircuitTransport.
 */
struct TransportStatistics
{
    /**
     * Add the counts of another transport.
     *
     * @param other its counts
     */
    void Add(const TransportStatistics& other);

    /**
     * @param time a round trip that was measured
     */
    void AddRoundTrip(Time time);

    /**
     * @return the mean of the round trips in seconds, 0 without any
     */
    double GetMeanRoundTrip() const;

    /**
     * Add the counts to a report as JSON: transport, hybrid, relay and repeatedBytes, where there
     * are any.
     *
     * @param [in,out] json the report
     */
    void AddTo(nlohmann::ordered_json& json) const;

    /**
     * Print the counts as sentences, where there are any.
     *
     * @param os where to print
     * @param name the name of the fabric
     * @param sentBytes the bytes that were sent, with headers
     */
    void Print(std::ostream& os, const std::string& name, uint64_t sentBytes) const;

    uint64_t connections{0};        //!< Connections that were opened
    Time handshake;                 //!< Longest time to open a connection
    uint64_t packets{0};            //!< Packets sent, with acknowledgements
    uint64_t retransmittedBytes{0}; //!< Bytes sent again, without headers
    uint64_t slowStartBytes{0};     //!< Bytes sent while the window had not reached its full size
    uint64_t roundTrips{0};         //!< Number of round trips measured
    double roundTripSeconds{0};     //!< Sum of the round trips in seconds
    Time leastRoundTrip;            //!< Least round trip, where there are any
    uint64_t opticalMessages{0};    //!< Messages of a hybrid transport that went optically
    uint64_t opticalBytes{0};       //!< Bytes that went optically, without headers
    uint64_t electricalMessages{0}; //!< Messages that went electrically as a whole
    uint64_t electricalBytes{0};    //!< Bytes that went electrically, without headers
    uint64_t messageBytes{0};       //!< Bytes of all messages of a relaying transport
    uint64_t forwardedBytes{0};     //!< Bytes forwarded for other ranks, no headers
    uint64_t repeatedBytes{0};      //!< Bytes sent again on circuits, without headers
    uint64_t rdmaFrames{0};         //!< Frames that cards for RDMA have sent
    uint64_t rdmaMarks{0};          //!< Of these, marked by switches
    uint64_t rdmaPauses{0};         //!< Pauses that their switches have sent
    uint64_t rdmaDrops{0};          //!< Frames that switches had no room for
    uint64_t rdmaSkipped{0};        //!< Those of them that were not simulated
    uint64_t rdmaResent{0};         //!< Packets that cards have sent again
    uint64_t rdmaEvents{0};         //!< Events of the network of the cards
};

} // namespace lightpath
} // namespace ns3

#endif /* TRANSPORT_STATISTICS_H */
