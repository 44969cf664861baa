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
    const uint32_t shares = plan.strategy.contextParallel;
    const uint32_t copies = plan.strategy.GetDataMembers();
    const auto stages = static_cast<uint32_t>(programs.size());
    const uint32_t stageRanks = copies * parts;
    plan.programs.clear();
    const uint32_t sharers = plan.strategy.expertParallel;
    // The list ends with the last kind that has groups
    const bool isCopied = plan.strategy.schedule == PipelineScheduleKind::DUALPIPE;
    const uint32_t ends = isCopied ? PIPELINE_GROUP : TIED_GROUP;
    const uint32_t shards = plan.strategy.GetShardMembers();
    const uint32_t last = shards < copies ? SHARD_COPY_GROUP
                          : shares > 1    ? CONTEXT_GROUP
                          : sharers > 1   ? EXPERT_DATA_GROUP
                          : stages > 1    ? ends
                                          : DATA_GROUP;
    // Ranks from one sharer of the experts to the next
    const uint32_t stride = plan.strategy.wholeExperts ? 1 : parts;
    plan.groups.assign(last + 1, RankGroups());
    const auto add = [&](uint32_t kind, uint32_t first, uint32_t stride, uint32_t size) {
        const uint32_t stage = first / stageRanks;
        const bool isSum = kind == DATA_GROUP || kind == EXPERT_DATA_GROUP;
        if (isCopied && (kind == TIED_GROUP || (isSum && 2 * stage >= stages)))
        {
            // The first half of the stages has groups for all of them
            return;
        }
        std::vector<uint32_t> ranks;
        for (uint32_t i = 0; i < size; ++i)
        {
            ranks.push_back(first + i * stride);
        }
        for (uint32_t i = 0; isCopied && isSum && i < size; ++i)
        {
            // The mirror image of a stage has the same parts of the layers
            ranks.push_back(ranks[i] + (stages - 1 - 2 * stage) * stageRanks);
        }
        plan.groups[kind].Add(std::move(ranks));
    };
    for (uint32_t stage = 0; stage < stages; ++stage)
    {
        plan.programs.insert(plan.programs.end(), stageRanks, programs[stage]);
        for (uint32_t copy = 0; copy < copies; ++copy)
        {
            add(TENSOR_GROUP, stage * stageRanks + copy * parts, 1, parts);
        }
        for (uint32_t rank = 0; rank < stageRanks; ++rank)
        {
            const uint32_t first = stage * stageRanks + rank;
            if (rank / parts % shards == 0)
            {
                add(DATA_GROUP, first, parts, shards);
            }
            if (shards < copies && rank < shards * parts)
            {
                add(SHARD_COPY_GROUP, first, shards * parts, copies / shards);
            }
            if (shares > 1 && rank / parts % shares == 0)
            {
                add(CONTEXT_GROUP, first, parts, shares);
            }
            // Each e-th member of a part begins a group of sharers, each of the first e a group
            // with equal experts
            if (sharers > 1 && rank / stride % sharers == 0)
            {
                add(EXPERT_GROUP, first, stride, sharers);
            }
            if (sharers > 1 && rank < sharers * stride)
            {
                add(EXPERT_DATA_GROUP, first, sharers * stride, stageRanks / (sharers * stride));
            }
        }
    }
    // The same GPU of neighbouring stages is a whole stage of ranks apart
    for (uint32_t first = 0; stages > 1 && first < stageRanks; ++first)
    {
        add(PIPELINE_GROUP, first, stageRanks, stages);
        add(TIED_GROUP, first, stageRanks * (stages - 1), 2);
    }
}

} // namespace lightpath
} // namespace ns3
