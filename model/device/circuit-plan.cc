/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-plan.h"

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * Add a lane to those of a lightpath.
 *
 * @param lanes the lanes, in ascending order
 * @param lane the lane
 */
void
AddTo(std::vector<Lane>& lanes, Lane lane)
{
    const bool isLast = lanes.empty() || lanes.back() < lane;
    lanes.insert(isLast ? lanes.end() : std::upper_bound(lanes.begin(), lanes.end(), lane), lane);
}

} // namespace

CircuitPlan::Lightpaths::iterator
CircuitPlan::Content::Find(PortPair pair)
{
    return std::lower_bound(
        lightpaths.begin(),
        lightpaths.end(),
        pair,
        [](const auto& lightpath, PortPair other) { return lightpath.first < other; });
}

void
CircuitPlan::Content::Merge()
{
    const auto before = static_cast<std::ptrdiff_t>(lightpaths.size());
    const auto isBefore = [](const auto& a, const auto& b) { return a.first < b.first; };
    // Append the new lightpaths in order, then merge them with the old ones
    std::stable_sort(scattered.begin(), scattered.end(), isBefore);
    for (const auto& [pair, lane] : scattered)
    {
        if (static_cast<std::ptrdiff_t>(lightpaths.size()) == before ||
            lightpaths.back().first != pair)
        {
            lightpaths.push_back({pair, {}});
        }
        AddTo(lightpaths.back().second, lane);
    }
    std::inplace_merge(lightpaths.begin(), lightpaths.begin() + before, lightpaths.end(), isBefore);
    scattered.clear();
}

void
CircuitPlan::AddLane(uint32_t source, uint32_t destination, Lane lane)
{
    Content& own = GetOwn();
    const PortPair pair{source, destination};
    // Ascending calls need no search
    if (own.lightpaths.empty() || own.lightpaths.back().first < pair)
    {
        own.lightpaths.push_back({pair, {lane}});
        return;
    }
    const auto place = own.Find(pair);
    if (place->first == pair)
    {
        AddTo(place->second, lane);
    }
    else
    {
        // Inserting here would move all later lightpaths: Merge() sorts many lanes in at once
        own.scattered.emplace_back(pair, lane);
    }
}

void
CircuitPlan::AddLanes(uint32_t source, uint32_t destination, std::vector<Lane> lanes)
{
    const PortPair pair{source, destination};
    if (lanes.empty())
    {
        return;
    }
    Content& own = GetOwn();
    if (own.lightpaths.empty() || own.lightpaths.back().first < pair)
    {
        own.lightpaths.emplace_back(pair, std::move(lanes));
        return;
    }
    for (const Lane& lane : lanes)
    {
        AddLane(source, destination, lane);
    }
}

void
CircuitPlan::RemoveLane(uint32_t source, uint32_t destination, Lane lane)
{
    if (GetLanes(source, destination).empty())
    {
        return;
    }
    Content& own = GetOwn();
    const auto lightpath = own.Find({source, destination});
    auto& lanes = lightpath->second;
    const auto place = std::lower_bound(lanes.begin(), lanes.end(), lane);
    if (place != lanes.end() && *place == lane)
    {
        lanes.erase(place);
    }
    if (lanes.empty())
    {
        own.lightpaths.erase(lightpath);
    }
}

const std::vector<Lane>&
CircuitPlan::GetLanes(uint32_t source, uint32_t destination) const
{
    static const std::vector<Lane> none;
    const Lightpaths& all = GetLightpaths();
    if (all.empty())
    {
        return none;
    }
    const PortPair pair{source, destination};
    const auto found = m_content->Find(pair);
    return found == all.end() || found->first != pair ? none : found->second;
}

const CircuitPlan::Lightpaths&
CircuitPlan::GetLightpaths() const
{
    static const Lightpaths none;
    if (!m_content)
    {
        return none;
    }
    if (!m_content->scattered.empty())
    {
        m_content->Merge();
    }
    return m_content->lightpaths;
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
    // Copies that share their content are equal
    return m_content == other.m_content || GetLightpaths() == other.GetLightpaths();
}

std::string
CircuitPlan::FindConflict(std::size_t nPorts) const
{
    for (const auto& lightpath : GetLightpaths())
    {
        const auto [source, destination] = lightpath.first;
        const auto& lanes = lightpath.second;
        // Lanes are sorted, so duplicates are neighbours
        const auto twice = std::adjacent_find(lanes.begin(), lanes.end());
        const bool exists = source < nPorts && destination < nPorts;
        if (exists && source != destination && twice == lanes.end())
        {
            continue;
        }
        std::ostringstream sentence;
        if (!exists)
        {
            sentence << "The plan has a lightpath from port " << source << " to port "
                     << destination << ", but the fabric has " << nPorts
                     << " ports, which are numbered from 0";
        }
        else if (source == destination)
        {
            sentence << "The plan has a lightpath from port " << source
                     << " to itself; a lightpath joins two ports";
        }
        else
        {
            sentence << "The lightpath from port " << source << " to port " << destination
                     << " has wavelength " << twice->wavelength << " of fibre " << twice->fibre
                     << " twice; each lane may stand in it once";
        }
        return sentence.str();
    }
    return "";
}

CircuitPlan::Content&
CircuitPlan::GetOwn()
{
    if (!m_content)
    {
        m_content = std::make_shared<Content>();
    }
    else if (m_content.use_count() > 1)
    {
        // Copy on write: another plan shares the content
        m_content = std::make_shared<Content>(*m_content);
    }
    return *m_content;
}

} // namespace lightpath
} // namespace ns3
