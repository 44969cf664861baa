/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "placement-contest.h"

#include "grid-collectives.h"
#include "halving-places.h"
#include "model/planner/planning-deadline.h"
#include "server-collectives.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Share of an iteration below which prices are taken for equal.
constexpr double TOLERANCE = 1e-3;

/// The same for estimates on a grid, each of which may be wrong by half of this.
constexpr double GRID_TOLERANCE = 0.1;

} // namespace

PlacementContest::PlacementContest(const FabricLimits& fabric,
                                   PortArrangement& arrangement,
                                   TrainingPlan& plan,
                                   double limit,
                                   bool isLast)
    : m_fabric(fabric),
      m_arrangement(arrangement),
      m_plan(plan),
      m_limit(limit),
      m_isLast(isLast),
      m_doLoadsDecide(fabric.isRing && fabric.allocators.empty()),
      m_halving(fabric.HasServers() ? HalvingPlaces::GetKinds(plan) : std::set<uint32_t>()),
      m_model(fabric)
{
}

void
PlacementContest::Try(const Placement& placement)
{
    if (std::find(m_tried.begin(), m_tried.end(), placement) != m_tried.end())
    {
        return;
    }
    if (m_nEvents > CostModel::MANY_EVENTS && !IsEmpty())
    {
        return;
    }
    m_tried.push_back(placement);
    Place(placement);
    if (!IsEmpty() && !HalvingPlaces::AreAlike(m_fabric.servers.layout, m_plan, m_halving))
    {
        return;
    }
    try
    {
        m_fabric.CheckPaths(m_plan.GetTraffic());
        ServerCollectives::CheckAveraged(m_fabric, m_plan);
        ++m_nJoined;
        const bool isGrid = m_fabric.grid.rows > 0;
        const double limit =
            std::min(m_limit, m_least * (1 + (isGrid ? GRID_TOLERANCE : TOLERANCE)));
        const uint64_t most =
            IsEmpty() && std::isinf(m_limit) ? CostModel::ANY_EVENTS : CostModel::MANY_EVENTS;
        // Where messages need not be followed, a quick price knows as well which placement is
        // shorter, unless GPUs share ports
        const ServerLayout& layout = m_fabric.servers.layout;
        const bool mustFollow = m_fabric.FollowsMessages() || layout.GetNCards() < layout.gpus;
        const bool isFollowed = m_isLast && mustFollow;
        const PlanCost cost =
            isFollowed ? m_model.Price(m_plan, limit, most) : m_model.Estimate(m_plan, limit, most);
        m_nEvents += cost.events;
        m_least = std::min(m_least, cost.seconds);
        m_entries.push_back({placement,
                             cost.seconds,
                             isGrid && !cost.isExact ? GRID_TOLERANCE : TOLERANCE,
                             m_arrangement.Set(placement.GetPorts())});
    }
    catch (const PricingError&)
    {
        m_nEvents += CostModel::MANY_EVENTS;
        m_refusal = std::current_exception();
    }
    catch (const std::invalid_argument&)
    {
        m_refusal = std::current_exception();
    }
    catch (const PlanningTimeout&)
    {
        // Without the time for this placement, one that has a price is taken
        if (IsEmpty())
        {
            throw;
        }
    }
}

bool
PlacementContest::IsEmpty() const
{
    return m_entries.empty();
}

std::size_t
PlacementContest::GetNJoined() const
{
    return m_nJoined;
}

std::size_t
PlacementContest::GetNTried() const
{
    return m_tried.size();
}

const Placement&
PlacementContest::GetBest() const
{
    return FindBest().placement;
}

double
PlacementContest::Settle()
{
    if (IsEmpty())
    {
        Place(Placement());
        std::rethrow_exception(m_refusal);
    }
    const Entry& best = FindBest();
    Place(best.placement);
    return best.seconds;
}

PlacementContest::Rank
PlacementContest::GetRank(const Entry& entry) const
{
    return {entry.seconds > m_least * (1 + entry.tolerance),
            m_doLoadsDecide ? entry.load : PortArrangement::Load(),
            entry.load.longest,
            !entry.placement.IsLinear()};
}

const PlacementContest::Entry&
PlacementContest::FindBest() const
{
    return *std::min_element(
        m_entries.begin(),
        m_entries.end(),
        [this](const Entry& a, const Entry& b) { return GetRank(a) < GetRank(b); });
}

void
PlacementContest::Place(const Placement& placement)
{
    m_plan.placement = placement;
    GridCollectives::Choose(m_fabric, m_plan);
}

} // namespace lightpath
} // namespace ns3
