/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-wavelength-assignment.h"

#include "ring-cut-colouring.h"
#include "ring-exact-colouring.h"
#include "ring-greedy-colouring.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Nodes cut at, times arcs, up to which another cut is tried.
constexpr uint64_t CUT_EFFORT = 1 << 21;

/// Most arcs for which BEST tries LONGEST_FIRST.
constexpr std::size_t LONGEST_FIRST_ARCS = 1 << 16;

/// Most arcs for which BEST tries DSATUR.
constexpr std::size_t DSATUR_ARCS = 1 << 13;

/// Steps spent on finding arcs that do not overlap; without any, their length alone counts.
constexpr uint64_t PACKING_EFFORT = 1 << 22;

} // namespace

RingWavelengthAssignment::RingWavelengthAssignment(uint32_t nodes)
    : m_nodes(nodes)
{
    if (nodes < 2)
    {
        throw std::invalid_argument("Wavelengths cannot be assigned on a ring of " +
                                    std::to_string(nodes) + " nodes: it needs 2 at least");
    }
}

void
RingWavelengthAssignment::Add(const RingSpan& span)
{
    if (span.first >= m_nodes || span.hops < 1 || span.hops >= m_nodes)
    {
        throw std::invalid_argument(
            "An arc of " + std::to_string(span.hops) + " segments from segment " +
            std::to_string(span.first) + " on is none of a ring of " + std::to_string(m_nodes) +
            " nodes: it should have 1 to " + std::to_string(m_nodes - 1) +
            " segments and begin at one of the segments 0 to " + std::to_string(m_nodes - 1));
    }
    m_spans.push_back(span);
}

void
RingWavelengthAssignment::Add(uint32_t source, uint32_t destination, RingDirection direction)
{
    if (source >= m_nodes || destination >= m_nodes || source == destination)
    {
        throw std::invalid_argument("There is no arc from node " + std::to_string(source) +
                                    " to node " + std::to_string(destination) + " on a ring of " +
                                    std::to_string(m_nodes) +
                                    " nodes: it should join two different ones of the nodes 0 to " +
                                    std::to_string(m_nodes - 1));
    }
    const bool isClockwise = direction == RingDirection::CLOCKWISE;
    const uint32_t first = isClockwise ? source : destination;
    const uint32_t last = isClockwise ? destination : source;
    Add(RingSpan{first, last > first ? last - first : last + m_nodes - first});
}

const std::vector<RingSpan>&
RingWavelengthAssignment::GetSpans() const
{
    return m_spans;
}

void
RingWavelengthAssignment::SetLimits(const Limits& limits)
{
    m_limits = limits;
}

RingWavelengthAssignment::Result
RingWavelengthAssignment::Assign(Method method) const
{
    Result result;
    result.load = GetLoad();
    result.bound = std::max(result.load, GetPackingBound());
    if (m_spans.empty())
    {
        return result;
    }
    AssignByRule(result, method == EXACT ? BEST : method);
    if (method == EXACT && !result.IsOptimal() && m_spans.size() <= m_limits.arcs)
    {
        RingExactColouring search(m_nodes, m_spans);
        const bool isDone =
            search.Run({result.wavelengths, result.used}, result.bound, m_limits.steps);
        const RingColouring& found = search.GetBest();
        if (found.used < result.used)
        {
            result.wavelengths = found.colours;
            result.used = found.used;
            result.method = EXACT;
        }
        if (isDone)
        {
            result.bound = result.used;
        }
    }
    return result;
}

void
RingWavelengthAssignment::AssignByRule(Result& result, Method method) const
{
    const auto keep = [&result](RingColouring&& colouring, Method rule) {
        if (result.used == 0 || colouring.used < result.used)
        {
            result.wavelengths = std::move(colouring.colours);
            result.used = colouring.used;
            result.method = rule;
        }
    };
    const bool isBest = method == BEST;
    if (isBest || method == CUT)
    {
        RingCutColouring cuts(m_nodes, m_spans);
        keep(cuts.Run(CUT_EFFORT, result.bound), CUT);
    }
    const auto isWanted = [&](Method rule, std::size_t arcs) {
        return method == rule || (isBest && !result.IsOptimal() && m_spans.size() <= arcs);
    };
    if (isWanted(LONGEST_FIRST, LONGEST_FIRST_ARCS))
    {
        keep(ColourLongestFirst(m_nodes, m_spans), LONGEST_FIRST);
    }
    if (isWanted(DSATUR, DSATUR_ARCS))
    {
        keep(ColourBySaturation(m_nodes, m_spans), DSATUR);
    }
}

uint32_t
RingWavelengthAssignment::GetLoad() const
{
    const std::vector<uint32_t> loads = GetRingLoads(m_nodes, m_spans);
    return *std::max_element(loads.begin(), loads.end());
}

uint32_t
RingWavelengthAssignment::GetPackingBound() const
{
    std::vector<RingSpan> spans = m_spans;
    std::sort(spans.begin(), spans.end(), [](const RingSpan& a, const RingSpan& b) {
        return a.hops > b.hops;
    });
    std::vector<uint32_t> shortest(m_nodes, 2 * m_nodes);
    uint64_t effort = PACKING_EFFORT;
    std::size_t bound = 0;
    for (std::size_t count = 0; count < spans.size();)
    {
        const uint32_t hops = spans[count].hops;
        for (; count < spans.size() && spans[count].hops == hops; ++count)
        {
            shortest[spans[count].first] = hops;
        }
        std::size_t fitting = m_nodes / hops;
        const uint64_t work = m_nodes * (fitting + 2);
        // Only where fewer would raise the bound does it matter how they lie
        if (fitting > 1 && effort >= work && count > bound)
        {
            effort -= work;
            fitting = GetMostDisjoint(shortest);
        }
        bound = std::max(bound, (count + fitting - 1) / fitting);
    }
    return static_cast<uint32_t>(bound);
}

uint32_t
RingWavelengthAssignment::GetMostDisjoint(const std::vector<uint32_t>& shortest) const
{
    // From each segment on, how far it is to the earliest end of an arc that begins there or later
    std::vector<uint32_t> ahead(m_nodes);
    uint32_t distance = 2 * m_nodes;
    for (uint32_t segment = 2 * m_nodes; segment-- > 0;)
    {
        distance = std::min(distance + 1, shortest[segment % m_nodes]);
        ahead[segment % m_nodes] = distance;
    }
    uint32_t most = 0;
    for (uint32_t start = 0; start < m_nodes; ++start)
    {
        uint32_t disjoint = 0;
        for (uint32_t covered = ahead[start]; covered <= m_nodes;
             covered += ahead[(start + covered) % m_nodes])
        {
            ++disjoint;
        }
        most = std::max(most, disjoint);
    }
    return most;
}

} // namespace lightpath
} // namespace ns3
