/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-allocator.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(RingAllocator);

TypeId
RingAllocator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::RingAllocator")
                            .SetParent<CircuitAllocator>()
                            .SetGroupName("Lightpath");
    return tid;
}

void
RingAllocator::SetGeometry(const RingGeometry& geometry)
{
    m_geometry = geometry;
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

} // namespace lightpath
} // namespace ns3
