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
#include <random>
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
 * @brief How GPUs fail, and what a job does about it.
 */
struct ClusterFailures
{
    double rate{0};     //!< Failures of a GPU in a second; 0 for none
    double repair{0};   //!< Mean time until it works again, s
    double write{0};    //!< Time to write a checkpoint, s
    double restart{0};  //!< Time from the start on other GPUs until the job computes again, s
    double interval{0}; //!< Time between checkpoints, s; 0 for the interval of Daly of each job
    uint32_t seed{1};   //!< Seed of the random numbers
};

/**
 * @ingroup lightpath
 * @brief The life of a cluster: jobs come, wait, run, fail and end.
 *
 * A job runs through its iterations, each of which takes the time that a function tells for the
 * jobs that run. This time holds until a job starts, ends or fails; then the function is asked
 * again. The run is plain computation.
 */
class ClusterRun
{
  public:
    /// A job that runs: its number and its ports.
    using Running = ClusterScheduler::Start;

    /// Tells the time of an iteration of each of the jobs that run, s.
    using IterationTimes = std::function<std::vector<double>(const std::vector<Running>&)>;

    /// What has become of a job.
    struct Outcome
    {
        double start{0};       //!< When it first started, s
        double end{0};         //!< When it ended, s
        double running{0};     //!< Time that it has held GPUs, s
        double useful{0};      //!< Time of that in which it has computed what lasts, s
        uint32_t nFailures{0}; //!< Failures of its GPUs
    };

    /**
     * @param jobs the jobs, by number
     * @param scheduler starts them
     * @param times tells the time of an iteration
     * @param failures how GPUs fail
     */
    ClusterRun(std::vector<ClusterJob> jobs,
               ClusterScheduler scheduler,
               IterationTimes times,
               const ClusterFailures& failures = {});

    /// Run until all jobs have ended.
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
    };

    /// A failure or a repair: when, and the port.
    struct Fault
    {
        double time;   //!< When, s
        uint32_t port; //!< The port
        bool failed;   //!< True for a failure

        /**
         * @param other another
         * @return true if this one comes later
         */
        bool operator<(const Fault& other) const
        {
            return std::make_pair(time, port) > std::make_pair(other.time, other.port);
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

    /// Start jobs, and ask for the times of iterations if the jobs that run have changed.
    void StartJobs();

    /**
     * End a job.
     *
     * @param job its number
     */
    void End(uint32_t job);

    /// Let the next fault happen.
    void Fail();

    /**
     * Draw the next fault of a port.
     *
     * @param port the port
     * @param failed true for a failure, false for a repair
     */
    void DrawFault(uint32_t port, bool failed);

    /**
     * @param progress a job that runs
     * @return the share of its time in which it computes, rather than writes checkpoints
     */
    double GetShare(const Progress& progress) const;

    std::vector<ClusterJob> m_jobs;         //!< The jobs
    ClusterScheduler m_scheduler;           //!< Starts them
    IterationTimes m_times;                 //!< Tells the time of an iteration
    ClusterFailures m_failures;             //!< How GPUs fail
    std::mt19937_64 m_random;               //!< Random numbers
    std::vector<double> m_left;             //!< Iterations left, by job
    std::vector<Outcome> m_outcomes;        //!< What has become of each job
    std::map<uint32_t, Progress> m_running; //!< The jobs that run, by number
    std::priority_queue<Fault> m_faults;    //!< The next fault of each port
    double m_now{0};                        //!< The time, s
    bool m_hasChanged{false};               //!< The jobs that run have changed
    double m_freeTime{0};                   //!< Time with free ports, s
    double m_fragmented{0};                 //!< Integral of the fragmentation over it, s
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
    uint64_t nFailures{0}; //!< Failures of GPUs with jobs
};

} // namespace lightpath
} // namespace ns3

#endif /* CLUSTER_RUN_H */
