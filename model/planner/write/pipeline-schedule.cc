/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pipeline-schedule.h"

#include "model/base/count-noun.h"

#include <algorithm>
#include <array>
#include <queue>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Writes the passes of a stage of DualPipe.
class DualPipeStage
{
  public:
    /**
     * @param strategy the degrees
     * @param stage the stage
     */
    DualPipeStage(const Strategy& strategy, uint32_t stage)
        : m_half(strategy.pipelineParallel / 2),
          m_microbatches(strategy.microbatches / 2),
          m_distance(std::min(stage, strategy.pipelineParallel - 1 - stage))
    {
        // Chunk 0 has the microbatches from the nearer end of the pipeline
        const bool isFar = stage >= m_half;
        m_first = {isFar ? m_microbatches : 0, isFar ? 0 : m_microbatches};
    }

    /**
     * @return the passes in order
     */
    std::vector<StagePass> Write()
    {
        const uint32_t d = m_distance;
        const uint32_t inner = m_half - d - 1; // stages up to the middle
        Repeat(2 * inner, [&] { Forward(0); });
        Repeat(d + 1, [&] {
            Forward(0);
            Forward(1);
        });
        // Gradients of weights fill the time until the next input is there
        Repeat(inner, [&] {
            Backward(1, true);
            Weights();
            Forward(1);
        });
        // The steady state: a forward pass one way and a backward pass the other way overlap
        bool isBegin = true;
        Repeat(m_microbatches - 2 * m_half + d + 1, [&] {
            // The first two passes in the middle of the pipeline do not
            Forward(0, !(isBegin && inner == 0));
            Backward(1, false);
            Forward(1, true);
            Backward(0, false);
            isBegin = false;
        });
        Repeat(inner, [&] {
            Backward(1, false);
            Forward(1, true);
            Backward(0, false);
        });
        // From half of these passes on, gradients of weights are left for the end
        for (uint32_t pass = 0; pass < 2 * (d + 1); ++pass)
        {
            Backward(1 - pass % 2, pass >= d + 1);
        }
        Repeat(inner, [&] {
            Weights();
            Backward(0, true);
        });
        Repeat(d + 1, [&] { Weights(); });
        return std::move(m_passes);
    }

  private:
    /**
     * @param times how often to write some passes
     * @param write writes them
     */
    template <typename W>
    static void Repeat(uint32_t times, W write)
    {
        for (uint32_t i = 0; i < times; ++i)
        {
            write();
        }
    }

    /**
     * @param chunk the chunk of the pass
     * @param number the number of its microbatch among those of the chunk
     * @return the pass
     */
    StagePass Make(uint32_t chunk, uint32_t number) const
    {
        StagePass pass;
        pass.chunk = chunk;
        pass.microbatch = m_first[chunk] + number;
        pass.isLast = number + 1 == m_microbatches;
        return pass;
    }

    /**
     * @param chunk the chunk of the next forward pass
     * @param isPaired whether it overlaps with the pass behind it
     */
    void Forward(uint32_t chunk, bool isPaired = false)
    {
        m_passes.push_back(Make(chunk, m_nForward[chunk]++));
        m_passes.back().isPaired = isPaired;
    }

    /**
     * @param chunk the chunk of the next backward pass
     * @param isSplit whether gradients of weights are put off
     */
    void Backward(uint32_t chunk, bool isSplit)
    {
        StagePass pass = Make(chunk, m_nBackward[chunk]++);
        pass.backward = true;
        if (isSplit)
        {
            pass.gradients = PassGradients::WEIGHTS;
            m_late.push(pass);
            pass.gradients = PassGradients::INPUTS;
        }
        m_passes.push_back(pass);
    }

    /// Write the first pass that has been put off.
    void Weights()
    {
        m_passes.push_back(m_late.front());
        m_late.pop();
    }

    uint32_t m_half;                       //!< Half of the stages
    uint32_t m_microbatches;               //!< Microbatches of each chunk
    uint32_t m_distance;                   //!< Stages up to the nearer end of the pipeline
    std::array<uint32_t, 2> m_first;       //!< Number of the first microbatch, by chunk
    std::array<uint32_t, 2> m_nForward{};  //!< Forward passes so far, by chunk
    std::array<uint32_t, 2> m_nBackward{}; //!< Backward passes so far, by chunk
    std::queue<StagePass> m_late;          //!< Passes that have been put off
    std::vector<StagePass> m_passes;       //!< The passes so far
};

} // namespace

void
PipelineSchedule::Check(const Strategy& strategy)
{
    const uint32_t stages = strategy.pipelineParallel;
    if (strategy.virtualStages > 1 && stages == 1)
    {
        throw std::invalid_argument("VirtualStages is " + std::to_string(strategy.virtualStages) +
                                    ", but must be 1 unless PipelineParallel is 2 or more");
    }
    if (strategy.virtualStages > 1 && strategy.microbatches % stages != 0)
    {
        throw std::invalid_argument(
            "Divisibility: the batch of a replica makes " +
            CountNoun(strategy.microbatches, "microbatch", "es") +
            ", but with VirtualStages above 1 their number must be a multiple of "
            "PipelineParallel, which is " +
            std::to_string(stages));
    }
    if (strategy.schedule == PipelineScheduleKind::ONE_F_ONE_B)
    {
        return;
    }
    const std::string begin =
        "The schedule " + PipelineScheduleName::Get(strategy.schedule) + " needs ";
    if (stages == 1 || strategy.virtualStages > 1)
    {
        throw std::invalid_argument(begin +
                                    "several stages of one part each: PipelineParallel, "
                                    "which is " +
                                    std::to_string(stages) +
                                    ", must be 2 or more, and VirtualStages, which is " +
                                    std::to_string(strategy.virtualStages) + ", must be 1");
    }
    if (strategy.schedule == PipelineScheduleKind::DUALPIPE && stages % 2 != 0)
    {
        throw std::invalid_argument(begin +
                                    "pairs of stages: PipelineParallel must be even, but "
                                    "is " +
                                    std::to_string(stages));
    }
    if (strategy.schedule == PipelineScheduleKind::DUALPIPE &&
        (strategy.microbatches % 2 != 0 || strategy.microbatches / 2 < stages))
    {
        throw std::invalid_argument(begin + "an even number of microbatches, two for each of the " +
                                    std::to_string(stages) +
                                    " stages or more, but the batch of a replica makes " +
                                    CountNoun(strategy.microbatches, "microbatch", "es") +
                                    ": use a smaller Microbatch or a larger batch");
    }
}

std::vector<StagePass>
PipelineSchedule::GetPasses(const Strategy& strategy, uint32_t stage)
{
    return strategy.schedule == PipelineScheduleKind::DUALPIPE
               ? DualPipeStage(strategy, stage).Write()
               : GetOneWay(strategy, stage);
}

std::vector<StagePass>
PipelineSchedule::GetOneWay(const Strategy& strategy, uint32_t stage)
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
        pass.isLast = pass.microbatch + 1 == strategy.microbatches;
        return pass;
    };
    // The forward passes before the first backward pass
    const uint32_t behind = stages - stage - 1;
    const uint32_t ahead =
        std::min(chunks > 1 ? 2 * behind + (chunks - 1) * stages : behind, nPasses);
    // The backward passes before the first one of gradients that are put off; without delay, all
    // gradients of a microbatch are made together
    const uint32_t delay = strategy.schedule == PipelineScheduleKind::ZB_H1 ? stage : 0;
    std::vector<StagePass> passes;
    passes.reserve((delay > 0 ? 3 : 2) * nPasses);
    const auto add = [&](uint32_t index, PassGradients gradients) {
        passes.push_back(get(index, true));
        passes.back().gradients = gradients;
    };
    for (uint32_t index = 0; index < nPasses + ahead + delay; ++index)
    {
        if (index < nPasses)
        {
            passes.push_back(get(index, false));
        }
        // After the warm-up, a backward pass follows each forward pass
        if (index >= ahead && index < nPasses + ahead)
        {
            add(index - ahead, delay > 0 ? PassGradients::INPUTS : PassGradients::ALL);
        }
        if (delay > 0 && index >= ahead + delay)
        {
            add(index - ahead - delay, PassGradients::WEIGHTS);
        }
    }
    return passes;
}

} // namespace lightpath
} // namespace ns3
