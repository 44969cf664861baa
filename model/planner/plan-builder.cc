/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-builder.h"

#include "memory-advice.h"
#include "replica-layout.h"
#include "stage-program.h"
#include "staged-model.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

PlanBuilder::PlanBuilder(const PlanningProblem& problem)
    : m_problem(problem)
{
}

std::vector<MemoryUse>
PlanBuilder::GetMemory(const Strategy& strategy) const
{
    const StagedModel model(m_problem, strategy);
    std::vector<MemoryUse> memory;
    for (uint32_t stage = 0; stage < strategy.pipelineParallel; ++stage)
    {
        memory.push_back(model.GetMemory(stage));
    }
    return memory;
}

TrainingPlan
PlanBuilder::Build(const Strategy& strategy) const
{
    TrainingPlan plan;
    plan.strategy = strategy;
    const StagedModel model(m_problem, strategy);
    const uint32_t replicas = strategy.dataParallel * strategy.tensorParallel;
    for (uint32_t stage = 0; stage < strategy.pipelineParallel; ++stage)
    {
        const MemoryUse memory = model.GetMemory(stage);
        plan.memory.insert(plan.memory.end(), replicas, memory);
        plan.memoryBytes = std::max(plan.memoryBytes, memory.GetTotal());
    }
    if (plan.memoryBytes > m_problem.accelerator.memoryBytes)
    {
        throw std::invalid_argument(MemoryAdvice(m_problem, strategy).GetRefusal(plan.memory));
    }
    std::vector<std::shared_ptr<const RankProgram>> programs;
    for (uint32_t stage = 0; stage < strategy.pipelineParallel; ++stage)
    {
        programs.push_back(StageProgram(model, stage).Write(strategy.bucketBytes));
    }
    ReplicaLayout::ApplyStages(programs, plan);
    return plan;
}

} // namespace lightpath
} // namespace ns3
