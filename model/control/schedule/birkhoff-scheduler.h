/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BIRKHOFF_SCHEDULER_H
#define BIRKHOFF_SCHEDULER_H

#include "matching-scheduler.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Serves a demand in the shortest time that circuits can carry light: by the Birkhoff-von
 * Neumann decomposition of its service times.
 *
 * The service times are stuffed to equal line sums and cut into permutations. The slots last as
 * long as the device with most work in all, which is the optimum where switching takes no time.
 * There may be as many as n^2 - 2n + 2 slots of n devices, and the switching delays of them all are
 * what this schedule does not look at.
 */
class BirkhoffScheduler : public MatchingScheduler
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    std::vector<TimedMatching> FindMatchings(const ServiceTimeMatrix& times) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* BIRKHOFF_SCHEDULER_H */
