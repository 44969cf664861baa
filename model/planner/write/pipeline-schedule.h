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

/// The gradients that a backward pass makes.
enum class PassGradients : uint8_t
{
    ALL,     //!< All of them
    INPUTS,  //!< Those that other operators read, and those that come with them
    WEIGHTS, //!< The rest: gradients of weights that have been put off
};

/// One pass of a microbatch through a part of the layers of a stage.
struct StagePass
{
    uint32_t chunk{0};                           //!< Part of the stage, counted from 0
    uint32_t microbatch{0};                      //!< Microbatch, counted from 0
    bool backward{false};                        //!< Whether it is a backward pass
    PassGradients gradients{PassGradients::ALL}; //!< What a backward pass makes
    bool isLast{false};                          //!< Whether no microbatch follows in its part
    bool isPaired{false};                        //!< Whether it overlaps with the next pass
};

/**
 * @ingroup lightpath
 * @brief The order in which a stage of a pipeline works on its microbatches.
 *
 * With one part for each stage, ONE_F_ONE_B is 1F1B (Narayanan et al., PipeDream, 2019, with a
 * flush at the end of the iteration): stage s of p begins with p - s - 1 forward passes, goes on
 * with a forward and a backward pass in turn, and ends with the backward passes left. With v parts
 * it is the interleaved 1F1B of Narayanan et al., "Efficient large-scale language model training on
 * GPU clusters using Megatron-LM", 2021: p microbatches go through one part before the next part
 * takes its turn, and stage s begins with 2 (p - s - 1) + (v - 1) p forward passes.
 *
 * ZB_H1 is the schedule of Qi et al., "Zero bubble pipeline parallelism", 2023, that keeps the
 * memory of 1F1B: passes come in the order of 1F1B, but stage s makes the gradients of the weights
 * s microbatches later than those of the inputs.
 *
 * DUALPIPE is the schedule of DeepSeek-AI, "DeepSeek-V3 technical report", 2024, as in the released
 * program of its authors. Stage s has parts s and p - 1 - s: the lesser of the two is its chunk 0.
 * One half of the microbatches goes from the first stage to the last one, and the other half from
 * the last one to the first. A forward pass overlaps with the backward pass of a microbatch of the
 * other half.
 */
class PipelineSchedule
{
  public:
    /**
     * Refuse, by std::invalid_argument, stages, parts and microbatches that do not suit a schedule:
     * with virtual stages, the number of microbatches must be a multiple of the number p of stages;
     * with DUALPIPE, p must be even, and the number of microbatches even and 2 p at least.
     *
     * @param strategy the degrees
     */
    static void Check(const Strategy& strategy);

    /**
     * @param strategy degrees that Check() accepts
     * @param stage the stage
     * @return all of its passes in order
     */
    static std::vector<StagePass> GetPasses(const Strategy& strategy, uint32_t stage);

  private:
    /**
     * @param strategy the degrees
     * @param stage the stage
     * @return its passes in the order of 1F1B, interleaved or with gradients that are put off
     */
    static std::vector<StagePass> GetOneWay(const Strategy& strategy, uint32_t stage);
};

} // namespace lightpath
} // namespace ns3

#endif /* PIPELINE_SCHEDULE_H */
