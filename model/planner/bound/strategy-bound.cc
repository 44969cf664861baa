/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "strategy-bound.h"

#include "fabric-pace.h"
#include "interleaved-bound.h"
#include "layer-times.h"
#include "model/planner/planning-deadline.h"
#include "pipeline-bound.h"

#include "ns3/gradient-map.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Factor of a bound that covers the rounding of sums in other orders.
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
    PlanningDeadline::Check(m_problem.fabric.deadline);
    // 0 samples: the chains without times
    auto& times = m_times[{strategy.tensorParallel,
                           strategy.sequenceParallel,
                           strategy.recomputation,
                           strategy.contextParallel,
                           strategy.expertParallel,
                           strategy.wholeExperts,
                           strategy.expertParallel > 1 ? strategy.dataParallel : 1,
                           strategy.schedule,
                           samples}];
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
    const uint32_t shares = isShared ? strategy.GetShardMembers() * strategy.GetNCopies() : 1;
    auto& updates = m_updates[{strategy.tensorParallel,
                               strategy.dataParallel,
                               strategy.contextParallel,
                               strategy.expertParallel,
                               strategy.wholeExperts,
                               shares}];
    if (updates.empty())
    {
        updates.assign(m_problem.graph.GetNLayers() + 1, 0);
        for (const auto& op : m_problem.graph.GetOperators())
        {
            if (op.pass != Pass::UPDATE)
            {
                continue;
            }
            // Whole experts are shared out over the GPUs of a tensor-parallel group instead
            const bool areWhole = op.experts > 0 && strategy.wholeExperts;
            const bool isWhole = !areWhole && (op.split == TensorSplit::REPLICATED ||
                                               op.split == TensorSplit::SEQUENCE);
            // Experts that replicas share out are summed over fewer of them
            const double experts = op.experts > 0 && !isShared ? strategy.expertParallel : shares;
            const double tensor = areWhole && !isShared ? 1 : strategy.tensorParallel;
            const double share = 1 / experts / (isWhole ? 1 : tensor);
            const double samples = static_cast<double>(m_problem.globalBatch) /
                                   (op.sparse ? 1 : strategy.dataParallel);
            updates[op.layer + 1] += m_problem.accelerator.GetSeconds(op, samples, share);
        }
        // Make them sums over the layers before each one
        for (std::size_t layer = 1; layer < updates.size(); ++layer)
        {
            updates[layer] += updates[layer - 1];
        }
    }
    return updates;
}

PipelineLimits
StrategyBound::GetLimits(const Strategy& strategy) const
{
    const FabricLimits& fabric = m_problem.fabric;
    PipelineLimits limits;
    limits.strategy = strategy;
    limits.times = &GetTimes(strategy, GetSamples(strategy));
    limits.updates = &GetUpdates(strategy);
    // A message takes the links inside or outside servers, not both
    const double rate =
        std::max(fabric.bitRate, fabric.HasServers() ? fabric.servers.bitRate : 0) / 8;
    const double latency = FabricPace::GetBestLatency(fabric);
    limits.message =
        latency + limits.times->crossingBytes * static_cast<double>(GetSamples(strategy)) / rate;
    limits.sharedLaunch = fabric.collectiveLatency + latency;
    limits.sharedSum = limits.times->tiedBytes * FabricPace::GetReductionSeconds(fabric, 2);
    const uint32_t members = strategy.GetDataMembers() * strategy.GetNCopies();
    if (members > 1)
    {
        // With shared-out updates, new parameters are gathered after all sums, or when they are
        // used
        const double gathered = static_cast<double>(m_problem.graph.parameterBytes) /
                                std::max(m_problem.graph.gradientBytes, 1U);
        const uint32_t sharers = strategy.GetShardMembers() * strategy.GetNCopies();
        const double whole = FabricPace::GetReductionSeconds(fabric, sharers);
        limits.sum = strategy.zeroStage == 0 ? whole : whole / 2;
        if (sharers < members)
        {
            // Sums over groups that share out state may use other links than those in a group
            const double copies = FabricPace::GetReductionSeconds(fabric, members / sharers);
            limits.sum = std::max(limits.sum, copies / sharers);
        }
        const bool isGathered = strategy.zeroStage == 1 || strategy.zeroStage == 2;
        limits.gather = isGathered ? whole / 2 * gathered : 0;
        limits.sumLaunch = fabric.collectiveLatency + latency;
        // Of several stages, any one may have the slowest pair
        const double pair = strategy.pipelineParallel == 1 && sharers == members
                                ? FabricPace::GetPairSeconds(fabric, members)
                                : 0;
        limits.pairSum = strategy.zeroStage == 0 ? pair : pair / 2;
    }
    const bool isDecided = !fabric.allocators.empty() && fabric.laneRate > 0 && !fabric.isShared &&
                           !fabric.HasServers() && !MayTurn(fabric, strategy);
    const bool isMixed = strategy.GetGpus() > strategy.dataParallel;
    limits.early = strategy.zeroStage > 1 ? GetSharedOutSeconds(strategy) : 0;
    if (isDecided && isMixed)
    {
        limits.circuits = static_cast<uint32_t>(fabric.bitRate / fabric.laneRate + 1e-6);
        // Shared-out gradients are summed in the phase of all other traffic
        const bool canSwitch = fabric.phaseCircuits || fabric.canSwitch;
        limits.hasPhases = canSwitch && strategy.zeroStage < 2;
        limits.hasGatherPhase = canSwitch && strategy.zeroStage == 2;
        limits.switchSeconds = fabric.switchingSeconds;
    }
    return limits;
}

bool
StrategyBound::MayTurn(const FabricLimits& fabric, const Strategy& strategy)
{
    // A ring for each kind of group, the two neighbours of a stage, and the stage with the same
    // embedding; experts may have more peers
    const uint32_t peers =
        (strategy.tensorParallel > 1 ? 1 : 0) + (strategy.contextParallel > 1 ? 1 : 0) +
        (strategy.dataParallel > 1 ? 1 : 0) + (strategy.pipelineParallel > 1 ? 3 : 0) +
        (strategy.shardGpus > 0 ? 1 : 0);
    return fabric.canTurn && (strategy.expertParallel > 1 || peers > fabric.degree);
}

double
StrategyBound::GetSeconds(const Strategy& strategy) const
{
    const PipelineLimits limits = GetLimits(strategy);
    const LayerTimes& times = *limits.times;
    const double parts = static_cast<double>(strategy.pipelineParallel) * strategy.virtualStages;
    // The spine crosses each cut twice
    const double way = times.spine.length + 2 * (parts - 1) * limits.message;
    const auto layers = static_cast<uint32_t>(times.spine.forwardBegin.size());
    const bool isBoth = strategy.schedule == PipelineScheduleKind::DUALPIPE;
    const double slowest = isBoth                        ? GetWorkSeconds(limits)
                           : strategy.virtualStages == 1 ? PipelineBound(limits).GetSeconds()
                           : InterleavedBound::IsKnown(strategy, layers)
                               ? InterleavedBound(limits).GetSeconds()
                               : GetPartsSeconds(limits);
    // The last gathers have at most all circuits of a GPU
    const double gathers = limits.early > 0 ? limits.gather * times.gradientBytes.back() : 0;
    return std::max({way, slowest, limits.early + gathers}) * ROUNDING;
}

double
StrategyBound::GetSharedOutSeconds(const Strategy& strategy) const
{
    const OperatorGraph& graph = m_problem.graph;
    const LayerTimes& times = GetTimes(strategy, GetSamples(strategy));
    // Stage 3 gathers parameters in each pass; stage 2 may gather them in a phase of its own
    const double gathered = strategy.zeroStage < 3 ? 0
                                                   : static_cast<double>(graph.parameterBytes) /
                                                         std::max(graph.gradientBytes, 1U);
    // Gradients that each GPU makes of its tokens are summed once for all microbatches
    double late = 0;
    for (const auto& op : graph.GetOperators())
    {
        late += strategy.sequenceParallel && op.pass == Pass::UPDATE &&
                        op.split == TensorSplit::SEQUENCE
                    ? static_cast<double>(op.parameters) * graph.gradientBytes
                    : 0;
    }
    const double all = times.gradientBytes.back();
    const double m = strategy.microbatches;
    const double sums = strategy.wholeGradients ? 1 : m;
    const double bytes = sums * all - (sums - 1) * std::min(late, all) + 2 * m * gathered * all;
    return strategy.pipelineParallel > 1
               ? 0
               : bytes *
                     FabricPace::GetReductionSeconds(m_problem.fabric, strategy.GetShardMembers()) /
                     2;
}

double
StrategyBound::GetWorkSeconds(const PipelineLimits& limits)
{
    const LayerTimes& t = *limits.times;
    return (limits.strategy.microbatches * (t.work.forward.back() + t.work.backward.back()) +
            limits.updates->back()) /
           limits.strategy.pipelineParallel;
}

double
StrategyBound::GetPartsSeconds(const PipelineLimits& limits)
{
    const LayerTimes& t = *limits.times;
    const auto layers = static_cast<uint32_t>(t.spine.forwardBegin.size());
    const double m = limits.strategy.microbatches;
    const uint32_t stages = limits.strategy.pipelineParallel;
    if (stages * limits.strategy.virtualStages > layers)
    {
        return 0;
    }
    // Stages wait for their first microbatch, and for the first stage after their last one
    double outside = 0;
    for (uint32_t stage = 0; stage < stages; ++stage)
    {
        outside += t.leadBegin[stage] + t.leadRest[stage] + 2 * stage * limits.message;
    }
    const double work = t.work.forward[layers] + t.work.backward[layers];
    const double lead = t.lead.forward[layers] + t.lead.backward[layers];
    double bound = std::max(((m - 1) * work + lead + outside) / stages, GetWorkSeconds(limits));
    // Of any k p + 1 layers, some stage has at least k + 1
    std::vector<double> each;
    for (uint32_t layer = 0; layer < layers; ++layer)
    {
        each.push_back(t.work.forward[layer + 1] - t.work.forward[layer] +
                       t.work.backward[layer + 1] - t.work.backward[layer]);
    }
    std::sort(each.rbegin(), each.rend());
    for (uint32_t k = 0; k * stages < layers; ++k)
    {
        bound = std::max(bound, m * (k + 1) * each[k * stages]);
    }
    return bound;
}

double
StrategyBound::GetBytes(const Strategy& strategy,
                        uint32_t from,
                        uint32_t to,
                        double microbatches) const
{
    const OperatorGraph& graph = m_problem.graph;
    const LayerTimes& times = GetTimes(strategy, 0);
    // The share of the state that remains on a GPU if this stage of ZeRO shares it out
    const uint32_t shares = strategy.GetShardMembers() * strategy.GetNCopies() *
                            (strategy.wholeExperts ? strategy.tensorParallel : 1);
    const auto share = [&](uint32_t stage) {
        const bool isWhole = stage == 2 && strategy.wholeGradients;
        return strategy.zeroStage >= stage && !isWhole ? 1.0 / shares : 1.0;
    };
    const double parameters = times.parameters[to] - times.parameters[from];
    const double dense = parameters - (times.sparseParameters[to] - times.sparseParameters[from]);
    return parameters * (graph.parameterBytes * share(3) + graph.optimizerBytes * share(1)) +
           dense * graph.gradientBytes * share(2) +
           (times.keptBytes[to] - times.keptBytes[from]) * microbatches *
               static_cast<double>(GetSamples(strategy));
}

bool
StrategyBound::ExceedsMemory(const Strategy& strategy) const
{
    const uint32_t layers = m_problem.graph.GetNLayers();
    const uint32_t stages = strategy.pipelineParallel;
    const auto most = static_cast<double>(m_problem.accelerator.memoryBytes) / ROUNDING;
    if (strategy.virtualStages > 1 || strategy.GetNCopies() > 1)
    {
        return stages * most < GetBytes(strategy, 0, layers, 1);
    }
    // Each stage takes as many layers as fit, so that as few as possible are left
    uint32_t from = 0;
    for (uint32_t stage = 0; stage < stages; ++stage)
    {
        const double microbatches = std::min(strategy.microbatches, stages - stage);
        uint32_t to = from;
        while (to + (stages - stage - 1) < layers &&
               GetBytes(strategy, from, to + 1, microbatches) <= most)
        {
            ++to;
        }
        if (to == from)
        {
            return true;
        }
        from = to;
    }
    return from < layers;
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
    double forward = 0;
    std::vector<double> ends(operators.size(), 0);
    for (uint32_t index = 0; index < operators.size(); ++index)
    {
        const Operator& op = operators[index];
        if (op.pass == Pass::UPDATE)
        {
            // Replicas may share out the update
            updates += m_problem.accelerator.GetSeconds(op, 0, 1.0 / replicas);
            continue;
        }
        // Measured times need not be in proportion to the samples, and replicas may share experts
        if (m_problem.accelerator.profile)
        {
            continue;
        }
        const double sharers = op.experts > 0 ? std::gcd(op.experts, replicas) : 1;
        // Whole experts may be shared out over the GPUs of replicas, too
        const double holders = op.experts > 0 ? std::gcd(op.experts, m_problem.gpus) : 1;
        work += m_problem.accelerator.GetSeconds(op, holders * samples, 1 / holders);
        for (const auto before : graph.GetPredecessors(index))
        {
            ends[index] = std::max(ends[index], ends[before]);
        }
        ends[index] +=
            m_problem.accelerator.GetSeconds(op, std::min(1.0, samples) * sharers, 1 / sharers);
        forward = op.pass == Pass::FORWARD ? std::max(forward, ends[index]) : forward;
    }
    const double sum = GetSumSeconds(replicas) / gpus;
    // Where parameters are shared out, a reduce-scatter follows the forward pass, and all-gathers
    // of parameters may precede it
    const double gathered =
        static_cast<double>(graph.parameterBytes) / std::max(graph.gradientBytes, 1U);
    return std::max({(work + updates) / gpus,
                     sum * std::min(1.0, (1 + gathered) / 2),
                     gpus == 1 ? forward + sum / 2 : 0});
}

double
StrategyBound::GetSumSeconds(uint32_t replicas) const
{
    const OperatorGraph& graph = m_problem.graph;
    const FabricLimits& fabric = m_problem.fabric;
    const auto& operators = graph.GetOperators();
    double all = 0;
    double experts = 0;
    for (uint32_t index = 0; index < operators.size(); ++index)
    {
        const Operator& op = operators[index];
        if (op.pass != Pass::UPDATE)
        {
            continue;
        }
        const double bytes = static_cast<double>(op.parameters) * graph.gradientBytes;
        // An all-gather of a buffer takes half as long as a sum
        const double gathered = static_cast<double>(m_gradients->GetSparseBytes(graph, index)) *
                                static_cast<double>(m_problem.globalBatch) / 2;
        const uint32_t sharers = op.experts > 0 ? std::gcd(op.experts, replicas) : 1;
        // Sparse gradients stay where they are if all replicas share out their parameters
        const bool isGathered = op.sparse && sharers < replicas;
        if (isGathered || sharers == 1)
        {
            all +=
                (isGathered ? gathered : bytes) * FabricPace::GetReductionSeconds(fabric, replicas);
        }
        else
        {
            experts +=
                bytes / sharers * FabricPace::GetReductionSeconds(fabric, replicas / sharers);
        }
    }
    // With servers, one sum may use the links inside them while the other uses the links outside
    return fabric.HasServers() ? std::max(all, experts) : all + experts;
}

} // namespace lightpath
} // namespace ns3
