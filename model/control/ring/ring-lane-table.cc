/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-lane-table.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Lanes of one word.
constexpr uint32_t ROW_BITS = 64;

/**
 * @param word a word that is not zero
 * @return the index of its lowest bit
 */
uint32_t
GetLowestBit(uint64_t word)
{
    return static_cast<uint32_t>(__builtin_ctzll(word));
}

} // namespace

RingLaneTable::RingLaneTable(const RingProblem& problem)
    : m_problem(problem),
      m_nodes(problem.nodes),
      m_capacity(problem.capacity),
      m_words((problem.capacity + ROW_BITS - 1) / ROW_BITS),
      m_common(m_words),
      m_taken(m_words)
{
    Clear();
}

void
RingLaneTable::Clear()
{
    m_free.assign(static_cast<std::size_t>(m_nodes) * m_words, ~uint64_t{0});
    if (m_capacity % ROW_BITS != 0)
    {
        const uint64_t last = (uint64_t{1} << (m_capacity % ROW_BITS)) - 1;
        for (std::size_t word = m_words - 1; word < m_free.size(); word += m_words)
        {
            m_free[word] = last;
        }
    }
}

uint32_t
RingLaneTable::Take(const RingArc& arc, uint32_t count, uint32_t from, std::vector<uint32_t>& lanes)
{
    if (!FindFree(arc))
    {
        return 0;
    }
    std::fill(m_taken.begin(), m_taken.end(), 0);
    uint32_t found = Pick(from, m_capacity, count, lanes);
    found += Pick(0, from, count - found, lanes);
    m_work += uint64_t{arc.hops} * m_words;
    uint32_t segment = arc.first;
    for (uint32_t hop = 0; hop < arc.hops; ++hop)
    {
        uint64_t* const free = &m_free[static_cast<std::size_t>(segment) * m_words];
        for (uint32_t word = 0; word < m_words; ++word)
        {
            free[word] &= ~m_taken[word];
        }
        segment = segment + 1 == m_nodes ? 0 : segment + 1;
    }
    return found;
}

uint32_t
RingLaneTable::TakeFirst(const RingArc& arc)
{
    const auto next = [this](uint32_t segment) { return segment + 1 == m_nodes ? 0 : segment + 1; };
    const RingProblem::Mask& mask = m_problem.masks[arc.mask];
    for (uint32_t word = 0; word < m_words; ++word)
    {
        uint64_t common = mask[word];
        uint32_t segment = arc.first;
        for (uint32_t hop = 0; hop < arc.hops && common != 0; ++hop)
        {
            common &= m_free[std::size_t{segment} * m_words + word];
            segment = next(segment);
        }
        if (common == 0)
        {
            continue;
        }
        const uint64_t lowest = common & (~common + 1);
        segment = arc.first;
        for (uint32_t hop = 0; hop < arc.hops; ++hop)
        {
            m_free[std::size_t{segment} * m_words + word] &= ~lowest;
            segment = next(segment);
        }
        return word * ROW_BITS + GetLowestBit(common);
    }
    return NONE;
}

void
RingLaneTable::Set(const RingArc& arc, uint32_t lane)
{
    const uint64_t bit = uint64_t{1} << (lane % ROW_BITS);
    for (uint32_t hop = 0; hop < arc.hops; ++hop)
    {
        const std::size_t segment = (arc.first + hop) % m_nodes;
        m_free[segment * m_words + lane / ROW_BITS] &= ~bit;
    }
}

uint64_t
RingLaneTable::GetWork() const
{
    return m_work;
}

bool
RingLaneTable::FindFree(const RingArc& arc)
{
    m_common = m_problem.masks[arc.mask];
    uint32_t segment = arc.first;
    for (uint32_t hop = 0; hop < arc.hops; ++hop)
    {
        const uint64_t* const free = &m_free[static_cast<std::size_t>(segment) * m_words];
        uint64_t any = 0;
        for (uint32_t word = 0; word < m_words; ++word)
        {
            any |= m_common[word] &= free[word];
        }
        m_work += m_words;
        if (any == 0)
        {
            return false;
        }
        segment = segment + 1 == m_nodes ? 0 : segment + 1;
    }
    return true;
}

uint32_t
RingLaneTable::Pick(uint32_t begin, uint32_t end, uint32_t count, std::vector<uint32_t>& lanes)
{
    uint32_t found = 0;
    for (uint32_t lane = begin; lane < end && found < count;)
    {
        const uint64_t rest = m_common[lane / ROW_BITS] >> (lane % ROW_BITS);
        if (rest == 0)
        {
            lane += ROW_BITS - lane % ROW_BITS;
            continue;
        }
        lane += GetLowestBit(rest);
        if (lane >= end)
        {
            break;
        }
        m_taken[lane / ROW_BITS] |= uint64_t{1} << (lane % ROW_BITS);
        lanes.push_back(lane);
        ++found;
        ++lane;
    }
    return found;
}

} // namespace lightpath
} // namespace ns3
