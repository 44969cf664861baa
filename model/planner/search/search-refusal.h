/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEARCH_REFUSAL_H
#define SEARCH_REFUSAL_H

#include "search-budget.h"

#include "ns3/planning-problem.h"
#include "ns3/strategy.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Says in one sentence which constraint leaves a search without a plan.
 */
class SearchRefusal
{
  public:
    /**
     * @param nearest why the fabric does not carry the plan with the fewest peers
     * @param degree the peers of this plan; UINT32_MAX if they are not known
     * @return the sentence for a fabric that carries none of the plans
     */
    static std::string GetDegree(std::string nearest, uint32_t degree);

    /**
     * @param problem a problem that has no plan on any fabric
     * @return the sentence: memory, divisibility, or too small a budget
     */
    static std::string GetConstraint(const PlanningProblem& problem);

    /**
     * @param budget a budget that is used up
     * @param seconds its time, seconds of the wall clock
     * @param tried the strategies that were priced
     * @param all the strategies
     * @return the sentence for a search that has found no plan by then
     */
    static std::string GetBudget(const SearchBudget& budget,
                                 double seconds,
                                 std::size_t tried,
                                 std::size_t all);

  private:
    /// The strategy that needs least memory.
    struct Least
    {
        uint64_t bytes{UINT64_MAX}; //!< Memory of the fullest GPU; UINT64_MAX if there is none
        Strategy strategy;          //!< The strategy
    };

    /**
     * @param problem a problem
     * @return the strategy that needs least memory
     */
    static Least FindLeast(PlanningProblem problem);
};

} // namespace lightpath
} // namespace ns3

#endif /* SEARCH_REFUSAL_H */
