/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_BUILDER_H
#define PLAN_BUILDER_H

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
 * @brief Builds the plan of a Strategy.
 *
 * Replicas and ranks are numbered as by ReplicaLayout::ApplyStages(); all ranks of a stage share
 * one program.
 */
class PlanBuilder
{
  public:
    /**
     * @param problem the model, the GPUs and the fabric; it must outlive this object
     */
    explicit PlanBuilder(const PlanningProblem& problem);

    /**
     * Refuses, by std::invalid_argument in one sentence, a strategy that does not suit the problem,
     * and one that does not fit into memory.
     *
     * @param strategy the strategy
     * @return the plan, without a price
     */
    TrainingPlan Build(const Strategy& strategy) const;

    /**
     * Refuses, by std::invalid_argument, a strategy that does not suit the problem.
     *
     * @param strategy a strategy, of any number of GPUs
     * @return the memory that each GPU of each stage needs
     */
    std::vector<MemoryUse> GetMemory(const Strategy& strategy) const;

    /**
     * Refuses, by std::invalid_argument, a strategy that does not suit the problem.
     *
     * @param strategy a strategy, of any number of GPUs
     * @return the memory that the fullest GPU needs, in bytes
     */
    uint64_t GetMostBytes(const Strategy& strategy) const;

    /**
     * Refuse, by std::invalid_argument, degrees that do not make up the GPUs or the batch.
     *
     * @param strategy the strategy
     */
    void CheckDegrees(const Strategy& strategy) const;

  private:
    /**
     * Refuse, by std::invalid_argument, a strategy that does not fit into the memory of a GPU. The
     * sentence names settings with which it fits, or else one that reduces the largest part of the
     * memory.
     *
     * @param strategy the strategy
     * @param memory the memory that each rank needs
     */
    void CheckMemory(const Strategy& strategy, const std::vector<MemoryUse>& memory) const;

    /// A change of settings that saves memory.
    struct Change
    {
        std::string words; //!< What to set
        Strategy strategy; //!< The settings then
    };

    /**
     * @param strategy a strategy
     * @param isActivations true if activations are what it needs most memory for
     * @return changes of one setting, or of two, those first that are for this memory
     */
    std::vector<Change> GetChanges(const Strategy& strategy, bool isActivations) const;

    /**
     * @param strategy a strategy that does not fit into memory
     * @param isActivations true if activations are what it needs most memory for
     * @return the first of the changes with which it fits; empty if it fits with none
     */
    std::string FindRemedy(const Strategy& strategy, bool isActivations) const;

    const PlanningProblem& m_problem; //!< The problem
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_BUILDER_H */
