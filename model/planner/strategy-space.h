/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STRATEGY_SPACE_H
#define STRATEGY_SPACE_H

#include "planner.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The strategies that split a problem evenly.
 */
class StrategySpace
{
  public:
    /**
     * @param problem the problem; it must outlive this object
     */
    explicit StrategySpace(const PlanningProblem& problem);

    /**
     * @return all strategies that divide evenly, in a fixed order
     */
    std::vector<Strategy> GetStrategies() const;

  private:
    /**
     * Add the strategies of some degrees.
     *
     * @param strategy the degrees
     * @param [in,out] strategies where they are added
     */
    void AddDegrees(Strategy strategy, std::vector<Strategy>& strategies) const;

    const PlanningProblem& m_problem; //!< The problem
};

} // namespace lightpath
} // namespace ns3

#endif /* STRATEGY_SPACE_H */
