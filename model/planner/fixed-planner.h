/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FIXED_PLANNER_H
#define FIXED_PLANNER_H

#include "planner.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Splits a model by the strategy that its attributes give.
 *
 * Replicas and ranks are numbered as by ReplicaLayout::ApplyStages(); all ranks of a stage share
 * one program (StageProgram).
 */
class FixedPlanner : public Planner
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Split by a strategy in place of that of the attributes.
     *
     * @param strategy the strategy; a fabric chooses the algorithms that it leaves AUTOMATIC
     */
    void SetStrategy(const Strategy& strategy);

  private:
    // From Planner
    TrainingPlan DoPlan(const PlanningProblem& problem) const override;

    bool DoesChooseRings() const override
    {
        return true;
    }

    /**
     * Refuses, by std::invalid_argument, degrees that do not suit the number of GPUs and samples.
     *
     * @param problem the problem
     * @return the strategy that the attributes ask for
     */
    Strategy GetStrategy(const PlanningProblem& problem) const;

    /**
     * @return the cuts that the attribute names
     */
    std::vector<uint32_t> GetCuts() const;

    uint32_t m_dataParallel;     //!< Number of replicas; 0 for all that the GPUs suffice for
    uint32_t m_tensorParallel;   //!< Number of GPUs that share each operator
    uint32_t m_pipelineParallel; //!< Number of stages
    uint32_t m_virtualStages;    //!< Parts of the layers of each stage
    int m_schedule;              //!< A PipelineScheduleKind
    uint64_t m_microbatch;       //!< Samples of a microbatch; 0 for the whole batch of a replica
    int m_recomputation;         //!< A Recomputation
    bool m_sequenceParallel;     //!< Whether what tensor parallelism replicates is split by token
    uint32_t m_contextParallel;  //!< GPUs that share the tokens of a sample
    bool m_contextGather;        //!< Whether they gather keys and values
    uint32_t m_expertParallel;   //!< Number of ranks that share out experts
    bool m_wholeExperts;         //!< Whether tensor-parallel groups share out experts, too
    bool m_oncePerServer;        //!< Whether tokens go to a server once
    uint32_t m_zeroStage;        //!< State that the replicas share out
    uint32_t m_shardGpus;        //!< GPUs that share it out; 0 for all with the same part
    bool m_wholeGradients;       //!< Whether gradients are summed once with stage 3
    uint64_t m_bucketBytes;      //!< Size at which a bucket of gradients is complete, bytes
    std::string m_cuts;          //!< First layer of every part after the first, as text
    int m_tensorAlgorithm;       //!< The CollectiveAlgorithm of tensor parallelism
    int m_dataAlgorithm;         //!< The CollectiveAlgorithm of data parallelism
    uint32_t m_tensorRings;      //!< Rings of tensor parallelism
    uint32_t m_dataRings;        //!< Rings of data parallelism
    std::optional<Strategy> m_strategy; //!< The strategy in place of that of the attributes
};

} // namespace lightpath
} // namespace ns3

#endif /* FIXED_PLANNER_H */
