/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PIPELINE_SCHEDULE_H
#define PIPELINE_SCHEDULE_H

#include "ns3/training-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// One pass of a microbatch through a part of the layers of a stage.
struct StagePass
{
    uint32_t chunk{0};      //!< Part of the stage, counted from 0
    uint32_t microbatch{0}; //!< Microbatch, counted from 0
    bool backward{false};   //!< Whether it is the backward pass
};

/**
 * @ingroup lightpath
 * @brief The order in which a stage of a pipeline works on its microbatches.
 *
 * With one part for each stage it is 1F1B (Narayanan et al., PipeDream, 2019, with a flush at the
 * end of the iteration): stage s of p begins with p - s - 1 forward passes, goes on with a forward
 * and a backward pass in turn, and ends with the backward passes left. With v parts it is the
 * interleaved 1F1B of Narayanan et al., "Efficient large-scale language model training on GPU
 * clusters using Megatron-LM", 2021: p microbatches go through one part before the next part takes
 * its turn, and stage s begins with 2 (p - s - 1) + (v - 1) p forward passes.
 */
class PipelineSchedule
{
  public:
    /**
     * @param strategy the degrees; with virtual stages, the number of microbatches is a multiple of
     *        the number of stages
     * @param stage the stage
     * @return all of its passes in order
     */
    static std::vector<StagePass> GetPasses(const Strategy& strategy, uint32_t stage);
};

} // namespace lightpath
} // namespace ns3

#endif /* PIPELINE_SCHEDULE_H */
