/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ODDL_CONTROL_UNIT_H
#define ODDL_CONTROL_UNIT_H

#include "control-network.h"
#include "oddl-header.h"
#include "oddl-receiver.h"
#include "oddl-router.h"
#include "oddl-transmitter.h"

#include "ns3/application.h"
#include "ns3/traced-callback.h"
#include "ns3/wss-grid-channel.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

namespace lightpath
{

class OddlFlowQueue;
class OpticalNetDevice;

/**
 * @ingroup lightpath
 * @brief The control unit in the optical interface of a node of ODDL: negotiates flows with the
 * units of other nodes, and tunes its own lasers.
 *
 * A flow is the backlog of the device for one destination when the flow begins. Its transmitter
 * requests the receiver of the destination, or of the corner that forwards (OddlRouter), by
 * OddlHeader messages over a ControlNetwork, tunes when the grant arrives, and sends. After the
 * last bit the light goes out, and the next flow follows. Later frames for the same destination
 * form another flow.
 *
 * The loss of any message only costs time: requests are repeated, reservations expire, and light
 * stays inside the granted time (see OddlTransmitter).
 */
class OddlControlUnit : public Application, private WssGridChannel::Controller
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    OddlControlUnit();
    ~OddlControlUnit() override;

    /**
     * Set the device that the unit controls, before it starts.
     *
     * @param device the device, which is attached to a WssGridChannel
     * @param network carries the messages of all control units
     */
    void SetUp(Ptr<OpticalNetDevice> device, std::shared_ptr<ControlNetwork> network);

    /**
     * Make the unit part of a job, before it starts: it sends nothing until an arbiter has set the
     * switches. The first port of the job asks the arbiter to.
     *
     * @param job the number of the job
     * @param ports the ports of the job, in ascending order
     */
    void SetJob(uint32_t job, std::shared_ptr<const std::vector<uint32_t>> ports);

    /**
     * @param direction rows or columns
     * @param index which of the transmitters of the port there
     * @return the transmitter
     */
    const OddlTransmitter& GetTransmitter(WssGridChannel::Direction direction,
                                          uint32_t index) const;

    /**
     * @param direction rows or columns
     * @param index which of the receivers of the port there
     * @return the receiver
     */
    const OddlReceiver& GetReceiver(WssGridChannel::Direction direction, uint32_t index) const;

    /**
     * @param destination a port
     * @return the reason why waiting data cannot be sent to it; empty if there is none
     */
    std::string GetRefusal(uint32_t destination) const;

    /**
     * @return the number of control messages sent
     */
    uint64_t GetNMessages() const
    {
        return m_nMessages;
    }

    /**
     * @return the number of flows that were reported as done, where reliability is on
     */
    uint64_t GetNConfirmed() const
    {
        return m_nConfirmed;
    }

    /**
     * TracedCallback signature for control messages.
     *
     * @param message the message
     * @param port the port whose control unit it is for, or from
     */
    typedef void (*MessageTracedCallback)(const OddlHeader& message, uint32_t port);

    /**
     * TracedCallback signature for flows.
     *
     * @param flow the flow
     */
    typedef void (*FlowTracedCallback)(const OddlFlow& flow);

    /**
     * TracedCallback signature for frames that cannot be sent.
     *
     * @param destination the port that they are for
     * @param reason the sentence that says why
     */
    typedef void (*RefusedTracedCallback)(uint32_t destination, const std::string& reason);

  protected:
    void DoDispose() override;

  private:
    // The parts of a unit share its settings
    friend class OddlTransmitter;
    friend class OddlReceiver;

    void StartApplication() override;
    void StopApplication() override;

    // WssGridChannel::Controller
    void NotifyActive(uint32_t destination) override;
    void NotifyIdle(uint32_t destination) override;
    void NotifySent(uint32_t destination) override;
    void NotifyDark(WssGridChannel::Direction direction, uint32_t index, uint32_t source) override;
    void NotifyChange() override;

    /// Directions of a port.
    static constexpr uint32_t DIRECTIONS = 2;

    /**
     * Let a destination wait for its turn, if a way leads there.
     *
     * @param destination a port
     */
    void Enqueue(uint32_t destination);

    /**
     * Record that there is no path to a destination.
     *
     * @param destination a port
     * @param reason the sentence that says why
     */
    void NoteRefused(uint32_t destination, const std::string& reason);

    /// Let all transmitters look for flows.
    void NextFlows();

    /**
     * Act on a message.
     *
     * @param message the message
     */
    void Handle(const OddlHeader& message);

    /// Request the job from the arbiter, repeatedly until it answers.
    void RequestJob();

    /// Begin to send.
    void BeginJob();

    /**
     * @param direction rows or columns
     * @param index which of the transceivers of the port there
     * @return the index among all of the port
     */
    std::size_t GetIndex(uint32_t direction, uint32_t index) const;

    /**
     * Note how long the control messages of a flow have taken.
     *
     * @param time the time from request to grant, without waiting
     */
    void NoteRoundTrip(Time time);

    /**
     * @param bytes a number of bytes
     * @param direction the switches that they pass
     * @return the time that they take to be sent
     */
    Time GetSendingTime(uint64_t bytes, WssGridChannel::Direction direction) const;

    /**
     * @param bytes the size of a flow
     * @param direction the switches that it passes
     * @return for how long a receiver is granted to it, after the slack
     */
    Time GetHold(uint64_t bytes, WssGridChannel::Direction direction) const;

    /**
     * Send a message.
     *
     * @param port the port whose control unit it is for
     * @param message the message, which gets the port of this unit
     */
    void SendMessage(uint32_t port, OddlHeader message);

    /**
     * Give flows that wait for the switch of the row to idle transmitters at the switch of the
     * column, if the RelayPolicy is LeastLoaded.
     *
     * @param direction where a flow has ended
     * @param since since when a transmitter must have been idle
     */
    void DivertFlows(WssGridChannel::Direction direction, Time since);

    /**
     * Take the next of the flows that wait.
     *
     * @param transmitter the transmitter that is to send it
     * @param [out] flow the flow
     * @return false if there is none
     */
    bool TakeFlow(const WssGridChannel::Transceiver& transmitter, OddlFlow& flow);

    /**
     * Let the rest for a destination, if there is any, wait for another turn.
     *
     * @param destination a port
     */
    void Requeue(uint32_t destination);

    /**
     * Note that a transmitter is tuned for a flow.
     *
     * @param flow the flow
     */
    void NoteTuning(const OddlFlow& flow);

    /**
     * Note that the light of a flow has gone out.
     *
     * @param flow the flow
     */
    void NoteFlow(const OddlFlow& flow);

    Ptr<OpticalNetDevice> m_device;            //!< The device
    Ptr<WssGridChannel> m_channel;             //!< The fabric
    uint32_t m_port{0};                        //!< The port of the fabric
    std::shared_ptr<ControlNetwork> m_network; //!< Carries the messages
    uint64_t m_nMessages{0};                   //!< Messages sent
    std::unique_ptr<OddlFlowQueue> m_queue;    //!< Destinations that frames wait for
    std::vector<std::unique_ptr<OddlTransmitter>> m_transmitters; //!< The transmitters
    std::vector<std::unique_ptr<OddlReceiver>> m_receivers;       //!< The receivers
    bool m_isHeld{true};                                          //!< No flow may be taken
    uint64_t m_nConfirmed{0};                                     //!< Flows reported as done

    uint32_t m_job{0};                                       //!< The job
    std::shared_ptr<const std::vector<uint32_t>> m_jobPorts; //!< Its ports; null for no job
    EventId m_jobRetry;                                      //!< When it is asked again
    Time m_jobInterval;                                      //!< After which it is asked again

    OddlRouter::RelayPolicy m_relayPolicy;   //!< Which corner forwards
    OddlReceiver::GrantPolicy m_grantPolicy; //!< Which request is granted next
    Time m_processingTime;                   //!< From a message to its effect
    Time m_retryInterval;                    //!< After which a request is sent again
    Time m_maxRetryInterval;                 //!< The longest such time
    Time m_expiry;                           //!< Time from a grant to light
    Time m_slack;           //!< The same, longer if control messages have been slower
    Time m_lookAhead;       //!< Time before an end at which the next begins
    uint32_t m_maxRequests; //!< Most requests outstanding
    bool m_isReliable;      //!< Whether ends are reported

    TracedCallback<const OddlHeader&, uint32_t> m_txTrace;       //!< Message sent
    TracedCallback<const OddlHeader&, uint32_t> m_rxTrace;       //!< Message received
    TracedCallback<const OddlFlow&> m_tuneTrace;                 //!< Laser is tuned
    TracedCallback<const OddlFlow&> m_flowTrace;                 //!< Light of a flow goes out
    TracedCallback<uint32_t, const std::string&> m_refusedTrace; //!< No way
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_CONTROL_UNIT_H */
