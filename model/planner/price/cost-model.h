/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COST_MODEL_H
#define COST_MODEL_H

#include "ns3/plan-cost.h"
#include "ns3/planner.h"
#include "ns3/training-plan.h"

#include <limits>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Prices plans on a fabric: the time of an iteration, and what it is spent on.
 *
 * All planners use this one function, so that what they choose between is what the simulation would
 * show, as far as this is computed without simulating.
 */
class CostModel
{
  public:
    /**
     * @param fabric the fabric; it must outlive this object
     */
    explicit CostModel(const FabricLimits& fabric);

    /**
     * Refuses, by std::invalid_argument, a plan that comes to a standstill.
     *
     * @param plan the plan
     * @param limit the time in seconds beyond which the exact price is not needed
     * @return its price; if the time exceeds the limit, that of PlanCost::seconds is some time
     *         between the two and the rest is not known
     */
    PlanCost Price(const TrainingPlan& plan,
                   double limit = std::numeric_limits<double>::infinity()) const;

  private:
    const FabricLimits& m_fabric; //!< The fabric
};

} // namespace lightpath
} // namespace ns3

#endif /* COST_MODEL_H */
