/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FIXED_PLANNER_H
#define FIXED_PLANNER_H

#include "planner.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Splits a model by degrees of data and tensor parallelism that are given by hand.
 *
 * Replicas and ranks are numbered as by ReplicaLayout; all ranks share one program (TensorProgram).
 */
class FixedPlanner : public Planner
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FixedPlanner();

  private:
    // From Planner
    TrainingPlan DoPlan(const PlanningProblem& problem) const override;

    /**
     * Refuse, by std::invalid_argument, degrees that do not suit the problem.
     *
     * @param problem the problem
     * @param dataParallel the number of replicas
     */
    void CheckDegrees(const PlanningProblem& problem, uint32_t dataParallel) const;

    uint32_t m_dataParallel;   //!< Number of replicas; 0 for all that the GPUs suffice for
    uint32_t m_tensorParallel; //!< Number of GPUs of a replica
    uint64_t m_bucketBytes;    //!< Size at which a bucket of gradients is complete, bytes
};

} // namespace lightpath
} // namespace ns3

#endif /* FIXED_PLANNER_H */
