/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ODDL_RECEIVER_H
#define ODDL_RECEIVER_H

#include "oddl-header.h"

#include "ns3/lazy-timer.h"
#include "ns3/nstime.h"
#include "ns3/wss-grid-channel.h"

#include <cstdint>
#include <deque>

namespace ns3
{
namespace lightpath
{

class OddlControlUnit;

/**
 * @ingroup lightpath
 * @brief What a control unit of ODDL knows of one receiver, and how it grants it.
 *
 * A receiver is reserved for one flow at a time. From the grant on there must be light within the
 * slack, or the reservation expires; once there is, it lasts until the light has gone out. A grant
 * that nothing came of is given again a few times, behind all others that wait, as it may have been
 * lost.
 */
class OddlReceiver
{
  public:
    /// Which of the requests that wait is granted next.
    enum GrantPolicy
    {
        FCFS,              //!< The one that came first
        SMALLEST_FIRST,    //!< That of the smallest flow
        OLDEST_STEP_FIRST, //!< The one whose data has been ready longest
    };

    /// What the receiver does.
    enum State
    {
        IDLE,      //!< No flow has it
        RESERVED,  //!< A flow may use it
        RECEIVING, //!< There is light
    };

    /**
     * @param unit the control unit, which outlives the receiver
     * @param receiver the receiver
     */
    OddlReceiver(OddlControlUnit& unit, const WssGridChannel::Transceiver& receiver);

    // Events refer to the receiver
    OddlReceiver(const OddlReceiver&) = delete;
    OddlReceiver& operator=(const OddlReceiver&) = delete;

    /**
     * Hear a request.
     *
     * @param request the request
     */
    void HandleRequest(const OddlHeader& request);

    /**
     * Hear that a flow does not want the receiver any more.
     *
     * @param cancel the message
     */
    void HandleCancel(const OddlHeader& cancel);

    /**
     * Hear that the light has gone out.
     *
     * @param source the port that it came from
     */
    void HandleDark(uint32_t source);

    /**
     * @return what the receiver does
     */
    State GetState() const;

    /**
     * @return the port of the flow that the receiver is reserved for, which is not idle
     */
    uint32_t GetHolder() const;

    /**
     * @return the number of the flow that the receiver is reserved for, which is not idle
     */
    uint32_t GetFlow() const;

    /**
     * @return the number of requests that wait
     */
    std::size_t GetNWaiting() const;

  private:
    /// A request that waits, or has been granted.
    struct Request
    {
        uint32_t port{0};    //!< The port that it comes from
        uint32_t flow{0};    //!< The number of the flow
        uint64_t bytes{0};   //!< Its size
        Time stamp;          //!< When it was sent last, by the clock of its sender
        Time arrival;        //!< When that came in
        Time slack;          //!< In which there must be light
        Time ready;          //!< Since when there has been data
        uint32_t nGrants{0}; //!< How many times it has been granted in vain
    };

    /// The most times that a request is granted.
    static constexpr uint32_t MAX_GRANTS = 3;

    /**
     * @param port a port
     * @param flow the number of one of its flows
     * @return its request among those that wait, or the end
     */
    std::deque<Request>::iterator Find(uint32_t port, uint32_t flow);

    /// Grant the receiver to a request that waits, if there is one.
    void GrantNext();

    /// Reserve the receiver for the present request anew and say so to its sender.
    void Grant();

    /// End a reservation without light.
    void Expire();

    /// Have no flow use the receiver, and grant it to the next.
    void Free();

    OddlControlUnit& m_unit;                      //!< The control unit
    const WssGridChannel::Transceiver m_receiver; //!< The receiver
    std::deque<Request> m_waiting;                //!< Requests, in the order in which they came
    bool m_isReserved{false};                     //!< A flow may use the receiver
    Request m_current;                            //!< The request that was granted
    LazyTimer<OddlReceiver> m_expiry;             //!< When there must be light
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_RECEIVER_H */
