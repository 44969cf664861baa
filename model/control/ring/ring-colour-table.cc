/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-colour-table.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

uint32_t
FindLowestZero(const std::vector<uint64_t>& bits)
{
    for (uint32_t word = 0; word < bits.size(); ++word)
    {
        if (~bits[word] != 0)
        {
            uint32_t bit = 0;
            while ((bits[word] >> bit) & 1U)
            {
                ++bit;
            }
            return word * 64 + bit;
        }
    }
    return static_cast<uint32_t>(bits.size()) * 64;
}

RingColourTable::RingColourTable(uint32_t nodes)
    : m_nodes(nodes)
{
    while (m_leaves < nodes)
    {
        m_leaves *= 2;
    }
    m_begun.assign(2 * m_leaves, 0);
    m_covered.assign(2 * m_leaves, 0);
    m_used.assign(1, 0);
}

template <typename F>
void
RingColourTable::Split(const RingSpan& span, const F& visit) const
{
    const uint32_t end = span.first + span.hops;
    visit(span.first, std::min(end, m_nodes));
    if (end > m_nodes)
    {
        visit(0, end - m_nodes);
    }
}

template <typename F>
void
RingColourTable::VisitCover(uint32_t begin, uint32_t end, const F& visit) const
{
    uint32_t low = begin + m_leaves;
    uint32_t high = end + m_leaves;
    for (; low < high; low /= 2, high /= 2)
    {
        if (low % 2 == 1)
        {
            visit(low++);
        }
        if (high % 2 == 1)
        {
            visit(--high);
        }
    }
}

void
RingColourTable::Collect(const std::vector<uint64_t>& bits, uint32_t place)
{
    const uint64_t* from = &bits[static_cast<std::size_t>(place) * m_words];
    for (uint32_t word = 0; word < m_words; ++word)
    {
        m_used[word] |= from[word];
    }
}

const std::vector<uint64_t>&
RingColourTable::FindUsed(const RingSpan& span)
{
    // The first segment that two arcs have in common is the first one of either
    std::fill(m_used.begin(), m_used.end(), 0);
    Split(span, [this](uint32_t begin, uint32_t end) {
        VisitCover(begin, end, [this](uint32_t place) { Collect(m_begun, place); });
        for (uint32_t place = begin + m_leaves; place > 0; place /= 2)
        {
            Collect(m_covered, place);
        }
    });
    return m_used;
}

void
RingColourTable::Take(const RingSpan& span, uint32_t colour)
{
    if (colour / 64 >= m_words)
    {
        Grow(std::max(2 * m_words, colour / 64 + 1));
    }
    const auto set = [&](std::vector<uint64_t>& bits, uint32_t place) {
        bits[static_cast<std::size_t>(place) * m_words + colour / 64] |= uint64_t{1} << colour % 64;
    };
    Split(span, [&](uint32_t begin, uint32_t end) {
        VisitCover(begin, end, [&](uint32_t place) { set(m_covered, place); });
        for (uint32_t place = begin + m_leaves; place > 0; place /= 2)
        {
            set(m_begun, place);
        }
    });
}

void
RingColourTable::Grow(uint32_t words)
{
    const auto grow = [&](std::vector<uint64_t>& bits) {
        std::vector<uint64_t> more(static_cast<std::size_t>(2) * m_leaves * words, 0);
        for (uint32_t place = 0; place < 2 * m_leaves; ++place)
        {
            const auto from = bits.begin() + static_cast<std::ptrdiff_t>(place) * m_words;
            std::copy(from,
                      from + m_words,
                      more.begin() + static_cast<std::ptrdiff_t>(place) * words);
        }
        bits.swap(more);
    };
    grow(m_begun);
    grow(m_covered);
    m_words = words;
    m_used.assign(words, 0);
}

} // namespace lightpath
} // namespace ns3
