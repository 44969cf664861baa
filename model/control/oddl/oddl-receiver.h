/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ODDL_RECEIVER_H
#define ODDL_RECEIVER_H

#include "lazy-timer.h"
#include "oddl-header.h"

#include "ns3/wss-grid.h"

#include <cstdint>
#include <deque>

namespace ns3
{
namespace lightpath
{

class OddlUnit;

/**
 * @ingroup lightpath
 * @brief One receiver in a control unit of ODDL, granted to one flow at a time.
 *
 * A reservation expires unless light arrives within the slack of the grant; otherwise it lasts
 * until the light goes out. A grant without light may have been lost: it is repeated a few times,
 * after all waiting requests.
 */
class OddlReceiver
{
  public:
    /// States of the receiver.
    enum State
    {
        IDLE,      //!< No flow has it
        RESERVED,  //!< A flow may use it
        RECEIVING, //!< There is light
    };

    /**
     * @param unit the unit, which outlives the receiver
     * @param receiver the receiver
     */
    OddlReceiver(OddlUnit& unit, const WssGrid::Transceiver& receiver);

    // Events refer to the receiver
    OddlReceiver(const OddlReceiver&) = delete;
    OddlReceiver& operator=(const OddlReceiver&) = delete;

    /**
     * Handle a request.
     *
     * @param request the request
     */
    void HandleRequest(const OddlHeader& request);

    /**
     * Handle the cancellation of a flow.
     *
     * @param cancel the message
     */
    void HandleCancel(const OddlHeader& cancel);

    /**
     * Handle the end of the light.
     *
     * @param source the port that it came from
     */
    void HandleDark(uint32_t source);

    /**
     * @return the state of the receiver
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

  private:
    /// A request that waits, or has been granted.
    struct Request
    {
        uint32_t port{0};    //!< The port that it comes from
        uint32_t flow{0};    //!< The number of the flow
        uint64_t bytes{0};   //!< Its size
        int64_t stamp{0};    //!< When it was sent last, by the clock of its sender
        int64_t arrival{0};  //!< When that came in
        int64_t slack{0};    //!< In which there must be light
        int64_t ready{0};    //!< Since when there has been data
        uint32_t nGrants{0}; //!< The number of grants without light
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

    /// Reserve the receiver for the present request again, and notify its sender.
    void Grant();

    /// End a reservation without light.
    void Expire();

    /// End the reservation, and grant the receiver to the next request.
    void Free();

    OddlUnit& m_unit;                      //!< The unit
    const WssGrid::Transceiver m_receiver; //!< The receiver
    std::deque<Request> m_waiting;         //!< Requests, in the order in which they came
    bool m_isReserved{false};              //!< A flow may use the receiver
    Request m_current;                     //!< The request that was granted
    LazyTimer<OddlReceiver> m_expiry;      //!< When there must be light
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_RECEIVER_H */
