/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "matching-slicer.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace lightpath
{

MatchingSlicer::MatchingSlicer(const ServiceTimeMatrix& times)
    : m_left(times),
      m_lineSum(times.GetMaxLineSum()),
      m_threshold(std::numeric_limits<int64_t>::max()),
      m_matching(times.GetSize())
{
    m_left.Stuff();
}

int64_t
MatchingSlicer::GetLineSum() const
{
    return m_lineSum;
}

void
MatchingSlicer::SetThreshold(int64_t threshold)
{
    m_threshold = threshold;
    for (uint32_t source = 0; source < m_left.GetSize(); ++source)
    {
        for (uint32_t destination = 0; destination < m_left.GetSize(); ++destination)
        {
            if (m_left.Get(source, destination) >= m_threshold)
            {
                m_matching.Add(source, destination);
            }
        }
    }
}

std::optional<TimedMatching>
MatchingSlicer::Slice()
{
    if (m_lineSum == 0 || !m_matching.Complete())
    {
        return std::nullopt;
    }
    // The permutation lasts as long as the smallest time of its pairs, which uses that pair up
    TimedMatching slice{{}, m_lineSum};
    for (uint32_t source = 0; source < m_left.GetSize(); ++source)
    {
        slice.peers.push_back(m_matching.GetRight(source));
        slice.steps = std::min(slice.steps, m_left.Get(source, slice.peers.back()));
    }
    for (uint32_t source = 0; source < m_left.GetSize(); ++source)
    {
        const uint32_t destination = slice.peers[source];
        m_left.Add(source, destination, -slice.steps);
        if (m_left.Get(source, destination) < m_threshold)
        {
            m_matching.Remove(source, destination);
        }
    }
    m_lineSum -= slice.steps;
    return slice;
}

} // namespace lightpath
} // namespace ns3
