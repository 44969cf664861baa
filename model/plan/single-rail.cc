/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "single-rail.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

SingleRail::Reach
SingleRail::FindReach(const RankGroups& groups, uint32_t nRanks)
{
    bool isInside = true;
    bool isOutside = true;
    for (uint32_t rank = 0; rank < nRanks; rank += 2)
    {
        const auto& members = groups.GetMembers(rank);
        const auto& others = groups.GetMembers(rank + 1);
        if (members.size() != others.size())
        {
            return Reach::MIXED;
        }
        if (members.empty())
        {
            continue;
        }
        const uint32_t position = groups.GetPosition(rank);
        isOutside = isOutside && position == groups.GetPosition(rank + 1);
        for (uint32_t i = 0; i < members.size(); ++i)
        {
            // The only member of its group that a GPU plays inside its server is itself
            isInside = isInside && members[i] == (i == position ? rank : rank + 1) &&
                       others[i] == (i == groups.GetPosition(rank + 1) ? rank + 1 : rank);
            isOutside = isOutside && members[i] % 2 == 0 && others[i] == members[i] + 1 &&
                        (members[i] == rank) == (i == position);
        }
    }
    return isOutside ? Reach::OUTSIDE : isInside ? Reach::INSIDE : Reach::MIXED;
}

bool
SingleRail::Fold(TrainingPlan& plan, uint32_t serverGpus, uint32_t nServers)
{
    const auto nRanks = static_cast<uint32_t>(plan.programs.size());
    // Circuits that follow operations wait for all that take part
    if (plan.turnCircuits || serverGpus != 2 || nRanks != 2 * nServers)
    {
        return false;
    }
    std::vector<bool> areInside;
    for (const auto& groups : plan.groups)
    {
        const Reach reach = FindReach(groups, nRanks);
        if (reach == Reach::MIXED)
        {
            return false;
        }
        areInside.push_back(reach == Reach::INSIDE);
    }
    for (uint32_t rank = 0; rank < nRanks; rank += 2)
    {
        // Its source tells which message has come, unless it is of a collective
        const auto& tasks = plan.programs[rank]->GetTasks();
        const bool hasMessages = std::any_of(tasks.begin(), tasks.end(), [&](const Task& task) {
            return task.kind != TaskKind::COMPUTE && task.kind != TaskKind::COLLECTIVE &&
                   areInside[task.group];
        });
        if (plan.programs[rank + 1] != plan.programs[rank] || hasMessages)
        {
            return false;
        }
    }
    std::vector<std::shared_ptr<const RankProgram>> programs;
    std::vector<RankGroups> groups(plan.groups.size());
    std::vector<uint32_t> firsts;
    std::vector<uint32_t> ofWhole;
    for (uint32_t rank = 0; rank < nRanks; rank += 2)
    {
        programs.push_back(plan.programs[rank]);
        firsts.push_back(rank);
        ofWhole.push_back(plan.ofWhole[rank]);
        for (std::size_t kind = 0; kind < groups.size(); ++kind)
        {
            std::vector<uint32_t> members = plan.groups[kind].GetMembers(rank);
            if (members.empty())
            {
                continue;
            }
            for (auto& member : members)
            {
                member /= 2;
            }
            groups[kind].AddView(rank / 2, plan.groups[kind].GetPosition(rank), std::move(members));
        }
    }
    plan.programs = std::move(programs);
    plan.groups = std::move(groups);
    plan.ofWhole = std::move(ofWhole);
    plan.placement = plan.placement.Select(firsts);
    return true;
}

} // namespace lightpath
} // namespace ns3
