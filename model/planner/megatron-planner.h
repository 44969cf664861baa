/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MEGATRON_PLANNER_H
#define MEGATRON_PLANNER_H

#include "fixed-planner.h"
#include "planner.h"

#include <cstdint>

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
 *   number of GPUs and that the model can be split over, that makes it fit into memory with one
 *   stage; the greatest one, if none does.
 * - Then there are as few stages as make it fit, among the divisors of the rest of the GPUs that
 *   share out the layers between the first and the last one evenly, as Megatron-LM demands.
 * - The rest of the GPUs are replicas.
 * - A model with experts shares these out over as many GPUs of a server as it can, and its
 *   optimiser over the replicas. It takes stages before tensor parallelism, and stages may be
 *   unequal.
 * - The microbatch is swept over the powers of two that divide the batch of a replica, up to
 *   MaxMicrobatch, and the one with the shortest iteration by CostModel is taken (takeaway 3),
 *   with each number of virtual stages up to VirtualStages that divides evenly (interleaved
 *   schedule).
 *
 * To fit means to take no more than MemoryShare of the memory, with microbatches of one sample. Its
 * default is fitted: with 0.64 the rule gives the degrees of all ten models of the publication's
 * table 1, with gradients in half precision, which were run with larger microbatches; with all of
 * the memory it takes less model parallelism than was published for nine of them. Where nothing
 * fits so, all of the memory may be filled, and then stages may be unequal.
 */
class MegatronPlanner : public Planner
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * The degrees that the rule chooses, with the smallest microbatch. Refuses, by
     * std::invalid_argument in one sentence, a problem that it has no degrees for.
     *
     * @param problem the problem
     * @return the strategy
     */
    Strategy GetStrategy(const PlanningProblem& problem) const;

  private:
    /// Degrees of parallelism, and what they need.
    struct Choice
    {
        uint32_t tensor{1}; //!< GPUs of a tensor-parallel group
        uint32_t stages{1}; //!< Stages
        uint64_t bytes{0};  //!< Memory of the fullest GPU, bytes; 0 if there is no choice yet
    };

    // From Planner
    TrainingPlan DoPlan(const PlanningProblem& problem) const override;

    bool DoesChooseRings() const override
    {
        return true;
    }

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
     * @param problem the problem
     * @param tensor the GPUs of a tensor-parallel group
     * @param stages the number of stages
     * @param bytes the memory to fill at most, bytes
     * @param [in,out] choice the degrees, if they fit or need less memory than all before
     * @return true if they fit
     */
    bool Fits(const PlanningProblem& problem,
              uint32_t tensor,
              uint32_t stages,
              uint64_t bytes,
              Choice& choice) const;

    /**
     * @param problem the problem
     * @param bytes the memory to fill at most, bytes
     * @param isEven whether stages must share out the layers evenly
     * @param [in,out] choice the degrees that fit, or those that need least memory
     * @return true if they fit
     */
    bool Choose(const PlanningProblem& problem, uint64_t bytes, bool isEven, Choice& choice) const;

    /**
     * @param problem the problem
     * @param tensor the GPUs of a tensor-parallel group
     * @param bytes the memory to fill at most, bytes
     * @param isEven whether stages must share out the layers evenly
     * @param [in,out] choice the fewest stages that fit, or what needs least memory
     * @return true if some fit
     */
    bool FitsStages(const PlanningProblem& problem,
                    uint32_t tensor,
                    uint64_t bytes,
                    bool isEven,
                    Choice& choice) const;

    /**
     * Refuse a problem that the rule has no strategy for.
     *
     * @param problem the problem
     * @param choice the degrees that need least memory
     */
    [[noreturn]] void Refuse(const PlanningProblem& problem, const Choice& choice) const;

    uint32_t m_serverGpus;    //!< GPUs of a server; 0 for those of the fabric, or else 8
    uint32_t m_virtualStages; //!< Most virtual stages
    uint64_t m_maxMicrobatch; //!< Most samples of a microbatch
    double m_memoryShare;     //!< Share of the memory to be filled with the smallest microbatch
    uint64_t m_bucketBytes;   //!< Size at which a bucket is complete, bytes; 0 for the rule
    int m_recomputation;      //!< A Recomputation
    bool m_sequenceParallel;  //!< Whether SEQUENCE operators are split by token
};

} // namespace lightpath
} // namespace ns3

#endif /* MEGATRON_PLANNER_H */
