/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_APPLICATION_H
#define TRAINING_APPLICATION_H

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/lightpath-borrower.h"
#include "ns3/message-tag.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"
#include "ns3/training-plan.h"
#include "ns3/transport.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class RankMessages;
class TaskCounts;
class TrainingJob;

/**
 * @ingroup lightpath
 * @brief A task of a rank that begins or ends, as trace sinks see it.
 */
struct TaskEvent
{
    uint32_t rank;      //!< The rank
    uint32_t iteration; //!< The iteration, from 0
    uint32_t index;     //!< Index of the task in the program of the rank
    const Task& task;   //!< The task: its name, kind, bytes; valid as long as the job
};

/**
 * @ingroup lightpath
 * @brief A message that is computed without events, as trace sinks see it.
 *
 * If messages are brought back as events, it is told of as far as it has come, and the times to
 * come are Time::Max(): the trace sources of messages and frames tell of them.
 */
struct ComputedMessage
{
    uint32_t source;      //!< The rank that sends it
    uint32_t destination; //!< The rank that it is for
    uint64_t tag;         //!< Its tag, which MessageTag::Decode() takes apart
    uint64_t bytes;       //!< Its size in bytes
    Time sent;            //!< When it was handed to the transport
    Time begun;           //!< When its frame began
    Time ended;           //!< When its frame ended
    Time received;        //!< When its last byte arrived
};

/**
 * @ingroup lightpath
 * @brief What a rank waits for: below these kinds, communication in groups of this GroupKind.
 */
enum WaitKind : uint8_t
{
    BUBBLE_WAIT = 1 << MessageTag::GROUP_BITS, //!< Data that another rank computes late
    CIRCUIT_WAIT,                              //!< Light: circuits are dark or lead elsewhere
    N_WAIT_KINDS,                              //!< Number of kinds
};

/// Times of waiting, by WaitKind.
using WaitTimes = std::array<Time, N_WAIT_KINDS>;

/**
 * @ingroup lightpath
 * @brief How one rank spent one iteration.
 */
struct IterationRecord
{
    Time begin;        //!< When the rank began it
    Time end;          //!< When its last task ended
    Time compute;      //!< How long its GPU was computing
    WaitTimes waits{}; //!< The rest of the time, by what the rank waited for

    double noise{1}; //!< Draw that multiplied the times of its compute tasks
};

/**
 * @ingroup lightpath
 * @brief Carries out the program of one rank of a training job, iteration after iteration.
 *
 * The GPU computes one task at a time: of the compute tasks that are ready, the one with the lowest
 * index. Communication starts as soon as the tasks that it depends on are done, whatever the GPU
 * does; a collective operation starts later by the time that the job takes to launch it. A rank
 * begins its next iteration once all its tasks are done; ranks wait for each other only through
 * their messages.
 *
 * A compute task takes the time of the plan divided by the SpeedFactor of the rank and multiplied
 * by a draw from its ComputeNoise, if it has one. There is one draw for each iteration, shared by
 * all compute tasks of the iteration: a rank that falls behind does so for a whole iteration.
 *
 * The trace sources show the timeline of the rank. Each task begins and ends once an iteration:
 *
 * - a compute task begins when the GPU starts it, and ends when the GPU has finished it;
 * - a send task begins and ends at once, as its message is handed to the transport;
 * - a receive task begins when the tasks that it depends on are done, and ends when its message is
 *   there, which may have come in before;
 * - a collective task begins when the tasks that it depends on are done. Its operation begins once
 *   it is launched (CollectiveBegin) with the first messages, and ends with the last message that
 *   comes in (CollectiveEnd), as does the task.
 *
 * A message is traced as it is handed to the transport of its sender (MessageSent), and as its last
 * byte arrives at the receiver (MessageReceived). Source, destination and tag (MessageTag) join
 * the two. A message that the network averages is one that a rank sends to itself.
 */
class TrainingApplication : public Application
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TrainingApplication();
    ~TrainingApplication() override;

    /**
     * @param job the job that the rank belongs to
     * @param rank the rank
     * @param transport carries its messages
     */
    void SetUp(Ptr<TrainingJob> job, uint32_t rank, Ptr<Transport> transport);

    /**
     * @return the job that the rank belongs to
     */
    Ptr<TrainingJob> GetJob() const;

    /**
     * @return the rank
     */
    uint32_t GetRank() const;

    /**
     * @return the transport that carries the messages of this rank
     */
    Ptr<Transport> GetTransport() const;

    /**
     * @return the iterations that have ended
     */
    const std::vector<IterationRecord>& GetRecords() const
    {
        return m_records;
    }

    /**
     * @return the speed of the GPU relative to the speed that the plan assumes
     */
    double GetSpeedFactor() const
    {
        return m_speedFactor;
    }

    /**
     * @return the random variable that multiplies compute times; null for the times of the plan
     */
    Ptr<RandomVariableStream> GetComputeNoise() const;

    // Newer versions of ns-3 declare it in Application, older ones do not
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winconsistent-missing-override"
#endif
    /**
     * Give the ComputeNoise a stream of random numbers of its own.
     *
     * @param stream the number of the stream
     * @return the number of streams that were assigned: 1, or 0 without ComputeNoise
     */
    virtual int64_t AssignStreams(int64_t stream);
#ifdef __clang__
#pragma clang diagnostic pop
#endif

    /**
     * @return true if a sink looks at messages
     */
    bool TracesMessages() const
    {
        return m_messageSentTrace.NeedsEvents() || m_messageReceivedTrace.NeedsEvents();
    }

    /**
     * @return true if a sink looks at messages that are computed
     */
    bool TracesComputed() const
    {
        return !m_computedMessageTrace.IsEmpty();
    }

    /**
     * Tell of a message of the rank that has been computed.
     *
     * @param message the message
     */
    void NoteComputed(const ComputedMessage& message) const
    {
        m_computedMessageTrace(message);
    }

    /**
     * End a collective operation whose messages have been computed by a RingForward.
     *
     * @param task the index of its task
     * @param tag the tag of step 0
     */
    void EndForwarded(uint32_t task, uint64_t tag);

    /**
     * @return the communication of the rank
     */
    RankMessages& GetMessages() const
    {
        return *m_messages;
    }

    /**
     * @return the number of tasks done and messages received so far
     */
    uint64_t GetProgress() const;

    /**
     * @return true while the GPU computes
     */
    bool IsComputing() const
    {
        return !m_compute.IsExpired();
    }

    /**
     * @return true while a collective operation that is ready is being launched
     */
    bool IsLaunching() const
    {
        return !m_launches.empty();
    }

    /**
     * @param most the most waiting tasks to name
     * @return a clause for each of the first tasks that have begun to wait for a message
     */
    std::vector<std::string> DescribeWaiting(uint32_t most) const;

    /**
     * TracedCallback signature for the beginning or end of a task or of a collective operation.
     *
     * @param event the task; the sink must take it as const TaskEvent&
     */
    typedef void (*TaskTracedCallback)(const TaskEvent& event);

    /**
     * TracedCallback signature for a message that is sent or received.
     *
     * @param rank the rank that sends or receives it
     * @param peer the rank that it is for, or that sent it
     * @param tag its tag, which MessageTag::Decode() takes apart
     * @param bytes its size in bytes
     */
    typedef void (*MessageTracedCallback)(uint32_t rank,
                                          uint32_t peer,
                                          uint64_t tag,
                                          uint64_t bytes);

    /**
     * TracedCallback signature for messages that are computed.
     *
     * @param message the message; the sink must take it as const ComputedMessage&
     */
    typedef void (*ComputedMessageTracedCallback)(const ComputedMessage& message);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// Begin the next iteration with the tasks that wait for nothing.
    void BeginIteration();

    /**
     * Draw the noise of the iteration that begins. The job fails if it is not a positive number.
     *
     * @return true if the iteration can go on
     */
    bool DrawNoise();

    /// Record the end of the iteration, and begin the next if there is one.
    void EndIteration();

    /**
     * Begin a task whose predecessors are done.
     *
     * @param task its index
     */
    void BeginTask(uint32_t task);

    /**
     * Note that a task is done; Proceed() begins its successors.
     *
     * @param task its index
     */
    void EndTask(uint32_t task);

    /// Begin the tasks that waited for the tasks that are done, and the next iteration if all are.
    void Proceed();

    /// Begin the first of the ready compute tasks.
    void BeginCompute();

    /**
     * End a task that the GPU has finished.
     *
     * @param task its index
     */
    void EndCompute(uint32_t task);

    /**
     * Begin a collective operation after the time to launch it. One without steps is not launched
     * but done at once.
     *
     * @param task the index of its task
     */
    void LaunchCollective(uint32_t task);

    /**
     * Begin a collective operation whose launch has ended.
     *
     * @param task the index of its task
     */
    void EndLaunch(uint32_t task);

    /**
     * Begin a collective operation.
     *
     * @param task the index of its task
     */
    void BeginCollective(uint32_t task);

    /// Cancel the launches of collective operations that are pending.
    void CancelLaunches();

    /**
     * Take a message from the transport.
     *
     * @param source the rank that sent it
     * @param tag its tag
     * @param bytes its size in bytes
     */
    void Receive(uint32_t source, uint64_t tag, uint64_t bytes);

    /// The trace of tasks or of collective operations.
    using TaskTrace = TracedCallback<const TaskEvent&>;

    /**
     * @param trace a trace of tasks
     * @param task the index of the task that begins or ends
     */
    void TraceTask(const TaskTrace& trace, uint32_t task) const;

    // The members that each message uses come first, next to each other in memory
    uint64_t m_progress{0};                   //!< Tasks done and messages received
    std::unique_ptr<RankMessages> m_messages; //!< Joins messages and tasks
    /// A message is handed to the transport
    FrameTrace<uint32_t, uint32_t, uint64_t, uint64_t> m_messageSentTrace;
    /// The last byte of a message has arrived
    FrameTrace<uint32_t, uint32_t, uint64_t, uint64_t> m_messageReceivedTrace;
    /// A message that has been computed without events
    FrameTrace<const ComputedMessage&> m_computedMessageTrace;
    Ptr<TrainingJob> m_job;                       //!< The job
    Ptr<Transport> m_transport;                   //!< Carries the messages
    std::shared_ptr<const RankProgram> m_program; //!< The program
    uint32_t m_rank{0};                           //!< The rank
    double m_speedFactor;                         //!< Speed relative to the plan
    Ptr<RandomVariableStream> m_noise;            //!< Multiplies compute times, or null
    uint32_t m_iteration{0};                      //!< The iteration under way, from 0
    uint32_t m_left{0};                           //!< Tasks that are not done
    IterationRecord m_record;                     //!< The iteration under way
    std::vector<IterationRecord> m_records;       //!< The iterations that have ended
    std::shared_ptr<TaskCounts> m_counts;         //!< How many tasks each task waits for
    uint32_t m_place{0};                          //!< Its place there
    Time m_computeTime;                           //!< Duration of the last compute task
    Time m_scheduled;                             //!< When the event under way was scheduled
    std::vector<uint32_t> m_done;           //!< Tasks done whose successors have not been told
    EventId m_compute;                      //!< Beginning or end of the next compute task
    std::map<uint32_t, EventId> m_launches; //!< Beginnings of collective operations, by task
    /// Compute tasks that are ready
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<uint32_t>> m_ready;
    TaskTrace m_taskBeginTrace;       //!< A task begins
    TaskTrace m_taskEndTrace;         //!< A task is done
    TaskTrace m_collectiveBeginTrace; //!< The operation of a collective task begins
    TaskTrace m_collectiveEndTrace;   //!< The operation of a collective task is done
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAINING_APPLICATION_H */
