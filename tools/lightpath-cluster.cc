/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-failure-options.h"
#include "cluster-timeline.h"
#include "fabric-options.h"
#include "fabric-refusals.h"
#include "helper/mltrain/shared-iterations.h"
#include "model/base/count-noun.h"
#include "model/base/whole-files.h"
#include "model/cluster/cluster-run.h"
#include "model/cluster/cluster-trace.h"
#include "option-values.h"
#include "output-files.h"
#include "planner-options.h"
#include "program-options.h"
#include "run-watch.h"
#include "text-table.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/interconnect-helper.h"
#include "ns3/light-verdict.h"
#include "ns3/model-zoo.h"
#include "ns3/planning-problem.h"
#include "ns3/server-helper.h"
#include "ns3/validation.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

/**
 * @file
 * @ingroup lightpath
 * Simulates many training jobs that share the fabric of a cluster: how long they wait, how much
 * they slow each other down, and how well the GPUs are used.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The values of the options.
struct Options
{
    std::string fabrics{"electrical"};         //!< Names of fabrics
    uint32_t gpus{64};                         //!< GPUs of the cluster
    std::string models{"resnet50,bert-large"}; //!< Models that jobs train
    std::string accelerator{"A100"};           //!< Kind of the GPUs
    uint32_t samples{32};                      //!< Samples of a GPU in an iteration
    std::string trace;                         //!< File with jobs
    TraceStatistics drawn;                     //!< Jobs to draw
    double days{1};                            //!< Days in which they are submitted
    double medianHours{1};                     //!< Median time of a job
    std::string written;                       //!< File to write the jobs to
    std::string order{"first-come"};           //!< Which job starts next
    std::string placing{"fabric"};             //!< Which GPUs it gets
    uint32_t slices{0};                        //!< Slices of a fabric of circuits; 0: shared
    ClusterFailureOptions failures;            //!< How components fail
    bool isFull{false};                        //!< Each iteration is simulated
    std::string timeline;                      //!< File of the timeline
    std::string format{"table"};               //!< Format of the table
    std::string json;                          //!< Name of the file for JSON
    bool quiet{false};                         //!< Print nothing but errors
    Time timeout;                              //!< Longest time of the program; 0: none
    FabricOptions fabric;                      //!< Options of the fabrics
};

/// The longest time of a job and until the last submission: 1000 years, s
constexpr double MOST_SECONDS = 1000 * 365.25 * 86400;

/**
 * @param value a number
 * @param digits the digits behind the point
 * @return it as a text
 */
std::string
ToFixed(double value, int digits)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << value;
    return text.str();
}

/// Watches the life of a cluster by the wall clock: shows how far it is, and ends it in time.
class ClusterWatch
{
  public:
    /**
     * @param options the options
     */
    explicit ClusterWatch(const Options& options)
        : m_line(true),
          m_run("cluster", 1, options.timeout.GetSeconds(), false),
          m_limit(options.timeout.GetSeconds())
    {
    }

    /**
     * @param fabric the name of the fabric whose turn it is
     * @param jobs the number of its jobs
     */
    void Begin(const std::string& fabric, std::size_t jobs)
    {
        m_fabric = fabric;
        m_nJobs = jobs;
        m_nEnded = 0;
        m_nStopped = 0;
    }

    /**
     * @param event an event of the cluster
     */
    void Note(const ClusterRun::Event& event)
    {
        m_nEnded += event.kind == ClusterRun::Event::ENDED;
        m_nStopped += event.kind == ClusterRun::Event::STOPPED;
        if (m_line.IsDue())
        {
            m_line.Show(m_fabric + ": day " + ToFixed(event.time / 86400, 1) + ", " + Describe());
        }
        Check();
    }

    /// Throw std::runtime_error if the time is up.
    void Check() const
    {
        if (m_limit > 0 && m_line.GetSeconds() > m_limit)
        {
            throw std::runtime_error("The life of the cluster on " + m_fabric +
                                     " was not finished within --timeout: " + Describe());
        }
    }

  private:
    /**
     * @return how far the cluster is
     */
    std::string Describe() const
    {
        return std::to_string(m_nEnded) + " of " + std::to_string(m_nJobs) +
               " jobs have ended, failures have stopped " + std::to_string(m_nStopped);
    }

    ProgressLine m_line;    //!< Where to show how far it is
    RunWatch m_run;         //!< Ends simulations
    double m_limit;         //!< The longest time, s; 0 for no limit
    std::string m_fabric;   //!< The fabric whose turn it is
    std::size_t m_nJobs{0}; //!< Its jobs
    uint64_t m_nEnded{0};   //!< Those that have ended
    uint64_t m_nStopped{0}; //!< Failures that have stopped one
};

/// Plans the jobs of a trace for a fabric.
class JobPlanner
{
  public:
    /// The plan of a job.
    using Plan = std::shared_ptr<const TrainingPlan>;

    /**
     * @param options the options
     * @param fabric the name of the fabric
     */
    JobPlanner(const Options& options, std::string fabric)
        : m_options(options),
          m_fabric(std::move(fabric))
    {
    }

    /**
     * @param model the name of a model
     * @param gpus a number of GPUs
     * @return the plan of data parallelism over them or, if memory does not hold the model whole,
     *         of the rule of thumb of MegatronPlanner
     */
    Plan Get(const std::string& model, uint32_t gpus)
    {
        Plan& plan = m_plans[{model, gpus}];
        if (!plan)
        {
            PlanningProblem problem;
            problem.graph = ModelZoo::Create(model);
            problem.accelerator = Accelerator::Create(m_options.accelerator);
            problem.gpus = gpus;
            problem.globalBatch = m_options.samples * gpus;
            problem.placement = "linear";
            problem.fabric = m_options.fabric.GetLimits(m_fabric, std::max(gpus, 2U));
            problem.protocols = m_options.fabric.protocols;
            plan = std::make_shared<TrainingPlan>(MakePlan(problem, model));
        }
        return plan;
    }

  private:
    /**
     * @param problem the problem of a job
     * @param model the name of its model
     * @return its plan
     */
    static TrainingPlan MakePlan(const PlanningProblem& problem, const std::string& model)
    {
        try
        {
            return PlannerOptions::Create("fixed")->TryPlan(problem);
        }
        catch (const std::invalid_argument& error)
        {
            if (std::string(error.what()).rfind("Memory", 0) != 0)
            {
                throw;
            }
        }
        try
        {
            return PlannerOptions::Create("megatron")->TryPlan(problem);
        }
        catch (const std::invalid_argument& error)
        {
            throw std::invalid_argument("A job of " + CountNoun(problem.gpus, "GPU") +
                                        " cannot train " + model + ": " + error.what());
        }
    }

    const Options& m_options;                                 //!< The options
    std::string m_fabric;                                     //!< Name of the fabric
    std::map<std::pair<std::string, uint32_t>, Plan> m_plans; //!< By model and GPUs
};

/**
 * @param options the options
 * @param [in,out] files takes the trace, if it is to be written
 * @return the jobs of the trace, or those drawn
 */
std::vector<TraceJob>
GetTrace(const Options& options, WholeFiles& files)
{
    std::vector<TraceJob> trace = options.trace.empty() ? ClusterTrace::Draw(options.drawn)
                                                        : ClusterTrace::ReadFile(options.trace);
    for (const TraceJob& job : trace)
    {
        if (!(job.duration <= MOST_SECONDS))
        {
            throw std::invalid_argument("Job " + job.name +
                                        " takes more than 1000 years: give a shorter "
                                        "--medianHours, a smaller --deviation or another trace");
        }
    }
    if (!options.written.empty())
    {
        files.Write(options.written,
                    [&trace](std::ostream& os) { ClusterTrace::Write(trace, os); });
    }
    return trace;
}

/**
 * @param options the options
 * @param fabric installs the fabric
 * @param placing which ports a job gets
 * @return a scheduler of all GPUs
 */
ClusterScheduler
MakeScheduler(const Options& options,
              const InterconnectHelper& fabric,
              ClusterScheduler::Placing placing)
{
    const FabricLimits limits = FabricDescription::Create(fabric)->GetLimits(options.gpus);
    ClusterScheduler scheduler(options.gpus,
                               limits.leaf.gpus > 0 ? limits.leaf.gpus : options.gpus,
                               ClusterScheduler::ParseOrder(options.order),
                               placing,
                               options.drawn.seed);
    if (limits.isRing)
    {
        scheduler.SetRing();
    }
    return scheduler;
}

/**
 * Find how long an iteration of each job takes if it has the first ports of the fabric for itself.
 *
 * @param options the options
 * @param fabric installs the fabric
 * @param jobs the jobs
 * @param [in,out] iterations tells the times
 * @return the times, s
 */
std::vector<double>
GetTimesAlone(const Options& options,
              const InterconnectHelper& fabric,
              const std::vector<ClusterJob>& jobs,
              SharedIterations& iterations)
{
    std::vector<double> times;
    for (uint32_t i = 0; i < jobs.size(); ++i)
    {
        auto scheduler = MakeScheduler(options, fabric, ClusterScheduler::Placing::CONTIGUOUS);
        scheduler.Submit(i, jobs[i].gpus, 0);
        times.push_back(iterations.GetTimes(scheduler.StartJobs(0)).front());
        if (std::isinf(times.back()))
        {
            throw std::invalid_argument("The fabric cannot give lightpaths to all pairs of GPUs of "
                                        "job " +
                                        jobs[i].name + " with " + std::to_string(jobs[i].gpus) +
                                        " GPUs: use smaller jobs, more lanes or another allocator");
        }
    }
    return times;
}

/**
 * @param options the options
 * @param name the name of a fabric
 * @param fabric installs it
 * @return installs the jobs on it
 */
TrainingHelper
MakeTraining(const Options& options, const std::string& name, const InterconnectHelper& fabric)
{
    TrainingHelper training;
    options.fabric.Configure(name, fabric, options.gpus, training);
    const auto* const servers = dynamic_cast<const ServerHelper*>(&fabric);
    const InterconnectHelper& outside = servers ? servers->GetOutside() : fabric;
    if (options.fabric.transport.GetFor(name).GetTransport(outside) != "circuit")
    {
        throw std::invalid_argument("Jobs of a cluster send frames over circuits and links of "
                                    "their own, not packets over sockets, relays or rotors: give "
                                    "fabrics without a transport");
    }
    return training;
}

/**
 * Find the iterations of each job: as many as it would carry out in its duration in the trace if no
 * other job shared its links, on the electrical switch. They are the same on each fabric.
 *
 * @param options the options
 * @param trace the jobs
 * @return the jobs
 */
std::vector<ClusterJob>
MakeJobs(const Options& options, const std::vector<TraceJob>& trace)
{
    const auto models = SplitList(options.models);
    std::mt19937_64 random(options.drawn.seed);
    std::vector<ClusterJob> jobs;
    std::vector<JobPlanner::Plan> plans;
    JobPlanner planner(options, "electrical");
    for (const TraceJob& each : trace)
    {
        ClusterJob job;
        job.name = each.name;
        job.model = models[random() % models.size()];
        job.submitted = each.submitted;
        job.gpus = each.gpus;
        if (job.gpus > options.gpus)
        {
            throw std::invalid_argument("Job " + job.name + " has " + std::to_string(job.gpus) +
                                        " GPUs, the cluster " + std::to_string(options.gpus) +
                                        ": increase --gpus, or leave the job out");
        }
        plans.push_back(planner.Get(job.model, job.gpus));
        jobs.push_back(job);
    }
    const auto fabric = options.fabric.MakeFabric("electrical", options.gpus, 1);
    SharedIterations reference(*fabric,
                               options.gpus,
                               MakeTraining(options, "electrical", *fabric),
                               plans);
    const auto seconds = GetTimesAlone(options, *fabric, jobs, reference);
    for (uint32_t i = 0; i < jobs.size(); ++i)
    {
        jobs[i].iterations = std::max<uint64_t>(1, std::llround(trace[i].duration / seconds[i]));
    }
    return jobs;
}

/**
 * Cut a fabric into slices.
 *
 * @param options the options
 * @param [in,out] fabric installs the fabric, and from now on a slice of it
 */
void
CutFabric(const Options& options, InterconnectHelper& fabric)
{
    if (options.slices == 0)
    {
        return;
    }
    auto* const circuits = dynamic_cast<CircuitFabricHelper*>(&fabric);
    const std::string refusal =
        circuits ? circuits->CheckSlices(options.slices)
                 : "Only fabrics of circuits, sip-ring and sip-ocs, can be cut into slices";
    if (!refusal.empty())
    {
        throw std::invalid_argument(refusal + " (--slices)");
    }
    circuits->SetSlices(options.slices);
}

/// A column of the table.
struct Column
{
    const char* head; //!< Its head
    const char* name; //!< The name of its number in JSON
    double unit;      //!< What the number is divided by
    int digits;       //!< The digits behind the point
};

/// The columns between the name of the fabric and its feasibility.
constexpr Column COLUMNS[] = {{"hours", "seconds", 3600, 2},
                              {"used %", "utilisation", 0.01, 1},
                              {"goodput %", "goodput", 0.01, 1},
                              {"wait min", "waitingSeconds", 60, 1},
                              {"job min", "jobSeconds", 60, 1},
                              {"slow-down", "slowDown", 1, 3},
                              {"fragmented %", "fragmentation", 0.01, 1},
                              {"fairness", "fairness", 1, 3},
                              {"failures", "failures", 1, 0},
                              {"simulations", "simulations", 1, 0}};

/**
 * @param row the numbers of a fabric
 * @param light whether its light arrives
 * @return the line of the table
 */
std::vector<std::string>
MakeLine(const nlohmann::ordered_json& row, const LightVerdict& light)
{
    std::vector<std::string> line{row["fabric"]};
    for (const auto& column : COLUMNS)
    {
        const auto& value = row[column.name];
        line.push_back(value.is_null() ? "-"
                                       : ToFixed(value.get<double>() / column.unit, column.digits));
    }
    line.push_back(light.GetFeasibility());
    return line;
}

/**
 * Simulate the cluster on one fabric.
 *
 * @param options the options
 * @param name the name of the fabric
 * @param jobs the jobs
 * @param [in,out] watch watches it
 * @param [out] light whether its light arrives
 * @return the numbers of COLUMNS
 */
nlohmann::ordered_json
RunFabric(const Options& options,
          const std::string& name,
          std::vector<ClusterJob> jobs,
          ClusterWatch& watch,
          LightVerdict& light)
{
    watch.Begin(name, jobs.size());
    const auto fabric = options.fabric.MakeFabric(name, options.gpus, 1);
    CutFabric(options, *fabric);
    JobPlanner planner(options, name);
    std::vector<JobPlanner::Plan> plans;
    for (const ClusterJob& job : jobs)
    {
        plans.push_back(planner.Get(job.model, job.gpus));
    }
    SharedIterations iterations(*fabric, options.gpus, MakeTraining(options, name, *fabric), plans);
    if (options.slices > 0)
    {
        iterations.SetOwned();
    }
    const auto alone = GetTimesAlone(options, *fabric, jobs, iterations);
    for (uint32_t i = 0; i < jobs.size(); ++i)
    {
        jobs[i].alone = static_cast<double>(jobs[i].iterations) * alone[i];
    }
    auto scheduler =
        MakeScheduler(options, *fabric, ClusterScheduler::ParsePlacing(options.placing));
    scheduler.SetSpare(options.failures.spare);
    if (options.slices > 0)
    {
        scheduler.SetMostJobs(options.slices);
    }
    nlohmann::ordered_json fragmentation;
    std::vector<ClusterRun::Outcome> outcomes;
    if (options.isFull)
    {
        outcomes = iterations.SimulateAll(jobs, scheduler);
        watch.Check();
    }
    else
    {
        const auto failures = options.failures.Get(*fabric,
                                                   options.gpus,
                                                   iterations.IsBypassing(),
                                                   options.drawn.seed);
        ClusterRun run(
            jobs,
            scheduler,
            [&](const auto& running) {
                watch.Check();
                return iterations.GetTimes(running);
            },
            failures);
        std::unique_ptr<ClusterTimeline> timeline;
        if (!options.timeline.empty())
        {
            timeline = std::make_unique<ClusterTimeline>(options.timeline,
                                                         options.gpus,
                                                         jobs,
                                                         failures.components);
        }
        run.SetObserver([&timeline, &watch](const auto& event) {
            if (timeline)
            {
                timeline->Note(event);
            }
            watch.Note(event);
        });
        run.SetFaultCallback([&](const std::string& component, bool failed) {
            iterations.SetFailed(component, failed);
        });
        run.Run();
        if (timeline)
        {
            timeline->Close();
        }
        outcomes = run.GetOutcomes();
        fragmentation = run.GetFragmentation();
    }
    const ClusterSummary summary(jobs, outcomes, options.gpus);
    light = iterations.GetLight();
    return {{"fabric", name},
            {"seconds", summary.seconds},
            {"utilisation", summary.utilisation},
            {"goodput", summary.goodput},
            {"waitingSeconds", summary.waiting},
            {"jobSeconds", summary.jobTime},
            {"slowDown", summary.slowDown},
            {"fragmentation", fragmentation},
            {"fairness", summary.fairness},
            {"failures", summary.nFailures},
            {"simulations", iterations.GetNSimulations()}};
}

/**
 * @param options the options
 * @param model a model of the zoo
 * @return how far its iterations are from published ones
 */
Validation
Validate(const Options& options, const std::string& model)
{
    return Validation::ForTraining(ModelZoo::Create(model), Strategy(), options.accelerator);
}

/**
 * Print the table.
 *
 * @param options the options
 * @param given the options as they were given
 */
void
Run(Options& options, const ProgramOptions& given)
{
    TextTable::CheckFormat(options.format);
    const auto names = SplitList(options.fabrics);
    options.fabric.Check(names, options.gpus);
    given.CheckOwners(options.fabric.GetOwners(names));
    if (!(options.days > 0) || !(options.medianHours > 0) || !(options.drawn.deviation >= 0) ||
        86400 * options.days > MOST_SECONDS)
    {
        throw std::invalid_argument("--deviation must be at least 0, and --days and --medianHours "
                                    "above 0, and --days at most 365250");
    }
    options.failures.Check();
    if (options.fabric.servers.GetGpus() > 1)
    {
        throw std::invalid_argument("The GPUs of the cluster have ports of their own: leave out "
                                    "servers");
    }
    if (options.isFull && (options.failures.HasFailures() || options.slices > 0))
    {
        throw std::invalid_argument("--full simulates no failures and no slices: leave out "
                                    "--failures, mean times between failures and --slices");
    }
    if (!options.timeline.empty() && (options.isFull || names.size() > 1))
    {
        throw std::invalid_argument("--timeline shows one fabric, without --full");
    }
    options.drawn.seconds = 86400 * options.days;
    options.drawn.medianSeconds = 3600 * options.medianHours;
    options.drawn.largest = std::min(options.drawn.largest, options.gpus);
    WholeFiles files;
    const auto trace = GetTrace(options, files);
    ClusterWatch watch(options);
    std::vector<std::vector<std::string>> lines{{"fabric"}};
    for (const auto& column : COLUMNS)
    {
        lines[0].emplace_back(column.head);
    }
    lines[0].emplace_back("feasible");
    auto rows = nlohmann::ordered_json::array();
    // A simulation that was stopped is the fault of the clock
    const auto run = [&watch](const auto& work) {
        try
        {
            work();
        }
        catch (const std::runtime_error&)
        {
            watch.Check();
            throw;
        }
    };
    std::vector<ClusterJob> jobs;
    run([&] { jobs = MakeJobs(options, trace); });
    FabricRefusals refusals(names, names.size() > 1);
    std::ostringstream lights;
    for (const auto& name : names)
    {
        const auto add = [&] {
            LightVerdict light;
            auto row = RunFabric(options, name, jobs, watch, light);
            lines.push_back(MakeLine(row, light));
            light.AddTo(row);
            rows.push_back(row);
            light.Print(lights, name);
        };
        if (!refusals.Try(name, [&] { run(add); }))
        {
            lines.push_back({name, "refused: " + refusals.Get(name)});
            rows.push_back({{"fabric", name}, {"refused", refusals.Get(name)}});
        }
    }
    files.Finish();
    if (!options.json.empty())
    {
        nlohmann::ordered_json validations;
        for (const auto& model : SplitList(options.models))
        {
            validations[model] = Validate(options, model).GetJson();
        }
        WriteJson({{"gpus", options.gpus},
                   {"accelerator", options.accelerator},
                   {"validation", validations},
                   {"rows", rows}},
                  options.json);
    }
    if (!ProgramOptions::HasTable(options.json, options.quiet))
    {
        return;
    }
    TextTable(lines).Print(std::cout, options.format);
    if (options.format == "table")
    {
        for (const auto& model : SplitList(options.models))
        {
            std::cout << model << ": " << Validate(options, model).Describe() << "\n";
        }
        std::cout << lights.str();
    }
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
    ProgramOptions cmd("lightpath-cluster",
                       "Simulate many training jobs that share the fabric of a cluster.");
    cmd.BeginGroup("Cluster");
    cmd.AddValue("fabric", "Fabric, or several between commas", options.fabrics);
    cmd.AddValue("gpus", "Number of GPUs", options.gpus, 2, 1 << 16);
    cmd.AddValue("accelerator", "Kind of the GPUs", options.accelerator);
    cmd.AddValue("order", "Next job: first-come, backfill, shortest", options.order);
    cmd.AddValue("placing", "GPUs of a job: contiguous, scattered, fabric", options.placing);
    cmd.AddValue("slices",
                 "Equal slices of the wavelengths of sip-ring or the switches of sip-ocs, of which "
                 "each job has one for itself; 0: jobs share the circuits",
                 options.slices,
                 0,
                 1 << 16);
    cmd.BeginGroup("Jobs");
    cmd.AddValue("models", "Models of the zoo that jobs train, drawn for each", options.models);
    cmd.AddValue("samples", "Samples of a GPU in an iteration", options.samples, 1, 1 << 20);
    cmd.AddValue("trace",
                 "File with jobs in the format of the Helios and Acme traces; empty: draw them",
                 options.trace);
    cmd.AddValue("jobs", "Number of jobs to draw", options.drawn.jobs, 1, 1000000);
    cmd.AddValue("days", "Days in which they are submitted", options.days);
    cmd.AddValue("largestJob", "Most GPUs of a job", options.drawn.largest, 1, 1 << 16);
    cmd.AddValue("medianHours", "Median time of a job, hours", options.medianHours);
    cmd.AddValue("deviation",
                 "Standard deviation of the logarithm of this time",
                 options.drawn.deviation);
    cmd.AddValue("writeTrace", "File to write the jobs to", options.written);
    cmd.AddValue("seed", "Seed of the random numbers", options.drawn.seed, 1, UINT32_MAX);
    options.failures.AddTo(cmd);
    options.fabric.AddTo(cmd);
    cmd.BeginGroup("Output");
    cmd.AddValue("timeout",
                 "Longest time of the program by the wall clock, like 10min; 0s: none",
                 "0s",
                 options.timeout);
    ProgressLine::AddOption(cmd);
    cmd.AddValue("full", "Simulate each iteration of each job", options.isFull);
    cmd.AddValue("timeline",
                 "File for ui.perfetto.dev: which job holds which GPUs when, and what fails",
                 options.timeline);
    cmd.AddValue("format", "Format of the table: table, rst, csv", options.format);
    cmd.AddOutput(options.json, options.quiet);
    RunWatch::UseScheduler();
    return cmd.Run(argc, argv, [&] { Run(options, cmd); });
}
