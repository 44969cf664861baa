/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ODDL_HEADER_H
#define ODDL_HEADER_H

#include "ns3/header.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A control message of ODDL, the payload of a datagram.
 *
 * Each message has a kind (1 byte), the direction and the index of the transceivers concerned (1
 * byte each), a zero byte, the port that sends it and the number of the flow or of the job (4 bytes
 * each). A request and a grant have four further fields of 8 bytes, a message about the end of a
 * flow one, and a request for a job the number of ports and a bit for each of them. Numbers are in
 * network order and times in picoseconds; as members times are in ticks.
 */
class OddlHeader : public Header
{
  public:
    /// Kinds of messages.
    enum Kind : uint8_t
    {
        JOB_REQUEST = 1,  //!< Set the switches for a job
        JOB_GO = 2,       //!< The switches are set for the job
        REQUEST = 3,      //!< A transmitter has a flow for a receiver
        GRANT = 4,        //!< The receiver is reserved for the flow
        GRANT_CANCEL = 5, //!< The transmitter returns the grant for this flow
        DONE = 6,         //!< The light of the flow has gone out
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    Kind kind{REQUEST};   //!< The kind of the message
    uint8_t direction{0}; //!< Rows or columns, as a WssGrid::Direction
    uint8_t index{0};     //!< Which of the transceivers of a port there
    uint32_t port{0};     //!< The port that sends the message
    uint32_t number{0};   //!< The number of the flow, given by its transmitter, or of the job
    uint64_t bytes{0};    //!< REQUEST: the size of the flow; DONE: how many have come in

    /// REQUEST: when it was sent, by the clock of its sender; GRANT: as in the request
    int64_t stamp{0};
    int64_t slack{0}; //!< The time from the grant in which there must be light
    /// REQUEST: how long the data has been ready; GRANT: how long the request has waited
    int64_t wait{0};
    int64_t hold{0}; //!< GRANT: the time behind the slack in which the light must go out

    uint32_t nPorts{0};          //!< JOB_REQUEST: number of ports of the fabric
    std::vector<uint32_t> ports; //!< JOB_REQUEST: those of the job, in ascending order
};

/// The times in the life of a flow of ODDL, in ticks.
struct OddlFlow
{
    uint32_t number{0};      //!< The number that its transmitter gave it
    uint32_t destination{0}; //!< The port that its data is for
    uint32_t hop{0};         //!< The port that it is sent to
    uint64_t bytes{0};       //!< The bytes that waited as it was requested
    int64_t ready{0};        //!< Since when there has been data
    int64_t requested{0};    //!< When it was requested first
    int64_t granted{0};      //!< When the grant came in that it used
    int64_t opened{0};       //!< When its first bit was sent
    int64_t ended{0};        //!< When its light went out
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_HEADER_H */
