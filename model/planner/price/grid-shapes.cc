/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-shapes.h"

#include <algorithm>

/**
 * @file
 * @ingroup lightpath
 * The shapes of collectives on a grid.
 */

namespace ns3
{
namespace lightpath
{

FlowNetwork::Shape
CollectiveShapes::MakeOnGrid(uint32_t kind,
                             const std::vector<uint32_t>& classes,
                             const std::shared_ptr<const CollectiveSchedule>& schedule)
{
    FlowNetwork::Shape shape;
    shape.steps = schedule->GetNSteps();
    // The groups may pass the same corners at the same time
    std::vector<const std::vector<uint32_t>*> groups;
    std::vector<double> loads(4 * m_plan.programs.size(), 0);
    for (const auto number : classes)
    {
        for (const auto rank : m_classes.GetRanks(number))
        {
            const auto& members = m_plan.groups[kind].GetMembers(rank);
            if (members.front() == rank)
            {
                groups.push_back(&members);
                AddGridLoads(*schedule, members, loads);
            }
        }
        const uint32_t rank = m_classes.GetRepresentative(number);
        const auto& members = m_plan.groups[kind].GetMembers(rank);
        std::vector<Transfer> totals;
        schedule->GetTotals(m_plan.groups[kind].GetPosition(rank), totals);
        for (const auto& total : totals)
        {
            FlowNetwork::Add(shape.paths,
                             m_paths.GetPathOf(rank, members[total.peer]).index,
                             static_cast<double>(total.bytes) / shape.steps);
        }
    }
    double busiest = 0;
    for (uint32_t number = 0; number < m_classes.GetN(); ++number)
    {
        for (uint32_t link = 0; link < 4; ++link)
        {
            double most = 0;
            for (const auto rank : m_classes.GetRanks(number))
            {
                most = std::max(most, loads[4 * rank + link] / shape.steps);
            }
            if (most > 0)
            {
                const bool receives = link % 2 == 1;
                const auto side = link < 2 ? PlanPaths::NETWORK : PlanPaths::COLUMN;
                shape.links.push_back({m_paths.GetSide(number, side, receives), most});
                busiest = std::max(busiest, most / m_paths.GetGrid().GetSwitchRate(link / 2));
            }
        }
    }
    // All that is not the bytes of the busiest link: requests, pauses, and waiting for receivers
    const double seconds = m_paths.GetGrid().GetSeconds(schedule, groups);
    shape.latency = std::max(seconds / shape.steps - busiest, 0.0);
    return shape;
}

void
CollectiveShapes::AddGridLoads(const CollectiveSchedule& schedule,
                               const std::vector<uint32_t>& members,
                               std::vector<double>& bytes)
{
    std::vector<Transfer> totals;
    for (uint32_t position = 0; position < members.size(); ++position)
    {
        schedule.GetTotals(position, totals);
        for (const auto& total : totals)
        {
            const uint32_t source = members[position];
            const uint32_t destination = members[total.peer];
            const GridTimer::Way way = m_paths.GetGrid().GetWay(source, destination);
            const bool isDirect = way.corner == UINT32_MAX;
            bytes[4 * source + 2 * way.first] += total.bytes;
            bytes[4 * (isDirect ? destination : way.corner) + 2 * way.first + 1] += total.bytes;
            if (!isDirect)
            {
                bytes[4 * way.corner + 2 * (1 - way.first)] += total.bytes;
                bytes[4 * destination + 2 * (1 - way.first) + 1] += total.bytes;
            }
        }
    }
}

} // namespace lightpath
} // namespace ns3
