/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-choice.h"

#include "model/collective/collective-chooser.h"
#include "model/planner/place/grid-collectives.h"
#include "model/planner/price/cost-model.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Estimates beyond this multiple of the lowest one are not priced.
constexpr double SPAN = 1.5;

/// Times that differ by less than this part of them count as the same.
constexpr double SAME = 1e-3;

/**
 * @param plan a plan with one task
 * @param options the algorithm of the task
 * @return the plan with these
 */
TrainingPlan
With(const TrainingPlan& plan, const CollectiveOptions& options)
{
    TrainingPlan changed = plan;
    changed.ChangeTasks([](const Task&) { return true; },
                        [&options](Task& task) { task.options = options; });
    return changed;
}

/**
 * @param limits the fabric
 * @param plan a plan with one task
 * @return algorithms for the task, one ring first
 */
std::vector<CollectiveOptions>
GetWays(const FabricLimits& limits, const TrainingPlan& plan)
{
    const Task& task = plan.programs.front()->GetTasks().front();
    const CollectiveChooser chooser({{limits.latency, limits.bitRate / 8}, 0, 0, true});
    std::vector<CollectiveOptions> ways;
    for (const auto& candidate : chooser.GetCandidates(task.collective,
                                                       static_cast<uint32_t>(plan.programs.size()),
                                                       task.bytes))
    {
        ways.push_back(candidate.options);
    }
    TrainingPlan placed = plan;
    GridCollectives::Choose(limits, placed);
    ways.push_back(placed.programs.front()->GetTasks().front().options);
    return ways;
}

} // namespace

CollectiveOptions
CollectiveChoice::Find(const FabricLimits& limits, const TrainingPlan& plan)
{
    const CostModel model(limits);
    std::vector<TrainingPlan> plans;
    std::vector<double> estimates;
    for (const auto& way : GetWays(limits, plan))
    {
        try
        {
            TrainingPlan changed = With(plan, way);
            limits.CheckPaths(changed.GetTraffic());
            const PlanCost cost = model.Estimate(changed);
            if (cost.refusal.empty())
            {
                plans.push_back(std::move(changed));
                estimates.push_back(cost.seconds);
            }
        }
        catch (const std::invalid_argument&)
        {
            // The fabric has no circuits for it
        }
    }
    CollectiveOptions best = plan.programs.front()->GetTasks().front().options;
    const auto lowest = std::min_element(estimates.begin(), estimates.end());
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < plans.size(); ++i)
    {
        const double seconds = estimates[i] <= SPAN * *lowest
                                   ? model.Price(plans[i], least).seconds
                                   : std::numeric_limits<double>::infinity();
        if (seconds < least * (1 - SAME))
        {
            least = seconds;
            best = plans[i].programs.front()->GetTasks().front().options;
        }
    }
    return best;
}
