/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DEGREE_ADVICE_H
#define DEGREE_ADVICE_H

#include "planner.h"

#include "ns3/training-plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Says why the fabric cannot give a GPU circuits to all its peers of a plan, and what plan
 * it could carry.
 */
class DegreeAdvice
{
  public:
    /**
     * @param problem the problem; it must outlive this object
     */
    explicit DegreeAdvice(const PlanningProblem& problem);

    /**
     * Refuse, by std::invalid_argument in one sentence, a plan that lets a GPU have more peers at a
     * time than the fabric gives it circuits to. The sentence says how many peers each kind of
     * parallelism needs, and the nearest change that makes a plan which the fabric can carry.
     *
     * @param plan the plan
     */
    void Check(const TrainingPlan& plan) const;

    /**
     * Refuse, by std::invalid_argument in one sentence, a plan of which the fabric has no lightpath
     * for some pair of GPUs that send to each other. The sentence says how many pairs there are,
     * and the nearest change as that of Check() does.
     *
     * @param plan the plan
     */
    void CheckServed(const TrainingPlan& plan) const;

    /**
     * @param strategy a strategy whose plan the fabric cannot carry
     * @return the nearest change, or changes, that make one which it can, for a sentence; empty if
     *         there is none among those looked at: one ring in place of other collectives, and two
     *         kinds of parallelism joined to one
     */
    std::string GetChange(const Strategy& strategy) const;

  private:
    /// A change of a strategy.
    struct Change
    {
        std::string name;  //!< What it is, for the sentence
        Strategy strategy; //!< The strategy thereafter
    };

    /**
     * @param strategy a strategy
     * @return what can be changed in it, the nearest first
     */
    static std::vector<Change> GetChanges(const Strategy& strategy);

    /**
     * Add all ways to join two kinds of parallelism to one, and all of them to replicas.
     *
     * @param strategy the strategy that is changed
     * @param base the same with one ring in place of other collectives, or without expert
     *        parallelism
     * @param name what that changes, for the sentence; empty if nothing
     * @param [in,out] changes the changes
     */
    static void AddJoins(const Strategy& strategy,
                         const Strategy& base,
                         const std::string& name,
                         std::vector<Change>& changes);

    /**
     * @param strategy a strategy whose plan the fabric cannot carry
     * @return the end of a sentence with the nearest change
     */
    std::string GetEnding(const Strategy& strategy) const;

    /**
     * @param plan a plan
     * @return what circuits are decided for: the whole iteration, or each phase
     */
    std::vector<TrafficMatrix> GetDemands(const TrainingPlan& plan) const;

    /**
     * @param plan a plan
     * @return the most peers that a GPU has at a time
     */
    uint32_t GetDegree(const TrainingPlan& plan) const;

    /**
     * @param strategy a strategy
     * @return true if it suits the problem, fits into memory and the fabric can carry its plan
     */
    bool Fits(const Strategy& strategy) const;

    const PlanningProblem& m_problem; //!< The problem
};

} // namespace lightpath
} // namespace ns3

#endif /* DEGREE_ADVICE_H */
