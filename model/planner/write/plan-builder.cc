/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-builder.h"

#include "model/base/count-noun.h"
#include "model/planner/planning-deadline.h"
#include "pipeline-schedule.h"
#include "replica-layout.h"
#include "stage-memory.h"
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

void
PlanBuilder::CheckDegrees(const Strategy& strategy) const
{
    StagedModel::CheckPositive(strategy);
    const uint64_t parts = strategy.GetGpus() / strategy.dataParallel;
    if (strategy.GetGpus() != m_problem.gpus)
    {
        throw std::invalid_argument(
            "Divisibility: " + CountNoun(strategy.dataParallel, "replica") + " of " +
            CountNoun(parts, "GPU") + " each do not make " + CountNoun(m_problem.gpus, "GPU") +
            ": DataParallel times TensorParallel times PipelineParallel times "
            "ContextParallel must be the number of GPUs");
    }
    if (m_problem.globalBatch % strategy.dataParallel != 0)
    {
        throw std::invalid_argument(
            "Divisibility: a global batch of " + std::to_string(m_problem.globalBatch) +
            " cannot be shared out evenly over " + std::to_string(strategy.dataParallel) +
            " replicas: it must be a multiple of DataParallel");
    }
    const uint64_t batch = m_problem.globalBatch / strategy.dataParallel;
    if (batch % strategy.microbatches != 0)
    {
        throw std::invalid_argument("Divisibility: the " + CountNoun(batch, "sample") +
                                    " of a replica cannot be cut evenly into " +
                                    std::to_string(strategy.microbatches) + " microbatches");
    }
}

std::vector<MemoryUse>
PlanBuilder::GetMemory(const Strategy& strategy) const
{
    PlanningDeadline::Check(m_problem.fabric.deadline);
    const StagedModel model(m_problem, strategy);
    std::vector<MemoryUse> memory;
    const StageMemory uses(model);
    for (uint32_t stage = 0; stage < strategy.pipelineParallel; ++stage)
    {
        memory.push_back(uses.GetUse(stage));
    }
    return memory;
}

uint64_t
PlanBuilder::GetMostBytes(const Strategy& strategy) const
{
    uint64_t most = 0;
    for (const auto& memory : GetMemory(strategy))
    {
        most = std::max(most, memory.GetTotal());
    }
    return most;
}

void
PlanBuilder::CheckMemory(const Strategy& strategy, const std::vector<MemoryUse>& memory) const
{
    const auto fullest =
        std::max_element(memory.begin(), memory.end(), [](const MemoryUse& a, const MemoryUse& b) {
            return a.GetTotal() < b.GetTotal();
        });
    const Accelerator& accelerator = m_problem.accelerator;
    if (fullest->GetTotal() <= accelerator.memoryBytes)
    {
        return;
    }
    // What fits, or else a step for the largest part of the memory
    const uint64_t largest = std::max(
        {fullest->parameters, fullest->gradients, fullest->optimizer, fullest->activations});
    const bool isActivations = largest == fullest->activations;
    uint32_t zero = largest == fullest->optimizer ? 1 : largest == fullest->gradients ? 2 : 3;
    zero = strategy.pipelineParallel > 1 ? 1 : zero; // the stages of ZeRO that pipelines allow
    std::string remedy = "use a larger TensorParallel or PipelineParallel";
    if (isActivations && strategy.recomputation != Recomputation::FULL)
    {
        remedy = "use Recomputation=Full";
    }
    else if (isActivations &&
             m_problem.globalBatch > uint64_t{strategy.dataParallel} * strategy.microbatches)
    {
        remedy = "use a smaller Microbatch";
    }
    else if (!isActivations && strategy.GetDataMembers() > 1 && strategy.zeroStage < zero)
    {
        remedy = "use ZeroStage=" + std::to_string(zero);
    }
    else if (!isActivations && strategy.GetShardMembers() < strategy.GetDataMembers())
    {
        remedy = "use a larger ShardGpus";
    }
    const std::string fit = FindRemedy(strategy, isActivations);
    remedy = fit.empty() ? remedy : "use " + fit;
    throw std::invalid_argument("Memory: the plan needs " + MemoryUse::ToGib(fullest->GetTotal()) +
                                " GiB (parameters " + MemoryUse::ToGib(fullest->parameters) +
                                ", gradients " + MemoryUse::ToGib(fullest->gradients) +
                                ", optimiser " + MemoryUse::ToGib(fullest->optimizer) +
                                ", activations " + MemoryUse::ToGib(fullest->activations) +
                                ", workspace " + MemoryUse::ToGib(fullest->workspace) +
                                ") on rank " + std::to_string(fullest - memory.begin()) +
                                ", but the accelerator " + accelerator.name + " has " +
                                MemoryUse::ToGib(accelerator.memoryBytes) + " GiB, " +
                                MemoryUse::ToGib(fullest->GetTotal() - accelerator.memoryBytes) +
                                " GiB too little: " + remedy);
}

std::vector<PlanBuilder::Change>
PlanBuilder::GetChanges(const Strategy& strategy, bool isActivations) const
{
    std::vector<Change> activations;
    std::vector<Change> shares;
    std::vector<Change> both;
    // Bubbles cost less than to compute activations again
    for (uint32_t stages = strategy.virtualStages / 2; stages > 0; stages /= 2)
    {
        activations.push_back({"VirtualStages=" + std::to_string(stages), strategy});
        activations.back().strategy.virtualStages = stages;
        activations.back().strategy.cuts.clear();
    }
    Change change{"Recomputation=Full", strategy};
    change.strategy.recomputation = Recomputation::FULL;
    const bool isFull = strategy.recomputation == Recomputation::FULL;
    if (!isFull)
    {
        activations.push_back(change);
    }
    for (uint32_t zero = strategy.zeroStage + 1; zero <= 3; ++zero)
    {
        const std::string words = "ZeroStage=" + std::to_string(zero);
        shares.push_back({words, strategy});
        shares.back().strategy.zeroStage = zero;
        change.strategy.zeroStage = zero;
        both.push_back({words + " and Recomputation=Full", change.strategy});
    }
    const uint64_t batch = m_problem.globalBatch / strategy.dataParallel;
    for (uint64_t size = batch / strategy.microbatches / 2; size > 0; size /= 2)
    {
        activations.push_back({"Microbatch=" + std::to_string(size), strategy});
        activations.back().strategy.microbatches = static_cast<uint32_t>(batch / size);
    }
    auto changes = isActivations ? activations : shares;
    const auto& others = isActivations ? shares : activations;
    changes.insert(changes.end(), others.begin(), others.end());
    if (!isFull)
    {
        changes.insert(changes.end(), both.begin(), both.end());
    }
    return changes;
}

std::string
PlanBuilder::FindRemedy(const Strategy& strategy, bool isActivations) const
{
    const auto fits = [this](const Change& change) {
        try
        {
            CheckDegrees(change.strategy);
            PipelineSchedule::Check(change.strategy);
            return GetMostBytes(change.strategy) <= m_problem.accelerator.memoryBytes;
        }
        catch (const std::invalid_argument&)
        {
            return false;
        }
    };
    const auto changes = GetChanges(strategy, isActivations);
    const auto found = std::find_if(changes.begin(), changes.end(), fits);
    return found == changes.end() ? "" : found->words;
}

TrainingPlan
PlanBuilder::Build(const Strategy& strategy) const
{
    CheckDegrees(strategy);
    TrainingPlan plan;
    plan.strategy = strategy;
    plan.expertLoad = m_problem.expertLoad;
    plan.protocols = m_problem.protocols;
    const StagedModel model(m_problem, strategy);
    const StageMemory uses(model);
    // All ranks of a stage need the same memory
    const uint32_t stageRanks = strategy.GetDataMembers() * strategy.tensorParallel;
    for (uint32_t stage = 0; stage < strategy.pipelineParallel; ++stage)
    {
        PlanningDeadline::Check(m_problem.fabric.deadline);
        const MemoryUse memory = uses.GetUse(stage);
        plan.memory.insert(plan.memory.end(), stageRanks, memory);
        plan.memoryBytes = std::max(plan.memoryBytes, memory.GetTotal());
    }
    CheckMemory(strategy, plan.memory);
    std::vector<std::shared_ptr<const RankProgram>> programs;
    for (uint32_t stage = 0; stage < strategy.pipelineParallel; ++stage)
    {
        programs.push_back(StageProgram(model, stage).Write(model.GetStrategy().bucketBytes));
    }
    ReplicaLayout::ApplyStages(programs, plan);
    return plan;
}

} // namespace lightpath
} // namespace ns3
