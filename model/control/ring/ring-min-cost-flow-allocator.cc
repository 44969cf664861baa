/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-min-cost-flow-allocator.h"

#include "model/base/lightpath-compatibility.h"
#include "ring-free-lanes.h"
#include "ring-lane-groups.h"
#include "ring-min-cost-flow.h"
#include "ring-problem.h"

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
    uint32_t pair{0};  //!< Its index
    uint64_t bytes{0}; //!< Its demand
    int64_t profit{0}; //!< The profit of a lane: the largest demand over its own, to scale
    uint32_t lanes{0}; //!< The lanes chosen for it
};

/**
 * Find how many lanes pairs of one direction get.
 *
 * @param problem the ring
 * @param direction the direction
 * @param most the largest demand of all
 * @param pairs the pairs; receive profits and lanes
 * @return the bound of the sum of lanes times the largest demand over their own
 */
double
ChooseLanes(const RingProblem& problem,
            uint32_t direction,
            uint64_t most,
            std::vector<RoutedPair>& pairs)
{
    if (pairs.empty())
    {
        return 0;
    }
    std::vector<RingArc> arcs;
    uint64_t least = most;
    for (const RoutedPair& routed : pairs)
    {
        arcs.push_back(problem.pairs[routed.pair].arcs[direction]);
        least = std::min(least, routed.bytes);
    }
    RingMinCostFlow flow(problem.nodes, std::move(arcs));
    const int64_t scale = flow.GetMostProfit();
    std::vector<int64_t> profits;
    for (RoutedPair& routed : pairs)
    {
        // Rounded up, so that the optimum is a bound
        __extension__ using Wide = unsigned __int128;
        const Wide scaled = static_cast<Wide>(scale) * least + routed.bytes - 1;
        routed.profit = static_cast<int64_t>(scaled / routed.bytes);
        profits.push_back(routed.profit);
    }
    flow.Relax(std::move(profits));
    const uint32_t lanes = problem.room[direction];
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
 * @param problem the ring
 * @param direction the direction
 * @param pairs the pairs
 * @param units the list to which the lanes are added
 */
void
PutLanes(const RingProblem& problem,
         uint32_t direction,
         std::vector<RoutedPair> pairs,
         std::vector<RingUnit>& units)
{
    // The smallest shares first: they are the last to be dropped
    std::stable_sort(pairs.begin(), pairs.end(), [](const RoutedPair& a, const RoutedPair& b) {
        __extension__ using Wide = unsigned __int128;
        return static_cast<Wide>(a.lanes) * b.bytes < static_cast<Wide>(b.lanes) * a.bytes;
    });
    std::vector<uint32_t> counts(problem.pairs.size(), 0);
    std::vector<uint64_t> worth(problem.pairs.size(), 0);
    for (const RoutedPair& routed : pairs)
    {
        counts[routed.pair] = routed.lanes;
        worth[routed.pair] = static_cast<uint64_t>(routed.profit);
    }
    RingFreeLanes free(problem);
    if (!problem.isLoadOnly)
    {
        // Whole groups of lanes first; single lanes then take what is left
        const auto groups = GroupRingLanes(problem, direction, counts);
        std::fill(counts.begin(), counts.end(), 0);
        for (const RingUnit& unit : free.TakeGroups(groups, worth, units))
        {
            ++counts[unit.pair];
        }
    }
    for (const RoutedPair& routed : pairs)
    {
        while (counts[routed.pair] > 0 && free.Take(routed.pair, direction, units))
        {
            --counts[routed.pair];
        }
    }
}

} // namespace

TypeId
RingMinCostFlowAllocator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::RingMinCostFlowAllocator")
                            .SetParent<RingAllocator>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<RingMinCostFlowAllocator>()
                            .AddAttribute("Directions",
                                          "The directions of lightpaths: all clockwise "
                                          "(Clockwise), or the shorter side of each pair (Both).",
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
    for (uint32_t index = 0; index < problem.pairs.size(); ++index)
    {
        const RingPair& pair = problem.pairs[index];
        uint32_t side = 0;
        if (m_directions == BOTH)
        {
            const uint32_t hops = pair.arcs[0].hops;
            side = 2 * hops == nodes ? pair.ports.first % (nodes / 2) % 2 : 2 * hops > nodes;
            side = pair.arcs[side].usable ? side : 1 - side;
        }
        if (pair.arcs[side].usable)
        {
            routed[side].push_back({index, pair.bytes, 0, 0});
        }
    }
    std::vector<RingUnit> units;
    double bound = 0;
    for (uint32_t direction = 0; direction < 2; ++direction)
    {
        bound += ChooseLanes(problem, direction, demand.GetMax(), routed[direction]);
        PutLanes(problem, direction, routed[direction], units);
    }
    std::sort(units.begin(), units.end());
    CircuitAllocation result = Assess(problem.MakePlan(units, ring), demand, 0);
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
