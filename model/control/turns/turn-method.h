/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TURN_METHOD_H
#define TURN_METHOD_H

#include "turn-carrier.h"
#include "turn-problem.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Finds topologies for a collective operation.
 *
 * A child class does so for all-to-all and all-gather. A reduce-scatter is the all-gather that it
 * finds with time reversed: what a port receives there it sends here, as a sum. An all-reduce is
 * both, and turns nothing between them.
 */
class TurnMethod
{
  public:
    virtual ~TurnMethod() = default;

    /**
     * @param problem the operation and the fabric
     * @param carrier carries steps; may be shared by all methods
     * @return the topologies; nothing if the method is not for this problem
     */
    std::optional<TurnSequence> Solve(const TurnProblem& problem, TurnCarrier& carrier) const;

  protected:
    /**
     * @param shifts some shifts, the most important one last
     * @param planes the number of planes
     * @return a topology that has them all, as far as there are planes: the same number of planes
     *         each, and one more for the last ones
     */
    static std::vector<uint32_t> Spread(const std::vector<uint32_t>& shifts, uint32_t planes);

    /**
     * @param problem the operation and the fabric
     * @param sequences some solutions
     * @return the one that takes the least time; nothing without any
     */
    static std::optional<TurnSequence> GetBest(const TurnProblem& problem,
                                               std::vector<TurnSequence> sequences);

    /**
     * @param problem the operation and the fabric
     * @param carrier carries steps
     * @param steps an algorithm
     * @return a topology for each of its steps; nothing if a step needs more shifts than there are
     *         planes
     */
    static std::optional<TurnSequence> TurnEachStep(const TurnProblem& problem,
                                                    TurnCarrier& carrier,
                                                    const TurnSteps& steps);

  private:
    /**
     * @param problem an all-to-all or an all-gather
     * @param carrier carries steps
     * @return the topologies; nothing if the method is not for this problem
     */
    virtual std::optional<TurnSequence> DoSolve(const TurnProblem& problem,
                                                TurnCarrier& carrier) const = 0;
};

} // namespace lightpath
} // namespace ns3

#endif /* TURN_METHOD_H */
