/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLANNER_H
#define PLANNER_H

#include "planning-problem.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Splits a model over GPUs and places the parts.
 *
 * A planner is plain computation: the same problem always gets the same plan. A child class
 * implements DoPlan(), which need not check what Plan() checks: that there are GPUs and samples,
 * that the programs fit together, that the fabric can carry the traffic and that the plan fits into
 * the memory of the GPUs.
 */
class Planner : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @return the names of the planners of the module, in ascending order
     */
    static std::vector<std::string> GetNames();

    /**
     * @param name a name
     * @return the planner of the module with this name, or the child class of Planner whose TypeId
     *         has it; a TypeId without a constructor if there is none
     */
    static TypeId FindType(const std::string& name);

    /**
     * Make a planner with its default attributes. Aborts if FindType() does not know the name.
     *
     * @param name a name of GetNames(), or the name of the TypeId of a child class
     * @return the planner
     */
    static Ptr<Planner> Create(const std::string& name);

    /**
     * Make a plan. A problem without a plan ends the program with the reason.
     *
     * @param problem the problem
     * @return the plan
     */
    TrainingPlan Plan(const PlanningProblem& problem) const;

    /**
     * Make a plan, or throw an exception.
     *
     * @throws std::invalid_argument for a problem that this planner has no plan for; one sentence
     *         says why
     * @param problem the problem
     * @return the plan
     */
    TrainingPlan TryPlan(const PlanningProblem& problem) const;

    /**
     * Place, check and price a plan that is not made by a planner.
     *
     * @throws std::invalid_argument for a plan that the fabric cannot carry; one sentence says why
     * @param plan the plan
     * @param problem what is to carry it: fabric, placement and memory of a GPU
     * @return the plan
     */
    static TrainingPlan Adopt(TrainingPlan plan, const PlanningProblem& problem);

    /**
     * Price a plan that is final. A plan that cannot be priced, but can be carried out, has the
     * reason in place of a price.
     *
     * @throws std::invalid_argument for a plan that cannot be carried out; one sentence says why
     * @param fabric the fabric
     * @param [in,out] plan the plan
     * @param isQuick whether a price that follows no messages will do
     */
    static void Price(const FabricLimits& fabric, TrainingPlan& plan, bool isQuick = false);

  protected:
    /**
     * Refuse, by std::invalid_argument, a plan that does not fit into the memory of a GPU.
     *
     * @param bytes the bytes that the fullest GPU would have to hold
     * @param accelerator the GPU
     * @param remedy what else would help than more GPUs, to end the sentence with
     */
    static void CheckMemory(uint64_t bytes,
                            const Accelerator& accelerator,
                            const std::string& remedy = "");

    /**
     * Refuse, by std::invalid_argument, traffic that the fabric cannot carry.
     *
     * @param traffic the bytes by source and destination GPU
     * @param fabric the fabric
     */
    static void CheckTraffic(const TrafficMatrix& traffic, const FabricLimits& fabric);

    /**
     * Refuse, by std::invalid_argument, communication other than the average over all GPUs if the
     * fabric carries nothing else.
     *
     * @param plan the plan
     * @param fabric the fabric
     */
    static void CheckAveraged(const TrainingPlan& plan, const FabricLimits& fabric);

  private:
    /**
     * Refuse, by std::invalid_argument, a plan whose GPUs have more peers at a time than the fabric
     * gives them circuits to. The sentence says how many peers each kind of group needs.
     *
     * @param plan the plan
     * @param fabric the fabric
     */
    static void CheckPeers(const TrainingPlan& plan, const FabricLimits& fabric);

    /**
     * Refuse, by std::invalid_argument, a problem that has no solution from the outset.
     *
     * @param problem the problem
     */
    static void CheckProblem(const PlanningProblem& problem);

    /**
     * Refuse, by std::invalid_argument, a fabric that no GPU can use.
     *
     * @param fabric the fabric
     * @param gpus the number of GPUs
     */
    static void CheckFabric(const FabricLimits& fabric, uint32_t gpus);

    /**
     * Place and check a plan.
     *
     * @param problem what is to carry it
     * @param [in,out] plan the plan
     */
    static void Finish(const PlanningProblem& problem, TrainingPlan& plan);

    /**
     * Place, check and price some plans, and share circuits out among their kinds of groups. Throws
     * std::invalid_argument if the fabric carries none.
     *
     * @param problem what is to carry them
     * @param fabric its fabric, with the time that prices may take
     * @param plans the plans, at least one
     * @return the fastest, where a later one must gain a thousandth of an iteration
     */
    TrainingPlan FinishFastest(const PlanningProblem& problem,
                               const FabricLimits& fabric,
                               std::vector<TrainingPlan> plans) const;

    /**
     * Let all parts of a plan tell the same price.
     *
     * @param [in,out] plan a plan with its cost
     */
    static void NotePrice(TrainingPlan& plan);

    /**
     * @return whether groups of plans of this planner may sum along two rings in place of one, if
     *         that is faster where they are placed (RingDirections)
     */
    virtual bool DoesChooseRings() const
    {
        return false;
    }

    /**
     * @return whether circuits are still to be shared out in plans of this planner
     *         (CircuitWeights)
     */
    virtual bool DoesShareCircuits() const
    {
        return true;
    }

    /**
     * @return the longest time that planning may take; 0 for no limit
     */
    virtual Time GetTimeBudget() const
    {
        return Time(0);
    }

    /**
     * @throws std::invalid_argument for a problem that this planner has no plan for
     * @param problem the problem
     * @return the plan
     */
    virtual TrainingPlan DoPlan(const PlanningProblem& problem) const = 0;
};

} // namespace lightpath
} // namespace ns3

#endif /* PLANNER_H */
