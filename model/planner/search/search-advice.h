/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEARCH_ADVICE_H
#define SEARCH_ADVICE_H

#include "search-budget.h"

#include "ns3/planner.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Says which constraint leaves a problem without a plan, and the nearest problem that has
 * one.
 */
class SearchAdvice
{
  public:
    /**
     * @param problem the problem; it must outlive this object
     */
    explicit SearchAdvice(const PlanningProblem& problem);

    /**
     * @param fabricRefusal why the fabric does not carry the plan that is nearest to what it can;
     *        empty if no plan has come so far
     * @param degree the peers that this plan has
     * @return a sentence with the constraint (divisibility, memory or degree) and the nearest
     *         change with which there would be a plan
     */
    std::string GetRefusal(const std::string& fabricRefusal, uint32_t degree) const;

    /**
     * @param seconds the time that a search was given
     * @param first the time in which it comes to a first plan
     * @return a sentence that says that there was not enough time, and how much would do
     */
    static std::string GetTime(double seconds, double first);

    /**
     * @param budget a budget that is used up
     * @param tried strategies that were priced with it
     * @param all all strategies
     * @return a sentence that says so, and how many evaluations would do
     */
    static std::string GetEvaluations(const SearchBudget& budget,
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
     * @param gpus a number of GPUs
     * @param batch a global batch
     * @param enough the memory in bytes that nothing smaller than is sought for
     * @return the strategy that needs least memory
     */
    Least FindLeast(uint32_t gpus, uint64_t batch, uint64_t enough) const;

    /**
     * @return a sentence for a problem that no strategy divides evenly
     */
    std::string GetDivision() const;

    /**
     * @param least the strategy that needs least memory, which is too much
     * @return a sentence with what would fit
     */
    std::string GetMemory(const Least& least) const;

    /**
     * @param gpus GPUs with which a strategy fits into memory, while none does with half of them
     * @return the fewest GPUs among some multiples of a part of them with which one does
     */
    uint64_t GetFewer(uint64_t gpus) const;

    const PlanningProblem& m_problem; //!< The problem
};

} // namespace lightpath
} // namespace ns3

#endif /* SEARCH_ADVICE_H */
