/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-switch-allocator.h"

#include "concave-circuits.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(CircuitSwitchAllocator);

TypeId
CircuitSwitchAllocator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::CircuitSwitchAllocator")
                            .SetParent<CircuitAllocator>()
                            .SetGroupName("Lightpath");
    return tid;
}

void
CircuitSwitchAllocator::SetGeometry(const CircuitSwitchGeometry& geometry)
{
    m_geometry = geometry;
}

const CircuitSwitchGeometry&
CircuitSwitchAllocator::GetGeometry() const
{
    return m_geometry;
}

uint32_t
CircuitSwitchAllocator::GetNPorts() const
{
    return m_geometry.GetNDevices();
}

void
CircuitSwitchAllocator::CheckDuplex(bool duplex) const
{
    if (m_geometry.IsDuplex() == duplex)
    {
        return;
    }
    const std::string name = GetInstanceTypeId().GetName();
    throw std::invalid_argument(
        duplex ? "A " + name + " needs duplex switches, which join two devices in both directions"
               : "A " + name + " cannot decide on duplex switches: use a " +
                     "ns3::lightpath::DuplexCircuitAllocator");
}

CircuitAllocation
CircuitSwitchAllocator::AssessUtility(CircuitPlan plan,
                                      const TrafficMatrix& demand,
                                      const ConcaveCircuits& circuits)
{
    CircuitAllocation result = Assess(std::move(plan), demand, 0);
    const double most = std::max<double>(1, static_cast<double>(demand.GetMax()));
    result.objective = circuits.GetValue(result.plan) / most;
    result.bound = std::max(result.objective, circuits.GetBound() / most);
    return result;
}

} // namespace lightpath
} // namespace ns3
