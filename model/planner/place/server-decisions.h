/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERVER_DECISIONS_H
#define SERVER_DECISIONS_H

#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Where an axis of parallelism of a plan stands, inside servers or across them, and what the
 * opposite would cost.
 */
struct ServerDecision
{
    std::string axis;    //!< The axis, for sentences
    bool isInside{true}; //!< Whether all members of a group share a server
    double seconds{0};   //!< Time of an iteration with the opposite, s; 0 if it is refused
};

/**
 * @ingroup lightpath
 * @brief What the servers decide about the placement of a plan.
 */
class ServerDecisions
{
  public:
    /**
     * Price a plan with each axis of parallelism moved: to the outermost place if it is inside
     * servers, or else to the innermost one if it fits into a server.
     *
     * @param problem what was planned
     * @param plan the plan, of all GPUs, whose ranks are numbered by ReplicaLayout
     * @return the axes that can be moved; none without several servers
     */
    static std::vector<ServerDecision> Find(const PlanningProblem& problem,
                                            const TrainingPlan& plan);

    /**
     * @param decisions some decisions
     * @param seconds the time of an iteration of the plan as it is
     * @return them in words, as in "tensor parallelism stays inside: 12 % slower across"
     */
    static std::string Describe(const std::vector<ServerDecision>& decisions, double seconds);

  private:
    /**
     * @param layout the servers
     * @param plan a plan
     * @param kind a kind of group
     * @return true if all members of each group share a server
     */
    static bool AreInside(const ServerLayout& layout, const TrainingPlan& plan, uint32_t kind);

    /**
     * @param problem what is planned
     * @param plan the plan, in another placement
     * @return the time of an iteration, s; 0 if the fabric refuses it
     */
    static double Price(const PlanningProblem& problem, TrainingPlan plan);
};

} // namespace lightpath
} // namespace ns3

#endif /* SERVER_DECISIONS_H */
