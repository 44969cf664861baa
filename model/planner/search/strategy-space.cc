/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "strategy-space.h"

#include "model/planner/bound/strategy-bound.h"
#include "model/planner/write/staged-model.h"

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
StrategySpace::IsDataParallel(const Strategy& strategy)
{
    return strategy.tensorParallel == 1 && strategy.pipelineParallel == 1 &&
           strategy.contextParallel == 1 && strategy.expertParallel == 1 &&
           strategy.microbatches == 1 && strategy.recomputation == Recomputation::NONE;
}

bool
StrategySpace::AreNear(const Strategy& a, const Strategy& b)
{
    const bool sameSize =
        uint64_t{a.microbatches} * a.dataParallel == uint64_t{b.microbatches} * b.dataParallel;
    const std::vector<bool> differences = {
        a.tensorParallel != b.tensorParallel || a.pipelineParallel != b.pipelineParallel ||
            a.dataParallel != b.dataParallel || a.contextParallel != b.contextParallel,
        a.microbatches != b.microbatches && !sameSize,
        a.expertParallel != b.expertParallel || a.wholeExperts != b.wholeExperts,
        a.virtualStages != b.virtualStages || a.schedule != b.schedule,
        a.sequenceParallel != b.sequenceParallel,
        a.zeroStage != b.zeroStage || a.shardGpus != b.shardGpus ||
            a.wholeGradients != b.wholeGradients};
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
        features.byContext = features.byContext || op.contextBytes > 0;
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
            if (stages > layers || m_problem.gpus / stages % parts != 0)
            {
                continue;
            }
            Strategy base;
            base.pipelineParallel = static_cast<uint32_t>(stages);
            base.tensorParallel = parts;
            for (const auto shares : GetContexts(base, features, bound))
            {
                base.contextParallel = shares;
                base.dataParallel = static_cast<uint32_t>(m_problem.gpus / stages / parts / shares);
                AddDegrees(base, features, strategies);
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

std::vector<uint32_t>
StrategySpace::GetContexts(Strategy base,
                           const Features& features,
                           const StrategyBound& bound) const
{
    const uint64_t members =
        m_problem.gpus / (uint64_t{base.tensorParallel} * base.pipelineParallel);
    const bool isWhole = m_problem.globalBatch % members == 0;
    std::vector<uint32_t> contexts;
    if (isWhole)
    {
        contexts.push_back(1);
        base.dataParallel = static_cast<uint32_t>(members);
        base.microbatches = static_cast<uint32_t>(
            std::min<uint64_t>(m_problem.globalBatch / members, StagedModel::MAX_MICROBATCHES));
        base.sequenceParallel = base.tensorParallel > 1 && features.byToken;
        base.zeroStage = features.sparse ? 0 : base.pipelineParallel == 1 ? MAX_ZERO_STAGE : 1;
    }
    // Keys and values are worth their traffic where there are too few samples for the replicas or
    // for the stages, or where one sample does not fit
    const bool isFew = !isWhole || base.microbatches < base.pipelineParallel;
    if (!features.byContext || !(isFew || bound.ExceedsMemory(base)))
    {
        return contexts;
    }
    for (const auto shares : GetDivisors(members))
    {
        if (shares > 1 && shares <= MAX_CONTEXT && m_problem.globalBatch % (members / shares) == 0)
        {
            contexts.push_back(static_cast<uint32_t>(shares));
        }
    }
    return contexts;
}

void
StrategySpace::AddDegrees(Strategy base,
                          const Features& features,
                          std::vector<Strategy>& strategies) const
{
    const uint64_t batch = m_problem.globalBatch / base.dataParallel;
    for (const auto microbatches : GetMicrobatches(batch))
    {
        // GPUs share the tokens of single samples only
        if (base.contextParallel > 1 && microbatches != batch)
        {
            continue;
        }
        base.microbatches = microbatches;
        base.wholeExperts = false;
        const uint64_t members = base.GetDataMembers();
        for (const auto sharers : GetDivisors(std::gcd(features.experts, members)))
        {
            base.expertParallel = static_cast<uint32_t>(sharers);
            AddVariants(base, features, strategies);
        }
        base.wholeExperts = true;
        const uint64_t ranks = members * base.tensorParallel;
        for (const auto sharers : GetDivisors(std::gcd(features.experts, ranks)))
        {
            base.expertParallel = static_cast<uint32_t>(sharers);
            if (base.tensorParallel > 1 && sharers % base.tensorParallel == 0 && features.byToken)
            {
                AddVariants(base, features, strategies);
            }
        }
    }
}

void
StrategySpace::AddVariants(const Strategy& base,
                           const Features& features,
                           std::vector<Strategy>& strategies) const
{
    const uint32_t layers = m_problem.graph.GetNLayers();
    for (uint32_t chunks = 1; chunks <= MAX_VIRTUAL; ++chunks)
    {
        const uint64_t parts = uint64_t{base.pipelineParallel} * chunks;
        if (chunks > 1 && (base.pipelineParallel == 1 || parts + 2 > layers ||
                           base.microbatches % base.pipelineParallel != 0 ||
                           ((layers - 2) % parts != 0 && layers % parts != 0)))
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
                if (byToken ? base.tensorParallel == 1 || !features.byToken : base.wholeExperts)
                {
                    continue;
                }
                Strategy strategy = base;
                strategy.virtualStages = chunks;
                strategy.recomputation = recomputation;
                strategy.sequenceParallel = byToken;
                AddShards(strategy, features, strategies);
            }
        }
    }
}

void
StrategySpace::AddShards(Strategy strategy,
                         const Features& features,
                         std::vector<Strategy>& strategies) const
{
    const uint32_t members = strategy.GetDataMembers();
    const bool canShare = members > 1 && !features.sparse;
    // Gradients and parameters are shared out without a pipeline only
    const bool isMost = strategy.pipelineParallel == 1 && strategy.expertParallel == 1;
    const uint32_t most = !canShare ? 0 : isMost ? MAX_ZERO_STAGE : 1;
    // Groups that share out state are those of a server
    const uint32_t server = m_problem.fabric.servers.layout.gpus;
    const uint32_t shards = server / strategy.tensorParallel;
    const bool hasGroups = m_problem.fabric.HasServers() && strategy.expertParallel == 1 &&
                           server % strategy.tensorParallel == 0 && shards > 1 &&
                           shards < members && members % shards == 0;
    for (uint32_t zero = 0; zero <= most; ++zero)
    {
        strategy.zeroStage = zero;
        for (const bool isGroup : {false, true})
        {
            strategy.shardGpus = isGroup ? shards : 0;
            for (const bool isWhole : {false, true})
            {
                strategy.wholeGradients = isWhole;
                if ((!isGroup || (hasGroups && zero > 0)) &&
                    (!isWhole || (zero == MAX_ZERO_STAGE && strategy.microbatches > 1)))
                {
                    strategies.push_back(strategy);
                }
            }
        }
    }
}

} // namespace lightpath
} // namespace ns3
