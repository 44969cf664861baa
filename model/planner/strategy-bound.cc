/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "strategy-bound.h"

#include "gradient-map.h"
#include "layer-times.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace lightpath
{

namespace
{

/// More than any time.
constexpr double NEVER = std::numeric_limits<double>::infinity();

/// What the rounding of sums in other orders may make of a bound.
constexpr double ROUNDING = 1 - 1e-9;

} // namespace

StrategyBound::StrategyBound(const PlanningProblem& problem)
    : m_problem(problem),
      m_gradients(std::make_unique<GradientMap>(problem.graph))
{
}

StrategyBound::~StrategyBound() = default;

uint64_t
StrategyBound::GetSamples(const Strategy& strategy) const
{
    return m_problem.globalBatch / (uint64_t{strategy.dataParallel} * strategy.microbatches);
}

const LayerTimes&
StrategyBound::GetTimes(const Strategy& strategy, uint64_t samples) const
{
    // No samples stand for the chains without times
    auto& times = m_times
        [{strategy.tensorParallel, strategy.sequenceParallel, strategy.recomputation, samples}];
    if (!times)
    {
        times = samples > 0 ? std::make_unique<LayerTimes>(GetTimes(strategy, 0).Measure(samples))
                            : std::make_unique<LayerTimes>(m_problem, *m_gradients, strategy);
    }
    return *times;
}

const std::vector<double>&
StrategyBound::GetUpdates(const Strategy& strategy) const
{
    const bool isShared = strategy.zeroStage > 0;
    auto& updates = m_updates[{strategy.tensorParallel, strategy.dataParallel, isShared}];
    if (updates.empty())
    {
        updates.assign(m_problem.graph.GetNLayers() + 1, 0);
        for (const auto& op : m_problem.graph.GetOperators())
        {
            if (op.pass != Pass::UPDATE)
            {
                continue;
            }
            const bool isWhole =
                op.split == TensorSplit::REPLICATED || op.split == TensorSplit::SEQUENCE;
            const double share = (isShared ? 1.0 / strategy.dataParallel : 1) /
                                 (isWhole ? 1 : strategy.tensorParallel);
            const double samples = static_cast<double>(m_problem.globalBatch) /
                                   (op.sparse ? 1 : strategy.dataParallel);
            updates[op.layer + 1] += m_problem.accelerator.GetSeconds(op, samples, share);
        }
        for (std::size_t layer = 1; layer < updates.size(); ++layer)
        {
            updates[layer] += updates[layer - 1];
        }
    }
    return updates;
}

double
StrategyBound::GetSeconds(const Strategy& strategy) const
{
    const FabricLimits& fabric = m_problem.fabric;
    const LayerTimes& times = GetTimes(strategy, GetSamples(strategy));
    const std::vector<double> none(m_problem.graph.GetNLayers() + 1, 0);
    const bool hasExperts = strategy.expertParallel > 1;
    Stages all;
    all.times = &times;
    all.updates = hasExperts ? &none : &GetUpdates(strategy);
    all.stages = strategy.pipelineParallel;
    all.microbatches = strategy.microbatches;
    // A message goes either way
    const double rate =
        std::max(fabric.bitRate, fabric.serverGpus > 1 ? fabric.serverBitRate : 0) / 8;
    all.message = LayerTimes::GetBestLatency(fabric) +
                  times.crossingBytes * static_cast<double>(GetSamples(strategy)) / rate;
    if (strategy.dataParallel > 1 && !hasExperts)
    {
        // With shared-out updates the new parameters are gathered, or gathered when they are used
        const double gathered = static_cast<double>(m_problem.graph.parameterBytes) /
                                std::max(m_problem.graph.gradientBytes, 1U);
        const double share = strategy.zeroStage == 0  ? 1
                             : strategy.zeroStage < 3 ? (1 + gathered) / 2
                                                      : 0.5;
        all.sum = LayerTimes::GetReductionSeconds(fabric, strategy.dataParallel) * share;
        all.sumLaunch = fabric.collectiveLatency + LayerTimes::GetBestLatency(fabric);
    }
    const double parts = static_cast<double>(strategy.pipelineParallel) * strategy.virtualStages;
    const double way = times.length + 2 * (parts - 1) * all.message;
    const double slowest = strategy.virtualStages > 1
                               ? GetInterleavedSeconds(all, strategy.virtualStages)
                               : GetCutSeconds(all);
    return std::max(way, slowest) * ROUNDING;
}

double
StrategyBound::GetStageSeconds(const Stages& all,
                               uint32_t stage,
                               uint32_t from,
                               uint32_t to,
                               double sums)
{
    const LayerTimes& t = *all.times;
    const double m = all.microbatches;
    const double ahead = all.stages - stage; // n
    const double before = stage * all.message;
    const double turn = 2 * (ahead - 1) * all.message;
    // Along the spine: forward, from there to the backward pass, and that
    const double spineForward = std::max(0.0, t.end[to - 1] - t.begin[from]);
    const double spineTurn = t.back[to - 1] - t.end[to - 1] + turn;
    const double spineBackward = std::max(0.0, t.done[from] - t.back[to - 1]);
    const double first = t.back[to - 1] + before + turn + spineBackward;
    const double behind = t.length - t.done[from] + before;
    // Passes as a whole, and what of them must have something before or behind it
    const bool isOnly = all.stages == 1;
    const double allForward = t.forward[to] - t.forward[from];
    const double allBackward = t.backward[to] - t.backward[from];
    const double leadForward = isOnly ? allForward : t.leadForward[to] - t.leadForward[from];
    const double leadBackward = isOnly ? allBackward : t.leadBackward[to] - t.leadBackward[from];
    const double head = isOnly ? 0 : t.head[from] + before;
    const double tail = isOnly ? 0 : t.tail[from] + before;
    const double updates = (*all.updates)[to] - (*all.updates)[from];
    const bool isLast = ahead == 1;
    const double forward = std::max(allForward, spineForward);
    const double backward = std::max(allBackward, spineBackward);
    // Forward and backward pass of a microbatch; those of the last stage may be one
    const double both = isLast ? std::max(allForward + allBackward, t.done[from] - t.begin[from])
                               : std::max(forward, spineForward) + backward;
    const double work = allForward + allBackward;
    const double lead = leadForward + leadBackward;
    const auto finish = [&](double busy, double reached) {
        // After the work of all but the last backward pass, and from its first operator on
        return std::max({busy + std::max(leadBackward + tail, allBackward + updates),
                         reached + std::max(spineBackward + behind, sums)});
    };
    double bound = std::max(head + (m - 1) * work + lead + tail, (m * work) + updates);
    if (m < 2)
    {
        return std::max({bound,
                         head + leadForward + allBackward + updates,
                         first - spineBackward + std::max(spineBackward + behind, sums)});
    }
    if (isLast)
    {
        const double begun = std::max(head + std::max(leadForward + allBackward, 0.0), first);
        return std::max(bound,
                        begun + (m - 2) * both + finish(allForward, spineForward + spineTurn));
    }
    if (ahead < m)
    {
        const double begun = std::max(head + leadForward + (ahead - 1) * forward + backward, first);
        const double busy = forward + (ahead - 1) * backward;
        return std::max(bound,
                        begun + (m - 1 - ahead) * both +
                            finish(busy, std::max(busy, spineForward + spineTurn)));
    }
    const double filled = head + leadForward + (m - 2) * forward;
    bound =
        std::max(bound,
                 filled + finish(forward + (m - 1) * backward,
                                 std::max(forward + (m - 1) * backward, spineForward + spineTurn)));
    return std::max(bound, first + (m - 2) * backward + finish(0, 0));
}

double
StrategyBound::GetSums(const Stages& all, uint32_t from, uint32_t to, double latest)
{
    const LayerTimes& t = *all.times;
    return all.sum > 0 && t.gradients[to] > t.gradients[from]
               ? latest - all.sum * t.gradients[from] - t.back[to - 1] + all.sumLaunch
               : 0;
}

double
StrategyBound::GetBest(const Stages& all,
                       uint32_t stage,
                       uint32_t from,
                       const std::vector<double>& behind,
                       double limit)
{
    const LayerTimes& t = *all.times;
    const auto layers = static_cast<uint32_t>(t.begin.size());
    const uint32_t left = all.stages - stage - 1;
    double best = limit;
    double latest = -NEVER;
    const double outside =
        all.stages > 1 ? t.head[from] + t.tail[from] + 2 * stage * all.message : 0;
    for (uint32_t to = from + 1; to + left <= layers; ++to)
    {
        // The gradients up to layer to - 1 of the stage
        latest = std::max(latest, t.complete[to - 1] + all.sum * t.gradients[to]);
        const double work = t.forward[to] - t.forward[from] + t.backward[to] - t.backward[from];
        if (all.microbatches * work >= best || (all.microbatches - 1) * work + outside >= best)
        {
            break;
        }
        if (left == 0 && to < layers)
        {
            continue;
        }
        const double rest = left > 0 ? behind[to] : 0;
        if (rest >= best)
        {
            continue;
        }
        const double sums = GetSums(all, from, to, latest);
        best = std::min(best, std::max(rest, GetStageSeconds(all, stage, from, to, sums)));
    }
    return best;
}

double
StrategyBound::GetCutSeconds(const Stages& all)
{
    const LayerTimes& t = *all.times;
    const auto layers = static_cast<uint32_t>(t.begin.size());
    const uint32_t stages = all.stages;
    if (stages > layers)
    {
        return 0;
    }
    const double total = t.forward[layers] + t.backward[layers];
    // Stages with as many layers each show what is enough to look at
    double limit = 0;
    for (uint32_t stage = 0; stage < stages; ++stage)
    {
        const auto from = static_cast<uint32_t>(uint64_t{layers} * stage / stages);
        const auto to = static_cast<uint32_t>(uint64_t{layers} * (stage + 1) / stages);
        double latest = -NEVER;
        for (uint32_t layer = from; layer < to; ++layer)
        {
            latest = std::max(latest, t.complete[layer] + all.sum * t.gradients[layer + 1]);
        }
        const double sums = GetSums(all, from, to, latest);
        limit = std::max(limit, GetStageSeconds(all, stage, from, to, sums));
    }
    std::vector<double> behind(layers + 1, NEVER);
    for (uint32_t stage = stages; stage-- > 0;)
    {
        std::vector<double> mine(layers + 1, NEVER);
        const uint32_t last = stage == 0 ? 0 : layers - (stages - stage);
        for (uint32_t from = stage; from <= last; ++from)
        {
            // The stages before, and those from here on, cannot all be within the limit
            const double before = all.microbatches * (t.forward[from] + t.backward[from]);
            if (before <= stage * limit &&
                all.microbatches * total - before <= (stages - stage) * limit)
            {
                mine[from] = GetBest(all, stage, from, behind, limit);
            }
        }
        behind = std::move(mine);
    }
    return std::min(limit, behind[0]);
}

double
StrategyBound::GetInterleavedSeconds(const Stages& all, uint32_t parts)
{
    const LayerTimes& t = *all.times;
    const auto layers = static_cast<uint32_t>(t.begin.size());
    const double m = all.microbatches;
    const double p = all.stages;
    if (p * parts > layers)
    {
        return 0;
    }
    double outside = 0;
    for (uint32_t stage = 0; stage < all.stages; ++stage)
    {
        outside += t.head[stage] + t.tail[stage] + 2 * stage * all.message;
    }
    const double work = t.forward[layers] + t.backward[layers];
    const double lead = t.leadForward[layers] + t.leadBackward[layers];
    double bound = std::max((m - 1) * work + lead + outside, m * work + (*all.updates)[layers]) / p;
    // Of k p + 1 layers, some stage has k + 1
    std::vector<double> each;
    for (uint32_t layer = 0; layer < layers; ++layer)
    {
        each.push_back(t.forward[layer + 1] - t.forward[layer] + t.backward[layer + 1] -
                       t.backward[layer]);
    }
    std::sort(each.rbegin(), each.rend());
    for (uint32_t k = 0; k * all.stages < layers; ++k)
    {
        bound = std::max(bound, m * (k + 1) * each[k * all.stages]);
    }
    return bound;
}

bool
StrategyBound::ExceedsMemory(const Strategy& strategy) const
{
    const OperatorGraph& graph = m_problem.graph;
    const LayerTimes& times = GetTimes(strategy, 0);
    if (strategy.expertParallel > 1)
    {
        return false;
    }
    const auto share = [&](uint32_t stage) {
        return strategy.zeroStage >= stage ? 1.0 / strategy.dataParallel : 1.0;
    };
    double sparse = 0;
    for (const auto& op : graph.GetOperators())
    {
        sparse += op.pass == Pass::UPDATE && op.sparse ? static_cast<double>(op.parameters) : 0;
    }
    const double dense = std::max(0.0, times.parameters - sparse);
    const double bytes =
        times.parameters * (graph.parameterBytes * share(3) + graph.optimizerBytes * share(1)) +
        dense * graph.gradientBytes * share(2) +
        times.keptBytes * static_cast<double>(GetSamples(strategy));
    return bytes * ROUNDING >
           static_cast<double>(m_problem.accelerator.memoryBytes) * strategy.pipelineParallel;
}

double
StrategyBound::GetAllSeconds() const
{
    double least = NEVER;
    for (uint32_t replicas = 1; replicas <= m_problem.gpus; ++replicas)
    {
        if (m_problem.gpus % replicas == 0 && m_problem.globalBatch % replicas == 0)
        {
            least = std::min(least, GetReplicasSeconds(replicas));
        }
    }
    return least < NEVER ? least * ROUNDING : 0;
}

double
StrategyBound::GetReplicasSeconds(uint32_t replicas) const
{
    const OperatorGraph& graph = m_problem.graph;
    const auto& operators = graph.GetOperators();
    const double gpus = static_cast<double>(m_problem.gpus) / replicas;
    const auto samples = static_cast<double>(m_problem.globalBatch / replicas);
    double work = 0;
    double updates = 0;
    double gradients = 0;
    double chain = 0;
    double forward = 0;
    std::vector<double> ends(operators.size(), 0);
    for (uint32_t index = 0; index < operators.size(); ++index)
    {
        const Operator& op = operators[index];
        if (op.pass == Pass::UPDATE)
        {
            // Each replica may have a share of it
            updates += m_problem.accelerator.GetSeconds(op, 0, 1.0 / replicas);
            gradients += op.sparse ? 0 : static_cast<double>(op.parameters) * graph.gradientBytes;
            continue;
        }
        // Measured times need not be in proportion to the samples
        const double whole =
            m_problem.accelerator.profile ? 0 : m_problem.accelerator.GetSeconds(op, samples);
        work += whole;
        double start = 0;
        for (const auto before : graph.GetPredecessors(index))
        {
            start = std::max(start, ends[before]);
        }
        const double least =
            m_problem.accelerator.profile
                ? 0
                : m_problem.accelerator.GetSeconds(op, std::min(1.0, samples), 1 / gpus);
        ends[index] = start + least;
        chain = std::max(chain, ends[index]);
        forward = op.pass == Pass::FORWARD ? std::max(forward, ends[index]) : forward;
    }
    const double sum =
        gradients / gpus * LayerTimes::GetReductionSeconds(m_problem.fabric, replicas);
    // Where parameters are shared out, a reduce-scatter follows the forward pass, and all-gathers
    // of parameters may precede it
    const double gathered =
        static_cast<double>(graph.parameterBytes) / std::max(graph.gradientBytes, 1U);
    return std::max({(work + updates) / gpus,
                     chain,
                     sum * std::min(1.0, (1 + gathered) / 2),
                     forward + sum / 2});
}

} // namespace lightpath
} // namespace ns3
