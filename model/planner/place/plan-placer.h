/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_PLACER_H
#define PLAN_PLACER_H

#include "axis-order.h"
#include "placement-contest.h"
#include "port-arrangement.h"

#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Puts the ranks of a plan on ports, by the rule PlanningProblem::placement.
 *
 * The rules are "linear", "folded", an order of axes (AxisOrder), the name of a file (Placement),
 * and "automatic": the cheapest of the linear placement, orders of axes, and what exchanges of
 * ranks make of the one that loads the links of the fabric least (PortArrangement). It applies to
 * rings, to grids and to GPUs that share servers; elsewhere all ports are alike, and automatic
 * leaves ranks where they are. So it does with more than PlanFolder::MANY_RANKS where ports differ
 * in their servers alone, if the fabric carries this.
 */
class PlanPlacer
{
  public:
    /// Changes of loads of links that exchanges may take for each rank.
    static constexpr uint64_t EFFORT = 100'000;

    /// The bytes on the fullest segment of a ring.
    struct SegmentBytes
    {
        double placed{0}; //!< As the plan is placed
        double linear{0}; //!< With the linear placement
        double bound{0};  //!< With any placement, at least
    };

    /**
     * The bound is that of PortArrangement or, if it is larger, that of cuts: ranks on successive
     * ports send their bytes to other ranks over the two segments at their ends (GroupCut).
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
     * @return true if the rule is automatic, and ports differ in what they reach how fast
     */
    bool MayArrange() const;

    /**
     * Place a plan that is one of many: by the rule; on a ring, automatic takes the order of axes
     * with the smallest load.
     *
     * @param [in,out] plan the plan
     */
    void Place(TrainingPlan& plan) const;

    /**
     * Place a plan that is one of a few, without exchanges, and price it. Throws
     * std::invalid_argument if the fabric does not carry it.
     *
     * @param [in,out] plan the plan
     * @param limit the time in seconds beyond which the exact price is not needed
     * @return the time of an iteration, seconds; beyond the limit, some time between the two
     */
    double Price(TrainingPlan& plan, double limit) const;

    /**
     * Place a plan that has been chosen. With the rule automatic, that is the cheapest of where it
     * is, the linear placement, orders of axes and what exchanges make of the best one. A ring
     * whose circuits are not decided on in advance has one price for all of them: there the load
     * decides. It stays where it is if the time to plan is up.
     *
     * @param [in,out] plan the plan
     */
    void PlaceChosen(TrainingPlan& plan) const;

  private:
    /// An order of axes with what it comes to.
    struct LoadedOrder
    {
        PortArrangement::Load load; //!< How it loads the links
        AxisOrder order;            //!< The order
        Placement placement;        //!< Where it puts the ranks
    };

    /**
     * Fold axes, and blocks of them, or no longer, as long as that makes the load smaller.
     *
     * @param strategy the degrees of parallelism
     * @param arrangement what measures loads
     * @param [in,out] best the order
     */
    static void Fold(const Strategy& strategy, PortArrangement& arrangement, LoadedOrder& best);

    /**
     * @param plan a plan
     * @return true if the rule is automatic and the ranks of the plan can be placed
     */
    bool MayArrange(const TrainingPlan& plan) const;

    /**
     * @param plan a plan
     * @return true if it has so many ranks, and ports that are so much alike, that the linear
     *         placement is taken if the fabric carries it
     */
    bool KeepsOrder(const TrainingPlan& plan) const;

    /**
     * Place a plan that has been chosen in the best of some ways. Throws std::invalid_argument if
     * the fabric carries it in none of them.
     *
     * @param [in,out] plan the plan, whose ranks can be placed
     */
    void Arrange(TrainingPlan& plan) const;

    /**
     * @param plan a plan
     * @param arrangement what measures its loads; it changes
     * @param isAll whether to interleave axes, too, and to fold blocks of the best orders
     * @return the orders of its axes that are within reach, or all if none is, the one with the
     *         smallest load first
     */
    static std::vector<LoadedOrder> GetOrders(const TrainingPlan& plan,
                                              PortArrangement& arrangement,
                                              bool isAll);

    /**
     * Deal the ranks to the servers if the plan is data parallelism alone that halves and doubles.
     *
     * @param plan the plan
     * @param contest what prices the placement
     */
    void TryDealt(const TrainingPlan& plan, PlacementContest& contest) const;

    /**
     * Try a few orders if no placement has a price yet.
     *
     * @param orders the orders
     * @param contest what prices them
     */
    static void TryOthers(const std::vector<LoadedOrder>& orders, PlacementContest& contest);

    /**
     * If the best placement is by an order, fold its axes, and blocks of them, or no longer, as
     * long as that is better.
     *
     * @param strategy the degrees of parallelism
     * @param orders the orders that were tried
     * @param arrangement what measures loads
     * @param contest what prices them
     */
    static void TryFolded(const Strategy& strategy,
                          const std::vector<LoadedOrder>& orders,
                          PortArrangement& arrangement,
                          PlacementContest& contest);

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
