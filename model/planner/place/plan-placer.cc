/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-placer.h"

#include "grid-collectives.h"
#include "group-cut.h"
#include "halving-places.h"
#include "model/planner/planning-deadline.h"
#include "model/planner/price/cost-model.h"

#include "ns3/plan-folder.h"

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

/// Changes of loads that exchanges may take in a plan of few ranks.
constexpr uint64_t LEAST_EFFORT = 3'000'000;

/// Orders of axes that are priced in servers and on grids, of whose times loads say little.
constexpr std::size_t MOST_ORDERS = 4;

/// Orders of axes that are priced on a ring.
constexpr std::size_t MOST_RING_ORDERS = 16;

/// The best orders of axes whose blocks are folded.
constexpr std::size_t MOST_FOLDED = 8;

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
            text.find_first_not_of("cdeflopt:,/0123456789") == std::string::npos);
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

bool
PlanPlacer::KeepsOrder(const TrainingPlan& plan) const
{
    return m_problem.fabric.HasLikePorts() && plan.programs.size() > PlanFolder::MANY_RANKS;
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
        PortArrangement arrangement(GetRankDemand(plan), m_problem.fabric);
        plan.placement = GetOrders(plan, arrangement, false).front().placement;
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
    PortArrangement arrangement(GetRankDemand(plan), m_problem.fabric);
    PlacementContest contest(m_problem.fabric, arrangement, plan, limit, false);
    contest.Try(Placement());
    if (KeepsOrder(plan) && !contest.IsEmpty())
    {
        return contest.Settle();
    }
    const auto orders = GetOrders(plan, arrangement, false);
    contest.Try(orders.front().placement);
    TryOthers(orders, contest);
    return contest.Settle();
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
    const FabricLimits& fabric = m_problem.fabric;
    GridCollectives::Choose(fabric, plan);
    PortArrangement arrangement(GetRankDemand(plan), fabric);
    const PortArrangement::Load linear = arrangement.Set({});
    if (plan.placement.IsLinear() && linear.beyond == 0 && linear.most <= arrangement.GetBound())
    {
        return;
    }
    constexpr double noLimit = std::numeric_limits<double>::infinity();
    PlacementContest contest(fabric, arrangement, plan, noLimit, true);
    contest.Try(plan.placement);
    contest.Try(Placement());
    if (KeepsOrder(plan) && !contest.IsEmpty())
    {
        contest.Settle();
        return;
    }
    TryDealt(plan, contest);
    const auto orders = GetOrders(plan, arrangement, true);
    const PortArrangement::Load before = arrangement.Set(orders.front().placement.GetPorts());
    const uint64_t effort = std::max(EFFORT * plan.programs.size(), LEAST_EFFORT);
    const bool isImproved = arrangement.Improve(effort) < before;
    const Placement improved =
        isImproved ? Placement(arrangement.GetPorts(), AUTOMATIC) : orders.front().placement;
    const std::size_t most = fabric.isRing && !fabric.HasServers() ? MOST_RING_ORDERS : MOST_ORDERS;
    for (std::size_t i = 0; i < std::min(most, orders.size()); ++i)
    {
        contest.Try(orders[i].placement);
    }
    if (fabric.HasServers())
    {
        // Loads say little of what servers gain: all orders that keep tensor parallelism inside are
        // priced, too
        for (const auto& order : GetOrders(plan, arrangement, false))
        {
            const std::string name = order.placement.GetName();
            if (name.rfind("tp,", 0) == 0 && name.find(':') == std::string::npos)
            {
                contest.Try(order.placement);
            }
        }
    }
    contest.Try(improved);
    TryOthers(orders, contest);
    if (fabric.isRing && !contest.IsEmpty())
    {
        try
        {
            TryFolded(plan.strategy, orders, arrangement, contest);
        }
        catch (const PlanningTimeout&)
        {
            // Without the time for more, the best one so far is taken
        }
    }
    contest.Settle();
}

void
PlanPlacer::TryDealt(const TrainingPlan& plan, PlacementContest& contest) const
{
    const FabricLimits& fabric = m_problem.fabric;
    const auto ranks = static_cast<uint32_t>(plan.programs.size());
    if (fabric.HasServers() && ranks == plan.strategy.dataParallel &&
        ranks % fabric.servers.layout.gpus == 0 && !HalvingPlaces::GetKinds(plan).empty())
    {
        contest.Try(HalvingPlaces::Deal(fabric.servers.layout, ranks));
    }
}

void
PlanPlacer::TryOthers(const std::vector<LoadedOrder>& orders, PlacementContest& contest)
{
    // Of those that join all pairs, a few
    const std::size_t last = contest.GetNJoined() + MOST_OTHERS;
    for (std::size_t i = 0; i < orders.size() && contest.IsEmpty() && contest.GetNJoined() < last;
         ++i)
    {
        contest.Try(orders[i].placement);
    }
}

void
PlanPlacer::TryFolded(const Strategy& strategy,
                      const std::vector<LoadedOrder>& orders,
                      PortArrangement& arrangement,
                      PlacementContest& contest)
{
    const auto find = [&contest](const std::vector<LoadedOrder>& among) {
        return std::find_if(among.begin(), among.end(), [&contest](const LoadedOrder& order) {
            return order.placement == contest.GetBest();
        });
    };
    std::vector<LoadedOrder> around = orders;
    for (auto best = find(around); best != around.end(); best = find(around))
    {
        const std::size_t nTried = contest.GetNTried();
        const bool isOut = best->load.beyond > 0;
        std::vector<LoadedOrder> refolded;
        for (auto& order : best->order.GetRefolded())
        {
            Placement placement = order.Place(strategy);
            const PortArrangement::Load load = arrangement.Set(placement.GetPorts());
            if (load.beyond == 0 || isOut)
            {
                contest.Try(placement);
                refolded.push_back({load, std::move(order), std::move(placement)});
            }
        }
        around = std::move(refolded);
        if (contest.GetNTried() == nTried)
        {
            break;
        }
    }
}

std::vector<PlanPlacer::LoadedOrder>
PlanPlacer::GetOrders(const TrainingPlan& plan, PortArrangement& arrangement, bool isAll)
{
    if (plan.strategy.GetGpus() != plan.programs.size())
    {
        return {{arrangement.Set({}), AxisOrder(), Placement()}};
    }
    std::vector<LoadedOrder> orders;
    for (auto& [order, placement] : AxisOrder::PlaceAll(plan.strategy, isAll))
    {
        const PortArrangement::Load load = arrangement.Set(placement.GetPorts());
        orders.push_back({load, std::move(order), std::move(placement)});
    }
    const auto isLess = [](const auto& a, const auto& b) { return a.load < b.load; };
    std::stable_sort(orders.begin(), orders.end(), isLess);
    if (isAll)
    {
        for (std::size_t i = 0; i < std::min(MOST_FOLDED, orders.size()); ++i)
        {
            Fold(plan.strategy, arrangement, orders[i]);
        }
        std::stable_sort(orders.begin(), orders.end(), isLess);
    }
    // Where some orders are within reach, the others are of no use
    const auto isUseless = [&orders](const LoadedOrder& order) {
        return order.load.beyond > 0 && orders.front().load.beyond == 0;
    };
    orders.erase(std::find_if(orders.begin() + 1, orders.end(), isUseless), orders.end());
    return orders;
}

void
PlanPlacer::Fold(const Strategy& strategy, PortArrangement& arrangement, LoadedOrder& best)
{
    for (bool isBetter = true; isBetter;)
    {
        isBetter = false;
        for (auto& order : best.order.GetRefolded())
        {
            Placement placement = order.Place(strategy);
            const PortArrangement::Load load = arrangement.Set(placement.GetPorts());
            if (load < best.load)
            {
                best = {load, std::move(order), std::move(placement)};
                isBetter = true;
                break;
            }
        }
    }
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
