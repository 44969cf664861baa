/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_CONSTRAINT_H
#define PLAN_CONSTRAINT_H

#include "ns3/planner.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Finds the time that a plan would gain if one constraint were lifted.
 */
struct ConstraintGain
{
    std::string name;  //!< "compute", "bandwidth", "degree", "delay" or "memory"
    double seconds{0}; //!< Predicted time of an iteration without the constraint, seconds
};

/**
 * @ingroup lightpath
 * @brief Finds what binds a plan: prices it again without each of the constraints.
 *
 * - Without the limit of bandwidth, all links are a million times as fast.
 * - Without that of degree, GPUs reach all others at their full rate, as at a packet switch that
 *   never blocks, and circuits need no switching.
 * - Without delays, switching takes no time, nor do messages besides their bytes, nor does it take
 *   time to launch collectives.
 * - Without the limit of memory, the plan may be one of the strategies that do not fit: those with
 *   the least lower bounds are priced, and the best one counts.
 * - Without that of compute, all operators take no time.
 *
 * No constraint gains less than nothing.
 */
class PlanConstraint
{
  public:
    /**
     * @param problem the problem; it must outlive this object
     */
    explicit PlanConstraint(const PlanningProblem& problem);

    /**
     * @param plan a plan of the problem
     * @return the constraints, the one that binds most first
     */
    std::vector<ConstraintGain> GetGains(const TrainingPlan& plan) const;

  private:
    /**
     * @param plan a plan
     * @param fabric the fabric
     * @param limit a time that is taken if the plan cannot be priced or takes longer, in seconds
     * @return its predicted time of an iteration, in seconds
     */
    static double Price(const TrainingPlan& plan, const FabricLimits& fabric, double limit);

    /**
     * @param plan a plan
     * @return the same with operators that take no time
     */
    static TrainingPlan DropCompute(const TrainingPlan& plan);

    /**
     * @param limit the predicted time of the plan, in seconds
     * @return the best predicted time of those strategies that do not fit into memory, or the limit
     */
    double GetMemorySeconds(double limit) const;

    const PlanningProblem& m_problem; //!< The problem
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_CONSTRAINT_H */
