/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PLANNER_COMPARISON_H
#define LIGHTPATH_PLANNER_COMPARISON_H

#include "planner-cases.h"

#include "ns3/training-plan.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief What one planner makes of one case.
 */
struct PlannerOutcome
{
    std::string planner;         //!< Name of the planner
    std::string refusal;         //!< Why there is no plan, as a sentence; empty if there is one
    std::string strategy;        //!< The degrees of parallelism, in words
    double planningSeconds{0};   //!< Time that it took to plan
    double predictedSeconds{0};  //!< Time of an iteration as planned
    double simulatedSeconds{0};  //!< Time of an iteration as simulated, the second of two
    double lowerBoundSeconds{0}; //!< Time that no plan can beat; 0 if the planner gives none
    uint64_t simulatedGpus{0};   //!< GPUs that were simulated
    double simulationSeconds{0}; //!< Time that it took to simulate

    /**
     * @return whether there is a plan
     */
    bool IsPlanned() const;

    /**
     * @return the outcome as JSON, with the names of the members
     */
    nlohmann::ordered_json GetJson() const;

    /**
     * @param json what GetJson() returned
     * @return the outcome
     */
    static PlannerOutcome Read(const nlohmann::ordered_json& json);
};

/**
 * @ingroup lightpath
 * @brief Plans and simulates one case with several planners.
 *
 * A message is one frame, and an iteration lasts as long as the second of two. On the electrical
 * switch, which treats all GPUs alike, a few GPUs stand for all where PlanFolder can have them.
 */
class PlannerComparison
{
  public:
    /**
     * @param problem the case
     */
    explicit PlannerComparison(const PlannerCase& problem);

    /**
     * Plan by one planner, and simulate the plan. The planner fixed is data parallelism alone, with
     * the optimiser state shared out if it does not fit otherwise.
     *
     * @param planner the name of the planner
     * @param planningTime the most time that a planner with a limit takes, like 10s; empty for its
     *        default
     * @return the outcome
     */
    PlannerOutcome Run(const std::string& planner, const std::string& planningTime) const;

  private:
    /**
     * @param planner the name of the planner
     * @param planningTime the most time that a planner with a limit takes, or empty
     * @return the plan
     */
    ns3::lightpath::TrainingPlan Plan(const std::string& planner,
                                      const std::string& planningTime) const;

    /**
     * @param plan a plan
     * @return the plan that is simulated in its place: of fewer GPUs, or the same
     */
    ns3::lightpath::TrainingPlan Fold(const ns3::lightpath::TrainingPlan& plan) const;

    /**
     * Simulate a plan.
     *
     * @param plan the plan
     * @param [in,out] outcome where to put the time of an iteration
     */
    void Simulate(const ns3::lightpath::TrainingPlan& plan, PlannerOutcome& outcome) const;

    PlannerCase m_case;                        //!< The case
    ns3::lightpath::PlanningProblem m_problem; //!< What is to be planned
};

#endif /* LIGHTPATH_PLANNER_COMPARISON_H */
