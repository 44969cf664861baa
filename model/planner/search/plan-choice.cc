/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-choice.h"

#include <algorithm>
#include <functional>

namespace ns3
{
namespace lightpath
{

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

uint32_t
PlanChoice::GetNFeatures() const
{
    const std::vector<bool> features = {strategy.tensorParallel > 1,
                                        strategy.pipelineParallel > 1,
                                        strategy.expertParallel > 1,
                                        strategy.virtualStages > 1,
                                        strategy.sequenceParallel,
                                        strategy.recomputation != Recomputation::NONE,
                                        !strategy.cuts.empty(),
                                        phaseCircuits};
    return strategy.zeroStage +
           static_cast<uint32_t>(std::count(features.begin(), features.end(), true));
}

std::vector<PlanChoice>
PlanChoice::GetSimpler() const
{
    std::vector<PlanChoice> choices;
    const auto add = [this, &choices](const std::function<void(PlanChoice&)>& change) {
        PlanChoice choice = *this;
        change(choice);
        if (choice.GetNFeatures() < GetNFeatures())
        {
            choices.push_back(std::move(choice));
        }
    };
    for (uint32_t zero = 0; !base && zero < strategy.zeroStage; ++zero)
    {
        add([zero](PlanChoice& choice) { choice.strategy.zeroStage = zero; });
    }
    if (!base)
    {
        add([](PlanChoice& choice) { choice.phaseCircuits = false; });
        add([](PlanChoice& choice) { choice.strategy.recomputation = Recomputation::NONE; });
        add([](PlanChoice& choice) { choice.strategy.sequenceParallel = false; });
        add([](PlanChoice& choice) { choice.strategy.cuts.clear(); });
        add([](PlanChoice& choice) {
            choice.strategy.virtualStages = 1;
            choice.strategy.cuts.clear();
        });
    }
    return choices;
}

} // namespace lightpath
} // namespace ns3
