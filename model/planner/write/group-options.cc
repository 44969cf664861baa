/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "group-options.h"

#include "model/base/ring-strides.h"
#include "staged-model.h"

namespace ns3
{
namespace lightpath
{

CollectiveOptions
GroupOptions::GetTensor(const StagedModel& model)
{
    const Strategy& strategy = model.GetStrategy();
    return {GetLocal(model.GetProblem(), 1, strategy.tensorParallel),
            strategy.tensorAlgorithm,
            strategy.tensorRings};
}

CollectiveOptions
GroupOptions::GetData(const StagedModel& model)
{
    const Strategy& strategy = model.GetStrategy();
    const FabricLimits& fabric = model.GetProblem().fabric;
    const bool isDataAlone = strategy.GetGpus() == strategy.dataParallel &&
                             strategy.expertParallel == 1 && strategy.shardGpus == 0;
    // A fabric that averages sums the gradients itself if the GPUs form nothing but replicas and no
    // servers lie below it
    if (isDataAlone && strategy.zeroStage == 0 && fabric.averagedBits > 0 && !fabric.HasServers())
    {
        return {1, CollectiveAlgorithm::IN_NETWORK};
    }
    if (isDataAlone && strategy.GetShardMembers() > 2 && !fabric.HasServers() &&
        strategy.dataAlgorithm == CollectiveAlgorithm::AUTOMATIC && fabric.peerBitRate > 0 &&
        fabric.peerBitRate < fabric.bitRate && fabric.degree != 1)
    {
        return {1, CollectiveAlgorithm::MULTI_RING, 2};
    }
    return {GetLocal(model.GetProblem(),
                     strategy.tensorParallel,
                     strategy.GetShardMembers(),
                     model.GetNCopies()),
            strategy.dataAlgorithm,
            strategy.dataRings};
}

CollectiveOptions
GroupOptions::GetExperts(const StagedModel& model)
{
    const ExpertSharing& experts = model.GetSharing().GetExperts();
    return GetPart(model,
                   experts.GetStride() * model.GetStrategy().expertParallel,
                   experts.GetNSame());
}

CollectiveOptions
GroupOptions::GetShardCopies(const StagedModel& model)
{
    const Strategy& strategy = model.GetStrategy();
    return GetPart(model,
                   strategy.tensorParallel * strategy.GetShardMembers(),
                   strategy.GetDataMembers() / strategy.GetShardMembers());
}

CollectiveOptions
GroupOptions::GetPart(const StagedModel& model, uint32_t stride, uint32_t size)
{
    const Strategy& strategy = model.GetStrategy();
    const uint32_t local = GetLocal(model.GetProblem(), stride, size, model.GetNCopies());
    // A smaller group may have too few members for these rings
    if (strategy.dataRings > RingStrides::Count(size * model.GetNCopies()))
    {
        return {local};
    }
    return {local, strategy.dataAlgorithm, strategy.dataRings};
}

uint32_t
GroupOptions::GetLocal(const PlanningProblem& problem,
                       uint32_t stride,
                       uint32_t size,
                       uint32_t runs)
{
    const uint32_t server = problem.fabric.servers.layout.gpus;
    if (server <= stride || server % stride != 0)
    {
        return 1;
    }
    // The members of the group in one server
    const uint32_t local = server / stride;
    return size * runs > local && size % local == 0 ? local : 1;
}

} // namespace lightpath
} // namespace ns3
