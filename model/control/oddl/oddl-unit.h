/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ODDL_UNIT_H
#define ODDL_UNIT_H

#include "oddl-flow-queue.h"
#include "oddl-header.h"
#include "oddl-receiver.h"
#include "oddl-router.h"
#include "oddl-settings.h"
#include "oddl-transmitter.h"

#include "ns3/agenda.h"
#include "ns3/wss-grid.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The protocol of ODDL at one port, as plain computation on an Agenda: what a control unit
 * does in a simulation (OddlControlUnit), and a price without one (GridCarrier).
 *
 * A flow is the backlog of the port for one destination when the flow begins. Its transmitter
 * requests the receiver of the destination, or of the corner that forwards (OddlRouter), tunes when
 * the grant arrives, and sends. After the last bit the light goes out, and the next flow follows.
 * Later frames for the same destination form another flow.
 *
 * A child class sends the messages, and knows what waits at the port.
 */
class OddlUnit : protected WssGrid::Controller
{
  public:
    /**
     * @param agenda when things happen; it must outlive this object
     */
    explicit OddlUnit(Agenda& agenda);

    ~OddlUnit() override;

    /**
     * @param direction rows or columns
     * @param index which of the transmitters of the port there
     * @return the transmitter
     */
    const OddlTransmitter& GetTransmitter(WssGrid::Direction direction, uint32_t index) const;

    /**
     * @param direction rows or columns
     * @param index which of the receivers of the port there
     * @return the receiver
     */
    const OddlReceiver& GetReceiver(WssGrid::Direction direction, uint32_t index) const;

    /**
     * @param destination a port
     * @return the reason why waiting data cannot be sent to it; empty if there is none
     */
    std::string GetRefusal(uint32_t destination) const;

    /**
     * @return the number of flows that were reported as done, where reliability is on
     */
    uint64_t GetNConfirmed() const
    {
        return m_nConfirmed;
    }

  protected:
    /**
     * Begin, without taking any flow before Release().
     *
     * @param grid the light; it must outlive the use of the unit
     * @param port the port
     * @param settings the settings of the protocol
     */
    void Begin(WssGrid& grid, uint32_t port, const OddlSettings& settings);

    /**
     * Wait for an arbiter before taking any flow. Answers may be lost: the unit asks again and
     * again, once data waits.
     *
     * @param arbiter the number of the arbiter in the control network
     * @param request what to ask it
     * @param isFirst whether to ask now, even if no data waits
     */
    void AwaitJob(uint32_t arbiter, const OddlHeader& request, bool isFirst);

    /// Take flows from now on.
    void Release();

    /// End all that goes on.
    void End();

    /**
     * Act on a message of another unit.
     *
     * @param message the message
     * @return false if it is none that a unit can receive
     */
    bool Handle(const OddlHeader& message);

    // WssGrid::Controller
    void NotifyActive(uint32_t destination) override;
    void NotifyIdle(uint32_t destination) override;
    void NotifySent(uint32_t destination) override;
    void NotifyDark(WssGrid::Direction direction, uint32_t index, uint32_t source) override;
    void NotifyChange() override;

  private:
    // The parts of a unit share its settings
    friend class OddlFlowQueue;
    friend class OddlTransmitter;
    friend class OddlReceiver;

    /**
     * Send a message.
     *
     * @param port the port whose unit it is for
     * @param message the message, of this port
     */
    virtual void Send(uint32_t port, const OddlHeader& message) = 0;

    /**
     * @param destination a port
     * @return the bytes that wait for it, with the rest of a frame that has begun
     */
    virtual uint64_t GetBacklog(uint32_t destination) const = 0;

    /**
     * Handle a message that has come in, before it takes effect.
     *
     * @param message the message
     */
    virtual void NoteReceived(const OddlHeader& message)
    {
    }

    /**
     * Handle the beginning of the tuning of a transmitter.
     *
     * @param flow the flow
     */
    virtual void NoteTuning(const OddlFlow& flow)
    {
    }

    /**
     * Handle the end of the light of a flow.
     *
     * @param flow the flow
     */
    virtual void NoteFlow(const OddlFlow& flow)
    {
    }

    /**
     * Handle that there is no path to a destination.
     *
     * @param destination a port
     * @param reason the sentence that says why
     */
    virtual void NoteRefused(uint32_t destination, const std::string& reason)
    {
    }

    /// The request for a job that has not been answered.
    struct JobRequest
    {
        uint32_t arbiter{0};  //!< Who is asked
        OddlHeader message;   //!< The request
        int64_t interval{0};  //!< After which it is sent again, ticks
        Ptr<EventImpl> retry; //!< When it is; null if nothing has been asked for yet
    };

    /// Request the job from the arbiter after the interval, and again until it answers.
    void ScheduleJobRequest();

    /// Request the job from the arbiter, repeatedly until it answers.
    void RequestJob();

    /// Request the job no more.
    void ForgetJobRequest();

    /**
     * Let a destination wait for its turn, if a way leads there.
     *
     * @param destination a port
     */
    void Enqueue(uint32_t destination);

    /// Let all transmitters look for flows.
    void NextFlows();

    /**
     * @param direction rows or columns
     * @param index which of the transceivers of the port there
     * @return the index among all of the port
     */
    std::size_t GetIndex(uint32_t direction, uint32_t index) const;

    /**
     * Note how long the control messages of a flow have taken.
     *
     * @param time the time from request to grant, without waiting, ticks
     */
    void NoteRoundTrip(int64_t time);

    /**
     * @param bytes a number of bytes
     * @param direction the switches that they pass
     * @return the time that they take to be sent, ticks
     */
    int64_t GetSendingTime(uint64_t bytes, WssGrid::Direction direction) const;

    /**
     * Send a message.
     *
     * @param port the port whose unit it is for
     * @param message the message, which gets the port of this unit
     */
    void SendMessage(uint32_t port, OddlHeader message);

    /**
     * Give flows that wait for the switch of the row to idle transmitters at the switch of the
     * column, if the relay policy is LEAST_LOADED.
     *
     * @param direction where a flow has ended
     * @param since since when a transmitter must have been idle, ticks
     */
    void DivertFlows(WssGrid::Direction direction, int64_t since);

    /**
     * Take the next of the flows that wait.
     *
     * @param transmitter the transmitter that is to send it
     * @param [out] flow the flow
     * @return false if there is none
     */
    bool TakeFlow(const WssGrid::Transceiver& transmitter, OddlFlow& flow);

    /**
     * Let the rest for a destination, if there is any, wait for another turn.
     *
     * @param destination a port
     */
    void Requeue(uint32_t destination);

    Agenda& m_agenda;                //!< When things happen
    WssGrid* m_grid{nullptr};        //!< The light
    uint32_t m_port{0};              //!< The port
    OddlSettings m_settings;         //!< The settings
    int64_t m_slack{0};              //!< Time from a grant to light: longer than it is set if
                                     //!< messages have been slower, ticks
    int64_t m_nanosecond;            //!< A nanosecond, ticks
    bool m_isHeld{true};             //!< No flow may be taken
    std::optional<JobRequest> m_job; //!< The job that is waited for
    uint64_t m_nConfirmed{0};        //!< Flows reported as done
    std::unique_ptr<OddlFlowQueue> m_queue; //!< Destinations that frames wait for
    std::vector<std::unique_ptr<OddlTransmitter>> m_transmitters; //!< The transmitters
    std::vector<std::unique_ptr<OddlReceiver>> m_receivers;       //!< The receivers
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_UNIT_H */
