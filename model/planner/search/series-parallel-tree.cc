/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "series-parallel-tree.h"

#include "down-sets.h"

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

SeriesParallelTree::SeriesParallelTree(const StageGraph& graph)
    : m_graph(graph)
{
    const auto source = static_cast<uint32_t>(graph.GetNodes().size());
    const uint32_t sink = source + 1;
    m_behind.resize(source + 2);
    m_before.resize(source + 2);
    for (uint32_t node = 0; node < source; ++node)
    {
        for (const auto to : graph.GetSuccessors(node))
        {
            Connect(node, to, Block());
        }
        if (graph.GetPredecessors(node).empty())
        {
            Connect(source, node, Block());
        }
        if (graph.GetSuccessors(node).empty())
        {
            Connect(node, sink, Block());
        }
    }
    if (source == 0)
    {
        Connect(source, sink, Block());
    }
    std::set<uint32_t> waiting;
    for (uint32_t node = 0; node < source; ++node)
    {
        waiting.insert(node);
    }
    std::set<uint32_t> core(waiting);
    while (!waiting.empty())
    {
        const uint32_t node = *waiting.begin();
        waiting.erase(waiting.begin());
        if (m_before[node].size() != 1 || m_behind[node].size() != 1)
        {
            continue;
        }
        for (const auto next : {m_before[node].begin()->first, m_behind[node].begin()->first})
        {
            if (next < source)
            {
                waiting.insert(next);
            }
        }
        Reduce(node);
        core.erase(node);
    }
    m_core.assign(core.begin(), core.end());
}

void
SeriesParallelTree::Connect(uint32_t from, uint32_t to, const Block& block)
{
    auto index = static_cast<uint32_t>(m_blocks.size());
    m_blocks.push_back(block);
    const auto found = m_behind[from].find(to);
    if (found != m_behind[from].end())
    {
        Block both;
        both.kind = PARALLEL;
        both.left = found->second;
        both.right = index;
        both.nodes = m_blocks[both.left].nodes + block.nodes;
        both.seconds = m_blocks[both.left].seconds + block.seconds;
        m_blocks.push_back(both);
        ++index;
    }
    m_behind[from][to] = index;
    m_before[to][from] = index;
}

void
SeriesParallelTree::Reduce(uint32_t node)
{
    const auto [from, left] = *m_before[node].begin();
    const auto [to, right] = *m_behind[node].begin();
    Block chain;
    chain.kind = SERIES;
    chain.node = node;
    chain.left = left;
    chain.right = right;
    chain.nodes = m_blocks[left].nodes + m_blocks[right].nodes + 1;
    chain.seconds =
        m_blocks[left].seconds + m_blocks[right].seconds + m_graph.GetNodes()[node].seconds;
    m_before[node].clear();
    m_behind[node].clear();
    m_behind[from].erase(node);
    m_before[to].erase(node);
    Connect(from, to, chain);
}

bool
SeriesParallelTree::IsSeriesParallel() const
{
    return m_core.empty();
}

const std::vector<uint32_t>&
SeriesParallelTree::GetCore() const
{
    return m_core;
}

uint64_t
SeriesParallelTree::Multiply(uint64_t a, uint64_t b)
{
    const uint64_t most = std::numeric_limits<uint64_t>::max();
    return a > most / b ? most : a * b;
}

uint64_t
SeriesParallelTree::Count(const std::vector<bool>& merged, uint64_t limit) const
{
    // The ways to cut through each block, if the node before it is in the set and that behind not
    std::vector<uint64_t> ways;
    for (std::size_t i = 0; i < m_blocks.size(); ++i)
    {
        const Block& block = m_blocks[i];
        if (block.kind == EDGE || merged[i])
        {
            ways.push_back(block.nodes > 0 ? 2 : 1);
        }
        else if (block.kind == PARALLEL)
        {
            ways.push_back(Multiply(ways[block.left], ways[block.right]));
        }
        else
        {
            const uint64_t sum = ways[block.left] + ways[block.right];
            ways.push_back(sum < ways[block.left] ? std::numeric_limits<uint64_t>::max() : sum);
        }
    }
    const auto source = static_cast<uint32_t>(m_graph.GetNodes().size());
    StageGraph core;
    std::vector<uint32_t> place(source + 2, 0);
    for (const auto node : m_core)
    {
        place[node] = core.AddNode(StageNode());
        for (const auto& [from, block] : m_before[node])
        {
            if (from < source)
            {
                core.AddEdge(place[from], place[node]);
            }
        }
    }
    uint64_t count = 0;
    try
    {
        const DownSets sets(core, limit);
        for (const auto& set : sets.Get())
        {
            const auto isIn = [&](uint32_t node) {
                return node == source || (node < source && set[place[node]]);
            };
            uint64_t product = 1;
            for (uint32_t from = 0; from <= source; ++from)
            {
                for (const auto& [to, block] : m_behind[from])
                {
                    product = isIn(from) && !isIn(to) ? Multiply(product, ways[block]) : product;
                }
            }
            count += std::min(product, std::numeric_limits<uint64_t>::max() - count);
        }
    }
    catch (const std::invalid_argument&)
    {
        return limit == std::numeric_limits<uint64_t>::max() ? limit : limit + 1;
    }
    return count;
}

uint64_t
SeriesParallelTree::CountDownSets(uint64_t limit) const
{
    return Count(std::vector<bool>(m_blocks.size(), false), limit);
}

void
SeriesParallelTree::Mark(uint32_t block, uint32_t node, std::vector<uint32_t>& nodes) const
{
    std::vector<uint32_t> waiting{block};
    while (!waiting.empty())
    {
        const Block& part = m_blocks[waiting.back()];
        waiting.pop_back();
        if (part.kind == SERIES)
        {
            nodes[part.node] = node;
        }
        if (part.kind != EDGE)
        {
            waiting.push_back(part.left);
            waiting.push_back(part.right);
        }
    }
}

std::vector<uint32_t>
SeriesParallelTree::Contract(uint64_t limit) const
{
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < m_blocks.size(); ++i)
    {
        if (m_blocks[i].kind == PARALLEL && m_blocks[i].nodes > 1)
        {
            order.push_back(i);
        }
    }
    // What lies inside of a block comes before it
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return m_blocks[a].seconds < m_blocks[b].seconds;
    });
    std::vector<bool> merged(m_blocks.size(), false);
    std::vector<uint32_t> groups(m_graph.GetNodes().size());
    for (uint32_t node = 0; node < groups.size(); ++node)
    {
        groups[node] = node;
    }
    for (const auto block : order)
    {
        if (Count(merged, limit) <= limit)
        {
            break;
        }
        merged[block] = true;
        Mark(block, static_cast<uint32_t>(groups.size()) + block, groups);
    }
    return Sort(m_graph, groups);
}

std::vector<uint32_t>
SeriesParallelTree::MergeChains(const StageGraph& graph, double seconds)
{
    const auto& nodes = graph.GetNodes();
    std::vector<uint32_t> groups;
    std::vector<double> sums;
    for (uint32_t node = 0; node < nodes.size(); ++node)
    {
        groups.push_back(node);
        sums.push_back(nodes[node].seconds);
        const auto& before = graph.GetPredecessors(node);
        if (before.size() == 1 && graph.GetSuccessors(before[0]).size() == 1 &&
            sums[before[0]] + nodes[node].seconds <= seconds)
        {
            groups[node] = groups[before[0]];
            sums[node] += sums[before[0]];
        }
    }
    return Sort(graph, groups);
}

std::vector<uint32_t>
SeriesParallelTree::Sort(const StageGraph& graph, const std::vector<uint32_t>& groups)
{
    std::map<uint32_t, std::vector<uint32_t>> members;
    std::map<uint32_t, uint32_t> left;
    for (uint32_t node = 0; node < groups.size(); ++node)
    {
        members[groups[node]].push_back(node);
        for (const auto from : graph.GetPredecessors(node))
        {
            left[groups[node]] += groups[from] != groups[node] ? 1 : 0;
        }
    }
    // Of the groups whose predecessors have all been numbered, that of the lowest node is next
    std::set<std::pair<uint32_t, uint32_t>> ready;
    for (const auto& [group, nodes] : members)
    {
        if (left[group] == 0)
        {
            ready.insert({nodes.front(), group});
        }
    }
    std::vector<uint32_t> numbers(groups.size(), 0);
    for (uint32_t number = 0; !ready.empty(); ++number)
    {
        const uint32_t group = ready.begin()->second;
        ready.erase(ready.begin());
        for (const auto node : members[group])
        {
            numbers[node] = number;
            for (const auto to : graph.GetSuccessors(node))
            {
                if (groups[to] != group && --left[groups[to]] == 0)
                {
                    ready.insert({members[groups[to]].front(), groups[to]});
                }
            }
        }
    }
    return numbers;
}

} // namespace lightpath
} // namespace ns3
