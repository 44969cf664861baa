/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_IMPROVER_H
#define PLAN_IMPROVER_H

#include "choice-pricer.h"
#include "plan-choice.h"
#include "plan-variants.h"

#include <cstdint>
#include <random>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Improves plans by local search: when circuits are decided on, how many each kind of group
 * gets, in which order ranks are, where layers are cut, buckets and collective algorithms.
 *
 * All moves of each kind are tried in turn, from the plan that was best so far, until none makes it
 * better; then random moves may make it worse for a while, by less and less (threshold accepting,
 * Dueck and Scheuer 1990, which needs no function of real numbers). The same seed makes the same
 * moves on all machines.
 */
class PlanImprover
{
  public:
    /// A choice and its price.
    struct Priced
    {
        PlanChoice choice; //!< The choice
        double seconds{0}; //!< Its predicted time of an iteration, in seconds
    };

    /**
     * @param pricer prices choices; it must outlive this object
     * @param variants the variants of strategies; it must outlive this object
     * @param budget the budget of the pricer; it must outlive this object
     * @param seed the seed of the random moves
     */
    PlanImprover(ChoicePricer& pricer,
                 const PlanVariants& variants,
                 SearchBudget& budget,
                 uint64_t seed);

    /**
     * @param [in,out] best a choice that can be carried out, and its price
     * @param part the part of the budget to spend
     * @param enough the time in seconds that nothing better than is sought for
     */
    void Improve(Priced& best, const SearchBudget::Part& part, double enough);

    /**
     * Try the cuts of StageCuts, the grids, the orders of axes, the algorithms of collectives and
     * the sizes of buckets, once each.
     *
     * @param [in,out] best a choice that can be carried out, and its price
     * @param part the part of the budget to spend
     */
    void ImproveShortly(Priced& best, const SearchBudget::Part& part);

    /**
     * @param pricer prices choices
     * @param choice a choice
     * @return the circuits to each peer by kind of group, dealt out one by one to the kind whose
     *         time they shorten most (Fox, "Discrete optimization via marginal analysis", 1966);
     *         empty if the fabric has no circuits to deal out, or if they do not suffice
     */
    static std::vector<uint32_t> GetCircuits(ChoicePricer& pricer, const PlanChoice& choice);

    /**
     * @param problem a problem
     * @param strategy a strategy that suits it
     * @return the first layer of every part after the first
     */
    static std::vector<uint32_t> GetCuts(const PlanningProblem& problem, const Strategy& strategy);

  private:
    /**
     * @return true if another evaluation may be made
     */
    bool MayGoOn() const;

    /**
     * @param choice a choice
     * @param [in,out] best the best choice so far; the choice, if it is better
     * @return true if it is
     */
    bool Try(PlanChoice choice, Priced& best);

    /**
     * Try to decide on circuits for each phase, or once.
     *
     * @param [in,out] best the best choice so far
     * @return true if it has become better
     */
    bool TryPhases(Priced& best);

    /**
     * Try numbers of circuits by kind of group.
     *
     * @param [in,out] best the best choice so far
     * @return true if it has become better
     */
    bool TryCircuits(Priced& best);

    /**
     * Try other schedules of a pipeline.
     *
     * @param [in,out] best the best choice so far
     * @return true if it has become better
     */
    bool TrySchedules(Priced& best);

    /**
     * Try the grids of the fabric.
     *
     * @param [in,out] best the best choice so far
     * @return true if it has become better
     */
    bool TryGrids(Priced& best);

    /**
     * Try the orders of the axes of parallelism, on top of the budget.
     *
     * @param [in,out] best the best choice so far
     * @return true if it has become better
     */
    bool TryOrders(Priced& best);

    /**
     * Try sizes of the buckets of gradients.
     *
     * @param [in,out] best the best choice so far
     * @return true if it has become better
     */
    bool TryBuckets(Priced& best);

    /**
     * Try the algorithms of collectives.
     *
     * @param [in,out] best the best choice so far
     * @return true if it has become better
     */
    bool TryAlgorithms(Priced& best);

    /**
     * Try to move each cut by one layer.
     *
     * @param [in,out] best the best choice so far
     * @return true if it has become better
     */
    bool TryCuts(Priced& best);

    /**
     * Move randomly.
     *
     * @param [in,out] best the best choice so far
     */
    void Anneal(Priced& best);

    /**
     * @param [in,out] choice a choice that a random change is made to
     * @return true if there was something to change
     */
    bool Change(PlanChoice& choice);

    /**
     * @param [in,out] choice a choice, one of whose cuts moves by a layer
     * @return true if it can
     */
    bool ChangeCut(PlanChoice& choice);

    /**
     * @param [in,out] choice a choice, one of whose kinds of groups gets a circuit more or less
     * @return true if there are circuits to deal out
     */
    bool ChangeCircuits(PlanChoice& choice);

    /**
     * @param below a number above 0
     * @return a random number below it
     */
    uint64_t Draw(uint64_t below);

    /**
     * Try the cuts of StageCuts.
     *
     * @param [in,out] best the best choice so far
     * @return true if it has become better
     */
    bool TryStageCuts(Priced& best);

    ChoicePricer& m_pricer;         //!< Prices choices
    const PlanVariants& m_variants; //!< Variants of strategies
    SearchBudget& m_budget;         //!< The budget
    std::mt19937_64 m_random;       //!< Where random moves come from
    bool m_hasCircuits;             //!< Whether there are circuits to decide on
    SearchBudget::Part m_part;      //!< The part of the budget to spend
    double m_enough{0};             //!< The time that nothing better than is sought for, seconds
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_IMPROVER_H */
