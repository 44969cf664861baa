/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "group-cut.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace lightpath
{

std::vector<GroupCut::Axis>
GroupCut::GetAxes(const TrainingPlan& plan, const TrafficMatrix& demand)
{
    const auto n = static_cast<uint32_t>(plan.programs.size());
    std::vector<Axis> axes;
    for (const uint32_t kind : {TENSOR_GROUP, DATA_GROUP, PIPELINE_GROUP})
    {
        const std::size_t size =
            kind < plan.groups.size() ? plan.groups[kind].GetMembers(0).size() : 0;
        uint64_t least = UINT64_MAX;
        for (uint32_t rank = 0; rank < n && size > 1; ++rank)
        {
            const auto& members = plan.groups[kind].GetMembers(rank);
            const std::size_t next =
                members.empty() ? 0 : (plan.groups[kind].GetPosition(rank) + 1) % members.size();
            least = members.empty() ? 0 : std::min(least, demand.Get(rank, members[next]));
        }
        if (size > 1)
        {
            axes.push_back({static_cast<uint32_t>(size), static_cast<double>(least)});
        }
    }
    std::stable_sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) {
        return a.bytes > b.bytes;
    });
    return axes;
}

std::vector<double>
GroupCut::GetTorusBytes(const Axis& rows, const Axis& columns)
{
    // Groups of which some members are in a set and others are not send their bytes out of it
    const uint32_t n = rows.size * columns.size;
    std::vector<double> cuts(n + 1, 0);
    for (uint32_t size = 1; 2 * size <= n; ++size)
    {
        // With a whole row and none of another one, no column is whole or left out, and if no row
        // is whole or left out, all of them count
        double cut = std::min(columns.bytes * rows.size, rows.bytes * columns.size);
        for (uint32_t touched = 1; touched < columns.size; ++touched)
        {
            // Otherwise the set, or what is left by it, has parts of rows only, and columns of them
            const uint32_t width = (size + touched - 1) / touched;
            cut = std::min(cut, touched * rows.bytes + width * columns.bytes);
        }
        cuts[size] = cuts[n - size] = cut;
    }
    return cuts;
}

double
GroupCut::GetBytes(const TrainingPlan& plan, const TrafficMatrix& demand)
{
    const std::vector<Axis> axes = GetAxes(plan, demand);
    const uint32_t tori = axes.size() == 3 ? axes.back().size : 1;
    if (axes.size() < 2 || axes.size() > 3 ||
        uint64_t{axes[0].size} * axes[1].size * tori != plan.programs.size())
    {
        return 0;
    }
    const std::vector<double> cuts = GetTorusBytes(axes[0], axes[1]);
    const auto n = static_cast<uint32_t>(cuts.size() - 1);
    if (tori == 1)
    {
        return *std::max_element(cuts.begin(), cuts.end());
    }
    // The set has some ranks of each torus: find the split with the least bytes by the number of
    // ranks in tori that are neither full nor empty, without what tori send to each other
    std::vector<double> least(n, std::numeric_limits<double>::infinity());
    least[0] = 0;
    for (uint32_t torus = 0; torus < tori; ++torus)
    {
        std::vector<double> next = least;
        for (uint32_t before = 0; before < n; ++before)
        {
            for (uint32_t here = 1; here < n; ++here)
            {
                double& sum = next[(before + here) % n];
                sum = std::min(sum, least[before] + cuts[here]);
            }
        }
        least = std::move(next);
    }
    return *std::max_element(least.begin(), least.end());
}

} // namespace lightpath
} // namespace ns3
