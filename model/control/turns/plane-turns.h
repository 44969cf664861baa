/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLANE_TURNS_H
#define PLANE_TURNS_H

#include "turn-method.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Planes in turn: some carry a step of radix 2 while others are turned for the next one
 * (SWOT, arXiv 2510.19322, abstract, whose messages are split over planes that are not ready at the
 * same time; here they are not).
 */
class PlaneTurns : public TurnMethod
{
  private:
    std::optional<TurnSequence> DoSolve(const TurnProblem& problem,
                                        TurnCarrier& carrier) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* PLANE_TURNS_H */
