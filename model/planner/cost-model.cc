/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cost-model.h"

#include "iteration-estimator.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

CostModel::CostModel(const FabricLimits& fabric)
    : m_fabric(fabric)
{
}

PlanCost
CostModel::Price(const TrainingPlan& plan, double limit) const
{
    const Strategy& strategy = plan.strategy;
    const uint32_t parts = strategy.tensorParallel;
    std::vector<std::shared_ptr<const RankProgram>> programs = plan.programs;
    const bool isWhole =
        uint64_t{parts} * strategy.dataParallel * strategy.pipelineParallel == plan.programs.size();
    const bool isStaged = isWhole && std::all_of(plan.programs.begin(),
                                                 plan.programs.begin() + parts,
                                                 [&plan](const auto& program) {
                                                     return program == plan.programs.front();
                                                 });
    if (isStaged)
    {
        programs.clear();
        for (uint32_t stage = 0; stage < strategy.pipelineParallel; ++stage)
        {
            programs.push_back(plan.programs[stage * parts * strategy.dataParallel]);
        }
    }
    else if (isWhole)
    {
        programs.resize(parts);
    }
    PlanCost cost;
    for (const auto& program : programs)
    {
        cost.computeSeconds = std::max(cost.computeSeconds, program->GetComputeSeconds());
    }
    cost.seconds = isStaged
                       ? IterationEstimator(programs, strategy, m_fabric).Run(limit)
                       : IterationEstimator(programs, strategy.dataParallel, m_fabric).Run(limit);
    cost.exposedSeconds = cost.seconds - cost.computeSeconds;
    cost.groups.resize(plan.groups.size());
    return cost;
}

} // namespace lightpath
} // namespace ns3
