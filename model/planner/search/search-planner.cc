/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "search-planner.h"

#include "strategy-search.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(SearchPlanner);

TypeId
SearchPlanner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::SearchPlanner")
            .SetParent<Planner>()
            .SetGroupName("Lightpath")
            .AddConstructor<SearchPlanner>()
            .AddAttribute(
                "MaxEvaluations",
                "Largest number of evaluations of plans; large plans count several times, "
                "and orders of the axes in local search come on top",
                UintegerValue(2000),
                MakeUintegerAccessor(&SearchPlanner::m_maxEvaluations),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute("TimeBudget",
                          "Wall-clock time after which the best plan so far is taken; 0 for no "
                          "limit, so that the result does not depend on the machine",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&SearchPlanner::m_timeBudget),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("Beam",
                          "Number of plans that are improved by local search",
                          UintegerValue(4),
                          MakeUintegerAccessor(&SearchPlanner::m_beam),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Tolerance",
                          "Gain, as a share of the iteration, below which the search stops",
                          DoubleValue(0),
                          MakeDoubleAccessor(&SearchPlanner::m_tolerance),
                          MakeDoubleChecker<double>(0, 0.5))
            .AddAttribute("LeastGain",
                          "Gain, as a share of the iteration, below which a simpler plan is taken: "
                          "one with fewer kinds of parallelism, less state shared out, no "
                          "recomputation, one decision on circuits",
                          DoubleValue(0.005),
                          MakeDoubleAccessor(&SearchPlanner::m_leastGain),
                          MakeDoubleChecker<double>(0, 0.5))
            .AddAttribute("Seed",
                          "Seed of the random moves of the local search",
                          UintegerValue(1),
                          MakeUintegerAccessor(&SearchPlanner::m_seed),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("OtherPlanners",
                          "Whether to start from the plans of other planners, so that the result "
                          "is never worse",
                          BooleanValue(true),
                          MakeBooleanAccessor(&SearchPlanner::m_otherPlanners),
                          MakeBooleanChecker())
            .AddTraceSource("Evaluations",
                            "Evaluations of plans were spent: those so far, and the most.",
                            MakeTraceSourceAccessor(&SearchPlanner::m_evaluationsTrace),
                            "ns3::lightpath::SearchPlanner::EvaluationsTracedCallback");
    return tid;
}

const std::vector<SearchProgress>&
SearchPlanner::GetProgress() const
{
    return m_progress;
}

bool
SearchPlanner::IsCut() const
{
    return m_isCut;
}

TrainingPlan
SearchPlanner::DoPlan(const PlanningProblem& problem) const
{
    StrategySearch::Options options;
    options.evaluations = m_maxEvaluations;
    options.seconds = m_timeBudget.GetSeconds();
    options.beam = m_beam;
    options.tolerance = m_tolerance;
    options.leastGain = m_leastGain;
    options.seed = m_seed;
    options.otherPlanners = m_otherPlanners;
    options.listener = [this](uint64_t evaluations, uint64_t most) {
        m_evaluationsTrace(evaluations, most);
    };
    StrategySearch search(problem, options, [&problem](const TrainingPlan& plan) {
        CheckPlan(problem, plan);
    });
    m_progress.clear();
    TrainingPlan plan = search.Run();
    m_progress = search.GetProgress();
    m_isCut = search.IsCut();
    return plan;
}

void
SearchPlanner::CheckPlan(const PlanningProblem& problem, const TrainingPlan& plan)
{
    CheckMemory(plan.memoryBytes, problem.accelerator);
    CheckAveraged(plan, problem.fabric);
    if (plan.turnCircuits)
    {
        problem.fabric.CheckPaths(plan.GetTraffic());
        return;
    }
    if (plan.phaseCircuits)
    {
        for (const auto& phase : plan.GetPhaseDemands())
        {
            CheckTraffic(phase, problem.fabric);
        }
    }
    else
    {
        CheckTraffic(plan.GetDemand(), problem.fabric);
    }
}

} // namespace lightpath
} // namespace ns3
