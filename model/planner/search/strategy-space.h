/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STRATEGY_SPACE_H
#define STRATEGY_SPACE_H

#include "ns3/planner.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

class StrategyBound;

/**
 * @ingroup lightpath
 * @brief All strategies of a problem that divide evenly.
 *
 * - Data, tensor, context and pipeline parallelism are any divisors whose product is the number of
 *   GPUs, such that the replicas divide the global batch, there are no more stages than layers, and
 *   the model can be split over a tensor-parallel group as StagedModel demands.
 * - Microbatches are divisors of the batch of a replica. Of more than MAX_DIVISORS of them, those
 *   are taken that are nearest to as many numbers in geometric progression from the least to the
 *   greatest, both included.
 * - Virtual stages: 2 to MAX_VIRTUAL, if there are several stages, the microbatches are a multiple
 *   of the stages, and the layers between the first and the last one make as many equal parts; a
 *   cut of other layers is left to strategies that name their cuts.
 * - Sequence parallelism with tensor parallelism and operators that can be split by token.
 * - Recomputation of nothing; of selected operators, if there are any; of all layers.
 * - Shared-out optimiser state (ZeRO) with several replicas and no sparse gradients: all stages up
 *   to MAX_ZERO_STAGE without a pipeline and with whole experts, otherwise stage 1; over all
 *   replicas, or over those of each server (HSDP); and whole gradients with stage 3.
 * - Expert parallelism of a model with experts: the divisors of the replicas and of the experts;
 *   with sequence parallelism also those of all ranks of a stage, with whole experts, among
 *   these ranks all of a tensor-parallel group.
 * - Context parallelism, with microbatches of one sample: up to MAX_CONTEXT GPUs, where the batch
 *   has fewer samples than replicas without it, or a replica fewer microbatches than stages, or
 *   where one sample does not fit into memory.
 *
 * Local search tries other schedules of pipelines (PlanVariants::GetSchedules()).
 *
 * Strategies that need more memory than all stages have together (StrategyBound::ExceedsMemory())
 * are left out.
 */
class StrategySpace
{
  public:
    static constexpr uint32_t MAX_DIVISORS{12};  //!< Most numbers of microbatches of a replica
    static constexpr uint32_t MAX_VIRTUAL{8};    //!< Most virtual stages
    static constexpr uint32_t MAX_ZERO_STAGE{3}; //!< Most that is shared out
    static constexpr uint32_t MAX_CONTEXT{16};   //!< Most GPUs that share the tokens of a sample

    /**
     * @param problem the problem; it must outlive this object
     */
    explicit StrategySpace(const PlanningProblem& problem);

    /**
     * Refuses nothing: where no strategy is possible, there is none.
     *
     * @return the strategies, in ascending order of pipeline, tensor and context parallelism,
     *         microbatches, expert parallelism, virtual stages, recomputation, sequence
     *         parallelism and ZeRO
     */
    std::vector<Strategy> GetStrategies() const;

    /**
     * @param number a number, at least 1
     * @return its divisors in ascending order
     */
    static std::vector<uint64_t> GetDivisors(uint64_t number);

    /**
     * @param batch the samples of a replica
     * @return the numbers of microbatches that are tried, in ascending order
     */
    static std::vector<uint32_t> GetMicrobatches(uint64_t batch);

    /**
     * Recomputation does not count. With other degrees of parallelism, either the number or the
     * size of microbatches stays.
     *
     * @param a a strategy
     * @param b another one
     * @return whether they differ in one way at most
     */
    static bool AreNear(const Strategy& a, const Strategy& b);

    /**
     * @param strategy a strategy
     * @return whether it is data parallelism alone, the whole batch of a replica at once; what
     *         replicas share out does not matter
     */
    static bool IsDataParallel(const Strategy& strategy);

    /**
     * @param gpus a number of GPUs of a tensor-parallel group
     * @return true if the model can be split over them
     */
    bool CanSplit(uint32_t gpus) const;

  private:
    /// The kinds of parallelism that the model permits.
    struct Features
    {
        bool byToken{false};   //!< Whether there are operators that are split by token
        bool selective{false}; //!< Whether there are operators for selective recomputation
        bool sparse{false};    //!< Whether there are sparse gradients
        bool byContext{false}; //!< Whether GPUs can share the tokens of a sample
        uint64_t experts{
            0}; //!< Greatest common divisor of the experts of all operators, at least 1
    };

    /**
     * @return the kinds of parallelism that the model permits
     */
    Features GetFeatures() const;

    /**
     * @param base tensor and pipeline parallelism
     * @param features the kinds of parallelism that the model permits
     * @param bound tells which strategies exceed the memory
     * @return the numbers of GPUs that share the tokens of a sample, in ascending order
     */
    std::vector<uint32_t> GetContexts(Strategy base,
                                      const Features& features,
                                      const StrategyBound& bound) const;

    /**
     * Add the strategies with some degrees, all numbers of microbatches and experts.
     *
     * @param base the degrees, without experts
     * @param features the kinds of parallelism that the model permits
     * @param [in,out] strategies the strategies
     */
    void AddDegrees(Strategy base,
                    const Features& features,
                    std::vector<Strategy>& strategies) const;

    /**
     * Add the state that replicas of a strategy can share out.
     *
     * @param strategy the strategy
     * @param features the kinds of parallelism that the model permits
     * @param [in,out] strategies the strategies
     */
    void AddShards(Strategy strategy,
                   const Features& features,
                   std::vector<Strategy>& strategies) const;

    /**
     * Add the strategies with some degrees and microbatches.
     *
     * @param base the degrees, with one virtual stage
     * @param features the kinds of parallelism that the model permits
     * @param [in,out] strategies the strategies
     */
    void AddVariants(const Strategy& base,
                     const Features& features,
                     std::vector<Strategy>& strategies) const;

    const PlanningProblem& m_problem; //!< The problem
};

} // namespace lightpath
} // namespace ns3

#endif /* STRATEGY_SPACE_H */
