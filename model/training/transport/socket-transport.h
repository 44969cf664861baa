/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SOCKET_TRANSPORT_H
#define SOCKET_TRANSPORT_H

#include "transport.h"

#include "ns3/address.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class TcpHeader;
class TcpSocketBase;

namespace lightpath
{

class PieceHeader;
class PieceReader;
class StreamSender;

/**
 * @ingroup lightpath
 * @brief Carries messages over sockets that carry a stream of bytes, such as those of TCP, so that
 * a training job can run on any network.
 *
 * A rank opens connections to another rank when it first sends to it, and uses them in this
 * direction only.
 *
 * The attributes configure the sockets of this transport in place of the defaults of ns-3, which
 * are far too small for a data centre: segments of 536 bytes, buffers of 128 KiB, timeouts of a
 * second. Attributes for TCP have no effect on other sockets.
 */
class SocketTransport : public Transport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    SocketTransport();
    ~SocketTransport() override;

    /**
     * Listen at a node, whose protocol stack must have the socket factory.
     *
     * @param node the node
     * @param rank the rank
     * @param addresses the address with port at which each rank listens
     */
    void SetUp(Ptr<Node> node,
               uint32_t rank,
               std::shared_ptr<const std::vector<Address>> addresses);

    /**
     * Get a Window that lets a connection have the full rate of a network: four one-way trips at
     * this rate, and at least 2 MiB, for the data of other connections that acknowledgements wait
     * behind at a network card.
     *
     * @param bitRate the rate of a node into the network, bit/s
     * @param latency the time of a one-way trip without queues, seconds
     * @return the window in bytes, at most 1 GB
     */
    static uint64_t GetFullRateWindow(double bitRate, double latency);

    void Send(uint32_t rank, uint64_t tag, uint64_t bytes) override;
    void SendRest(uint32_t rank, const MessagePiece& rest) override;
    uint64_t GetSentBytes() const override;
    bool IsMoving() const override;
    std::string Describe() const override;
    TransportStatistics GetStatistics() const override;

  protected:
    void DoDispose() override;

  private:
    /**
     * @tparam F a function of a sender
     * @param visit called for each sender of connections that have been used
     */
    template <typename F>
    void VisitSenders(F visit) const
    {
        for (const auto& rank : m_senders)
        {
            for (const auto& sender : rank.second)
            {
                if (sender)
                {
                    visit(*sender);
                }
            }
        }
    }

    /**
     * @return a new socket, configured by the attributes
     */
    Ptr<Socket> CreateSocket() const;

    /**
     * Configure a TCP socket by the attributes.
     *
     * @param socket a new socket
     */
    void Configure(Ptr<Socket> socket) const;

    /**
     * @return the most bytes of a segment that IP need not fragment
     */
    uint32_t GetPayload() const;

    /**
     * @param rank a rank to send to
     * @param tag the tag of a message
     * @return the sender of the connection that it takes, created on first use
     */
    StreamSender& GetSender(uint32_t rank, uint64_t tag);

    /**
     * @param rank a rank to send to
     * @return a sender of messages to it over a new connection
     */
    std::unique_ptr<StreamSender> CreateSender(uint32_t rank);

    /**
     * Read from a connection that another rank has opened.
     *
     * @param socket the socket of the connection
     * @param from the address of the other rank
     */
    void NotifyAccepted(Ptr<Socket> socket, const Address& from);

    /**
     * Take a part of a message that has arrived.
     *
     * @param header describes the part
     */
    void ReceivePiece(const PieceHeader& header);

    /**
     * Count a TCP packet, an acknowledgement, sent over a connection that another rank has opened.
     *
     * @param packet its payload
     * @param header its TCP header
     * @param socket the socket
     */
    void NotifySent(Ptr<const Packet> packet,
                    const TcpHeader& header,
                    Ptr<const TcpSocketBase> socket);

    Ptr<Node> m_node;                //!< The node
    uint32_t m_rank{0};              //!< The rank
    TypeId m_factory;                //!< The type of the socket factory
    std::string m_congestionControl; //!< Type of the congestion control, empty for the node's
    std::string m_recovery;          //!< Type of the recovery of TCP, empty for the node's
    uint32_t m_segmentSize;          //!< Bytes of a segment, 0 to follow the devices
    uint32_t m_window;               //!< Most bytes in flight over a connection
    uint32_t m_initialWindow;        //!< Segments of the first congestion window
    uint32_t m_delayedAcks;          //!< Segments for one acknowledgement
    Time m_delayedAckTimeout;        //!< Time until a segment is acknowledged alone
    Time m_timeout;                  //!< Least time until a retransmission
    uint32_t m_retries;              //!< Timeouts in a row before a connection is given up
    uint32_t m_connections;          //!< Connections to each rank
    Time m_messageDelay;             //!< Time of a message before its first byte is sent
    uint32_t m_nWaiting{0};          //!< Messages that wait for that
    Ptr<Socket> m_listener;          //!< Socket at which this rank listens
    uint64_t m_ackBytes{0};          //!< Bytes of acknowledgements sent
    uint64_t m_nAcks{0};             //!< Acknowledgements sent
    std::shared_ptr<const std::vector<Address>> m_addresses; //!< Where each rank listens
    /// Senders by rank; a connection that has not been used has none
    std::map<uint32_t, std::vector<std::unique_ptr<StreamSender>>> m_senders;
    std::vector<std::unique_ptr<PieceReader>> m_readers; //!< Readers of streams
    std::vector<Ptr<Socket>> m_accepted;                 //!< Connections opened by others
};

} // namespace lightpath
} // namespace ns3

#endif /* SOCKET_TRANSPORT_H */
