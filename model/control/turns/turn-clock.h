/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TURN_CLOCK_H
#define TURN_CLOCK_H

#include "turn-problem.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The exact time of a sequence of topologies, to the tick of a simulation of its messages.
 *
 * The first circuits are there at the beginning. A message uses all planes that lead to its
 * destination, from the instant at which each of them carries light.
 */
class TurnClock
{
  public:
    /**
     * @param problem the operation and the fabric
     * @param sequence the topologies and messages; each message has a circuit
     * @return the time until all messages have arrived
     */
    static Time GetTime(const TurnProblem& problem, const TurnSequence& sequence);

    /**
     * @param problem the operation and the fabric
     * @param shifts a topology that carries light: the shift of each plane
     * @param rounds what goes over it
     * @return the time until all messages have arrived
     */
    static Time GetRoundsTime(const TurnProblem& problem,
                              const std::vector<uint32_t>& shifts,
                              const std::vector<TurnRound>& rounds);

    /**
     * The time on a switch without conflicts with the rate of all planes of a port, which no
     * sequence of topologies is faster than.
     *
     * @param problem the operation and the fabric
     * @return (n - 1) / n of the buffer at this rate and one latency; twice that for all-reduce
     */
    static Time GetIdealTime(const TurnProblem& problem);
};

} // namespace lightpath
} // namespace ns3

#endif /* TURN_CLOCK_H */
