/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STREAM_SENDER_H
#define STREAM_SENDER_H

#include "message-sender.h"

#include "ns3/nstime.h"
#include "ns3/sequence-number.h"
#include "ns3/socket.h"

namespace ns3
{

class TcpHeader;
class TcpSocketBase;

namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Sends messages over a socket that carries a stream of bytes, such as one of TCP.
 *
 * Each piece of a message is a PieceHeader and its bytes, which are handed over in packets without
 * real contents. What waits in the simulator is bounded by the buffer of the socket, however long
 * the messages are: it is refilled once all but the window, or else half of it, is free.
 */
class StreamSender : public MessageSender
{
  public:
    /**
     * @param rank the rank that sends
     * @param window the bytes that can be on their way at most
     * @param turn the most bytes of a message in a turn; 0 to have messages go whole
     * @param failureCallback what takes the clause of a failure
     */
    StreamSender(uint32_t rank, uint64_t window, uint64_t turn, FailureCallback failureCallback);

    /// Hear nothing of the socket any more.
    ~StreamSender() override;

    /**
     * Open the connection.
     *
     * @param socket a socket that is bound to nothing
     * @param address where the other rank listens
     */
    void Connect(Ptr<Socket> socket, const Address& address);

    uint64_t GetUndelivered() const override;

    /**
     * Count a TCP packet.
     *
     * @param packet its payload
     * @param header its TCP header
     * @return its bytes with the headers of TCP and IPv4
     */
    static uint64_t GetPacketBytes(const Ptr<const Packet>& packet, const TcpHeader& header);

  private:
    void SendMore() override;

    /**
     * The connection is open.
     *
     * @param socket the socket
     */
    void NotifyOpen(Ptr<Socket> socket);

    /**
     * The connection cannot be opened.
     *
     * @param socket the socket
     */
    void NotifyRefused(Ptr<Socket> socket);

    /**
     * The connection has been closed by the other side.
     *
     * @param socket the socket
     */
    void NotifyClosed(Ptr<Socket> socket);

    /**
     * The connection has been given up.
     *
     * @param socket the socket
     */
    void NotifyBroken(Ptr<Socket> socket);

    /**
     * The socket has room.
     *
     * @param socket the socket
     * @param available the bytes that it has room for
     */
    void NotifyRoom(Ptr<Socket> socket, uint32_t available);

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

    uint32_t m_rank;            //!< Rank that sends
    uint64_t m_window;          //!< Bytes that can be on their way at most
    Ptr<Socket> m_socket;       //!< The socket
    uint32_t m_bufferSize{0};   //!< Bytes that the buffer of the socket holds
    uint64_t m_refill{0};       //!< Bytes of it that are free as it is refilled
    Time m_begin;               //!< When the connection was asked for
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
