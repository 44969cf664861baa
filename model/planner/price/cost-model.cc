/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cost-model.h"

#include "plan-replay.h"

#include <algorithm>

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
    const auto& grids = m_fabric.grids;
    const auto asked = std::find_if(grids.begin(), grids.end(), [&plan](const GridLimits& grid) {
        return grid.rows == plan.gridRows && grid.columns == plan.gridColumns;
    });
    if (asked != grids.end())
    {
        FabricLimits fabric = m_fabric;
        fabric.grid = *asked;
        return PlanReplay(plan, fabric).Run(limit);
    }
    return PlanReplay(plan, m_fabric).Run(limit);
}

} // namespace lightpath
} // namespace ns3
