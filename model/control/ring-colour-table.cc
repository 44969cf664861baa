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
    m_some.assign(2 * m_leaves, 0);
    m_all.assign(2 * m_leaves, 0);
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
    std::fill(m_used.begin(), m_used.end(), 0);
    Split(span, [this](uint32_t begin, uint32_t end) {
        // Places that lie in the arc, and those above, whose colours go for all below them
        uint32_t low = begin + m_leaves;
        uint32_t high = end + m_leaves;
        for (; low < high; low /= 2, high /= 2)
        {
            if (low % 2 == 1)
            {
                Collect(m_some, low++);
            }
            if (high % 2 == 1)
            {
                Collect(m_some, --high);
            }
        }
        low = begin + m_leaves;
        high = end - 1 + m_leaves;
        for (; low > 0; low /= 2, high /= 2)
        {
            Collect(m_all, low);
            if (high != low)
            {
                Collect(m_all, high);
            }
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
    const uint64_t bit = uint64_t{1} << colour % 64;
    const auto set = [&](std::vector<uint64_t>& bits, uint32_t place) {
        bits[static_cast<std::size_t>(place) * m_words + colour / 64] |= bit;
    };
    Split(span, [&](uint32_t begin, uint32_t end) {
        uint32_t low = begin + m_leaves;
        uint32_t high = end + m_leaves;
        for (; low < high; low /= 2, high /= 2)
        {
            if (low % 2 == 1)
            {
                set(m_some, low);
                set(m_all, low++);
            }
            if (high % 2 == 1)
            {
                set(m_some, --high);
                set(m_all, high);
            }
        }
        low = begin + m_leaves;
        high = end - 1 + m_leaves;
        for (; low > 0; low /= 2, high /= 2)
        {
            set(m_some, low);
            set(m_some, high);
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
    grow(m_some);
    grow(m_all);
    m_words = words;
    m_used.assign(words, 0);
}

} // namespace lightpath
} // namespace ns3
