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

namespace ns3
{
namespace lightpath
{

void
GridCollectives::Choose(const FabricLimits& fabric, TrainingPlan& plan)
{
    ChooseAlgorithms(fabric, plan);
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
