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
    plan.groups.assign(DATA_GROUP + 1, RankGroups());
    for (uint32_t replica = 0; replica < replicas; ++replica)
    {
        std::vector<uint32_t> ranks;
        for (uint32_t part = 0; part < parts; ++part)
        {
            ranks.push_back(replica * parts + part);
            plan.programs.push_back(programs[part]);
        }
        plan.groups[TENSOR_GROUP].Add(std::move(ranks));
    }
    for (uint32_t part = 0; part < parts; ++part)
    {
        std::vector<uint32_t> ranks;
        for (uint32_t replica = 0; replica < replicas; ++replica)
        {
            ranks.push_back(replica * parts + part);
        }
        plan.groups[DATA_GROUP].Add(std::move(ranks));
    }
}

void
ReplicaLayout::ApplyStages(const std::vector<std::shared_ptr<const RankProgram>>& programs,
                           TrainingPlan& plan)
{
    const uint32_t parts = plan.strategy.tensorParallel;
    const uint32_t replicas = plan.strategy.dataParallel;
    const auto stages = static_cast<uint32_t>(programs.size());
    plan.programs.clear();
    const uint32_t sharers = plan.strategy.expertParallel;
    // The list ends with the last kind that has groups
    const uint32_t last = sharers > 1 ? EXPERT_DATA_GROUP : stages > 1 ? TIED_GROUP : DATA_GROUP;
    plan.groups.assign(last + 1, RankGroups());
    const auto add = [&](uint32_t kind, uint32_t first, uint32_t stride, uint32_t size) {
        std::vector<uint32_t> ranks;
        for (uint32_t i = 0; i < size; ++i)
        {
            ranks.push_back(first + i * stride);
        }
        plan.groups[kind].Add(std::move(ranks));
    };
    for (uint32_t stage = 0; stage < stages; ++stage)
    {
        plan.programs.insert(plan.programs.end(), replicas * parts, programs[stage]);
        for (uint32_t replica = 0; replica < replicas; ++replica)
        {
            add(TENSOR_GROUP, (stage * replicas + replica) * parts, 1, parts);
        }
        for (uint32_t part = 0; part < parts; ++part)
        {
            add(DATA_GROUP, stage * replicas * parts + part, parts, replicas);
        }
        // Each e-th replica begins a group of sharers, each of the first e a group of equal experts
        for (uint32_t rank = 0; sharers > 1 && rank < replicas * parts; ++rank)
        {
            const uint32_t first = stage * replicas * parts + rank;
            if (rank / parts % sharers == 0)
            {
                add(EXPERT_GROUP, first, parts, sharers);
            }
            if (rank < sharers * parts)
            {
                add(EXPERT_DATA_GROUP, first, sharers * parts, replicas / sharers);
            }
        }
    }
    // The same GPU of neighbouring stages is a whole stage of ranks apart
    const uint32_t stride = replicas * parts;
    for (uint32_t first = 0; stages > 1 && first < stride; ++first)
    {
        add(PIPELINE_GROUP, first, stride, stages);
        add(TIED_GROUP, first, stride * (stages - 1), 2);
    }
}

} // namespace lightpath
} // namespace ns3
