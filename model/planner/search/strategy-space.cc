/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "strategy-space.h"

#include "model/planner/bound/strategy-bound.h"
#include "model/planner/build/staged-model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

StrategySpace::StrategySpace(const PlanningProblem& problem)
    : m_problem(problem)
{
}

std::vector<uint64_t>
StrategySpace::GetDivisors(uint64_t number)
{
    std::vector<uint64_t> divisors;
    for (uint64_t divisor = 1; divisor <= number / divisor; ++divisor)
    {
        if (number % divisor == 0)
        {
            divisors.push_back(divisor);
            if (divisor != number / divisor)
            {
                divisors.push_back(number / divisor);
            }
        }
    }
    std::sort(divisors.begin(), divisors.end());
    return divisors;
}

std::vector<uint32_t>
StrategySpace::GetMicrobatches(uint64_t batch)
{
    std::vector<uint32_t> all;
    for (const auto divisor : GetDivisors(batch))
    {
        if (divisor <= StagedModel::MAX_MICROBATCHES)
        {
            all.push_back(static_cast<uint32_t>(divisor));
        }
    }
    if (all.size() <= MAX_DIVISORS)
    {
        return all;
    }
    std::vector<uint32_t> some;
    for (uint32_t i = 0; i < MAX_DIVISORS; ++i)
    {
        const double wanted = std::log(all.back()) * i / (MAX_DIVISORS - 1);
        some.push_back(*std::min_element(all.begin(), all.end(), [&](uint32_t a, uint32_t b) {
            return std::abs(std::log(a) - wanted) < std::abs(std::log(b) - wanted);
        }));
    }
    some.erase(std::unique(some.begin(), some.end()), some.end());
    return some;
}

bool
StrategySpace::AreNear(const Strategy& a, const Strategy& b)
{
    const bool sameSize =
        uint64_t{a.microbatches} * a.dataParallel == uint64_t{b.microbatches} * b.dataParallel;
    const std::vector<bool> differences = {a.tensorParallel != b.tensorParallel ||
                                               a.pipelineParallel != b.pipelineParallel ||
                                               a.dataParallel != b.dataParallel,
                                           a.microbatches != b.microbatches && !sameSize,
                                           a.expertParallel != b.expertParallel,
                                           a.virtualStages != b.virtualStages,
                                           a.sequenceParallel != b.sequenceParallel,
                                           a.zeroStage != b.zeroStage};
    return std::count(differences.begin(), differences.end(), true) <= 1;
}

StrategySpace::Features
StrategySpace::GetFeatures() const
{
    Features features;
    for (const auto& op : m_problem.graph.GetOperators())
    {
        features.byToken = features.byToken || op.split == TensorSplit::SEQUENCE;
        features.selective = features.selective || op.selective;
        features.sparse = features.sparse || (op.pass == Pass::UPDATE && op.sparse);
    }
    features.experts = std::max(ExpertSharing::GetNExperts(m_problem.graph), 1U);
    return features;
}

bool
StrategySpace::CanSplit(uint32_t gpus) const
{
    Strategy strategy;
    strategy.tensorParallel = gpus;
    try
    {
        StagedModel(m_problem, strategy);
        return true;
    }
    catch (const std::invalid_argument&)
    {
        return false;
    }
}

std::vector<Strategy>
StrategySpace::GetStrategies() const
{
    std::vector<Strategy> strategies;
    const uint32_t layers = m_problem.graph.GetNLayers();
    const Features features = GetFeatures();
    const StrategyBound bound(m_problem);
    std::vector<uint32_t> tensors;
    for (const auto gpus : GetDivisors(m_problem.gpus))
    {
        if (CanSplit(static_cast<uint32_t>(gpus)))
        {
            tensors.push_back(static_cast<uint32_t>(gpus));
        }
    }
    for (const auto stages : GetDivisors(m_problem.gpus))
    {
        for (const auto parts : tensors)
        {
            const uint64_t replicas = m_problem.gpus / stages / parts;
            if (stages > layers || m_problem.gpus / stages % parts != 0 ||
                m_problem.globalBatch % replicas != 0)
            {
                continue;
            }
            Strategy base;
            base.pipelineParallel = static_cast<uint32_t>(stages);
            base.tensorParallel = parts;
            base.dataParallel = static_cast<uint32_t>(replicas);
            for (const auto microbatches : GetMicrobatches(m_problem.globalBatch / replicas))
            {
                base.microbatches = microbatches;
                for (const auto sharers : GetDivisors(std::gcd(features.experts, replicas)))
                {
                    base.expertParallel = static_cast<uint32_t>(sharers);
                    AddVariants(base, features, strategies);
                }
            }
        }
    }
    strategies.erase(
        std::remove_if(strategies.begin(),
                       strategies.end(),
                       [&](const Strategy& strategy) { return bound.ExceedsMemory(strategy); }),
        strategies.end());
    return strategies;
}

void
StrategySpace::AddVariants(const Strategy& base,
                           const Features& features,
                           std::vector<Strategy>& strategies) const
{
    const uint32_t layers = m_problem.graph.GetNLayers();
    const bool canShare = base.dataParallel > 1 && !features.sparse;
    for (uint32_t chunks = 1; chunks <= MAX_VIRTUAL; ++chunks)
    {
        const uint64_t parts = uint64_t{base.pipelineParallel} * chunks;
        if (chunks > 1 &&
            (base.pipelineParallel == 1 || parts + 2 > layers ||
             base.microbatches % base.pipelineParallel != 0 || (layers - 2) % parts != 0))
        {
            continue;
        }
        for (const auto recomputation :
             {Recomputation::NONE, Recomputation::SELECTIVE, Recomputation::FULL})
        {
            if (recomputation == Recomputation::SELECTIVE && !features.selective)
            {
                continue;
            }
            for (const bool byToken : {false, true})
            {
                if (byToken && (base.tensorParallel == 1 || !features.byToken))
                {
                    continue;
                }
                // Gradients and parameters are shared out without a pipeline only
                const bool isMost = base.pipelineParallel == 1 && base.expertParallel == 1;
                const uint32_t most = isMost ? MAX_ZERO_STAGE : 1;
                for (uint32_t zero = 0; zero <= (canShare ? most : 0); ++zero)
                {
                    Strategy strategy = base;
                    strategy.virtualStages = chunks;
                    strategy.recomputation = recomputation;
                    strategy.sequenceParallel = byToken;
                    strategy.zeroStage = zero;
                    strategies.push_back(strategy);
                }
            }
        }
    }
}

} // namespace lightpath
} // namespace ns3
