/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "calibration-anchors.h"
#include "calibration-report.h"
#include "model/base/named-enum.h"
#include "option-values.h"
#include "output-files.h"
#include "program-options.h"
#include "run-meter.h"
#include "training-run.h"

#include "ns3/accelerator.h"
#include "ns3/boolean.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/fixed-planner.h"
#include "ns3/global-value.h"
#include "ns3/model-zoo.h"
#include "ns3/plan-folder.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <limits>
#include <unistd.h>

/**
 * @file
 * @ingroup lightpath
 * Simulates published measurements of training and reports how far off the simulations are.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param anchor a measurement
 * @return the planner that spreads the job as the measured one was
 */
Ptr<FixedPlanner>
MakePlanner(const Anchor& anchor)
{
    const auto planner = CreateObject<FixedPlanner>();
    const Strategy& strategy = anchor.strategy;
    planner->SetAttribute("DataParallel", UintegerValue(strategy.dataParallel));
    planner->SetAttribute("TensorParallel", UintegerValue(strategy.tensorParallel));
    planner->SetAttribute("PipelineParallel", UintegerValue(strategy.pipelineParallel));
    planner->SetAttribute("VirtualStages", UintegerValue(strategy.virtualStages));
    planner->SetAttribute("Microbatch", UintegerValue(anchor.microbatch));
    planner->SetAttribute("SequenceParallel", BooleanValue(strategy.sequenceParallel));
    planner->SetAttribute(
        "Recomputation",
        StringValue(NamedEnum::GetAttributeName(RecomputationName::Get(strategy.recomputation))));
    return planner;
}

/**
 * Simulate an iteration of a measured job on servers below an electrical switch.
 *
 * Ranks that do the same are folded. The memory of the GPUs is not limited: it is the time that is
 * compared.
 *
 * @param anchor the measurement
 * @return the outcome
 */
CalibrationRow
Simulate(const Anchor& anchor)
{
    const RunMeter meter;
    PlanningProblem problem;
    problem.graph = ModelZoo::Create(anchor.model);
    problem.accelerator = Accelerator::Create(anchor.accelerator);
    problem.accelerator.memoryBytes = std::numeric_limits<uint64_t>::max();
    problem.gpus = anchor.GetNGpus();
    problem.globalBatch = anchor.batch;
    const Accelerator& gpu = problem.accelerator;
    ElectricalSwitchHelper fabric;
    const DataRate uplink(static_cast<uint64_t>(anchor.uplinkGbps * 1e9));
    const auto setUp = [&](uint32_t serverGpus) {
        fabric.SetBandwidth(uplink);
        fabric.SetDelay(Seconds(gpu.networkLatency));
        fabric.SetServers(serverGpus,
                          DataRate(static_cast<uint64_t>(gpu.serverBitRate)),
                          Seconds(gpu.serverLatency));
        fabric.DisableFlowControl();
    };
    setUp(anchor.serverGpus);
    problem.fabric = fabric.GetLimits(problem.gpus);
    problem.fabric.collectiveLatency = gpu.collectiveLatency;
    const TrainingPlan plan = MakePlanner(anchor)->TryPlan(problem);
    const PlanFolder folder(plan, anchor.serverGpus);
    setUp(folder.GetServerGpus());

    TrainingRun run(fabric, folder.GetPlan().programs.size());
    TrainingHelper training;
    training.SetJobAttribute("Iterations", UintegerValue(1));
    training.SetJobAttribute("CollectiveLatency", TimeValue(Seconds(gpu.collectiveLatency)));
    run.Install(training, folder.GetPlan());
    CalibrationRow row;
    row.anchor = anchor;
    row.seconds = run.Run().GetSteadySeconds();
    row.plannedSeconds = plan.predictedSeconds;
    row.simulatedGpus = folder.GetPlan().programs.size();
    row.wallSeconds = meter.GetWallSeconds();
    return row;
}

/**
 * @param [in,out] list names, separated by commas
 * @param name a name to add, unless it is there
 */
void
Note(std::string& list, const std::string& name)
{
    if ((", " + list + ", ").find(", " + name + ", ") == std::string::npos)
    {
        list += (list.empty() ? "" : ", ") + name;
    }
}

/**
 * @param source a source of measurements, or nothing for all
 * @param accelerator the name of an accelerator, or nothing for all
 * @param job a part of the description of a job, or nothing for all
 * @return the measurements of all three
 */
std::vector<Anchor>
Select(const std::string& source, const std::string& accelerator, const std::string& job)
{
    std::vector<Anchor> selected;
    for (const auto& anchor : GetAnchors())
    {
        if ((source.empty() || anchor.source == source) &&
            (accelerator.empty() || anchor.accelerator == accelerator) &&
            anchor.job.find(job) != std::string::npos)
        {
            selected.push_back(anchor);
        }
    }
    if (selected.empty())
    {
        std::string sources;
        std::string accelerators;
        for (const auto& anchor : GetAnchors())
        {
            Note(sources, anchor.source);
            Note(accelerators, anchor.accelerator);
        }
        throw std::invalid_argument("There is no measurement with --source=" + source +
                                    ", --accelerator=" + accelerator + " and --job=" + job +
                                    ": sources are " + sources + ", accelerators are " +
                                    accelerators);
    }
    return selected;
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0 if the measurements were simulated and, with --check, the errors are within their
 *         limits
 */
int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    // As many events wait as there are GPUs, and none is removed
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    std::string source;
    std::string accelerator;
    std::string job;
    std::string format = "table";
    std::string json;
    bool check = false;
    ProgramOptions cmd("lightpath-calibrate",
                       "Simulate published measurements of training and report the errors.");
    cmd.AddValue("source", "Measurements of one source only, such as SC21", source);
    cmd.AddValue("accelerator", "Measurements of one accelerator only", accelerator);
    cmd.AddValue("job", "Jobs whose description has this part only, such as 175B", job);
    cmd.AddValue("format", "table, or rst for the documentation", format);
    cmd.AddValue("json", "File for the results as JSON; - for standard output", json);
    cmd.AddValue("check", "Fail if errors exceed 10 % (median) or 25 % (90 % of them)", check);
    return cmd.Run(argc, argv, [&] {
        CheckWritable(json);
        CalibrationReport report;
        report.CheckFormat(format);
        const auto anchors = Select(source, accelerator, job);
        for (std::size_t i = 0; i < anchors.size(); ++i)
        {
            if (isatty(STDERR_FILENO))
            {
                std::cerr << "\r\033[K" << i + 1 << " of " << anchors.size() << ": "
                          << anchors[i].source << ", " << anchors[i].job << std::flush;
            }
            report.Add(Simulate(anchors[i]));
        }
        if (isatty(STDERR_FILENO))
        {
            std::cerr << "\r\033[K" << std::flush;
        }
        if (json != "-")
        {
            report.Print(std::cout, format);
        }
        if (!json.empty())
        {
            WriteJson(report.GetJson(), json);
        }
        if (check)
        {
            report.Check();
        }
    });
}
