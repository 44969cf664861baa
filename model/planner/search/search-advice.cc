/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "search-advice.h"

#include "model/planner/build/plan-builder.h"
#include "model/planner/split-advice.h"
#include "plan-choice.h"
#include "strategy-space.h"

#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most times that GPUs are doubled or the batch is halved.
constexpr uint32_t MOST_DOUBLINGS = 6;

/// Parts of the last doubling of GPUs among which fewer are sought for.
constexpr uint64_t DOUBLING_PARTS = 8;

/// Numbers of GPUs of which each one is tried at the end, at most.
constexpr uint64_t MOST_NUMBERS = 16;

/**
 * @param strategies strategies
 * @return for each of the degrees of parallelism among them, the one that needs least memory: what
 *         recomputes and shares out most, with as few samples at once and as few parts as can be
 */
std::vector<Strategy>
GetFrugal(const std::vector<Strategy>& strategies)
{
    const auto thrift = [](const Strategy& strategy) {
        return std::make_tuple(strategy.recomputation,
                               strategy.zeroStage,
                               strategy.sequenceParallel,
                               strategy.microbatches,
                               -int64_t{strategy.virtualStages});
    };
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Strategy> best;
    for (const auto& strategy : strategies)
    {
        const auto [at, isNew] = best.insert(
            {{strategy.tensorParallel, strategy.pipelineParallel, strategy.expertParallel},
             strategy});
        if (!isNew && thrift(at->second) < thrift(strategy))
        {
            at->second = strategy;
        }
    }
    std::vector<Strategy> frugal;
    for (const auto& [degrees, strategy] : best)
    {
        frugal.push_back(strategy);
    }
    return frugal;
}

} // namespace

SearchAdvice::SearchAdvice(const PlanningProblem& problem)
    : m_problem(problem)
{
}

std::string
SearchAdvice::GetRefusal(const std::string& fabricRefusal, uint32_t degree) const
{
    if (!fabricRefusal.empty())
    {
        // The constraint is named once
        const std::string name = "Degree: ";
        const auto at = fabricRefusal.find(name);
        const std::string nearest =
            at == std::string::npos
                ? fabricRefusal
                : fabricRefusal.substr(0, at) + fabricRefusal.substr(at + name.size());
        return name + "no strategy suits the degree of the fabric; the nearest one is " + nearest +
               (degree == UINT32_MAX
                    ? "; more circuits of each GPU would do"
                    : "; circuits to " + std::to_string(degree) + " peers would do");
    }
    const Least least =
        FindLeast(m_problem.gpus, m_problem.globalBatch, m_problem.accelerator.memoryBytes);
    if (least.bytes == UINT64_MAX)
    {
        return GetDivision();
    }
    if (least.bytes > m_problem.accelerator.memoryBytes)
    {
        return GetMemory(least);
    }
    return "No strategy gives a plan of the model \"" + m_problem.graph.GetName() + "\" on " +
           std::to_string(m_problem.gpus) + " GPUs, though " + PlanChoice::GetName(least.strategy) +
           " would fit into memory: the search must have a larger budget";
}

std::string
SearchAdvice::GetTime(double seconds, double first)
{
    // The next time may take a little longer
    std::ostringstream text;
    text << std::setprecision(2) << "Time: the search has found no plan before its budget of "
         << seconds << " s was used up: a TimeBudget of about " << std::max(2 * first, 1e-2)
         << " s would do for a first plan";
    return text.str();
}

std::string
SearchAdvice::GetEvaluations(const SearchBudget& budget, std::size_t tried, std::size_t all)
{
    const double share = static_cast<double>(std::max<std::size_t>(all, 1)) / (tried + 1.0);
    const double enough = std::max(static_cast<double>(budget.GetEvaluations()), 2.0) * (1 + share);
    return "Time: the search has found no plan before its budget of " +
           std::to_string(budget.GetMaxEvaluations()) +
           " evaluations was used up, and has looked at " + std::to_string(tried) +
           " strategies: MaxEvaluations of about " + std::to_string(static_cast<uint64_t>(enough)) +
           " would do for all of them";
}

SearchAdvice::Least
SearchAdvice::FindLeast(uint32_t gpus, uint64_t batch, uint64_t enough) const
{
    PlanningProblem problem = m_problem;
    problem.gpus = gpus;
    problem.globalBatch = batch;
    // All strategies count, also those that are known not to fit
    problem.accelerator.memoryBytes = UINT64_MAX / 2;
    Least least;
    const PlanBuilder builder(problem);
    for (const auto& strategy : GetFrugal(StrategySpace(problem).GetStrategies()))
    {
        try
        {
            uint64_t most = 0;
            for (const auto& memory : builder.GetMemory(strategy))
            {
                most = std::max(most, memory.GetTotal());
            }
            if (most < least.bytes)
            {
                least = {most, strategy};
            }
        }
        catch (const std::invalid_argument&)
        {
            continue;
        }
        if (least.bytes <= enough)
        {
            break;
        }
    }
    return least;
}

std::string
SearchAdvice::GetDivision() const
{
    const std::string text = "Divisibility: no strategy divides evenly what the model \"" +
                             m_problem.graph.GetName() + "\" computes with a global batch of " +
                             std::to_string(m_problem.globalBatch) + " over " +
                             SplitAdvice::Count(m_problem.gpus, "GPU") + ": ";
    const uint64_t gpus = m_problem.gpus;
    const uint64_t batch = (m_problem.globalBatch + gpus - 1) / gpus * gpus;
    if (FindLeast(m_problem.gpus, batch, UINT64_MAX - 1).bytes != UINT64_MAX)
    {
        return text + "a global batch of " + std::to_string(batch) + " would do";
    }
    for (uint32_t fewer = m_problem.gpus - 1; fewer > 0; --fewer)
    {
        if (FindLeast(fewer, m_problem.globalBatch, UINT64_MAX - 1).bytes != UINT64_MAX)
        {
            return text + SplitAdvice::Count(fewer, "GPU") + " would do";
        }
    }
    return text + "not even 1 GPU would do";
}

uint64_t
SearchAdvice::GetFewer(uint64_t gpus) const
{
    const uint64_t memoryBytes = m_problem.accelerator.memoryBytes;
    const auto fits = [&](uint64_t number) {
        return FindLeast(static_cast<uint32_t>(number), m_problem.globalBatch, memoryBytes).bytes <=
               memoryBytes;
    };
    uint64_t tooFew = gpus / 2;
    for (uint64_t part = DOUBLING_PARTS / 2 + 1;
         part < DOUBLING_PARTS && gpus % DOUBLING_PARTS == 0;
         ++part)
    {
        const uint64_t fewer = gpus / DOUBLING_PARTS * part;
        if (fits(fewer))
        {
            gpus = fewer;
            break;
        }
        tooFew = fewer;
    }
    for (uint64_t number = tooFew + 1; number < gpus && gpus - tooFew <= MOST_NUMBERS; ++number)
    {
        if (fits(number))
        {
            return number;
        }
    }
    return gpus;
}

std::string
SearchAdvice::GetMemory(const Least& least) const
{
    const uint64_t memoryBytes = m_problem.accelerator.memoryBytes;
    std::string text =
        "Memory: no strategy fits into the memory of " + SplitAdvice::Count(m_problem.gpus, "GPU") +
        ": the one that needs least, " + PlanChoice::GetName(least.strategy) + ", needs " +
        MemoryUse::ToGib(least.bytes) + " GiB on the fullest GPU, but the accelerator " +
        m_problem.accelerator.name + " has " + MemoryUse::ToGib(memoryBytes) +
        " GiB; what would fit is GPUs with " + MemoryUse::ToGib(least.bytes) + " GiB each";
    uint64_t batch = m_problem.globalBatch;
    for (uint32_t i = 0; i < MOST_DOUBLINGS && batch % 2 == 0; ++i)
    {
        batch /= 2;
        if (FindLeast(m_problem.gpus, batch, memoryBytes).bytes <= memoryBytes)
        {
            text += ", a global batch of " + std::to_string(batch);
            break;
        }
    }
    uint64_t gpus = m_problem.gpus;
    for (uint32_t i = 0; i < MOST_DOUBLINGS && 2 * gpus < UINT32_MAX; ++i)
    {
        gpus *= 2;
        const auto fit = FindLeast(static_cast<uint32_t>(gpus), m_problem.globalBatch, memoryBytes);
        if (fit.bytes <= memoryBytes)
        {
            return text + ", or " + std::to_string(GetFewer(gpus)) + " GPUs";
        }
    }
    return text;
}

} // namespace lightpath
} // namespace ns3
