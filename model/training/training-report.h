/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_REPORT_H
#define TRAINING_REPORT_H

#include "transport-statistics.h"

#include "ns3/convergence.h"
#include "ns3/fabric-channel.h"
#include "ns3/ptr.h"

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

class TrainingJob;

/**
 * @ingroup lightpath
 * @brief What a training job took on a fabric.
 *
 * Times are in seconds. Iteration i lasts from the end of iteration i - 1 on the last rank (or from
 * the start of the job) to its own end on the last rank.
 */
class TrainingReport
{
  public:
    /**
     * Read off a job that has finished.
     *
     * @param job the job
     * @param channel the fabric that it ran on; null for another network
     */
    TrainingReport(Ptr<const TrainingJob> job, Ptr<const FabricChannel> channel);

    /**
     * @return the time of an iteration after the first, on average; that of the first if there is
     * no other
     */
    double GetSteadySeconds() const;

    /**
     * @return the time of training to the target: GetSteadySeconds() for each iteration, without
     *         evaluation and start; 0 if the iterations to the target are not known
     */
    double GetSecondsToTarget() const;

    /**
     * @return the report as JSON: fabric, bandwidthBps, iterationSeconds, computeSeconds,
     *         exposedCommunicationSeconds, darkSeconds, reconfigurations, bytesSent, lightpaths,
     *         events, wallSeconds, peakMemoryBytes; toTarget if there is one, with target, amount,
     *         unit, extrapolated, fitted and, if known, samples, iterations, seconds; speedFactors
     *         by rank and computeNoise if ranks differ; slots and spoiltSlots of a network that
     *         averages; transport if the job ran over sockets, with connections, handshakeSeconds,
     *         leastRoundTripSeconds, roundTripSeconds, packets, slowStartBytes, retransmittedBytes;
     *         hybrid if messages had two ways, with opticalMessages, opticalBytes,
     *         electricalMessages, electricalBytes
     */
    nlohmann::ordered_json GetJson() const;

    /**
     * Print several reports as a table, and below it what training to the target takes and how
     * the ranks differ, where that is known.
     *
     * @param os where to print
     * @param reports the reports, one a row; each is compared with the last
     */
    static void PrintTable(std::ostream& os, const std::vector<TrainingReport>& reports);

    /// What the times of compute tasks were multiplied by.
    struct Noise
    {
        std::string variable; //!< Name of the type of random variable
        double least{0};      //!< Least draw of all ranks and iterations
        double most{0};       //!< Largest draw of all ranks and iterations
    };

    std::string fabric;                    //!< Name of the fabric
    double bandwidth{0};                   //!< Rate of one GPU into the fabric, bit/s
    std::vector<double> iterationSeconds;  //!< Time of each iteration
    double computeSeconds{0};              //!< Compute in an iteration as of GetSteadySeconds(),
                                           //!< mean over ranks
    double exposedCommunicationSeconds{0}; //!< The rest of such an iteration
    double darkSeconds{0};                 //!< Darkness of switching in the whole job
    uint32_t reconfigurations{0};          //!< Times that circuits were switched
    uint64_t bytesSent{0};                 //!< Bytes that all ranks sent, with headers
    uint64_t lightpaths{0};                //!< Lightpaths at the end
    uint64_t slots{0};                     //!< Slots that a network averaged
    uint64_t spoiltSlots{0};               //!< Slots that were spoilt, and repeated
    uint64_t events{0};                    //!< Events of the simulation
    double wallSeconds{0};                 //!< Time that the simulation took
    uint64_t peakMemoryBytes{0};           //!< Most memory that the simulation took

    std::optional<SamplesToTarget> toTarget; //!< Training to the target, if the model has one
    std::map<uint32_t, double> speedFactors; //!< Speeds other than 1, by rank
    std::optional<Noise> noise;              //!< Noise of the compute tasks, if there is any
    TransportStatistics transport;           //!< What the transports of all ranks tell

  private:
    /**
     * Read off how the ranks differ.
     *
     * @param job the job
     */
    void ReadSpeeds(const TrainingJob& job);

    /**
     * Print how the ranks differ, if they do, as a sentence.
     *
     * @param os where to print
     */
    void PrintSpeeds(std::ostream& os) const;

    /**
     * Print what the transports tell, if they do, as a sentence.
     *
     * @param os where to print
     */
    void PrintTransport(std::ostream& os) const;

    /**
     * Print what training to the target takes, if that is known, as a sentence.
     *
     * @param os where to print
     */
    void PrintTarget(std::ostream& os) const;
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAINING_REPORT_H */
