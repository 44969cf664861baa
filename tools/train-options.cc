/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "train-options.h"

#include "model/planner/planning-deadline.h"
#include "option-values.h"
#include "run-watch.h"

#include "ns3/accelerator.h"
#include "ns3/interconnect-helper.h"
#include "ns3/model-zoo.h"
#include "ns3/operator-profile.h"
#include "ns3/planning-problem.h"

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @file
 * @ingroup lightpath
 * TrainOptions implementation.
 */

namespace
{

/// The most GPUs that are all simulated, unless a plan cannot be folded.
constexpr uint32_t MOST_WHOLE = 512;

} // namespace

std::vector<std::string>
TrainOptions::GetNames() const
{
    return SplitList(compare.empty() ? fabric : compare);
}

bool
TrainOptions::MayFold() const
{
    return !planOnly && (fold == Fold::ON || (fold == Fold::AUTO && gpus > MOST_WHOLE));
}

void
TrainOptions::AddTo(ProgramOptions& parsed)
{
    constexpr int64_t most = 1000000;
    parsed.BeginGroup("Model and accelerator");
    parsed.AddValue("model",
                    "Model, like gpt2-xl:layers=4, or FILE.json; lightpath-model --list names all",
                    model);
    parsed.AddValue("batch", "Samples of one iteration, over all GPUs", batch, 1);
    parsed.AddValue("accelerator",
                    "Accelerator, or FILE.json, by default that of --server: " +
                        JoinList(Accelerator::GetNames()),
                    accelerator);
    parsed.AddValue("memory",
                    "Memory of a GPU, like 80GiB, or unlimited; default: that of the accelerator",
                    "",
                    [this](const std::string& text) { memory = ParseMemory(text); });
    parsed.AddValue("gpus", "Number of GPUs", gpus, 1, most);
    parsed.AddValue("profile", "File with measured times of operators", profile);
    parsed.AddValue(
        "splitting",
        "Time of a share of an operator: roofline (that of an operator of its size), "
        "linear (that share of the time of the whole)",
        "roofline",
        [this](const std::string& text) {
            linear = ParseWord("splitting", text, {{"roofline", ""}, {"linear", "1"}}) == "1";
        });
    speeds.AddTo(parsed);
    planner.AddTo(parsed);
    workload.AddTo(parsed);
    parsed.BeginGroup("Fabric");
    parsed.AddValue("fabric",
                    "Fabric: " + JoinList(InterconnectHelper::GetNames()) +
                        "; an optical and an electrical one, like sip-ring+fat-tree",
                    fabric);
    parsed.AddValue("compare",
                    "Several fabrics, separated by commas, like sip-ring,fat-tree:dctcp",
                    compare);
    parsed.AddValue(
        "samePlan",
        "Give all fabrics of --compare the strategy of the plan for the first, in place "
        "of a plan for each",
        samePlan);
    parsed.Add({"planEach",
                "Plan for each fabric to compare, which is the default; false: --samePlan",
                "true",
                {},
                true,
                [this](const std::string& text) {
                    samePlan = ParseWord("planEach", text, {{"true", ""}, {"false", "1"}}) == "1";
                }});
    FabricOptions::AddTo(parsed);
    parsed.BeginGroup("Circuit control", TurnOption::GetOwners());
    turns.AddTo(parsed);
    turns.AddMap(parsed);
    parsed.BeginGroup("Run");
    parsed.AddValue("iterations", "Training iterations", iterations, 1, most);
    parsed.AddValue(
        "timeout",
        "Longest time of a plan, and of the simulation of a fabric, by the wall clock, like "
        "10min; 0s: none",
        "0s",
        timeout);
    parsed.Add({"fold",
                "Simulate a few GPUs that stand for all: auto (above " +
                    std::to_string(MOST_WHOLE) +
                    " GPUs, if they do the same: on electrical, mostly on sip-ocs and optinc, and "
                    "on others with rails), on, off",
                "auto",
                {},
                true,
                [this](const std::string& text) {
                    const std::string word = ParseWord("fold",
                                                       text,
                                                       {{"auto", "auto"},
                                                        {"on", "on"},
                                                        {"off", "off"},
                                                        {"true", "on"},
                                                        {"false", "off"},
                                                        {"1", "on"},
                                                        {"0", "off"}});
                    fold = word == "auto" ? Fold::AUTO : word == "on" ? Fold::ON : Fold::OFF;
                }});
    parsed.AddValue("planOnly", "Print the plan and its memory by use", planOnly);
    parsed.AddValue(
        "rehearse",
        "With --planOnly, predict by a simulation unless it is long; false: estimate, as "
        "planners do",
        rehearse);
    parsed.BeginGroup("Output");
    parsed.AddValue("explain",
                    "Print why this plan: alternatives, costs, what binds, and the bound",
                    explain);
    parsed.AddValue("planningLog",
                    "Add the lower bound of the planner and the progress of its search to the JSON",
                    planningLog);
    cost.AddTo(parsed);
    parsed.BeginGroup("Observation");
    path.AddTo(parsed);
    page.AddTo(parsed);
    timeline.AddTo(parsed);
    ProgressLine::AddOption(parsed);
    parsed.AddOutput(json, quiet);
}

PlanningProblem
TrainOptions::MakeProblem(const std::string& name, bool isFirst) const
{
    PlanningProblem problem;
    std::shared_ptr<const PlanningDeadline> deadline;
    if (timeout.IsStrictlyPositive())
    {
        deadline = std::make_shared<PlanningDeadline>(timeout.GetSeconds());
    }
    problem.framework = planner.GetFramework();
    problem.graph = workload.IsGiven() ? OperatorGraph(model)
                                       : ModelZoo::Create(problem.framework.GetModel(model));
    problem.accelerator = Accelerator::Create(accelerator);
    problem.accelerator.linearShares = linear;
    if (!profile.empty())
    {
        problem.accelerator.profile = OperatorProfile::ReadFile(profile);
        problem.accelerator.profile->Check(problem.graph);
    }
    problem.accelerator.memoryBytes = memory.value_or(problem.accelerator.memoryBytes);
    problem.gpus = gpus;
    problem.globalBatch = batch;
    problem.expertLoad = planner.GetExpertLoad();
    problem.gradientNorm = planner.HasGradientNorm();
    problem.placement = planner.GetPlacement();
    if ((fold == Fold::ON || workload.IsGiven()) && problem.placement == "automatic")
    {
        // GPUs stand for others where they are placed alike, and ranks of files are ports
        problem.placement = "linear";
    }
    problem.fabric = GetLimits(name, gpus, isFirst);
    turns.Configure(name, problem.fabric);
    problem.fabric.deadline = deadline;
    problem.protocols = protocols;
    return problem;
}
