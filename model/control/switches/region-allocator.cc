/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "region-allocator.h"

#include <limits>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(RegionAllocator);

TypeId
RegionAllocator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::RegionAllocator")
                            .SetParent<CircuitAllocator>()
                            .SetGroupName("Lightpath");
    return tid;
}

RegionAllocator::RegionAllocator(std::vector<Ptr<const CircuitAllocator>> regions, uint32_t alone)
    : m_regions(std::move(regions)),
      m_alone(alone)
{
}

uint32_t
RegionAllocator::GetNPorts() const
{
    uint32_t ports = m_alone;
    for (const auto& region : m_regions)
    {
        ports += region->GetNPorts();
    }
    return ports;
}

CircuitAllocation
RegionAllocator::DoAllocate(const TrafficMatrix& demand) const
{
    CircuitPlan plan;
    uint32_t first = 0;
    for (const auto& region : m_regions)
    {
        const uint32_t ports = region->GetNPorts();
        TrafficMatrix own(ports);
        for (uint32_t source = 0; source < ports; ++source)
        {
            for (const auto& [destination, bytes] : demand.GetRow(first + source))
            {
                if (destination >= first && destination - first < ports)
                {
                    own.Add(source, destination - first, bytes);
                }
            }
        }
        const CircuitPlan circuits = region->Allocate(own).plan;
        for (const auto& [pair, lanes] : circuits.GetLightpaths())
        {
            plan.AddLanes(first + pair.first, first + pair.second, lanes);
        }
        first += ports;
    }
    return Assess(std::move(plan), demand, std::numeric_limits<double>::infinity());
}

} // namespace lightpath
} // namespace ns3
