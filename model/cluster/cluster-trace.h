/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLUSTER_TRACE_H
#define CLUSTER_TRACE_H

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A job of the trace of a cluster.
 */
struct TraceJob
{
    std::string name;    //!< Its name
    double submitted{0}; //!< When it was submitted, s after the first job of the trace
    uint32_t gpus{1};    //!< Its GPUs
    double duration{0};  //!< Time that it ran, s
};

/**
 * @ingroup lightpath
 * @brief The kind of jobs to draw.
 */
struct TraceStatistics
{
    uint32_t jobs{100};         //!< Number of jobs
    double seconds{86400};      //!< Time in which they are submitted, at random, s
    uint32_t largest{64};       //!< Most GPUs of a job
    double medianSeconds{3600}; //!< Median time of a job, s
    double deviation{1};        //!< Standard deviation of the natural logarithm of this time
    uint32_t seed{1};           //!< Seed of the random numbers
};

/**
 * @ingroup lightpath
 * @brief Jobs of a cluster, in the order of their submission.
 *
 * The format is that of the Helios and Acme traces: comma-separated values whose first line has the
 * names of the columns, of which job_id, gpu_num, submit_time (like 2020-04-01 00:04:21) and
 * duration (in seconds) are read. Jobs without GPUs or duration are left out.
 */
class ClusterTrace
{
  public:
    /**
     * Throws std::invalid_argument for a text in another format.
     *
     * @param is the text
     * @param name the name of the text in error messages
     * @return the jobs
     */
    static std::vector<TraceJob> Read(std::istream& is, const std::string& name);

    /**
     * Read() a file. Throws std::invalid_argument if it cannot be opened, or has no jobs.
     *
     * @param path the name of the file
     * @return the jobs
     */
    static std::vector<TraceJob> ReadFile(const std::string& path);

    /**
     * Draw jobs: submissions at random times, times with a log-normal distribution, and 1, 2, 4,
     * ... GPUs, each with the same probability.
     *
     * @param statistics the kind of jobs
     * @return the jobs
     */
    static std::vector<TraceJob> Draw(const TraceStatistics& statistics);

    /**
     * Write jobs in the format of Read(), the first one submitted at the beginning of 2020.
     *
     * @param jobs the jobs
     * @param os where to write
     */
    static void Write(const std::vector<TraceJob>& jobs, std::ostream& os);
};

} // namespace lightpath
} // namespace ns3

#endif /* CLUSTER_TRACE_H */
