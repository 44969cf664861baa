/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-plan.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

void
CircuitPlan::AddLane(uint32_t source, uint32_t destination, Lane lane)
{
    auto& lanes = m_lightpaths[{source, destination}];
    if (lanes.empty() || lanes.back() < lane)
    {
        lanes.push_back(lane);
    }
    else
    {
        lanes.insert(std::upper_bound(lanes.begin(), lanes.end(), lane), lane);
    }
}

void
CircuitPlan::RemoveLane(uint32_t source, uint32_t destination, Lane lane)
{
    const auto lightpath = m_lightpaths.find({source, destination});
    if (lightpath == m_lightpaths.end())
    {
        return;
    }
    auto& lanes = lightpath->second;
    const auto place = std::lower_bound(lanes.begin(), lanes.end(), lane);
    if (place != lanes.end() && *place == lane)
    {
        lanes.erase(place);
    }
    if (lanes.empty())
    {
        m_lightpaths.erase(lightpath);
    }
}

const std::vector<Lane>&
CircuitPlan::GetLanes(uint32_t source, uint32_t destination) const
{
    static const std::vector<Lane> none;
    const auto found = m_lightpaths.find({source, destination});
    return found == m_lightpaths.end() ? none : found->second;
}

const CircuitPlan::Lightpaths&
CircuitPlan::GetLightpaths() const
{
    return m_lightpaths;
}

uint64_t
CircuitPlan::GetNLanes() const
{
    uint64_t lanes = 0;
    for (const auto& lightpath : m_lightpaths)
    {
        lanes += lightpath.second.size();
    }
    return lanes;
}

bool
CircuitPlan::operator==(const CircuitPlan& other) const
{
    return m_lightpaths == other.m_lightpaths;
}

} // namespace lightpath
} // namespace ns3
