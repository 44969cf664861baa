/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "max-demand-allocator.h"

#include "circuit-placement.h"
#include "circuit-switch-ports.h"
#include "concave-flow.h"

#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(MaxDemandAllocator);

TypeId
MaxDemandAllocator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::MaxDemandAllocator")
                            .SetParent<CircuitSwitchAllocator>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<MaxDemandAllocator>();
    return tid;
}

CircuitAllocation
MaxDemandAllocator::DoAllocate(const TrafficMatrix& demand) const
{
    CheckDuplex(false);
    std::vector<ConcavePair> pairs;
    for (const CircuitDemand& pair : CircuitDemand::List(demand))
    {
        pairs.push_back({pair.ports, {static_cast<double>(pair.bytes)}});
    }
    // Each switch serves as if there were no other: it takes a matching of largest weight
    const CircuitSwitchPorts ports(GetGeometry());
    const std::vector<uint32_t> none(pairs.size(), 0);
    CircuitPlan plan;
    double total = 0;
    for (const auto& group : ports.GetGroups())
    {
        const std::vector<uint32_t> inputs(group.inputs.begin(), group.inputs.end());
        const std::vector<uint32_t> outputs(group.outputs.begin(), group.outputs.end());
        const std::vector<uint32_t> circuits = FindConcaveFlow(inputs, outputs, pairs, none);
        for (std::size_t i = 0; i < pairs.size(); ++i)
        {
            for (const uint32_t index : group.switches)
            {
                if (circuits[i] > 0)
                {
                    plan.AddLane(pairs[i].ports.first, pairs[i].ports.second, {index, 0});
                    total += pairs[i].gains.front();
                }
            }
        }
    }
    CircuitAllocation result = Assess(std::move(plan), demand, 0);
    result.objective = total > 0 ? total / static_cast<double>(demand.GetMax()) : 0;
    result.bound = result.objective;
    return result;
}

} // namespace lightpath
} // namespace ns3
