/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "comparison-table.h"
#include "fabric-refusals.h"
#include "fold-check.h"
#include "model/parallel/process-group.h"
#include "option-values.h"
#include "output-files.h"
#include "plan-rehearsal.h"
#include "planned-training.h"
#include "process-options.h"
#include "program-options.h"
#include "run-meter.h"
#include "run-watch.h"
#include "source-version.h"
#include "train-options.h"
#include "training-run.h"

#include "ns3/accelerator.h"
#include "ns3/convergence.h"
#include "ns3/fabric-description.h"
#include "ns3/nstime.h"
#include "ns3/training-helper.h"
#include "ns3/training-plan.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

/**
 * @file
 * @ingroup lightpath
 * Trains a model on one fabric, or on several for comparison, and reports what an iteration takes.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * Judge the light of a plan that is not simulated.
 *
 * @param options the options
 * @param name the name of the fabric, which a transport may follow
 * @param planned the plan
 * @return whether the light of its first lightpaths arrives; not known for very many GPUs
 */
LightVerdict
FindLight(const TrainOptions& options, const std::string& name, const PlannedTraining& planned)
{
    constexpr std::size_t most = 4096;
    const TrainingPlan& plan = planned.plan;
    if (plan.programs.size() > most || ProcessGroup::GetSize() > 1)
    {
        LightVerdict unknown;
        unknown.isFeasible = std::nullopt;
        return unknown;
    }
    const auto fabric = options.MakeFabric(name, options.gpus, planned.serverGpus);
    TrainingRun run(*fabric, plan.programs.size());
    TrainingHelper training = PlanRehearsal::SetUp(options, name, *fabric, plan, run);
    training.SetJobAttribute("Iterations", UintegerValue(1));
    run.Install(training, plan);
    return run.FindLight(plan.turnCircuits);
}

/**
 * Train on one fabric.
 *
 * @param options the options
 * @param name the name of the fabric, which a transport may follow
 * @param plan the plan
 * @param serverGpus the ranks of the plan that share a server, 1 for no servers
 * @return the report
 */
TrainingReport
Train(const TrainOptions& options, const std::string& name, TrainingPlan plan, uint32_t serverGpus)
{
    const RunMeter meter;
    ProcessOptions::CheckPlan(plan);
    const uint32_t all = plan.representedRanks;
    const uint32_t simulated = plan.programs.size();
    const auto fabric = all > 0 ? options.MakeFolded(name, options.gpus, serverGpus, plan.ofWhole)
                                : options.MakeFabric(name, options.gpus, serverGpus);
    TrainingRun run(*fabric, simulated);
    const auto& applications = PlanRehearsal::Install(options, name, *fabric, plan, run);
    const auto recorder = options.path.Record(TrainingHelper::GetJob(applications));
    options.page.Watch(applications);
    const auto timeline =
        options.timeline.Install(applications, options.compare.empty() ? "" : name);
    RunWatch watch(name, options.iterations, options.timeout.GetSeconds(), !options.quiet);
    watch.SetExpected(plan.predictedSeconds);
    TrainingHelper::GetJob(applications)
        ->TraceConnectWithoutContext("IterationEnd", MakeCallback(&RunWatch::EndIteration, &watch));
    TrainingReport report = run.Run();
    if (ProgramOptions::HasTable(options.json, options.quiet))
    {
        const auto& times = report.iterationSeconds;
        const double end = std::accumulate(times.begin(), times.end(), 0.0);
        std::cout << options.circuits.DescribeUnreached(Seconds(end));
    }
    options.path.Find(name, recorder.get());
    TimelineOptions::Finish(timeline.get(), options.quiet);
    report.fabric = name;
    if (all > 0)
    {
        report.StandForAll(all, simulated, options.GetRails(name, options.gpus, *fabric));
    }
    if (const auto convergence = Convergence::FindForModel(options.model))
    {
        report.toTarget = convergence->Get(options.batch);
    }
    report.wallSeconds = meter.GetWallSeconds();
    report.peakMemoryBytes = RunMeter::GetPeakMemoryBytes();
    options.page.Add(report);
    return report;
}

/**
 * @param options the options
 * @param name the name of a fabric
 * @param explains whether to say why its price is not known
 * @return the power and price of its network; none unless asked for or compared, and known
 */
std::optional<CostReport>
GetCost(const TrainOptions& options, const std::string& name, bool explains = false)
{
    if (!options.cost.AreAsked() && options.compare.empty())
    {
        return std::nullopt;
    }
    const auto fabric = options.MakeFabric(name, options.gpus, options.servers.GetGpus());
    try
    {
        return options.cost.Estimate(*fabric, options.accelerator, options.gpus);
    }
    catch (const std::domain_error& error)
    {
        if (explains)
        {
            std::cout << name << " has no cost: " << error.what() << "\n";
        }
        return std::nullopt;
    }
    catch (const std::invalid_argument&)
    {
        if (options.cost.AreAsked())
        {
            throw;
        }
        return std::nullopt;
    }
}

/**
 * Train on one fabric of several, and say what sets it apart.
 *
 * @param options the options
 * @param name the name of the fabric
 * @param planned its plan
 * @return the report
 */
TrainingReport
TrainPlanned(TrainOptions options, const std::string& name, const PlannedTraining& planned)
{
    options.SetDefaultGrid(planned.plan.gridRows, planned.plan.gridColumns);
    if (options.planOnly)
    {
        TrainingReport report(name, "");
        report.cost = GetCost(options, name);
        report.validation = planned.validation;
        static_cast<LightVerdict&>(report) =
            planned.light ? *planned.light : FindLight(options, name, planned);
        options.workload.Write(planned.plan);
        return report;
    }
    const auto cost = GetCost(options, name);
    TrainingReport report = Train(options, name, planned.plan, planned.serverGpus);
    // Refused runs leave no traces
    options.workload.Write(planned.plan);
    report.work = planned.work;
    report.validation = planned.validation;
    report.cost = cost;
    if (cost && planned.work)
    {
        report.cost->samples = planned.work->samples;
        report.cost->tokens = planned.work->tokens;
    }
    return report;
}

/**
 * Train on all fabrics.
 *
 * @param options the options
 * @param parsed the same, as they were given
 * @param names the names of the fabrics
 * @param plans the plans
 * @param [in,out] refusals the fabrics that are refused
 * @return the reports; of planOnly, costs and light alone
 */
std::vector<TrainingReport>
TrainAll(const TrainOptions& options,
         const ProgramOptions& parsed,
         const std::vector<std::string>& names,
         const std::vector<PlannedTraining>& plans,
         FabricRefusals& refusals)
{
    std::vector<std::set<std::string>> obeyed;
    for (const auto& name : names)
    {
        obeyed.push_back(options.GetOwners({name}));
    }
    std::vector<TrainingReport> reports;
    for (const auto& name : names)
    {
        const auto planned = std::find_if(plans.begin(), plans.end(), [&name](const auto& each) {
            return each.name == name;
        });
        const bool isDone = refusals.Try(name, [&] {
            reports.push_back(TrainPlanned(options, name, *planned));
            reports.back().remark = parsed.GetSpecific(options.GetOwners({name}), obeyed);
        });
        if (!isDone)
        {
            reports.emplace_back(name, refusals.Get(name));
        }
    }
    return reports;
}

/**
 * Refuse options that contradict each other, before any work.
 *
 * @param options the options
 * @param parsed the same, as they were given
 * @param names the names of the fabrics
 * @param [in,out] refusals the same, of which those are refused that cannot do what is asked for
 */
void
Check(const TrainOptions& options,
      const ProgramOptions& parsed,
      const std::vector<std::string>& names,
      FabricRefusals& refusals)
{
    if (!options.compare.empty() && parsed.IsGiven("fabric"))
    {
        throw std::invalid_argument("--compare names all fabrics: leave out --fabric, or add " +
                                    options.fabric + " to --compare");
    }
    if (options.compare.empty() && names.size() > 1)
    {
        throw std::invalid_argument("--fabric=" + options.fabric + " names " +
                                    std::to_string(names.size()) +
                                    " fabrics: --compare=" + options.fabric + " compares them");
    }
    options.speeds.Check(options.gpus);
    options.timeline.Check(!options.planOnly);
    PlannerOptions::Create(options.planner.GetName());
    options.FabricOptions::Check(names, options.gpus);
    auto owners = options.GetOwners(names);
    if (!options.workload.IsGiven() || parsed.IsGiven("planner"))
    {
        owners.insert("--planner=" + options.planner.GetName());
    }
    options.workload.AddOwner(owners);
    parsed.CheckOwners(owners);
    if (parsed.IsGiven("planEach") && parsed.IsGiven("samePlan"))
    {
        throw std::invalid_argument(
            "--planEach and --samePlan say the same: leave out one of them");
    }
    if (options.samePlan && options.compare.empty())
    {
        throw std::invalid_argument("--samePlan is for the fabrics of --compare, which is missing");
    }
    options.planner.CheckModel(options.model);
    options.path.Check(options.planOnly);
    options.page.Check(!options.planOnly);
    for (const auto& name : names)
    {
        refusals.Try(name, [&] {
            if (options.fold == Fold::ON)
            {
                FoldCheck::CheckOptions(options, {name});
            }
            if (options.cost.AreAsked())
            {
                // Refuses what cannot be built
                GetCost(options, name, true);
            }
        });
    }
}

/**
 * Write the results as JSON.
 *
 * @param options the options
 * @param plans the plans
 * @param reports the reports
 */
void
WriteResults(const TrainOptions& options,
             const std::vector<PlannedTraining>& plans,
             const std::vector<TrainingReport>& reports)
{
    nlohmann::ordered_json json = {{"model", options.model},
                                   {"accelerator", options.accelerator},
                                   {"gpus", options.gpus},
                                   {"globalBatch", options.batch}};
    if (options.workload.IsGiven())
    {
        json.erase("globalBatch");
    }
    else if (const auto framework = options.planner.GetFramework().GetName(); framework != "none")
    {
        json["framework"] = framework;
    }
    if (options.HasUsualServers())
    {
        json["servers"] = options.GetUsualServers();
    }
    for (const auto& planned : plans)
    {
        (options.compare.empty() ? json["plan"] : json["plans"][planned.name]) = planned.json;
    }
    json["runs"] = nlohmann::ordered_json::array();
    for (const auto& report : reports)
    {
        const bool isPlanned = options.planOnly && report.refusal.empty();
        if (!isPlanned)
        {
            json["runs"].push_back(report.GetJson());
            continue;
        }
        auto& row = json["runs"].emplace_back(nlohmann::ordered_json{{"fabric", report.fabric}});
        report.AddTo(row);
        row["validation"] = report.validation.GetJson();
        if (report.cost)
        {
            row["cost"] = report.cost->GetJson();
        }
    }
    options.path.AddTo(json["runs"]);
    WriteJson(json, options.json);
}

/**
 * Print whether the light of plans that are not simulated arrives.
 *
 * @param reports the reports
 * @param isCompared whether a table says so, too
 */
void
PrintLights(const std::vector<TrainingReport>& reports, bool isCompared)
{
    for (const auto& report : reports)
    {
        if (!isCompared && report.refusal.empty())
        {
            std::cout << "feasible: " << report.GetFeasibility() << "\n";
        }
        report.LightVerdict::Print(std::cout, report.fabric);
    }
}

/**
 * Plan and train on all fabrics.
 *
 * @param [in,out] options the options
 * @param parsed the same, as they were given
 */
void
Run(TrainOptions& options, const ProgramOptions& parsed)
{
    // The name of a fabric may be followed by a transport
    const auto names = options.GetNames();
    FabricRefusals refusals(names, !options.compare.empty());
    options.planner.ChooseDefault(parsed);
    Check(options, parsed, names, refusals);
    const auto plans = PlannedTraining::MakeAll(options, refusals);
    if (ProgramOptions::HasTable(options.json, options.quiet))
    {
        std::cout
            << options.model << " on " << options.gpus << " x " << options.accelerator
            << (options.workload.IsGiven() ? "" : ", global batch " + std::to_string(options.batch))
            << ", " << options.GetBandwidth() << " a GPU\n"
            << (options.HasUsualServers() ? options.DescribeServers(names.size()) + "\n" : "");
        for (const auto& planned : plans)
        {
            std::cout << planned.text;
        }
        std::cout << std::endl;
    }
    const auto reports = TrainAll(options, parsed, names, plans, refusals);
    if (ProgramOptions::HasTable(options.json, options.quiet))
    {
        if (options.planOnly)
        {
            TrainingReport::PrintValidations(std::cout, reports);
            PrintLights(reports, !options.compare.empty());
        }
        else
        {
            TrainingReport::PrintTable(std::cout, reports);
            PlannedTraining::PrintMisses(std::cout, plans, reports, options.circuits.HasFaults());
        }
        if (options.cost.AreAsked())
        {
            CostOptions::Print(std::cout, reports, options.accelerator);
        }
        options.path.Print(std::cout);
        if (!options.compare.empty())
        {
            ComparisonTable::Print(std::cout, reports, plans);
        }
        if (options.cost.AreAsked())
        {
            CostOptions::PrintBills(std::cout, reports);
        }
    }
    options.page.Write(parsed, SOURCE_VERSION, reports);
    if (!options.json.empty())
    {
        WriteResults(options, plans, reports);
    }
    for (const auto& report : reports)
    {
        if (!report.isFinished)
        {
            throw std::runtime_error("The job on " + report.fabric +
                                     " was not finished within --timeout");
        }
    }
    options.timeline.CheckWritten();
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0 if the iterations were simulated
 */
int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    // As many events wait as there are GPUs, and none is removed
    RunWatch::UseScheduler();
    TrainOptions options;
    ProgramOptions parsed("lightpath-train",
                          std::string("Train a model on an optical or electrical fabric and report "
                                      "what an iteration takes.\n\nVersion ") +
                              SOURCE_VERSION);
    options.AddTo(parsed);
    return parsed.Run(argc, argv, [&] {
        ProcessOptions::Join(parsed, argc, argv);
        if (ProcessGroup::GetRank() > 0)
        {
            // The first process prints what all of them have found
            options.quiet = true;
            options.json.clear();
        }
        options.servers.SetAccelerator(parsed);
        options.servers.SetDefaultRate(Accelerator::Create(options.accelerator).serverBitRate);
        options.SetUsualServers(options.GetNames());
        const std::vector<std::string> single{"chakra", "criticalPath", "fail", "timeline"};
        if (options.fold == Fold::AUTO &&
            (ProcessGroup::GetSize() > 1 ||
             std::any_of(single.begin(), single.end(), [&parsed](const auto& name) {
                 return parsed.IsGiven(name);
             })))
        {
            // These options show single GPUs
            options.fold = Fold::OFF;
        }
        options.workload.Read(parsed, options.accelerator, options.gpus, options.model);
        Run(options, parsed);
        ProcessGroup::Leave();
    });
}
