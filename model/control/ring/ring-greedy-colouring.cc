/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-greedy-colouring.h"

#include "ring-colour-table.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @brief The colours that the neighbours of one arc have.
 */
struct Saturation
{
    std::vector<uint64_t> colours; //!< A bit for each colour
    uint32_t count{0};             //!< How many there are

    /**
     * @param colour a colour that a neighbour has got
     */
    void Add(uint32_t colour)
    {
        if (colours.size() <= colour / 64)
        {
            colours.resize(colour / 64 + 1, 0);
        }
        const uint64_t bit = uint64_t{1} << colour % 64;
        count += (colours[colour / 64] & bit) == 0;
        colours[colour / 64] |= bit;
    }
};

/**
 * @param nodes the number of segments of the ring
 * @param spans the arcs
 * @return how many arcs each arc overlaps; those that overlap it at both ends count twice
 */
std::vector<uint32_t>
GetDegrees(uint32_t nodes, const std::vector<RingSpan>& spans)
{
    const std::vector<uint32_t> loads = GetRingLoads(nodes, spans);
    // Arcs that begin below a segment, over two turns
    std::vector<uint32_t> begun(2 * nodes + 1, 0);
    for (const RingSpan& span : spans)
    {
        ++begun[span.first + 1];
        ++begun[span.first + nodes + 1];
    }
    std::partial_sum(begun.begin(), begun.end(), begun.begin());
    std::vector<uint32_t> degrees;
    degrees.reserve(spans.size());
    for (const RingSpan& span : spans)
    {
        degrees.push_back(loads[span.first] + begun[span.first + span.hops] -
                          begun[span.first + 1]);
    }
    return degrees;
}

} // namespace

std::vector<uint32_t>
GetRingLoads(uint32_t nodes, const std::vector<RingSpan>& spans)
{
    std::vector<int64_t> change(nodes + 1, 0);
    for (const RingSpan& span : spans)
    {
        const uint32_t end = span.first + span.hops;
        ++change[span.first];
        --change[end > nodes ? end - nodes : end];
        change[0] += end > nodes;
    }
    std::vector<uint32_t> loads(nodes);
    int64_t load = 0;
    for (uint32_t segment = 0; segment < nodes; ++segment)
    {
        load += change[segment];
        loads[segment] = static_cast<uint32_t>(load);
    }
    return loads;
}

RingColouring
ColourLongestFirst(uint32_t nodes, const std::vector<RingSpan>& spans)
{
    std::vector<uint32_t> order(spans.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&spans](uint32_t a, uint32_t b) {
        return spans[a].hops != spans[b].hops     ? spans[a].hops > spans[b].hops
               : spans[a].first != spans[b].first ? spans[a].first < spans[b].first
                                                  : a < b;
    });
    RingColouring result;
    result.colours.resize(spans.size());
    RingColourTable table(nodes);
    for (const uint32_t arc : order)
    {
        const uint32_t colour = FindLowestZero(table.FindUsed(spans[arc]));
        table.Take(spans[arc], colour);
        result.colours[arc] = colour;
        result.used = std::max(result.used, colour + 1);
    }
    return result;
}

RingColouring
ColourBySaturation(uint32_t nodes, const std::vector<RingSpan>& spans)
{
    const std::vector<uint32_t> degrees = GetDegrees(nodes, spans);
    std::vector<Saturation> saturations(spans.size());
    std::vector<uint32_t> waiting(spans.size());
    std::iota(waiting.begin(), waiting.end(), 0);
    const auto isBefore = [&](uint32_t a, uint32_t b) {
        return saturations[a].count != saturations[b].count
                   ? saturations[a].count > saturations[b].count
               : degrees[a] != degrees[b] ? degrees[a] > degrees[b]
                                          : a < b;
    };
    RingColouring result;
    result.colours.resize(spans.size());
    std::size_t next = std::min_element(waiting.begin(), waiting.end(), isBefore) - waiting.begin();
    while (!waiting.empty())
    {
        const uint32_t arc = waiting[next];
        waiting[next] = waiting.back();
        waiting.pop_back();
        const uint32_t colour = FindLowestZero(saturations[arc].colours);
        result.colours[arc] = colour;
        result.used = std::max(result.used, colour + 1);
        next = 0;
        for (std::size_t i = 0; i < waiting.size(); ++i)
        {
            if (spans[arc].Overlaps(spans[waiting[i]], nodes))
            {
                saturations[waiting[i]].Add(colour);
            }
            if (isBefore(waiting[i], waiting[next]))
            {
                next = i;
            }
        }
    }
    return result;
}

} // namespace lightpath
} // namespace ns3
