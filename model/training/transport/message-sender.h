/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_SENDER_H
#define MESSAGE_SENDER_H

#include "message-piece.h"
#include "transport-statistics.h"

#include "ns3/callback.h"

#include <cstdint>
#include <deque>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Sends the messages of one rank to another over a socket.
 *
 * This class cannot be instantiated, as it does not know the kind of socket. A child class
 * implements SendMore(), which takes pieces of messages while the socket has room for them.
 * Messages go whole, one after the other.
 */
class MessageSender
{
  public:
    /// Takes the clause that says why messages can no longer be sent.
    using FailureCallback = Callback<void, const std::string&>;

    virtual ~MessageSender();

    MessageSender(const MessageSender&) = delete;
    MessageSender& operator=(const MessageSender&) = delete;

    /**
     * @param message a message, or the remainder of one: at least 1 byte
     */
    void Send(const MessagePiece& message);

    /**
     * @return the bytes that the other rank has not acknowledged: those that wait, and those in
     *         flight
     */
    virtual uint64_t GetUndelivered() const = 0;

    /**
     * @return the counts of the connection
     */
    const TransportStatistics& GetStatistics() const;

    /**
     * @return the bytes sent, with headers
     */
    uint64_t GetSentBytes() const;

  protected:
    /**
     * @param failureCallback takes the clause that describes a failure
     */
    explicit MessageSender(FailureCallback failureCallback);

    /// Send as much as the socket has room for.
    virtual void SendMore() = 0;

    /**
     * Take the next piece of the messages that wait, of which there must be one.
     *
     * @param most the most bytes of the piece, at least 1
     * @return the piece
     */
    MessagePiece PopPiece(uint64_t most);

    /**
     * Stop sending for good, and report why.
     *
     * @param reason a clause that says why, such as "was refused"
     */
    void Fail(const std::string& reason);

    std::deque<MessagePiece> m_queue; //!< Remainders of the messages that wait
    uint64_t m_queuedBytes{0};        //!< Their bytes
    TransportStatistics m_statistics; //!< Counts of the connection
    uint64_t m_sentBytes{0};          //!< Bytes sent, with headers
    bool m_hasFailed{false};          //!< Nothing is sent any more

  private:
    FailureCallback m_failureCallback; //!< Takes the description of a failure
};

} // namespace lightpath
} // namespace ns3

#endif /* MESSAGE_SENDER_H */
