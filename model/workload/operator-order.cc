/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operator-order.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace ns3
{
namespace lightpath
{

OperatorOrder::OperatorOrder(uint32_t things)
    : m_things(things)
{
}

void
OperatorOrder::Add(uint32_t first, uint32_t second)
{
    m_before.emplace_back(first, second);
}

void
OperatorOrder::Take(std::vector<uint32_t>& order, std::vector<uint32_t>& waiting) const
{
    // The things behind thing i are behind[begin[i]] to behind[begin[i + 1] - 1]
    std::vector<std::size_t> begin(m_things + std::size_t{1});
    waiting.assign(m_things, 0);
    for (const auto& pair : m_before)
    {
        ++begin[pair.first + std::size_t{1}];
        ++waiting[pair.second];
    }
    for (uint32_t thing = 0; thing < m_things; ++thing)
    {
        begin[thing + std::size_t{1}] += begin[thing];
    }
    std::vector<uint32_t> behind(m_before.size());
    std::vector<std::size_t> next(begin.begin(), begin.end());
    for (const auto& pair : m_before)
    {
        behind[next[pair.first]++] = pair.second;
    }

    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<uint32_t>> ready;
    for (uint32_t thing = 0; thing < m_things; ++thing)
    {
        if (waiting[thing] == 0)
        {
            ready.push(thing);
        }
    }
    while (!ready.empty())
    {
        const uint32_t thing = ready.top();
        ready.pop();
        order.push_back(thing);
        for (std::size_t i = begin[thing]; i < begin[thing + std::size_t{1}]; ++i)
        {
            if (--waiting[behind[i]] == 0)
            {
                ready.push(behind[i]);
            }
        }
    }
}

std::vector<uint32_t>
OperatorOrder::Sort() const
{
    std::vector<uint32_t> order;
    std::vector<uint32_t> waiting;
    Take(order, waiting);
    return order;
}

std::vector<uint32_t>
OperatorOrder::FindCycle() const
{
    std::vector<uint32_t> order;
    std::vector<uint32_t> waiting;
    Take(order, waiting);
    // Each waiting thing waits for another one: remember which
    std::vector<uint32_t> cause(m_things);
    for (const auto& pair : m_before)
    {
        if (waiting[pair.first] > 0)
        {
            cause[pair.second] = pair.first;
        }
    }
    uint32_t thing = 0;
    while (thing < m_things && waiting[thing] == 0)
    {
        ++thing;
    }
    std::vector<uint32_t> cycle;
    if (thing == m_things)
    {
        return cycle;
    }
    std::vector<bool> seen(m_things);
    while (!seen[thing])
    {
        seen[thing] = true;
        thing = cause[thing];
    }
    const uint32_t last = thing;
    do
    {
        cycle.push_back(thing);
        thing = cause[thing];
    } while (thing != last);
    std::reverse(cycle.begin(), cycle.end());
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    return cycle;
}

} // namespace lightpath
} // namespace ns3
