/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_REPORT_H
#define TRAINING_REPORT_H

#include "ns3/convergence.h"
#include "ns3/cost-report.h"
#include "ns3/fabric-channel.h"
#include "ns3/iteration-work.h"
#include "ns3/light-verdict.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/transport-statistics.h"
#include "ns3/validation.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

struct RankResult;
class TrainingJob;

/**
 * @ingroup lightpath
 * @brief The results of a training job on a fabric.
 *
 * Where servers have several fabrics between them, counts are sums over these, and dark times
 * means.
 *
 * Times are in seconds. Iteration i lasts from the end of iteration i - 1 on the last rank (or from
 * the start of the job) to its own end on the last rank.
 *
 * The report of a job that has not finished covers the iterations that all ranks have ended, and
 * says so; what is counted over the whole job is counted until now.
 */
class TrainingReport : public LightVerdict
{
  public:
    /**
     * Report on a job and the fabrics that it was installed on.
     *
     * @param job the job
     */
    explicit TrainingReport(Ptr<const TrainingJob> job);

    /**
     * Report on a job.
     *
     * @param job the job
     * @param channel the fabric to report on; null for another network
     */
    TrainingReport(Ptr<const TrainingJob> job, Ptr<const FabricChannel> channel);

    /**
     * Report that there was no job.
     *
     * @param fabric the name of the fabric
     * @param refusal the sentence that says why not
     */
    TrainingReport(std::string fabric, std::string refusal);

    /**
     * State that each rank stands for several that do the same: what they send and what they need
     * of the fabric is that of all.
     *
     * @param all the ranks of the whole job
     * @param simulated the ranks that are simulated
     * @param rails the fabrics between servers of the whole job for each one that is simulated
     */
    void StandForAll(uint32_t all, uint32_t simulated, double rails = 1);

    /**
     * @return the mean time of the iterations after the first; the time of the first if there is no
     *         other; 0 if none has ended
     */
    double GetSteadySeconds() const;

    /**
     * @return the time of training to the target, without evaluation and start-up: the first
     *         iteration, in which the network is set up, and GetSteadySeconds() for each other; 0
     * if the number of iterations to the target is not known. If only one iteration was simulated,
     * the others last as long without setUpSeconds, and as computeSeconds at least
     */
    double GetSecondsToTarget() const;

    /**
     * @return the report as JSON: fabric, bandwidthBps, iterationSeconds, computeSeconds,
     *         bubbleSeconds, exposedCommunicationSeconds, exposedSeconds (its parts), darkSeconds,
     *         reconfigurations, bytesSent, lightpaths, events, wallSeconds, peakMemoryBytes;
     *         rates of IterationWork::GetJson() if there is work; validation, that of
     *         Validation::GetJson(); cost, that of
     *         CostReport::GetJson(), if there is one; fibres and switchPorts of fabrics; light of
     *         the longest lightpath if there is a PhysicalLayer, with hops, marginDb (null if no
     *         power is enough), amplifiers, switchStages and, if they are known, from, to, warning,
     *         fault and remedy; feasible (null if not known); toTarget if there is one, with
     *         target, amount, unit, extrapolated, fitted and, if known, samples, iterations,
     *         seconds; speedFactors by rank and computeNoise if ranks differ; slots and spoiltSlots
     *         of a network that averages; transport if the job ran over sockets, with connections,
     *         handshakeSeconds, leastRoundTripSeconds, roundTripSeconds, packets, slowStartBytes,
     *         retransmittedBytes; insideBytes of bytesSent on servers; hybrid if messages had two
     *         ways, with opticalMessages,
     *         opticalBytes, electricalMessages, electricalBytes; unfinished if the job has not
     *         finished, with iterations (of the whole job) and elapsedSeconds; remark if there is
     *         one. Of a job that was refused, fabric and refused
     */
    nlohmann::ordered_json GetJson() const;

    /**
     * Print reports as a table, and below it the jobs that have not finished, the time of training
     * to the target, and how the ranks differ, where there is any of these.
     *
     * @param os where to print
     * @param reports the reports, one a row; each is compared with the first that has times
     */
    static void PrintTable(std::ostream& os, const std::vector<TrainingReport>& reports);

    /**
     * Print how far times are from published ones, once for reports of which the same is known.
     *
     * @param os where to print
     * @param reports the reports
     */
    static void PrintValidations(std::ostream& os, const std::vector<TrainingReport>& reports);

    /// The random numbers that multiplied the times of compute tasks.
    struct Noise
    {
        std::string variable; //!< Name of the type of random variable
        double least{0};      //!< Least draw of all ranks and iterations
        double most{0};       //!< Largest draw of all ranks and iterations
    };

    /// The parts of the time of an iteration, seconds; their sum is GetSteadySeconds().
    struct Parts
    {
        double computeSeconds{0};                     //!< Compute
        double bubbleSeconds{0};                      //!< As bubbleSeconds of the report
        double exposedCommunicationSeconds{0};        //!< As that of the report
        std::map<std::string, double> exposedSeconds; //!< Its parts, as those of the report
    };

    std::string fabric;                    //!< Name of the fabric
    std::string refusal;                   //!< Why there was no job; empty if there was
    std::string remark;                    //!< What sets it apart from others, for its row
    double bandwidth{0};                   //!< Rate of one GPU into the fabric, bit/s
    uint32_t iterations{0};                //!< Iterations of the whole job
    bool isFinished{true};                 //!< Whether all of them have ended
    double elapsedSeconds{0};              //!< From the start of the job to its end, or until now
    std::vector<double> iterationSeconds;  //!< Time of each iteration that has ended
    double computeSeconds{0};              //!< Compute in an iteration of GetSteadySeconds(), mean
                                           //!< over ranks
    double bubbleSeconds{0};               //!< Waiting for data that another rank computes late,
                                           //!< mean over ranks
    double exposedCommunicationSeconds{0}; //!< The rest of such an iteration
    /// Its parts: communication in groups of the kinds tensor, data, pipeline, expert and, where
    /// there are any, other; and circuits, while there was no light
    std::map<std::string, double> exposedSeconds;
    std::vector<Parts> ranks;     //!< The parts of each rank; none if no iteration has ended
    double setUpSeconds{0};       //!< Longest wait of a rank for the first circuits or connections
    double darkSeconds{0};        //!< Time that circuits were switched, whole job
    uint32_t reconfigurations{0}; //!< Times that circuits were switched
    uint64_t bytesSent{0};        //!< Bytes that all ranks sent, with headers
    uint64_t insideBytes{0};      //!< Those of them over the scale-up networks of servers
    uint64_t lightpaths{0};       //!< Lightpaths at the end
    uint64_t fibres{0};           //!< Fibres in one direction, or links, of all fabrics
    uint64_t switchPorts{0};      //!< Ports of their switches
    uint64_t events{0};           //!< Events of the simulation
    double wallSeconds{0};        //!< Real time that the simulation took
    uint64_t peakMemoryBytes{0};  //!< Most memory that the simulation took

    std::optional<IterationWork> work;       //!< Work of an iteration, for rates; none if unknown
    Validation validation;                   //!< How far times are from published ones
    std::optional<CostReport> cost;          //!< Power and price of the network; none if unknown
    std::optional<SamplesToTarget> toTarget; //!< Training to the target, if the model has one
    std::map<std::string, uint64_t> fabricCounts; //!< Counts that only this kind of fabric has
    std::map<uint32_t, double> speedFactors;      //!< Speeds other than 1, by rank
    std::optional<Noise> noise;                   //!< Noise of the compute tasks, if there is any
    TransportStatistics transport;                //!< Counts of the transports of all ranks

  private:
    /**
     * Report on the iterations that all ranks have ended.
     *
     * @param job the job
     * @param results the results of its ranks
     */
    void ReadIterations(const TrainingJob& job, const std::vector<RankResult>& results);

    /**
     * Share out the time of an iteration in which ranks do not compute.
     *
     * @param job the job
     * @param results the results of its ranks
     * @param first the first of the iterations that count
     * @param ends the ends of the iterations that have ended
     */
    void ReadWaits(const TrainingJob& job,
                   const std::vector<RankResult>& results,
                   std::size_t first,
                   const std::vector<Time>& ends);

    /**
     * Report on the fabrics.
     *
     * @param fabrics the fabrics, which are all of one kind
     */
    void ReadFabrics(const std::vector<Ptr<const FabricChannel>>& fabrics);

    /**
     * Report on the messages and the iterations.
     *
     * @param job the job
     */
    void ReadJob(const TrainingJob& job);

    /**
     * @return training to the target on a fabric that could be built; none on others, and if it is
     *         not known
     */
    std::optional<SamplesToTarget> GetTarget() const;

    /**
     * Add the rates of the work and the cost, if they are known, to the report as JSON.
     *
     * @param [in,out] json the report
     */
    void AddWork(nlohmann::ordered_json& json) const;

    /**
     * Add the training to the target, if there is one, to the report as JSON.
     *
     * @param [in,out] json the report
     */
    void AddTarget(nlohmann::ordered_json& json) const;

    /**
     * Print the row of the table.
     *
     * @param os where to print
     * @param width the width of the first column
     * @param base the report to compare with; null for none
     * @param speedWidth the width of the column of the comparison
     */
    void PrintRow(std::ostream& os, int width, const TrainingReport* base, int speedWidth) const;

    /**
     * Print the parts of the exposed communication, if there are any, as a sentence.
     *
     * @param os where to print
     */
    void PrintExposed(std::ostream& os) const;

    /**
     * Print the rates of the work, if there is any, as a sentence.
     *
     * @param os where to print
     */
    void PrintWork(std::ostream& os) const;

    /**
     * Print the light of the longest lightpath, if it is known, as a sentence.
     *
     * @param os where to print
     */
    void PrintLight(std::ostream& os) const;

    /**
     * Print how far the job is, if it has not finished, as a sentence.
     *
     * @param os where to print
     */
    void PrintUnfinished(std::ostream& os) const;

    /**
     * Report how the ranks differ.
     *
     * @param job the job
     * @param results the results of its ranks
     */
    void ReadSpeeds(const TrainingJob& job, const std::vector<RankResult>& results);

    /**
     * Print how the ranks differ, if they do, as a sentence.
     *
     * @param os where to print
     */
    void PrintSpeeds(std::ostream& os) const;

    /**
     * Print the time of training to the target, if that is known, as a sentence.
     *
     * @param os where to print
     */
    void PrintTarget(std::ostream& os) const;

    bool m_isWholePlant{false}; //!< Fibres and ports of switches are those of the whole fabric
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAINING_REPORT_H */
