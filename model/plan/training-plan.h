/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_PLAN_H
#define TRAINING_PLAN_H

#include "expert-load.h"
#include "placement.h"
#include "plan-cost.h"
#include "rank-groups.h"
#include "rank-program.h"
#include "strategy.h"

#include "ns3/collective-protocols.h"
#include "ns3/link-split.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A plan that a planner has considered, chosen or not.
 */
struct PlanAlternative
{
    std::string name;    //!< Its planner and its degrees, for reports
    Strategy strategy;   //!< Its degrees of parallelism
    double seconds{0};   //!< Predicted time of an iteration, or a bound on it, s; 0 if not known
    bool isBound{false}; //!< Whether the time is a lower bound of a strategy that was not priced
    std::string refusal; //!< Why it is not feasible, or has no price beyond the time; or empty
};

/**
 * @ingroup lightpath
 * @brief Use of the memory of a GPU, in bytes.
 */
struct MemoryUse
{
    /**
     * @return the sum of all uses
     */
    uint64_t GetTotal() const;

    /**
     * @param bytes a number of bytes
     * @return the number in GiB with two decimals, for sentences
     */
    static std::string ToGib(uint64_t bytes);

    uint64_t parameters{0}; //!< Parameters as operators read them
    uint64_t gradients{0};  //!< Gradients
    uint64_t optimizer{0};  //!< Master copies and moments
    uint64_t activations{
        0};                //!< Activations kept for the backward pass, at the peak of the schedule
    uint64_t workspace{0}; //!< What the backward pass needs besides
};

/**
 * @ingroup lightpath
 * @brief The outcome of a Planner: the program of each rank and the groups that the ranks form.
 *
 * The placement gives the port of the fabric that each rank runs on. In a folded plan (PlanFolder)
 * a rank represents several ranks that do the same at the same time; representedRanks is then more
 * than the number of programs.
 */
class TrainingPlan
{
  public:
    /**
     * Throw std::invalid_argument with one sentence if the programs do not fit together: a send
     * without its receive or with another size, a collective without some members of its group, a
     * peer or group that does not exist, or communication that waits for a later phase.
     */
    void Check() const;

    /**
     * @return the bytes that the programs send in one iteration, by source and destination port
     */
    TrafficMatrix GetTraffic() const;

    /**
     * Get the demand that circuits are decided for: that of ProgramTraffic::GetPeers() for each
     * kind of group, times its weight, rounded up.
     *
     * @return the demand of the whole iteration, by source and destination port
     */
    TrafficMatrix GetDemand() const;

    /**
     * Get the demand of each phase. A phase with nothing but messages of the norm of gradients has
     * that of the first phase: no circuits are switched for them alone.
     *
     * @return the demand of each phase
     */
    std::vector<TrafficMatrix> GetPhaseDemands() const;

    /**
     * @return the plan with its ranks renumbered, so that each has the number of its port
     */
    TrainingPlan OnPorts() const;

    /**
     * Get the plan with tasks that take as long, and carry as much, as with a typical draw of the
     * loads of experts, in place of loads to be drawn. Ranks with other experts have other
     * programs.
     *
     * @param isOneDraw whether all layers have the same draw, with which prices take less time and
     *        are up to some percent longer, as one rank is the busiest in all of them
     * @return the plan
     */
    TrainingPlan WithTypicalLoads(bool isOneDraw = false) const;

    /**
     * @param rank a rank
     * @return its position among the ranks that share out experts; 0 if there are none
     */
    uint32_t GetExpertPosition(uint32_t rank) const;

    /**
     * Change tasks. Ranks that share a program still do so afterwards; programs without a task to
     * change stay as they are.
     *
     * @param selects whether a task is one to change
     * @param change what to do with it
     */
    void ChangeTasks(const std::function<bool(const Task&)>& selects,
                     const std::function<void(Task&)>& change);

    /**
     * @return the number of communication tasks of all ranks in each phase; there is one phase at
     *         least
     */
    std::vector<uint64_t> GetNCommunications() const;

    std::string workload; //!< Where it was read from; empty if a planner made it
    Strategy strategy;    //!< The degrees of parallelism
    std::vector<std::shared_ptr<const RankProgram>> programs; //!< Program of each rank
    std::vector<RankGroups> groups;                           //!< The kinds of groups
    Placement placement;                                      //!< The port of each rank
    ExpertLoad expertLoad;                                    //!< Tokens of experts
    bool isTypical{false};         //!< Tasks are those of typical draws (WithTypicalLoads())
    bool isOneDraw{false};         //!< They are those of one draw in all layers
    CollectiveProtocols protocols; //!< Those of its collectives
    std::vector<MemoryUse> memory; //!< Memory of each rank
    uint64_t memoryBytes{0};       //!< Memory of the fullest GPU, bytes
    uint32_t representedRanks{0};  //!< Folded: ranks of the full plan; otherwise 0
    std::vector<uint32_t> ofWhole; //!< Folded: the rank of the full plan with the same coordinates
    bool foldsExactly{true};       //!< Whether it takes as long as the full plan, to the tick

    /// Weight of the bytes of each kind of group in the demand for circuits; 1 where missing
    std::vector<double> circuitWeights;

    bool phaseCircuits{false};   //!< Whether circuits are decided on for each phase
    bool turnCircuits{false};    //!< Whether circuits follow operations
    uint32_t gridRows{0};        //!< Rows of the grid of switches that it asks for; 0 for any
    uint32_t gridColumns{0};     //!< Columns of that grid; 0 for any
    LinkSplit linkSplit;         //!< Links of the network that is made for it; none if not chosen
    double predictedSeconds{0};  //!< Time of an iteration as planned, s
    PlanCost cost;               //!< Its parts, as planned
    double lowerBoundSeconds{0}; //!< Time that no plan of the search space beats, s; 0 if unknown
    std::vector<PlanAlternative>
        alternatives; //!< The plans that were considered, the best one first

  private:
    /**
     * @param phase a phase, or ProgramTraffic::ALL_PHASES
     * @param isDemand true for the demand for circuits, false for the bytes
     * @return what the programs send in it
     */
    TrafficMatrix GetPhaseTraffic(uint32_t phase, bool isDemand) const;
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAINING_PLAN_H */
