/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-choice.h"

#include <tuple>

namespace ns3
{
namespace lightpath
{

std::string
PlanChoice::GetName(const Strategy& strategy)
{
    std::string name;
    const auto add = [&name](const std::string& text) {
        name += (name.empty() ? "" : ", ") + text;
    };
    const auto addDegree = [&name](const std::string& axis, uint32_t degree) {
        name += (name.empty() ? "" : " x ") + axis + " " + std::to_string(degree);
    };
    addDegree("dp", strategy.dataParallel);
    addDegree("tp", strategy.tensorParallel);
    addDegree("pp", strategy.pipelineParallel);
    if (strategy.expertParallel > 1)
    {
        addDegree("ep", strategy.expertParallel);
    }
    if (strategy.virtualStages > 1)
    {
        add(std::to_string(strategy.virtualStages) + " parts a stage");
    }
    if (strategy.microbatches > 1)
    {
        add(std::to_string(strategy.microbatches) + " microbatches");
    }
    if (strategy.sequenceParallel)
    {
        add("sequence-parallel");
    }
    if (strategy.recomputation != Recomputation::NONE)
    {
        add(RecomputationName::Get(strategy.recomputation) + " recomputation");
    }
    if (strategy.zeroStage > 0)
    {
        add("ZeRO-" + std::to_string(strategy.zeroStage));
    }
    return name;
}

bool
PlanChoice::IsSame(const Strategy& a, const Strategy& b)
{
    const auto key = [](const Strategy& strategy) {
        return std::tie(strategy.dataParallel,
                        strategy.tensorParallel,
                        strategy.pipelineParallel,
                        strategy.virtualStages,
                        strategy.microbatches,
                        strategy.sequenceParallel,
                        strategy.recomputation,
                        strategy.expertParallel,
                        strategy.zeroStage,
                        strategy.bucketBytes,
                        strategy.tensorAlgorithm,
                        strategy.dataAlgorithm,
                        strategy.tensorRings,
                        strategy.dataRings,
                        strategy.cuts);
    };
    return key(a) == key(b);
}

std::vector<uint32_t>
PlanChoice::GetGpus(const Strategy& strategy, uint32_t order)
{
    // From the axis whose members are next to each other to the one whose are farthest apart
    static const uint32_t axes[N_ORDERS][3] =
        {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const uint32_t sizes[3] = {strategy.tensorParallel,
                               strategy.dataParallel,
                               strategy.pipelineParallel};
    uint32_t strides[3];
    uint32_t stride = 1;
    for (const auto axis : axes[order])
    {
        strides[axis] = stride;
        stride *= sizes[axis];
    }
    std::vector<uint32_t> gpus;
    gpus.reserve(stride);
    for (uint32_t stage = 0; stage < sizes[2]; ++stage)
    {
        for (uint32_t replica = 0; replica < sizes[1]; ++replica)
        {
            for (uint32_t part = 0; part < sizes[0]; ++part)
            {
                gpus.push_back(part * strides[0] + replica * strides[1] + stage * strides[2]);
            }
        }
    }
    return gpus;
}

} // namespace lightpath
} // namespace ns3
