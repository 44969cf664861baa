/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-lane-matching.h"

#include <utility>

namespace ns3
{
namespace lightpath
{

RingLaneMatching::RingLaneMatching(uint32_t lanes, Works works)
    : m_works(std::move(works)),
      m_takers(lanes, NONE),
      m_visited(lanes, 0)
{
}

bool
RingLaneMatching::Add(uint32_t taker)
{
    // Lanes that a failed search has visited lead to no free lane until the matching changes
    const bool found = Place(taker);
    if (found)
    {
        m_visited.assign(m_takers.size(), 0);
    }
    return found;
}

const std::vector<uint32_t>&
RingLaneMatching::GetTakers() const
{
    return m_takers;
}

bool
RingLaneMatching::Place(uint32_t taker)
{
    while (m_next < m_takers.size() && m_takers[m_next] != NONE)
    {
        ++m_next;
    }
    for (uint32_t lane = m_next; lane < m_takers.size(); ++lane)
    {
        if (m_takers[lane] == NONE && m_works(taker, lane))
        {
            m_takers[lane] = taker;
            return true;
        }
    }
    // An augmenting path lets the takers along it move to other lanes
    for (uint32_t lane = 0; lane < m_takers.size(); ++lane)
    {
        if (m_visited[lane] == 0 && m_takers[lane] != NONE && m_works(taker, lane))
        {
            m_visited[lane] = 1;
            if (Place(m_takers[lane]))
            {
                m_takers[lane] = taker;
                return true;
            }
        }
    }
    return false;
}

} // namespace lightpath
} // namespace ns3
