/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bipartite-edge-colouring.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

BipartiteEdgeColouring::BipartiteEdgeColouring(uint32_t nodes, uint32_t colours)
    : m_colours(colours),
      m_right(static_cast<std::size_t>(nodes) * colours, NONE),
      m_left(static_cast<std::size_t>(nodes) * colours, NONE)
{
}

void
BipartiteEdgeColouring::Add(uint32_t left, uint32_t right)
{
    const std::size_t atLeft = static_cast<std::size_t>(left) * m_colours;
    const std::size_t atRight = static_cast<std::size_t>(right) * m_colours;
    for (uint32_t colour = 0; colour < m_colours; ++colour)
    {
        if (m_right[atLeft + colour] == NONE && m_left[atRight + colour] == NONE)
        {
            Set(left, right, colour);
            return;
        }
    }
    const uint32_t first = GetFree(m_right, left);
    Exchange(right, first, GetFree(m_left, right));
    Set(left, right, first);
}

uint32_t
BipartiteEdgeColouring::GetRight(uint32_t left, uint32_t colour) const
{
    return m_right[static_cast<std::size_t>(left) * m_colours + colour];
}

void
BipartiteEdgeColouring::Exchange(uint32_t right, uint32_t first, uint32_t second)
{
    // The path alternates between right and left, and between the two colours
    m_path.assign(1, right);
    bool onRight = true;
    uint32_t colour = first;
    while (true)
    {
        const std::vector<uint32_t>& ends = onRight ? m_left : m_right;
        const uint32_t next = ends[static_cast<std::size_t>(m_path.back()) * m_colours + colour];
        if (next == NONE)
        {
            break;
        }
        m_path.push_back(next);
        onRight = !onRight;
        colour = colour == first ? second : first;
    }
    for (std::size_t i = 0; i < m_path.size(); ++i)
    {
        std::vector<uint32_t>& ends = i % 2 == 0 ? m_left : m_right;
        const std::size_t at = static_cast<std::size_t>(m_path[i]) * m_colours;
        std::swap(ends[at + first], ends[at + second]);
    }
}

void
BipartiteEdgeColouring::Set(uint32_t left, uint32_t right, uint32_t colour)
{
    m_right[static_cast<std::size_t>(left) * m_colours + colour] = right;
    m_left[static_cast<std::size_t>(right) * m_colours + colour] = left;
}

uint32_t
BipartiteEdgeColouring::GetFree(const std::vector<uint32_t>& ends, uint32_t node) const
{
    const auto begin = ends.begin() + static_cast<std::ptrdiff_t>(node) * m_colours;
    const auto found = std::find(begin, begin + m_colours, NONE);
    NS_ASSERT_MSG(found != begin + m_colours, "A node has more edges than there are colours");
    return static_cast<uint32_t>(found - begin);
}

} // namespace lightpath
} // namespace ns3
