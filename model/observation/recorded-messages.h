/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RECORDED_MESSAGES_H
#define RECORDED_MESSAGES_H

#include "job-record.h"

#include "ns3/nstime.h"
#include "ns3/training-job.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Joins the recorded messages of a job to the tasks of its plan.
 */
class RecordedMessages
{
  public:
    /// A task of a rank in an iteration.
    struct TaskRef
    {
        uint32_t iteration{0}; //!< The iteration
        uint32_t rank{0};      //!< The rank
        uint32_t index{0};     //!< The index of the task
    };

    /**
     * @param job the job
     * @param record its record
     */
    RecordedMessages(TrainingJob& job, const JobRecord& record);

    /**
     * @param task a task
     * @return the tasks that it waits for
     */
    const std::vector<uint32_t>& GetPredecessors(const TaskRef& task);

    /**
     * @param task a receive task
     * @param time a time
     * @return the message that the task received at this time; NONE if it did not
     */
    JobRecord::MessageRef FindReceived(const TaskRef& task, Time time);

    /**
     * Find a message of a collective operation that its receiver needed in order to go on.
     *
     * @param task the collective task of the receiver
     * @param time a time
     * @param step the step that it entered; UINT32_MAX for the end of the operation
     * @return a message of an earlier step that arrived at this time; NONE if none did
     */
    JobRecord::MessageRef FindReceived(const TaskRef& task, Time time, uint32_t step);

    /**
     * @param message a message
     * @return the index of the task of its sender
     */
    uint32_t FindTask(const JobRecord::Message& message);

    /**
     * @param ref an average that a rank has received
     * @return the message of the rank that took part last
     */
    JobRecord::MessageRef FindLastPart(JobRecord::MessageRef ref);

    /**
     * @param ref an average that a rank has received
     * @return the average before it at the same rank, if it waited for that; NONE if it did not
     */
    JobRecord::MessageRef FindAverageBefore(JobRecord::MessageRef ref);

  private:
    /// Parts of a program that are looked up often.
    struct Program
    {
        std::vector<std::vector<uint32_t>> predecessors; //!< Tasks waited for, by task
        /// Communication tasks by kind, kind of group, operation and peer
        std::map<std::tuple<TaskKind, uint32_t, uint32_t, uint32_t>, uint32_t> tasks;
    };

    /**
     * @param rank a rank
     * @return what is found in its program
     */
    const Program& GetProgram(uint32_t rank);

    /**
     * @param iteration an iteration
     * @return the indices of its messages, by receiver and then by tag
     */
    const std::vector<uint32_t>& GetSorted(uint32_t iteration);

    /**
     * @param iteration an iteration
     * @param rank a rank
     * @param first the first of some tags
     * @param last the last of them
     * @return the indices of the messages with these tags that the rank received
     */
    std::vector<uint32_t> GetReceived(uint32_t iteration,
                                      uint32_t rank,
                                      uint64_t first,
                                      uint64_t last);

    /**
     * @param task a communication task
     * @return the tag of its message, or of the messages of its step 0
     */
    uint64_t GetTag(const TaskRef& task) const;

    /**
     * @param message an average
     * @return whether the network inside the server makes it
     */
    bool IsInside(const JobRecord::Message& message);

    TrainingJob& m_job;                                 //!< The job
    const JobRecord& m_record;                          //!< Its record
    std::map<const RankProgram*, Program> m_programs;   //!< What is found in each program
    std::map<uint32_t, std::vector<uint32_t>> m_sorted; //!< Messages by iteration
};

} // namespace lightpath
} // namespace ns3

#endif /* RECORDED_MESSAGES_H */
