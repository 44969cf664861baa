/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "kind-traffic.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

std::vector<KindTraffic>
KindTraffic::GetAll(TrainingPlan plan, const FabricLimits& fabric)
{
    std::vector<KindTraffic> traffic(plan.groups.size());
    for (std::size_t kind = 0; kind < traffic.size(); ++kind)
    {
        plan.circuitWeights.assign(traffic.size(), 0);
        plan.circuitWeights[kind] = 1;
        for (const auto& demand : fabric.GetPortTraffic(plan.GetDemand()))
        {
            traffic[kind].bytes = std::max(traffic[kind].bytes, demand.GetMax());
            traffic[kind].degree = std::max(traffic[kind].degree, demand.GetDegree());
        }
    }
    return traffic;
}

} // namespace lightpath
} // namespace ns3
