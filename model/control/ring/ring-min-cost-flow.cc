/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-min-cost-flow.h"

#include "model/control/graph-solvers.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// For products of profits and turns or lanes.
__extension__ using Wide = __int128;

/// What costs of a path may add up to.
constexpr int64_t MOST_COST = int64_t{1} << 60;

/// Arcs times cuts up to which another cut is tried.
constexpr std::size_t CUT_EFFORT = 1 << 14;

} // namespace

RingMinCostFlow::RingMinCostFlow(uint32_t nodes, std::vector<RingArc> arcs)
    : m_nodes(nodes),
      m_arcs(std::move(arcs))
{
    const std::vector<uint32_t> loads = GetLoads(std::vector<uint32_t>(m_arcs.size(), 1));
    m_load = *std::max_element(loads.begin(), loads.end());
}

int64_t
RingMinCostFlow::GetMostProfit() const
{
    // An arc costs its profit times the turns, at most the load, and the profit of all arcs
    const auto arcs = static_cast<int64_t>(m_arcs.size());
    return std::min(int64_t{1} << 32, MOST_COST / ((m_nodes + 1) * (arcs + m_load + 1)));
}

void
RingMinCostFlow::Relax(std::vector<int64_t> profits)
{
    m_profits = std::move(profits);
    m_walks.clear();
    m_optimum = {0, 1};
    if (m_arcs.empty())
    {
        return;
    }
    // All arcs at once are a circulation, whose turns are the load
    m_optimum = {std::accumulate(m_profits.begin(), m_profits.end(), int64_t{0}), m_load};
    std::vector<int64_t> flow(m_arcs.size(), 1);
    for (const uint32_t load : GetLoads(std::vector<uint32_t>(m_arcs.size(), 1)))
    {
        flow.push_back(m_load - load);
    }
    for (bool isLargest = false; !isLargest;)
    {
        std::vector<int64_t> next = Circulate(m_optimum.first, m_optimum.second);
        int64_t profit = 0;
        int64_t turns = next.back();
        for (std::size_t arc = 0; arc < m_arcs.size(); ++arc)
        {
            profit += next[arc] * m_profits[arc];
            turns += Closes(m_arcs[arc]) ? next[arc] : 0;
        }
        const auto [mostProfit, itsTurns] = m_optimum;
        isLargest = static_cast<Wide>(profit) * itsTurns <= static_cast<Wide>(mostProfit) * turns;
        if (!isLargest)
        {
            m_optimum = {profit, turns};
            flow.swap(next);
        }
    }
    FindWalks(std::move(flow));
}

std::pair<int64_t, int64_t>
RingMinCostFlow::GetOptimum() const
{
    return m_optimum;
}

std::vector<uint32_t>
RingMinCostFlow::Round(uint32_t lanes) const
{
    if (m_walks.empty())
    {
        return std::vector<uint32_t>(m_arcs.size(), 0);
    }
    const auto getProfit = [this](const std::vector<uint32_t>& granted) {
        Wide profit = 0;
        for (std::size_t arc = 0; arc < granted.size(); ++arc)
        {
            profit += static_cast<Wide>(granted[arc]) * m_profits[arc];
        }
        return profit;
    };
    const std::vector<uint32_t> start = Repeat(lanes);
    std::vector<uint32_t> best = start;
    const Wide bound = static_cast<Wide>(lanes) * m_optimum.first;
    for (const uint32_t node : GetCuts())
    {
        if (getProfit(best) * m_optimum.second >= bound)
        {
            break;
        }
        std::vector<uint32_t> granted = start;
        Improve(node, lanes, granted);
        if (getProfit(granted) > getProfit(best))
        {
            best.swap(granted);
        }
    }
    return best;
}

bool
RingMinCostFlow::Closes(const RingArc& arc) const
{
    return arc.first + arc.hops >= m_nodes;
}

std::vector<int64_t>
RingMinCostFlow::Circulate(int64_t profit, int64_t turns) const
{
    std::vector<FlowArc> arcs;
    arcs.reserve(m_arcs.size() + m_nodes);
    for (std::size_t i = 0; i < m_arcs.size(); ++i)
    {
        const RingArc& arc = m_arcs[i];
        const int64_t price = Closes(arc) ? profit : 0;
        arcs.push_back(
            {arc.first, (arc.first + arc.hops) % m_nodes, 1, price - m_profits[i] * turns});
    }
    for (uint32_t segment = 0; segment < m_nodes; ++segment)
    {
        const bool isLast = segment + 1 == m_nodes;
        arcs.push_back({segment, isLast ? 0 : segment + 1, m_load, isLast ? profit : 0});
    }
    return *FindMinCostFlow(std::vector<int64_t>(m_nodes, 0), arcs);
}

void
RingMinCostFlow::FindWalks(std::vector<int64_t> flow)
{
    const auto idle = static_cast<uint32_t>(m_arcs.size());
    const auto getTail = [&](uint32_t arc) { return arc < idle ? m_arcs[arc].first : arc - idle; };
    const auto getHops = [&](uint32_t arc) { return arc < idle ? m_arcs[arc].hops : 1; };
    std::vector<std::vector<uint32_t>> leaving(m_nodes);
    for (uint32_t arc = 0; arc < flow.size(); ++arc)
    {
        leaving[getTail(arc)].insert(leaving[getTail(arc)].end(), flow[arc], arc);
    }
    std::vector<char> isOnPath(m_nodes, 0);
    std::vector<uint32_t> path;
    for (uint32_t start = 0; start < m_nodes; ++start)
    {
        uint32_t node = start;
        while (!path.empty() || !leaving[start].empty())
        {
            if (!isOnPath[node])
            {
                isOnPath[node] = 1;
                path.push_back(leaving[node].back());
                leaving[node].pop_back();
                node = (getTail(path.back()) + getHops(path.back())) % m_nodes;
                continue;
            }
            // The path has come back to a node: what lies between is a walk
            Walk walk;
            uint64_t hops = 0;
            for (uint32_t tail = m_nodes; tail != node; path.pop_back())
            {
                tail = getTail(path.back());
                isOnPath[tail] = 0;
                hops += getHops(path.back());
                if (path.back() < idle)
                {
                    walk.arcs.push_back(path.back());
                }
            }
            walk.turns = static_cast<uint32_t>(hops / m_nodes);
            m_walks.push_back(std::move(walk));
        }
    }
}

std::vector<uint32_t>
RingMinCostFlow::Repeat(uint32_t lanes) const
{
    // The walk with which each number of turns can be made up of walks
    const auto none = static_cast<uint32_t>(m_walks.size());
    std::vector<uint32_t> last(lanes + 1, none);
    uint32_t most = 0;
    for (uint32_t sum = 1; sum <= lanes; ++sum)
    {
        for (uint32_t walk = 0; walk < m_walks.size() && last[sum] == none; ++walk)
        {
            const uint32_t turns = m_walks[walk].turns;
            if (turns == sum || (turns < sum && last[sum - turns] != none))
            {
                last[sum] = walk;
                most = sum;
            }
        }
    }
    std::vector<uint32_t> granted(m_arcs.size(), 0);
    for (; most > 0; most -= m_walks[last[most]].turns)
    {
        for (const uint32_t arc : m_walks[last[most]].arcs)
        {
            ++granted[arc];
        }
    }
    return granted;
}

void
RingMinCostFlow::Improve(uint32_t node, uint32_t lanes, std::vector<uint32_t>& granted) const
{
    const auto getBegin = [&](uint32_t arc) {
        return (m_arcs[arc].first + m_nodes - node) % m_nodes;
    };
    std::vector<uint32_t> others;
    std::vector<FlowArc> arcs;
    for (uint32_t arc = 0; arc < m_arcs.size(); ++arc)
    {
        const uint32_t end = getBegin(arc) + m_arcs[arc].hops;
        if (end <= m_nodes)
        {
            granted[arc] = 0;
            others.push_back(arc);
            arcs.push_back({getBegin(arc), end, lanes, -m_profits[arc]});
        }
    }
    for (uint32_t place = 0; place < m_nodes; ++place)
    {
        arcs.push_back({place, place + 1, lanes, 0});
    }
    // What the arcs through the node leave free enters and leaves the flow where they end or begin
    const std::vector<uint32_t> loads = GetLoads(granted);
    std::vector<int64_t> supplies(m_nodes + 1, 0);
    for (uint32_t place = 0; place < m_nodes; ++place)
    {
        const int64_t free = int64_t{lanes} - loads[(node + place) % m_nodes];
        supplies[place] += free;
        supplies[place + 1] -= free;
    }
    const std::vector<int64_t> flow = *FindMinCostFlow(supplies, arcs);
    for (std::size_t i = 0; i < others.size(); ++i)
    {
        granted[others[i]] = static_cast<uint32_t>(flow[i]);
    }
}

std::vector<uint32_t>
RingMinCostFlow::GetLoads(const std::vector<uint32_t>& granted) const
{
    std::vector<uint32_t> loads(m_nodes, 0);
    for (std::size_t i = 0; i < m_arcs.size(); ++i)
    {
        const RingArc& arc = m_arcs[i];
        for (uint32_t hop = 0; hop < arc.hops && granted[i] > 0; ++hop)
        {
            loads[(arc.first + hop) % m_nodes] += granted[i];
        }
    }
    return loads;
}

std::vector<uint32_t>
RingMinCostFlow::GetCuts() const
{
    std::vector<uint32_t> through = GetLoads(std::vector<uint32_t>(m_arcs.size(), 1));
    for (const RingArc& arc : m_arcs)
    {
        --through[arc.first];
    }
    std::vector<uint32_t> cuts(m_nodes);
    std::iota(cuts.begin(), cuts.end(), 0);
    std::stable_sort(cuts.begin(), cuts.end(), [&through](uint32_t a, uint32_t b) {
        return through[a] < through[b];
    });
    cuts.resize(std::min(cuts.size(), std::max<std::size_t>(1, CUT_EFFORT / m_arcs.size())));
    return cuts;
}

} // namespace lightpath
} // namespace ns3
