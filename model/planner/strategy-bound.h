/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STRATEGY_BOUND_H
#define STRATEGY_BOUND_H

#include "planner.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Lower bounds on the time of an iteration.
 */
class StrategyBound
{
  public:
    /**
     * @param problem the problem; it must outlive this object
     */
    explicit StrategyBound(const PlanningProblem& problem);

    /**
     * Refuses, by std::invalid_argument, a strategy that does not suit the problem.
     *
     * @param strategy a strategy
     * @return a time that no plan of it is below, whatever its cuts, circuits, placement and
     *         phases, in seconds
     */
    double GetSeconds(const Strategy& strategy) const;

    /**
     * @return a time that no plan at all is below, in seconds
     */
    double GetAllSeconds() const;

  private:
    const PlanningProblem& m_problem; //!< The problem
};

} // namespace lightpath
} // namespace ns3

#endif /* STRATEGY_BOUND_H */
