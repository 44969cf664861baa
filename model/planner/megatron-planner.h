/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MEGATRON_PLANNER_H
#define MEGATRON_PLANNER_H

#include "planner.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The rule of thumb of Narayanan et al. ("Efficient large-scale language model training on
 * GPU clusters using Megatron-LM", SC 2021): just enough model parallelism to fit into memory,
 * tensor parallelism first.
 *
 * - Tensor parallelism is the least divisor of the GPUs of a server, among those that divide the
 *   number of GPUs, that the model can be split over and that makes it fit into memory with one
 *   stage (their takeaway 1 and 2); the greatest one, if none does.
 * - Then there are as few stages as make it fit, among the divisors of the rest of the GPUs.
 * - The rest of the GPUs are replicas.
 * - The microbatch is swept over the powers of two that divide the batch of a replica, up to
 *   MaxMicrobatch, and the one with the shortest iteration by CostModel is taken (takeaway 3),
 *   with each number of virtual stages up to VirtualStages that divides evenly (interleaved
 *   schedule), the layers between the first and the last one being shared out evenly. Whether it
 *   fits into memory is judged with the smallest microbatch.
 */
class MegatronPlanner : public Planner
{
  public:
    /// What the backward pass computes anew.
    enum Recompute
    {
        NONE,      //!< Nothing
        SELECTIVE, //!< The operators that are marked as selective
        FULL,      //!< Each layer, of which only the input is kept
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MegatronPlanner();

    /**
     * The degrees that the rule chooses, with the smallest microbatch. Refuses, by
     * std::invalid_argument in one sentence, a problem that it has none for, and names the nearest
     * change that would do.
     *
     * @param problem the problem
     * @return the strategy
     */
    Strategy GetStrategy(const PlanningProblem& problem) const;

  private:
    // From Planner
    TrainingPlan DoPlan(const PlanningProblem& problem) const override;

    /**
     * @param problem the problem
     * @return the GPUs of a server
     */
    uint32_t GetServerGpus(const PlanningProblem& problem) const;

    /**
     * @param problem the problem
     * @param tensor the GPUs of a tensor-parallel group
     * @param stages the number of stages
     * @return the strategy with the smallest microbatch
     */
    Strategy MakeStrategy(const PlanningProblem& problem, uint32_t tensor, uint32_t stages) const;

    /**
     * @param problem the problem
     * @param tensor the GPUs of a tensor-parallel group
     * @param stages the number of stages
     * @return the bytes that the fullest GPU needs with the smallest microbatch, 0 if the strategy
     *         does not suit the problem
     */
    uint64_t GetMemoryBytes(const PlanningProblem& problem, uint32_t tensor, uint32_t stages) const;

    /**
     * Refuse a problem that the rule has no strategy for.
     *
     * @param problem the problem
     * @param tensor the greatest tensor parallelism
     * @param least the least memory of those strategies that suit the problem, bytes, or 0
     * @param stages the number of stages that has it
     */
    [[noreturn]] void Refuse(const PlanningProblem& problem,
                             uint32_t tensor,
                             uint64_t least,
                             uint32_t stages) const;

    uint32_t m_serverGpus;     //!< GPUs of a server; 0 for those of the fabric, or else 8
    uint32_t m_virtualStages;  //!< Most virtual stages
    uint64_t m_maxMicrobatch;  //!< Most samples of a microbatch
    Recompute m_recomputation; //!< What the backward pass computes anew
    bool m_sequenceParallel;   //!< Whether SEQUENCE operators are split by token
};

} // namespace lightpath
} // namespace ns3

#endif /* MEGATRON_PLANNER_H */
