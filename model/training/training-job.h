/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_JOB_H
#define TRAINING_JOB_H

#include "circuit-watch.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/phase-counter.h"
#include "ns3/traced-callback.h"
#include "ns3/training-plan.h"

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{
namespace lightpath
{

class TrainingApplication;

/**
 * @ingroup lightpath
 * @brief What the ranks of one training job have in common: the plan, and a watch on progress.
 *
 * The communication of an iteration falls into phases. A phase begins as all communication tasks of
 * the one before have ended on all ranks, and the first one, as the first rank starts; a phase that
 * is over by then is left out. No rank waits for a phase to begin: it may be announced, for example
 * to have circuits switched, while ranks that are ahead have messages of later phases waiting.
 *
 * If for the StallTimeout no rank computes or launches a collective operation, no message moves and
 * no circuits are switched, the job can make no more progress. It then fails with a sentence that
 * names some of the waiting tasks.
 */
class TrainingJob : public Object
{
  public:
    /// Takes the sentence that says why a job cannot go on.
    using FailureCallback = Callback<void, std::string>;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TrainingJob();
    ~TrainingJob() override;

    /**
     * @param plan the plan; refused by std::invalid_argument if TrainingPlan::Check() refuses it
     */
    void SetPlan(TrainingPlan plan);

    /**
     * @return the plan
     */
    const TrainingPlan& GetPlan() const;

    /**
     * @return the number of iterations of the job
     */
    uint32_t GetNIterations() const;

    /**
     * @param callback what takes the sentence if the job fails. Without it, a failure ends the
     *        program.
     */
    void SetFailureCallback(FailureCallback callback);

    /**
     * End the job without success.
     *
     * @param sentence why it cannot go on
     */
    void Fail(const std::string& sentence);

    /**
     * Add the next rank; called by the application that carries it out.
     *
     * @param application the application
     */
    void AddRank(Ptr<TrainingApplication> application);

    /**
     * @return the applications of the ranks, in the order in which they were added
     */
    const std::vector<Ptr<TrainingApplication>>& GetRanks() const;

    /**
     * Give each ComputeNoise of the ranks a stream of random numbers of its own, in the order of
     * the ranks.
     *
     * @param stream the number of the first stream
     * @return the number of streams that were assigned
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Hear that a rank has ended an iteration; called by its application.
     *
     * @param rank the rank
     */
    void NotifyIterationEnd(uint32_t rank);

    /**
     * Hear that a rank starts; called by its application. Progress is watched once all ranks have
     * started.
     */
    void NotifyStart();

    /**
     * Hear that a rank is stopped; called by its application. Progress is watched until the last
     * rank is.
     */
    void NotifyStop();

    /**
     * Hear that a communication task has ended; called by the application of its rank.
     *
     * @param iteration the iteration of the rank, from 0
     * @param phase the phase of the task
     */
    void NotifyCommunicationEnd(uint32_t iteration, uint32_t phase);

    /**
     * Fail once a message waits for a circuit that will never come, and wait for progress no less
     * than decisions on circuits take.
     *
     * @param controller decides on the circuits
     */
    void WatchCircuits(Ptr<CircuitController> controller);

    /**
     * @return true if all ranks have ended all iterations
     */
    bool IsFinished() const;

    /**
     * Get a schedule, which is made once and shared.
     *
     * @param kind the collective operation
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     * @param options how it is carried out
     * @return the schedule
     */
    std::shared_ptr<const CollectiveSchedule> GetSchedule(
        CollectiveKind kind,
        uint32_t ranks,
        uint64_t bytes,

        const CollectiveOptions& options = CollectiveOptions());

    /**
     * @return the time from a collective operation being ready on a rank to its beginning there
     */
    Time GetCollectiveLatency() const;

    /**
     * TracedCallback signature for the end of a job.
     */
    typedef void (*FinishedTracedCallback)();

    /**
     * TracedCallback signature for the failure of a job.
     *
     * @param sentence why it cannot go on
     */
    typedef void (*FailedTracedCallback)(std::string sentence);

    /**
     * TracedCallback signature for the end of an iteration.
     *
     * @param iteration the number of iterations that all ranks have ended
     */
    typedef void (*IterationTracedCallback)(uint32_t iteration);

    /**
     * TracedCallback signature for the beginning of a phase.
     *
     * @param iteration the iteration, from 0
     * @param phase the phase, from 0
     */
    typedef void (*PhaseTracedCallback)(uint32_t iteration, uint32_t phase);

  protected:
    void DoDispose() override;

  private:
    /// See whether there was progress since the last time.
    void Watch();

    /// Tell which phase has begun.
    void AnnouncePhase();

    /**
     * @return a number that grows with whatever the ranks do
     */
    uint64_t GetProgress() const;

    /**
     * @return the sentence that says why the job is stuck
     */
    std::string Describe() const;

    TrainingPlan m_plan;                           //!< The plan
    uint32_t m_nIterations;                        //!< Iterations to carry out
    Time m_stallTimeout;                           //!< Time without progress after which it ends
    Time m_collectiveLatency;                      //!< Time to launch a collective operation
    std::vector<Ptr<TrainingApplication>> m_ranks; //!< The applications
    std::vector<uint32_t> m_nEnded;                //!< Ranks that have ended it, by iteration
    std::vector<uint32_t> m_iterations;            //!< Iterations ended, by rank
    uint32_t m_nRunning{0};                        //!< Ranks that have started, less the stopped
    uint64_t m_progress{0};                        //!< Progress at the last look
    Time m_lastProgress;                           //!< When there was progress, as far as seen
    EventId m_watch;                               //!< The next look
    PhaseCounter m_phases;                         //!< The phase that has been reached
    EventId m_announcement;                        //!< The next announcement of a phase
    std::unique_ptr<CircuitWatch> m_circuits;      //!< Looks for circuits that never come, or null
    FailureCallback m_failureCallback;             //!< Takes the sentence of a failure
    TracedCallback<std::string> m_failedTrace;     //!< The job cannot go on
    TracedCallback<> m_finishedTrace;              //!< All iterations have ended
    TracedCallback<uint32_t> m_iterationTrace;     //!< An iteration has ended on all ranks
    TracedCallback<uint32_t, uint32_t> m_phaseTrace; //!< A phase has begun
    /// The schedules, by operation, ranks, bytes and ranks of a server
    std::map<std::tuple<CollectiveKind, uint32_t, uint64_t, CollectiveOptions>,
             std::shared_ptr<const CollectiveSchedule>>
        m_schedules;
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAINING_JOB_H */
