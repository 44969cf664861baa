/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSPORT_KIND_H
#define TRANSPORT_KIND_H

#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A kind of transport that users may choose by its name: a row of the table of transports.
 *
 * A new transport is a class derived from Transport and a row of GetAll().
 */
struct TransportKind
{
    /// The network that the transport needs.
    enum class Need
    {
        CHANNEL,   //!< One channel that frames cross in one hop (FabricChannel)
        CIRCUITS,  //!< Such a channel with circuits (OpticalChannel)
        ROTORS,    //!< Such a channel with a periodic schedule (RotorChannel)
        ADDRESSES, //!< Nodes with IP addresses
        MARKING,   //!< Nodes with IP addresses, and switches that mark packets (ECN)
        CARDS,     //!< Cards for RDMA, with a congestion control of this name (RdmaHelper)
    };

    /**
     * @return all kinds
     */
    static const std::vector<TransportKind>& GetAll();

    /**
     * @param name a name
     * @return the kind of this name; null if there is none
     */
    static const TransportKind* Find(const std::string& name);

    /**
     * @return true if messages go over sockets
     */
    bool UsesSockets() const;

    std::string name;        //!< Name in options and in TrainingHelper::SetTransport()
    std::string description; //!< What it does, in a few words for the help of a program
    std::string type;        //!< Name of its TypeId
    Need need;               //!< What the network must have
    std::vector<std::pair<std::string, std::string>> attributes; //!< Attributes that it sets
};

} // namespace lightpath
} // namespace ns3

#endif /* TRANSPORT_KIND_H */
