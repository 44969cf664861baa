/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "planned-training.h"

#include "fabric-refusals.h"
#include "model/planner/planning-deadline.h"
#include "option-values.h"
#include "plan-explanation.h"
#include "plan-rehearsal.h"
#include "plan-report.h"
#include "run-meter.h"
#include "run-watch.h"
#include "train-options.h"

#include "ns3/fixed-planner.h"
#include "ns3/model-zoo.h"
#include "ns3/planner.h"
#include "ns3/planning-problem.h"
#include "ns3/search-planner.h"
#include "ns3/server-helper.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <optional>
#include <sstream>
#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

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
          const TrainOptions& options,
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
    if (report.simulatedGpus > 0 && report.simulatedGpus < options.gpus)
    {
        os << "simulated " << report.simulatedGpus << " of " << options.gpus
           << " GPUs, which stand for all" << (report.foldsExactly ? "" : ": times are approximate")
           << "\n";
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

/**
 * @param options the options
 * @param name the name of a fabric that carries a plan
 * @param planned the plan
 * @return the servers and the ports between them; null without any
 */
nlohmann::ordered_json
GetServers(const TrainOptions& options, const std::string& name, const PlannedTraining& planned)
{
    const auto fabric = options.MakeFabric(name, options.gpus, planned.serverGpus);
    const auto* const servers = dynamic_cast<const ServerHelper*>(fabric.get());
    return servers ? ServerOptions::GetJson(*servers, planned.plan) : nullptr;
}

/**
 * Plan with the strategy of another plan.
 *
 * @param options the options
 * @param model the other plan, which may be for another fabric
 * @param problem the problem
 * @return the plan, placed for the fabric of the problem, with collective algorithms that suit it
 */
TrainingPlan
Follow(const TrainOptions& options, const TrainingPlan& model, const PlanningProblem& problem)
{
    if (!options.planner.FindsStrategy())
    {
        // Pieces of operators are no strategy
        return Planner::Adopt(model, problem);
    }
    Strategy strategy = model.strategy;
    strategy.tensorAlgorithm = CollectiveAlgorithm::AUTOMATIC;
    strategy.dataAlgorithm = CollectiveAlgorithm::AUTOMATIC;
    strategy.tensorRings = 1;
    strategy.dataRings = 1;
    const auto planner = CreateObject<FixedPlanner>();
    planner->SetStrategy(strategy);
    return planner->TryPlan(problem);
}

/**
 * Find a plan. Where circuits stay as long as they serve, it is one for those of the first decision
 * if that can be, as no message waits for a later one then.
 *
 * @param options the options
 * @param name the name of the fabric that is to carry it
 * @param planner the planner
 * @param model a plan whose strategy it is to have; null for any
 * @param [out] problem the problem that is solved
 * @return the plan
 */
TrainingPlan
FindPlan(const TrainOptions& options,
         const std::string& name,
         const Planner& planner,
         const TrainingPlan* model,
         PlanningProblem& problem)
{
    const auto find = [&] {
        return options.workload.IsGiven() ? Planner::Adopt(options.workload.GetPlan(), problem)
               : model                    ? Follow(options, *model, problem)
                                          : planner.TryPlan(problem);
    };
    const bool isFirst = options.circuits.KeepsCircuits();
    problem = options.MakeProblem(name, isFirst);
    try
    {
        return find();
    }
    catch (const std::invalid_argument&)
    {
        if (!isFirst)
        {
            throw;
        }
    }
    const auto deadline = problem.fabric.deadline;
    problem = options.MakeProblem(name, false);
    problem.fabric.deadline = deadline;
    return find();
}

/**
 * Make one plan.
 *
 * @param options the options
 * @param name the name of the fabric that is to carry it
 * @param model a plan whose strategy it is to have; null for any
 * @return the plan
 */
PlannedTraining
MakePlanInTime(const TrainOptions& options, const std::string& name, const TrainingPlan* model)
{
    PlanningProblem problem;
    const RunMeter meter;
    const auto planner = options.planner.MakePlanner();
    const PlanWatch watch("planning for " + name, planner, !options.quiet);
    PlannedTraining planned{name, {}, options.servers.GetGpus(), {}, {}, {}, {}, {}};
    planned.plan = FindPlan(options, name, *planner, model, problem);
    options.speeds.Price(problem.fabric, planned.plan);
    if (!options.workload.IsGiven())
    {
        planned.work = IterationWork::Count(problem.graph,
                                            planned.plan.strategy,
                                            problem.globalBatch,
                                            problem.gpus,
                                            problem.accelerator,
                                            problem.expertLoad);
        if (!problem.accelerator.profile)
        {
            planned.validation =
                Validation::ForTraining(problem.graph, planned.plan.strategy, options.accelerator);
        }
    }
    const double bound = planned.plan.lowerBoundSeconds;
    PlanReport report(planned.plan);
    report.validation = planned.validation;
    report.hasFailures = options.circuits.HasFaults();
    report.planningSeconds = meter.GetWallSeconds();
    report.planningPeakMemoryBytes = RunMeter::GetPeakMemoryBytes();
    const nlohmann::ordered_json servers = GetServers(options, name, planned);
    std::optional<PlanExplanation> explanation;
    if (options.explain && planned.plan.cost.refusal.empty())
    {
        explanation.emplace(problem, planned.plan, options.planner.GetName());
    }
    if (options.planOnly && options.rehearse)
    {
        if (const auto run = PlanRehearsal::Rehearse(options, name, planned.plan))
        {
            report.rehearsed = run->GetSteadySeconds();
            planned.plan.predictedSeconds = *report.rehearsed;
            planned.light = *run;
        }
    }
    std::string whole;
    if (options.MayFold())
    {
        whole = PlanRehearsal::Fold(options, name, planned.plan, planned.serverGpus);
    }
    report.simulatedGpus = options.planOnly ? 0 : planned.plan.programs.size();
    report.foldsExactly = planned.plan.foldsExactly;
    std::ostringstream text;
    text << (options.compare.empty() ? "" : name + ": ");
    PrintPlan(text, options, report, explanation);
    text << (whole.empty() ? "" : "simulates all GPUs: " + whole + "\n");
    text << (servers.is_null() ? "" : ServerOptions::GetText(servers) + "\n");
    text << (options.planOnly ? "" : PlanRehearsal::DescribePackets(options, name, planned.plan));
    const double gap = planned.plan.predictedSeconds / bound - 1;
    const auto search = DynamicCast<SearchPlanner>(planner);
    if (search && search->IsCut() && bound > 0 && gap > 0.005)
    {
        text << "search: its budget ended it " << std::fixed << std::setprecision(gap < 0.1 ? 1 : 0)
             << 100 * gap
             << " % above its lower bound: a longer --planningTime may find a better plan\n";
    }
    planned.json = report.GetJson();
    if (options.turns.WantsMap())
    {
        planned.json["turns"] = TurnOption::MakeMap(problem.fabric, planned.plan);
        text << TurnOption::GetText(planned.json["turns"]);
    }
    planned.text = text.str();
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
    if (const LinkSplit& split = planned.plan.linkSplit; split.GetTotal() > 0)
    {
        planned.json["linkSplit"] = {{"common", split.common},
                                     {"sums", split.sums},
                                     {"others", split.others}};
    }
    if (explanation)
    {
        explanation->AddTo(planned.json);
    }
    if (options.planningLog)
    {
        planned.json["planningLog"] = GetPlanningLog(planner, bound);
    }
    PlanningDeadline::Check(problem.fabric.deadline);
    return planned;
}

/**
 * Make one plan. Throws std::runtime_error if that takes longer than the timeout.
 *
 * @param options the options
 * @param name the name of the fabric that is to carry it
 * @param model a plan whose strategy it is to have; null for any
 * @return the plan
 */
PlannedTraining
MakePlan(const TrainOptions& options, const std::string& name, const TrainingPlan* model)
{
    try
    {
        return MakePlanInTime(options, name, model);
    }
    catch (const PlanningTimeout&)
    {
        throw std::runtime_error("Planning for " + name +
                                 " was not finished within --timeout: give it longer, or a simpler "
                                 "--placement or --planner");
    }
}

} // namespace

std::vector<PlannedTraining>
PlannedTraining::MakeAll(const TrainOptions& options, FabricRefusals& refusals)
{
    std::vector<PlannedTraining> plans;
    std::optional<TrainingPlan> first;
    for (const auto& name : refusals.GetAccepted())
    {
        refusals.Try(name, [&] {
            const bool follows = options.samePlan && first && !options.planner.GivesStrategy();
            plans.push_back(MakePlan(options, name, follows ? &*first : nullptr));
            if (!first)
            {
                first = plans.back().plan;
            }
        });
    }
    return plans;
}

void
PlannedTraining::PrintMisses(std::ostream& os,
                             const std::vector<PlannedTraining>& plans,
                             const std::vector<TrainingReport>& reports,
                             bool hasFailures)
{
    constexpr double tolerance = 0.2;
    for (const auto& report : reports)
    {
        const auto planned = std::find_if(plans.begin(), plans.end(), [&report](const auto& each) {
            return each.name == report.fabric;
        });
        // The first iteration may wait for the first circuits
        if (planned == plans.end() || report.iterationSeconds.size() < 2)
        {
            continue;
        }
        const double ratio = report.GetSteadySeconds() / planned->plan.predictedSeconds;
        if (std::isfinite(ratio) && std::abs(ratio - 1) > tolerance)
        {
            std::ostringstream text;
            text.precision(3);
            text << report.fabric << ": an iteration takes " << ratio
                 << " times as long as estimated"
                 << (hasFailures                         ? " without the failures\n"
                     : planned->plan.cost.lacksDecisions ? " without later decisions on circuits\n"
                                                         : ": another plan may be faster\n");
            os << text.str();
        }
    }
}
