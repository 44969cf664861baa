/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEARCH_PLANNER_H
#define SEARCH_PLANNER_H

#include "search-budget.h"

#include "ns3/nstime.h"
#include "ns3/planner.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Optimises partition, degree and reconfiguration together: searches all strategies for the
 * plan with the shortest iteration, improves the best plans, and computes a lower bound.
 *
 * - The plans of SipMlPlanner, and of MegatronPlanner if there is one, are the starting points: by
 *   the prices of CostModel, the search is never worse than their evaluated plans.
 * - All strategies of StrategySpace are priced in ascending order of their lower bounds
 *   (StrategyBound), until the bounds left are as long as the best plan.
 * - The best few plans, and others whose bounds promise more than their prices, are improved by
 *   local search (PlanImprover): cuts, circuits by kind of group, circuits for each phase, grids,
 *   places, buckets, algorithms of collectives.
 *
 * TrainingPlan::lowerBoundSeconds is the least bound of all strategies that the problem has, or the
 * time of the plan if that is shorter: no plan of a strategy of StrategySpace beats it, whatever
 * its cuts, circuits, phases, places and buckets. For plans that split each operator in another
 * way, as SiP-ML does, only StrategyBound::GetAllSeconds() holds.
 *
 * The search ends after a number of evaluations, weighted by the size of the plans, so that the
 * result is the same on all machines, unless TimeBudget sets a limit to its time too.
 */
class SearchPlanner : public Planner
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @return the progress of the last search, in the order of time
     */
    const std::vector<SearchProgress>& GetProgress() const;

    /**
     * @return whether the last search ended with its budget, so that it may find a better plan with
     *         more
     */
    bool IsCut() const;

    /**
     * TracedCallback signature for the progress of a search.
     *
     * @param evaluations the evaluations of plans that were spent
     * @param most those that may be spent
     */
    typedef void (*EvaluationsTracedCallback)(uint64_t evaluations, uint64_t most);

  private:
    // From Planner
    TrainingPlan DoPlan(const PlanningProblem& problem) const override;

    bool DoesShareCircuits() const override
    {
        return false;
    }

    // Inherited
    Time GetTimeBudget() const override
    {
        return m_timeBudget;
    }

    /**
     * Throw std::invalid_argument for a plan that the fabric or the memory cannot carry.
     *
     * @param problem the problem
     * @param plan its plan
     */
    static void CheckPlan(const PlanningProblem& problem, const TrainingPlan& plan);

    uint64_t m_maxEvaluations; //!< The most evaluations, by the size of the plans
    Time m_timeBudget;         //!< The longest time of the search; 0 for no limit
    uint32_t m_beam;           //!< Plans that are improved
    double m_tolerance;        //!< Gain, as a share, below which the search stops
    double m_leastGain;        //!< Gain, as a share, below which a simpler plan is taken
    uint64_t m_seed;           //!< Seed of the random moves
    bool m_otherPlanners;      //!< Whether to start from the plans of other planners
    mutable std::vector<SearchProgress> m_progress;        //!< How the last search went
    mutable bool m_isCut{false};                           //!< Whether its budget ended it
    TracedCallback<uint64_t, uint64_t> m_evaluationsTrace; //!< Evaluations were spent
};

} // namespace lightpath
} // namespace ns3

#endif /* SEARCH_PLANNER_H */
