/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ODDL_ARBITER_H
#define ODDL_ARBITER_H

#include "oddl-control-unit.h"

#include "ns3/application.h"
#include "ns3/oddl-header.h"
#include "ns3/traced-callback.h"
#include "ns3/wss-grid-channel.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The central arbiter of ODDL: sets the switches of the grid for each job, before it begins.
 *
 * The first port of a job requests the ports of the job (OddlHeader::JOB_REQUEST). The arbiter
 * restricts the maps of their rows and columns to light between ports of one job, sets the
 * switches, which takes the WssGridChannel::GetSettingTime(), and tells all ports of the job to
 * begin (OddlHeader::JOB_GO). It answers a repeated request for a running job, so that lost
 * messages only cost time. A job that requests a port of another job is rejected.
 */
class OddlArbiter : public Application
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    OddlArbiter();
    ~OddlArbiter() override;

    /**
     * Set the fabric that the arbiter governs, before it starts.
     *
     * @param channel the fabric
     * @param network carries the messages of the control units
     */
    void SetUp(Ptr<WssGridChannel> channel, std::shared_ptr<ControlNetwork> network);

    /**
     * Set the switches for a job, unless its ports are not available.
     *
     * @param job the number of the job
     * @param ports its ports, in ascending order
     */
    void RequestJob(uint32_t job, const std::vector<uint32_t>& ports);

    /**
     * Free the ports of a job for other jobs.
     *
     * @param job the number of the job
     */
    void EndJob(uint32_t job);

    /**
     * @param job the number of a job
     * @return true if the switches are set for it
     */
    bool IsRunning(uint32_t job) const;

    /**
     * TracedCallback signature for jobs.
     *
     * @param job the number of the job
     */
    typedef void (*JobTracedCallback)(uint32_t job);

    /**
     * TracedCallback signature for jobs that are refused.
     *
     * @param job the number of the job
     * @param reason the sentence that says why
     */
    typedef void (*RefusedTracedCallback)(uint32_t job, const std::string& reason);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// A job.
    struct Job
    {
        std::vector<uint32_t> ports; //!< Its ports
        bool isRunning{false};       //!< The switches are set for it
    };

    /**
     * Handle a message.
     *
     * @param message the message
     */
    void Handle(const OddlHeader& message);

    /**
     * Begin to set the switches for a job.
     *
     * @param number the number of the job
     * @param ports its ports
     */
    void Begin(uint32_t number, const std::vector<uint32_t>& ports);

    /**
     * @param number the number of a job
     * @param ports the ports that it asks for
     * @return the reason why it cannot have them; empty if it can
     */
    std::string Check(uint32_t number, const std::vector<uint32_t>& ports) const;

    /**
     * Tell the ports of a job that the switches are set.
     *
     * @param number the number of the job
     */
    void Go(uint32_t number);

    /**
     * @return the number of the arbiter in the control network
     */
    uint32_t GetHost() const;

    /**
     * Tell a port that the switches are set for its job.
     *
     * @param number the number of the job
     * @param port the port
     */
    void SendGo(uint32_t number, uint32_t port);

    Ptr<WssGridChannel> m_channel;             //!< The fabric
    std::shared_ptr<ControlNetwork> m_network; //!< Carries the messages
    std::map<uint32_t, Job> m_jobs;            //!< The jobs by number
    std::vector<uint32_t> m_jobOf; //!< The job of each port; WavelengthMap::NONE for none
    Time m_processingTime;         //!< From a request to the maps

    TracedCallback<uint32_t> m_configureTrace;                   //!< Switches begin to be set
    TracedCallback<uint32_t> m_goTrace;                          //!< A job is told to begin
    TracedCallback<uint32_t, const std::string&> m_refusedTrace; //!< A job is refused
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_ARBITER_H */
