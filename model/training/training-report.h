/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_REPORT_H
#define TRAINING_REPORT_H

#include "ns3/fabric-channel.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
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
     * @param channel the fabric that it ran on
     */
    TrainingReport(Ptr<const TrainingJob> job, Ptr<const FabricChannel> channel);

    /**
     * @return the time of an iteration after the first, on average; that of the first if there is
     * no other
     */
    double GetSteadySeconds() const;

    /**
     * @return the report as JSON: fabric, bandwidthBps, iterationSeconds, computeSeconds,
     *         exposedCommunicationSeconds, darkSeconds, reconfigurations, bytesSent, lightpaths,
     *         events, wallSeconds, peakMemoryBytes
     */
    nlohmann::ordered_json GetJson() const;

    /**
     * Print several reports as a table.
     *
     * @param os where to print
     * @param reports the reports, one a row; each is compared with the last
     */
    static void PrintTable(std::ostream& os, const std::vector<TrainingReport>& reports);

    std::string fabric;                    //!< Name of the fabric
    double bandwidth{0};                   //!< Rate of one GPU into the fabric, bit/s
    std::vector<double> iterationSeconds;  //!< Time of each iteration
    double computeSeconds{0};              //!< Compute in an iteration, mean over ranks and all
    double exposedCommunicationSeconds{0}; //!< The rest of an iteration, mean over ranks and all
    double darkSeconds{0};                 //!< Darkness of switching in the whole job
    uint32_t reconfigurations{0};          //!< Times that circuits were switched
    uint64_t bytesSent{0};                 //!< Bytes that all ranks sent, with headers
    uint64_t lightpaths{0};                //!< Lightpaths at the end
    uint64_t events{0};                    //!< Events of the simulation
    double wallSeconds{0};                 //!< Time that the simulation took
    uint64_t peakMemoryBytes{0};           //!< Most memory that the simulation took
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAINING_REPORT_H */
