/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ECLIPSE_SCHEDULER_H
#define ECLIPSE_SCHEDULER_H

#include "matching-scheduler.h"

#include "ns3/nstime.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Serves a demand by the configurations that carry most for the time that they take
 * (Eclipse: Bojja Venkatakrishnan, Alizadeh and Viswanath, Costly circuits, submodular schedules
 * and approximate Caratheodory theorems, arXiv 1512.01271).
 *
 * In each step the matching and the duration are taken for which the bytes served, over the
 * duration and the switching delay, are most; a pair counts for no more than it has left. The time
 * of each pair that is left is a candidate for the duration. All of them are searched, except those
 * that bounds show to be no better (EclipseSearch): this finds the best of a step also where the
 * ratio has several peaks, which bisection does not. Attribute Tolerance stops the search earlier.
 *
 * With a Horizon the configurations and the delays before them last no longer than this, and the
 * bytes that are left are unserved. Time that is too short for another configuration lengthens the
 * last one, as far as it serves something.
 */
class EclipseScheduler : public MatchingScheduler
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    std::vector<TimedMatching> FindMatchings(const ServiceTimeMatrix& times) const override;

    /**
     * @return the lanes of each pair, row by row, over their greatest common divisor
     */
    std::vector<uint32_t> GetLanes() const;

    Time m_horizon;     //!< The longest makespan; zero for as long as the demand takes
    double m_tolerance; //!< Fraction by which a duration must be better to be tried
};

} // namespace lightpath
} // namespace ns3

#endif /* ECLIPSE_SCHEDULER_H */
