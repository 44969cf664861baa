/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-values.h"
#include "output-files.h"
#include "program-options.h"

#include "ns3/nstime.h"
#include "ns3/turn-clock.h"
#include "ns3/turn-methods.h"
#include "ns3/validation.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lightpath
 * Draws the map of reconfiguration inside collective operations: for each operation, number of
 * ports, delay and size, which way to turn circuits takes the least time.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The values of the options.
struct Options
{
    uint32_t leastPorts{16};  //!< Fewest ports
    uint32_t mostPorts{1024}; //!< Most ports
    uint32_t planes{4};       //!< Circuits of a port
    uint64_t bandwidth{0};    //!< Rate of a port, bit/s
    Time latency;             //!< Latency of a hop
    uint64_t minBytes{0};     //!< Smallest buffer
    uint64_t maxBytes{0};     //!< Largest buffer
    uint64_t stepFactor{4};   //!< Ratio of the sizes of neighbouring points
    Time minDelay;            //!< Shortest delay
    Time maxDelay;            //!< Longest delay
    std::string json;         //!< Name of the file for JSON
    bool quiet{false};        //!< Whether to print errors alone
};

/// The operations of the map by name.
const std::vector<std::pair<std::string, TurnKind>> KINDS = {
    {"all-reduce", TurnKind::ALL_REDUCE},
    {"all-gather", TurnKind::ALL_GATHER},
    {"all-to-all", TurnKind::ALL_TO_ALL},
};

/// Print the heads of the columns.
void
PrintHeader()
{
    std::cout << "collective,ports,delay,bytes,winner,topologies";
    for (const auto& row : TurnMethods::GetRows())
    {
        std::cout << "," << row.name;
    }
    std::cout << ",ideal,error" << std::endl;
}

/**
 * @param name the name of the operation
 * @param problem the operation and the fabric
 * @param carrier carries steps
 * @return a point of the map
 */
nlohmann::ordered_json
MakePoint(const std::string& name, const TurnProblem& problem, TurnCarrier& carrier)
{
    const auto& rows = TurnMethods::GetRows();
    std::vector<std::optional<Time>> times;
    std::size_t winner = rows.size();
    std::size_t topologies = 0;
    for (const auto& row : rows)
    {
        times.emplace_back();
        const auto sequence = row.method->Solve(problem, carrier);
        if (!sequence)
        {
            continue;
        }
        times.back() = TurnClock::GetTime(problem, *sequence);
        if (!row.isPart && (winner == rows.size() || *times.back() < *times[winner]))
        {
            winner = times.size() - 1;
            topologies = sequence->phases.size();
        }
    }
    nlohmann::ordered_json point{{"collective", name},
                                 {"ports", problem.ports},
                                 {"delaySeconds", problem.delay.GetSeconds()},
                                 {"bytes", problem.bytes},
                                 {"winner", rows[winner].name},
                                 {"topologies", topologies}};
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        point["seconds"][rows[i].name] =
            times[i] ? nlohmann::ordered_json(times[i]->GetSeconds()) : nullptr;
    }
    point["seconds"]["ideal"] = TurnClock::GetIdealTime(problem).GetSeconds();
    return point;
}

/**
 * Print a point of the map.
 *
 * @param point the point
 */
void
PrintPoint(const nlohmann::ordered_json& point)
{
    std::cout << point["collective"].get<std::string>() << "," << point["ports"] << ","
              << point["delaySeconds"].get<double>() << "," << point["bytes"] << ","
              << point["winner"].get<std::string>() << "," << point["topologies"];
    for (const auto& seconds : point["seconds"])
    {
        std::cout << ",";
        if (!seconds.is_null())
        {
            std::cout << seconds.get<double>();
        }
    }
    std::cout << "," << Validation::ForCollectives().GetText() << "\n";
}

/**
 * Print all points of the map.
 *
 * @param options the options
 */
void
Run(const Options& options)
{
    TurnProblem problem;
    problem.planes = options.planes;
    problem.laneRate = options.bandwidth / options.planes;
    problem.latency = options.latency;
    if (problem.laneRate == 0)
    {
        throw std::invalid_argument(
            "--bandwidth is to be 1 bit/s for each of the --planes at least");
    }
    if (options.minDelay.IsZero())
    {
        throw std::invalid_argument("--minDelay=0s has no next decade: give a time above zero");
    }
    if (options.leastPorts > options.mostPorts || options.minBytes > options.maxBytes ||
        options.minDelay > options.maxDelay)
    {
        throw std::invalid_argument(
            "The least number of ports, delay and buffer are not to be above "
            "the most: the map would have no point");
    }
    const bool hasTable = ProgramOptions::HasTable(options.json, options.quiet);
    if (hasTable)
    {
        PrintHeader();
    }
    auto points = nlohmann::ordered_json::array();
    for (uint32_t n = options.leastPorts; n <= options.mostPorts; n *= 2)
    {
        // What is carried over a topology is the same for all sizes and delays
        TurnCarrier carrier;
        problem.ports = n;
        for (const auto& [name, kind] : KINDS)
        {
            problem.kind = kind;
            for (problem.delay = options.minDelay; problem.delay <= options.maxDelay;
                 problem.delay = problem.delay * 10)
            {
                for (problem.bytes = options.minBytes; problem.bytes <= options.maxBytes;
                     problem.bytes *= options.stepFactor)
                {
                    points.push_back(MakePoint(name, problem, carrier));
                    if (hasTable)
                    {
                        PrintPoint(points.back());
                    }
                }
            }
        }
    }
    if (!options.json.empty())
    {
        WriteJson({{"planes", options.planes},
                   {"bandwidth", options.bandwidth},
                   {"latencySeconds", options.latency.GetSeconds()},
                   {"validation", Validation::ForCollectives().GetJson()},
                   {"points", points}},
                  options.json);
    }
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0 if the map was printed
 */
int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    Options options;
    ProgramOptions cmd("lightpath-turns",
                       "Print when it pays to turn circuits inside a collective operation, as CSV: "
                       "times in seconds of each way to turn them.");
    cmd.BeginGroup("Fabric");
    cmd.AddValue("leastPorts", "Fewest ports", options.leastPorts, 2, 1 << 16);
    cmd.AddValue("mostPorts", "Most ports, by factors of 2", options.mostPorts, 2, 1 << 16);
    cmd.AddValue("planes", "Parallel circuit switches", options.planes, 1, 1024);
    cmd.AddValue("bandwidth", "Rate of a port over all switches", "400Gbps", [&](const auto& text) {
        options.bandwidth = ParseRate(text).GetBitRate();
    });
    cmd.AddValue("latency",
                 "Time of a message over a hop besides its bytes",
                 "1us",
                 options.latency);
    cmd.AddValue("minDelay",
                 "Shortest time that a circuit takes to turn",
                 "10ns",
                 options.minDelay);
    cmd.AddValue("maxDelay", "Longest one, by factors of 10", "100ms", options.maxDelay);
    cmd.BeginGroup("Operation");
    cmd.AddValue("minBytes", "Smallest buffer", "1KiB", [&](const auto& text) {
        options.minBytes = ParseBytes(text);
    });
    cmd.AddValue("maxBytes", "Largest buffer", "1GiB", [&](const auto& text) {
        options.maxBytes = ParseBytes(text);
    });
    cmd.AddValue("stepFactor",
                 "Ratio of one buffer to the one before",
                 options.stepFactor,
                 2,
                 1 << 30);
    cmd.AddOutput(options.json, options.quiet);
    return cmd.Run(argc, argv, [&] { Run(options); });
}
