/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cost-model.h"

#include "plan-replay.h"

namespace ns3
{
namespace lightpath
{

CostModel::CostModel(const FabricLimits& fabric)
    : m_fabric(fabric)
{
}

PlanCost
CostModel::Price(const TrainingPlan& plan, double limit) const
{
    return Replay(plan, limit, true);
}

PlanCost
CostModel::Estimate(const TrainingPlan& plan, double limit) const
{
    return Replay(plan, limit, false);
}

PlanCost
CostModel::Replay(const TrainingPlan& plan, double limit, bool mayFollow) const
{
    if (!plan.placement.IsLinear())
    {
        // The fabric knows the ranks by their ports
        return Replay(plan.OnPorts(), limit, mayFollow);
    }
    if (!plan.expertLoad.IsEven())
    {
        return Replay(plan.WithTypicalLoads(), limit, mayFollow);
    }
    FabricLimits fabric = m_fabric.GetFor(plan);
    fabric.grid = m_fabric.GetGrid(plan.gridRows, plan.gridColumns);
    if (plan.turnCircuits && !fabric.turnCircuits)
    {
        fabric.TurnCircuits();
    }
    if (mayFollow && GridMessages::AreFollowed(plan, fabric))
    {
        const PlanCost cost = PlanReplay(plan, fabric, true).Run(limit);
        if (cost.isExact)
        {
            return cost;
        }
    }
    return PlanReplay(plan, fabric, false).Run(limit);
}

} // namespace lightpath
} // namespace ns3
