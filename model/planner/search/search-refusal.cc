/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "search-refusal.h"

#include "model/base/count-noun.h"
#include "model/planner/planning-deadline.h"
#include "model/planner/write/plan-builder.h"
#include "strategy-space.h"

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

std::string
SearchRefusal::GetDegree(std::string nearest, uint32_t degree)
{
    // The constraint is named once
    const std::string name = "Degree: ";
    const auto at = nearest.find(name);
    if (at != std::string::npos)
    {
        nearest.erase(at, name.size());
    }
    return name + "no strategy suits the degree of the fabric; the nearest one is " + nearest +
           (degree == UINT32_MAX ? "; use more circuits for each GPU"
                                 : "; it needs circuits to " + std::to_string(degree) + " peers");
}

std::string
SearchRefusal::GetBudget(const SearchBudget& budget,
                         double seconds,
                         std::size_t tried,
                         std::size_t all)
{
    const std::string none = "Time: the search has found no plan before its budget of ";
    if (budget.GetEvaluations() < budget.GetMaxEvaluations())
    {
        std::ostringstream text;
        text << none << std::setprecision(2) << seconds
             << " s was used up: use a longer TimeBudget";
        return text.str();
    }
    return none + std::to_string(budget.GetMaxEvaluations()) + " evaluations was used up, after " +
           std::to_string(tried) + " of " + std::to_string(all) +
           " strategies: use more MaxEvaluations";
}

std::string
SearchRefusal::GetConstraint(const PlanningProblem& problem)
{
    const std::string gpus = CountNoun(problem.gpus, "GPU");
    const uint64_t memoryBytes = problem.accelerator.memoryBytes;
    const Least least = FindLeast(problem);
    if (least.bytes == UINT64_MAX)
    {
        return "Divisibility: no strategy divides evenly what the model \"" +
               problem.graph.GetName() + "\" computes with a global batch of " +
               std::to_string(problem.globalBatch) + " over " + gpus +
               ": use a global batch that is a multiple of " + std::to_string(problem.gpus);
    }
    if (least.bytes > memoryBytes)
    {
        return "Memory: no strategy fits into the memory of " + gpus +
               ": the one that needs least, " + least.strategy.GetName() + ", needs " +
               MemoryUse::ToGib(least.bytes) + " GiB on the fullest GPU, but the accelerator " +
               problem.accelerator.name + " has " + MemoryUse::ToGib(memoryBytes) +
               " GiB: use more GPUs";
    }
    return "No strategy gives a plan of the model \"" + problem.graph.GetName() + "\" on " + gpus +
           ", though " + least.strategy.GetName() +
           " would fit into memory: the search must have a larger budget";
}

SearchRefusal::Least
SearchRefusal::FindLeast(PlanningProblem problem)
{
    // With unlimited memory the space holds the strategies that do not fit, too
    problem.accelerator.memoryBytes = UINT64_MAX / 2;
    Least least;
    const PlanBuilder builder(problem);
    for (const auto& strategy : StrategySpace(problem).GetStrategies())
    {
        PlanningDeadline::Check(problem.fabric.deadline);
        // The most recomputation and the smallest microbatches need least
        const uint64_t batch = problem.globalBatch / strategy.dataParallel;
        if (strategy.recomputation != Recomputation::FULL || strategy.virtualStages > 1 ||
            strategy.microbatches != StrategySpace::GetMicrobatches(batch).back())
        {
            continue;
        }
        try
        {
            const uint64_t most = builder.GetMostBytes(strategy);
            if (most < least.bytes)
            {
                least = {most, strategy};
            }
        }
        catch (const std::invalid_argument&)
        {
            // The model cannot be split so
            continue;
        }
    }
    return least;
}

} // namespace lightpath
} // namespace ns3
