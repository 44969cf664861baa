/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plane-turns.h"

#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

std::optional<TurnSequence>
PlaneTurns::DoSolve(const TurnProblem& problem, TurnCarrier& carrier) const
{
    const TurnSteps steps(problem.ports, 2);
    const auto each = TurnEachStep(problem, carrier, steps);
    std::vector<TurnSequence> sequences;
    for (uint32_t groups = 2; groups <= problem.planes; ++groups)
    {
        TurnSequence sequence = *each;
        for (uint32_t step = 0; step < sequence.phases.size(); ++step)
        {
            for (uint32_t plane = 0; plane < problem.planes; ++plane)
            {
                uint32_t& shift = sequence.phases[step].shifts[plane];
                shift = plane % groups == step % groups ? shift : 0;
            }
        }
        sequence.words = std::to_string(groups) + " groups of planes in turn";
        sequences.push_back(std::move(sequence));
    }
    return GetBest(problem, std::move(sequences));
}

} // namespace lightpath
} // namespace ns3
