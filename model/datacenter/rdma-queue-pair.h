/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_QUEUE_PAIR_H
#define RDMA_QUEUE_PAIR_H

#include "rdma-congestion.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace ns3
{
namespace lightpath
{

class RdmaCard;
class RdmaNetwork;

/**
 * @ingroup lightpath
 * @brief A reliable connection from one card of an RdmaNetwork to another: the sender of its
 * messages and their receiver.
 *
 * Packets have numbers. The receiver acknowledges some of them; if one is missing, it either
 * ignores what follows and asks for it (go-back-N), or keeps what follows (selective repeat). The
 * sender keeps to the window and the rate of its congestion control.
 */
class RdmaQueuePair
{
  public:
    /**
     * @param network the network, which outlives the queue pair
     * @param sender the card that sends
     * @param receiver the card that receives
     */
    RdmaQueuePair(RdmaNetwork& network, RdmaCard& sender, RdmaCard& receiver);

    /**
     * Send a message. It enters the network after the delay of messages.
     *
     * @param id identifies it at the receiver
     * @param bytes its size in bytes
     */
    void Post(uint64_t id, uint64_t bytes);

    /**
     * @return the congestion control
     */
    Ptr<RdmaCongestion> GetCongestion() const
    {
        return m_congestion;
    }

    /**
     * @return the number of the queue pair in its network
     */
    uint32_t GetNumber() const
    {
        return m_number;
    }

    /**
     * @return the card that sends
     */
    const RdmaCard& GetSender() const
    {
        return m_sender;
    }

    /**
     * @return the card that receives
     */
    const RdmaCard& GetReceiver() const
    {
        return m_receiver;
    }

    /**
     * @return bytes of messages that have been acknowledged, in whole packets
     */
    uint64_t GetAcknowledged() const
    {
        return m_acked;
    }

    /**
     * @return messages that have not been acknowledged
     */
    std::size_t GetWaiting() const
    {
        return m_messages.size();
    }

    // The functions below are for the cards and the network

    /**
     * @return whether there is a packet that may be sent, as far as the window is concerned
     */
    bool CanSend() const;

    /**
     * Make the packet that is sent next.
     *
     * @param time when it is sent, ps
     * @return the packet
     */
    RdmaFrame* MakeNext(int64_t time);

    /**
     * @return decides on its path, with the seed of each switch
     */
    uint32_t GetEntropy() const
    {
        return m_entropy;
    }

    /**
     * @return how often its next packet has become due sooner
     */
    uint32_t GetTurn() const
    {
        return m_turn;
    }

    /// Send packets again that were left out, from now on.
    void Wake();

    /**
     * @return when the rate allows the next packet, ps
     */
    int64_t GetNextTime() const
    {
        return m_nextTime;
    }

    /**
     * Take a packet at the receiver.
     *
     * @param frame the packet
     */
    void TakeData(RdmaFrame* frame);

    /**
     * Take an acknowledgement, or what tells of a missing packet, at the sender.
     *
     * @param frame the answer
     */
    void TakeAnswer(const RdmaFrame& frame);

    /// Take a notification of congestion at the sender.
    void TakeNotification();

    /// The timer ends.
    void Expire();

    /**
     * @param number the number of a packet
     * @return what it is as BTH says
     */
    uint8_t GetOpcode(uint64_t number) const;

    /**
     * @param number the number of a packet that is not acknowledged
     * @return its payload, bytes
     */
    uint32_t GetPayload(uint64_t number) const;

    bool isReady{false}; //!< The card has it among those that can send

  private:
    /// A message.
    struct Message
    {
        uint64_t id{0};    //!< Identifies it at the receiver
        uint64_t bytes{0}; //!< Size in bytes
        uint64_t first{0}; //!< Number of its first packet
        uint64_t end{0};   //!< Number behind that of its last packet
        uint64_t left{0};  //!< Packets that were left out, which have no numbers
    };

    /**
     * @param number the number of a packet that is not acknowledged
     * @return its message
     */
    const Message& Find(uint64_t number) const;

    /**
     * Enter a message.
     *
     * @param message the message, without packets
     */
    void Enter(Message message);

    /**
     * Answer a packet.
     *
     * @param frame the packet, which becomes the answer
     * @param kind what it is
     */
    void Answer(RdmaFrame* frame, RdmaFrame::Kind kind);

    /// Hand over the messages that are whole.
    void Deliver();

    /**
     * @param frame a packet
     * @return whether it is new
     */
    bool Keep(const RdmaFrame& frame);

    /**
     * Note at the sender that a packet has arrived out of order.
     *
     * @param number its number
     */
    void NoteArrived(uint64_t number);

    /// Send again what has not arrived.
    void Repeat();

    /// Tell the network of the rate.
    void NoteRate();

    /**
     * Leave out packets while the queue pair is steady.
     *
     * @param [in,out] frame the packet before them
     */
    void Skip(RdmaFrame& frame);

    /**
     * Change how many packets the message that is being sent leaves out.
     *
     * @param packets the change
     */
    void LeaveOut(int64_t packets);

    /**
     * Have packets that were left out count as sent.
     *
     * @param packets how many
     */
    void EndSkip(uint64_t packets);

    /**
     * Start the timer, if it is not running.
     *
     * @param time when it ends, ps
     */
    void StartTimer(int64_t time);

    RdmaNetwork& m_network;            //!< The network
    RdmaCard& m_sender;                //!< The card that sends
    RdmaCard& m_receiver;              //!< The card that receives
    Ptr<RdmaCongestion> m_congestion;  //!< Congestion control
    uint32_t m_number;                 //!< Number in the network
    uint32_t m_packet;                 //!< Payload of a full packet, bytes
    uint32_t m_entropy;                //!< Decides on the path
    RdmaCongestion::Signals m_signals; //!< What congestion control asks for
    bool m_isSelective;                //!< Selective repeat

    uint64_t m_skipped{0};      //!< Packets that are being left out
    uint32_t m_skippedBytes{0}; //!< Size of each
    int64_t m_skippedFrom{0};   //!< When the first of them would go, ps
    int64_t m_interval{0};      //!< Time from one packet to the next, ps
    uint32_t m_turn{0};         //!< How often the next packet has become due sooner

    std::deque<Message> m_messages;  //!< Messages that are not acknowledged
    mutable std::size_t m_cursor{0}; //!< The one that Find() found last
    uint64_t m_next{0};              //!< Number of the packet to send next
    uint64_t m_highest{0};           //!< Number behind the highest sent
    uint64_t m_unacked{0};           //!< Number of the first not acknowledged
    uint64_t m_end{0};               //!< Number behind the last packet
    int64_t m_nextTime{0};           //!< When the rate allows the next packet, ps
    int64_t m_lastProgress{0};       //!< When something was acknowledged, ps
    uint32_t m_nTimeouts{0};         //!< How often in a row nothing was
    bool m_hasTimer{false};          //!< The timer is running
    std::deque<uint8_t> m_arrived;   //!< From the first not acknowledged: 1 arrived, 2 to repeat
    uint64_t m_nArrived{0};          //!< Those that arrived
    std::deque<uint64_t> m_repeats;  //!< Packets to send again
    uint64_t m_lostUntil{0};         //!< Packets before it have been looked at for losses
    uint64_t m_acked{0};             //!< Bytes acknowledged, in whole packets

    uint64_t m_expected{0};                    //!< Number of the packet that the receiver expects
    uint64_t m_nDelivered{0};                  //!< Messages that it has handed over
    uint64_t m_nDone{0};                       //!< Messages that have left m_messages
    bool m_asked{false};                       //!< It has told that this packet is missing
    int64_t m_lastNotification{INT64_MIN / 2}; //!< When it has notified of congestion, ps
    std::deque<bool> m_kept;                   //!< Packets from the expected one that it has
};

} // namespace lightpath
} // namespace ns3

#endif /* RDMA_QUEUE_PAIR_H */
