/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "max-demand-allocator.h"

#include "circuit-placement.h"
#include "circuit-switch-ports.h"
#include "concave-circuits.h"
#include "concave-flow.h"

#include "ns3/boolean.h"

#include <algorithm>
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
    static TypeId tid =
        TypeId("ns3::lightpath::MaxDemandAllocator")
            .SetParent<CircuitSwitchAllocator>()
            .SetGroupName("Lightpath")
            .AddConstructor<MaxDemandAllocator>()
            .AddAttribute("Distinct",
                          "Whether the demand of a pair counts once, and not once for each circuit "
                          "of the pair.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MaxDemandAllocator::m_distinct),
                          MakeBooleanChecker())
            .AddAttribute("FillLeftover",
                          "Give the ports that distinct pairs leave over to the demanded pairs "
                          "with the smallest share.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&MaxDemandAllocator::m_fillLeftover),
                          MakeBooleanChecker());
    return tid;
}

CircuitAllocation
MaxDemandAllocator::DoAllocate(const TrafficMatrix& demand) const
{
    CheckDuplex(false);
    return m_distinct ? AllocateDistinct(demand) : AllocateRepeated(demand);
}

CircuitAllocation
MaxDemandAllocator::AllocateRepeated(const TrafficMatrix& demand) const
{
    const CircuitSwitchPorts ports(GetGeometry());
    std::vector<ConcavePair> pairs;
    for (const CircuitDemand& pair : CircuitDemand::List(demand))
    {
        pairs.push_back({pair.ports, {static_cast<double>(pair.bytes)}});
    }
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

CircuitAllocation
MaxDemandAllocator::AllocateDistinct(const TrafficMatrix& demand) const
{
    std::vector<ConcavePair> pairs;
    for (const CircuitDemand& pair : CircuitDemand::List(demand))
    {
        pairs.push_back({pair.ports, {static_cast<double>(pair.bytes)}});
    }
    const CircuitSwitchPorts ports(GetGeometry());
    ConcaveCircuits circuits(ports, std::move(pairs));
    CircuitAllocation result = Assess(circuits.MakePlan(demand, m_fillLeftover), demand, 0);
    const double most = std::max<double>(1, static_cast<double>(demand.GetMax()));
    result.objective = circuits.GetValue(result.plan) / most;
    result.bound = std::max(result.objective, circuits.GetBound() / most);
    return result;
}

} // namespace lightpath
} // namespace ns3
