/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-alternation.h"

#include "model/plan/plan-demand.h"
#include "model/planner/place/link-chooser.h"
#include "planner.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

NetworkAlternation::NetworkAlternation(const PlanningProblem& problem, MakePlan makePlan)
    : m_problem(problem),
      m_makePlan(std::move(makePlan))
{
}

const std::vector<double>&
NetworkAlternation::GetRounds() const
{
    return m_rounds;
}

TrainingPlan
NetworkAlternation::Run()
{
    PlanningProblem start = m_problem;
    start.fabric.linksFor = nullptr;
    RunFrom(start);
    start.fabric.links = LinkLimits();
    RunFrom(start);
    if (m_rounds.empty())
    {
        std::rethrow_exception(m_refusal);
    }
    return m_best;
}

void
NetworkAlternation::RunFrom(PlanningProblem problem)
{
    // Prices that differ by rounding are equal
    constexpr double equal = 1 - 1e-9;
    double last = std::numeric_limits<double>::infinity();
    for (uint32_t round = 0; round < MOST_ROUNDS; ++round)
    {
        TrainingPlan plan;
        try
        {
            plan = m_makePlan(problem);
        }
        catch (const std::invalid_argument&)
        {
            m_refusal = m_refusal ? m_refusal : std::current_exception();
            return;
        }
        const TrafficMatrix others = PlanDemand::Get(plan).others;
        // The same plan gets the same network, and what follows from it
        const bool isKnown =
            std::any_of(m_seen.begin(), m_seen.end(), [&plan, &others](const Seen& seen) {
                return seen.strategy == plan.strategy && seen.placement == plan.placement &&
                       seen.others == others;
            });
        if (isKnown)
        {
            return;
        }
        m_seen.push_back({plan.strategy, plan.placement, others});
        problem.fabric.links = LinkChooser::Choose(m_problem.fabric, plan);
        Planner::Price(problem.fabric, plan);
        const double seconds = plan.cost.refusal.empty() ? plan.predictedSeconds
                                                         : std::numeric_limits<double>::infinity();
        plan.lowerBoundSeconds = std::min(plan.lowerBoundSeconds, seconds);
        const bool isBest = m_rounds.empty() ||
                            seconds < *std::min_element(m_rounds.begin(), m_rounds.end()) * equal;
        m_rounds.push_back(seconds);
        if (isBest)
        {
            m_best = std::move(plan);
        }
        if (!(seconds < last * equal))
        {
            return;
        }
        last = seconds;
    }
}

} // namespace lightpath
} // namespace ns3
