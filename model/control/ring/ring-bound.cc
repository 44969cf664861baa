/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-bound.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most nodes of a run whose traffic is compared with the fibres at its ends.
constexpr uint32_t LONGEST_RUN = 64;

/// Below any sum of bytes.
constexpr int64_t LOWEST = std::numeric_limits<int64_t>::min();

/// The error of a sum of costs by rounding.
constexpr double LOAD_ROUNDING = 1e-6;

/**
 * @param values some values
 * @param width the length of a window, at least 1 and at most the number of values
 * @return the largest value of each window, by its first place
 */
std::vector<int64_t>
GetWindowMaxima(const std::vector<int64_t>& values, std::size_t width)
{
    // Each window is the end of one block of its width and the beginning of the next
    std::vector<int64_t> fromBegin(values);
    std::vector<int64_t> toEnd(values);
    for (std::size_t i = 1; i < values.size(); ++i)
    {
        if (i % width != 0)
        {
            fromBegin[i] = std::max(fromBegin[i], fromBegin[i - 1]);
        }
    }
    for (std::size_t i = values.size() - 1; i > 0; --i)
    {
        if (i % width != 0)
        {
            toEnd[i - 1] = std::max(toEnd[i - 1], toEnd[i]);
        }
    }
    toEnd.resize(values.size() - width + 1);
    for (std::size_t i = 0; i < toEnd.size(); ++i)
    {
        toEnd[i] = std::max(toEnd[i], fromBegin[i + width - 1]);
    }
    return toEnd;
}

} // namespace

RingBound::RingBound(const RingProblem& problem)
    : m_problem(problem),
      m_prices(problem)
{
    for (uint32_t d = 0; d < 2; ++d)
    {
        const uint64_t segments =
            std::accumulate(problem.inUse[d].begin(), problem.inUse[d].end(), uint64_t{0});
        m_room[d][SEGMENTS] = segments * problem.room[d];
        m_room[d][LONG_ARCS] = uint64_t{2} * problem.room[d];
    }
    SortPairs();
    FindLimit();
}

const FairShare&
RingBound::GetLimit() const
{
    return m_limit;
}

bool
RingBound::MayFit(const FairShare& share)
{
    std::vector<uint64_t> needs;
    return MayFit(share, needs) && !m_prices.Refute(needs);
}

bool
RingBound::MayFit(const FairShare& share, std::vector<uint64_t>& needs) const
{
    needs.reserve(m_problem.pairs.size());
    for (const RingPair& pair : m_problem.pairs)
    {
        needs.push_back(share.GetNeed(pair.bytes));
        if (needs.back() > pair.arcs[0].lanes + pair.arcs[1].lanes)
        {
            return false;
        }
    }
    const auto fitsArcs = [this, &needs] {
        return m_problem.isLoadOnly || (FitsDirections(needs, SEGMENTS, LONG_ARCS) &&
                                        FitsDirections(needs, LONG_ARCS, SEGMENTS) &&
                                        FitsDirections(needs, LONG_ARCS, LONG_ARCS));
    };
    return FitsNodes(needs) && FitsDirections(needs, SEGMENTS, SEGMENTS) && fitsArcs();
}

FairShare
RingBound::GetLargest()
{
    const auto mayFit = [this](const FairShare& share) { return MayFit(share); };
    const FairShareSearch search(m_problem.GetDemands());
    return search.FindLargest(m_limit, mayFit, 0).value_or(FairShare{});
}

FairShare
RingBound::Lower(const FairShare& low, const FairShare& high)
{
    m_prices.BeThorough();
    const auto mayFit = [this, &low](const FairShare& share) {
        return !(low < share) || MayFit(share);
    };
    const FairShareSearch search(m_problem.GetDemands());
    return search.FindLargest(high, mayFit, 0).value_or(FairShare{});
}

void
RingBound::SortPairs()
{
    // The costs of a pair follow from its hops clockwise
    std::vector<std::vector<uint32_t>> byHops(m_problem.nodes);
    std::vector<uint32_t> flexible;
    for (uint32_t p = 0; p < m_problem.pairs.size(); ++p)
    {
        const std::array<RingArc, 2>& arcs = m_problem.pairs[p].arcs;
        if (arcs[0].usable && arcs[1].usable)
        {
            flexible.push_back(p);
            byHops[arcs[0].hops].push_back(p);
        }
    }
    std::vector<uint32_t> hops;
    for (uint32_t h = 0; h < m_problem.nodes; ++h)
    {
        if (!byHops[h].empty())
        {
            hops.push_back(h);
        }
    }
    for (const Cost clockwise : {SEGMENTS, LONG_ARCS})
    {
        for (const Cost other : {SEGMENTS, LONG_ARCS})
        {
            const auto isBefore = [&](uint32_t a, uint32_t b) {
                const RingPair& ofA = m_problem.pairs[byHops[a].front()];
                const RingPair& ofB = m_problem.pairs[byHops[b].front()];
                return GetCost(ofA, 0, clockwise) * GetCost(ofB, 1, other) >
                       GetCost(ofB, 0, clockwise) * GetCost(ofA, 1, other);
            };
            std::sort(hops.begin(), hops.end(), isBefore);
            // The place of the first pair of each class of equal ratios
            std::vector<std::size_t> places(m_problem.nodes, 0);
            std::vector<uint32_t> classes(m_problem.nodes, 0);
            std::size_t place = 0;
            for (std::size_t i = 0; i < hops.size(); ++i)
            {
                const bool isAlike = i > 0 && !isBefore(hops[i - 1], hops[i]);
                classes[hops[i]] = isAlike ? classes[hops[i - 1]] : hops[i];
                places[hops[i]] = place;
                place += byHops[hops[i]].size();
            }
            std::vector<uint32_t>& order = m_order[clockwise][other];
            order.resize(flexible.size());
            for (const uint32_t p : flexible)
            {
                order[places[classes[m_problem.pairs[p].arcs[0].hops]]++] = p;
            }
        }
    }
}

void
RingBound::FindLimit()
{
    const uint32_t nodes = m_problem.nodes;
    std::vector<uint64_t> sent(nodes, 0);
    std::vector<uint64_t> received(nodes, 0);
    const uint32_t longest = std::min(nodes - 1, LONGEST_RUN);
    // By k and node: the bytes between it and the node k hops before it, as far as there are any
    std::vector<uint64_t> near;
    const auto add = [&](uint32_t node, uint32_t peer, uint64_t bytes) {
        const uint32_t back = node >= peer ? node - peer : node + nodes - peer;
        if (back < longest)
        {
            near.resize(std::max(near.size(), (std::size_t{back} + 1) * nodes), 0);
            near[std::size_t{back} * nodes + node] += bytes;
        }
    };
    m_limit = {uint64_t{m_problem.room[0]} + m_problem.room[1], 1};
    for (const RingPair& pair : m_problem.pairs)
    {
        const auto [source, destination] = pair.ports;
        sent[source] += pair.bytes;
        received[destination] += pair.bytes;
        add(source, destination, pair.bytes);
        add(destination, source, pair.bytes);
        m_limit = std::min(m_limit, FairShare{pair.arcs[0].lanes + pair.arcs[1].lanes, pair.bytes});
    }
    LimitRuns(sent, received, near);
}

void
RingBound::LimitRuns(const std::vector<uint64_t>& sent,
                     const std::vector<uint64_t>& received,
                     const std::vector<uint64_t>& near)
{
    const uint32_t nodes = m_problem.nodes;
    const std::array<std::vector<char>, 2>& works = m_problem.inUse;
    const auto rows = static_cast<uint32_t>(near.size() / nodes);
    // By node: the bytes that leave and enter the run that begins there, and those between it and
    // the nodes before it that are less than the length of the run away
    std::vector<uint64_t> out(nodes, 0);
    std::vector<uint64_t> in(nodes, 0);
    std::vector<uint64_t> inner(nodes, 0);
    Crossing most{};
    for (uint32_t last = 0; last < rows; ++last)
    {
        for (uint32_t node = 0; node < nodes; ++node)
        {
            inner[node] += near[std::size_t{last} * nodes + node];
        }
        uint32_t end = last;
        uint32_t before = nodes - 1;
        for (uint32_t begin = 0; begin < nodes; ++begin)
        {
            out[begin] += sent[end] - inner[end];
            in[begin] += received[end] - inner[end];
            uint64_t& leaving = most[works[0][end]][works[1][before]];
            uint64_t& entering = most[works[0][before]][works[1][end]];
            leaving = std::max(leaving, out[begin]);
            entering = std::max(entering, in[begin]);
            before = begin;
            end = end + 1 == nodes ? 0 : end + 1;
        }
    }
    // A node that prolongs a longer run adds the same bytes, wherever the run begins
    const uint32_t longest = std::min(nodes - 1, LONGEST_RUN);
    if (rows < longest)
    {
        std::vector<int64_t> added(nodes);
        const auto subtract = [](uint64_t all, uint64_t within) {
            return static_cast<int64_t>(all - within);
        };
        std::transform(sent.begin(), sent.end(), inner.begin(), added.begin(), subtract);
        ProlongRuns(0, out, added, rows, most);
        std::transform(received.begin(), received.end(), inner.begin(), added.begin(), subtract);
        ProlongRuns(1, in, added, rows, most);
    }
    for (const uint64_t clockwise : {0, 1})
    {
        for (const uint64_t other : {0, 1})
        {
            const uint64_t lanes =
                clockwise * m_problem.room[0] + other * uint64_t{m_problem.room[1]};
            const uint64_t bytes = most[clockwise][other];
            m_limit = bytes > 0 ? std::min(m_limit, FairShare{lanes, bytes}) : m_limit;
        }
    }
}

void
RingBound::ProlongRuns(uint32_t direction,
                       const std::vector<uint64_t>& crossing,
                       const std::vector<int64_t>& added,
                       uint32_t length,
                       Crossing& most) const
{
    const uint32_t nodes = m_problem.nodes;
    const std::vector<char>& atEnd = m_problem.inUse[direction];
    const std::vector<char>& atBegin = m_problem.inUse[1 - direction];
    // Sums up to each node, over two turns
    std::vector<int64_t> sums(2 * nodes);
    for (uint32_t turn = 0, i = 0; turn < 2; ++turn)
    {
        for (uint32_t node = 0; node < nodes; ++node, ++i)
        {
            sums[i] = (i > 0 ? sums[i - 1] : 0) + added[node];
        }
    }
    for (const char works : {0, 1})
    {
        if (std::find(atEnd.begin(), atEnd.end(), works) == atEnd.end())
        {
            continue;
        }
        std::vector<int64_t> ends(sums);
        for (uint32_t i = 0; i < 2 * nodes; ++i)
        {
            ends[i] = atEnd[i < nodes ? i : i - nodes] == works ? ends[i] : LOWEST;
        }
        const std::vector<int64_t> largest =
            GetWindowMaxima(ends, std::min(nodes - 1, LONGEST_RUN) - length);
        for (uint32_t begin = 0; begin < nodes; ++begin)
        {
            const uint32_t next = begin + length;
            if (largest[next] == LOWEST)
            {
                continue;
            }
            const int64_t more = largest[next] - (next > 0 ? sums[next - 1] : 0);
            const char before = atBegin[begin > 0 ? begin - 1 : nodes - 1];
            uint64_t& bytes = direction == 0 ? most[works][before] : most[before][works];
            bytes = std::max(bytes, crossing[begin] + static_cast<uint64_t>(more));
        }
    }
}

uint64_t
RingBound::GetCost(const RingPair& pair, uint32_t direction, Cost cost) const
{
    const uint64_t hops = pair.arcs[direction].hops;
    if (cost == SEGMENTS)
    {
        return hops;
    }
    return 2 * hops > m_problem.nodes ? 2 : (2 * hops == m_problem.nodes ? 1 : 0);
}

bool
RingBound::FitsNodes(const std::vector<uint64_t>& needs) const
{
    const uint32_t nodes = m_problem.nodes;
    std::vector<uint64_t> sent(nodes, 0);
    std::vector<uint64_t> received(nodes, 0);
    for (uint32_t p = 0; p < needs.size(); ++p)
    {
        sent[m_problem.pairs[p].ports.first] += needs[p];
        received[m_problem.pairs[p].ports.second] += needs[p];
    }
    for (uint32_t node = 0; node < nodes; ++node)
    {
        const uint32_t before = (node + nodes - 1) % nodes;
        const uint64_t out = uint64_t{m_problem.room[0]} * m_problem.inUse[0][node] +
                             uint64_t{m_problem.room[1]} * m_problem.inUse[1][before];
        const uint64_t in = uint64_t{m_problem.room[0]} * m_problem.inUse[0][before] +
                            uint64_t{m_problem.room[1]} * m_problem.inUse[1][node];
        if (sent[node] > out || received[node] > in)
        {
            return false;
        }
    }
    return true;
}

bool
RingBound::FitsDirections(const std::vector<uint64_t>& needs,
                          Cost clockwise,
                          Cost counterclockwise) const
{
    double load = 0;
    auto room = static_cast<double>(m_room[1][counterclockwise]);
    for (uint32_t p = 0; p < needs.size(); ++p)
    {
        const RingPair& pair = m_problem.pairs[p];
        if (pair.arcs[0].usable)
        {
            load += static_cast<double>(needs[p] * GetCost(pair, 0, clockwise));
        }
        else
        {
            room -= static_cast<double>(needs[p] * GetCost(pair, 1, counterclockwise));
        }
    }
    if (room < -LOAD_ROUNDING)
    {
        return false;
    }
    for (const uint32_t p : m_order[clockwise][counterclockwise])
    {
        const auto relief = static_cast<double>(GetCost(m_problem.pairs[p], 0, clockwise));
        const auto cost = static_cast<double>(GetCost(m_problem.pairs[p], 1, counterclockwise));
        // No pair has more lanes in one direction than there are
        const uint64_t lanes = m_problem.pairs[p].arcs[1].lanes;
        const auto most = static_cast<double>(std::min(needs[p], lanes));
        const double moved = cost > 0 ? std::min(most, std::max(room, 0.0) / cost) : most;
        load -= moved * relief;
        room -= moved * cost;
    }
    return load <= static_cast<double>(m_room[0][clockwise]) + LOAD_ROUNDING;
}

} // namespace lightpath
} // namespace ns3
