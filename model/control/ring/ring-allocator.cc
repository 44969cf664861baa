/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-allocator.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(RingAllocator);

TypeId
RingAllocator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::RingAllocator")
            .SetParent<CircuitAllocator>()
            .SetGroupName("Lightpath")
            .AddAttribute("MaxDistance",
                          "The most segments that a lightpath may cover; 0 for any number.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&RingAllocator::SetMaxDistance,
                                               &RingAllocator::GetMaxDistance),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
RingAllocator::SetGeometry(const RingGeometry& geometry)
{
    const uint32_t reach = GetMaxDistance();
    m_geometry = geometry;
    SetMaxDistance(reach);
}

void
RingAllocator::SetMaxDistance(uint32_t hops)
{
    m_geometry.SetReach(hops);
}

uint32_t
RingAllocator::GetMaxDistance() const
{
    return m_geometry.GetReach();
}

const RingGeometry&
RingAllocator::GetGeometry() const
{
    return m_geometry;
}

uint32_t
RingAllocator::GetNPorts() const
{
    return m_geometry.GetNNodes();
}

std::string
RingAllocator::GetObstacle(uint32_t source, uint32_t destination) const
{
    const uint32_t reach = m_geometry.GetReach();
    const uint32_t hops =
        std::min(m_geometry.GetHops(source, destination, RingDirection::CLOCKWISE),
                 m_geometry.GetHops(source, destination, RingDirection::COUNTERCLOCKWISE));
    return reach == 0 || hops <= reach
               ? ""
               : std::to_string(hops) + " segments are more than the MaxDistance of " +
                     std::to_string(reach);
}

} // namespace lightpath
} // namespace ns3
