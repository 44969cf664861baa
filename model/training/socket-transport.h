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

class DatagramReceiver;
class MessageSender;
class PieceHeader;
class PieceReader;

/**
 * @ingroup lightpath
 * @brief Carries messages over sockets of any kind, so that a training job can run on any network.
 *
 * A rank opens connections to another as it first sends to it, and uses them in this direction
 * only. Sockets that carry a stream of bytes get the messages as a StreamSender makes them;
 * sockets for datagrams, as a DatagramSender does, which makes them reliable.
 *
 * The attributes say how the sockets of this transport are set, instead of the defaults of ns-3,
 * which are for the Internet of long ago: segments of 536 bytes, buffers of 128 KiB, timeouts of a
 * second. Those for TCP are passed over for any other socket.
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
     * @param addresses where each rank listens, with ports
     */
    void SetUp(Ptr<Node> node,
               uint32_t rank,
               std::shared_ptr<const std::vector<Address>> addresses);

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
     * @return a new socket, set as the attributes say
     */
    Ptr<Socket> CreateSocket() const;

    /**
     * @param socket a new socket, to be set as the attributes say
     */
    void Configure(Ptr<Socket> socket) const;

    /**
     * @param header the bytes of the header of the transport layer
     * @return the most bytes after it in a packet, which IP need not cut
     */
    uint32_t GetPayload(uint32_t header) const;

    /**
     * @param rank a rank to send to
     * @param tag the tag of a message
     * @return what sends it, which is made if need be
     */
    MessageSender& GetSender(uint32_t rank, uint64_t tag);

    /**
     * @param rank a rank to send to
     * @return what sends messages to it over a new connection
     */
    std::unique_ptr<MessageSender> CreateSender(uint32_t rank);

    /**
     * Another rank has opened a connection.
     *
     * @param socket the socket of the connection
     * @param from the address of the other rank
     */
    void NotifyAccepted(Ptr<Socket> socket, const Address& from);

    /**
     * There are datagrams to be read.
     *
     * @param socket the socket
     */
    void ReadDatagrams(Ptr<Socket> socket);

    /**
     * Take in a part of a message.
     *
     * @param header the part
     */
    void ReceivePiece(const PieceHeader& header);

    /**
     * A TCP packet is sent over a connection that another rank has opened.
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
    uint32_t m_segmentSize;          //!< Bytes of a segment, 0 to follow the devices
    uint32_t m_window;               //!< Bytes on their way over a connection at most
    uint32_t m_initialWindow;        //!< Segments of the first congestion window
    uint32_t m_delayedAcks;          //!< Segments for one acknowledgement
    Time m_delayedAckTimeout;        //!< Time until a segment is acknowledged alone
    Time m_timeout;                  //!< Least time until something is sent again
    uint32_t m_retries;              //!< Timeouts in a row before a connection is given up
    uint32_t m_connections;          //!< Connections to each rank
    uint64_t m_turn;                 //!< Most bytes of a message in a turn, 0 for all
    Ptr<Socket> m_listener;          //!< Where this rank is reached
    bool m_isStream{true};           //!< Whether sockets carry streams
    uint64_t m_ackBytes{0};          //!< Bytes sent by what receives
    uint64_t m_nAcks{0};             //!< Packets sent by what receives
    std::shared_ptr<const std::vector<Address>> m_addresses; //!< Where each rank listens
    /// What sends, by rank; fewer than the connections where they have not been used
    std::map<uint32_t, std::vector<std::unique_ptr<MessageSender>>> m_senders;
    /// What receives datagrams, by rank
    std::map<uint32_t, std::unique_ptr<DatagramReceiver>> m_receivers;
    std::vector<std::unique_ptr<PieceReader>> m_readers; //!< What reads streams
    std::vector<Ptr<Socket>> m_accepted;                 //!< Connections opened by others
};

} // namespace lightpath
} // namespace ns3

#endif /* SOCKET_TRANSPORT_H */
