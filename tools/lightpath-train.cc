/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-options.h"
#include "option-values.h"
#include "output-files.h"
#include "plan-explanation.h"
#include "plan-report.h"
#include "planner-options.h"
#include "program-options.h"
#include "rank-speed-options.h"
#include "run-meter.h"
#include "source-version.h"
#include "training-run.h"

#include "ns3/accelerator.h"
#include "ns3/circuit-fabric-helper.h"
#include "ns3/convergence.h"
#include "ns3/global-value.h"
#include "ns3/model-zoo.h"
#include "ns3/nstime.h"
#include "ns3/operator-profile.h"
#include "ns3/plan-folder.h"
#include "ns3/search-planner.h"
#include "ns3/string.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <unistd.h>

/**
 * @file
 * @ingroup lightpath
 * Trains a model on one fabric, or on several for comparison, and reports what an iteration takes.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The values of the options: those of fabrics, and all others.
struct Options : FabricOptions
{
    std::string model{"bert-large"}; //!< Name of the model
    std::string accelerator{"A100"}; //!< Name of the accelerator
    std::optional<uint64_t> memory;  //!< Memory of a GPU, unless that of the accelerator
    std::string profile;             //!< Name of the file with measured times
    bool linear{false};              //!< A share of an operator takes that share of its time
    uint32_t gpus{64};               //!< Number of GPUs
    uint64_t batch{1024};            //!< Samples of one iteration, over all GPUs
    std::string fabric{"sip-ring"};  //!< Name of the fabric
    PlannerOptions planner;          //!< Planner and degrees of parallelism
    uint32_t iterations{3};          //!< Training iterations
    RankSpeedOptions speeds;         //!< Slow ranks, and noise
    std::string compare;             //!< Names of fabrics, separated by commas
    std::string json;                //!< Name of the file for JSON
    bool fold{false};                //!< Simulate a few GPUs that stand for all
    bool explain{false};             //!< Print the reasons for the plan
    bool planningLog{false};         //!< Add the progress of planning to the JSON
    bool planOnly{false};            //!< Plan and simulate nothing
    bool quiet{false};               //!< Print nothing but errors
};

/**
 * @param options the options
 * @param fabrics the names of the fabrics
 * @return the problem of a plan that all of the fabrics can carry
 */
PlanningProblem
MakeProblem(const Options& options, const std::vector<std::string>& fabrics)
{
    PlanningProblem problem;
    problem.graph = ModelZoo::Create(options.model);
    problem.accelerator = Accelerator::Create(options.accelerator);
    problem.accelerator.linearShares = options.linear;
    if (!options.profile.empty())
    {
        problem.accelerator.profile = OperatorProfile::ReadFile(options.profile);
        problem.accelerator.profile->Check(problem.graph);
    }
    problem.accelerator.memoryBytes = options.memory.value_or(problem.accelerator.memoryBytes);
    problem.gpus = options.gpus;
    problem.globalBatch = options.batch;
    problem.placement = options.planner.GetPlacement();
    for (const auto& name : fabrics)
    {
        FabricLimits limits =
            options.MakeFabric(name, options.gpus, options.serverGpus)->GetLimits(options.gpus);
        if (options.transport.GetFor(name).UsesRelays())
        {
            limits.indirectBitRate = limits.laneRate;
        }
        if (!options.circuits.DecidesOnce() && !limits.phaseCircuits)
        {
            // Later decisions can serve the pairs that one decision cannot
            limits.allocators.clear();
        }
        if (&name == &fabrics.front())
        {
            problem.fabric = limits;
        }
        else
        {
            problem.fabric.Merge(limits);
        }
    }
    problem.fabric.collectiveLatency = options.launch.GetSeconds();
    return problem;
}

/**
 * Refuse to fold a plan whose GPUs differ.
 *
 * @param options the options
 * @param fabrics the names of the fabrics that are to carry the plan
 */
void
CheckFold(const Options& options, const std::vector<std::string>& fabrics)
{
    if (options.speeds.AreGiven())
    {
        throw std::invalid_argument("--fold lets a few GPUs stand for all, so that none can be "
                                    "slower than others: leave out --slow and --computeNoise, or "
                                    "--fold");
    }
    for (const auto& name : fabrics)
    {
        if (name != "electrical")
        {
            throw std::invalid_argument("--fold belongs to the fabric electrical, which treats all "
                                        "GPUs alike, and not to " +
                                        name + ", where each has a place of its own");
        }
        if (options.transport.UsesSockets(*InterconnectHelper::Create(name)))
        {
            throw std::invalid_argument("--fold belongs to --transport=circuit, as no connection "
                                        "of a few GPUs stands for those of all");
        }
    }
}

/**
 * Show on a terminal how far a simulation is.
 *
 * @param fabric the name of the fabric
 * @param iterations the number of iterations in all
 * @param iteration the number of iterations that have ended
 */
void
ShowProgress(std::string fabric, uint32_t iterations, uint32_t iteration)
{
    std::cerr << "\r\033[K" << fabric << ": iteration " << iteration << " of " << iterations
              << (iteration == iterations ? "\r\033[K" : "") << std::flush;
}

/**
 * Train on one fabric.
 *
 * @param options the options
 * @param name the name of the fabric, which a transport may follow
 * @param plan the plan
 * @param serverGpus the ranks of the plan that share a server, if the fabric has servers
 * @return the report
 */
TrainingReport
Train(const Options& options,
      const std::string& name,
      const TrainingPlan& plan,
      uint32_t serverGpus)
{
    const RunMeter meter;
    const auto fabric = options.MakeFabric(name, options.gpus, serverGpus);
    TrainingRun run(*fabric, plan.programs.size());
    options.circuits.ScheduleFaults(run.GetChannel());
    TrainingHelper training;
    training.SetJobAttribute("Iterations", UintegerValue(options.iterations));
    training.SetJobAttribute("CollectiveLatency", TimeValue(options.launch));
    if (options.Configure(name, *fabric, plan.programs.size(), training))
    {
        run.AssignAddresses();
    }
    options.speeds.Configure(training);
    const auto& applications = run.Install(training, plan);
    options.speeds.Apply(applications);
    if (!options.quiet && isatty(STDERR_FILENO))
    {
        TrainingHelper::GetJob(applications)
            ->TraceConnectWithoutContext(
                "IterationEnd",
                MakeBoundCallback(&ShowProgress, name, options.iterations));
    }
    TrainingReport report = run.Run();
    report.fabric = name;
    if (const auto convergence = Convergence::FindForModel(options.model))
    {
        report.toTarget = convergence->Get(options.batch);
    }
    report.wallSeconds = meter.GetWallSeconds();
    report.peakMemoryBytes = RunMeter::GetPeakMemoryBytes();
    return report;
}

/**
 * Print the job and its plan.
 *
 * @param options the options
 * @param report the plan
 * @param explanation the reasons for the plan, if asked for
 */
void
PrintPlan(const Options& options,
          const PlanReport& report,
          const std::optional<PlanExplanation>& explanation)
{
    std::cout << options.model << " on " << options.gpus << " x " << options.accelerator
              << ", global batch " << options.batch << ", " << options.bandwidth << " a GPU\n";
    report.Print(std::cout);
    if (options.planOnly)
    {
        report.PrintMemory(std::cout);
    }
    if (explanation)
    {
        explanation->Print(std::cout);
    }
    if (options.fold && !options.planOnly)
    {
        std::cout << "simulated " << report.simulatedGpus << " of " << options.gpus
                  << " GPUs, which stand for all\n";
    }
    std::cout << std::endl;
}

/**
 * @param planner a planner that has planned
 * @param bound the lower bound of its plan, seconds; 0 if it is not known
 * @return the bound, and how the best plan and the bound of a search improved, as JSON
 */
nlohmann::ordered_json
GetPlanningLog(Ptr<Planner> planner, double bound)
{
    auto points = nlohmann::ordered_json::array();
    const auto search = DynamicCast<SearchPlanner>(planner);
    for (const auto& point : search ? search->GetProgress() : std::vector<SearchProgress>())
    {
        points.push_back({{"evaluations", point.evaluations},
                          {"planningSeconds", point.elapsedSeconds},
                          {"bestSeconds", point.bestSeconds},
                          {"lowerBoundSeconds", point.lowerBoundSeconds}});
    }
    return {{"lowerBoundSeconds", bound}, {"points", points}};
}

/**
 * Plan once and train on all fabrics.
 *
 * @param options the options
 * @param parsed the same, as they were given
 */
void
Run(const Options& options, const ProgramOptions& parsed)
{
    options.speeds.Check(options.gpus);
    // The name of a fabric may be followed by a transport
    const auto names = SplitList(options.compare.empty() ? options.fabric : options.compare);
    PlannerOptions::Create(options.planner.GetName());
    options.FabricOptions::Check(names, options.gpus);
    auto owners = options.transport.GetOwners(names);
    owners.insert("--planner=" + options.planner.GetName());
    parsed.CheckOwners(owners);
    if (options.fold)
    {
        CheckFold(options, names);
    }
    const PlanningProblem problem = MakeProblem(options, names);
    options.planner.CheckModel(options.model);
    const RunMeter meter;
    const auto planner = options.planner.MakePlanner();
    TrainingPlan plan = planner->TryPlan(problem);
    const double bound = plan.lowerBoundSeconds;
    PlanReport planReport(plan);
    planReport.planningSeconds = meter.GetWallSeconds();
    planReport.planningPeakMemoryBytes = RunMeter::GetPeakMemoryBytes();
    std::optional<PlanExplanation> explanation;
    if (options.explain)
    {
        explanation.emplace(problem, plan, options.planner.GetName());
    }
    uint32_t serverGpus = options.serverGpus;
    if (options.fold && !options.planOnly)
    {
        const PlanFolder folder(plan, problem.fabric.serverGpus);
        plan = folder.GetPlan();
        serverGpus = folder.GetServerGpus();
    }
    planReport.simulatedGpus = options.planOnly ? 0 : plan.programs.size();
    if (!options.quiet)
    {
        PrintPlan(options, planReport, explanation);
    }
    std::vector<TrainingReport> reports;
    nlohmann::ordered_json runs = nlohmann::ordered_json::array();
    for (const auto& name : options.planOnly ? std::vector<std::string>() : names)
    {
        reports.push_back(Train(options, name, plan, serverGpus));
        runs.push_back(reports.back().GetJson());
    }
    if (!options.quiet && !options.planOnly)
    {
        TrainingReport::PrintTable(std::cout, reports);
    }
    if (!options.json.empty())
    {
        auto planJson = planReport.GetJson();
        if (explanation)
        {
            explanation->AddTo(planJson);
        }
        if (options.planningLog)
        {
            planJson["planningLog"] = GetPlanningLog(planner, bound);
        }
        WriteJson({{"model", options.model},
                   {"accelerator", options.accelerator},
                   {"gpus", options.gpus},
                   {"globalBatch", options.batch},
                   {"plan", planJson},
                   {"runs", runs}},
                  options.json);
    }
}

/**
 * Add the options.
 *
 * @param [out] parsed the options of the program
 * @param [out] options the options
 */
void
AddOptions(ProgramOptions& parsed, Options& options)
{
    constexpr int64_t most = 1000000;
    parsed.BeginGroup("Model and accelerator");
    parsed.AddValue("model",
                    "Model, like gpt2-xl:layers=4, or FILE.json; lightpath-model --list names all",
                    options.model);
    parsed.AddValue("batch", "Samples of one iteration, over all GPUs", options.batch, 1);
    parsed.AddValue("accelerator",
                    "Accelerator: " + JoinList(Accelerator::GetNames()),
                    options.accelerator);
    parsed.AddValue("memory",
                    "Memory of a GPU, like 80GiB, or unlimited; default: that of the accelerator",
                    "",
                    [&options](const std::string& text) { options.memory = ParseMemory(text); });
    parsed.AddValue("gpus", "Number of GPUs", options.gpus, 1, most);
    parsed.AddValue("profile", "File with measured times of operators", options.profile);
    parsed.AddValue("splitting",
                    "Time of a share of an operator: roofline (that of an operator of its size), "
                    "linear (that share of the time of the whole)",
                    "roofline",
                    [&options](const std::string& text) {
                        options.linear =
                            ParseWord("splitting", text, {{"roofline", ""}, {"linear", "1"}}) ==
                            "1";
                    });
    options.speeds.AddTo(parsed);
    options.planner.AddTo(parsed);
    parsed.BeginGroup("Fabric");
    parsed.AddValue("fabric",
                    "Fabric: " + JoinList(InterconnectHelper::GetNames()) +
                        "; an optical and an electrical one, like sip-ring+fat-tree",
                    options.fabric);
    parsed.AddValue("compare",
                    "Several fabrics, separated by commas, on one plan, like "
                    "sip-ring,fat-tree:dctcp",
                    options.compare);
    options.FabricOptions::AddTo(parsed);
    parsed.BeginGroup("Run");
    parsed.AddValue("iterations", "Training iterations", options.iterations, 1, most);
    parsed.AddValue("fold", "Simulate a few GPUs that stand for all (electrical)", options.fold);
    parsed.AddValue("planOnly",
                    "Print the plan and its memory by use, simulate nothing",
                    options.planOnly);
    parsed.BeginGroup("Output");
    parsed.AddValue("explain",
                    "Print why this plan: alternatives, costs, what binds, and the bound",
                    options.explain);
    parsed.AddValue("planningLog",
                    "Add the lower bound of the planner and the progress of its search to the JSON",
                    options.planningLog);
    parsed.AddOutput(options.json, options.quiet);
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
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    Options options;
    ProgramOptions parsed("lightpath-train",
                          std::string("Train a model on an optical or electrical fabric and report "
                                      "what an iteration takes.\n\nVersion ") +
                              SOURCE_VERSION);
    AddOptions(parsed, options);
    return parsed.Run(argc, argv, [&] {
        options.SetDefaultServerRate(Accelerator::Create(options.accelerator).serverBitRate);
        Run(options, parsed);
    });
}
