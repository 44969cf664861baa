/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "planner-starts.h"

#include "model/planner/planning-deadline.h"

#include "ns3/megatron-planner.h"
#include "ns3/sip-ml-planner.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Pieces times the GPUs of a replica that placing them is as much work as an evaluation.
constexpr uint64_t PIECES = 4000;

/// The budget left over the part of it that SipMlPlanner may use.
constexpr uint64_t BUDGET_PART = 3;

} // namespace

PlannerStarts::PlannerStarts(const PlanningProblem& problem, SearchBudget& budget, Take take)
    : m_problem(problem),
      m_budget(budget),
      m_take(std::move(take))
{
}

void
PlannerStarts::TryMegatron()
{
    // The smaller buckets of other plans hide more of their sums
    const auto planner = CreateObject<MegatronPlanner>();
    planner->SetAttribute("BucketBytes", UintegerValue(Strategy().bucketBytes));
    TryPlanner(*planner, "Megatron", std::numeric_limits<double>::infinity());
}

void
PlannerStarts::TrySipMl()
{
    // Pieces of operators share out no experts, and ask for circuits of their own one by one
    const auto& operators = m_problem.graph.GetOperators();
    const bool hasExperts = std::any_of(operators.begin(), operators.end(), [](const auto& each) {
        return each.experts > 0;
    });
    if (hasExperts || m_problem.fabric.turnCircuits)
    {
        return;
    }
    // SipMlPlanner for one number of replicas after the other, from the largest one on
    uint32_t replicas = 1;
    while (m_problem.gpus % (2 * uint64_t{replicas}) == 0 &&
           m_problem.globalBatch % (2 * uint64_t{replicas}) == 0)
    {
        replicas *= 2;
    }
    const SearchBudget::Part part = m_budget.GetPart(1, BUDGET_PART);
    for (; replicas > 0; replicas /= 2)
    {
        const uint64_t gpus = m_problem.gpus / replicas;
        const uint64_t evaluations = 1 + operators.size() * gpus * (gpus + 4) / PIECES;
        if (!m_budget.IsWithin(part, evaluations) || !m_budget.HasRoom(evaluations))
        {
            return;
        }
        m_budget.Charge(evaluations);
        const auto planner = CreateObject<SipMlPlanner>();
        planner->SetAttribute("DataParallel", UintegerValue(replicas));
        // The rest of its part, so that time is left for other plans
        TryPlanner(*planner, "SiP-ML", part.seconds - m_budget.GetElapsedSeconds());
    }
}

void
PlannerStarts::TryPlanner(const Planner& planner, const std::string& name, double seconds)
{
    Start start;
    start.choice.name = name;
    try
    {
        // They compete with quick prices, and those that follow messages would take all evaluations
        PlanningProblem quick = m_problem;
        quick.isQuick = m_problem.fabric.turnCircuits || !m_problem.fabric.FollowsMessages();
        if (std::isfinite(seconds))
        {
            quick.fabric.deadline =
                std::make_shared<PlanningDeadline>(seconds, quick.fabric.deadline);
        }
        const auto plan = std::make_shared<const TrainingPlan>(planner.TryPlan(quick));
        start.choice.strategy = plan->strategy;
        start.choice.name = name + ", " + plan->strategy.GetName();
        start.choice.base = plan;
        start.seconds = plan->cost.seconds;
        m_budget.Charge(plan->cost.events / SearchBudget::EVENTS);
    }
    catch (const std::invalid_argument& error)
    {
        start.refusal = error.what();
    }
    catch (const PlanningTimeout& error)
    {
        // The time of the whole search may be up as well
        PlanningDeadline::Check(m_problem.fabric.deadline);
        start.refusal = error.what();
    }
    m_take(start);
}

} // namespace lightpath
} // namespace ns3
