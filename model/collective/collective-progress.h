/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_PROGRESS_H
#define COLLECTIVE_PROGRESS_H

#include "collective-schedule.h"

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
 * @brief The part of one rank in a collective operation that is under way.
 *
 * A rank sends the messages of a step as soon as it has received all messages of the step before.
 * Messages of later steps may come in early.
 */
class CollectiveProgress
{
  public:
    /// Sends the messages of a rank (abstract).
    class Sender
    {
      public:
        virtual ~Sender() = default;

        /**
         * Send a message to another rank.
         *
         * @param peer the rank
         * @param tag the tag
         * @param bytes the size in bytes
         */
        virtual void Transmit(uint32_t peer, uint64_t tag, uint64_t bytes) = 0;

        /**
         * Let the network average the messages that all ranks hand over.
         *
         * @param tag the tag
         * @param bytes the size of each message in bytes
         * @param isInside whether the network inside the server does so
         */
        virtual void Average(uint64_t tag, uint64_t bytes, bool isInside) = 0;
    };

    /// Messages by step.
    using Messages = std::map<uint32_t, uint32_t>;

    /**
     * @param task the index of the task
     * @param tag the tag of the messages of step 0; those of step s have s more
     * @param position the position of the rank in its group
     * @param members the ranks of the group, which must outlive this object
     * @param schedule who sends what
     * @param early the messages that have come in already
     */
    CollectiveProgress(uint32_t task,
                       uint64_t tag,
                       uint32_t position,
                       const std::vector<uint32_t>& members,
                       std::shared_ptr<const CollectiveSchedule> schedule,
                       Messages early);

    /**
     * @param task the index of the task
     * @param tag the tag of the messages of step 0
     * @param position the position of the rank in its group
     * @param members the ranks of the group, which must outlive this object
     * @param schedule who sends what, with messages for each rank from all peers in each step
     * @param step the present step, whose messages have been sent but not all received
     * @param ahead the messages of this step and later ones that have come in
     */
    CollectiveProgress(uint32_t task,
                       uint64_t tag,
                       uint32_t position,
                       const std::vector<uint32_t>& members,
                       std::shared_ptr<const CollectiveSchedule> schedule,
                       uint32_t step,
                       Messages ahead);

    /**
     * @return the index of the task
     */
    uint32_t GetTask() const;

    /**
     * Send the messages of the first step, and of further ones as far as the messages that have
     * come in allow.
     *
     * @param messages sends the messages
     * @param [out] transfers scratch space for the messages of a step
     * @return true if all steps are complete
     */
    bool Begin(Sender& messages, std::vector<Transfer>& transfers);

    /**
     * Take a message, and enter the next step if it completes the present one.
     *
     * @param step its step
     * @param messages sends the messages
     * @param [out] transfers scratch space for the messages of a step
     * @return true if all steps are complete
     */
    bool Receive(uint32_t step, Sender& messages, std::vector<Transfer>& transfers);

    /**
     * @param name the name of the task
     * @return a clause that names the step and the peer that the rank waits for
     */
    std::string DescribeWaiting(const std::string& name) const;

  private:
    /**
     * Send the messages of the present step.
     *
     * @param messages sends the messages
     * @param [out] transfers scratch space for the messages of a step
     */
    void EnterStep(Sender& messages, std::vector<Transfer>& transfers);

    /// Count the messages of the present step that have come in early.
    void TakeAhead();

    /**
     * Go on to the first step that is not complete.
     *
     * @param messages sends the messages
     * @param [out] transfers scratch space for the messages of a step
     * @return true if all steps are complete
     */
    bool Advance(Sender& messages, std::vector<Transfer>& transfers);

    uint32_t m_task;                                      //!< The task
    uint64_t m_tag;                                       //!< Tag of the messages of step 0
    uint32_t m_position;                                  //!< Of this rank in its group
    const std::vector<uint32_t>* m_members;               //!< The ranks of the group
    std::shared_ptr<const CollectiveSchedule> m_schedule; //!< Who sends what
    Messages m_ahead;                                     //!< Messages of later steps
    uint32_t m_step{0};                                   //!< The present step
    uint32_t m_expected{0};                               //!< Messages of this step in all
    uint32_t m_received{0};                               //!< Messages of this step received
};

} // namespace lightpath
} // namespace ns3

#endif /* COLLECTIVE_PROGRESS_H */
