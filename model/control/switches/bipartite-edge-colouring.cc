/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bipartite-edge-colouring.h"

#include <utility>

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
BipartiteEdgeColouring::BlockLeft(uint32_t left, uint32_t colour)
{
    m_right[static_cast<std::size_t>(left) * m_colours + colour] = BLOCKED;
}

void
BipartiteEdgeColouring::BlockRight(uint32_t right, uint32_t colour)
{
    m_left[static_cast<std::size_t>(right) * m_colours + colour] = BLOCKED;
}

bool
BipartiteEdgeColouring::Add(uint32_t left, uint32_t right)
{
    const std::size_t atLeft = static_cast<std::size_t>(left) * m_colours;
    const std::size_t atRight = static_cast<std::size_t>(right) * m_colours;
    // A colour that is free at both ends, if there is one
    for (uint32_t colour = 0; colour < m_colours; ++colour)
    {
        if (m_right[atLeft + colour] == NONE && m_left[atRight + colour] == NONE)
        {
            Set(left, right, colour);
            return true;
        }
    }
    // Otherwise free a colour at one end by exchanging two colours along an alternating path
    uint32_t colour = Free(true, left, right);
    if (colour == NONE)
    {
        colour = Free(false, right, left);
    }
    if (colour == NONE)
    {
        return false;
    }
    Set(left, right, colour);
    return true;
}

void
BipartiteEdgeColouring::Set(uint32_t left, uint32_t right, uint32_t colour)
{
    m_right[static_cast<std::size_t>(left) * m_colours + colour] = right;
    m_left[static_cast<std::size_t>(right) * m_colours + colour] = left;
}

void
BipartiteEdgeColouring::Remove(uint32_t left, uint32_t colour)
{
    uint32_t& right = m_right[static_cast<std::size_t>(left) * m_colours + colour];
    m_left[static_cast<std::size_t>(right) * m_colours + colour] = NONE;
    right = NONE;
}

uint32_t
BipartiteEdgeColouring::GetRight(uint32_t left, uint32_t colour) const
{
    return m_right[static_cast<std::size_t>(left) * m_colours + colour];
}

uint32_t
BipartiteEdgeColouring::GetLeft(uint32_t right, uint32_t colour) const
{
    return m_left[static_cast<std::size_t>(right) * m_colours + colour];
}

uint32_t
BipartiteEdgeColouring::Free(bool onRight, uint32_t here, uint32_t there)
{
    const std::size_t atHere = static_cast<std::size_t>(here) * m_colours;
    const std::size_t atThere = static_cast<std::size_t>(there) * m_colours;
    const Ends& endsHere = onRight ? m_right : m_left;
    const Ends& endsThere = onRight ? m_left : m_right;
    for (uint32_t first = 0; first < m_colours; ++first)
    {
        // The first colour is free here, the second there
        if (endsHere[atHere + first] != NONE || endsThere[atThere + first] == BLOCKED)
        {
            continue;
        }
        for (uint32_t second = 0; second < m_colours; ++second)
        {
            if (endsThere[atThere + second] == NONE && Exchange(onRight, there, first, second))
            {
                return first;
            }
        }
    }
    return NONE;
}

bool
BipartiteEdgeColouring::Exchange(bool onRight, uint32_t start, uint32_t first, uint32_t second)
{
    // The path alternates between the two sides, and between the two colours
    m_path.assign(1, start);
    bool isRight = onRight;
    uint32_t colour = first;
    while (true)
    {
        const Ends& ends = isRight ? m_left : m_right;
        const uint32_t next = ends[static_cast<std::size_t>(m_path.back()) * m_colours + colour];
        if (next == BLOCKED)
        {
            return false;
        }
        if (next == NONE)
        {
            break;
        }
        m_path.push_back(next);
        isRight = !isRight;
        colour = colour == first ? second : first;
    }
    // Nothing blocks the path: swap the two colours at each of its nodes
    isRight = onRight;
    for (const uint32_t node : m_path)
    {
        Ends& ends = isRight ? m_left : m_right;
        const std::size_t at = static_cast<std::size_t>(node) * m_colours;
        std::swap(ends[at + first], ends[at + second]);
        isRight = !isRight;
    }
    return true;
}

} // namespace lightpath
} // namespace ns3
