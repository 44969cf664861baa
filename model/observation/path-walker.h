/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_WALKER_H
#define PATH_WALKER_H

#include "critical-path.h"
#include "job-record.h"
#include "recorded-messages.h"

#include "ns3/nstime.h"
#include "ns3/training-job.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Goes back in time from the end of an iteration, from each task and message to its cause.
 */
class PathWalker
{
  public:
    /**
     * @param job the job
     * @param record its record
     * @param iteration the iteration
     * @param begin when the iteration began
     */
    PathWalker(TrainingJob& job, const JobRecord& record, uint32_t iteration, Time begin);

    /**
     * @param rank the rank that ended the iteration last
     * @param end when it did
     * @return the segments, the last one first
     */
    std::vector<CriticalPath::Segment> Walk(uint32_t rank, Time end);

  private:
    /// The kind of a segment.
    using Kind = CriticalPath::Kind;
    /// A recorded message.
    using Message = JobRecord::Message;
    /// Where a message is recorded.
    using MessageRef = JobRecord::MessageRef;
    /// A task of a rank in an iteration.
    using TaskRef = RecordedMessages::TaskRef;

    /// The event at the time that the walk has reached.
    enum class Event
    {
        TASK_END,      //!< A task ended
        LAUNCH_END,    //!< A collective operation began
        TASK_BEGIN,    //!< A task began
        ARRIVAL,       //!< A message arrived
        SENDING_END,   //!< The last bit of a message was sent
        SENDING_BEGIN, //!< The transmission of a message began
        HAND_OVER,     //!< A message was handed over
        UNKNOWN,       //!< Something that is not recorded
    };

    /// An event, and what it belongs to.
    struct Cause
    {
        /**
         * @param what the event
         */
        explicit Cause(Event what)
            : event(what)
        {
        }

        /**
         * @param what an event of a task
         * @param which the task
         */
        Cause(Event what, const TaskRef& which)
            : event(what),
              task(which)
        {
        }

        /**
         * @param what an event of a message
         * @param which the message
         */
        Cause(Event what, MessageRef which)
            : event(what),
              message(which)
        {
        }

        Event event;        //!< The event
        TaskRef task;       //!< The task that it belongs to, if any
        MessageRef message; //!< The message that it belongs to, if any
    };

    /**
     * @param cause what has come about now
     * @return what it has come from, at the time that the walk then has reached
     */
    Cause Follow(const Cause& cause);

    /**
     * @param task a task that ends now
     * @return the cause
     */
    Cause FollowEnd(const TaskRef& task);

    /**
     * @param task a task that begins now
     * @return the cause
     */
    Cause FollowBegin(const TaskRef& task);

    /**
     * @param ref a message that arrives now
     * @return the cause
     */
    Cause FollowArrival(MessageRef ref);

    /**
     * @param ref an average that arrives now
     * @return the cause
     */
    Cause FollowAverage(MessageRef ref);

    /**
     * @param ref a message whose last bit has been sent now
     * @return the cause
     */
    Cause FollowSending(MessageRef ref);

    /**
     * @param ref a message whose transmission begins now
     * @return the cause
     */
    Cause FollowSendingBegin(MessageRef ref);

    /**
     * @param ref a message that is handed over now
     * @return the cause
     */
    Cause FollowHandOver(MessageRef ref);

    /**
     * @param iteration an iteration
     * @param rank a rank
     * @return the end of a task now, with which the rank ended the iteration
     */
    Cause FindLast(uint32_t iteration, uint32_t rank) const;

    /**
     * @return the end of the communication that let the last phase begin, and when; an unknown
     *         cause before the iteration, and JobRecord::Never() if it is not recorded
     */
    std::pair<Cause, Time> FindPhase() const;

    /**
     * Add a segment of a task, until the time that the walk has reached.
     *
     * @param kind its kind
     * @param from when it begins
     * @param task the task
     */
    void Add(Kind kind, Time from, const TaskRef& task);

    /**
     * Add a segment of a message, until the time that the walk has reached.
     *
     * @param kind its kind
     * @param from when it begins
     * @param message the message
     */
    void Add(Kind kind, Time from, const Message& message);

    /**
     * Add a segment, until the time that the walk has reached.
     *
     * @param from when it begins
     * @param segment the rest of the segment
     */
    void Add(Time from, CriticalPath::Segment segment);

    /**
     * Add the wait of a message for light.
     *
     * @param from when it begins
     * @param message the message
     */
    void AddWait(Time from, const Message& message);

    /**
     * @param task a task
     * @return its times
     */
    const JobRecord::TaskTimes& GetTimes(const TaskRef& task) const;

    /**
     * @param task a task
     * @return what it does
     */
    const Task& GetTask(const TaskRef& task) const;

    TrainingJob& m_job;                            //!< The job
    const JobRecord& m_record;                     //!< Its record
    RecordedMessages m_messages;                   //!< Finds messages and their tasks
    uint32_t m_iteration;                          //!< The iteration
    Time m_begin;                                  //!< When it began
    Time m_now;                                    //!< The time that the walk has reached
    std::vector<CriticalPath::Segment> m_segments; //!< The segments, the last one first
};

} // namespace lightpath
} // namespace ns3

#endif /* PATH_WALKER_H */
