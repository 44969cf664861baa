/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-placer.h"

#include "grid-collectives.h"
#include "model/planner/price/cost-model.h"
#include "ring-arrangement.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The rule that seeks the best placement.
const std::string AUTOMATIC = "automatic";

/// Share of an iteration below which prices are taken for equal.
constexpr double TOLERANCE = 1e-3;

/**
 * @param text a rule
 * @return true if it is meant as an order of axes
 */
bool
IsOrder(const std::string& text)
{
    return text == "linear" || text == "folded" ||
           (text.find(',') != std::string::npos &&
            text.find_first_not_of("defloptp:,") == std::string::npos);
}

} // namespace

PlanPlacer::PlanPlacer(const PlanningProblem& problem)
    : m_problem(problem)
{
    const std::string& rule = problem.placement;
    if (rule.empty() || rule == AUTOMATIC)
    {
        return;
    }
    if (IsOrder(rule))
    {
        m_order = AxisOrder::Parse(rule);
        return;
    }
    m_placement = Placement::ReadFile(rule);
    m_placement->Check(problem.gpus);
}

PlanPlacer::SegmentBytes
PlanPlacer::GetSegmentBytes(const TrainingPlan& plan)
{
    RingArrangement ring(GetRankDemand(plan));
    return {ring.ToBytes(ring.Set(plan.placement.GetPorts()).most),
            ring.ToBytes(ring.Set({}).most),
            std::max(ring.ToBytes(ring.GetBound()), GetCutBytes(plan) / 2)};
}

double
PlanPlacer::GetCutBytes(const TrainingPlan& plan)
{
    const auto n = static_cast<uint32_t>(plan.programs.size());
    const TrafficMatrix demand = GetRankDemand(plan);
    std::vector<std::pair<uint32_t, double>> axes;
    for (const uint32_t kind : {TENSOR_GROUP, DATA_GROUP, PIPELINE_GROUP})
    {
        const std::size_t size =
            kind < plan.groups.size() ? plan.groups[kind].GetMembers(0).size() : 0;
        uint64_t least = UINT64_MAX;
        for (uint32_t rank = 0; rank < n && size > 1; ++rank)
        {
            const auto& members = plan.groups[kind].GetMembers(rank);
            const std::size_t next =
                members.empty() ? 0 : (plan.groups[kind].GetPosition(rank) + 1) % members.size();
            least = members.empty() ? 0 : std::min(least, demand.Get(rank, members[next]));
        }
        if (size > 1)
        {
            axes.emplace_back(size, least);
        }
    }
    if (axes.size() != 2 || axes[0].first * axes[1].first != n)
    {
        return 0;
    }
    // Groups of which some members are in a set and others are not send their bytes out of it
    const auto [rowSize, rowBytes] = axes[0];
    const auto [columnSize, columnBytes] = axes[1];
    double most = 0;
    for (uint32_t size = 1; 2 * size <= n; ++size)
    {
        // With a whole row and none of another one, no column is whole or left out, and if no row
        // is whole or left out, all of them count
        double cut = std::min(columnBytes * rowSize, rowBytes * columnSize);
        for (uint32_t rows = 1; rows < columnSize; ++rows)
        {
            // Otherwise the set, or what is left by it, has parts of rows only, and columns of them
            const uint32_t columns = (size + rows - 1) / rows;
            cut = std::min(cut, rows * rowBytes + columns * columnBytes);
        }
        most = std::max(most, cut);
    }
    return most;
}

bool
PlanPlacer::IsAutomatic() const
{
    return m_problem.placement == AUTOMATIC;
}

void
PlanPlacer::Place(TrainingPlan& plan) const
{
    if (m_placement)
    {
        plan.placement = *m_placement;
    }
    else if (m_order)
    {
        plan.placement = m_order->Place(plan.strategy);
    }
    else if (MayArrange(plan))
    {
        plan.placement = FindBestOrder(plan);
    }
    GridCollectives::Choose(m_problem.fabric, plan);
}

void
PlanPlacer::PlaceChosen(TrainingPlan& plan) const
{
    if (!MayArrange(plan))
    {
        Place(plan);
        return;
    }
    RingArrangement ring(GetRankDemand(plan));
    const Placement order = FindBestOrder(plan);
    const RingArrangement::Load before = ring.Set(order.GetPorts());
    std::vector<Placement> candidates{Placement(), plan.placement, order};
    if (ring.Improve(EFFORT * plan.programs.size()) < before)
    {
        candidates.emplace_back(ring.GetPorts(), AUTOMATIC);
    }
    const CostModel model(m_problem.fabric);
    double least = std::numeric_limits<double>::infinity();
    RingArrangement::Load lightest;
    Placement best = order;
    for (std::size_t i = 0; i < candidates.size(); ++i)
    {
        bool isNew = true;
        for (std::size_t j = 0; j < i; ++j)
        {
            isNew = isNew && !(candidates[j] == candidates[i]);
        }
        const RingArrangement::Load load = ring.Set(candidates[i].GetPorts());
        plan.placement = candidates[i];
        GridCollectives::Choose(m_problem.fabric, plan);
        try
        {
            const double seconds =
                isNew ? model.Price(plan, least).seconds : std::numeric_limits<double>::infinity();
            if (seconds < least * (1 - TOLERANCE) ||
                (seconds <= least * (1 + 1e-9) && load < lightest))
            {
                least = seconds;
                lightest = load;
                best = candidates[i];
            }
        }
        catch (const std::invalid_argument&)
        {
            // It has a pair that would get no lightpath
        }
    }
    plan.placement = best;
    GridCollectives::Choose(m_problem.fabric, plan);
}

bool
PlanPlacer::MayArrange(const TrainingPlan& plan) const
{
    const FabricLimits& fabric = m_problem.fabric;
    return IsAutomatic() && fabric.isRing && fabric.serverGpus <= 1 && plan.programs.size() > 3 &&
           plan.representedRanks == 0;
}

Placement
PlanPlacer::FindBestOrder(const TrainingPlan& plan)
{
    const Strategy& strategy = plan.strategy;
    const uint64_t ranks =
        uint64_t{strategy.dataParallel} * strategy.tensorParallel * strategy.pipelineParallel;
    Placement best;
    RingArrangement ring(GetRankDemand(plan));
    RingArrangement::Load least = ring.Set({});
    for (const auto& order :
         ranks == plan.programs.size() ? AxisOrder::GetAll(strategy) : std::vector<AxisOrder>())
    {
        Placement placement = order.Place(strategy);
        const RingArrangement::Load load = ring.Set(placement.GetPorts());
        if (load < least)
        {
            least = load;
            best = std::move(placement);
        }
    }
    return best;
}

TrafficMatrix
PlanPlacer::GetRankDemand(const TrainingPlan& plan)
{
    TrainingPlan unplaced = plan;
    unplaced.placement = Placement();
    return unplaced.GetDemand();
}

} // namespace lightpath
} // namespace ns3
