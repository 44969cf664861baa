/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEARCH_BUDGET_H
#define SEARCH_BUDGET_H

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The best plan of a search at some time.
 */
struct SearchProgress
{
    uint64_t evaluations{0};     //!< Evaluations until then, weighted by the size of the plans
    double elapsedSeconds{0};    //!< Time since the search began, seconds of the wall clock
    double bestSeconds{0};       //!< Predicted time of an iteration of the best plan, seconds
    double lowerBoundSeconds{0}; //!< The lower bound certified by then, seconds
};

/**
 * @ingroup lightpath
 * @brief The budget of a search: a number of evaluations and, optionally, a time.
 *
 * Evaluations are counted by the size of the plans and do not depend on the machine. The wall clock
 * is read only if there is a time limit.
 */
class SearchBudget
{
  public:
    /// Events of a price (PlanCost::events) that count for an evaluation.
    static constexpr uint64_t EVENTS = 15000;

    /// A part of a budget: where it ends.
    struct Part
    {
        uint64_t evaluations{0}; //!< Evaluations of the budget at its end
        double seconds{0};       //!< Time since the search began at its end, seconds
    };

    /**
     * @param evaluations the most evaluations
     * @param seconds the longest time in seconds of the wall clock; 0 for no limit
     */
    SearchBudget(uint64_t evaluations, double seconds);

    /**
     * @param listener is told how many evaluations were spent and may be spent, whenever some are
     */
    void SetListener(std::function<void(uint64_t, uint64_t)> listener);

    /**
     * @param evaluations the evaluations that were spent
     */
    void Charge(uint64_t evaluations);

    /**
     * @param evaluations evaluations that the budget gets in addition
     * @return those that it did not have already
     */
    uint64_t Extend(uint64_t evaluations);

    /**
     * @param evaluations the evaluations that are about to be spent
     * @return true if the budget suffices, also in time at the pace so far
     */
    bool HasRoom(uint64_t evaluations = 1) const;

    /**
     * @param share a share of the time
     * @return true if less than this share is used up, or there is no limit
     */
    bool HasTime(double share) const;

    /**
     * @return the evaluations that were spent
     */
    uint64_t GetEvaluations() const;

    /**
     * @param numerator a number
     * @param denominator another one, above 0
     * @return this fraction of the evaluations and of the time that are left
     */
    Part GetPart(uint64_t numerator, uint64_t denominator) const;

    /**
     * @param part a part of this budget
     * @param evaluations the evaluations that are about to be spent
     * @return true if they are within the part
     */
    bool IsWithin(const Part& part, uint64_t evaluations = 1) const;

    /**
     * @return the most that may be spent
     */
    uint64_t GetMaxEvaluations() const;

    /**
     * @return the time since the search began, in seconds of the wall clock
     */
    double GetElapsedSeconds() const;

    /**
     * Record a better plan or a better bound.
     *
     * @param best the predicted time of the best plan, in seconds
     * @param bound the lower bound, in seconds
     */
    void Record(double best, double bound);

    /**
     * @return the recorded progress, in the order of time
     */
    const std::vector<SearchProgress>& GetProgress() const;

  private:
    uint64_t m_maxEvaluations;                     //!< The most evaluations
    double m_maxSeconds;                           //!< The longest time, seconds; 0 for no limit
    uint64_t m_evaluations{0};                     //!< Evaluations so far
    std::chrono::steady_clock::time_point m_begin; //!< When the search began
    std::vector<SearchProgress> m_progress;        //!< The recorded progress
    std::function<void(uint64_t, uint64_t)> m_listener; //!< Is told of evaluations, if anything
};

} // namespace lightpath
} // namespace ns3

#endif /* SEARCH_BUDGET_H */
