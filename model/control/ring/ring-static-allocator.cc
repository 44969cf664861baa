/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-static-allocator.h"

#include "ring-all-to-all.h"
#include "ring-bound.h"
#include "ring-problem.h"

#include "ns3/abort.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(RingStaticAllocator);

TypeId
RingStaticAllocator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::RingStaticAllocator")
            .SetParent<RingAllocator>()
            .SetGroupName("Lightpath")
            .AddConstructor<RingStaticAllocator>()
            .AddAttribute("LanesPerPair",
                          "The lanes of each ordered pair of nodes; fewer if there is no room.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RingStaticAllocator::m_lanesPerPair),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

CircuitAllocation
RingStaticAllocator::DoAllocate(const TrafficMatrix& demand) const
{
    const RingGeometry& ring = GetGeometry();
    NS_ABORT_MSG_IF(ring.GetWavelengthMode() == RingGeometry::EXCLUSIVE,
                    "RingStaticAllocator reuses wavelengths, which the WavelengthMode Exclusive "
                    "forbids: choose RingMaxMinAllocator");
    CircuitPlan best;
    // More lanes than a node has for each of N - 1 others need not be tried
    const uint32_t most =
        std::max(1U, std::min(m_lanesPerPair, 2 * ring.GetCapacity() / (ring.GetNNodes() - 1)));
    for (uint32_t lanes = most; lanes > 0; --lanes)
    {
        RingAllToAll allToAll(ring, lanes);
        allToAll.Run();
        const CircuitPlan plan = allToAll.GetPlan();
        if (plan.GetLightpaths().size() > best.GetLightpaths().size())
        {
            best = plan;
        }
        if (allToAll.ServesAll())
        {
            break;
        }
    }
    const RingProblem problem(demand, ring, RingLimits{});
    CircuitAllocation result = Assess(best, demand, 0);
    if (!problem.pairs.empty() && demand.GetNPairs() == problem.pairs.size())
    {
        RingBound bound(problem);
        const FairShare share = bound.GetLargest();
        result.bound = std::max(result.fairness, share.GetFairness(demand.GetMax()));
    }
    return result;
}

} // namespace lightpath
} // namespace ns3
