/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_COLLECTIVE_CHOICE_H
#define LIGHTPATH_COLLECTIVE_CHOICE_H

#include "ns3/collective-schedule.h"
#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

/**
 * @ingroup lightpath
 * @brief Chooses the algorithm of a sum on a fabric of which no closed form tells how fast each is.
 */
class CollectiveChoice
{
  public:
    /// The most ranks whose algorithms are priced.
    static constexpr uint32_t MOST_RANKS = 64;

    /**
     * Price the operation by each algorithm of one level, by several rings, and by the rows and
     * columns of a grid, as far as the fabric has circuits for it.
     *
     * @param limits the fabric, without servers
     * @param plan a plan whose only task is the operation, of the group of all ranks
     * @return the fastest algorithm; of those that take as long, the one with rings
     */
    static ns3::lightpath::CollectiveOptions Find(const ns3::lightpath::FabricLimits& limits,
                                                  const ns3::lightpath::TrainingPlan& plan);
};

#endif /* LIGHTPATH_COLLECTIVE_CHOICE_H */
