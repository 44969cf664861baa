/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "concave-utility-allocator.h"

#include "circuit-placement.h"
#include "concave-flow.h"
#include "model/base/lightpath-compatibility.h"

#include "ns3/boolean.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(ConcaveUtilityAllocator);

namespace
{

/**
 * @param demand the bytes to be carried
 * @return the most bytes that a device sends, or that one receives
 */
double
GetLargestLine(const TrafficMatrix& demand)
{
    std::vector<double> sent(demand.GetSize(), 0);
    std::vector<double> received(demand.GetSize(), 0);
    double largest = 0;
    for (const CircuitDemand& pair : CircuitDemand::List(demand))
    {
        const auto bytes = static_cast<double>(pair.bytes);
        largest = std::max(largest, sent[pair.ports.first] += bytes);
        largest = std::max(largest, received[pair.ports.second] += bytes);
    }
    return largest;
}

} // namespace

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
                "The utility of the circuits of a pair: each further circuit adds half as much "
                "(Halving), the logarithm of 1 plus their number (Logarithmic), or the demand that "
                "they carry while the fullest device carries all of its demand (Demand).",
                EnumValue(ConcaveUtilityAllocator::HALVING),
                MakeEnumAccessorFor<Utility>(0, &ConcaveUtilityAllocator::m_utility),
                MakeEnumChecker(ConcaveUtilityAllocator::HALVING,
                                "Halving",
                                ConcaveUtilityAllocator::LOGARITHMIC,
                                "Logarithmic",
                                ConcaveUtilityAllocator::DEMAND,
                                "Demand"))
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
    const double line = GetLargestLine(demand);
    std::vector<ConcavePair> pairs;
    for (const CircuitDemand& pair : CircuitDemand::List(demand))
    {
        pairs.push_back(MakePair(pair.ports, pair.bytes, line));
    }
    return MaximiseUtility(demand, std::move(pairs), m_fillLeftover);
}

ConcavePair
ConcaveUtilityAllocator::MakePair(PortPair ports, uint64_t bytes, double line) const
{
    const uint32_t switches = GetGeometry().GetNSwitches();
    if (m_utility == HALVING)
    {
        return ConcavePair::Halve(ports, bytes, switches);
    }
    const auto all = static_cast<double>(bytes);
    const double each = line / switches;
    ConcavePair pair{ports, {}};
    for (uint32_t circuit = 0; circuit < switches; ++circuit)
    {
        // ln(2 + c) - ln(1 + c)
        pair.gains.push_back(m_utility == LOGARITHMIC
                                 ? all * std::log1p(1.0 / (1 + circuit))
                                 : std::clamp(all - circuit * each, 0.0, each));
    }
    return pair;
}

} // namespace lightpath
} // namespace ns3
