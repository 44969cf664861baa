/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_DEMAND_H
#define PLAN_DEMAND_H

#include "model/control/graph/summed-demand.h"
#include "training-plan.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The demand of a plan for a network that is made for it.
 */
class PlanDemand
{
  public:
    /**
     * Count sums apart from other messages. In a sum of S bytes over n ranks along any rings, each
     * rank sends 2 (n - 1) S / n bytes, and half of that in a reduce-scatter or an all-gather.
     *
     * @param plan the plan, placed
     * @return what its ports send in one iteration, by kind of group for sums
     */
    static SummedDemand Get(const TrainingPlan& plan);
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_DEMAND_H */
