/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bipartite-matching.h"

namespace ns3
{
namespace lightpath
{

BipartiteMatching::BipartiteMatching(uint32_t nodes)
    : m_nodes(nodes),
      m_words((nodes + 63) / 64),
      m_edges(static_cast<std::size_t>(nodes) * m_words, 0),
      m_right(nodes, NONE),
      m_left(nodes, NONE),
      m_fresh(m_words),
      m_parent(nodes, NONE)
{
}

void
BipartiteMatching::Add(uint32_t left, uint32_t right)
{
    m_edges[static_cast<std::size_t>(left) * m_words + right / 64] |= uint64_t{1} << (right % 64);
}

void
BipartiteMatching::Remove(uint32_t left, uint32_t right)
{
    m_edges[static_cast<std::size_t>(left) * m_words + right / 64] &=
        ~(uint64_t{1} << (right % 64));
    if (m_right[left] == right)
    {
        m_right[left] = NONE;
        m_left[right] = NONE;
    }
}

bool
BipartiteMatching::Complete()
{
    for (uint32_t left = 0; left < m_nodes; ++left)
    {
        if (m_right[left] == NONE && !Augment(left))
        {
            return false;
        }
    }
    return true;
}

uint32_t
BipartiteMatching::GetRight(uint32_t left) const
{
    return m_right[left];
}

bool
BipartiteMatching::Augment(uint32_t left)
{
    // Breadth first from the node: all nodes on the right that a node on the left meets for the
    // first time are found a word at a time
    m_fresh.assign(m_words, ~uint64_t{0});
    m_frontier.assign(1, left);
    for (std::size_t next = 0; next < m_frontier.size(); ++next)
    {
        const uint32_t node = m_frontier[next];
        for (uint32_t word = 0; word < m_words; ++word)
        {
            uint64_t met = m_edges[static_cast<std::size_t>(node) * m_words + word] & m_fresh[word];
            m_fresh[word] &= ~met;
            for (; met != 0; met &= met - 1)
            {
                uint32_t right = word * 64 + __builtin_ctzll(met);
                m_parent[right] = node;
                if (m_left[right] != NONE)
                {
                    m_frontier.push_back(m_left[right]);
                    continue;
                }
                // Exchange matched and other edges along the path back
                while (right != NONE)
                {
                    const uint32_t parent = m_parent[right];
                    const uint32_t before = m_right[parent];
                    m_right[parent] = right;
                    m_left[right] = parent;
                    right = before;
                }
                return true;
            }
        }
    }
    return false;
}

} // namespace lightpath
} // namespace ns3
