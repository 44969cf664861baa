/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EVERY_STEP_TURNS_H
#define EVERY_STEP_TURNS_H

#include "turn-method.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Turns circuits for each step of an algorithm: the rule of photonic rails.
 *
 * Of the digits of each radix up to one more than there are planes, and, for all-to-all, of as many
 * peers at a time as there are planes, the fastest is taken.
 */
class EveryStepTurns : public TurnMethod
{
  private:
    std::optional<TurnSequence> DoSolve(const TurnProblem& problem,
                                        TurnCarrier& carrier) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* EVERY_STEP_TURNS_H */
