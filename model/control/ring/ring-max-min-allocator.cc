/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-max-min-allocator.h"

#include "model/base/lightpath-compatibility.h"
#include "ring-max-min-search.h"
#include "ring-problem.h"

#include "ns3/boolean.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(RingMaxMinAllocator);

TypeId
RingMaxMinAllocator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::RingMaxMinAllocator")
            .SetParent<RingAllocator>()
            .SetGroupName("Lightpath")
            .AddConstructor<RingMaxMinAllocator>()
            .AddAttribute("FillLeftover",
                          "Give remaining lanes to the demanded pairs with the smallest share, on "
                          "arcs no longer than their other arcs.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RingMaxMinAllocator::m_fillLeftover),
                          MakeBooleanChecker())
            .AddAttribute("TightenBound",
                          "Spend time of each decision on a tighter bound; otherwise the bound is "
                          "that of the beginning of the search.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RingMaxMinAllocator::m_tightenBound),
                          MakeBooleanChecker())
            .AddAttribute("Routing",
                          "The arcs that a pair may have lanes on: the shorter one, or both if "
                          "they are equally long (Shorter), or both in any case (Split).",
                          EnumValue(SPLIT),
                          MakeEnumAccessorFor<Routing>(0, &RingMaxMinAllocator::m_routing),
                          MakeEnumChecker(SHORTER, "Shorter", SPLIT, "Split"));
    return tid;
}

CircuitAllocation
RingMaxMinAllocator::DoAllocate(const TrafficMatrix& demand) const
{
    CheckMemory();
    const CircuitAllocation* known = m_memory.Find(demand);
    if (known)
    {
        return *known;
    }
    CircuitAllocation allocation = Solve(demand);
    m_memory.Add(demand, allocation);
    return allocation;
}

void
RingMaxMinAllocator::CheckMemory() const
{
    const Conditions conditions(GetGeometry(), m_fillLeftover, m_tightenBound, m_routing);
    if (conditions != m_conditions)
    {
        m_conditions = conditions;
        m_memory.Clear();
    }
}

CircuitAllocation
RingMaxMinAllocator::Solve(const TrafficMatrix& demand) const
{
    const RingGeometry& ring = GetGeometry();
    const RingProblem problem(demand, ring, {m_routing == SHORTER});
    if (problem.pairs.empty())
    {
        return Assess({}, demand, 0);
    }
    RingMaxMinSearch search(problem);
    std::vector<RingUnit> units = search.Run();
    if (m_fillLeftover)
    {
        search.FillUp(units, false);
    }
    CircuitAllocation result = Assess(problem.MakePlan(units, ring), demand, 0);
    if (demand.GetNPairs() == problem.pairs.size())
    {
        if (m_tightenBound)
        {
            search.LowerBound();
        }
        result.bound = std::max(result.fairness, search.GetBound().GetFairness(demand.GetMax()));
    }
    return result;
}

} // namespace lightpath
} // namespace ns3
