/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STREAM_SENDER_H
#define STREAM_SENDER_H

#include "message-piece.h"
#include "transport-statistics.h"

#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/sequence-number.h"
#include "ns3/socket.h"

#include <cstdint>
#include <deque>
#include <string>

namespace ns3
{

class TcpHeader;
class TcpSocketBase;

namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Sends messages over a stream socket, such as one of TCP.
 *
 * Messages go whole, one after the other, in pieces. Each is a PieceHeader and its bytes, in
 * packets without real contents. The buffer of the socket bounds the memory for bytes that wait,
 * however long the messages are. It is refilled when all of it but the window is free, or half of
 * it if the window is larger.
 */
class StreamSender
{
  public:
    /// Takes the clause that says why messages can no longer be sent.
    using FailureCallback = Callback<void, const std::string&>;

    /**
     * @param rank the rank that sends
     * @param window the most bytes in flight
     * @param failureCallback takes the clause that describes a failure
     */
    StreamSender(uint32_t rank, uint64_t window, FailureCallback failureCallback);

    /// Disconnect from the callbacks and traces of the socket.
    ~StreamSender();

    StreamSender(const StreamSender&) = delete;
    StreamSender& operator=(const StreamSender&) = delete;

    /**
     * Open the connection.
     *
     * @param socket a socket that is bound to nothing
     * @param address where the other rank listens
     */
    void Connect(Ptr<Socket> socket, const Address& address);

    /**
     * @param message a message, or the remainder of one: at least 1 byte
     */
    void Send(const MessagePiece& message);

    /**
     * @return the bytes that the other rank has not acknowledged: those that wait, and those in
     *         flight
     */
    uint64_t GetUndelivered() const;

    /**
     * @return the counts of the connection
     */
    const TransportStatistics& GetStatistics() const;

    /**
     * @return the bytes sent, with headers
     */
    uint64_t GetSentBytes() const;

    /**
     * Count a TCP packet.
     *
     * @param packet its payload
     * @param header its TCP header
     * @return its bytes with the headers of TCP and IPv4
     */
    static uint64_t GetPacketBytes(const Ptr<const Packet>& packet, const TcpHeader& header);

  private:
    /// Send as much as the socket has room for.
    void SendMore();

    /**
     * Stop sending for good, and report why.
     *
     * @param reason a clause that says why, such as "was refused"
     */
    void Fail(const std::string& reason);

    /**
     * The connection is open.
     *
     * @param socket the socket
     */
    void NotifyOpen(Ptr<Socket> socket);

    /**
     * @param reason a clause that says why the connection ends, or cannot be opened
     * @return a callback that ends it
     */
    Callback<void, Ptr<Socket>> MakeEnd(const std::string& reason);

    /**
     * A TCP packet is sent.
     *
     * @param packet its payload
     * @param header its TCP header
     * @param socket the socket
     */
    void NotifySent(Ptr<const Packet> packet,
                    const TcpHeader& header,
                    Ptr<const TcpSocketBase> socket);

    /**
     * TCP has a new estimate of the round trip.
     *
     * @param previous the one before
     * @param current the new one
     */
    void NotifyRoundTrip(Time previous, Time current);

    /**
     * The congestion window of TCP changes.
     *
     * @param previous the bytes before
     * @param current the bytes now
     */
    void NotifyWindow(uint32_t previous, uint32_t current);

    FailureCallback m_failureCallback; //!< Takes the description of a failure
    std::deque<MessagePiece> m_queue;  //!< Remainders of the messages that wait
    uint64_t m_queuedBytes{0};         //!< Their bytes
    TransportStatistics m_statistics;  //!< Counts of the connection
    uint64_t m_sentBytes{0};           //!< Bytes sent, with headers
    bool m_hasFailed{false};           //!< Nothing is sent any more

    uint32_t m_rank;            //!< Rank that sends
    uint64_t m_window;          //!< Most bytes in flight
    Ptr<Socket> m_socket;       //!< The socket
    uint32_t m_bufferSize{0};   //!< Bytes that the buffer of the socket holds
    uint64_t m_refill{0};       //!< Free bytes at which it is refilled
    Time m_begin;               //!< When the connection was requested
    bool m_isOpen{false};       //!< Whether it is open
    bool m_isFilling{false};    //!< SendMore() is under way
    bool m_isTcp{false};        //!< The socket traces its packets
    bool m_isStarting{true};    //!< The congestion window has not reached its full size yet
    uint64_t m_nextBytes{0};    //!< Bytes left of the piece that is being handed over
    bool m_hasSequence{false};  //!< A TCP packet with data has been sent
    SequenceNumber32 m_highest; //!< Sequence number after the last byte sent by TCP
};

} // namespace lightpath
} // namespace ns3

#endif /* STREAM_SENDER_H */
