/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_APPLICATION_H
#define TRAINING_APPLICATION_H

#include "collective-progress.h"
#include "message-table.h"
#include "transport.h"

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/training-plan.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class TrainingJob;

/**
 * @ingroup lightpath
 * @brief How one rank spent one iteration.
 */
struct IterationRecord
{
    Time begin;   //!< When the rank began it
    Time end;     //!< When its last task ended
    Time compute; //!< How long its GPU was computing

    /// What the times of its compute tasks were multiplied by, beside the speed of the rank
    double noise{1};
};

/**
 * @ingroup lightpath
 * @brief Carries out the program of one rank of a training job, iteration after iteration.
 *
 * The GPU computes one task at a time: of those that are ready, the one with the lowest index.
 * Messages are sent as soon as the tasks that they wait for are done, whatever the GPU does; those
 * of a collective operation, the CollectiveLatency of the job later. A rank
 * begins its next iteration once all its tasks are done; ranks wait for each other only through
 * their messages.
 *
 * A compute task takes the time of the plan divided by the SpeedFactor of the rank and multiplied
 * by a draw from its ComputeNoise, if it has one. There is one draw for each iteration, which all
 * compute tasks of the iteration share: a rank that falls behind does so for an iteration.
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
     * @param transport what carries its messages
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
     * @return what carries the messages of this rank
     */
    Ptr<Transport> GetTransport() const;

    /**
     * @return the iterations that have ended
     */
    const std::vector<IterationRecord>& GetRecords() const;

    /**
     * @return the speed of the GPU relative to what the plan was made for
     */
    double GetSpeedFactor() const;

    /**
     * @return what the times of compute tasks are drawn from; null if they are those of the plan
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
     * @return the number of tasks done and messages received so far
     */
    uint64_t GetProgress() const;

    /**
     * @return true while the GPU computes
     */
    bool IsComputing() const;

    /**
     * @return true while a collective operation that is ready is being launched
     */
    bool IsLaunching() const;

    /**
     * @param most the most waiting tasks to name
     * @return a clause for each of the first tasks that have begun to wait for a message
     */
    std::vector<std::string> DescribeWaiting(uint32_t most) const;

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

    /// Record the end of an iteration and begin the next, if there is one.
    void EndIteration();

    /**
     * Begin a task whose predecessors are done.
     *
     * @param task its index
     */
    void BeginTask(uint32_t task);

    /**
     * Note that a task is done; Proceed() begins what waited for it.
     *
     * @param task its index
     */
    void EndTask(uint32_t task);

    /// Begin all that has become ready.
    void Proceed();

    /// Begin the first of the compute tasks that are ready.
    void BeginCompute();

    /**
     * The GPU has finished a task.
     *
     * @param task its index
     */
    void EndCompute(uint32_t task);

    /**
     * Begin a collective operation now, or once it is launched; one without steps is done at once.
     *
     * @param task the index of its task
     */
    void LaunchCollective(uint32_t task);

    /**
     * A collective operation is launched.
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

    /**
     * @param task a collective task
     * @return its schedule
     */
    std::shared_ptr<const CollectiveSchedule> GetSchedule(const Task& task) const;

    /// Launch nothing any more.
    void CancelLaunches();

    /**
     * Take a message.
     *
     * @param source the rank that sent it
     * @param tag its tag
     * @param bytes its size in bytes
     */
    void Receive(uint32_t source, uint64_t tag, uint64_t bytes);

    /**
     * @param task a communication task
     * @param step the step of a collective operation, else 0
     * @return the tag of its messages in the present iteration
     */
    uint64_t GetTag(const Task& task, uint32_t step) const;

    /**
     * @param task a send or receive task
     * @return the rank of its peer
     */
    uint32_t GetPeer(const Task& task) const;

    Ptr<TrainingJob> m_job;                       //!< The job
    Ptr<Transport> m_transport;                   //!< Carries the messages
    std::shared_ptr<const RankProgram> m_program; //!< The program
    uint32_t m_rank{0};                           //!< The rank
    double m_speedFactor;                         //!< Speed relative to that of the plan
    Ptr<RandomVariableStream> m_noise;            //!< Multiplies compute times, or null
    uint32_t m_iteration{0};                      //!< The iteration under way, from 0
    uint32_t m_left{0};                           //!< Tasks that are not done
    uint64_t m_progress{0};                       //!< Tasks done and messages received
    IterationRecord m_record;                     //!< The iteration under way
    std::vector<IterationRecord> m_records;       //!< The iterations that have ended
    std::vector<uint32_t> m_waitsFor;             //!< Predecessors not done, by task
    std::vector<uint32_t> m_done;           //!< Tasks done whose successors have not been told
    EventId m_compute;                      //!< Beginning or end of the next compute task
    std::map<uint32_t, EventId> m_launches; //!< Beginnings of collective operations, by task
    /// Compute tasks that are ready
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<uint32_t>> m_ready;
    /// Collective operations under way, by the tag of their step 0
    std::unordered_map<uint64_t, CollectiveProgress> m_collectives;
    /// Messages of collective operations not begun: number by step, by the tag of step 0
    std::unordered_map<uint64_t, CollectiveProgress::Messages> m_early;
    MessageTable m_receives;           //!< Receive tasks that wait, by message
    MessageTable m_arrived;            //!< Messages whose receive task has not begun, each with 0
    std::vector<Transfer> m_transfers; //!< Messages of one step
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAINING_APPLICATION_H */
