/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STRATEGY_SEARCH_H
#define STRATEGY_SEARCH_H

#include "choice-pricer.h"
#include "model/planner/bound/strategy-bound.h"
#include "plan-improver.h"
#include "plan-variants.h"
#include "search-budget.h"
#include "search-record.h"
#include "strategy-list.h"
#include "strategy-pricer.h"

#include "ns3/planner.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class PlannerStarts;

/**
 * @ingroup lightpath
 * @brief One search for the best plan of a problem, and what it has found.
 *
 * Strategies are built and priced in ascending order of their lower bounds (best first),
 * in turn with those near the best plan and those of degrees that were hardly looked at, until all
 * bounds left are as long as the best plan or the budget is used up. Plans that are not among the
 * best, but whose bound is far below the best plan, are improved a little, and the best few plans
 * then as far as they go (PlanImprover).
 */
class StrategySearch
{
  public:
    /// Settings of the search.
    struct Options
    {
        uint64_t evaluations{0};  //!< The most evaluations
        double seconds{0};        //!< The longest time, seconds of the wall clock; 0 for no limit
        uint32_t beam{1};         //!< Plans that are improved
        double tolerance{0};      //!< Gain, as a share, that is not sought for
        double leastGain{0};      //!< Gain, as a share, for which a plan may be less simple
        uint64_t seed{1};         //!< Seed of the random moves
        bool otherPlanners{true}; //!< Whether to start from the plans of other planners
        /// Is told how many evaluations were spent and may be spent; empty for nothing
        std::function<void(uint64_t, uint64_t)> listener;
    };

    /**
     * @param problem the problem; it must outlive this object
     * @param options the settings of the search
     * @param check checks a plan whose price is good enough
     */
    StrategySearch(const PlanningProblem& problem,
                   const Options& options,
                   ChoicePricer::Check check);

    /**
     * Refuses, by std::invalid_argument in one sentence, a problem that no plan is found for.
     *
     * @return the best plan, with what was looked at besides
     */
    TrainingPlan Run();

    /**
     * @return how good a plan was known when
     */
    const std::vector<SearchProgress>& GetProgress() const;

    /**
     * @return whether the search ended with its budget, so that it may find a better plan with more
     */
    bool IsCut() const;

  private:
    /// A plan that is not among the best.
    struct Promising
    {
        PlanImprover::Priced priced; //!< The plan and its price
        double bound{0};             //!< Time that no plan of its strategy is below, seconds
    };

    /**
     * Go through the stages of the search: a first plan, bounds, the plans of other planners, all
     * strategies in the order of their bounds, and local search from the best of these.
     */
    void Seek();

    /**
     * Price the strategies with least model parallelism until one gives a plan or the budget ends.
     */
    void TryFirst();

    /**
     * Take data parallelism alone and the plans of other planners as a start.
     *
     * @param starts the other planners
     */
    void TryPlanners(PlannerStarts& starts);

    /**
     * Price strategies: in turn one that is near the best plan, one of degrees that were hardly
     * looked at, and the one with the least bound.
     */
    void TryStrategies();

    /**
     * Price what people do by hand: tensor parallelism inside servers, and interleaved stages.
     */
    void TryInterleaved();

    /**
     * @param [in,out] bounded a strategy to price
     * @return true if it gives a plan
     */
    bool TryStrategy(StrategyList::Entry& bounded);

    /**
     * Note down why the fabric carries no plan of a choice, if it is the first one or nearest to
     * what it can.
     *
     * @param choice the choice
     */
    void NoteRefusal(const PlanChoice& choice);

    /**
     * Improve the best plans and the most promising of the others a little, to tell which are best.
     */
    void ImproveShortly();

    /**
     * Improve the best plans.
     */
    void ImproveBest();

    /**
     * Improve a plan, and note down what has become better.
     *
     * @param [in,out] mine the plan and its price
     * @param part the part of the budget to spend
     * @param isShort whether to try each kind of move once only
     * @param seed the seed of the random moves
     */
    void Improve(PlanImprover::Priced& mine,
                 const SearchBudget::Part& part,
                 bool isShort,
                 uint64_t seed);

    /**
     * Put a plan among the best ones; the one that is no longer among them is one of the others.
     *
     * @param priced a plan that is carried, and its price
     */
    void Insert(PlanImprover::Priced priced);

    /**
     * @return the time in seconds that nothing better than is sought for
     */
    double GetEnough() const;

    /**
     * @return the time of the best plan, infinite if there is none
     */
    double GetBest() const;

    /**
     * @return the time in seconds beyond which a plan is none of the best ones
     */
    double GetLimit() const;

    /**
     * @return the certified bound: the time that no plan of the search space beats, in seconds
     */
    double GetLowerBound() const;

    /**
     * Note down how good a plan is known now.
     */
    void Record();

    /**
     * Refuse, by std::invalid_argument, the problem.
     */
    [[noreturn]] void Refuse();

    const PlanningProblem& m_problem; //!< The problem
    Options m_options;                //!< Settings of the search
    SearchBudget m_budget;            //!< The budget
    ChoicePricer m_pricer;            //!< Prices choices
    PlanVariants m_variants;          //!< Variants of strategies
    StrategyPricer m_strategyPricer;  //!< Prices strategies
    StrategyBound m_bound;            //!< Bounds strategies
    std::vector<Strategy> m_all;      //!< All strategies that may fit into memory
    StrategyList m_strategies;        //!< The same in ascending order of bounds
    std::size_t m_nTried{0};          //!< Strategies that were tried
    bool m_isCut{false};              //!< Whether the budget ended the search
    double m_allSeconds{0};           //!< Bound on all plans, seconds
    double m_improvedBound{std::numeric_limits<double>::infinity()}; //!< Least of improved plans
    std::vector<PlanImprover::Priced> m_best;  //!< The best plans, in ascending order of time
    std::vector<PlanImprover::Priced> m_tried; //!< Strategies, and their quick prices
    std::vector<Promising> m_others;           //!< Plans that are not among the best
    SearchRecord m_record;                     //!< The plans that were looked at
    std::string m_refusal;                     //!< Why the fabric carries none, nearest one
    uint32_t m_leastDegree{UINT32_MAX};        //!< Least degree of what it does not carry
};

} // namespace lightpath
} // namespace ns3

#endif /* STRATEGY_SEARCH_H */
