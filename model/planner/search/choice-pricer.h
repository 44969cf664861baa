/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHOICE_PRICER_H
#define CHOICE_PRICER_H

#include "model/planner/place/plan-placer.h"
#include "model/planner/price/kind-traffic.h"
#include "model/planner/write/plan-builder.h"
#include "plan-choice.h"
#include "search-budget.h"

#include "ns3/planner.h"

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Makes the plans of choices and prices them, within a budget.
 *
 * Building the programs takes most of the time. The plans of the last strategies are kept, so that
 * choices that differ by circuits, phases or places only are priced without building again.
 */
class ChoicePricer
{
  public:
    /// Refuses, by std::invalid_argument, a plan that the fabric or the memory cannot carry.
    using Check = std::function<void(const TrainingPlan&)>;

    /**
     * @param problem the problem; it must outlive this object
     * @param budget the budget; it must outlive this object
     * @param check checks a plan whose price is good enough
     */
    ChoicePricer(const PlanningProblem& problem, SearchBudget& budget, Check check);

    /**
     * @return the problem
     */
    const PlanningProblem& GetProblem() const;

    /**
     * @return whether one more evaluation is within the budget
     */
    bool HasRoom() const;

    /**
     * Price a choice. One that cannot be carried out takes an infinite time; GetRefusal() then says
     * why.
     *
     * @param choice the choice
     * @param limit the time in seconds beyond which the exact time is not needed
     * @param mostFollowed the most events of messages that are followed; 0 for a quick price
     * @return the predicted time of an iteration in seconds, or some time between that and the
     *         limit
     */
    double Price(const PlanChoice& choice, double limit, uint64_t mostFollowed = 0);

    /**
     * @param choice a choice
     * @return true if the fabric can carry its plan; otherwise GetRefusal() says why
     */
    bool IsCarried(const PlanChoice& choice);

    /**
     * @return why the choice that was refused last cannot be carried out, as a sentence
     */
    const std::string& GetRefusal() const;

    /**
     * @return whether it was refused because its GPUs have too little memory
     */
    bool IsMemoryRefusal() const;

    /**
     * Refuses, by std::invalid_argument, a choice that cannot be carried out.
     *
     * @param choice the choice
     * @return its plan, without a price
     */
    TrainingPlan MakePlan(const PlanChoice& choice);

    /**
     * @param choice a choice that has a price
     * @return the port of each rank
     */
    std::vector<uint32_t> GetPorts(const PlanChoice& choice);

    /**
     * @param choice a choice
     * @return its traffic by kind of group, before circuits count; empty if it cannot be carried
     * out
     */
    const std::vector<KindTraffic>& GetTraffic(const PlanChoice& choice);

    /**
     * @param choice a choice that can be carried out
     * @return the time that each rank of the first part of the first replica computes, by stage, in
     *         seconds
     */
    std::vector<double> GetStageSeconds(const PlanChoice& choice);

  private:
    /// A strategy that was built.
    struct Built
    {
        Strategy strategy;                        //!< The strategy
        std::shared_ptr<const TrainingPlan> base; //!< The plan of another planner, or null
        std::shared_ptr<const TrainingPlan> plan; //!< Its plan
        uint64_t evaluations{1};                  //!< Evaluations that pricing it counts for
        std::vector<KindTraffic> traffic;         //!< Its traffic; empty if not known
    };

    /// The strategies that are kept.
    static constexpr std::size_t N_KEPT{6};

    /**
     * Refuses, by std::invalid_argument, a choice that cannot be built.
     *
     * @param choice a choice
     * @return its plan before circuits, phases and places are decided on
     */
    Built& Build(const PlanChoice& choice);

    /**
     * Refuse, by std::invalid_argument, a strategy that needs too much memory.
     *
     * @param strategy the strategy
     */
    void CheckMemory(const Strategy& strategy);

    const PlanningProblem& m_problem; //!< The problem
    PlanBuilder m_builder;            //!< Makes plans
    PlanPlacer m_placer;              //!< Places them
    SearchBudget& m_budget;           //!< The budget
    Check m_check;                    //!< Checks plans
    std::list<Built> m_built;         //!< The last strategies, the latest one first
    std::string m_refusal;            //!< Why a choice was refused
    bool m_isMemoryRefusal{false};    //!< Whether its memory was why
    uint32_t m_nMemoryRefusals{0};    //!< Strategies refused for their memory
};

} // namespace lightpath
} // namespace ns3

#endif /* CHOICE_PRICER_H */
