/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-min-cost-flow-allocator.h"

#include "model/base/lightpath-compatibility.h"
#include "ring-lane-fitter.h"
#include "ring-min-cost-flow.h"
#include "ring-problem.h"
#include "ring-wavelength-assignment.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(RingMinCostFlowAllocator);

namespace
{

/**
 * @brief A pair that takes one direction.
 */
struct RoutedPair
{
    RingLaneWish wish; //!< A lane of it
    uint64_t bytes{0}; //!< Its demand
    int64_t profit{0}; //!< What a lane profits: the largest demand over its own, to scale
    uint32_t lanes{0}; //!< The lanes that it is to get
};

/**
 * Find how many lanes pairs of one direction get.
 *
 * @param fitter the ring
 * @param nodes the number of nodes
 * @param most the largest demand of all
 * @param pairs the pairs; receive profits and lanes
 * @return the bound of the sum of lanes times the largest demand over their own
 */
double
ChooseLanes(const RingLaneFitter& fitter,
            uint32_t nodes,
            uint64_t most,
            std::vector<RoutedPair>& pairs)
{
    if (pairs.empty())
    {
        return 0;
    }
    std::vector<RingSpan> spans;
    uint64_t least = most;
    for (const RoutedPair& pair : pairs)
    {
        spans.push_back(fitter.GetSpan(pair.wish));
        least = std::min(least, pair.bytes);
    }
    RingMinCostFlow flow(nodes, std::move(spans));
    const int64_t scale = flow.GetMostProfit();
    std::vector<int64_t> profits;
    for (RoutedPair& pair : pairs)
    {
        // Rounded up, as the optimum is to be a bound
        __extension__ using Wide = unsigned __int128;
        const Wide scaled = static_cast<Wide>(scale) * least + pair.bytes - 1;
        pair.profit = static_cast<int64_t>(scaled / pair.bytes);
        profits.push_back(pair.profit);
    }
    flow.Relax(std::move(profits));
    const uint32_t lanes = fitter.GetWorkingLanes(pairs.front().wish.direction);
    const std::vector<uint32_t> granted = flow.Round(lanes);
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        pairs[i].lanes = granted[i];
    }
    const auto [profit, turns] = flow.GetOptimum();
    const double unit = static_cast<double>(most) / static_cast<double>(least) / scale;
    return static_cast<double>(profit) / static_cast<double>(turns) * lanes * unit;
}

/**
 * Give pairs of one direction the lanes that were chosen for them.
 *
 * @param fitter the ring
 * @param geometry the ring
 * @param pairs the pairs
 */
void
PutLanes(RingLaneFitter& fitter, const RingGeometry& geometry, std::vector<RoutedPair> pairs)
{
    // The smallest shares first: they are the last to be dropped
    std::stable_sort(pairs.begin(), pairs.end(), [](const RoutedPair& a, const RoutedPair& b) {
        __extension__ using Wide = unsigned __int128;
        return static_cast<Wide>(a.lanes) * b.bytes < static_cast<Wide>(b.lanes) * a.bytes;
    });
    std::vector<RingLaneWish> wishes;
    std::vector<uint64_t> worth;
    RingWavelengthAssignment assignment(geometry.GetNNodes());
    for (const RoutedPair& pair : pairs)
    {
        for (uint32_t lane = 0; lane < pair.lanes; ++lane)
        {
            wishes.push_back(pair.wish);
            worth.push_back(static_cast<uint64_t>(pair.profit));
            assignment.Add(fitter.GetSpan(pair.wish));
        }
    }
    if (geometry.GetWavelengthMode() == RingGeometry::CONTINUITY)
    {
        wishes = fitter.PutColours(wishes, assignment.Assign().wavelengths, worth);
    }
    for (const RingLaneWish& wish : wishes)
    {
        fitter.Put(wish);
    }
}

} // namespace

TypeId
RingMinCostFlowAllocator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::RingMinCostFlowAllocator")
            .SetParent<RingAllocator>()
            .SetGroupName("Lightpath")
            .AddConstructor<RingMinCostFlowAllocator>()
            .AddAttribute(
                "Directions",
                "Which directions lightpaths take: all clockwise, or each its shorter side.",
                EnumValue(RingMinCostFlowAllocator::CLOCKWISE),
                MakeEnumAccessorFor<RingMinCostFlowAllocator::Directions>(
                    0,
                    &RingMinCostFlowAllocator::m_directions),
                MakeEnumChecker(RingMinCostFlowAllocator::CLOCKWISE,
                                "Clockwise",
                                RingMinCostFlowAllocator::BOTH,
                                "Both"));
    return tid;
}

CircuitAllocation
RingMinCostFlowAllocator::DoAllocate(const TrafficMatrix& demand) const
{
    const RingGeometry& ring = GetGeometry();
    const uint32_t nodes = ring.GetNNodes();
    const RingProblem problem(demand, ring, RingLimits{});
    std::array<std::vector<RoutedPair>, 2> routed;
    for (const RingPair& pair : problem.pairs)
    {
        uint32_t side = 0;
        if (m_directions == BOTH)
        {
            const uint32_t hops = pair.arcs[0].hops;
            side = 2 * hops == nodes ? pair.ports.first % (nodes / 2) % 2 : 2 * hops > nodes;
            side = pair.arcs[side].usable ? side : 1 - side;
        }
        if (pair.arcs[side].usable)
        {
            const RingDirection direction =
                side == 0 ? RingDirection::CLOCKWISE : RingDirection::COUNTERCLOCKWISE;
            routed[side].push_back({{pair.ports, direction}, pair.bytes, 0, 0});
        }
    }
    RingLaneFitter fitter(ring);
    double bound = 0;
    for (std::vector<RoutedPair>& pairs : routed)
    {
        bound += ChooseLanes(fitter, nodes, demand.GetMax(), pairs);
        PutLanes(fitter, ring, pairs);
    }
    CircuitAllocation result = Assess(fitter.GetPlan(), demand, 0);
    const auto most = static_cast<double>(demand.GetMax());
    result.objective = 0;
    for (const auto& [ports, lanes] : result.plan.GetLightpaths())
    {
        const auto bytes = static_cast<double>(demand.Get(ports.first, ports.second));
        result.objective += static_cast<double>(lanes.size()) * most / bytes;
    }
    result.objective /= ring.GetCapacity();
    result.bound = std::max(result.objective, bound / ring.GetCapacity());
    return result;
}

} // namespace lightpath
} // namespace ns3
