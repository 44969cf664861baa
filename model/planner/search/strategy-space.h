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

/**
 * @ingroup lightpath
 * @brief All strategies of a problem that divide evenly.
 *
 * - Data, tensor and pipeline parallelism are any three divisors whose product is the number of
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
 *   to MAX_ZERO_STAGE without a pipeline and with whole experts, otherwise stage 1.
 * - Expert parallelism of a model with experts: the divisors of the replicas and of the experts.
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

    /**
     * @param problem the problem; it must outlive this object
     */
    explicit StrategySpace(const PlanningProblem& problem);

    /**
     * Refuses nothing: where no strategy is possible, there is none.
     *
     * @return the strategies, in ascending order of pipeline, tensor parallelism, microbatches,
     *         expert parallelism, virtual stages, recomputation, sequence parallelism and ZeRO
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
        uint64_t experts{
            0}; //!< Greatest common divisor of the experts of all operators, at least 1
    };

    /**
     * @return the kinds of parallelism that the model permits
     */
    Features GetFeatures() const;

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
