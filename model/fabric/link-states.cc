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
        // Skip the other lightpaths of this source
        next = std::partition_point(next, lightpaths.end(), [source](const auto& entry) {
            return entry.first.first == source;
        });
    }
    return sources;
}

/**
 * @param channel a fabric
 * @param source a port
 * @return true if it could have a lightpath to any other port
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
UpdateLinkStates(const OpticalChannel& channel, bool followsPlan, std::vector<bool>& isUp)
{
    const std::size_t nPorts = channel.GetNDevices();
    // A new link begins down if links follow the plan
    isUp.resize(nPorts, !followsPlan);
    std::vector<bool> lit;
    std::vector<bool> planned;
    if (followsPlan)
    {
        lit = GetSources(channel.GetLive(), nPorts);
        planned = GetSources(channel.GetPlan(), nPorts);
    }
    std::vector<uint32_t> changed;
    for (uint32_t port = 0; port < nPorts; ++port)
    {
        // A lightpath with light takes the link up; the darkness before the next one keeps it up
        const bool isUpNow =
            followsPlan ? lit[port] || (isUp[port] && planned[port]) : HasAnyPath(channel, port);
        if (isUpNow != isUp[port])
        {
            isUp[port] = isUpNow;
            changed.push_back(port);
        }
    }
    return changed;
}

} // namespace lightpath
} // namespace ns3
