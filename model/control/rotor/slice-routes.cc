/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "slice-routes.h"

#include <cstddef>

namespace ns3
{
namespace lightpath
{

void
SliceRoutes::Begin(uint32_t nPorts, const std::vector<std::pair<uint32_t, uint32_t>>& circuits)
{
    m_sources.assign(nPorts, {});
    m_peers.assign(nPorts, {});
    m_next.assign(nPorts, {});
    for (const auto& [source, peer] : circuits)
    {
        m_sources[peer].push_back(source);
        m_peers[source].push_back(peer);
    }
}

uint32_t
SliceRoutes::GetNext(uint32_t source, uint32_t destination)
{
    if (m_next[destination].empty())
    {
        m_next[destination] = Find(destination);
    }
    return m_next[destination][source];
}

std::vector<uint32_t>
SliceRoutes::Find(uint32_t destination) const
{
    // Breadth-first search against the direction of the circuits
    std::vector<uint32_t> hops(m_sources.size(), NONE);
    hops[destination] = 0;
    std::vector<uint32_t> reached{destination};
    for (std::size_t i = 0; i < reached.size(); ++i)
    {
        for (const uint32_t source : m_sources[reached[i]])
        {
            if (hops[source] == NONE)
            {
                hops[source] = hops[reached[i]] + 1;
                reached.push_back(source);
            }
        }
    }
    std::vector<uint32_t> next(hops.size(), NONE);
    for (const uint32_t source : reached)
    {
        std::vector<uint32_t> closer;
        for (const uint32_t peer : m_peers[source])
        {
            if (hops[peer] != NONE && hops[peer] + 1 == hops[source])
            {
                closer.push_back(peer);
            }
        }
        if (!closer.empty())
        {
            next[source] = closer[(source + destination) % closer.size()];
        }
    }
    return next;
}

} // namespace lightpath
} // namespace ns3
