/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "relay-paths.h"

#include <algorithm>
#include <cstddef>

namespace ns3
{
namespace lightpath
{

RelayPaths::RelayPaths(const CircuitPlan& plan)
    : m_plan(plan)
{
    // Searches run backwards from a destination
    for (const auto& [pair, lanes] : plan.GetLightpaths())
    {
        const std::size_t ports = std::max(pair.first, pair.second) + std::size_t{1};
        m_sources.resize(std::max(m_sources.size(), ports));
        m_sources[pair.second].push_back(pair.first);
    }
}

uint32_t
RelayPaths::GetNext(uint32_t source, uint32_t destination)
{
    if (source >= m_sources.size() || destination >= m_sources.size())
    {
        return NONE;
    }
    auto found = m_next.find(destination);
    if (found == m_next.end())
    {
        found = m_next.emplace(destination, FindWays(destination)).first;
    }
    return found->second[source];
}

std::vector<uint32_t>
RelayPaths::CountHops(uint32_t destination) const
{
    std::vector<uint32_t> hops(m_sources.size(), NONE);
    hops[destination] = 0;
    // Breadth-first search against the direction of the lightpaths
    std::vector<uint32_t> reached{destination};
    for (std::size_t i = 0; i < reached.size(); ++i)
    {
        const uint32_t port = reached[i];
        for (const uint32_t source : m_sources[port])
        {
            if (hops[source] == NONE)
            {
                hops[source] = hops[port] + 1;
                reached.push_back(source);
            }
        }
    }
    return hops;
}

std::vector<uint32_t>
RelayPaths::FindWays(uint32_t destination) const
{
    const std::vector<uint32_t> hops = CountHops(destination);
    std::vector<uint32_t> next(hops.size(), NONE);
    std::vector<uint32_t> widest;
    std::size_t width = 0;
    const auto& lightpaths = m_plan.GetLightpaths();
    // Lightpaths are sorted by source: gather the widest of a source that lead closer
    for (std::size_t i = 0; i < lightpaths.size(); ++i)
    {
        const auto [source, neighbour] = lightpaths[i].first;
        const std::size_t lanes = lightpaths[i].second.size();
        if (hops[neighbour] != NONE && hops[source] == hops[neighbour] + 1 && lanes >= width)
        {
            if (lanes > width)
            {
                widest.clear();
            }
            width = lanes;
            widest.push_back(neighbour);
        }
        // After the last lightpath of a source, spread its pairs over equally wide ones
        if (i + 1 == lightpaths.size() || lightpaths[i + 1].first.first != source)
        {
            if (!widest.empty())
            {
                next[source] = widest[(source + destination) % widest.size()];
            }
            widest.clear();
            width = 0;
        }
    }
    return next;
}

} // namespace lightpath
} // namespace ns3
