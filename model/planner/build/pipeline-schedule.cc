/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pipeline-schedule.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

std::vector<StagePass>
PipelineSchedule::GetPasses(const Strategy& strategy, uint32_t stage)
{
    const uint32_t stages = strategy.pipelineParallel;
    const uint32_t chunks = strategy.virtualStages;
    const uint32_t nPasses = strategy.microbatches * chunks;
    // Runs of as many microbatches as there are stages go through one part after the other
    const uint32_t run = chunks > 1 ? stages : 1;
    const auto get = [&](uint32_t index, bool backward) {
        const uint32_t turn = index % (run * chunks);
        StagePass pass;
        pass.chunk = backward ? chunks - 1 - turn / run : turn / run;
        pass.microbatch = index / (run * chunks) * run + turn % run;
        pass.backward = backward;
        return pass;
    };
    // The forward passes before the first backward pass
    const uint32_t behind = stages - stage - 1;
    const uint32_t ahead =
        std::min(chunks > 1 ? 2 * behind + (chunks - 1) * stages : behind, nPasses);
    std::vector<StagePass> passes;
    passes.reserve(2 * nPasses);
    for (uint32_t index = 0; index < nPasses + ahead; ++index)
    {
        if (index < nPasses)
        {
            passes.push_back(get(index, false));
        }
        // After the warm-up, a backward pass follows each forward pass
        if (index >= ahead)
        {
            passes.push_back(get(index - ahead, true));
        }
    }
    return passes;
}

} // namespace lightpath
} // namespace ns3
