/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STRATEGY_LIST_H
#define STRATEGY_LIST_H

#include "model/planner/bound/strategy-bound.h"
#include "search-budget.h"

#include "ns3/training-plan.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The strategies of a search in ascending order of their lower bounds, and which of them
 * have been priced.
 */
class StrategyList
{
  public:
    /// A strategy, the least time of its plans, and what has become of it.
    struct Entry
    {
        Strategy strategy;      //!< The strategy
        double bound{0};        //!< Time that no plan of it is below, seconds
        bool isExcluded{false}; //!< Whether it has no plan at all, wherever layers are cut
        bool isSettled{false};  //!< Whether it was priced, or need not be
    };

    /// Tells which strategies will do.
    using Filter = std::function<bool(const Strategy&)>;

    /**
     * Find the bounds of strategies, as far as there is time.
     *
     * @param strategies the strategies; those that do not suit the problem are excluded
     * @param bound bounds strategies
     * @param budget the budget of the search
     */
    void Fill(const std::vector<Strategy>& strategies,
              const StrategyBound& bound,
              const SearchBudget& budget);

    /**
     * @return the strategies
     */
    std::vector<Entry>& GetEntries();

    /**
     * @param tensor a degree of tensor parallelism
     * @return strategies of this degree with virtual stages and tokens shared out, the one with the
     *         least bound first
     */
    std::vector<Entry*> GetInterleaved(uint32_t tensor);

    /**
     * @return whether there was time for the bounds of all of them
     */
    bool HasAllBounds() const;

    /**
     * @param limit the time in seconds that plans must be below
     * @param filter tells which strategies will do
     * @return of these the one with the least bound below the limit that is not settled; null if
     *         there is none
     */
    Entry* FindOpen(double limit, const Filter& filter);

    /**
     * @param limit the time in seconds that plans must be below
     * @return of all that FindOpen() finds the one with the least bound; null if there is none
     */
    Entry* FindOpen(double limit);

    /**
     * @param limit the time in seconds that plans must be below
     * @return of all that FindOpen() finds the one of whose degrees of parallelism fewest have been
     *         priced, and of these the one with the least bound; null if there is none
     */
    Entry* FindFresh(double limit);

    /**
     * @param [in,out] entry a strategy that has been priced
     */
    void Settle(Entry& entry);

    /**
     * Settle all strategies that only recompute more than one that fits into memory: this takes
     * longer.
     *
     * @param fitting a strategy that fits into memory
     */
    void SettleRecomputing(const Strategy& fitting);

    /**
     * @return the least bound of strategies that are not excluded, in seconds; infinite if all
     *         are, and 0 before there are strategies
     */
    double GetLeastBound() const;

  private:
    /// Data, tensor, context, pipeline and expert parallelism.
    using Degrees = std::array<uint32_t, 5>;

    /**
     * @param strategy a strategy
     * @return its degrees of parallelism
     */
    static Degrees GetDegrees(const Strategy& strategy);

    std::map<Degrees, uint32_t> m_nPriced; //!< Strategies with these degrees that were priced
    std::vector<Entry> m_entries;          //!< The strategies, in ascending order of bounds
    bool m_hasAllBounds{true};             //!< Whether there was time for all bounds
};

} // namespace lightpath
} // namespace ns3

#endif /* STRATEGY_LIST_H */
