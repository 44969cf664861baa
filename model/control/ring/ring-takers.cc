/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-takers.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

RingTakers::RingTakers(const std::vector<RingPair>& pairs,
                       const std::vector<uint32_t>& lanes,
                       const std::vector<char>& mayTake)
{
    std::vector<Taker> takers;
    for (uint32_t p = 0; p < pairs.size(); ++p)
    {
        if (mayTake[p])
        {
            takers.push_back({pairs[p].bytes, lanes[p], p});
        }
    }
    std::sort(takers.begin(), takers.end());
    for (const Taker& taker : takers)
    {
        if (m_groups.empty() || m_groups.back().bytes != taker.bytes)
        {
            m_groups.emplace_back();
            m_groups.back().bytes = taker.bytes;
        }
        m_groups.back().richer.push_back(taker);
    }
    for (uint32_t index = 0; index < m_groups.size(); ++index)
    {
        Group& group = m_groups[index];
        BeginTurn(group);
        m_heap.push_back({{group.lanes, group.bytes}, group.turn.front(), index});
    }
    std::make_heap(m_heap.begin(), m_heap.end());
    Sink();
}

bool
RingTakers::BeginTurn(Group& group)
{
    if (group.raised.empty() && group.richer.empty())
    {
        return false;
    }
    group.lanes = group.raised.empty() ? group.richer.back().lanes : group.lanes + 1;
    group.turn.swap(group.raised);
    group.raised.clear();
    group.next = 0;
    const auto before = static_cast<std::ptrdiff_t>(group.turn.size());
    while (!group.richer.empty() && group.richer.back().lanes == group.lanes)
    {
        group.turn.push_back(group.richer.back().pair);
        group.richer.pop_back();
    }
    std::inplace_merge(group.turn.begin(), group.turn.begin() + before, group.turn.end());
    return true;
}

void
RingTakers::Raise()
{
    const First& first = m_heap.front();
    m_groups[first.group].raised.push_back(first.pair);
    Proceed();
}

void
RingTakers::Remove()
{
    Proceed();
}

void
RingTakers::Proceed()
{
    First& first = m_heap.front();
    Group& group = m_groups[first.group];
    const bool goesOn = ++group.next < group.turn.size();
    if (!goesOn && !BeginTurn(group))
    {
        first = m_heap.back();
        m_heap.pop_back();
    }
    else
    {
        first.share.lanes = group.lanes;
        first.pair = group.turn[group.next];
        if (goesOn && !m_isShared)
        {
            return;
        }
    }
    Sink();
}

void
RingTakers::Sink()
{
    if (m_heap.empty())
    {
        return;
    }
    const First first = m_heap.front();
    std::size_t place = 0;
    for (std::size_t child = 1; child < m_heap.size(); child = 2 * place + 1)
    {
        child += child + 1 < m_heap.size() && m_heap[child] < m_heap[child + 1] ? 1 : 0;
        if (!(first < m_heap[child]))
        {
            break;
        }
        m_heap[place] = m_heap[child];
        place = child;
    }
    m_heap[place] = first;
    // No share in the heap is less than the first
    m_isShared = false;
    for (std::size_t child = 1; child < std::min<std::size_t>(3, m_heap.size()); ++child)
    {
        m_isShared = m_isShared || !(m_heap.front().share < m_heap[child].share);
    }
}

} // namespace lightpath
} // namespace ns3
