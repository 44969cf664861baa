/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_JOB_H
#define TRAINING_JOB_H

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/fabric-channel.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/phase-counter.h"
#include "ns3/traced-callback.h"
#include "ns3/training-plan.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{
namespace lightpath
{

class CircuitController;
class CircuitWatch;
class DrawnLoads;
class FastForward;
class JobLedger;
class RingForward;
struct RankResult;
class ServerNetwork;
class TaskCounts;
class TrafficLedger;
class TrainingApplication;
class WaitLedger;

/**
 * @ingroup lightpath
 * @brief The common part of the ranks of a training job: the plan, and a watch on progress.
 *
 * The communication of an iteration falls into phases. The first phase begins when the first rank
 * starts; each further one, when all communication tasks of the phase before have ended on all
 * ranks. A phase that is over by then is skipped. No rank waits for a phase to begin: the
 * announcement serves to prepare the network, for example to switch circuits. Ranks that are ahead
 * may have messages of later phases waiting.
 *
 * A job is stalled if for the StallTimeout no rank computes or launches a collective operation, no
 * message moves and no circuits are switched. It then fails with a sentence that names some of the
 * waiting tasks. The watch ends with the job, so that it keeps no simulation alive: without any
 * other events, Simulator::Run() returns at the end of the job.
 */
class TrainingJob : public Object
{
  public:
    /// Takes the sentence that says why a job has failed.
    using FailureCallback = Callback<void, std::string>;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TrainingJob();
    ~TrainingJob() override;

    /**
     * @param plan the plan; one that TrainingPlan::Check() refuses ends the program with its
     *        sentence
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
     * @return the factor of its demand where jobs share circuits
     */
    double GetWeight() const
    {
        return m_weight;
    }

    /**
     * @param callback takes the sentence if the job fails. Without a callback, a failure ends the
     *        program with the sentence.
     */
    void SetFailureCallback(FailureCallback callback);

    /**
     * Name the fabric that the job runs on, for its report.
     *
     * @param fabric the fabric; null for another network
     */
    void SetFabric(Ptr<const FabricChannel> fabric);

    /**
     * Name the servers that the job runs on; before WatchCircuits() and SetLedger(). A plan whose
     * messages cross rails, where they must not, ends the program with a sentence.
     *
     * @param servers carries the messages of the ranks
     */
    void SetServers(Ptr<ServerNetwork> servers);

    /**
     * @return the bytes of the plan's messages, by source and destination
     */
    const TrafficMatrix& GetTraffic();

    /**
     * @return what carries messages inside servers and between them; null without servers
     */
    Ptr<ServerNetwork> GetServers() const;

    /**
     * @return the fabrics that the job runs on, those between servers if there are servers; none
     *         for another network
     */
    std::vector<Ptr<const FabricChannel>> GetFabrics() const;

    /**
     * End the job without success.
     *
     * @param sentence why the job has failed
     */
    void Fail(const std::string& sentence);

    /**
     * Add the next rank; called by its application.
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
     * Note that a rank has ended an iteration; called by its application.
     *
     * @param rank the rank
     */
    void NotifyIterationEnd(uint32_t rank);

    /**
     * Note that a rank starts; called by its application. The watch on progress begins once all
     * ranks have started.
     *
     * @param application the application
     * @return false if another process carries out the rank, which does not start in this one
     */
    bool NotifyStart(const TrainingApplication& application);

    /**
     * Note that a rank is stopped; called by its application. The watch on progress ends with the
     * last rank.
     */
    void NotifyStop();

    /**
     * Note that a rank is disposed of; called by its application. With the last one go the messages
     * that are computed, also if somebody still has the job.
     */
    void NotifyDispose();

    /**
     * Note that a communication task has ended; called by the application of its rank.
     *
     * @param iteration the iteration of the rank, from 0
     * @param phase the phase of the task
     */
    void NotifyCommunicationEnd(uint32_t iteration, uint32_t phase);

    /**
     * Fail as soon as a message waits for a circuit that will never come, and allow at least two
     * periodic decisions on circuits before the job counts as stalled.
     *
     * @param controller decides on the circuits
     * @param rail the fabric between servers that it decides for
     */
    void WatchCircuits(Ptr<CircuitController> controller, uint32_t rail = 0);

    /**
     * Let collective operations tell what they will still send.
     *
     * @param ledger takes the account of a fabric; null for none
     * @param rail the fabric between servers
     */
    void SetLedger(std::shared_ptr<TrafficLedger> ledger, uint32_t rail = 0);

    /**
     * @return the account of what collective operations will still send; null if none is kept
     */
    JobLedger* GetLedger() const
    {
        return m_ledger.get();
    }

    /**
     * @param rank a rank
     * @param group a kind of group
     * @param nRings a number of rings
     * @return computes the messages of operations that go round rings of its group; null if
     *         FastForward is off or the plan is folded
     */
    RingForward* GetForward(uint32_t rank, uint32_t group, uint32_t nRings);

    /**
     * @param rank a rank
     * @return the messages that it has received without an event for each
     */
    uint64_t GetForwarded(uint32_t rank) const;

    /**
     * @param rank a rank
     * @return those of them that its TrainingApplication has not counted, as they went round rings
     */
    uint64_t GetRingMessages(uint32_t rank) const;

    /**
     * @return true if messages are computed as far as possible; never in several processes
     */
    bool IsForward() const;

    /**
     * @return when the first rank started; zero before that
     */
    Time GetStart() const
    {
        return m_start;
    }

    /**
     * @return true if all ranks have ended all iterations, those of this process until
     *         GatherResults()
     */
    bool IsFinished() const;

    /**
     * Collect the results of the ranks of all processes on process 0, after Simulator::Run().
     */
    void GatherResults();

    /**
     * @return what a report needs to know of each rank; without GatherResults(), of the ranks of
     *         this process
     */
    std::vector<RankResult> GetResults() const;

    /**
     * Get the schedule of a collective operation, which is made once and shared by all ranks. It
     * sends what the protocol of the operation sends.
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
     * @param program the program of a rank
     * @return where its tasks are counted, with room for the rank
     */
    std::shared_ptr<TaskCounts> GetCounts(const std::shared_ptr<const RankProgram>& program);

    /**
     * @return the loads of experts in each iteration
     */
    DrawnLoads& GetLoads() const;

    /**
     * @param bytes the size of the buffer of a collective operation in bytes
     * @return the time between its being ready on a rank and its start there
     */
    Time GetCollectiveLatency(uint64_t bytes) const;

    /**
     * @return the account of what the ranks wait for
     */
    WaitLedger& GetWaits() const;

    /**
     * TracedCallback signature for the end of a job.
     */
    typedef void (*FinishedTracedCallback)();

    /**
     * TracedCallback signature for the failure of a job.
     *
     * @param sentence why the job has failed
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

    /**
     * TracedCallback signature for a wait of a rank, which is traced once its reason is known. A
     * wait is part of the iteration of the task that it ends with.
     *
     * @param rank the rank
     * @param kind its WaitKind
     * @param begin when it began
     * @param end when it ended
     */
    typedef void (*WaitTracedCallback)(uint32_t rank, uint32_t kind, Time begin, Time end);

  protected:
    void DoDispose() override;

  private:
    /**
     * Forget the loads of experts in an iteration that all ranks have ended.
     *
     * @param iteration the iteration, from 0
     */
    void ForgetLoads(uint32_t iteration);

    /// Check whether there was progress since the last check; fail if there was none for too long.
    void Watch();

    /// End the watch on progress.
    void EndWatch();

    /**
     * @return the ranks that this process carries out
     */
    uint32_t CountOwn() const;

    /**
     * Look at the progress of all processes, which look at the same instant.
     *
     * @param [out] moving whether bytes are on their way
     * @return true if a rank has done something or is about to
     */
    bool LookForProgress(bool& moving);

    /// Trace the phase that has begun.
    void AnnouncePhase();

    /**
     * @return a number that grows with each task, message and byte of the ranks
     */
    uint64_t GetProgress() const;

    /**
     * @return the sentence that says why the job is stalled
     */
    std::string Describe();

    TrainingPlan m_plan;                           //!< The plan
    Ptr<const FabricChannel> m_fabric;             //!< The fabric; null for another network
    Ptr<ServerNetwork> m_servers;                  //!< The servers, or null
    TrafficMatrix m_traffic;                       //!< The plan's messages, once asked for
    uint32_t m_nIterations;                        //!< Iterations to carry out
    double m_weight;                               //!< Weight of its demand for circuits
    Time m_stallTimeout;                           //!< Time without progress until it fails
    Time m_collectiveLatency;                      //!< Time to launch a collective operation
    std::vector<Ptr<TrainingApplication>> m_ranks; //!< The applications
    std::vector<uint32_t> m_nEnded;                //!< Ranks that have ended it, by iteration
    std::vector<uint32_t> m_iterations;            //!< Iterations ended, by rank
    uint32_t m_nRunning{0};                        //!< Ranks that have started, less the stopped
    uint32_t m_nDisposed{0};                       //!< Ranks that are disposed of
    Time m_start;                                  //!< When the first rank started
    uint64_t m_progress{0};                        //!< Progress at the last check
    Time m_lastProgress;                           //!< Last check that saw progress
    Time m_lastSign;                               //!< Last check that saw that or bytes moving
    EventId m_watch;                               //!< The next check
    bool m_hasEnded{false};                        //!< The last check found that all ranks ended
    PhaseCounter m_phases;                         //!< The phase that has been reached
    EventId m_announcement;                        //!< The next announcement of a phase
    /// Look for missing circuits, on fabrics that have a controller
    std::vector<std::unique_ptr<CircuitWatch>> m_circuits;
    std::unique_ptr<DrawnLoads> m_loads;             //!< The loads of experts
    std::unique_ptr<WaitLedger> m_waits;             //!< What the ranks wait for
    bool m_fastForward;                              //!< Whether messages are computed
    std::unique_ptr<FastForward> m_forward;          //!< Computes messages, or null
    std::unique_ptr<JobLedger> m_ledger;             //!< What operations will still send, or null
    std::vector<RankResult> m_results;               //!< Those of all processes, once gathered
    FailureCallback m_failureCallback;               //!< Takes the sentence of a failure
    TracedCallback<std::string> m_failedTrace;       //!< The job has failed
    TracedCallback<> m_finishedTrace;                //!< All iterations have ended
    TracedCallback<uint32_t> m_iterationTrace;       //!< An iteration has ended on all ranks
    TracedCallback<Time, Time> m_iterationTimeTrace; //!< The duration of an iteration is known
    Time m_iterationEnd;                             //!< When the last iteration ended
    Time m_iterationTime;                            //!< Its duration
    TracedCallback<uint32_t, uint32_t> m_phaseTrace; //!< A phase has begun
    TracedCallback<uint32_t, uint32_t, Time, Time> m_waitTrace; //!< A rank has waited
    /// The schedules, by operation, ranks, bytes and options
    std::map<std::tuple<CollectiveKind, uint32_t, uint64_t, CollectiveOptions>,
             std::shared_ptr<const CollectiveSchedule>>
        m_schedules;
    /// The tasks that wait, by program: the last ones that a rank has been added to
    std::map<const RankProgram*, std::shared_ptr<TaskCounts>> m_counts;
    /// The components of the fabric that have failed, for the sentence of a stall
    std::shared_ptr<std::set<std::string>> m_failed{std::make_shared<std::set<std::string>>()};
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAINING_JOB_H */
