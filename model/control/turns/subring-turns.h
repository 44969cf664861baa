/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUBRING_TURNS_H
#define SUBRING_TURNS_H

#include "shared-turns.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Bruck's steps, of which some in a row share the rings of the first one of them: step j
 * leads round n / 2^j rings of the shift 2^j (Bridge, arXiv 2605.12766, abstract).
 *
 * Where the topology of step i goes on until step j, these take the time of 2^(j - i + 1) - 1
 * latencies and, in an all-to-all of a power of two of ports, of as many halves of the buffer.
 */
class SubringTurns : public SharedTurns
{
  public:
    std::vector<TurnSteps> GetAlgorithms(const TurnProblem& problem) const override
    {
        return {TurnSteps(problem.ports, 2)};
    }

    std::vector<std::vector<uint32_t>> GetTopologies(const TurnSteps& steps,
                                                     uint32_t first,
                                                     uint32_t /* last */,
                                                     uint32_t planes) const override
    {
        return {Spread(steps.GetShifts(first, first), planes)};
    }
};

} // namespace lightpath
} // namespace ns3

#endif /* SUBRING_TURNS_H */
