/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ODDL_TRANSMITTER_H
#define ODDL_TRANSMITTER_H

#include "model/control/lazy-timer.h"
#include "model/fabric/wss-grid-channel.h"
#include "oddl-header.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <list>
#include <optional>

namespace ns3
{
namespace lightpath
{

class OddlControlUnit;

/**
 * @ingroup lightpath
 * @brief The state of one transmitter in a control unit of ODDL: requests a receiver, tunes, sends,
 * and goes on to the next flow.
 *
 * There must be light at the receiver within the slack of a grant, and it must have gone out
 * within the hold that follows. Both count from the time of the grant by the receiver's clock. The
 * transmitter knows a time that is not later: its own stamp in the request, which the grant
 * returns, plus the time for which the request waited.
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
     * @param unit the control unit, which outlives the transmitter
     * @param transmitter the transmitter
     */
    OddlTransmitter(OddlControlUnit& unit, const WssGridChannel::Transceiver& transmitter);

    // Events refer to the transmitter
    OddlTransmitter(const OddlTransmitter&) = delete;
    OddlTransmitter& operator=(const OddlTransmitter&) = delete;

    /// Request a receiver for the next flow, if there is one and a request may be sent.
    void Next();

    /**
     * Take in a grant.
     *
     * @param grant the grant
     */
    void HandleGrant(const OddlHeader& grant);

    /**
     * Note that the last bit of a frame of the present flow has been sent.
     *
     * @param isEmpty true if nothing waits behind it
     */
    void HandleSent(bool isEmpty);

    /// Note that nothing is left of the present flow.
    void HandleIdle();

    /// Components have failed or work again: give up flows that have lost their way.
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
     * @return true if it has a grant for this flow, for which it waits until it has sent another
     */
    bool HasGrant(uint32_t number) const;

  private:
    /// A flow that a receiver was requested for.
    struct Request
    {
        OddlFlow flow; //!< The flow
        Time interval; //!< After which the request is sent again
        Time retry;    //!< When that is
    };

    /// When a flow may be sent.
    struct Window
    {
        Time startBy; //!< The last time to begin to tune
        Time endBy;   //!< When the light must go out
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

    /// Note when to send the next request again.
    void SetRetry();

    /**
     * Tell a receiver that a flow does not want it.
     *
     * @param hop the port of the receiver
     * @param number the number of the flow
     */
    void SendCancel(uint32_t hop, uint32_t number);

    /**
     * Give up a request: its flow waits anew.
     *
     * @param request the request
     * @return the request behind it
     */
    std::list<Request>::iterator GiveUp(std::list<Request>::iterator request);

    /**
     * Tune to the receiver of a flow, or give the grant back if it is too late for that.
     *
     * @param flow the flow
     * @param window when it may be sent
     */
    void Begin(const OddlFlow& flow, const Window& window);

    /// End the present flow: the rest of it waits for another turn.
    void End();

    /**
     * @return when the flow that is sent will have been, if nothing comes in between
     */
    Time GetExpectedEnd() const;

    OddlControlUnit& m_unit;                         //!< The control unit
    const WssGridChannel::Transceiver m_transmitter; //!< The transmitter
    std::list<Request> m_requests;                   //!< Requests that have not been granted
    bool m_isBusy{false};                            //!< A flow is sent
    OddlFlow m_flow;                                 //!< The flow that is sent
    LazyTimer<OddlTransmitter> m_cut;                //!< The end of the hold
    LazyTimer<OddlTransmitter> m_lookAhead;          //!< When to look ahead
    LazyTimer<OddlTransmitter> m_retry;              //!< When to send requests again
    std::optional<OddlFlow> m_next;                  //!< A flow whose grant is for later
    Window m_nextWindow;                             //!< When that may be sent
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_TRANSMITTER_H */
