/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-rehearsal.h"

#include "fold-check.h"
#include "model/parallel/process-group.h"
#include "model/plan/message-merger.h"
#include "model/plan/single-rail.h"
#include "model/training/run/report-format.h"
#include "model/training/transport/transport-kind.h"
#include "run-watch.h"
#include "train-options.h"
#include "training-run.h"

#include "ns3/fabric-description.h"
#include "ns3/hybrid-helper.h"
#include "ns3/nstime.h"
#include "ns3/plan-folder.h"
#include "ns3/planning-problem.h"
#include "ns3/server-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The most ranks that are simulated.
constexpr std::size_t MOST_RANKS = 256;

/// The most tasks of an iteration that are simulated, of all ranks.
constexpr std::size_t MOST_TASKS = 3000000;

/// Tasks of an iteration of which no more than two iterations are simulated.
constexpr std::size_t MANY_TASKS = 300000;

/// The most events of a simulation, which take about ten seconds.
constexpr uint64_t MOST_EVENTS = 20000000;

/// The most iterations that are simulated.
constexpr uint32_t MOST_ITERATIONS = 3;

/**
 * @param plan a plan
 * @return the tasks of all its ranks
 */
std::size_t
CountTasks(const TrainingPlan& plan)
{
    std::size_t number = 0;
    for (const auto& program : plan.programs)
    {
        number += program->GetTasks().size();
    }
    return number;
}

/// About how long the packets of a byte of a message are simulated, in seconds: of connections,
/// with their acknowledgements.
constexpr double SECONDS_BY_SOCKETS = 2e-9;

/// The same of network interface cards.
constexpr double SECONDS_BY_CARDS = 2e-10;

/// Simulations that are expected to be shorter are not announced, in seconds.
constexpr double SHORT_SIMULATION = 60;

/**
 * @param options the options
 * @param name the name of a fabric, which a transport may follow
 * @param fabric its helper
 * @return about how long a byte of a message is simulated there, in seconds, if packets with a
 *         congestion control carry messages; otherwise 0
 */
double
GetPacketSeconds(const TrainOptions& options,
                 const std::string& name,
                 const InterconnectHelper& fabric)
{
    const auto* const servers = dynamic_cast<const ServerHelper*>(&fabric);
    const InterconnectHelper& outside = servers ? servers->GetOutside() : fabric;
    if (dynamic_cast<const HybridHelper*>(&outside))
    {
        // How much goes electrically is known afterwards
        return 0;
    }
    const auto* const kind =
        TransportKind::Find(options.transport.GetFor(name).GetTransport(outside));
    return !kind                                      ? 0
           : kind->UsesSockets()                      ? SECONDS_BY_SOCKETS
           : kind->need == TransportKind::Need::CARDS ? SECONDS_BY_CARDS
                                                      : 0;
}

} // namespace

TrainingHelper
PlanRehearsal::SetUp(const TrainOptions& options,
                     const std::string& name,
                     const InterconnectHelper& fabric,
                     const TrainingPlan& plan,
                     TrainingRun& run)
{
    TrainingHelper training;
    training.SetJobAttribute("Iterations", UintegerValue(options.iterations));
    training.SetJobAttribute("CollectiveLatency", TimeValue(options.GetLaunch()));
    if (options.Configure(name, fabric, plan.programs.size(), training))
    {
        run.AssignAddresses();
    }
    return training;
}

const ApplicationContainer&
PlanRehearsal::Install(const TrainOptions& options,
                       const std::string& name,
                       const InterconnectHelper& fabric,
                       const TrainingPlan& plan,
                       TrainingRun& run)
{
    options.circuits.ScheduleFaults(
        [&run](const std::string& component, bool failed) { run.SetFailed(component, failed); });
    TrainingHelper training = SetUp(options, name, fabric, plan, run);
    options.speeds.Configure(training);
    const auto& applications = run.Install(training, plan);
    options.circuits.AwaitRepairs(*TrainingHelper::GetJob(applications));
    options.speeds.Apply(applications);
    return applications;
}

std::string
PlanRehearsal::Fold(const TrainOptions& options,
                    const std::string& name,
                    TrainingPlan& plan,
                    uint32_t& serverGpus)
{
    try
    {
        FoldCheck::CheckOptions(options, {name});
        const PlanFolder folder = FoldCheck::Fold(options, name, plan);
        plan = folder.GetPlan();
        if (options.SendsBursts())
        {
            MessageMerger::Merge(plan);
        }
        serverGpus = folder.GetServerGpus();
        const auto whole = options.MakeFabric(name, options.gpus, options.servers.GetGpus());
        const auto gpus = static_cast<uint32_t>(options.gpus);
        const ServerLayout layout =
            FabricDescription::Create(*whole)->GetLimits(gpus).servers.layout;
        if (layout.hasRails && SingleRail::Fold(plan, serverGpus, layout.GetNServers(gpus)))
        {
            serverGpus = 1;
        }
    }
    catch (const std::invalid_argument& error)
    {
        if (options.fold == Fold::ON)
        {
            throw;
        }
        return error.what();
    }
    return "";
}

std::string
PlanRehearsal::DescribePackets(const TrainOptions& options,
                               const std::string& name,
                               const TrainingPlan& plan)
{
    const auto fabric = options.MakeFabric(name, options.gpus, options.servers.GetGpus());
    const double perByte = GetPacketSeconds(options, name, *fabric);
    if (perByte == 0)
    {
        return "";
    }
    const auto* const servers = dynamic_cast<const ServerHelper*>(fabric.get());
    const ServerLayout layout =
        servers ? servers->GetLayout(static_cast<uint32_t>(options.gpus)) : ServerLayout();
    const TrafficMatrix traffic = plan.OnPorts().GetTraffic();
    double bytes = 0;
    for (uint32_t source = 0; source < traffic.GetSize(); ++source)
    {
        for (const auto& [destination, sent] : traffic.GetRow(source))
        {
            bytes += layout.HasServers() && layout.AreInside(source, destination) ? 0.0 : sent;
        }
    }
    const double seconds = bytes * options.iterations * perByte;
    if (seconds < SHORT_SIMULATION)
    {
        return "";
    }
    return "simulates the packets of " +
           std::to_string(std::llround(bytes * options.iterations / 1e9)) + " GB, in some " +
           FormatLongTime(seconds) + ": networks at flow level, like leaf-spine-flows, take less\n";
}

std::optional<TrainingReport>
PlanRehearsal::Rehearse(TrainOptions options, const std::string& name, TrainingPlan plan)
{
    options.fold = Fold::AUTO;
    options.SetDefaultGrid(plan.gridRows, plan.gridColumns);
    uint32_t serverGpus = options.servers.GetGpus();
    if (GetPacketSeconds(options, name, *options.MakeFabric(name, options.gpus, serverGpus)) > 0)
    {
        return std::nullopt;
    }
    Fold(options, name, plan, serverGpus);
    const std::size_t tasks = CountTasks(plan);
    if (plan.programs.size() > MOST_RANKS || tasks > MOST_TASKS || ProcessGroup::GetSize() > 1)
    {
        return std::nullopt;
    }
    options.iterations =
        std::clamp(options.iterations, 2U, tasks > MANY_TASKS ? 2U : MOST_ITERATIONS);
    const auto fabric = plan.representedRanks > 0
                            ? options.MakeFolded(name, options.gpus, serverGpus, plan.ofWhole)
                            : options.MakeFabric(name, options.gpus, serverGpus);
    TrainingRun run(*fabric, plan.programs.size());
    Install(options, name, *fabric, plan, run);
    RunWatch watch("planning for " + name, options.iterations, 0, false);
    watch.SetMostEvents(MOST_EVENTS);
    TrainingReport report = run.Run();
    return report.isFinished ? std::make_optional(std::move(report)) : std::nullopt;
}
