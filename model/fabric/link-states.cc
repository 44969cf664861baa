/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-states.h"

#include "optical-channel.h"

#include <algorithm>
#include <cstddef>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param plan a plan
 * @param nPorts the number of ports
 * @return which of them a lightpath of the plan leads from
 */
std::vector<bool>
GetSources(const CircuitPlan& plan, std::size_t nPorts)
{
    std::vector<bool> sources(nPorts, false);
    const auto& lightpaths = plan.GetLightpaths();
    auto next = lightpaths.begin();
    while (next != lightpaths.end())
    {
        const uint32_t source = next->first.first;
        sources[source] = true;
        next = std::partition_point(next, lightpaths.end(), [source](const auto& entry) {
            return entry.first.first == source;
        });
    }
    return sources;
}

/**
 * @param channel a fabric
 * @param source a port
 * @return true if it could have a lightpath to any other one
 */
bool
HasAnyPath(const OpticalChannel& channel, uint32_t source)
{
    for (uint32_t destination = 0; destination < channel.GetNDevices(); ++destination)
    {
        if (destination != source && channel.HasPath(source, destination))
        {
            return true;
        }
    }
    return false;
}

} // namespace

std::vector<uint32_t>
LinkStates::FollowPlan(const OpticalChannel& channel)
{
    m_isUp.resize(channel.GetNDevices(), false);
    const std::vector<bool> lit = GetSources(channel.GetLive(), m_isUp.size());
    const std::vector<bool> planned = GetSources(channel.GetPlan(), m_isUp.size());
    std::vector<uint32_t> changed;
    for (uint32_t port = 0; port < m_isUp.size(); ++port)
    {
        Set(port, lit[port] || (m_isUp[port] && planned[port]), changed);
    }
    return changed;
}

std::vector<uint32_t>
LinkStates::FollowPaths(const OpticalChannel& channel)
{
    m_isUp.resize(channel.GetNDevices(), true);
    std::vector<uint32_t> changed;
    for (uint32_t port = 0; port < m_isUp.size(); ++port)
    {
        Set(port, HasAnyPath(channel, port), changed);
    }
    return changed;
}

void
LinkStates::Set(uint32_t port, bool isUp, std::vector<uint32_t>& changed)
{
    if (isUp != m_isUp[port])
    {
        m_isUp[port] = isUp;
        changed.push_back(port);
    }
}

bool
LinkStates::IsUp(uint32_t port, bool atFirst) const
{
    return port < m_isUp.size() ? m_isUp[port] : atFirst;
}

} // namespace lightpath
} // namespace ns3
