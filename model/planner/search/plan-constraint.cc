/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-constraint.h"

#include "model/planner/bound/strategy-bound.h"
#include "model/planner/place/plan-placer.h"
#include "model/planner/planning-deadline.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/write/plan-builder.h"
#include "strategy-space.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Factor of the rates of links without the limit of bandwidth.
constexpr double FASTER = 1e6;

/// Rate of a control network whose messages take no time, bit/s.
constexpr uint64_t FAST_CONTROL = 1'000'000'000'000'000;

/// Strategies that do not fit into memory and are priced nevertheless.
constexpr uint32_t MOST_PRICED = 4;

/// Strategies whose memory is looked at.
constexpr uint32_t MOST_LOOKED_AT = 200;

/**
 * @param fabric the limits of a fabric
 * @param change what to do with each grid that it has
 */
void
ForEachGrid(FabricLimits& fabric, const std::function<void(GridLimits&)>& change)
{
    change(fabric.grid);
    std::for_each(fabric.grids.begin(), fabric.grids.end(), change);
}

/**
 * @param [in,out] links links that get no delay, and whose rates alone count
 */
void
DropDelays(LinkLimits& links)
{
    links.carry = nullptr;
    links.getDelay = nullptr;
    if (links.getWay)
    {
        links.getWay = [getWay = links.getWay, way = LinkLimits::Way()](
                           uint32_t source,
                           uint32_t destination) mutable -> const LinkLimits::Way& {
            way = getWay(source, destination);
            way.delay = 0;
            return way;
        };
    }
}

} // namespace

PlanConstraint::PlanConstraint(const PlanningProblem& problem)
    : m_problem(problem)
{
}

std::vector<ConstraintGain>
PlanConstraint::GetGains(const TrainingPlan& plan) const
{
    const FabricLimits fabric = m_problem.fabric.GetFor(plan);
    const double seconds =
        plan.cost.seconds > 0 ? plan.cost.seconds : CostModel(fabric).Price(plan).seconds;
    FabricLimits wide = fabric;
    wide.bitRate *= FASTER;
    wide.laneRate *= FASTER;
    std::for_each(wide.links.bitRates.begin(), wide.links.bitRates.end(), [](double& rate) {
        rate *= FASTER;
    });
    wide.links.carry = nullptr;
    wide.servers.bitRate *= FASTER;
    wide.servers.pairBitRate *= FASTER;
    ForEachGrid(wide, [](GridLimits& grid) {
        grid.rowBitRate *= FASTER;
        grid.columnBitRate *= FASTER;
    });
    FabricLimits open = fabric;
    open.degree = 0;
    open.circuits = 1;
    open.laneRate = 0;
    open.isShared = true;
    open.links = LinkLimits();
    open.grid = GridLimits();
    open.grids.clear();
    open.allocators.clear();
    open.phaseCircuits = false;
    open.switchingSeconds = 0;
    TrainingPlan unswitched = plan;
    unswitched.phaseCircuits = false;
    FabricLimits prompt = fabric;
    prompt.latency = 0;
    prompt.servers.latency = 0;
    DropDelays(prompt.links);
    prompt.collectiveLatency = 0;
    prompt.switchingSeconds = 0;
    TrainingPlan launched = plan;
    launched.protocols = plan.protocols.WithoutLatency();
    ForEachGrid(prompt, [](GridLimits& grid) {
        grid.tuning = grid.lock = grid.delay = 0;
        grid.unit.processingTime = 0;
        grid.controlBitRate = FAST_CONTROL;
        grid.controlDelay = 0;
    });
    const bool isOpen = fabric.isShared && fabric.grid.rows == 0 && !fabric.links.getWay;
    std::vector<ConstraintGain> gains{
        {"compute", Price(DropCompute(plan), fabric, seconds)},
        {"bandwidth", Price(plan, wide, seconds)},
        {"degree", isOpen ? seconds : Price(unswitched, open, seconds)},
        {"delay", Price(launched, prompt, seconds)},
        {"memory", GetMemorySeconds(seconds)},
    };
    std::stable_sort(
        gains.begin(),
        gains.end(),
        [](const ConstraintGain& a, const ConstraintGain& b) { return a.seconds < b.seconds; });
    return gains;
}

double
PlanConstraint::Price(const TrainingPlan& plan, const FabricLimits& fabric, double limit)
{
    try
    {
        return std::min(limit, CostModel(fabric).Price(plan, limit).seconds);
    }
    catch (const std::invalid_argument&)
    {
        return limit;
    }
}

TrainingPlan
PlanConstraint::DropCompute(const TrainingPlan& plan)
{
    TrainingPlan dropped = plan;
    dropped.ChangeTasks([](const Task& task) { return task.seconds > 0; },
                        [](Task& task) { task.seconds = 0; });
    return dropped;
}

double
PlanConstraint::GetMemorySeconds(double limit) const
{
    PlanningProblem large = m_problem;
    large.accelerator.memoryBytes = UINT64_MAX / 2;
    const StrategyBound bound(large);
    std::vector<std::pair<double, Strategy>> strategies;
    for (const auto& strategy : StrategySpace(large).GetStrategies())
    {
        try
        {
            const double seconds = bound.GetSeconds(strategy);
            if (seconds < limit)
            {
                strategies.emplace_back(seconds, strategy);
            }
        }
        catch (const std::invalid_argument&)
        {
            continue;
        }
    }
    std::stable_sort(strategies.begin(), strategies.end(), [](const auto& a, const auto& b) {
        return a.first < b.first;
    });
    const PlanBuilder builder(large);
    const PlanPlacer placer(large);
    double best = limit;
    uint32_t nPriced = 0;
    uint32_t nLookedAt = 0;
    for (const auto& [seconds, strategy] : strategies)
    {
        PlanningDeadline::Check(m_problem.fabric.deadline);
        if (seconds >= best || nPriced >= MOST_PRICED || nLookedAt++ >= MOST_LOOKED_AT)
        {
            break;
        }
        try
        {
            if (builder.GetMostBytes(strategy) > m_problem.accelerator.memoryBytes)
            {
                ++nPriced;
                TrainingPlan plan = builder.Build(strategy);
                placer.Place(plan);
                best = Price(plan, large.fabric, best);
            }
        }
        catch (const std::invalid_argument&)
        {
            continue;
        }
    }
    return best;
}

} // namespace lightpath
} // namespace ns3
