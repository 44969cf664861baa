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
 * @brief How datagrams are sent and sent again.
 */
struct DatagramOptions
{
    uint32_t payload{0}; //!< Most bytes of a datagram, with its headers but those of UDP and IP
    uint64_t window{0};  //!< Most bytes on their way
    Time timeout;        //!< Time without acknowledgement after which all are sent again
    uint32_t retries{0}; //!< Times in a row that this is done, before the messages are given up
};

/**
 * @ingroup lightpath
 * @brief Sends messages over a socket for datagrams, such as one of UDP, and again what is lost.
 *
 * Each datagram is acknowledged. Where one is that was sent three after another, and the other is
 * not acknowledged, the other is taken for lost and sent again. Without any acknowledgement for
 * the timeout, all that are on their way are. There is a window but no congestion control.
 */
class DatagramSender : public MessageSender
{
  public:
    /**
     * @param rank the rank that sends
     * @param socket the socket, which is not connected
     * @param address where the other rank receives
     * @param options how datagrams are sent
     * @param turn the most bytes of a message in a turn; 0 to have messages go whole
     * @param failureCallback what takes the clause of a failure
     */
    DatagramSender(uint32_t rank,
                   Ptr<Socket> socket,
                   const Address& address,
                   const DatagramOptions& options,
                   uint64_t turn,
                   FailureCallback failureCallback);

    ~DatagramSender() override;

    /**
     * @param header an acknowledgement
     */
    void Acknowledge(const DatagramHeader& header);

    uint64_t GetUndelivered() const override;

  private:
    /// A datagram that is on its way or is to be sent again.
    struct Datagram
    {
        uint64_t sequence{0}; //!< Its sequence number
        MessagePiece piece;   //!< What it carries
        Time time;            //!< When it was sent
    };

    void SendMore() override;

    /**
     * @param datagram what to send
     */
    void Transmit(Datagram datagram);

    /**
     * Send a datagram again as soon as the window allows.
     *
     * @param datagram the datagram, which is no longer on its way
     */
    void NoteLost(Datagram datagram);

    /// See whether nothing has been acknowledged for too long.
    void CheckTimeout();

    uint32_t m_rank;                       //!< Rank that sends
    Ptr<Socket> m_socket;                  //!< The socket
    Address m_address;                     //!< Where the other rank receives
    DatagramOptions m_options;             //!< How datagrams are sent
    uint64_t m_nextSequence{0};            //!< Sequence number of the next new datagram
    uint64_t m_nextTransmission{0};        //!< Transmission number of the next one
    uint64_t m_arrived{0};                 //!< All sequence numbers below have arrived
    uint64_t m_flying{0};                  //!< Bytes of messages on their way
    uint64_t m_lostBytes{0};               //!< Bytes of messages to be sent again
    std::map<uint64_t, Datagram> m_flight; //!< On their way, by transmission number
    std::deque<Datagram> m_lost;           //!< To be sent again
    Time m_deadline;                       //!< When all on their way are taken for lost
    uint32_t m_nTimeouts{0};               //!< Timeouts since the last acknowledgement
    EventId m_timer;                       //!< The next look at the deadline
};

} // namespace lightpath
} // namespace ns3

#endif /* DATAGRAM_SENDER_H */
