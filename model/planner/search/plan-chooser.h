/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_CHOOSER_H
#define PLAN_CHOOSER_H

#include "choice-pricer.h"
#include "plan-improver.h"
#include "search-record.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Chooses the plan of a search among the best few that it has found.
 */
class PlanChooser
{
  public:
    /**
     * @param problem the problem
     * @param [in,out] pricer prices choices
     * @param [in,out] record the plans that were looked at; all must outlive this object
     */
    PlanChooser(const PlanningProblem& problem, ChoicePricer& pricer, SearchRecord& record);

    /**
     * Price plans as exactly as can be, on a grid also turned.
     *
     * @param [in,out] best the plans and their prices, afterwards in ascending order of time
     */
    void PriceExactly(std::vector<PlanImprover::Priced>& best);

    /**
     * Take the simplest plan of those that are nearly as fast as the best one, and simplify it as
     * long as it stays so.
     *
     * @param [in,out] best the plans and their prices; afterwards the one that is taken
     * @param leastGain gain, as a share, for which a plan may be less simple; if it is not
     *        positive, the plans stay as they are
     */
    void PreferSimpler(std::vector<PlanImprover::Priced>& best, double leastGain);

  private:
    const PlanningProblem& m_problem; //!< The problem
    ChoicePricer& m_pricer;           //!< Prices choices
    SearchRecord& m_record;           //!< The plans that were looked at
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_CHOOSER_H */
