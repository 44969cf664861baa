/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATAGRAM_RECEIVER_H
#define DATAGRAM_RECEIVER_H

#include "piece-header.h"

#include "ns3/callback.h"

#include <cstdint>
#include <map>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Puts the datagrams of one sender in order and drops duplicates.
 */
class DatagramReceiver
{
  public:
    /// Takes the pieces of messages in order.
    using PieceCallback = Callback<void, const PieceHeader&>;

    /**
     * Take a datagram.
     *
     * @param sequence its sequence number
     * @param header the piece that it carries
     * @param callback takes this piece and those behind it, as far as they are complete
     */
    void Receive(uint64_t sequence, const PieceHeader& header, const PieceCallback& callback);

    /**
     * @return the lowest sequence number that has not arrived
     */
    uint64_t GetNext() const;

  private:
    uint64_t m_next{0};                      //!< Lowest sequence number that has not arrived
    std::map<uint64_t, PieceHeader> m_early; //!< Pieces beyond it, by sequence number
};

} // namespace lightpath
} // namespace ns3

#endif /* DATAGRAM_RECEIVER_H */
