/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_PLACER_H
#define PLAN_PLACER_H

#include "axis-order.h"

#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

#include <optional>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Puts the ranks of a plan on ports, by the rule PlanningProblem::placement.
 *
 * The rules are "linear", "folded", an order of axes (AxisOrder), the name of a file (Placement),
 * and "automatic": of all orders of axes the one that loads the fullest segment of a ring least,
 * then made better by exchanges (RingArrangement). Where the fabric is no ring, or has servers, in
 * which collectives count on how ranks are numbered, automatic leaves ranks where they are.
 */
class PlanPlacer
{
  public:
    /// Changes of loads of segments that exchanges may take for each rank.
    static constexpr uint64_t EFFORT = 300'000;

    /// The bytes on the fullest segment of a ring.
    struct SegmentBytes
    {
        double placed{0}; //!< As the plan is placed
        double linear{0}; //!< With the linear placement
        double bound{0};  //!< With any placement, at least
    };

    /**
     * The bound is that of RingArrangement or, if it is larger, that of cuts: ranks on successive
     * ports send their bytes to other ranks over the two segments at their ends. The groups of a
     * plan with two axes are the rows and columns of a torus, and some of its ranks have rows and
     * columns in common with others.
     *
     * @param plan a plan on a ring
     * @return the bytes on the fullest segment
     */
    static SegmentBytes GetSegmentBytes(const TrainingPlan& plan);

    /**
     * Throws std::invalid_argument for a rule that is none.
     *
     * @param problem what is planned; it must outlive this object
     */
    explicit PlanPlacer(const PlanningProblem& problem);

    /**
     * @return true if the rule is automatic
     */
    bool IsAutomatic() const;

    /**
     * Place a plan that is one of several: by the rule, without exchanges.
     *
     * @param [in,out] plan the plan
     */
    void Place(TrainingPlan& plan) const;

    /**
     * Place a plan that has been chosen: with the rule automatic, the placement with the lowest
     * price of the one that it has, the linear one, the best order of axes and what exchanges make
     * of it. Placements with the same price are judged by their loads.
     *
     * @param [in,out] plan the plan
     */
    void PlaceChosen(TrainingPlan& plan) const;

  private:
    /**
     * @param plan a plan
     * @return true if the rule is automatic, and where its ranks are matters
     */
    bool MayArrange(const TrainingPlan& plan) const;

    /**
     * @param plan a plan
     * @return the most bytes that some number of ranks, whichever they are, send to all others; 0
     *         if the plan has other than two axes
     */
    static double GetCutBytes(const TrainingPlan& plan);

    /**
     * @param plan a plan
     * @return the order of axes with the smallest load
     */
    static Placement FindBestOrder(const TrainingPlan& plan);

    /**
     * @param plan a plan
     * @return the bytes by source and destination rank, as circuits are decided for
     */
    static TrafficMatrix GetRankDemand(const TrainingPlan& plan);

    const PlanningProblem& m_problem;     //!< What is planned
    std::optional<AxisOrder> m_order;     //!< The order of axes, if this is the rule
    std::optional<Placement> m_placement; //!< What a file says, if this is the rule
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_PLACER_H */
