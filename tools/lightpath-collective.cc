/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-choice.h"
#include "collective-closed-form.h"
#include "fabric-options.h"
#include "model/base/named-enum.h"
#include "model/collective/algorithm-table.h"
#include "model/collective/collective-chooser.h"
#include "model/planner/place/server-collectives.h"
#include "model/planner/place/torus-collectives.h"
#include "option-values.h"
#include "output-files.h"
#include "program-options.h"
#include "run-meter.h"
#include "training-run.h"
#include "turn-option.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/collective-schedule.h"
#include "ns3/fabric-description.h"
#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/planning-problem.h"
#include "ns3/string.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"
#include "ns3/validation.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

/**
 * @file
 * @ingroup lightpath
 * Times one collective operation on a fabric for a range of sizes, as NCCL's tests do, and compares
 * the times with the closed form.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The values of the options: those of fabrics, and all others.
struct Options : FabricOptions
{
    std::string collective{"all-reduce"}; //!< Name of the operation
    uint32_t ranks{64};                   //!< Number of ranks
    uint64_t minBytes{0};                 //!< Size of the first row
    uint64_t maxBytes{0};                 //!< Largest size
    uint64_t stepFactor{2};               //!< Ratio of the sizes of neighbouring rows
    std::string fabric{"sip-ring"};       //!< Name of the fabric
    uint32_t local{0}; //!< Ranks in a row that are a server for the schedule; 0: real servers
    std::string algorithm{"automatic"}; //!< Name of the algorithm
    std::string inside{"automatic"};    //!< Name of the algorithm inside servers
    std::string across{"automatic"};    //!< Name of the algorithm across servers
    uint32_t rings{0};                  //!< Rings of multi-ring; 0: two
    TurnOption turns;                   //!< How circuits turn inside the operation
    std::string json;                   //!< Name of the file for JSON
    bool quiet{false};                  //!< Print nothing but errors
};

/// One row of the result.
struct Row
{
    uint64_t bytes{0};                //!< Size of the buffer
    std::string protocol;             //!< Name of the protocol; empty for none
    double seconds{0};                //!< Time of the operation
    double algorithmBandwidth{0};     //!< Size over time, bytes/s
    double busBandwidth{0};           //!< The same times the bus factor, bytes/s
    CollectiveOptions options;        //!< How it was carried out, no level by AUTOMATIC
    std::string turns;                //!< How circuits turn inside it; empty if they do not
    std::optional<double> closedForm; //!< Time by the closed form, seconds, where there is one
    double wallSeconds{0};            //!< Time that the simulation took
    uint64_t events{0};               //!< Events of the simulation
    LightVerdict light;               //!< Whether the light of the fabric arrives
};

/**
 * @param options the options
 * @param limits the properties of the fabric
 * @return how the operation is carried out: several rings are two unless their number is given, and
 *         a network that averages does
 */
CollectiveOptions
GetCollectiveOptions(const Options& options, const FabricLimits& limits)
{
    auto algorithm = CollectiveSchedule::GetAlgorithm(options.algorithm);
    const bool averages = limits.averagedBits > 0;
    if (averages && limits.servers.layout.gpus > 1)
    {
        return {std::min(limits.servers.layout.gpus, options.ranks),
                algorithm,
                1,
                CollectiveSchedule::GetAlgorithm(options.inside),
                CollectiveAlgorithm::IN_NETWORK};
    }
    if (averages && algorithm == CollectiveAlgorithm::AUTOMATIC)
    {
        algorithm = CollectiveAlgorithm::IN_NETWORK;
    }
    const bool isReduced = limits.servers.reduces && options.ranks <= limits.servers.layout.gpus;
    if (!isReduced && averages != (algorithm == CollectiveAlgorithm::IN_NETWORK))
    {
        throw std::invalid_argument("--algorithm=" + options.algorithm +
                                    " cannot be carried out on --fabric=" + options.fabric +
                                    ": in-network is what optinc does, and all that it does");
    }
    const auto across = CollectiveSchedule::GetAlgorithm(options.across);
    const bool hasRings =
        algorithm == CollectiveAlgorithm::MULTI_RING || across == CollectiveAlgorithm::MULTI_RING;
    return {options.local > 0 ? options.local : std::min(limits.servers.layout.gpus, options.ranks),
            algorithm,
            options.rings > 0 ? options.rings
            : hasRings        ? 2U
                              : 1U,
            CollectiveSchedule::GetAlgorithm(options.inside),
            across};
}

/**
 * Let a sum on a torus use the axes that the ranks have.
 *
 * @param options the options
 * @param [in,out] task the operation
 */
void
ChooseAxes(const Options& options, Task& task)
{
    const auto fabric =
        options.MakeFabric(options.fabric, options.ranks, options.servers.GetGpus());
    const FabricLimits limits = FabricDescription::Create(*fabric)->GetLimits(options.ranks);
    const LinkLimits& links = limits.links;
    // In servers, GPUs are ports of the torus only where each has one, and none of a single server
    const ServerLayout& layout = limits.servers.layout;
    const bool arePorts = !layout.HasServers() ||
                          (!layout.hasRails && layout.portGpus == 1 && options.ranks > layout.gpus);
    const bool isFree = task.options.algorithm == CollectiveAlgorithm::AUTOMATIC ||
                        task.options.algorithm == CollectiveAlgorithm::TORUS;
    if (!links.isTorus || !arePorts || !isFree || !task.IsSum())
    {
        return;
    }
    std::vector<uint32_t> ports(options.ranks);
    std::iota(ports.begin(), ports.end(), 0);
    task.options.axes = TorusCollectives::Find(links, ports);
    if (task.options.axes.GetNPlaces() > 1)
    {
        task.options.algorithm = CollectiveAlgorithm::TORUS;
    }
}

/**
 * @param servers a server that has all ranks of an operation
 * @param kind the operation, a sum or one of its two halves
 * @param ranks the number of ranks
 * @param bytes the bytes on the wire
 * @param asked how it is carried out, as far as that is asked for
 * @return how it is carried out: if nothing is asked for, in the fastest way of GPUs that pass on
 *         messages. Sums in the switch are ideal here, and so are left to those who ask for them
 */
CollectiveOptions
GetFastestInServer(const ServerLimits& servers,
                   CollectiveKind kind,
                   uint32_t ranks,
                   uint64_t bytes,
                   const CollectiveOptions& asked)
{
    using A = CollectiveAlgorithm;
    if (asked.algorithm != A::AUTOMATIC || asked.inside != A::AUTOMATIC ||
        asked.across != A::AUTOMATIC || servers.isRing || bytes == 0)
    {
        return asked;
    }
    const CollectiveNetwork network{{servers.latency, servers.bitRate / 8},
                                    servers.pairBitRate / 8,
                                    0,
                                    true};
    CollectiveOptions fastest = CollectiveChooser(network).Choose(kind, ranks, bytes).options;
    fastest.local = asked.local;
    return fastest;
}

/**
 * @param options the options
 * @param task the operation
 * @return a plan of which each rank's only task is its part in the operation
 */
TrainingPlan
MakePlan(const Options& options, const Task& task)
{
    const auto program = std::make_shared<RankProgram>();
    program->AddTask(task);
    std::vector<uint32_t> members(options.ranks);
    for (uint32_t rank = 0; rank < options.ranks; ++rank)
    {
        members[rank] = rank;
    }
    TrainingPlan plan;
    plan.strategy.dataParallel = options.ranks;
    plan.programs.assign(options.ranks, program);
    plan.groups.resize(N_GROUP_KINDS);
    plan.groups[task.group].Add(members);
    plan.turnCircuits = task.options.turns != nullptr;
    plan.protocols = options.protocols;
    return plan;
}

/**
 * @param options the options
 * @param limits the properties of the fabric
 * @param task the operation
 * @return how it is carried out: if nothing is asked for, in the way that is the fastest for its
 *         size by the closed forms of servers, or of an ideal switch, or by the prices of a fabric
 */
CollectiveOptions
GetFastest(const Options& options, const FabricLimits& limits, const Task& task)
{
    using A = CollectiveAlgorithm;
    constexpr uint32_t mostPeers = 64;
    const uint64_t bytes = options.protocols.GetWireBytes(task.bytes);
    if (options.turns.IsSet())
    {
        return options.turns.Choose(limits, task, options.ranks, bytes);
    }
    const bool isSwitch = options.fabric == "electrical" && bytes > 0;
    if (task.IsSum() && limits.HasServers() && task.options.local == options.ranks)
    {
        return GetFastestInServer(limits.servers,
                                  task.collective,
                                  options.ranks,
                                  bytes,
                                  task.options);
    }
    if (task.IsSum() && limits.HasServers() && task.options.local == limits.servers.layout.gpus)
    {
        return ServerCollectives::GetFastest(limits,
                                             task.collective,
                                             options.ranks,
                                             bytes,
                                             task.options,
                                             {A::SERVER_RINGS, A::HALVING_DOUBLING, A::DIRECT});
    }
    if (task.IsSum() && !limits.HasServers() && isSwitch && task.options == CollectiveOptions())
    {
        return CollectiveChooser({{limits.latency, limits.bitRate / 8}, 0, mostPeers, true})
            .Choose(task.collective, options.ranks, bytes)
            .options;
    }
    const auto transport = options.transport.GetFor(options.fabric);
    const auto fabric =
        options.MakeFabric(options.fabric, options.ranks, options.servers.GetGpus());
    const bool isPriced = !transport.UsesRelays() && !transport.UsesSockets(*fabric);
    if (task.IsSum() && !limits.HasServers() && isPriced && bytes > 0 &&
        options.ranks <= CollectiveChoice::MOST_RANKS && task.options == CollectiveOptions())
    {
        return CollectiveChoice::Find(limits, MakePlan(options, task));
    }
    return task.options;
}

/**
 * Carry out the operation once.
 *
 * @param options the options
 * @param task the operation
 * @return the row
 */
Row
Measure(const Options& options, const Task& task)
{
    const RunMeter meter;
    const auto fabric =
        options.MakeFabric(options.fabric, options.ranks, options.servers.GetGpus());
    TrainingRun run(*fabric, options.ranks);
    TrainingHelper training;
    if (options.Configure(options.fabric, *fabric, options.ranks, training))
    {
        run.AssignAddresses();
    }
    training.SetJobAttribute("CollectiveLatency", TimeValue(options.GetLaunch()));
    const FabricLimits limits = FabricDescription::Create(*fabric)->GetLimits(options.ranks);
    const auto job = TrainingHelper::GetJob(run.Install(training, MakePlan(options, task)));
    limits.CheckPaths(job->GetPlan().GetTraffic());
    const TrainingReport report = run.Run();
    const uint64_t bytes = task.bytes;
    const auto schedule = job->GetSchedule(task.collective, options.ranks, bytes, task.options);
    Row row;
    row.bytes = bytes;
    row.options = AlgorithmTable::Resolve({task.collective, options.ranks, bytes, task.options});
    row.protocol = options.protocols.Get(bytes).name;
    row.seconds = report.iterationSeconds.front();
    row.algorithmBandwidth = bytes / row.seconds;
    row.busBandwidth = row.algorithmBandwidth * schedule->GetBusFactor();
    // It knows neither who forwards what, nor when circuits turn
    if (task.options.turns)
    {
        row.closedForm = TurnOption::GetSeconds(limits,
                                                task,
                                                options.ranks,
                                                options.protocols.GetWireBytes(bytes));
    }
    else if (!options.transport.GetFor(options.fabric).UsesRelays() && !limits.turnCircuits)
    {
        row.closedForm = CollectiveClosedForm::GetSeconds(*schedule, job->GetFabrics(), limits);
    }
    if (row.closedForm)
    {
        *row.closedForm += job->GetCollectiveLatency(bytes).GetSeconds();
    }
    row.turns = TurnOption::Describe(task);
    row.events = report.events;
    row.light = report;
    row.wallSeconds = meter.GetWallSeconds();
    return row;
}

/**
 * Print the operation and the heads of the columns.
 *
 * @param options the options
 */
void
PrintHeader(const Options& options)
{
    std::cout << options.collective;
    if (options.algorithm != "automatic")
    {
        std::cout << " by " << options.algorithm;
    }
    const std::string servers = options.DescribeServers();
    std::cout << " over " << options.ranks << " GPUs, " << options.fabric << ", "
              << options.GetBandwidth() << " a GPU" << (servers.empty() ? "" : ", ") << servers
              << "\n"
              << std::setw(13) << "bytes" << std::setw(12) << "time us" << std::setw(12)
              << "algbw GB/s" << std::setw(12) << "busbw GB/s" << std::setw(16) << "closed form us"
              << std::setw(9) << "ratio"
              << "  feasible  how" << std::endl;
}

/**
 * @param row a row of the result, which is printed
 */
void
PrintRow(const Row& row)
{
    const std::string feasible = row.light.GetFeasibility();
    std::cout << std::setw(13) << row.bytes << std::fixed << std::setprecision(3) << std::setw(12)
              << row.seconds * 1e6 << std::setw(12) << row.algorithmBandwidth / 1e9 << std::setw(12)
              << row.busBandwidth / 1e9 << std::setw(16);
    if (row.closedForm)
    {
        std::cout << *row.closedForm * 1e6 << std::setprecision(5) << std::setw(9)
                  << row.seconds / *row.closedForm;
    }
    else
    {
        std::cout << "-" << std::setw(9) << "-";
    }
    // A reason may be longer than the column
    std::cout << "  " << std::left << std::setw(10) << feasible << std::right
              << (feasible.size() < 10 ? "" : "  ")
              << (row.turns.empty()
                      ? AlgorithmTable::Describe(row.options.algorithm, row.options.rings)
                      : row.turns)
              << std::endl;
}

/**
 * @param row a row of the result
 * @return the row as JSON
 */
nlohmann::ordered_json
GetJson(const Row& row)
{
    nlohmann::ordered_json json = {
        {"bytes", row.bytes},
        {"seconds", row.seconds},
        {"algorithmBandwidth", row.algorithmBandwidth},
        {"busBandwidth", row.busBandwidth},
        {"algorithm", AlgorithmTable::GetRow(row.options.algorithm).name}};
    if (!row.protocol.empty())
    {
        json["protocol"] = row.protocol;
    }
    if (!row.turns.empty())
    {
        json["reconfigure"] = row.turns;
    }
    if (row.closedForm)
    {
        json["closedFormSeconds"] = *row.closedForm;
        json["ratio"] = row.seconds / *row.closedForm;
    }
    json["wallSeconds"] = row.wallSeconds;
    json["events"] = row.events;
    row.light.AddTo(json);
    return json;
}

/**
 * Carry out the operation for all sizes.
 *
 * @param options the options
 */
void
Run(const Options& options)
{
    if (options.minBytes > options.maxBytes)
    {
        throw std::invalid_argument("--minBytes=" + std::to_string(options.minBytes) +
                                    " exceeds --maxBytes=" + std::to_string(options.maxBytes));
    }
    CheckRange("local", options.local, 0, options.ranks);
    CheckRange("rings", options.rings, 0, options.ranks);
    options.Check({options.fabric}, options.ranks);
    Task task;
    task.kind = TaskKind::COLLECTIVE;
    task.name = options.collective;
    task.collective = CollectiveSchedule::GetKind(options.collective);
    // The circuits of MixNet are for the all-to-alls of experts
    task.group = task.collective == CollectiveKind::ALL_TO_ALL ? EXPERT_GROUP : task.group;
    const auto fabric =
        options.MakeFabric(options.fabric, options.ranks, options.servers.GetGpus());
    const FabricLimits limits = FabricDescription::Create(*fabric)->GetLimits(options.ranks);
    options.turns.Check(options.algorithm, limits, task);
    task.options = GetCollectiveOptions(options, limits);
    ChooseAxes(options, task);
    CollectiveSchedule::Create(task.collective, options.ranks, options.maxBytes, task.options);
    if (ProgramOptions::HasTable(options.json, options.quiet))
    {
        PrintHeader(options);
    }
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    LightVerdict light;
    for (task.bytes = options.minBytes; task.bytes <= options.maxBytes;
         task.bytes *= options.stepFactor)
    {
        Task sized = task;
        sized.options = GetFastest(options, limits, task);
        const Row row = Measure(options, sized);
        if (ProgramOptions::HasTable(options.json, options.quiet))
        {
            PrintRow(row);
        }
        rows.push_back(GetJson(row));
        light.Add(row.light);
    }
    if (ProgramOptions::HasTable(options.json, options.quiet))
    {
        std::cout << Validation::ForCollectives().Describe() << "\n";
        light.Print(std::cout, options.fabric);
    }
    if (!options.json.empty())
    {
        WriteJson({{"collective", options.collective},
                   {"algorithm", options.algorithm},
                   {"rings", task.options.rings},
                   {"ranks", options.ranks},
                   {"ranksOfServer", task.options.local},
                   {"inside", options.inside},
                   {"across", options.across},
                   {"fabric", options.fabric},
                   {"bandwidthBps", ParseRate(options.GetBandwidth()).GetBitRate()},
                   {"rows", rows},
                   {"validation", Validation::ForCollectives().GetJson()},
                   {"peakMemoryBytes", RunMeter::GetPeakMemoryBytes()}},
                  options.json);
    }
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0 if the operation was timed
 */
int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    // As many events wait as there are GPUs, and none is removed
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    Options options;
    options.circuits.DisableInitialSwitching();
    ProgramOptions cmd("lightpath-collective",
                       "Time a collective operation on an optical or electrical fabric.");
    cmd.BeginGroup("Operation");
    cmd.AddValue("collective",
                 "Operation: all-reduce, reduce-scatter, all-gather, send-recv, all-to-all",
                 options.collective);
    cmd.AddValue("ranks", "Number of ranks", options.ranks, 2, 1000000);
    cmd.AddAlias("gpus", "ranks");
    cmd.AddValue("minBytes", "Smallest buffer, like 1MB", "1MB", [&options](const auto& text) {
        options.minBytes = ParseBytes(text);
    });
    cmd.AddValue("maxBytes", "Largest buffer, like 1GB", "1GB", [&options](const auto& text) {
        options.maxBytes = ParseBytes(text);
    });
    cmd.AddValue("stepFactor",
                 "Ratio of one buffer to the one before",
                 options.stepFactor,
                 2,
                 1000000);
    cmd.AddValue("algorithm",
                 "Algorithm: " + NamedEnum::ListNames(AlgorithmTable::GetRows()),
                 options.algorithm);
    cmd.AddValue("inside", "Algorithm inside servers, of two levels", options.inside);
    cmd.AddValue("across", "Algorithm across servers, of two levels", options.across);
    cmd.AddValue("rings", "Rings of multi-ring; 0: two", options.rings, 0);
    cmd.AddValue("local",
                 "Ranks in a row of a schedule in two levels; 0: those of a server, 1: one level",
                 options.local,
                 0);
    options.turns.AddTo(cmd);
    cmd.BeginGroup("Fabric");
    cmd.AddValue("fabric", "Fabric: " + JoinList(InterconnectHelper::GetNames()), options.fabric);
    options.AddServers(cmd);
    options.AddLight(cmd);
    options.AddGrid(cmd);
    options.rotors.AddTo(cmd);
    options.torus.AddTo(cmd);
    options.circuits.AddTurns(cmd);
    options.transport.AddTo(cmd);
    options.AddMessages(cmd);
    cmd.AddOutput(options.json, options.quiet);
    return cmd.Run(argc, argv, [&] {
        options.SetUsualServers({options.fabric});
        cmd.CheckOwners(options.GetOwners({options.fabric}));
        Run(options);
    });
}
