/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model/base/json-document.h"
#include "model/faults/fault-history.h"
#include "model/faults/scale-up-domain.h"
#include "output-files.h"
#include "program-options.h"
#include "text-table.h"

#include <cmath>
#include <functional>
#include <iomanip>
#include <iostream>
#include <optional>
#include <sstream>
#include <stdexcept>

/**
 * @file
 * @ingroup lightpath
 * Prints the share of GPUs that jobs can use while nodes are faulty, by fabric and by GPUs of a
 * job.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The values of the options.
struct Options
{
    std::string fabrics{"switch,nvl72,blocks,cubes,line:1,line:2,line:3"}; //!< Names of fabrics
    std::string jobGpus{"32"};   //!< GPUs of a job, or several
    uint32_t nodes{400};         //!< Number of nodes
    uint32_t gpusPerNode{8};     //!< GPUs of a node
    double faulty{0.0231};       //!< Share of nodes that are faulty
    std::string trace;           //!< File with faults
    double days{0};              //!< Days to draw faults for
    FaultStatistics statistics;  //!< How often nodes become faulty, and for how long
    uint32_t placements{20};     //!< Arrangements of the nodes with these faults
    uint32_t seed{1};            //!< Seed of the random numbers
    double guarantee{0.97};      //!< Probability of the jobs that are guaranteed
    uint32_t keep{0};            //!< Jobs to find spare nodes for
    std::string format{"table"}; //!< Format of the table
};

/**
 * @param value a share
 * @return it in per cent, with two digits behind the point
 */
std::string
ToPercent(double value)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(2) << 100 * value;
    return text.str();
}

/**
 * @param options the options
 * @return the faults of a trace, or those drawn; none for independent faults at one time
 */
std::optional<FaultHistory>
GetHistory(const Options& options)
{
    if (!options.trace.empty())
    {
        auto file = JsonDocument::Open(options.trace);
        return FaultHistory::Read(file, options.trace, options.nodes);
    }
    if (options.days != 0)
    {
        return FaultHistory::Draw(options.nodes, options.days, options.statistics, options.seed);
    }
    return std::nullopt;
}

/**
 * @param options the options
 * @param fabric a fabric
 * @param jobNodes nodes of a job
 * @param history the faults; none for independent ones
 * @return the jobs that have room
 */
JobDistribution
GetJobs(const Options& options,
        const ScaleUpDomain& fabric,
        uint32_t jobNodes,
        const std::optional<FaultHistory>& history)
{
    if (!history)
    {
        return fabric.GetJobs(options.nodes, jobNodes, options.faulty);
    }
    JobDistribution jobs;
    for (uint32_t draw = 0; draw < options.placements; ++draw)
    {
        history->ForEachInterval(history->DrawPlaces(options.seed, draw),
                                 [&](const std::vector<bool>& isFaulty, double days) {
                                     jobs.Add(fabric.CountJobs(isFaulty, jobNodes), days);
                                 });
    }
    return jobs;
}

/**
 * @param options the options
 * @return the nodes of a job, for each kind of job
 */
std::vector<uint32_t>
GetJobNodes(const Options& options)
{
    std::vector<uint32_t> nodes;
    for (const auto& text : SplitList(options.jobGpus))
    {
        const auto gpus =
            ParseNumber("jobGpus", text, 1, int64_t(options.nodes) * options.gpusPerNode);
        if (gpus % options.gpusPerNode != 0)
        {
            throw std::invalid_argument("--jobGpus=" + text + " must be a multiple of the " +
                                        std::to_string(options.gpusPerNode) +
                                        " GPUs of a node (--gpusPerNode)");
        }
        nodes.push_back(static_cast<uint32_t>(gpus / options.gpusPerNode));
    }
    return nodes;
}

/**
 * Refuse options that do not go together, or are out of range.
 *
 * @param options the options
 * @param given the options as they were given
 */
void
Check(const Options& options, const ProgramOptions& given)
{
    TextTable::CheckFormat(options.format);
    if (!(options.faulty >= 0 && options.faulty <= 1))
    {
        throw std::invalid_argument("--faulty must be a share from 0 to 1");
    }
    if (!(options.guarantee > 0 && options.guarantee <= 1))
    {
        throw std::invalid_argument("--guarantee must be above 0 and up to 1");
    }
    const bool isDrawn = given.IsGiven("days");
    const bool isTrace = !options.trace.empty();
    if (isTrace + isDrawn + given.IsGiven("faulty") > 1)
    {
        throw std::invalid_argument("--faulty, --trace and --days are three kinds of faults: give "
                                    "one of them");
    }
    if (isDrawn && options.days == 0)
    {
        throw std::invalid_argument("--days must be above 0");
    }
    for (const std::string name : {"faultRate", "repairMedian", "repairMean"})
    {
        if (given.IsGiven(name) && !isDrawn)
        {
            throw std::invalid_argument("--" + name + " belongs to --days");
        }
    }
    if (given.IsGiven("placements") && !isDrawn && !isTrace)
    {
        throw std::invalid_argument("--placements belongs to --trace and --days");
    }
    if (options.keep > 0 && (isDrawn || isTrace))
    {
        throw std::invalid_argument("--keep is for independent faults: leave out --trace and "
                                    "--days, and give their share by --faulty");
    }
}

/**
 * Print the table.
 *
 * @param options the options
 * @param given the options as they were given
 */
void
Run(const Options& options, const ProgramOptions& given)
{
    Check(options, given);
    const auto jobNodes = GetJobNodes(options);
    const auto history = GetHistory(options);
    const double faulty = history ? history->GetFaultyShare() : options.faulty;
    std::vector<std::vector<std::string>> lines{
        {"fabric", "job GPUs", "faulty %", "usable %", "wasted %", "guaranteed %"}};
    if (options.keep > 0)
    {
        lines.front().emplace_back("nodes for " + std::to_string(options.keep));
    }
    for (const auto& name : SplitList(options.fabrics))
    {
        const auto fabric = ScaleUpDomain::Create(name, options.gpusPerNode);
        for (const uint32_t nodes : jobNodes)
        {
            const auto jobs = GetJobs(options, *fabric, nodes, history);
            const double share = double(nodes) / options.nodes;
            const double usable = jobs.GetMean() * share;
            // Without a fault rounding may leave a little less than nothing
            const double wasted = std::max(0.0, 1 - faulty - usable);
            lines.push_back({name,
                             std::to_string(nodes * options.gpusPerNode),
                             ToPercent(faulty),
                             ToPercent(usable),
                             ToPercent(wasted),
                             ToPercent(jobs.GetGuaranteed(options.guarantee) * share)});
            if (options.keep > 0)
            {
                lines.back().push_back(std::to_string(
                    fabric->FindNodes(options.keep, nodes, options.faulty, options.guarantee)));
            }
        }
    }
    if (history && options.format == "table")
    {
        std::cout << history->CountFaults() << " faults of " << options.nodes << " nodes in "
                  << history->GetDays() << " days\n\n";
    }
    TextTable(lines).Print(std::cout, options.format);
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0 if the table was printed
 */
int
main(int argc, char* argv[])
{
    Options options;
    ProgramOptions cmd("lightpath-availability",
                       "Print the share of GPUs that jobs can use while nodes are faulty.");
    cmd.BeginGroup("Fabrics and jobs");
    cmd.AddValue("fabrics",
                 "Fabrics, separated by commas: switch, blocks, nvl72, group:GPUS, cubes, "
                 "cubes:GPUS, line:K",
                 options.fabrics);
    cmd.AddValue("nodes", "Number of nodes", options.nodes, 1, ScaleUpDomain::MAX_NODES);
    cmd.AddValue("gpusPerNode", "GPUs of a node", options.gpusPerNode, 1, 1024);
    cmd.AddValue("jobGpus", "GPUs of a job; several are separated by commas", options.jobGpus);
    cmd.BeginGroup("Faults");
    cmd.AddValue("faulty",
                 "Share of nodes that are faulty, independently of each other",
                 options.faulty);
    cmd.AddValue("trace", "JSON file with the times of faults", options.trace);
    cmd.AddValue("days", "Days to draw faults for", options.days);
    cmd.AddValue("faultRate", "Faults of 1000 nodes a day", options.statistics.perThousandNodeDays);
    cmd.AddValue("repairMedian",
                 "Median time of a repair, days",
                 options.statistics.repairMedianDays);
    cmd.AddValue("repairMean", "Mean time of a repair, days", options.statistics.repairMeanDays);
    cmd.AddValue("placements",
                 "Arrangements of the nodes to average over",
                 options.placements,
                 1,
                 100000);
    cmd.AddValue("seed", "Seed of the random numbers", options.seed, 1, UINT32_MAX);
    cmd.BeginGroup("Output");
    cmd.AddValue("guarantee",
                 "Probability, or share of the time, of the jobs that are guaranteed",
                 options.guarantee);
    cmd.AddValue("keep",
                 "Jobs to find the number of nodes for that keeps them running with --guarantee",
                 options.keep,
                 0,
                 ScaleUpDomain::MAX_NODES);
    cmd.AddValue("format", "Format of the table: table, rst, csv", options.format);
    return cmd.Run(argc, argv, [&] { Run(options, cmd); });
}
