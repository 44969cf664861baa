/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-placer.h"

#include "grid-collectives.h"
#include "group-cut.h"
#include "model/planner/planning-deadline.h"
#include "model/planner/price/cost-model.h"
#include "port-arrangement.h"
#include "server-collectives.h"

#include <algorithm>
#include <exception>
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

/// The same for estimates on a grid, each of which may be wrong by half of this.
constexpr double GRID_TOLERANCE = 0.1;

/// Changes of loads that exchanges may take in a plan of few ranks.
constexpr uint64_t LEAST_EFFORT = 3'000'000;

/// Orders of axes that are priced where ranks stand in servers.
constexpr std::size_t MOST_SERVER_ORDERS = 4;

/// Orders of axes that are tried if the fabric does not carry the best ones.
constexpr std::size_t MOST_OTHERS = 6;

/**
 * @param text a rule
 * @return true if it is meant as an order of axes
 */
bool
IsOrder(const std::string& text)
{
    return text == "linear" || text == "folded" ||
           (text.find(',') != std::string::npos &&
            text.find_first_not_of("deflopt:,/0123456789") == std::string::npos);
}

} // namespace

PlanPlacer::PlanPlacer(const PlanningProblem& problem)
    : m_problem(problem)
{
    const std::string& rule = problem.placement;
    if (IsAutomatic())
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
    FabricLimits fabric;
    fabric.isRing = true;
    const TrafficMatrix demand = GetRankDemand(plan);
    PortArrangement ring(demand, fabric);
    return {ring.ToBytes(ring.Set(plan.placement.GetPorts()).most),
            ring.ToBytes(ring.Set({}).most),
            std::max(ring.ToBytes(ring.GetBound()), GroupCut::GetBytes(plan, demand) / 2)};
}

bool
PlanPlacer::IsAutomatic() const
{
    return m_problem.placement.empty() || m_problem.placement == AUTOMATIC;
}

bool
PlanPlacer::MayArrange() const
{
    const FabricLimits& fabric = m_problem.fabric;
    return IsAutomatic() && (fabric.isRing || fabric.grid.rows > 0 || fabric.HasServers());
}

bool
PlanPlacer::MayArrange(const TrainingPlan& plan) const
{
    return MayArrange() && plan.programs.size() > 3 && plan.representedRanks == 0 &&
           (m_problem.fabric.grid.rows > 0 ||
            m_problem.fabric.servers.layout.gpus < plan.programs.size());
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
    else if (m_problem.fabric.isRing && MayArrange(plan))
    {
        plan.placement = GetOrders(plan, false).front();
    }
    GridCollectives::Choose(m_problem.fabric, plan);
}

double
PlanPlacer::Price(TrainingPlan& plan, double limit) const
{
    if (!MayArrange(plan))
    {
        Place(plan);
        return CostModel(m_problem.fabric).Estimate(plan, limit).seconds;
    }
    GridCollectives::Choose(m_problem.fabric, plan);
    const auto orders = GetOrders(plan, false);
    return Choose(plan, {Placement(), orders.front()}, orders, limit, false);
}

void
PlanPlacer::PlaceChosen(TrainingPlan& plan) const
{
    if (!MayArrange(plan))
    {
        Place(plan);
        return;
    }
    const Placement given = plan.placement;
    try
    {
        Arrange(plan);
    }
    catch (const std::invalid_argument&)
    {
        // The planner says why the fabric does not carry the plan
        plan.placement = given;
        GridCollectives::Choose(m_problem.fabric, plan);
    }
    catch (const PlanningTimeout&)
    {
        plan.placement = given;
        GridCollectives::Choose(m_problem.fabric, plan);
    }
}

void
PlanPlacer::Arrange(TrainingPlan& plan) const
{
    GridCollectives::Choose(m_problem.fabric, plan);
    PortArrangement arrangement(GetRankDemand(plan), m_problem.fabric);
    std::vector<Placement> candidates{plan.placement, Placement()};
    if (arrangement.Set({}).most <= arrangement.GetBound() && plan.placement.IsLinear())
    {
        return;
    }
    const auto orders = GetOrders(plan, true);
    const auto add = [&candidates](const std::vector<Placement>& placements, std::size_t most) {
        candidates.insert(candidates.end(),
                          placements.begin(),
                          placements.begin() + std::min(most, placements.size()));
    };
    add(orders, 1);
    if (m_problem.fabric.HasServers())
    {
        // Loads say little of what servers gain: more orders are priced, among them all that keep
        // tensor parallelism inside
        add(orders, MOST_SERVER_ORDERS);
        auto inside = GetOrders(plan, false);
        const auto isOutside = [](const Placement& placement) {
            const std::string name = placement.GetName();
            return name.rfind("tp,", 0) != 0 || name.find(':') != std::string::npos;
        };
        inside.erase(std::remove_if(inside.begin(), inside.end(), isOutside), inside.end());
        add(inside, inside.size());
    }
    const PortArrangement::Load before = arrangement.Set(orders.front().GetPorts());
    if (arrangement.Improve(std::max(EFFORT * plan.programs.size(), LEAST_EFFORT)) < before)
    {
        candidates.emplace_back(arrangement.GetPorts(), AUTOMATIC);
    }
    Choose(plan, candidates, orders, std::numeric_limits<double>::infinity(), true);
}

double
PlanPlacer::Choose(TrainingPlan& plan,
                   const std::vector<Placement>& candidates,
                   const std::vector<Placement>& others,
                   double limit,
                   bool isLast) const
{
    const FabricLimits& fabric = m_problem.fabric;
    const CostModel model(fabric);
    PortArrangement arrangement(GetRankDemand(plan), fabric);
    const bool doLoadsDecide = fabric.isRing && fabric.allocators.empty();
    double least = std::numeric_limits<double>::infinity();
    PortArrangement::Load lightest;
    Placement best;
    std::vector<Placement> tried;
    std::exception_ptr refusal;
    std::size_t nJoined = 0;
    const auto attempt = [&](const Placement& placement) {
        if (std::find(tried.begin(), tried.end(), placement) != tried.end())
        {
            return;
        }
        tried.push_back(placement);
        plan.placement = placement;
        GridCollectives::Choose(fabric, plan);
        try
        {
            fabric.CheckPaths(plan.GetTraffic());
            ServerCollectives::CheckAveraged(fabric, plan);
            ++nJoined;
            // Rounding must not make equal prices differ
            const double most = least * (1 + 1e-9);
            const PlanCost cost = isLast ? model.Price(plan, std::min(limit, most))
                                         : model.Estimate(plan, std::min(limit, most));
            const double seconds = cost.seconds;
            const bool isRough = fabric.grid.rows > 0 && !cost.isExact;
            const double tolerance = isRough ? GRID_TOLERANCE : TOLERANCE;
            const PortArrangement::Load load = arrangement.Set(placement.GetPorts());
            const bool isLighter = doLoadsDecide && seconds <= most && load < lightest;
            if (seconds < least * (1 - tolerance) || isLighter)
            {
                least = seconds;
                lightest = load;
                best = placement;
            }
        }
        catch (const std::invalid_argument&)
        {
            refusal = std::current_exception();
        }
        catch (const PlanningTimeout&)
        {
            // Without the time for this placement, one that has a price is taken
            if (least == std::numeric_limits<double>::infinity())
            {
                throw;
            }
        }
    };
    std::for_each(candidates.begin(), candidates.end(), attempt);
    // Of those that join all pairs, a few
    std::size_t nLeft = MOST_OTHERS;
    for (std::size_t i = 0;
         i < others.size() && nLeft > 0 && least == std::numeric_limits<double>::infinity();
         ++i)
    {
        nJoined = 0;
        attempt(others[i]);
        nLeft -= nJoined;
    }
    plan.placement = best;
    GridCollectives::Choose(fabric, plan);
    if (least == std::numeric_limits<double>::infinity())
    {
        std::rethrow_exception(refusal);
    }
    return least;
}

std::vector<Placement>
PlanPlacer::GetOrders(const TrainingPlan& plan, bool isAll) const
{
    std::vector<Placement> placements{Placement()};
    if (plan.strategy.GetGpus() == plan.programs.size())
    {
        placements = AxisOrder::PlaceAll(plan.strategy, isAll);
    }
    PortArrangement arrangement(GetRankDemand(plan), m_problem.fabric);
    std::vector<std::pair<PortArrangement::Load, std::size_t>> order;
    for (std::size_t i = 0; i < placements.size(); ++i)
    {
        order.emplace_back(arrangement.Set(placements[i].GetPorts()), i);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return a.first < b.first;
    });
    std::vector<Placement> sorted;
    for (const auto& [load, i] : order)
    {
        sorted.push_back(std::move(placements[i]));
    }
    return sorted;
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
