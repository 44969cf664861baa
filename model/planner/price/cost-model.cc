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
    if (!plan.placement.IsLinear())
    {
        // The fabric knows the ranks by their ports
        return Price(plan.OnPorts(), limit);
    }
    FabricLimits fabric = m_fabric;
    fabric.grid = m_fabric.GetGrid(plan.gridRows, plan.gridColumns);
    return PlanReplay(plan, fabric).Run(limit);
}

} // namespace lightpath
} // namespace ns3
