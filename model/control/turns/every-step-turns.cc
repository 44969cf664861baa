/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "every-step-turns.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param problem an all-to-all
 * @return as many peers at a time as there are planes
 */
TurnSequence
MeetAll(const TurnProblem& problem)
{
    TurnSequence sequence;
    for (uint32_t first = 1; first < problem.ports; first += problem.planes)
    {
        TurnPhase phase;
        TurnRound round;
        const uint32_t count = std::min(problem.planes, problem.ports - first);
        for (uint32_t plane = 0; plane < problem.planes; ++plane)
        {
            phase.shifts.push_back(first + plane % count);
        }
        for (uint32_t shift = first; shift < first + count; ++shift)
        {
            round.push_back({shift, 1, {}});
            if (problem.listsItems)
            {
                round.back().items.push_back({0, shift});
            }
        }
        phase.rounds = std::make_shared<const std::vector<TurnRound>>(1, std::move(round));
        sequence.phases.push_back(std::move(phase));
    }
    sequence.words = "each peer in turn";
    return sequence;
}

} // namespace

std::optional<TurnSequence>
EveryStepTurns::DoSolve(const TurnProblem& problem, TurnCarrier& carrier) const
{
    std::vector<TurnSequence> sequences;
    for (uint32_t radix = 2; radix <= std::min(problem.planes + 1, problem.ports); ++radix)
    {
        if (auto sequence = TurnEachStep(problem, carrier, TurnSteps(problem.ports, radix)))
        {
            sequence->words = "radix " + std::to_string(radix);
            sequences.push_back(std::move(*sequence));
        }
    }
    if (problem.kind == TurnKind::ALL_TO_ALL)
    {
        sequences.push_back(MeetAll(problem));
    }
    return GetBest(problem, std::move(sequences));
}

} // namespace lightpath
} // namespace ns3
