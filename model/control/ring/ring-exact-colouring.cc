/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-exact-colouring.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

RingExactColouring::RingExactColouring(uint32_t nodes, const std::vector<RingSpan>& spans)
    : m_neighbours(spans.size())
{
    for (uint32_t a = 0; a < spans.size(); ++a)
    {
        for (uint32_t b = 0; b < spans.size(); ++b)
        {
            if (a != b && spans[a].Overlaps(spans[b], nodes))
            {
                m_neighbours[a].push_back(b);
            }
        }
    }
    const std::vector<uint32_t> loads = GetRingLoads(nodes, spans);
    const auto fullest = std::max_element(loads.begin(), loads.end());
    const RingSpan segment{static_cast<uint32_t>(fullest - loads.begin()), 1};
    for (uint32_t arc = 0; arc < spans.size(); ++arc)
    {
        if (spans[arc].Overlaps(segment, nodes))
        {
            m_fullest.push_back(arc);
        }
    }
}

bool
RingExactColouring::Run(const RingColouring& start, uint32_t bound, uint64_t steps)
{
    const std::size_t arcs = m_neighbours.size();
    m_best = start;
    m_bound = bound;
    m_steps = steps;
    m_colours.assign(arcs, NONE);
    m_saturations.assign(arcs, 0);
    m_denied.assign(arcs, std::vector<uint32_t>(start.used, 0));
    if (m_fullest.size() >= start.used)
    {
        return true;
    }
    for (uint32_t colour = 0; colour < m_fullest.size(); ++colour)
    {
        Set(m_fullest[colour], colour);
    }
    Search(arcs - m_fullest.size(), static_cast<uint32_t>(m_fullest.size()));
    return m_steps > 0 || m_best.used <= m_bound;
}

const RingColouring&
RingExactColouring::GetBest() const
{
    return m_best;
}

void
RingExactColouring::Search(std::size_t left, uint32_t used)
{
    if (left == 0)
    {
        m_best.colours = m_colours;
        m_best.used = used;
        return;
    }
    const uint32_t arc = FindNext();
    for (uint32_t colour = 0; colour <= used && colour + 1 < m_best.used; ++colour)
    {
        if (m_denied[arc][colour] > 0)
        {
            continue;
        }
        if (m_steps == 0 || m_best.used <= std::max(used, m_bound))
        {
            return;
        }
        --m_steps;
        Set(arc, colour);
        Search(left - 1, std::max(used, colour + 1));
        Unset(arc);
    }
}

uint32_t
RingExactColouring::FindNext() const
{
    uint32_t next = NONE;
    for (uint32_t arc = 0; arc < m_colours.size(); ++arc)
    {
        if (m_colours[arc] == NONE && (next == NONE || m_saturations[arc] > m_saturations[next] ||
                                       (m_saturations[arc] == m_saturations[next] &&
                                        m_neighbours[arc].size() > m_neighbours[next].size())))
        {
            next = arc;
        }
    }
    return next;
}

void
RingExactColouring::Set(uint32_t arc, uint32_t colour)
{
    m_colours[arc] = colour;
    for (const uint32_t other : m_neighbours[arc])
    {
        m_saturations[other] += m_denied[other][colour]++ == 0;
    }
}

void
RingExactColouring::Unset(uint32_t arc)
{
    const uint32_t colour = m_colours[arc];
    m_colours[arc] = NONE;
    for (const uint32_t other : m_neighbours[arc])
    {
        m_saturations[other] -= --m_denied[other][colour] == 0;
    }
}

} // namespace lightpath
} // namespace ns3
