/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLANNER_STARTS_H
#define PLANNER_STARTS_H

#include "plan-choice.h"
#include "search-budget.h"

#include "ns3/planner.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The plans of other planners, which a search starts from so as never to be worse.
 */
class PlannerStarts
{
  public:
    /// The result of another planner.
    struct Start
    {
        PlanChoice choice; //!< Its plan, or its name alone

        /// Predicted time of an iteration, in seconds; infinite if it has no plan
        double seconds{std::numeric_limits<double>::infinity()};

        std::string refusal; //!< Why it has none
    };

    /// Takes what another planner has found.
    using Take = std::function<void(const Start&)>;

    /**
     * @param problem the problem; it must outlive this object
     * @param budget the budget of the search; it must outlive this object
     * @param take called with each start
     */
    PlannerStarts(const PlanningProblem& problem, SearchBudget& budget, Take take);

    /// Try MegatronPlanner, of which only the price is charged to the budget.
    void TryMegatron();

    /**
     * Try SipMlPlanner for one number of replicas after the other, from the largest one on, as long
     * as that takes no more than a share of the budget.
     */
    void TrySipMl();

  private:
    /**
     * @param planner the planner
     * @param name its name
     * @param seconds the time for it at most
     */
    void TryPlanner(const Planner& planner, const std::string& name, double seconds);

    const PlanningProblem& m_problem; //!< The problem
    SearchBudget& m_budget;           //!< The budget
    Take m_take;                      //!< Called with each start
};

} // namespace lightpath
} // namespace ns3

#endif /* PLANNER_STARTS_H */
