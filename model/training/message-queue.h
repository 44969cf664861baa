/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_QUEUE_H
#define MESSAGE_QUEUE_H

#include "message-piece.h"

#include <cstdint>
#include <deque>
#include <map>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The messages that wait for one connection, handed over piece by piece.
 *
 * Messages go whole, one after the other, or they take turns, a piece each. Two messages with the
 * same tag never take turns with each other, so that they keep their order.
 */
class MessageQueue
{
  public:
    /**
     * @param turn the most bytes of a message in a turn; 0 to send messages whole
     */
    explicit MessageQueue(uint64_t turn = 0);

    /**
     * @param message a message, or the remainder of one: at least 1 byte
     */
    void Push(const MessagePiece& message);

    /**
     * Take the next piece. The messages must not be empty.
     *
     * @param most the most bytes of the piece, at least 1
     * @return the piece
     */
    MessagePiece Pop(uint64_t most);

    /**
     * @return true if nothing waits
     */
    bool IsEmpty() const;

    /**
     * @return the bytes that wait
     */
    uint64_t GetBytes() const;

  private:
    /// Remove the first message, which has ended, and let the next with its tag take turns.
    void EndFirst();

    uint64_t m_turn;     //!< Most bytes of a message in a turn, 0 for all
    uint64_t m_used{0};  //!< Bytes of the first message in its present turn
    uint64_t m_bytes{0}; //!< Bytes that wait
    /// Remainders of the messages that take turns, the present one first
    std::deque<MessagePiece> m_messages;
    /// Messages that wait for one with the same tag to end, by tag; empty where messages go whole
    std::map<uint64_t, std::deque<MessagePiece>> m_later;
};

} // namespace lightpath
} // namespace ns3

#endif /* MESSAGE_QUEUE_H */
