/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "grid-collectives.h"

#include "ring-collectives.h"
#include "server-collectives.h"
#include "turn-collectives.h"

#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The kinds of groups of which a rank, or all ranks that share groups, are members, with the
/// number of members.
using GroupSizes = std::set<std::pair<uint32_t, uint32_t>>;

/**
 * @param plan a plan
 * @param rank a rank
 * @return the groups of the rank that sum or exchange
 */
GroupSizes
GetSizes(const TrainingPlan& plan, uint32_t rank)
{
    GroupSizes sizes;
    for (uint32_t kind = 0; kind < plan.groups.size(); ++kind)
    {
        const std::size_t size = plan.groups[kind].GetMembers(rank).size();
        if (size > 0 && kind != PIPELINE_GROUP && kind != TIED_GROUP)
        {
            sizes.emplace(kind, static_cast<uint32_t>(size));
        }
    }
    return sizes;
}

/**
 * @param plan a plan
 * @return its ranks by the sizes of the groups that they share, directly or not, with others, as
 *         those for prefill and decode; none if all ranks have groups of the same sizes
 */
std::map<GroupSizes, std::vector<uint32_t>>
FindParts(const TrainingPlan& plan)
{
    const auto n = static_cast<uint32_t>(plan.programs.size());
    std::map<GroupSizes, std::vector<uint32_t>> parts;
    const auto isLikeFirst = [&plan](uint32_t rank) {
        for (uint32_t kind = 0; kind < plan.groups.size(); ++kind)
        {
            const RankGroups& groups = plan.groups[kind];
            if (kind != PIPELINE_GROUP && kind != TIED_GROUP &&
                groups.GetMembers(rank).size() != groups.GetMembers(0).size())
            {
                return false;
            }
        }
        return true;
    };
    // Most plans have one part: they are told without a set for each rank
    uint32_t like = 0;
    while (like < n && isLikeFirst(like))
    {
        ++like;
    }
    if (like == n)
    {
        return parts;
    }
    std::vector<GroupSizes> sizes;
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        sizes.push_back(GetSizes(plan, rank));
    }
    // Ranks that share groups have one leader, which knows the sizes of all
    std::vector<uint32_t> leaders(n);
    std::iota(leaders.begin(), leaders.end(), 0);
    const auto find = [&leaders](uint32_t rank) {
        while (leaders[rank] != rank)
        {
            rank = leaders[rank] = leaders[leaders[rank]];
        }
        return rank;
    };
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        for (const auto& [kind, size] : GetSizes(plan, rank))
        {
            const uint32_t leader = find(plan.groups[kind].GetMembers(rank).front());
            const uint32_t other = find(rank);
            sizes[leader].insert(sizes[other].begin(), sizes[other].end());
            leaders[other] = leader;
        }
    }
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        parts[sizes[find(rank)]].push_back(rank);
    }
    return parts;
}

/**
 * @param plan a plan
 * @param ranks some of its ranks, whose groups have no others but for PIPELINE_GROUP
 * @return the plan with the programs and groups of these ranks alone
 */
TrainingPlan
Restrict(const TrainingPlan& plan, const std::vector<uint32_t>& ranks)
{
    TrainingPlan part = plan;
    part.programs.assign(plan.programs.size(), std::make_shared<const RankProgram>());
    part.groups.assign(plan.groups.size(), RankGroups());
    for (const uint32_t rank : ranks)
    {
        part.programs[rank] = plan.programs[rank];
        for (const auto& [kind, size] : GetSizes(plan, rank))
        {
            const auto& members = plan.groups[kind].GetMembers(rank);
            if (members.front() == rank)
            {
                part.groups[kind].Add(members);
            }
        }
    }
    return part;
}

} // namespace

void
GridCollectives::Choose(const FabricLimits& fabric, TrainingPlan& plan)
{
    const auto parts = FindParts(plan);
    for (const auto& [sizes, ranks] : parts)
    {
        TrainingPlan part = Restrict(plan, ranks);
        ChooseAlgorithms(fabric, part);
        for (const uint32_t rank : ranks)
        {
            plan.programs[rank] = part.programs[rank];
        }
    }
    if (parts.empty())
    {
        ChooseAlgorithms(fabric, plan);
    }
    if (fabric.turns)
    {
        fabric.turns->Apply(fabric, plan);
    }
    else
    {
        // A plan may come from another fabric
        TurnCollectives::Clear(plan);
    }
}

void
GridCollectives::ChooseAlgorithms(const FabricLimits& fabric, TrainingPlan& plan)
{
    if (fabric.HasServers())
    {
        ServerCollectives::Choose(fabric, plan);
        return;
    }
    if (fabric.links.getWay || fabric.links.isMesh || fabric.linksFor)
    {
        RingCollectives::Choose(fabric.GetFor(plan).links, plan);
        return;
    }
    const uint32_t columns = fabric.GetGrid(plan.gridRows, plan.gridColumns).columns;
    std::map<uint32_t, CollectiveOptions> chosen;
    for (const uint32_t kind : {TENSOR_GROUP, DATA_GROUP, EXPERT_DATA_GROUP, SHARD_COPY_GROUP})
    {
        const CollectiveAlgorithm algorithm =
            kind == TENSOR_GROUP ? plan.strategy.tensorAlgorithm : plan.strategy.dataAlgorithm;
        if (columns > 0 && kind < plan.groups.size() &&
            (algorithm == CollectiveAlgorithm::AUTOMATIC || algorithm == CollectiveAlgorithm::GRID))
        {
            chosen[kind] = GetForKind(columns, plan, kind, algorithm);
        }
    }
    const auto isOther = [&chosen](const Task& task) {
        const auto found = chosen.find(task.group);
        // A given algorithm may only learn where its ranks are
        const bool isFixed = found != chosen.end() && task.isAlgorithmGiven &&
                             task.options.algorithm != found->second.algorithm;
        return found != chosen.end() && task.IsSum() && !isFixed &&
               task.options.algorithm != CollectiveAlgorithm::IN_NETWORK &&
               !(task.options == found->second);
    };
    plan.ChangeTasks(isOther, [&chosen](Task& task) { task.options = chosen.at(task.group); });
}

CollectiveOptions
GridCollectives::GetForKind(uint32_t columns,
                            const TrainingPlan& plan,
                            uint32_t kind,
                            CollectiveAlgorithm algorithm)
{
    CollectiveOptions common(1, algorithm);
    bool isFirst = true;
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        std::vector<uint32_t> ports = plan.groups[kind].GetMembers(rank);
        if (ports.empty() || ports.front() != rank)
        {
            continue;
        }
        for (auto& port : ports)
        {
            port = plan.placement.GetPort(port);
        }
        const CollectiveOptions options = Get(columns, ports, algorithm);
        if (!isFirst && !(options == common))
        {
            return {1, algorithm};
        }
        common = options;
        isFirst = false;
    }
    return common;
}

CollectiveOptions
GridCollectives::Get(uint32_t columns,
                     const std::vector<uint32_t>& ports,
                     CollectiveAlgorithm algorithm)
{
    const auto n = static_cast<uint32_t>(ports.size());
    // Successive members may be in one row, or in one column
    for (const bool areRows : {true, false})
    {
        const auto getLine = [&](uint32_t i, bool isRow) {
            return isRow ? ports[i] / columns : ports[i] % columns;
        };
        uint32_t local = 1;
        while (local < n && getLine(local, areRows) == getLine(0, areRows))
        {
            ++local;
        }
        if (local == n && n > 1)
        {
            return {1, CollectiveAlgorithm::HALVING_DOUBLING};
        }
        // Each run of members must be in one line, beside those of the first run
        bool fits = local > 1 && n % local == 0;
        for (uint32_t i = 0; fits && i < n; ++i)
        {
            fits = getLine(i, areRows) == getLine(i - i % local, areRows) &&
                   getLine(i, !areRows) == getLine(i % local, !areRows);
        }
        if (fits)
        {
            return {local, CollectiveAlgorithm::GRID};
        }
    }
    return {1, algorithm};
}

} // namespace lightpath
} // namespace ns3
