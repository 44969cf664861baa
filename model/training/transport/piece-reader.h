/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PIECE_READER_H
#define PIECE_READER_H

#include "piece-header.h"

#include "ns3/callback.h"
#include "ns3/packet.h"

#include <array>
#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Finds the pieces of messages in a stream of bytes, however it is cut into packets.
 */
class PieceReader
{
  public:
    /// Takes a piece as its last byte is read.
    using PieceCallback = Callback<void, const PieceHeader&>;

    /**
     * @param callback takes the pieces
     */
    explicit PieceReader(PieceCallback callback);

    /**
     * Read the next bytes of the stream.
     *
     * @param packet the bytes; the packet is empty afterwards
     */
    void Read(Ptr<Packet> packet);

    /**
     * @return true if the stream has ended within a piece
     */
    bool IsWithinPiece() const;

  private:
    /**
     * Read bytes of a header. The last one begins its piece.
     *
     * @param packet the next bytes of the stream
     */
    void ReadHeader(Ptr<Packet> packet);

    PieceCallback m_callback;                           //!< Takes the pieces
    std::array<uint8_t, PieceHeader::SIZE> m_bytes{{}}; //!< Bytes of the next header
    uint32_t m_nBytes{0};                               //!< How many of them have been read
    PieceHeader m_header;                               //!< The header of the present piece
    uint64_t m_left{0};                                 //!< Bytes of the piece yet to be read
};

} // namespace lightpath
} // namespace ns3

#endif /* PIECE_READER_H */
