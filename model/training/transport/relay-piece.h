/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RELAY_PIECE_H
#define RELAY_PIECE_H

#include "message-piece.h"
#include "model/base/wire-format.h"

#include "ns3/fabric-frame.h"
#include "ns3/packet.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A message of this rank, or a part of any message that is forwarded or sent again.
 */
struct RelayPiece
{
    /// Bytes of the headers of a frame.
    static constexpr uint32_t HEADERS = RELAY_FRAME_HEADER_BYTES;

    /// Bytes of these after that of Ethernet.
    static constexpr uint32_t INNER_HEADERS = HEADERS - ETHERNET_HEADER_BYTES;

    /**
     * Cut a frame off the piece, which names its source and its destination: these need not be the
     * ends of the lightpath.
     *
     * @param port the port that sends the frame
     * @param destination the rank that the piece is for
     * @param bytes the bytes of the message in the frame, at most those of the piece
     * @return the frame
     */
    SourceFrame Cut(uint32_t port, uint32_t destination, uint64_t bytes);

    /**
     * @param frame a frame cut off a piece
     * @return its payload
     */
    static Ptr<Packet> MakePayload(const SourceFrame& frame);

    uint32_t source{0};   //!< Rank that sent the message
    MessagePiece message; //!< The part not handed to the device
};

/**
 * @ingroup lightpath
 * @brief A frame that other ranks may forward, as its headers describe it.
 */
struct RelayFrame
{
    /**
     * @param payload the payload
     */
    explicit RelayFrame(const Ptr<const Packet>& payload);

    /**
     * @param frame a frame cut off a piece
     */
    explicit RelayFrame(const SourceFrame& frame)
        : destination(frame.destination),
          piece{frame.origin,
                {frame.messageTag,
                 frame.messageSize,
                 frame.bytes - RelayPiece::INNER_HEADERS,
                 frame.repeats}}
    {
    }

    uint32_t destination{0}; //!< Rank that it is for
    RelayPiece piece;        //!< Its part of a message
};

} // namespace lightpath
} // namespace ns3

#endif /* RELAY_PIECE_H */
