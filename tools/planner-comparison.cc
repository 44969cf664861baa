/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "planner-comparison.h"

#include "option-values.h"
#include "plan-report.h"
#include "planner-options.h"
#include "run-meter.h"
#include "training-run.h"

#include "ns3/plan-folder.h"
#include "ns3/uinteger.h"

#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

bool
PlannerOutcome::IsPlanned() const
{
    return refusal.empty();
}

nlohmann::ordered_json
PlannerOutcome::GetJson() const
{
    nlohmann::ordered_json json = {{"planner", planner}};
    if (!IsPlanned())
    {
        json["refusal"] = refusal;
        json["planningSeconds"] = planningSeconds;
        return json;
    }
    json.update({{"strategy", strategy},
                 {"planningSeconds", planningSeconds},
                 {"predictedSeconds", predictedSeconds},
                 {"simulatedSeconds", simulatedSeconds},
                 {"lowerBoundSeconds", lowerBoundSeconds},
                 {"simulatedGpus", simulatedGpus},
                 {"simulationSeconds", simulationSeconds}});
    return json;
}

PlannerOutcome
PlannerOutcome::Read(const nlohmann::ordered_json& json)
{
    PlannerOutcome outcome;
    outcome.planner = json.at("planner");
    outcome.refusal = json.value("refusal", "");
    outcome.planningSeconds = json.at("planningSeconds");
    if (outcome.IsPlanned())
    {
        outcome.strategy = json.at("strategy");
        outcome.predictedSeconds = json.at("predictedSeconds");
        outcome.simulatedSeconds = json.at("simulatedSeconds");
        outcome.lowerBoundSeconds = json.at("lowerBoundSeconds");
        outcome.simulatedGpus = json.at("simulatedGpus");
        outcome.simulationSeconds = json.at("simulationSeconds");
    }
    return outcome;
}

PlannerComparison::PlannerComparison(const PlannerCase& problem)
    : m_case(problem),
      m_problem(problem.MakeProblem())
{
}

PlannerOutcome
PlannerComparison::Run(const std::string& planner, const std::string& planningTime) const
{
    PlannerOutcome outcome;
    outcome.planner = planner;
    const RunMeter meter;
    try
    {
        const TrainingPlan plan = Plan(planner, planningTime);
        outcome.planningSeconds = meter.GetWallSeconds();
        outcome.strategy = plan.strategy.Describe();
        outcome.predictedSeconds = plan.predictedSeconds;
        outcome.lowerBoundSeconds = plan.lowerBoundSeconds;
        Simulate(Fold(plan), outcome);
    }
    catch (const std::invalid_argument& error)
    {
        outcome.planningSeconds = meter.GetWallSeconds();
        outcome.refusal = error.what();
    }
    catch (const std::runtime_error& error)
    {
        outcome.refusal = std::string("The plan fails: ") + error.what();
    }
    return outcome;
}

TrainingPlan
PlannerComparison::Plan(const std::string& planner, const std::string& planningTime) const
{
    const auto instance = PlannerOptions::Create(planner);
    if (!planningTime.empty())
    {
        instance->SetAttributeFailSafe("TimeBudget", TimeValue(ParseTime(planningTime)));
    }
    if (planner != "fixed")
    {
        return instance->TryPlan(m_problem);
    }
    try
    {
        return instance->TryPlan(m_problem);
    }
    catch (const std::invalid_argument&)
    {
        instance->SetAttribute("ZeroStage", UintegerValue(1));
        return instance->TryPlan(m_problem);
    }
}

TrainingPlan
PlannerComparison::Fold(const TrainingPlan& plan) const
{
    if (m_problem.fabric.degree > 0 || !m_problem.fabric.isShared)
    {
        return plan;
    }
    try
    {
        return PlanFolder(plan).GetPlan();
    }
    catch (const std::invalid_argument&)
    {
        return plan; // Its ranks do different things
    }
}

void
PlannerComparison::Simulate(const TrainingPlan& plan, PlannerOutcome& outcome) const
{
    const RunMeter meter;
    const auto fabric = m_case.MakeFabric();
    TrainingRun run(*fabric, plan.programs.size());
    TrainingHelper training;
    training.SetJobAttribute("Iterations", UintegerValue(2));
    training.SetTransportAttribute("FrameSize", UintegerValue(0));
    run.Install(training, plan);
    outcome.simulatedSeconds = run.Run().iterationSeconds.back();
    outcome.simulatedGpus = plan.programs.size();
    outcome.simulationSeconds = meter.GetWallSeconds();
}
