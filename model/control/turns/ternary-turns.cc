/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ternary-turns.h"

namespace ns3
{
namespace lightpath
{

std::optional<TurnSequence>
TernaryTurns::DoSolve(const TurnProblem& problem, TurnCarrier& carrier) const
{
    return TurnEachStep(problem, carrier, TurnSteps(problem.ports, 3, true));
}

} // namespace lightpath
} // namespace ns3
