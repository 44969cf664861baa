/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "group-meter.h"

#include "model/plan/program-traffic.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

GroupMeter::GroupMeter(const TrainingPlan& plan, const RankClasses& classes)
    : m_plan(plan),
      m_classes(classes),
      m_underWay(classes.GetN(), std::vector<UnderWay>(plan.groups.size()))
{
}

void
GroupMeter::Note(uint32_t number, uint32_t kind, bool begins, double now)
{
    // Overlapping communication counts once: from the begin of the first to the end of the last
    UnderWay& underWay = m_underWay[number][kind];
    if (begins && underWay.count++ == 0)
    {
        underWay.since = now;
    }
    else if (!begins && --underWay.count == 0)
    {
        underWay.seconds += now - underWay.since;
    }
}

std::vector<GroupCost>
GroupMeter::GetCosts(const PlanPaths& paths, uint32_t iterations) const
{
    std::vector<GroupCost> costs(m_plan.groups.size());
    for (uint32_t number = 0; number < m_classes.GetN(); ++number)
    {
        auto groups = GetTraffic(paths, number);
        for (std::size_t kind = 0; kind < groups.size(); ++kind)
        {
            GroupCost& group = groups[kind];
            group.seconds = m_underWay[number][kind].seconds / iterations;
            // Of several classes the one that spends most time counts
            GroupCost& most = costs[kind];
            if (group.seconds > most.seconds ||
                (group.seconds == most.seconds && group.bytes > most.bytes))
            {
                most = group;
            }
        }
    }
    return costs;
}

std::vector<GroupCost>
GroupMeter::GetTraffic(const PlanPaths& paths, uint32_t number) const
{
    const uint32_t rank = m_classes.GetRepresentative(number);
    std::vector<GroupCost> groups(m_plan.groups.size());
    // The slowest path to a member bounds the rate of the group
    for (const auto& [peer, bytes] :
         ProgramTraffic(*m_plan.programs[rank], m_plan.protocols).GetPeers(m_plan.groups, rank))
    {
        GroupCost& group = groups[peer.first];
        const uint32_t destination = m_plan.groups[peer.first].GetMembers(rank)[peer.second];
        const double rate = paths.FindRate(number, destination) * 8;
        group.bytes += bytes;
        group.bitRate = group.bitRate > 0 ? std::min(group.bitRate, rate) : rate;
    }
    return groups;
}

} // namespace lightpath
} // namespace ns3
