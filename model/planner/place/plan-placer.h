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
 * and "automatic": the linear placement unless an order of axes, or what exchanges of ranks make of
 * the one that loads the links of the fabric least (PortArrangement), has a lower price. It applies
 * to rings, to grids and to GPUs that share servers; elsewhere all ports are alike, and automatic
 * leaves ranks where they are.
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
     * Place a plan that has been chosen. With the rule automatic, it stays where it is unless the
     * linear placement, an order of axes or what exchanges make of it has a lower price. A ring
     * whose circuits are not decided on in advance has one price for all of them: there the load
     * decides. It stays there, too, if the time to plan is up.
     *
     * @param [in,out] plan the plan
     */
    void PlaceChosen(TrainingPlan& plan) const;

  private:
    /**
     * @param plan a plan
     * @return true if the rule is automatic and the ranks of the plan can be placed
     */
    bool MayArrange(const TrainingPlan& plan) const;

    /**
     * Place a plan that has been chosen in the best of some ways. Throws std::invalid_argument if
     * the fabric carries it in none of them.
     *
     * @param [in,out] plan the plan, whose ranks can be placed
     */
    void Arrange(TrainingPlan& plan) const;

    /**
     * @param plan a plan
     * @param isAll whether to interleave axes, too
     * @return the orders of its axes, the one with the smallest load first
     */
    std::vector<Placement> GetOrders(const TrainingPlan& plan, bool isAll) const;

    /**
     * Place a plan in the best of some ways: the first one unless another has a lower price. If the
     * fabric carries the plan in none of them, a few more are tried, and std::invalid_argument is
     * thrown if that does not help.
     *
     * @param [in,out] plan the plan
     * @param candidates the placements
     * @param others placements that are tried if none of them will do
     * @param limit the time in seconds beyond which the exact price is not needed
     * @param isLast whether prices are as exact as they can be, and not quick
     * @return its price, seconds
     */
    double Choose(TrainingPlan& plan,
                  const std::vector<Placement>& candidates,
                  const std::vector<Placement>& others,
                  double limit,
                  bool isLast) const;

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
