/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lightpath-graph.h"

#include <cstddef>

namespace ns3
{
namespace lightpath
{

LightpathGraph::LightpathGraph(const CircuitPlan& plan, uint32_t nPorts)
    : m_sources(nPorts)
{
    for (const auto& lightpath : plan.GetLightpaths())
    {
        m_sources[lightpath.first.second].push_back(lightpath.first.first);
    }
}

std::vector<uint32_t>
LightpathGraph::CountHops(uint32_t destination) const
{
    std::vector<uint32_t> hops(m_sources.size(), UNREACHABLE);
    hops[destination] = 0;
    std::vector<uint32_t> reached{destination};
    for (std::size_t i = 0; i < reached.size(); ++i)
    {
        const uint32_t port = reached[i];
        for (const uint32_t source : m_sources[port])
        {
            if (hops[source] == UNREACHABLE)
            {
                hops[source] = hops[port] + 1;
                reached.push_back(source);
            }
        }
    }
    return hops;
}

} // namespace lightpath
} // namespace ns3
