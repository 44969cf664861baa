/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ODDL_CONTROL_UNIT_H
#define ODDL_CONTROL_UNIT_H

#include "model/control/oddl/control-network.h"
#include "model/control/oddl/oddl-unit.h"

#include "ns3/application.h"
#include "ns3/nstime.h"
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

class OpticalNetDevice;

/**
 * @ingroup lightpath
 * @brief The control unit in the optical interface of a node of ODDL: an OddlUnit that negotiates
 * flows with the units of other nodes by OddlHeader messages over a ControlNetwork, and tunes its
 * own lasers.
 *
 * The loss of any message only costs time: requests are repeated, reservations expire, and light
 * stays inside the granted time (see OddlTransmitter).
 */
class OddlControlUnit : public Application, public OddlUnit
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
     * @return its settings
     */
    OddlSettings GetSettings() const;

    /**
     * @return the number of control messages sent
     */
    uint64_t GetNMessages() const
    {
        return m_nMessages;
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
    void StartApplication() override;
    void StopApplication() override;

    // OddlUnit
    void Send(uint32_t port, const OddlHeader& message) override;
    uint64_t GetBacklog(uint32_t destination) const override;
    void NoteReceived(const OddlHeader& message) override;
    void NoteTuning(const OddlFlow& flow) override;
    void NoteFlow(const OddlFlow& flow) override;
    void NoteRefused(uint32_t destination, const std::string& reason) override;

    /**
     * Act on a message.
     *
     * @param message the message
     */
    void Receive(const OddlHeader& message);

    Ptr<OpticalNetDevice> m_device;            //!< The device
    Ptr<WssGridChannel> m_channel;             //!< The fabric
    uint32_t m_port{0};                        //!< The port of the fabric
    std::shared_ptr<ControlNetwork> m_network; //!< Carries the messages
    uint64_t m_nMessages{0};                   //!< Messages sent

    uint32_t m_job{0};                                       //!< The job
    std::shared_ptr<const std::vector<uint32_t>> m_jobPorts; //!< Its ports; null for no job

    OddlSettings::RelayPolicy m_relayPolicy; //!< Which corner forwards
    OddlSettings::GrantPolicy m_grantPolicy; //!< Which request is granted next
    bool m_isReliable;                       //!< Whether ends are reported
    uint32_t m_maxRequests;                  //!< Most requests outstanding
    Time m_processingTime;                   //!< From a message to its effect
    Time m_retryInterval;                    //!< After which a request is sent again
    Time m_maxRetryInterval;                 //!< The longest such time
    Time m_expiry;                           //!< Time from a grant to light
    Time m_lookAhead;                        //!< Time before an end at which the next begins

    TracedCallback<const OddlHeader&, uint32_t> m_txTrace;       //!< Message sent
    TracedCallback<const OddlHeader&, uint32_t> m_rxTrace;       //!< Message received
    TracedCallback<const OddlFlow&> m_tuneTrace;                 //!< Laser is tuned
    TracedCallback<const OddlFlow&> m_flowTrace;                 //!< Light of a flow goes out
    TracedCallback<uint32_t, const std::string&> m_refusedTrace; //!< No way
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_CONTROL_UNIT_H */
