/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHARED_TURNS_H
#define SHARED_TURNS_H

#include "turn-method.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Decides which steps of an algorithm share a topology, and which one, by dynamic
 * programming (the question of PCCL, arXiv 2509.15450, abstract: delay against congestion and
 * dilation).
 *
 * Steps in a row that share a topology are carried over it in one go, hop by hop. The least time
 * until step j with topology T last is the least, over all i < j, of that until step i, a delay if
 * T is new, and the time of steps i to j over T. This is optimal among the topologies of
 * GetTopologies() where all circuits pause while some are turned; where only those pause that are
 * turned, the solution takes no longer than this.
 */
class SharedTurns : public TurnMethod
{
  public:
    /**
     * @param problem the operation and the fabric
     * @return the algorithms, of which the fastest is taken: digits of radix 2, and, with more
     *         planes, of one more than there are planes and balanced ternary
     */
    virtual std::vector<TurnSteps> GetAlgorithms(const TurnProblem& problem) const;

    /**
     * @param steps an algorithm
     * @param first the first step that is to share a topology
     * @param last the last one
     * @param planes the number of planes
     * @return the topologies to choose from: rings of the least shift of these steps, one way or
     *         both ways round, the ring of all ports, and shifts of the steps, as many as there
     *         are planes
     */
    virtual std::vector<std::vector<uint32_t>> GetTopologies(const TurnSteps& steps,
                                                             uint32_t first,
                                                             uint32_t last,
                                                             uint32_t planes) const;

    /**
     * @param problem an all-to-all or an all-gather
     * @param carrier carries steps
     * @param steps an algorithm
     * @return the best topologies for it
     */
    TurnSequence Share(const TurnProblem& problem,
                       TurnCarrier& carrier,
                       const TurnSteps& steps) const;

  private:
    std::optional<TurnSequence> DoSolve(const TurnProblem& problem,
                                        TurnCarrier& carrier) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* SHARED_TURNS_H */
