/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PLAN_EXPLANATION_H
#define LIGHTPATH_PLAN_EXPLANATION_H

#include "ns3/planner.h"
#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

/**
 * @ingroup lightpath
 * @brief Why a plan is as it is: the alternatives with their prices, what an iteration is spent on,
 * which constraint binds, and how far the plan is above the lower bound.
 *
 * Beside those that the planner names, the alternatives are the plans of the other planners, except
 * that of the search, and data parallelism alone; a search names its own only.
 */
class PlanExplanation
{
  public:
    /**
     * @param problem what was planned
     * @param plan the plan, of all GPUs
     * @param planner the name of the planner that made it
     */
    PlanExplanation(const ns3::lightpath::PlanningProblem& problem,
                    const ns3::lightpath::TrainingPlan& plan,
                    const std::string& planner);

    /**
     * Print the explanation, on one screen.
     *
     * @param os where to print
     */
    void Print(std::ostream& os) const;

    /**
     * Add the explanation to the JSON of a plan, in which it is the members alternatives, cost,
     * constraints and bound.
     *
     * @param [in,out] json the JSON of the plan
     */
    void AddTo(nlohmann::ordered_json& json) const;

  private:
    /// Alternatives of one sort: priced, priced in part, known by a bound, refused.
    using Rows = std::vector<const ns3::lightpath::PlanAlternative*>;

    /**
     * Take the plans of the other planners for alternatives.
     *
     * @param problem what was planned
     * @param plan the plan
     * @param planner the name of the planner that made it
     */
    void AddPlanners(const ns3::lightpath::PlanningProblem& problem,
                     const ns3::lightpath::TrainingPlan& plan,
                     const std::string& planner);

    /**
     * Find what would make an iteration shorter, and by how much.
     *
     * @param problem what was planned
     * @param plan the plan
     */
    void FindConstraints(const ns3::lightpath::PlanningProblem& problem,
                         const ns3::lightpath::TrainingPlan& plan);

    /**
     * @param problem what was planned
     * @param plan the plan
     * @return the time that no plan can beat, s; 0 if it is not known
     */
    static double FindBound(const ns3::lightpath::PlanningProblem& problem,
                            const ns3::lightpath::TrainingPlan& plan);

    /**
     * @return the alternatives that have a price, by price; those that a bound rules out, by bound;
     *         those that are refused
     */
    std::vector<Rows> Sort() const;

    /**
     * Print the alternatives as a table.
     *
     * @param os where to print
     */
    void PrintAlternatives(std::ostream& os) const;

    /**
     * Print what an iteration is spent on.
     *
     * @param os where to print
     */
    void PrintCost(std::ostream& os) const;

    /**
     * Print the constraint that binds.
     *
     * @param os where to print
     */
    void PrintConstraints(std::ostream& os) const;

    std::vector<ns3::lightpath::PlanAlternative> m_alternatives; //!< What was looked at
    ns3::lightpath::PlanCost m_cost;                             //!< What an iteration is spent on
    std::string m_placement;    //!< How it is placed on a ring, and in servers; or empty
    double m_bound{0};          //!< Time that no plan can beat, s; 0 if it is not known
    bool m_isBoundOfAll{false}; //!< Whether plans that the planner did not seek cannot either

    /// Changes that make an iteration shorter, and by how many seconds; the largest first
    std::vector<std::pair<std::string, double>> m_gains;
};

#endif /* LIGHTPATH_PLAN_EXPLANATION_H */
