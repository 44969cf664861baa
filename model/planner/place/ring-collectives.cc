/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-collectives.h"

#include "model/base/ring-strides.h"
#include "torus-collectives.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most rings of a group.
constexpr uint32_t MOST_GROUP_RINGS = 64;

} // namespace

uint32_t
RingCollectives::Count(const LinkLimits& links, const std::vector<uint32_t>& ports)
{
    const auto n = static_cast<uint32_t>(ports.size());
    if (n < 3)
    {
        return 1;
    }
    const auto hasLinks = [&](uint32_t stride) {
        for (uint32_t i = 0; i < n; ++i)
        {
            if (links.getWay(ports[i], ports[(i + stride) % n]).parts.size() != 1)
            {
                return false;
            }
        }
        return true;
    };
    std::map<uint32_t, bool> isLinked; // by stride
    for (uint32_t rings = std::min(RingStrides::Count(n), MOST_GROUP_RINGS); rings > 1; --rings)
    {
        const auto strides = RingStrides::Choose(n, rings);
        const bool areLinked = std::all_of(strides.begin(), strides.end(), [&](uint32_t stride) {
            const auto [found, isNew] = isLinked.try_emplace(stride);
            found->second = isNew ? hasLinks(stride) : found->second;
            return found->second;
        });
        if (areLinked)
        {
            return rings;
        }
    }
    return 1;
}

CollectiveOptions
RingCollectives::GetForKind(const LinkLimits& links, const TrainingPlan& plan, uint32_t kind)
{
    CollectiveOptions options;
    if (links.isMesh)
    {
        options.algorithm = CollectiveAlgorithm::DIRECT;
        return options;
    }
    uint32_t rings = MOST_GROUP_RINGS;
    std::set<RankAxes> axes;
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        auto ports = plan.groups[kind].GetMembers(rank);
        if (ports.empty() || ports.front() != rank)
        {
            continue;
        }
        for (auto& port : ports)
        {
            port = plan.placement.GetPort(port);
        }
        rings = std::min(rings, Count(links, ports));
        if (links.isTorus)
        {
            axes.insert(TorusCollectives::Find(links, ports));
        }
    }
    if (axes.size() == 1 && axes.begin()->GetNPlaces() > 1)
    {
        options.algorithm = CollectiveAlgorithm::TORUS;
        options.axes = *axes.begin();
    }
    else if (rings > 1)
    {
        options.algorithm = CollectiveAlgorithm::MULTI_RING;
        options.rings = rings;
    }
    return options;
}

void
RingCollectives::Choose(const LinkLimits& links, TrainingPlan& plan)
{
    std::map<uint32_t, CollectiveOptions> chosen;
    for (uint32_t kind = 0; kind < plan.groups.size(); ++kind)
    {
        const auto algorithm =
            kind == TENSOR_GROUP ? plan.strategy.tensorAlgorithm : plan.strategy.dataAlgorithm;
        if (algorithm == CollectiveAlgorithm::AUTOMATIC)
        {
            chosen[kind] = GetForKind(links, plan, kind);
        }
    }
    const auto isOther = [&chosen](const Task& task) {
        const auto found = chosen.find(task.group);
        // A given algorithm may only learn where its ranks are
        const bool isFixed = found != chosen.end() && task.isAlgorithmGiven &&
                             task.options.algorithm != found->second.algorithm;
        return found != chosen.end() && task.IsSum() && !isFixed &&
               !(task.options == found->second);
    };
    plan.ChangeTasks(isOther, [&chosen](Task& task) { task.options = chosen.at(task.group); });
}

} // namespace lightpath
} // namespace ns3
