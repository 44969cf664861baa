/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-variants.h"

#include "model/collective/collective-chooser.h"
#include "model/planner/place/plan-placer.h"
#include "model/planner/write/pipeline-schedule.h"
#include "plan-choice.h"
#include "ring-directions.h"
#include "strategy-space.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Members of a group beyond which algorithms are not compared by their closed forms.
constexpr uint32_t MOST_MEMBERS = 256;

/// Algorithms of one kind of group that are tried.
constexpr std::size_t MOST_ALGORITHMS = 3;

} // namespace

PlanVariants::PlanVariants(const PlanningProblem& problem)
    : m_problem(problem),
      m_cuts(problem),
      m_doPlacesDiffer(FindPlacesDiffer(problem)),
      m_gradientBytes(problem.graph.GetParameters() * problem.graph.gradientBytes)
{
    for (const auto& op : problem.graph.GetOperators())
    {
        m_sumBytes =
            op.split == TensorSplit::ROW ? std::max(m_sumBytes, op.outputBytes) : m_sumBytes;
    }
}

bool
PlanVariants::DoPlacesDiffer() const
{
    return m_doPlacesDiffer;
}

bool
PlanVariants::FindPlacesDiffer(const PlanningProblem& problem)
{
    const FabricLimits& fabric = problem.fabric;
    const uint32_t gpus = problem.gpus;
    if (!PlanPlacer(problem).IsAutomatic() || gpus < 4)
    {
        return false;
    }
    if (fabric.pathRefusal)
    {
        return true;
    }
    // Where ranks share servers, and on a grid, only the plan that is chosen is placed in other
    // ways
    if (fabric.allocators.empty() || fabric.HasServers())
    {
        return false;
    }
    // Ask for rings of neighbours and of GPUs far apart: equal grants mean that places do not
    // matter
    const auto grant = [&](uint32_t stride) {
        TrafficMatrix traffic(gpus);
        for (uint32_t gpu = 0; gpu < gpus; ++gpu)
        {
            traffic.Add(gpu, (gpu + stride) % gpus, 1 << 20);
        }
        return fabric.allocators.front()->Allocate(traffic).fairness;
    };
    return grant(1) != grant(gpus / 2);
}

std::vector<Strategy>
PlanVariants::GetRings(const Strategy& strategy) const
{
    // All groups of several members change at once: local search has the rest
    std::vector<Strategy> strategies;
    const auto bothWays = RingDirections::GetBothWays(m_problem.fabric, strategy);
    if (!bothWays.empty() && !m_problem.fabric.HasServers())
    {
        strategies.push_back(bothWays.back());
    }
    strategies.push_back(strategy);
    return strategies;
}

std::vector<Strategy>
PlanVariants::GetAlgorithms(const Strategy& strategy) const
{
    const FabricLimits& fabric = m_problem.fabric;
    if (fabric.HasServers())
    {
        return GetLevels(strategy);
    }
    if (fabric.isShared)
    {
        // One ring has all of the rate. Steps of other algorithms have other peers each: once ranks
        // are out of step, several senders share the link of one receiver, which the price does not
        // show.
        return {};
    }
    CollectiveNetwork network;
    network.link.latency = fabric.latency;
    network.link.rate = fabric.bitRate / 8;
    network.peerRate = fabric.peerBitRate / 8;
    network.degree = fabric.degree;
    std::vector<Strategy> strategies;
    for (const bool isData : {true, false})
    {
        const uint32_t members = isData ? strategy.GetShardMembers() : strategy.tensorParallel;
        if (members < 3)
        {
            continue;
        }
        std::vector<CollectiveChooser::Choice> ways;
        if (members <= MOST_MEMBERS && network.link.rate > 0)
        {
            ways = CollectiveChooser(network).GetCandidates(CollectiveKind::ALL_REDUCE,
                                                            members,
                                                            GetBytes(strategy, isData));
        }
        std::stable_sort(ways.begin(), ways.end(), [](const auto& a, const auto& b) {
            return a.seconds < b.seconds;
        });
        ways.resize(std::min(ways.size(), MOST_ALGORITHMS));
        for (const auto& way : ways)
        {
            Add(strategy, isData, way.options, strategies);
        }
        Add(strategy, isData, {1, CollectiveAlgorithm::MULTI_RING, 2}, strategies);
    }
    return strategies;
}

std::vector<Strategy>
PlanVariants::GetLevels(const Strategy& strategy) const
{
    using A = CollectiveAlgorithm;
    const FabricLimits& fabric = m_problem.fabric;
    std::vector<Strategy> strategies;
    for (const auto inside : {A::RING, A::DIRECT, A::LINE})
    {
        // A switch that sums does so wherever it can
        Strategy other = strategy;
        other.insideAlgorithm = inside;
        if (fabric.servers.isRing == (inside == A::LINE) || inside == A::RING)
        {
            strategies.push_back(other);
        }
    }
    for (const auto across : {A::RING, A::HALVING_DOUBLING, A::DOUBLE_TREE})
    {
        // At a switch one ring has all of the rate
        Strategy other = strategy;
        other.acrossAlgorithm = across;
        if (!fabric.isShared)
        {
            strategies.push_back(other);
        }
    }
    return strategies;
}

bool
PlanVariants::IsPossible(const Strategy& strategy)
{
    try
    {
        PipelineSchedule::Check(strategy);
        return true;
    }
    catch (const std::invalid_argument&)
    {
        return false;
    }
}

std::vector<Strategy>
PlanVariants::GetSchedules(const Strategy& strategy) const
{
    std::vector<Strategy> strategies;
    for (const auto& schedule : PipelineScheduleName::GetAll())
    {
        Strategy other = strategy;
        other.schedule = schedule.value;
        other.virtualStages = 1;
        if (strategy.virtualStages > 1)
        {
            other.cuts.clear();
        }
        if (strategy.pipelineParallel == 1 || other.schedule == strategy.schedule)
        {
            continue;
        }
        const auto microbatches =
            StrategySpace::GetMicrobatches(m_problem.globalBatch / strategy.dataParallel);
        const auto found = std::find_if(microbatches.begin(), microbatches.end(), [&](uint32_t m) {
            other.microbatches = m;
            return m >= strategy.microbatches && IsPossible(other);
        });
        if (found != microbatches.end())
        {
            strategies.push_back(other);
        }
    }
    return strategies;
}

Strategy
PlanVariants::GetCut(const Strategy& strategy) const
{
    Strategy cut = strategy;
    if (strategy.pipelineParallel > 1 && strategy.virtualStages == 1)
    {
        cut.cuts = m_cuts.Get(strategy);
    }
    return cut;
}

uint64_t
PlanVariants::GetBytes(const Strategy& strategy, bool isData) const
{
    if (isData)
    {
        const uint64_t all =
            m_gradientBytes / (uint64_t{strategy.tensorParallel} * strategy.pipelineParallel);
        return std::max<uint64_t>(strategy.bucketBytes > 0 ? std::min(strategy.bucketBytes, all)
                                                           : all / m_problem.graph.GetNLayers(),
                                  1);
    }
    const uint64_t samples =
        m_problem.globalBatch / (uint64_t{strategy.dataParallel} * strategy.microbatches);
    return std::max<uint64_t>(m_sumBytes * samples / strategy.contextParallel, 1);
}

void
PlanVariants::Add(Strategy strategy,
                  bool isData,
                  const CollectiveOptions& options,
                  std::vector<Strategy>& strategies)
{
    (isData ? strategy.dataAlgorithm : strategy.tensorAlgorithm) = options.algorithm;
    (isData ? strategy.dataRings : strategy.tensorRings) = options.rings;
    const bool isKnown =
        std::any_of(strategies.begin(), strategies.end(), [&strategy](const Strategy& other) {
            return strategy == other;
        });
    if (!isKnown)
    {
        strategies.push_back(strategy);
    }
}

} // namespace lightpath
} // namespace ns3
