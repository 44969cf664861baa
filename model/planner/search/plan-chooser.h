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
#include "strategy-list.h"

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
     * Price plans as exactly as can be, on a grid also turned. On links that carry messages one by
     * one, quick prices tell little: price the best strategy of each degree of tensor and pipeline
     * parallelism, and more strategies of the best degrees.
     *
     * @param [in,out] best the plans and their prices, afterwards in ascending order of time
     * @param tried strategies, and their quick prices
     * @param entries all strategies, tried or not
     */
    void PriceExactly(std::vector<PlanImprover::Priced>& best,
                      const std::vector<PlanImprover::Priced>& tried,
                      const std::vector<StrategyList::Entry>& entries);

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
    /**
     * Price strategies of all degrees exactly, and the best plans for longer.
     *
     * @param [in,out] best the plans and their prices, at least one; afterwards the best ones of
     *        all, in ascending order of time
     * @param candidates strategies, and their quick prices
     * @param entries all strategies, of which those that are not settled are candidates, too
     */
    void FollowDegrees(std::vector<PlanImprover::Priced>& best,
                       std::vector<PlanImprover::Priced> candidates,
                       const std::vector<StrategyList::Entry>& entries);

    /**
     * Price a plan exactly, if it may be the best one.
     *
     * @param plan the plan, and its quick price or bound
     * @param [in,out] best the plans that have been priced exactly
     * @return the time of an iteration in seconds, or some time beyond that of the best plan
     */
    double Follow(const PlanImprover::Priced& plan, std::vector<PlanImprover::Priced>& best);

    const PlanningProblem& m_problem; //!< The problem
    ChoicePricer& m_pricer;           //!< Prices choices
    SearchRecord& m_record;           //!< The plans that were looked at
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_CHOOSER_H */
