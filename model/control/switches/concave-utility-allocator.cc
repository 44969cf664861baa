/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "concave-utility-allocator.h"

#include "circuit-placement.h"
#include "circuit-switch-ports.h"
#include "concave-circuits.h"
#include "concave-flow.h"
#include "model/base/lightpath-compatibility.h"

#include "ns3/boolean.h"

#include <cmath>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(ConcaveUtilityAllocator);

TypeId
ConcaveUtilityAllocator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::ConcaveUtilityAllocator")
            .SetParent<CircuitSwitchAllocator>()
            .SetGroupName("Lightpath")
            .AddConstructor<ConcaveUtilityAllocator>()
            .AddAttribute(
                "Utility",
                "What circuits are worth to a pair: half as much for each further one (Halving), "
                "the logarithm of 1 more than their number (Logarithmic), or nothing for any after "
                "the first (Distinct).",
                EnumValue(ConcaveUtilityAllocator::HALVING),
                MakeEnumAccessorFor<Utility>(0, &ConcaveUtilityAllocator::m_utility),
                MakeEnumChecker(ConcaveUtilityAllocator::HALVING,
                                "Halving",
                                ConcaveUtilityAllocator::LOGARITHMIC,
                                "Logarithmic",
                                ConcaveUtilityAllocator::DISTINCT,
                                "Distinct"))
            .AddAttribute("FillLeftover",
                          "Give ports whose circuits have no utility to the demanded pairs with "
                          "the smallest share.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ConcaveUtilityAllocator::m_fillLeftover),
                          MakeBooleanChecker());
    return tid;
}

CircuitAllocation
ConcaveUtilityAllocator::DoAllocate(const TrafficMatrix& demand) const
{
    CheckDuplex(false);
    const CircuitSwitchPorts ports(GetGeometry());
    std::vector<ConcavePair> pairs;
    for (const CircuitDemand& pair : CircuitDemand::List(demand))
    {
        pairs.push_back(MakePair(pair.ports, pair.bytes));
    }
    ConcaveCircuits circuits(ports, std::move(pairs));
    return AssessUtility(circuits.MakePlan(demand, m_fillLeftover), demand, circuits);
}

ConcavePair
ConcaveUtilityAllocator::MakePair(PortPair ports, uint64_t bytes) const
{
    const auto all = static_cast<double>(bytes);
    if (m_utility == DISTINCT)
    {
        return {ports, {all}};
    }
    const uint32_t switches = GetGeometry().GetNSwitches();
    if (m_utility == HALVING)
    {
        return ConcavePair::Halve(ports, all, switches);
    }
    ConcavePair pair{ports, {}};
    for (uint32_t circuit = 0; circuit < switches; ++circuit)
    {
        // ln(2 + c) - ln(1 + c)
        pair.gains.push_back(all * std::log1p(1.0 / (1 + circuit)));
    }
    return pair;
}

} // namespace lightpath
} // namespace ns3
