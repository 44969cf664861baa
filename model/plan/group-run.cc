/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "group-run.h"

#include "rank-groups.h"

namespace ns3
{
namespace lightpath
{

GroupRun
GroupRun::Get(const Strategy& strategy, uint32_t kind)
{
    const uint32_t parts = strategy.tensorParallel;
    const uint32_t stride = strategy.wholeExperts ? 1 : parts;
    const uint32_t experts = stride * strategy.expertParallel;
    const uint32_t shards = strategy.GetShardMembers();
    switch (kind)
    {
    case TENSOR_GROUP:
        return {1, parts};
    case CONTEXT_GROUP:
        return {parts, strategy.contextParallel};
    case EXPERT_GROUP:
        return {stride, strategy.expertParallel};
    case EXPERT_DATA_GROUP:
        return {experts, strategy.GetDataMembers() * parts / experts};
    case SHARD_COPY_GROUP:
        return {parts * shards, strategy.GetDataMembers() / shards};
    default:
        return {parts, shards};
    }
}

bool
GroupRun::IsSymmetric(uint32_t kind)
{
    return kind != PIPELINE_GROUP && kind != TIED_GROUP && kind < N_GROUP_KINDS;
}

bool
GroupRun::IsMirrored(const Strategy& strategy, std::size_t kind)
{
    return strategy.schedule == PipelineScheduleKind::DUALPIPE &&
           (kind == DATA_GROUP || kind == EXPERT_DATA_GROUP);
}

} // namespace lightpath
} // namespace ns3
