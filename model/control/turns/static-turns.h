/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STATIC_TURNS_H
#define STATIC_TURNS_H

#include "turn-method.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Never turns: forwards over the best of some topologies.
 *
 * These are a ring, a ring both ways round, a torus as the shifts 1 and the root of n, both ways
 * round with four planes, strides of rings as TopoOpt chooses them (RingStrides), powers of the
 * root of n of the degree, whose sums reach everyone in few hops, and all topologies that
 * SharedTurns has for all steps at once.
 */
class StaticTurns : public TurnMethod
{
  private:
    std::optional<TurnSequence> DoSolve(const TurnProblem& problem,
                                        TurnCarrier& carrier) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* STATIC_TURNS_H */
