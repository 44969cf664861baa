/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "replica-layout.h"

#include <utility>

namespace ns3
{
namespace lightpath
{

void
ReplicaLayout::Apply(const std::vector<std::shared_ptr<const RankProgram>>& programs,
                     uint32_t replicas,
                     TrainingPlan& plan)
{
    const auto parts = static_cast<uint32_t>(programs.size());
    plan.programs.clear();
    plan.groups.assign(2, RankGroups());
    for (uint32_t replica = 0; replica < replicas; ++replica)
    {
        std::vector<uint32_t> ranks;
        for (uint32_t part = 0; part < parts; ++part)
        {
            ranks.push_back(replica * parts + part);
            plan.programs.push_back(programs[part]);
        }
        plan.groups[0].Add(std::move(ranks));
    }
    for (uint32_t part = 0; part < parts; ++part)
    {
        std::vector<uint32_t> ranks;
        for (uint32_t replica = 0; replica < replicas; ++replica)
        {
            ranks.push_back(replica * parts + part);
        }
        plan.groups[1].Add(std::move(ranks));
    }
}

} // namespace lightpath
} // namespace ns3
