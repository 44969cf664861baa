/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-allocator.h"

#include "model/device/lane-cursor.h"

#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("CircuitAllocator");

NS_OBJECT_ENSURE_REGISTERED(CircuitAllocator);

double
CircuitAllocation::GetGap() const
{
    if (objective >= bound)
    {
        return 0;
    }
    return std::isfinite(bound) ? 1 - objective / bound : 1;
}

void
CircuitAllocation::Replace(CircuitPlan other, const TrafficMatrix& demand)
{
    if (other == plan)
    {
        return;
    }
    plan = std::move(other);
    unserved.clear();
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        for (const auto& entry : demand.GetRow(source))
        {
            if (plan.GetLanes(source, entry.first).empty())
            {
                unserved.emplace_back(source, entry.first);
            }
        }
    }
}

TypeId
CircuitAllocator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::CircuitAllocator").SetParent<Object>().SetGroupName("Lightpath");
    return tid;
}

CircuitAllocation
CircuitAllocator::Allocate(const TrafficMatrix& demand) const
{
    if (demand.GetSize() != GetNPorts())
    {
        throw std::invalid_argument("A demand of " + std::to_string(demand.GetSize()) +
                                    " ports cannot be allocated on a fabric of " +
                                    std::to_string(GetNPorts()) +
                                    " ports: both must have the same size");
    }
    CircuitAllocation allocation = DoAllocate(demand);
    NS_LOG_LOGIC(GetInstanceTypeId().GetName()
                 << " grants " << allocation.plan.GetNLanes() << " lanes to "
                 << allocation.plan.GetLightpaths().size() << " pairs for " << demand.GetTotal()
                 << " bytes, objective " << allocation.objective << ", bound " << allocation.bound);
    return allocation;
}

std::string
CircuitAllocator::GetObstacle(uint32_t /* source */, uint32_t /* destination */) const
{
    return "";
}

CircuitAllocation
CircuitAllocator::Assess(CircuitPlan plan, const TrafficMatrix& demand, double bound)
{
    CircuitAllocation result;
    result.bound = bound;
    const auto most = static_cast<double>(demand.GetMax());
    double smallest = std::numeric_limits<double>::infinity();
    LaneCursor cursor(plan);
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            const std::size_t lanes = cursor.GetLanes({source, destination}).size();
            if (lanes == 0)
            {
                result.unserved.emplace_back(source, destination);
            }
            smallest = std::min(smallest, lanes * most / static_cast<double>(bytes));
        }
    }
    result.fairness = most > 0 ? smallest : 0;
    result.objective = result.fairness;
    result.plan = std::move(plan);
    return result;
}

} // namespace lightpath
} // namespace ns3
