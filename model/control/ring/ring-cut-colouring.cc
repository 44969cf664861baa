/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-cut-colouring.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace lightpath
{

RingCutColouring::RingCutColouring(uint32_t nodes, const std::vector<RingSpan>& spans)
    : m_nodes(nodes),
      m_spans(spans),
      m_order(spans.size()),
      m_ends(nodes + 1),
      m_free(nodes + 1),
      m_anyFree(nodes / 64 + 1, 0)
{
    std::iota(m_order.begin(), m_order.end(), 0);
    std::sort(m_order.begin(), m_order.end(), [&spans](uint32_t a, uint32_t b) {
        return spans[a].first != spans[b].first ? spans[a].first < spans[b].first
               : spans[a].hops != spans[b].hops ? spans[a].hops > spans[b].hops
                                                : a < b;
    });
    m_colouring.colours.resize(spans.size());
}

RingColouring
RingCutColouring::Run(uint64_t effort, uint32_t bound)
{
    const std::vector<uint32_t> through = GetThrough();
    std::vector<uint32_t> cuts(m_nodes);
    std::iota(cuts.begin(), cuts.end(), 0);
    std::stable_sort(cuts.begin(), cuts.end(), [&through](uint32_t a, uint32_t b) {
        return through[a] < through[b];
    });
    m_best.used = static_cast<uint32_t>(m_spans.size()) + 1;
    uint64_t work = 0;
    for (const uint32_t node : cuts)
    {
        work += m_spans.size();
        if (m_best.used <= bound || (work > effort && !m_best.colours.empty()))
        {
            break;
        }
        Cut(node);
        if (m_colouring.used < m_best.used)
        {
            m_best = m_colouring;
        }
    }
    return m_best;
}

void
RingCutColouring::Cut(uint32_t node)
{
    for (uint32_t place = 0; place <= m_nodes; ++place)
    {
        m_ends[place].clear();
        m_free[place].clear();
    }
    std::fill(m_anyFree.begin(), m_anyFree.end(), 0);
    m_deadlines.clear();
    m_colouring.used = 0;
    m_released = 0;
    const auto first = std::partition_point(m_order.begin(), m_order.end(), [&](uint32_t arc) {
        return m_spans[arc].first < node;
    });
    const auto getBegin = [&](uint32_t arc) {
        const uint32_t begin = m_spans[arc].first;
        return begin >= node ? begin - node : begin + m_nodes - node;
    };
    const auto visit = [&](const auto& call) {
        std::for_each(first, m_order.end(), call);
        std::for_each(m_order.begin(), first, call);
    };
    visit([&](uint32_t arc) {
        const uint32_t begin = getBegin(arc);
        const uint32_t end = begin + m_spans[arc].hops;
        if (end > m_nodes)
        {
            m_colouring.colours[arc] = m_colouring.used;
            m_ends[end - m_nodes].push_back(m_colouring.used++);
            m_deadlines.push_back(begin);
        }
    });
    visit([&](uint32_t arc) {
        const uint32_t begin = getBegin(arc);
        if (begin + m_spans[arc].hops <= m_nodes && m_colouring.used < m_best.used)
        {
            Place(arc, begin);
        }
    });
}

void
RingCutColouring::Place(uint32_t arc, uint32_t begin)
{
    Release(begin);
    const uint32_t end = begin + m_spans[arc].hops;
    uint32_t word = end / 64;
    uint64_t bits = m_anyFree[word] & (~uint64_t{0} << end % 64);
    while (bits == 0 && word + 1 < m_anyFree.size())
    {
        bits = m_anyFree[++word];
    }
    uint32_t colour = m_colouring.used;
    if (bits == 0)
    {
        m_deadlines.push_back(m_nodes);
        ++m_colouring.used;
    }
    else
    {
        uint32_t deadline = word * 64;
        for (; (bits & 1U) == 0; bits >>= 1)
        {
            ++deadline;
        }
        std::vector<uint32_t>& list = m_free[deadline];
        colour = list.back();
        list.pop_back();
        if (list.empty())
        {
            m_anyFree[word] &= ~(uint64_t{1} << deadline % 64);
        }
    }
    m_colouring.colours[arc] = colour;
    m_ends[end].push_back(colour);
}

void
RingCutColouring::Release(uint32_t begin)
{
    for (; m_released <= begin; ++m_released)
    {
        for (const uint32_t colour : m_ends[m_released])
        {
            const uint32_t deadline = m_deadlines[colour];
            m_free[deadline].push_back(colour);
            m_anyFree[deadline / 64] |= uint64_t{1} << deadline % 64;
        }
    }
}

std::vector<uint32_t>
RingCutColouring::GetThrough() const
{
    std::vector<uint32_t> through = GetRingLoads(m_nodes, m_spans);
    for (const RingSpan& span : m_spans)
    {
        --through[span.first];
    }
    return through;
}

} // namespace lightpath
} // namespace ns3
