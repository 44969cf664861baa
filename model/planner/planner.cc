/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "planner.h"

#include "degree-advice.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/price/plan-circuits.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(Planner);

TypeId
Planner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::Planner").SetParent<Object>().SetGroupName("Lightpath");
    return tid;
}

TrainingPlan
Planner::Plan(const PlanningProblem& problem) const
{
    CheckProblem(problem);
    TrainingPlan plan = DoPlan(problem);
    plan.Check();
    plan.phaseCircuits = plan.phaseCircuits || problem.fabric.phaseCircuits;
    CheckAveraged(plan, problem.fabric);
    DegreeAdvice(problem).Check(plan);
    CheckMemory(plan.memoryBytes, problem.accelerator);
    try
    {
        plan.cost = CostModel(problem.fabric).Price(plan);
    }
    catch (const std::invalid_argument&)
    {
        DegreeAdvice(problem).CheckServed(plan);
        throw;
    }
    plan.predictedSeconds = plan.cost.seconds;
    return plan;
}

void
Planner::CheckTraffic(const TrafficMatrix& traffic, const FabricLimits& fabric)
{
    if (fabric.indirectBitRate > 0)
    {
        return;
    }
    PlanCircuits::CheckDegree(traffic, fabric);
    for (const auto& allocator : fabric.allocators)
    {
        PlanCircuits::CheckServed(allocator->Allocate(traffic));
    }
}

void
Planner::CheckAveraged(const TrainingPlan& plan, const FabricLimits& fabric)
{
    if (!(fabric.averagedBits > 0))
    {
        return;
    }
    std::unordered_set<const RankProgram*> seen;
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        if (!seen.insert(plan.programs[rank].get()).second)
        {
            continue;
        }
        for (const auto& task : plan.programs[rank]->GetTasks())
        {
            const bool isAveraged =
                task.kind == TaskKind::COLLECTIVE &&
                task.options.algorithm == CollectiveAlgorithm::IN_NETWORK &&
                plan.groups[task.group].GetMembers(rank).size() == plan.programs.size();
            if (task.kind != TaskKind::COMPUTE && !isAveraged)
            {
                throw std::invalid_argument(
                    "The fabric averages the gradients of all GPUs and carries nothing else, such "
                    "as '" +
                    task.name +
                    "' of the plan: it takes data parallelism alone, as the planner fixed has it, "
                    "without sharing out state, experts or sparse gradients");
            }
        }
    }
}

void
Planner::CheckProblem(const PlanningProblem& problem)
{
    if (problem.gpus == 0)
    {
        throw std::invalid_argument("A plan needs at least 1 GPU, not 0");
    }
    if (problem.globalBatch == 0)
    {
        throw std::invalid_argument("A plan needs a global batch of at least 1 " +
                                    problem.graph.GetSample() + ", not 0");
    }
    if (problem.graph.GetOperators().empty())
    {
        throw std::invalid_argument("The model \"" + problem.graph.GetName() +
                                    "\" has no operators: a plan needs at least 1");
    }
    if (problem.gpus > 1 && !(problem.fabric.bitRate > 0))
    {
        throw std::invalid_argument("The fabric between " + std::to_string(problem.gpus) +
                                    " GPUs needs a bit rate above 0, not " +
                                    std::to_string(problem.fabric.bitRate));
    }
    if (problem.fabric.circuits == 0)
    {
        throw std::invalid_argument("The rate of a GPU is split into at least 1 circuit, not 0");
    }
    if (!(problem.fabric.latency >= 0))
    {
        throw std::invalid_argument("The latency of the fabric is at least 0 s, not " +
                                    std::to_string(problem.fabric.latency));
    }
}

void
Planner::CheckMemory(uint64_t bytes, const Accelerator& accelerator)
{
    if (bytes > accelerator.memoryBytes)
    {
        const std::string needed = MemoryUse::ToGib(bytes);
        const uint64_t most = std::max<uint64_t>(accelerator.memoryBytes, 1);
        throw std::invalid_argument(
            "Memory: a GPU would have to hold " + needed + " GiB, but the accelerator " +
            accelerator.name + " has " + MemoryUse::ToGib(accelerator.memoryBytes) +
            " GiB: GPUs with " + needed + " GiB would do, or else it takes at least " +
            std::to_string(bytes / most + (bytes % most > 0 ? 1 : 0)) +
            " times as many GPUs for each replica, or a smaller global batch");
    }
}

} // namespace lightpath
} // namespace ns3
