/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLUSTER_RUN_H
#define CLUSTER_RUN_H

#include "cluster-scheduler.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A job of a cluster.
 */
struct ClusterJob
{
    std::string name;       //!< Its name in the trace
    std::string model;      //!< The model that it trains
    double submitted{0};    //!< When it is submitted, s
    uint32_t gpus{1};       //!< Its GPUs
    uint64_t iterations{1}; //!< Its iterations
    double alone{0};        //!< Time that it takes alone, without failures, s
};

/**
 * @ingroup lightpath
 * @brief A component of a cluster that fails as a Poisson process.
 */
struct ClusterComponent
{
    std::string name;            //!< Its name
    std::vector<uint32_t> ports; //!< The ports that it serves, in ascending order
    double rate{0};              //!< Failures in a second, while it works
    bool isBypassed{false}; //!< The fabric finds ways without it; otherwise its ports cannot be
                            //!< used until it is repaired
};

/**
 * @ingroup lightpath
 * @brief How the components of a cluster fail, and what a job does about it.
 */
struct ClusterFailures
{
    std::vector<ClusterComponent> components; //!< The components
    double repair{0};       //!< Mean time until a component works again, s, above 0
    double repairMedian{0}; //!< Median of this time if it is log-normal; 0 if it is exponential
    double detection{0};    //!< Time in which a failure is found out, s
    double switching{0};    //!< Time to switch circuits to other ways, s
    double write{0};        //!< Time to write a checkpoint, s
    double restart{0};      //!< Time to load the checkpoint and to begin again, s
    double interval{0};     //!< Time between checkpoints, s; 0 for the interval of Daly of each job
    uint32_t seed{1};       //!< Seed of the random numbers
};

/**
 * @ingroup lightpath
 * @brief The life of a cluster: jobs come, wait, run, fail and end.
 *
 * A job runs through its iterations, each of which takes the time that a function tells for the
 * jobs that run. This time holds until a job starts, ends or fails, or a component that is bypassed
 * fails or works again; then the function is asked again. An infinite time is that of a job that
 * waits for circuits. The run is plain computation.
 *
 * When a component fails, the jobs on its ports lose what they have computed since the last
 * checkpoint, and restart on ports that work. If the fabric bypasses it, they lose nothing: they
 * stand still until the failure is found out and circuits are switched, and go on at the pace that
 * is left.
 */
class ClusterRun
{
  public:
    /// A job that runs: its number and its ports.
    using Running = ClusterScheduler::Start;

    /// Tells the time of an iteration of each of the jobs that run, s.
    using IterationTimes = std::function<std::vector<double>(const std::vector<Running>&)>;

    /// Hears that a component that is bypassed has failed (true) or works again.
    using FaultCallback = std::function<void(const std::string&, bool)>;

    /// An event of a cluster.
    struct Event
    {
        /// The kinds of events.
        enum Kind
        {
            SUBMITTED, //!< A job is submitted
            STARTED,   //!< A job starts on ports
            STOPPED,   //!< A failure stops a job
            ENDED,     //!< A job ends
            FAILED,    //!< A component fails
            REPAIRED   //!< A component works again
        };

        Kind kind;                          //!< Its kind
        double time;                        //!< When, s
        uint32_t number;                    //!< Number of the job or of the component
        const std::vector<uint32_t>* ports; //!< Its ports; null for a job that is submitted
    };

    /// Hears of each event, in the order of time.
    using Observer = std::function<void(const Event&)>;

    /// The outcome of a job.
    struct Outcome
    {
        double start{0};       //!< When it first started, s
        double end{0};         //!< When it ended, s
        double running{0};     //!< Time that it has held GPUs, s
        double useful{0};      //!< Time of that in which it has computed what lasts, s
        uint32_t nFailures{0}; //!< Failures that have stopped it
    };

    /**
     * @param jobs the jobs, by number
     * @param scheduler starts them
     * @param times tells the time of an iteration
     * @param failures how components fail
     */
    ClusterRun(std::vector<ClusterJob> jobs,
               ClusterScheduler scheduler,
               IterationTimes times,
               const ClusterFailures& failures = {});

    /**
     * @param callback hears of the failures that the fabric bypasses
     */
    void SetFaultCallback(FaultCallback callback);

    /**
     * @param observer hears of each event
     */
    void SetObserver(Observer observer);

    /**
     * Run until all jobs have ended. Throws std::invalid_argument for jobs that failures never let
     * end.
     */
    void Run();

    /**
     * @return what has become of each job
     */
    const std::vector<Outcome>& GetOutcomes() const
    {
        return m_outcomes;
    }

    /**
     * @return the share of free ports that the largest job that could start would not get: the mean
     *         over the time with free ports
     */
    double GetFragmentation() const;

  private:
    /// A job that runs.
    struct Progress
    {
        std::vector<uint32_t> ports; //!< Its ports
        double seconds{0};           //!< Time of an iteration, s
        double ready{0};             //!< When it computes again after a failure, s
        double computing{0};         //!< Time since then, with checkpoints, s
        double interval{0};          //!< Time between checkpoints, s; 0 for no checkpoints
        double saved{0};             //!< Iterations left at the last checkpoint
        double savedUseful{0};       //!< Time in which it had computed what lasts by then, s
    };

    /// A failure or a repair.
    struct Fault
    {
        double time;        //!< When, s
        uint32_t component; //!< The number of the component
        bool failed;        //!< True for a failure

        /**
         * @param other another
         * @return true if this one comes later
         */
        bool operator<(const Fault& other) const
        {
            return std::make_pair(time, component) > std::make_pair(other.time, other.component);
        }
    };

    /**
     * @return when the next job ends, if nothing happens before, and its number
     */
    std::pair<double, uint32_t> GetNextEnd() const;

    /**
     * Let the jobs that run go on.
     *
     * @param time until when, s
     */
    void Advance(double time);

    /// Submit the next job.
    void Submit();

    /// Start jobs, and ask for the times of iterations if the jobs that run have changed.
    void StartJobs();

    /**
     * @param ports the ports of a job
     * @return the time between its checkpoints, s; 0 for none
     */
    double GetInterval(const std::vector<uint32_t>& ports) const;

    /**
     * End a job.
     *
     * @param job its number
     */
    void End(uint32_t job);

    /// Let the next fault happen.
    void Fail();

    /**
     * Take ports out of use, or give them back.
     *
     * @param component the component that they need
     * @param failed true if it has failed
     */
    void SetFailed(const ClusterComponent& component, bool failed);

    /**
     * Let a job wait for ports, without what it has computed since the last checkpoint.
     *
     * @param job its number
     */
    void StopJob(uint32_t job);

    /**
     * Draw a number for a component. Components with the same number in the list have the same
     * numbers drawn, whatever other components there are.
     *
     * @param component the number of the component
     * @return a number between 0 and 1, without both
     */
    double Draw(uint32_t component);

    /**
     * Draw the next fault of a component.
     *
     * @param component the number of the component
     * @param failed true for a failure, false for a repair
     */
    void DrawFault(uint32_t component, bool failed);

    /**
     * Refuse, by std::invalid_argument, jobs that wait for circuits through so many failures that
     * they are not expected to end: called after each fault that the fabric bypasses.
     */
    void CheckPace();

    /**
     * @param kind the kind of an event
     * @param number the number of the job or of the component
     * @param ports its ports, or null
     */
    void Note(Event::Kind kind, uint32_t number, const std::vector<uint32_t>* ports) const;

    /**
     * @param progress a job that runs
     * @return the share of its time in which it computes, rather than writes checkpoints
     */
    double GetShare(const Progress& progress) const;

    std::vector<ClusterJob> m_jobs;         //!< The jobs
    ClusterScheduler m_scheduler;           //!< Starts them
    IterationTimes m_times;                 //!< Tells the time of an iteration
    ClusterFailures m_failures;             //!< How components fail
    FaultCallback m_faultCallback;          //!< Hears of failures that the fabric bypasses
    Observer m_observer;                    //!< Hears of each event
    std::vector<uint64_t> m_random;         //!< The state of the random numbers of each component
    std::vector<uint32_t> m_arrivals;       //!< The jobs in the order of their submission
    std::size_t m_nSubmitted{0};            //!< Jobs that have been submitted
    std::vector<double> m_left;             //!< Iterations left, by job
    std::vector<Outcome> m_outcomes;        //!< What has become of each job
    std::map<uint32_t, Progress> m_running; //!< The jobs that run, by number
    std::priority_queue<Fault> m_faults;    //!< The next fault of each component
    std::vector<uint32_t> m_nFailed;        //!< Failed components that each port needs
    /// Components by each port that needs them
    std::vector<std::vector<uint32_t>> m_componentsOf;
    double m_now{0};          //!< The time, s
    bool m_hasChanged{false}; //!< The jobs that run have changed
    uint64_t m_nBypassed{0};  //!< Faults that the fabric has bypassed since the last judgement
    double m_done{0}; //!< Work that jobs have done since then, as the time that it takes alone, s
    double m_freeTime{0};   //!< Time with free ports, s
    double m_fragmented{0}; //!< Integral of the fragmentation over it, s
};

/**
 * @ingroup lightpath
 * @brief The sums of the life of a cluster.
 */
struct ClusterSummary
{
    /**
     * @param jobs the jobs
     * @param outcomes what has become of each
     * @param ports the number of GPUs
     */
    ClusterSummary(const std::vector<ClusterJob>& jobs,
                   const std::vector<ClusterRun::Outcome>& outcomes,
                   uint32_t ports);

    double seconds{0};     //!< From the first submission to the last end, s
    double utilisation{0}; //!< Share of the GPU time that jobs have held
    double goodput{0};     //!< Share of the GPU time in which they have computed what lasts
    double waiting{0};     //!< Mean time from submission to first start, s
    double jobTime{0};     //!< Mean time from first start to end, s
    double slowDown{0};    //!< Mean time from first start to end, over the time alone
    double fairness{0};    //!< Jain's index of time alone over time from submission to end
    uint64_t nFailures{0}; //!< Failures that have stopped jobs
};

} // namespace lightpath
} // namespace ns3

#endif /* CLUSTER_RUN_H */
