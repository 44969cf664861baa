/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "earliest-gpu.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

EarliestGpu::EarliestGpu(uint32_t gpus)
    : m_leaves(1),
      m_seconds(gpus, 0)
{
    while (m_leaves < gpus)
    {
        m_leaves *= 2;
    }
    // A binary tree, whose nodes hold the GPU that is free first among their leaves
    m_best.assign(2 * std::size_t{m_leaves}, NONE);
    for (uint32_t gpu = 0; gpu < gpus; ++gpu)
    {
        m_best[m_leaves + gpu] = gpu;
    }
    for (uint32_t node = m_leaves - 1; node > 0; --node)
    {
        m_best[node] = Choose(m_best[2 * node], m_best[2 * node + 1]);
    }
}

double
EarliestGpu::GetSeconds(uint32_t gpu) const
{
    return m_seconds[gpu];
}

void
EarliestGpu::Set(uint32_t gpu, double seconds)
{
    m_seconds[gpu] = seconds;
    // Only the nodes on the way to the root change
    for (uint32_t node = (m_leaves + gpu) / 2; node > 0; node /= 2)
    {
        m_best[node] = Choose(m_best[2 * node], m_best[2 * node + 1]);
    }
}

uint32_t
EarliestGpu::Find(uint32_t begin, uint32_t count) const
{
    if (m_seconds[begin] <= m_seconds[m_best[1]])
    {
        return begin; // none is free earlier
    }
    const auto gpus = static_cast<uint32_t>(m_seconds.size());
    if (count <= gpus - begin)
    {
        return FindInRange(begin, begin + count);
    }
    // The range goes on at GPU 0: search both parts
    return Choose(FindInRange(begin, gpus), FindInRange(0, count - (gpus - begin)));
}

uint32_t
EarliestGpu::Choose(uint32_t first, uint32_t second) const
{
    if (first == NONE || second == NONE)
    {
        return first == NONE ? second : first;
    }
    return m_seconds[second] < m_seconds[first] ? second : first;
}

uint32_t
EarliestGpu::FindInRange(uint32_t begin, uint32_t end) const
{
    // Climb from both ends of the range to the nodes that cover it
    uint32_t left = NONE;
    uint32_t right = NONE;
    uint32_t low = m_leaves + begin;
    uint32_t high = m_leaves + end;
    for (; low < high; low /= 2, high /= 2)
    {
        if (low % 2 == 1)
        {
            left = Choose(left, m_best[low++]);
        }
        if (high % 2 == 1)
        {
            right = Choose(m_best[--high], right);
        }
    }
    return Choose(left, right);
}

} // namespace lightpath
} // namespace ns3
