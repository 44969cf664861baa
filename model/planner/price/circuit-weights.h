/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_WEIGHTS_H
#define CIRCUIT_WEIGHTS_H

#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Shares circuits that are set once out among the kinds of groups of a plan, by price.
 *
 * Kinds that send at the same time need circuits in proportion to their bytes b. Where they wait
 * for each other, with c circuits each, the sum of b / c is least for circuits in proportion to the
 * root of b. Plans do both, so that circuits in proportion to powers of b between 1 and 0 are
 * priced.
 */
class CircuitWeights
{
  public:
    /**
     * Take the fastest shares. Plans whose shares are given keep them, and so do those whose
     * circuits are not set once, in advance.
     *
     * @param fabric the fabric
     * @param [in,out] plan a plan with its price
     */
    static void Choose(const FabricLimits& fabric, TrainingPlan& plan);
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_WEIGHTS_H */
