/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TERNARY_TURNS_H
#define TERNARY_TURNS_H

#include "turn-method.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Balanced ternary exchange: ceil(log3 n) steps, in each of which a port exchanges with one
 * before and one after it, over two circuits at least (ReTri, arXiv 2605.26930, abstract).
 */
class TernaryTurns : public TurnMethod
{
  private:
    std::optional<TurnSequence> DoSolve(const TurnProblem& problem,
                                        TurnCarrier& carrier) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* TERNARY_TURNS_H */
