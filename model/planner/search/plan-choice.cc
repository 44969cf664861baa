/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-choice.h"

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

} // namespace lightpath
} // namespace ns3
