/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_QUEUE_H
#define LIGHTPATH_QUEUE_H

#include "ns3/agenda.h"
#include "ns3/message-carrier.h"
#include "ns3/transmission-clock.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The messages from one port to another over a lightpath whose rate changes, without net
 * devices: it sends one after the other, and goes on with one that the dark has cut, as an
 * OpticalTransmitter does.
 */
class LightpathQueue
{
  public:
    /// A message, or what is left of it.
    struct Piece
    {
        uint64_t bytes{0};  //!< Its bytes, without headers
        uint64_t tag{0};    //!< What the arrival is called with
        uint64_t size{0};   //!< The bytes of the whole message
        bool isRest{false}; //!< Whether a part of the message has been sent
    };

    /**
     * @param agenda the time
     * @param arrival called with the tag of each message that has come in; both must outlive this
     *        object
     */
    LightpathQueue(Agenda& agenda, const MessageCarrier::Arrival& arrival);

    /**
     * @param bytes the bytes of a message
     * @return these and the headers of its frames
     */
    static uint64_t GetFrameBytes(uint64_t bytes);

    /**
     * @param bitRate the rate from now on, in bit/s; 0 in the dark
     * @param delay the time from the beginning of the lightpath to its end, in ticks
     */
    void SetRate(uint64_t bitRate, int64_t delay);

    /**
     * @return the rate, in bit/s
     */
    uint64_t GetRate() const
    {
        return m_bitRate;
    }

    /**
     * @return whether messages are being sent, or wait
     */
    bool IsBusy() const
    {
        return m_isSending || !m_waiting.empty();
    }

    /**
     * Send a message after all others.
     *
     * @param bytes its bytes
     * @param tag what the arrival is called with
     */
    void Send(uint64_t bytes, uint64_t tag);

    /**
     * Take messages back, in the dark. The arrival is called for a part that has been sent.
     *
     * @param bulk the size of the smallest message that stays, in bytes; 0 if none does
     * @return the messages, and the rest of the one that the dark has cut, in their order
     */
    std::vector<Piece> Withdraw(uint64_t bulk);

  private:
    /**
     * Send the next message, if one waits and there is light.
     */
    void Resume();

    /**
     * Note that a message has been sent.
     */
    void End();

    Agenda& m_agenda;                         //!< The time
    const MessageCarrier::Arrival& m_arrival; //!< Called for each message that has come in
    TransmissionClock m_clock;                //!< When bits are sent
    uint64_t m_bitRate{0};                    //!< The rate in bit/s
    int64_t m_delay{0};                       //!< From its beginning to its end, ticks
    std::deque<Piece> m_waiting;              //!< Messages behind the one that is sent
    Piece m_sent;                             //!< The one that is sent
    bool m_isSending{false};                  //!< Whether there is one
    Ptr<EventImpl> m_end;                     //!< Its end
    int64_t m_idleSince{-1};                  //!< End of the last one, ticks
};

} // namespace lightpath
} // namespace ns3

#endif /* LIGHTPATH_QUEUE_H */
