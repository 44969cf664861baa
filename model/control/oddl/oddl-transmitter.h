/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ODDL_TRANSMITTER_H
#define ODDL_TRANSMITTER_H

#include "lazy-timer.h"
#include "oddl-header.h"

#include "ns3/wss-grid.h"

#include <cstdint>
#include <list>
#include <optional>

namespace ns3
{
namespace lightpath
{

class OddlUnit;

/**
 * @ingroup lightpath
 * @brief One transmitter in a control unit of ODDL: requests a receiver, tunes, sends, and
 * continues with the next flow.
 *
 * Light must reach the receiver within the slack of a grant, and go out within the hold that
 * follows. Both begin at the time of the grant by the receiver's clock. The transmitter knows a
 * time that is not later: its own time stamp in the request, which the grant returns, plus the
 * waiting time of the request.
 */
class OddlTransmitter
{
  public:
    /// States of the transmitter.
    enum State
    {
        IDLE,         //!< Nothing
        REQUEST_SENT, //!< It waits for a grant
        TUNING,       //!< Its laser is tuned and the receiver locks
        SENDING,      //!< It sends a flow
    };

    /**
     * @param unit the unit, which outlives the transmitter
     * @param transmitter the transmitter
     */
    OddlTransmitter(OddlUnit& unit, const WssGrid::Transceiver& transmitter);

    // Events refer to the transmitter
    OddlTransmitter(const OddlTransmitter&) = delete;
    OddlTransmitter& operator=(const OddlTransmitter&) = delete;

    /// Request a receiver for the next flow, if there is one and a request may be sent.
    void Next();

    /**
     * Handle a grant.
     *
     * @param grant the grant
     */
    void HandleGrant(const OddlHeader& grant);

    /**
     * Handle the end of a frame of the present flow.
     *
     * @param isEmpty true if no frame waits
     */
    void HandleSent(bool isEmpty);

    /// Handle the end of the present flow.
    void HandleIdle();

    /// Handle failures and repairs: drop flows that have lost their path.
    void HandleChange();

    /**
     * @return the state of the transmitter
     */
    State GetState() const;

    /**
     * @return the flow that is sent, in the states TUNING and SENDING
     */
    const OddlFlow& GetFlow() const;

    /**
     * @param hop a port
     * @return true if it waits for a grant from this port
     */
    bool IsWaitingFor(uint32_t hop) const;

    /**
     * @param number the number of a flow
     * @return true if it has a grant for this flow, which begins after another flow
     */
    bool HasGrant(uint32_t number) const;

    /**
     * @param time a time, ticks
     * @return true if it has neither sent nor requested anything since then
     */
    bool IsIdleSince(int64_t time) const;

  private:
    /// A flow that a receiver was requested for.
    struct Request
    {
        OddlFlow flow;       //!< The flow
        int64_t interval{0}; //!< Time after which the request is sent again
        int64_t retry{0};    //!< When it is sent again
    };

    /// When a flow may be sent.
    struct Window
    {
        int64_t startBy{0}; //!< The last time to begin to tune
        int64_t endBy{0};   //!< When the light must go out
    };

    /**
     * @param number the number of a flow
     * @return its request, or the end
     */
    std::list<Request>::iterator Find(uint32_t number);

    /**
     * Send a request.
     *
     * @param [in,out] request the request
     */
    void SendRequest(Request& request);

    /// Repeat the requests whose retry interval has passed.
    void Retry();

    /// Set the timer for the next repetition of a request.
    void SetRetry();

    /**
     * Cancel the request of a flow at a receiver.
     *
     * @param hop the port of the receiver
     * @param number the number of the flow
     */
    void SendCancel(uint32_t hop, uint32_t number);

    /**
     * Drop a request: its flow waits again.
     *
     * @param request the request
     * @return the request behind it
     */
    std::list<Request>::iterator GiveUp(std::list<Request>::iterator request);

    /**
     * Tune to the receiver of a flow, or return the grant if it is too late.
     *
     * @param flow the flow
     * @param window when it may be sent
     */
    void Begin(const OddlFlow& flow, const Window& window);

    /// End the present flow: the rest of it waits for another turn.
    void End();

    OddlUnit& m_unit;                         //!< The unit
    const WssGrid::Transceiver m_transmitter; //!< The transmitter
    std::list<Request> m_requests;            //!< Requests that have not been granted
    bool m_isBusy{false};                     //!< A flow is sent
    OddlFlow m_flow;                          //!< The flow that is sent
    int64_t m_expectedEnd{0};                 //!< When it ends, if nothing interrupts it, ticks
    LazyTimer<OddlTransmitter> m_cut;         //!< The end of the hold
    LazyTimer<OddlTransmitter> m_lookAhead;   //!< When to look ahead
    LazyTimer<OddlTransmitter> m_retry;       //!< When to send requests again
    std::optional<OddlFlow> m_next;           //!< A flow whose grant is for later
    Window m_nextWindow;                      //!< When it may be sent
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_TRANSMITTER_H */
