/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "halving-places.h"

#include <map>
#include <unordered_set>
#include <vector>

namespace ns3
{
namespace lightpath
{

std::set<uint32_t>
HalvingPlaces::GetKinds(const TrainingPlan& plan)
{
    std::set<uint32_t> kinds;
    std::unordered_set<const RankProgram*> seen;
    for (const auto& program : plan.programs)
    {
        if (!seen.insert(program.get()).second)
        {
            continue;
        }
        for (const auto& task : program->GetTasks())
        {
            if (task.kind == TaskKind::COLLECTIVE &&
                task.options.algorithm == CollectiveAlgorithm::HALVING_DOUBLING)
            {
                kinds.insert(task.group);
            }
        }
    }
    return kinds;
}

bool
HalvingPlaces::AreAlike(const ServerLayout& layout,
                        const TrainingPlan& plan,
                        const std::set<uint32_t>& kinds)
{
    enum Way
    {
        INSIDE,
        ON_RAIL,
        TO_RAIL,
    };

    for (const uint32_t kind : kinds)
    {
        std::map<uint32_t, Way> ways; // by distance
        for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
        {
            const auto& members = plan.groups[kind].GetMembers(rank);
            if (members.empty())
            {
                continue;
            }
            const uint32_t position = plan.groups[kind].GetPosition(rank);
            const uint32_t here = plan.placement.GetPort(rank);
            for (uint32_t distance = 1;
                 (position ^ distance) < members.size() && distance < members.size();
                 distance *= 2)
            {
                const uint32_t there = plan.placement.GetPort(members[position ^ distance]);
                const Way way = layout.AreInside(here, there)                   ? INSIDE
                                : layout.GetRail(here) == layout.GetRail(there) ? ON_RAIL
                                                                                : TO_RAIL;
                if (ways.try_emplace(distance, way).first->second != way)
                {
                    return false;
                }
            }
        }
    }
    return true;
}

Placement
HalvingPlaces::Deal(const ServerLayout& layout, uint32_t ranks)
{
    const uint32_t servers = ranks / layout.gpus;
    std::vector<uint32_t> ports;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        ports.push_back(rank % servers * layout.gpus + rank / servers);
    }
    return Placement(ports, "automatic");
}

} // namespace lightpath
} // namespace ns3
