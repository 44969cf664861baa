/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_ALTERNATION_H
#define NETWORK_ALTERNATION_H

#include "planning-problem.h"

#include "ns3/training-plan.h"

#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Alternates between plans for a network and networks for a plan, as TopoOpt does (Wang et
 * al., NSDI 2023).
 *
 * A round plans for a fixed network, and chooses the network of the plan (LinkChooser), which is
 * that of the next round. The plan that is fastest on its own network is the result, so that no
 * round is worse than the first. Rounds end when one gains nothing or brings a known plan, or after
 * MOST_ROUNDS. There are two beginnings: the network as it is given, and a switch with the rates of
 * its GPUs, on which no plan has an advantage by its places.
 */
class NetworkAlternation
{
  public:
    /// The most rounds from one beginning.
    static constexpr uint32_t MOST_ROUNDS = 6;

    /// Plans for a fixed network; std::invalid_argument if there is no plan.
    using MakePlan = std::function<TrainingPlan(const PlanningProblem&)>;

    /**
     * @param problem the problem, whose fabric is made for a plan (FabricLimits::linksFor)
     * @param makePlan the planner
     */
    NetworkAlternation(const PlanningProblem& problem, MakePlan makePlan);

    /**
     * @return the plan, priced on the network that is made for it; std::invalid_argument if the
     *         planner has none
     */
    TrainingPlan Run();

    /**
     * @return the price of each round's plan on its own network, s, in order
     */
    const std::vector<double>& GetRounds() const;

  private:
    /// A plan of an earlier round, as far as plans of one planner differ.
    struct Seen
    {
        Strategy strategy;    //!< Its degrees of parallelism
        Placement placement;  //!< The port of each rank
        TrafficMatrix others; //!< Bytes of messages that are not those of sums, by both ports
    };

    /**
     * Alternate from one beginning.
     *
     * @param problem the problem with the first network
     */
    void RunFrom(PlanningProblem problem);

    const PlanningProblem& m_problem; //!< The problem
    MakePlan m_makePlan;              //!< The planner
    TrainingPlan m_best;              //!< The best plan so far
    std::vector<double> m_rounds;     //!< Prices of rounds, s
    std::vector<Seen> m_seen;         //!< The plans of rounds
    std::exception_ptr m_refusal;     //!< Why the first beginning has no plan
};

} // namespace lightpath
} // namespace ns3

#endif /* NETWORK_ALTERNATION_H */
