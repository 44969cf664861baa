/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANK_MESSAGES_H
#define RANK_MESSAGES_H

#include "model/collective/collective-progress.h"
#include "wait-ledger.h"

#include "ns3/traced-callback.h"
#include "ns3/training-plan.h"
#include "ns3/transport.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class JobLedger;
class TaskCounts;
class TrainingJob;

/**
 * @ingroup lightpath
 * @brief The communication of one rank: sends the messages of its tasks, and tells which task a
 * message that comes in completes.
 *
 * A message may come in before the task that takes it has begun; it is then kept by its tag.
 */
class RankMessages : public CollectiveProgress::Sender
{
  public:
    /// Traces a message: rank that traces it, peer, tag, size in bytes.
    using Trace = TracedCallback<uint32_t, uint32_t, uint64_t, uint64_t>;

    /// No task.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * @param job the job, which must outlive this object
     * @param rank the rank
     * @param transport carries the messages
     * @param counts what the tasks of the rank wait for
     * @param place the place of the rank there
     * @param sent traces each message that is sent; must outlive this object
     */
    RankMessages(TrainingJob& job,
                 uint32_t rank,
                 Ptr<Transport> transport,
                 std::shared_ptr<TaskCounts> counts,
                 uint32_t place,
                 const Trace& sent);

    RankMessages(const RankMessages&) = delete;
    RankMessages& operator=(const RankMessages&) = delete;

    /**
     * Begin an iteration: all receive tasks wait for their messages, unless these came in ahead of
     * it.
     *
     * @param iteration the iteration, from 0
     */
    void BeginIteration(uint32_t iteration);

    /**
     * Send the message of a send task.
     *
     * @param task the task
     * @param iteration the iteration, from 0
     */
    void Send(const Task& task, uint32_t iteration);

    /**
     * Note that the rank has reached a collective operation, which may still have to be launched.
     *
     * @param task its task
     * @param iteration the iteration, from 0
     */
    void Join(const Task& task, uint32_t iteration);

    /**
     * Begin a collective operation.
     *
     * @param index the index of its task
     * @param task the task
     * @param iteration the iteration, from 0
     * @param scheduled when the event that begins it was scheduled
     * @return true if the part of this rank is done at once
     */
    bool BeginCollective(uint32_t index, const Task& task, uint32_t iteration, Time scheduled);

    /**
     * End a collective operation whose messages have been computed by a RingForward.
     *
     * @param tag the tag of step 0
     */
    void EndForwarded(uint64_t tag);

    /**
     * Take over a collective operation from a RingForward.
     *
     * @param tag the tag of step 0
     * @param progress the part of the rank, which has begun it
     */
    void TakeOver(uint64_t tag, const CollectiveProgress& progress);

    /**
     * Take messages of a collective operation that the rank has yet to begin.
     *
     * @param tag the tag of step 0
     * @param messages the messages by step
     */
    void TakeEarly(uint64_t tag, const CollectiveProgress::Messages& messages);

    /**
     * Count a message of a collective operation that is handed over.
     *
     * @param peer the rank that it is for
     * @param bytes its size in bytes
     */
    void Subtract(uint32_t peer, uint64_t bytes);

    /**
     * Take a message, and send what it makes possible.
     *
     * @param source the rank that sent it
     * @param tag its tag
     * @return the index of the task that it completes; NONE if there is none
     */
    uint32_t Receive(uint32_t source, uint64_t tag);

    /**
     * Account for the time that the rank has waited, if it has, for the task completed last.
     *
     * @param group the kind of group of the task
     */
    void ExplainWait(uint32_t group) const;

    /**
     * @param task a collective task
     * @param iteration the iteration, from 0
     * @return the time from its being ready to the start of its operation
     */
    Time GetLatency(const Task& task, uint32_t iteration) const;

    /**
     * @param task a collective task
     * @param iteration the iteration, from 0
     * @return its schedule
     */
    std::shared_ptr<const CollectiveSchedule> GetSchedule(const Task& task,
                                                          uint32_t iteration) const;

    /**
     * @param most the most waiting tasks to name
     * @return a clause for each of the first tasks that have begun to wait for a message
     */
    std::vector<std::string> DescribeWaiting(uint32_t most) const;

    // From CollectiveProgress::Sender
    void Transmit(uint32_t peer, uint64_t tag, uint64_t bytes) override;
    void Average(uint64_t tag, uint64_t bytes, bool isInside) override;

  private:
    /**
     * Take the message of a receive task of this iteration.
     *
     * @param source the rank that sent it
     * @param tag its tag
     * @return the index of the task, if it has begun, so that it is done; otherwise NONE
     */
    uint32_t TakeMessage(uint32_t source, uint64_t tag);

    /**
     * Take a message of a collective operation that the rank itself does not carry out now.
     *
     * @param first the tag of step 0
     * @param step its step
     * @return the index of the task that it completes; NONE if there is none
     */
    uint32_t ReceiveEarly(uint64_t first, uint32_t step);

    /**
     * @param task a communication task
     * @param iteration the iteration, from 0
     * @return the tag of its message, or of the messages of its step 0
     */
    static uint64_t GetTag(const Task& task, uint32_t iteration);

    /**
     * @param task a send or receive task
     * @return the rank of its peer
     */
    uint32_t GetPeer(const Task& task) const;

    /**
     * @param group the kind of a group
     * @return true if all members of the group of this rank share a server
     */
    bool IsInside(uint32_t group) const;

    /**
     * @return this rank, as data comes from it now
     */
    WaitLedger::Wait MakeWait() const;

    /**
     * Note that the part of the rank in a collective operation is done.
     *
     * @param tag the tag of step 0
     */
    void Leave(uint64_t tag);

    /**
     * Enter all messages of a collective operation that may take circuits in the ledger.
     *
     * @param ledger the ledger
     * @param members the ranks of the group
     * @param schedule who sends what
     */
    void Announce(JobLedger& ledger,
                  const std::vector<uint32_t>& members,
                  const CollectiveSchedule& schedule);

    /**
     * @param group a kind of group
     * @return the first member of the group of this rank
     */
    uint32_t GetFirst(uint32_t group) const;

    TrainingJob& m_job;         //!< The job
    uint32_t m_rank;            //!< The rank
    Ptr<Transport> m_transport; //!< Carries the messages
    const Trace& m_sentTrace;   //!< Traces each message that is sent
    /// Collective operations under way, by the tag of their step 0
    std::unordered_map<uint64_t, CollectiveProgress> m_collectives;
    /// Messages of collective operations not begun: number by step, by the tag of step 0
    std::unordered_map<uint64_t, CollectiveProgress::Messages> m_early;
    std::shared_ptr<TaskCounts> m_counts; //!< What tasks wait for
    uint32_t m_place;                     //!< The place of the rank there
    uint32_t m_iteration{NONE};           //!< The iteration under way, as in tags
    /// Messages of receive tasks of a later iteration: rank that sent each, tag
    std::vector<std::pair<uint32_t, uint64_t>> m_ahead;
    std::vector<Transfer> m_transfers; //!< Messages of one step
    WaitLedger::Wait m_wait;           //!< What the task completed last waited for
};

} // namespace lightpath
} // namespace ns3

#endif /* RANK_MESSAGES_H */
