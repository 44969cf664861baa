/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-plan.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

void
CircuitPlan::AddLane(uint32_t source, uint32_t destination, Lane lane)
{
    auto& lanes = GetOwn()[{source, destination}];
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
CircuitPlan::AddLanes(uint32_t source, uint32_t destination, std::vector<Lane> lanes)
{
    if (lanes.empty())
    {
        return;
    }
    Lightpaths& own = GetOwn();
    const PortPair pair{source, destination};
    if (own.empty() || own.rbegin()->first < pair)
    {
        own.emplace_hint(own.end(), pair, std::move(lanes));
        return;
    }
    std::vector<Lane>& present = own[pair];
    const auto middle = static_cast<std::ptrdiff_t>(present.size());
    present.insert(present.end(), lanes.begin(), lanes.end());
    std::inplace_merge(present.begin(), present.begin() + middle, present.end());
}

void
CircuitPlan::RemoveLane(uint32_t source, uint32_t destination, Lane lane)
{
    if (GetLanes(source, destination).empty())
    {
        return;
    }
    Lightpaths& own = GetOwn();
    const auto lightpath = own.find({source, destination});
    auto& lanes = lightpath->second;
    const auto place = std::lower_bound(lanes.begin(), lanes.end(), lane);
    if (place != lanes.end() && *place == lane)
    {
        lanes.erase(place);
    }
    if (lanes.empty())
    {
        own.erase(lightpath);
    }
}

const std::vector<Lane>&
CircuitPlan::GetLanes(uint32_t source, uint32_t destination) const
{
    static const std::vector<Lane> none;
    const Lightpaths& all = GetLightpaths();
    const auto found = all.find({source, destination});
    return found == all.end() ? none : found->second;
}

const CircuitPlan::Lightpaths&
CircuitPlan::GetLightpaths() const
{
    static const Lightpaths none;
    return m_lightpaths ? *m_lightpaths : none;
}

uint64_t
CircuitPlan::GetNLanes() const
{
    uint64_t lanes = 0;
    for (const auto& lightpath : GetLightpaths())
    {
        lanes += lightpath.second.size();
    }
    return lanes;
}

bool
CircuitPlan::operator==(const CircuitPlan& other) const
{
    return m_lightpaths == other.m_lightpaths || GetLightpaths() == other.GetLightpaths();
}

CircuitPlan::Lightpaths&
CircuitPlan::GetOwn()
{
    if (!m_lightpaths || m_lightpaths.use_count() > 1)
    {
        m_lightpaths = std::make_shared<Lightpaths>(GetLightpaths());
    }
    return *m_lightpaths;
}

} // namespace lightpath
} // namespace ns3
