/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COST_MODEL_H
#define COST_MODEL_H

#include "ns3/plan-cost.h"
#include "ns3/planner.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <limits>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Prices plans on a fabric: the time of an iteration, and what the time is spent on.
 *
 * All planners use this one class, so that they choose by what a simulation would show, as far as
 * that can be computed without simulating.
 *
 * On grids and rotors, each message of each rank is carried by what carries it in a simulation
 * (MessageReplay). If these are too many, the first of them show by what factor the estimate is too
 * short.
 *
 * Elsewhere, and for estimates, the files of this folder restate what a simulation of the plan
 * does, for speed: they know no frames, compute in seconds as floating-point numbers, and follow
 * one rank of each class of ranks that do the same; of many that share out experts, where all ports
 * are alike, those that PlanFolder keeps. They must agree with
 *
 * - TrainingApplication: of the compute tasks that are ready, the one with the lowest index runs
 *   first; a send is done as soon as it is handed over; a collective begins once all of its members
 *   have reached it and it is launched; a rank begins the next iteration once all its tasks are
 *   done (PlanReplay);
 * - the steps of CollectiveSchedule, which CollectiveProgress carries out (CollectiveShapes);
 * - the transports: headers of frames, the largest frame, the order of messages to one peer
 *   (PlanPaths, FlowNetwork);
 * - CrossbarChannel: max-min fair shares of the links of a switch; both use ProgressiveFilling
 *   (FlowNetwork);
 * - CircuitController: phases, which both count by PhaseCounter, the lightpaths that the allocators
 *   decide on, and the darkness of switching (PlanCircuits, PlanReplay).
 *
 * The suite lightpath-planner compares its prices with simulations; a change of either side has
 * to keep that comparison.
 */
class CostModel
{
  public:
    /// Events that are too many for one of several prices.
    static constexpr uint64_t MANY_EVENTS = 3000000;

    /// As many events as it takes.
    static constexpr uint64_t ANY_EVENTS = std::numeric_limits<uint64_t>::max();

    /// Events of messages that are followed for one of several prices, which take half a second.
    static constexpr uint64_t FEW_FOLLOWED = 2'000'000;

    /// Events that are followed for the price of the plan that is chosen, some seconds.
    static constexpr uint64_t MANY_FOLLOWED = 30'000'000;

    /**
     * @param fabric the fabric; it must outlive this object
     * @param mostFollowed the most events of messages that are followed
     */
    explicit CostModel(const FabricLimits& fabric, uint64_t mostFollowed = FEW_FOLLOWED);

    /**
     * Price a plan on the grid that it asks for, if the fabric has several. Throws PricingError for
     * a plan that comes to a standstill in the replay, or that takes too many other events.
     *
     * @param plan the plan
     * @param limit the time in seconds beyond which the exact price is not needed
     * @param mostEvents the most events to follow (PlanCost::events)
     * @return its price; if the time exceeds the limit, that of PlanCost::seconds is some time
     *         between the two and the rest is not known
     */
    PlanCost Price(const TrainingPlan& plan,
                   double limit = std::numeric_limits<double>::infinity(),
                   uint64_t mostEvents = ANY_EVENTS) const;

    /**
     * Price a plan as quickly as one of many: no messages are followed, and those that are under
     * way share links fairly. Throws PricingError as Price() does.
     *
     * @param plan the plan
     * @param limit the time in seconds beyond which the price is not needed
     * @param mostEvents the most events to follow (PlanCost::events)
     * @return its price, as that of Price()
     */
    PlanCost Estimate(const TrainingPlan& plan,
                      double limit = std::numeric_limits<double>::infinity(),
                      uint64_t mostEvents = ANY_EVENTS) const;

  private:
    /**
     * @param plan the plan
     * @param limit the time in seconds beyond which the price is not needed
     * @param mostEvents the most events to follow, without those of messages on a grid
     * @param mayFollow whether each message may be followed
     * @return its price
     */
    PlanCost Replay(const TrainingPlan& plan,
                    double limit,
                    uint64_t mostEvents,
                    bool mayFollow) const;

    const FabricLimits& m_fabric;  //!< The fabric
    const uint64_t m_mostFollowed; //!< The most events of messages that are followed
};

} // namespace lightpath
} // namespace ns3

#endif /* COST_MODEL_H */
