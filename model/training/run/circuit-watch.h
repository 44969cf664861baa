/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_WATCH_H
#define CIRCUIT_WATCH_H

#include "job-ports.h"

#include "ns3/circuit-controller.h"
#include "ns3/event-id.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class TrainingJob;

/**
 * @ingroup lightpath
 * @brief Makes a training job fail, with a sentence, as soon as a message waits for a circuit that
 * will never come.
 *
 * There are two cases: a failure has left no path between two ranks; or a decision has left a pair
 * of ranks without a circuit, and no further decision will come. If the first decision leaves out a
 * pair that has a path, the job fails at once, since each pair of the plan's traffic will have
 * messages.
 */
class CircuitWatch
{
  public:
    /**
     * @param job the job, which owns this object
     * @param controller decides on its circuits
     * @param rail the fabric between servers that it decides for
     */
    CircuitWatch(TrainingJob& job, Ptr<CircuitController> controller, uint32_t rail);

    ~CircuitWatch();

    CircuitWatch(const CircuitWatch&) = delete;
    CircuitWatch& operator=(const CircuitWatch&) = delete;

    /**
     * @return the longest time without progress that waiting for decisions can explain
     */
    Time GetPatience() const;

    /**
     * @return which of the job's pairs the last decision has left without a circuit, and why if
     * that is known, in words; empty if there are none
     */
    std::string DescribeUnserved() const;

  private:
    /**
     * Note that a component has failed or has been mended.
     *
     * @param component its name
     * @param failed true if it has failed
     */
    void NotifyFault(const std::string& component, bool failed);

    /**
     * Judge a decision of an allocator.
     *
     * @param demand the demand
     * @param allocation the circuits for it
     */
    void NotifyDecision(const TrafficMatrix& demand, const CircuitAllocation& allocation);

    /**
     * Judge a decision of a scheduler.
     *
     * @param demand the demand
     * @param schedule the circuits for it
     */
    void NotifySchedule(const TrafficMatrix& demand, const CircuitSchedule& schedule);

    /// Judge the pairs that the last decision has left without a circuit.
    void Judge();

    /**
     * Make the job fail since the first decision has left out pairs that have a path.
     *
     * @param pairs the pairs
     */
    void FailAtOnce(const std::vector<PortPair>& pairs);

    /// Check all messages, now and whenever one is sent.
    void Begin();

    /**
     * Check a message that is handed over to be sent.
     *
     * @param source the rank that sends it
     * @param destination the rank that it is for
     */
    void NotifySend(uint32_t source, uint32_t destination);

    /// Check all messages that wait.
    void CheckAll();

    /**
     * @param pair the ports of a message
     * @return them in words: the ranks, or the ports if ranks share servers
     */
    std::string Describe(PortPair pair) const;

    /**
     * @param pair the ports of a message
     * @return true if it may be one of the job, false if it is one of another job
     */
    bool IsOwn(PortPair pair) const;

    /**
     * @param pair the ports of a message
     * @return the sentence that says why it cannot arrive; empty if it can
     */
    std::string Check(PortPair pair) const;

    TrainingJob& m_job;                      //!< The job
    Ptr<CircuitController> m_controller;     //!< Decides on the circuits
    Ptr<OpticalChannel> m_channel;           //!< The fabric
    uint32_t m_rail;                         //!< Its number among those between servers
    std::shared_ptr<const JobPorts> m_ports; //!< The ports of a job that shares it, or null
    std::string m_component;                 //!< The component that failed last
    std::vector<PortPair> m_pairs;           //!< The pairs of the plan's traffic
    /// For each pair without a path, the component whose failure took the last one
    std::map<PortPair, std::string> m_cuts;
    bool m_decided{false};         //!< The first decision has been made
    bool m_looking{false};         //!< Messages are checked when they are sent
    bool m_failed{false};          //!< The job has failed
    std::set<PortPair> m_unserved; //!< The pairs that will get no circuit
    EventId m_check;               //!< The next check of all messages
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_WATCH_H */
