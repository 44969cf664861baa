/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lane-darkness.h"

#include "lane-cursor.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

void
LaneDarkness::Begin(const CircuitPlan& plan, const CircuitPlan& live, Time light)
{
    std::map<std::pair<PortPair, Lane>, Time> lights;
    LaneCursor lit(live);
    for (const auto& [pair, lanes] : plan.GetLightpaths())
    {
        const auto& present = lit.GetLanes(pair);
        for (const Lane& lane : lanes)
        {
            if (!std::binary_search(present.begin(), present.end(), lane))
            {
                const auto dark = m_lights.find({pair, lane});
                lights.emplace_hint(lights.end(),
                                    std::pair<PortPair, Lane>(pair, lane),
                                    dark != m_lights.end() ? dark->second : light);
            }
        }
    }
    m_lights.swap(lights);
}

CircuitPlan
LaneDarkness::End(const CircuitPlan& plan, const CircuitPlan& live, Time now)
{
    CircuitPlan lit = live;
    for (auto entry = m_lights.begin(); entry != m_lights.end();)
    {
        if (entry->second > now)
        {
            ++entry;
            continue;
        }
        const auto& [pair, lane] = entry->first;
        const auto& lanes = plan.GetLanes(pair.first, pair.second);
        if (std::binary_search(lanes.begin(), lanes.end(), lane))
        {
            lit.AddLane(pair.first, pair.second, lane);
        }
        entry = m_lights.erase(entry);
    }
    return lit;
}

Time
LaneDarkness::GetNext() const
{
    return std::min_element(
               m_lights.begin(),
               m_lights.end(),
               [](const auto& some, const auto& other) { return some.second < other.second; })
        ->second;
}

} // namespace lightpath
} // namespace ns3
