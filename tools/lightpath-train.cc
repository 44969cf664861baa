/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cost-options.h"
#include "critical-path-options.h"
#include "fabric-options.h"
#include "model/parallel/process-group.h"
#include "model/planner/price/folded-circuits.h"
#include "option-values.h"
#include "output-files.h"
#include "plan-explanation.h"
#include "plan-report.h"
#include "planner-options.h"
#include "process-options.h"
#include "program-options.h"
#include "rank-speed-options.h"
#include "report-options.h"
#include "run-meter.h"
#include "run-watch.h"
#include "source-version.h"
#include "timeline-options.h"
#include "training-run.h"
#include "workload-options.h"

#include "ns3/accelerator.h"
#include "ns3/circuit-fabric-helper.h"
#include "ns3/convergence.h"
#include "ns3/model-zoo.h"
#include "ns3/nstime.h"
#include "ns3/operator-profile.h"
#include "ns3/plan-folder.h"
#include "ns3/search-planner.h"
#include "ns3/server-helper.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <iomanip>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

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
    WorkloadOptions workload;        //!< Work from files, in place of a model
    RankSpeedOptions speeds;         //!< Slow ranks, and noise
    CostOptions cost;                //!< Power and price
    CriticalPathOptions path;        //!< What decides an iteration
    TimelineOptions timeline;        //!< Timeline of the simulation
    std::string compare;             //!< Names of fabrics, separated by commas
    std::optional<bool> planEach;    //!< Plan for each of them; by default if the planner searches
    std::string json;                //!< Name of the file for JSON
    ReportOptions page;              //!< The page on the run
    Time timeout;                    //!< Longest time of a simulation, by the wall clock; 0: none
    bool fold{false};                //!< Simulate a few GPUs that stand for all
    bool explain{false};             //!< Print the reasons for the plan
    bool planningLog{false};         //!< Add the progress of planning to the JSON
    bool planOnly{false};            //!< Plan and simulate nothing
    bool quiet{false};               //!< Print nothing but errors

    /**
     * @return whether each fabric has a plan of its own
     */
    bool PlansEach() const
    {
        return !compare.empty() && planEach.value_or(planner.GetName() == "search");
    }
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
    problem.graph =
        options.workload.IsGiven() ? OperatorGraph(options.model) : ModelZoo::Create(options.model);
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
    problem.expertLoad = options.planner.GetExpertLoad();
    problem.placement = options.planner.GetPlacement();
    if ((options.fold || options.workload.IsGiven()) && problem.placement == "automatic")
    {
        // GPUs stand for others where they are placed alike, and ranks of files are ports
        problem.placement = "linear";
    }
    for (const auto& name : fabrics)
    {
        const FabricLimits limits = options.GetLimits(name, options.gpus);
        if (&name == &fabrics.front())
        {
            problem.fabric = limits;
        }
        else
        {
            problem.fabric.Merge(limits);
        }
    }
    problem.protocols = options.protocols;
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
    if (options.losesFrames)
    {
        throw std::invalid_argument("--fold lets a few GPUs stand for all, so that none can lose "
                                    "frames of its own: leave out --physicalLayer=errors, or "
                                    "--fold");
    }
    for (const auto& name : fabrics)
    {
        const auto transport = options.transport.GetFor(name);
        if (transport.UsesRelays() ||
            transport.UsesSockets(*options.MakeFabric(name, options.gpus, 1)))
        {
            throw std::invalid_argument("--fold belongs to --transport=circuit, as no connection "
                                        "of a few GPUs stands for those of all");
        }
    }
}

/**
 * Refuse a folded plan whose GPUs stand for others with another place on the fabric.
 *
 * @param options the options
 * @param name the name of the fabric that is to carry the plan
 * @param plan the full plan
 * @param folder the folded plan
 */
void
CheckFolded(const Options& options,
            const std::string& name,
            const TrainingPlan& plan,
            const PlanFolder& folder)
{
    const auto getLimits = [&](uint32_t serverGpus, uint32_t gpus) {
        return options.MakeFabric(name, options.gpus, serverGpus)->GetLimits(gpus);
    };
    const FabricLimits full = getLimits(options.servers.GetGpus(), options.gpus);
    const FabricLimits folded = getLimits(folder.GetServerGpus(), folder.GetPlan().programs.size());
    const bool hasCircuits = !full.allocators.empty() && full.laneRate > 0 && full.grid.rows == 0;
    if (hasCircuits && (options.circuits.DecidesOnce() || full.phaseCircuits))
    {
        FoldedCircuits::Check(plan, full, folder, folded);
        return;
    }
    const bool averagesAlike = full.averagedBits > 0 && full.averagedBits == folded.averagedBits &&
                               full.latency == folded.latency;
    if (name != "electrical" && !averagesAlike)
    {
        throw std::invalid_argument("--fold belongs to fabrics that treat all GPUs alike, or give "
                                    "each pair of them a circuit that stays, and not to " +
                                    name + " as it is set here, where each has a place of its own");
    }
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
Train(const Options& options,
      const std::string& name,
      const TrainingPlan& plan,
      uint32_t serverGpus)
{
    const RunMeter meter;
    ProcessOptions::CheckPlan(plan);
    const auto fabric = options.MakeFabric(name, options.gpus, serverGpus);
    TrainingRun run(*fabric, plan.programs.size());
    options.circuits.ScheduleFaults(
        [&run](const std::string& component, bool failed) { run.SetFailed(component, failed); });
    TrainingHelper training;
    training.SetJobAttribute("Iterations", UintegerValue(options.iterations));
    training.SetJobAttribute("CollectiveLatency", TimeValue(options.launch));
    if (options.Configure(name, *fabric, plan.programs.size(), training))
    {
        run.AssignAddresses();
    }
    options.speeds.Configure(training);
    const auto& applications = run.Install(training, plan);
    const auto recorder = options.path.Record(TrainingHelper::GetJob(applications));
    options.speeds.Apply(applications);
    options.page.Watch(applications);
    const auto timeline =
        options.timeline.Install(applications, options.compare.empty() ? "" : name);
    RunWatch watch(name, options.iterations, options.timeout.GetSeconds(), !options.quiet);
    watch.SetExpected(plan.predictedSeconds);
    TrainingHelper::GetJob(applications)
        ->TraceConnectWithoutContext("IterationEnd", MakeCallback(&RunWatch::EndIteration, &watch));
    TrainingReport report = run.Run();
    options.path.Find(name, recorder.get());
    TimelineOptions::Finish(timeline.get(), options.quiet);
    report.fabric = name;
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
 * Print a plan.
 *
 * @param os where to print
 * @param options the options
 * @param report the plan
 * @param explanation the reasons for the plan, if asked for
 */
void
PrintPlan(std::ostream& os,
          const Options& options,
          const PlanReport& report,
          const std::optional<PlanExplanation>& explanation)
{
    report.Print(os);
    if (options.planOnly)
    {
        report.PrintMemory(os);
    }
    if (explanation)
    {
        explanation->Print(os);
    }
    if (options.fold && !options.planOnly)
    {
        os << "simulated " << report.simulatedGpus << " of " << options.gpus
           << " GPUs, which stand for all\n";
    }
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

/// A plan, and the fabrics that carry it.
struct Planned
{
    std::vector<std::string> names;    //!< The fabrics, each of which a transport may follow
    TrainingPlan plan;                 //!< The plan that is simulated
    uint32_t serverGpus;               //!< The ranks that share a server, if the fabric has servers
    std::string text;                  //!< The plan for a person
    nlohmann::ordered_json json;       //!< The plan as JSON
    std::optional<IterationWork> work; //!< The work of an iteration of a model
};

/**
 * @param options the options
 * @param name the name of a fabric that carries a plan
 * @param planned the plan
 * @return the servers and the ports between them; null without any
 */
nlohmann::ordered_json
GetServers(const Options& options, const std::string& name, const Planned& planned)
{
    const auto fabric = options.MakeFabric(name, options.gpus, planned.serverGpus);
    const auto* const servers = dynamic_cast<const ServerHelper*>(fabric.get());
    return servers ? ServerOptions::GetJson(*servers, planned.plan) : nullptr;
}

/**
 * Make one plan.
 *
 * @param options the options
 * @param names the names of the fabrics that are to carry it
 * @return the plan
 */
Planned
MakePlan(const Options& options, const std::vector<std::string>& names)
{
    const PlanningProblem problem = MakeProblem(options, names);
    const RunMeter meter;
    const auto planner = options.planner.MakePlanner();
    const PlanWatch watch("planning for " + JoinList(names), planner, !options.quiet);
    Planned planned{names, {}, options.servers.GetGpus(), {}, {}, {}};
    planned.plan = options.workload.IsGiven() ? Planner::Adopt(options.workload.GetPlan(), problem)
                                              : planner->TryPlan(problem);
    options.workload.Write(planned.plan);
    if (!options.workload.IsGiven())
    {
        planned.work = IterationWork::Count(problem.graph,
                                            planned.plan.strategy,
                                            problem.globalBatch,
                                            problem.gpus,
                                            problem.accelerator);
    }
    const double bound = planned.plan.lowerBoundSeconds;
    PlanReport report(planned.plan);
    report.planningSeconds = meter.GetWallSeconds();
    report.planningPeakMemoryBytes = RunMeter::GetPeakMemoryBytes();
    const nlohmann::ordered_json servers = GetServers(options, names.front(), planned);
    std::optional<PlanExplanation> explanation;
    if (options.explain)
    {
        explanation.emplace(problem, planned.plan, options.planner.GetName());
    }
    if (options.fold && problem.fabric.servers.layout.portGpus > 1)
    {
        throw std::invalid_argument("--fold lets a few GPUs stand for all, so that none can share "
                                    "its card with others: give --attach=gpu, or leave out --fold");
    }
    if (options.fold && !options.planOnly)
    {
        const PlanFolder folder(planned.plan, problem.fabric.servers.layout.gpus);
        for (const auto& name : names)
        {
            CheckFolded(options, name, planned.plan, folder);
        }
        planned.plan = folder.GetPlan();
        planned.serverGpus = folder.GetServerGpus();
    }
    report.simulatedGpus = options.planOnly ? 0 : planned.plan.programs.size();
    std::ostringstream text;
    text << (options.PlansEach() ? names.front() + ": " : "");
    PrintPlan(text, options, report, explanation);
    text << (servers.is_null() ? "" : ServerOptions::GetText(servers) + "\n");
    const double gap = planned.plan.predictedSeconds / bound - 1;
    const auto search = DynamicCast<SearchPlanner>(planner);
    if (search && search->IsCut() && bound > 0 && gap > 0.005)
    {
        text << "search: its budget ended it " << std::fixed << std::setprecision(gap < 0.1 ? 1 : 0)
             << 100 * gap
             << " % above its lower bound: a longer --planningTime may find a better plan\n";
    }
    planned.text = text.str();
    planned.json = report.GetJson();
    if (!servers.is_null())
    {
        planned.json["servers"] = servers;
    }
    if (search)
    {
        planned.json["searchEndedWithBudget"] = search->IsCut();
    }
    if (planned.plan.gridRows > 0)
    {
        planned.json["gridRows"] = planned.plan.gridRows;
        planned.json["gridColumns"] = planned.plan.gridColumns;
    }
    if (explanation)
    {
        explanation->AddTo(planned.json);
    }
    if (options.planningLog)
    {
        planned.json["planningLog"] = GetPlanningLog(planner, bound);
    }
    return planned;
}

/**
 * Plan for all fabrics together, or for each one.
 *
 * @param options the options
 * @param names the names of the fabrics
 * @return the plans
 */
std::vector<Planned>
MakePlans(const Options& options, const std::vector<std::string>& names)
{
    std::vector<Planned> plans;
    if (!options.PlansEach())
    {
        FabricOptions::CheckOnePlan(names);
        plans.push_back(MakePlan(options, names));
        if (names.size() > 1)
        {
            // It is the prediction for what all of them can do, and for none of them
            plans.back().plan.predictedSeconds = 0;
            plans.back().plan.cost = PlanCost();
        }
        return plans;
    }
    std::string first;
    std::string refusal;
    for (const auto& name : names)
    {
        std::string own;
        try
        {
            FabricOptions::CheckOnePlan({name});
            plans.push_back(MakePlan(options, {name}));
        }
        catch (const std::invalid_argument& error)
        {
            own = error.what();
        }
        if (&name == &names.front())
        {
            first = name;
            refusal = own;
        }
        // A refusal that other fabrics do not share has to do with the fabric
        if (own != refusal)
        {
            throw std::invalid_argument(refusal.empty() ? name + ": " + own
                                                        : first + ": " + refusal);
        }
    }
    Require(refusal);
    return plans;
}

/**
 * Train on all fabrics.
 *
 * @param options the options
 * @param parsed the same, as they were given
 * @param names the names of the fabrics
 * @param plans the plans
 * @return the reports
 */
std::vector<TrainingReport>
TrainAll(const Options& options,
         const ProgramOptions& parsed,
         const std::vector<std::string>& names,
         const std::vector<Planned>& plans)
{
    std::vector<std::set<std::string>> obeyed;
    for (const auto& name : names)
    {
        obeyed.push_back(options.GetOwners({name}));
    }
    std::vector<TrainingReport> reports;
    for (const auto& planned : plans)
    {
        for (const auto& name : planned.names)
        {
            Options own = options;
            own.SetDefaultGrid(planned.plan.gridRows, planned.plan.gridColumns);
            const auto fabric = own.MakeFabric(name, own.gpus, own.servers.GetGpus());
            const auto cost = own.cost.Estimate(*fabric, own.accelerator, own.gpus);
            reports.push_back(Train(own, name, planned.plan, planned.serverGpus));
            reports.back().work = planned.work;
            reports.back().cost = cost;
            if (cost && planned.work)
            {
                reports.back().cost->samples = planned.work->samples;
                reports.back().cost->tokens = planned.work->tokens;
            }
            auto& remark = reports.back().remark;
            remark = parsed.GetSpecific(options.GetOwners({name}), obeyed);
            if (options.PlansEach())
            {
                remark = planned.plan.strategy.GetName() + (remark.empty() ? "" : "; ") + remark;
            }
        }
    }
    return reports;
}

/**
 * Plan and train on all fabrics.
 *
 * @param options the options
 * @param parsed the same, as they were given
 */
void
Run(const Options& options, const ProgramOptions& parsed)
{
    options.speeds.Check(options.gpus);
    options.timeline.Check(!options.planOnly);
    // The name of a fabric may be followed by a transport
    const auto names = SplitList(options.compare.empty() ? options.fabric : options.compare);
    PlannerOptions::Create(options.planner.GetName());
    options.FabricOptions::Check(names, options.gpus);
    auto owners = options.GetOwners(names);
    owners.insert("--planner=" + options.planner.GetName());
    options.workload.AddOwner(owners);
    parsed.CheckOwners(owners);
    if (options.planEach && options.compare.empty())
    {
        throw std::invalid_argument("--planEach is for the fabrics of --compare, which is missing");
    }
    if (options.fold)
    {
        CheckFold(options, names);
    }
    options.planner.CheckModel(options.model);
    options.path.Check(options.planOnly);
    options.page.Check(!options.planOnly);
    if (options.cost.AreAsked() && options.planOnly)
    {
        throw std::invalid_argument("--cost tells the energy of simulated iterations, and "
                                    "--planOnly simulates none: leave out one of them");
    }
    for (const auto& name : options.cost.AreAsked() ? names : std::vector<std::string>())
    {
        // Refuses what has no price before any work
        const auto fabric = options.MakeFabric(name, options.gpus, options.servers.GetGpus());
        options.cost.Estimate(*fabric, options.accelerator, options.gpus);
    }
    const auto plans = MakePlans(options, names);
    if (!options.quiet)
    {
        std::cout << options.model << " on " << options.gpus << " x " << options.accelerator
                  << (options.workload.IsGiven()
                          ? ""
                          : ", global batch " + std::to_string(options.batch))
                  << ", " << options.GetBandwidth() << " a GPU\n";
        for (const auto& planned : plans)
        {
            std::cout << planned.text;
        }
        std::cout << std::endl;
    }
    const auto reports =
        options.planOnly ? std::vector<TrainingReport>() : TrainAll(options, parsed, names, plans);
    if (!options.quiet && !options.planOnly)
    {
        TrainingReport::PrintTable(std::cout, reports);
        if (options.cost.AreAsked())
        {
            CostOptions::Print(std::cout, reports);
        }
        options.path.Print(std::cout);
    }
    options.page.Write(parsed, SOURCE_VERSION, reports);
    if (!options.json.empty())
    {
        nlohmann::ordered_json json = {{"model", options.model},
                                       {"accelerator", options.accelerator},
                                       {"gpus", options.gpus},
                                       {"globalBatch", options.batch}};
        if (options.workload.IsGiven())
        {
            json.erase("globalBatch");
        }
        for (const auto& planned : plans)
        {
            (options.PlansEach() ? json["plans"][planned.names.front()] : json["plan"]) =
                planned.json;
        }
        json["runs"] = nlohmann::ordered_json::array();
        for (const auto& report : reports)
        {
            json["runs"].push_back(report.GetJson());
        }
        options.path.AddTo(json["runs"]);
        WriteJson(json, options.json);
    }
    for (const auto& report : reports)
    {
        if (!report.isFinished)
        {
            throw std::runtime_error("The job on " + report.fabric +
                                     " was not finished within --timeout");
        }
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
                    "Accelerator, or FILE.json: " + JoinList(Accelerator::GetNames()),
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
    options.workload.AddTo(parsed);
    parsed.BeginGroup("Fabric");
    parsed.AddValue("fabric",
                    "Fabric: " + JoinList(InterconnectHelper::GetNames()) +
                        "; an optical and an electrical one, like sip-ring+fat-tree",
                    options.fabric);
    parsed.AddValue("compare",
                    "Several fabrics, separated by commas, like sip-ring,fat-tree:dctcp",
                    options.compare);
    parsed.Add({"planEach",
                "Plan for each fabric to compare, and not once for all; default: with "
                "--planner=search",
                "",
                {},
                true,
                [&options](const std::string& text) {
                    options.planEach =
                        !ParseWord("planEach", text, {{"true", "1"}, {"false", ""}}).empty();
                }});
    options.FabricOptions::AddTo(parsed);
    parsed.BeginGroup("Run");
    parsed.AddValue("iterations", "Training iterations", options.iterations, 1, most);
    parsed.AddValue("timeout",
                    "Longest time of the simulation of a fabric by the wall clock, like 10min; "
                    "0s: none",
                    "0s",
                    options.timeout);
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
    options.cost.AddTo(parsed);
    parsed.BeginGroup("Observation");
    options.path.AddTo(parsed);
    options.page.AddTo(parsed);
    options.timeline.AddTo(parsed);
    ProgressLine::AddOption(parsed);
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
    RunWatch::UseScheduler();
    Options options;
    ProgramOptions parsed("lightpath-train",
                          std::string("Train a model on an optical or electrical fabric and report "
                                      "what an iteration takes.\n\nVersion ") +
                              SOURCE_VERSION);
    AddOptions(parsed, options);
    return parsed.Run(argc, argv, [&] {
        ProcessOptions::Join(parsed, argc, argv);
        if (ProcessGroup::GetRank() > 0)
        {
            // The first process prints what all of them have found
            options.quiet = true;
            options.json.clear();
        }
        options.servers.SetDefaultRate(Accelerator::Create(options.accelerator).serverBitRate);
        if (options.fold)
        {
            // GPUs stand for others where they are attached alike
            options.servers.SetDefaultAttach("gpu");
        }
        options.workload.Read(parsed, options.accelerator, options.gpus, options.model);
        Run(options, parsed);
        ProcessGroup::Leave();
    });
}
