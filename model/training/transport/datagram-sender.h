/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATAGRAM_SENDER_H
#define DATAGRAM_SENDER_H

#include "message-sender.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/socket.h"

#include <deque>
#include <map>

namespace ns3
{
namespace lightpath
{

class DatagramHeader;

/**
 * @ingroup lightpath
 * @brief How datagrams are sent and retransmitted.
 */
struct DatagramOptions
{
    uint32_t payload{0}; //!< Most bytes of a datagram above the UDP header
    uint64_t window{0};  //!< Most bytes in flight
    Time timeout;        //!< Time without acknowledgement until all are retransmitted
    uint32_t retries{0}; //!< Timeouts in a row until the messages are given up
};

/**
 * @ingroup lightpath
 * @brief Sends messages over a datagram socket, such as one of UDP, and retransmits lost datagrams.
 *
 * The receiver acknowledges each datagram. A datagram counts as lost, and is retransmitted, when an
 * acknowledgement arrives for one that was sent three transmissions later. Without any
 * acknowledgement for the timeout, all datagrams in flight count as lost. There is a window but no
 * congestion control.
 */
class DatagramSender : public MessageSender
{
  public:
    /**
     * @param rank the rank that sends
     * @param socket the socket, which is not connected
     * @param address where the other rank receives
     * @param options how datagrams are sent
     * @param failureCallback takes the clause that describes a failure
     */
    DatagramSender(uint32_t rank,
                   Ptr<Socket> socket,
                   const Address& address,
                   const DatagramOptions& options,
                   FailureCallback failureCallback);

    ~DatagramSender() override;

    /**
     * Take an acknowledgement, detect losses, and send what the window now allows.
     *
     * @param header the acknowledgement
     */
    void Acknowledge(const DatagramHeader& header);

    uint64_t GetUndelivered() const override;

  private:
    /// A datagram that is in flight or will be retransmitted.
    struct Datagram
    {
        uint64_t sequence{0}; //!< Its sequence number
        MessagePiece piece;   //!< Part of a message in it
        Time time;            //!< When it was sent
    };

    void SendMore() override;

    /**
     * Send a datagram.
     *
     * @param datagram the datagram
     */
    void Transmit(Datagram datagram);

    /**
     * @return the timeout, doubled for each one in a row, as TCP does (RFC 6298, 5.5)
     */
    Time GetTimeout() const;

    /**
     * Retransmit a datagram as soon as the window allows, unless it has arrived after all.
     *
     * @param datagram the datagram, which is no longer in flight
     */
    void NoteLost(Datagram datagram);

    /// Retransmit all datagrams in flight, or give up, if the deadline has passed.
    void CheckTimeout();

    uint32_t m_rank;                       //!< Rank that sends
    Ptr<Socket> m_socket;                  //!< The socket
    Address m_address;                     //!< Where the other rank receives
    DatagramOptions m_options;             //!< How datagrams are sent
    uint64_t m_nextSequence{0};            //!< Sequence number of the next new datagram
    uint64_t m_nextTransmission{0};        //!< Transmission number of the next datagram
    uint64_t m_arrived{0};                 //!< All sequence numbers below have arrived
    uint64_t m_flying{0};                  //!< Bytes of messages in flight
    uint64_t m_lostBytes{0};               //!< Bytes of messages to be retransmitted
    std::map<uint64_t, Datagram> m_flight; //!< In flight, by transmission number
    std::deque<Datagram> m_lost;           //!< To be retransmitted
    Time m_deadline;                       //!< When all in flight count as lost
    uint32_t m_nTimeouts{0};               //!< Timeouts since the last acknowledgement
    EventId m_timer;                       //!< The next check of the deadline
};

} // namespace lightpath
} // namespace ns3

#endif /* DATAGRAM_SENDER_H */
