/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ECLIPSE_SEARCH_H
#define ECLIPSE_SEARCH_H

#include "assignment-solver.h"
#include "service-time-matrix.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Finds the matching and the duration that serve most for the time that they take, the
 * switching delay included, again and again while a demand is served.
 *
 * Let F(t) be the most that a matching serves in a duration t. The ratio F(t) / (t + delay) is
 * largest where t is the time of some pair, because what one matching serves is linear in between.
 * F never falls, F(t) / t never rises, and serving lowers F everywhere: so the values of F that
 * have been computed, in this step or any before, bound F at all other durations. The duration
 * with the highest bound is tried next, until no bound is above the best ratio that was found.
 */
class EclipseSearch
{
  public:
    /**
     * @param times the service times
     * @param lanes the worth of a time step of each pair, row by row
     * @param delay the switching delay in time steps
     * @param tolerance durations that cannot be better than the best so far by more than this
     * fraction, in millionths, are not tried
     */
    EclipseSearch(const ServiceTimeMatrix& times,
                  const std::vector<uint32_t>& lanes,
                  int64_t delay,
                  int64_t tolerance);

    /**
     * @param limit the longest duration, in time steps, above 0
     * @return the best matching; its duration is zero if nothing is left to be served
     */
    TimedMatching FindBest(int64_t limit);

    /**
     * @param matching the circuits that serve
     */
    void Serve(const TimedMatching& matching);

    /**
     * @param matching a matching
     * @return the longest time that any of its pairs still has, in time steps
     */
    int64_t GetLongest(const TimedMatching& matching) const;

  private:
    /// A matching and its worth.
    struct Trial
    {
        TimedMatching matching; //!< The matching with its duration
        int64_t worth{0};       //!< Time steps of all lanes together that it serves
    };

    /// A bound on F at a duration.
    struct Bound
    {
        int64_t worth{0}; //!< F or more
        uint32_t step{0}; //!< The step in which it was F
    };

    /**
     * Compute F(t), and keep it as a bound.
     *
     * @param steps the duration t
     * @return a matching that serves F(t)
     */
    TimedMatching Evaluate(int64_t steps);

    /**
     * @param matching a matching
     * @param limit the longest duration
     * @return the matching with the duration that is best for it
     */
    Trial Fit(const TimedMatching& matching, int64_t limit) const;

    /**
     * Between two durations whose bounds are known, the bound on the ratio rises to where the
     * bounds from both sides meet, and falls from there on.
     *
     * @param limit the longest duration
     * @return the durations that may have the highest bound of all that are not tried, each with
     * its bound
     */
    std::vector<std::pair<int64_t, int64_t>> GetPeaks(int64_t limit) const;

    /**
     * @param limit the longest duration
     * @param best the best trial
     * @return the duration with the highest bound; zero if none can be better than the best trial
     * by more than the tolerance
     */
    int64_t FindNext(int64_t limit, const Trial& best) const;

    /// Remove the bounds that others imply.
    void TidyBounds();

    /**
     * @param worth the worth that is served in a shorter duration
     * @param shorter the shorter duration
     * @param steps a duration
     * @return a bound on the worth that is served in it, because F(t) / t never rises
     */
    static int64_t Stretch(int64_t worth, int64_t shorter, int64_t steps);

    /**
     * @param worth the worth that is served
     * @param steps how long it takes
     * @param other another worth
     * @param otherSteps how long that takes
     * @return true if the first has the higher ratio, switching delays included
     */
    bool IsBetter(int64_t worth, int64_t steps, int64_t other, int64_t otherSteps) const;

    ServiceTimeMatrix m_left;             //!< Service times that are left
    std::vector<uint32_t> m_lanes;        //!< Worth of a time step by pair
    int64_t m_delay;                      //!< Switching delay in time steps
    int64_t m_tolerance;                  //!< Tolerance in millionths
    AssignmentSolver m_solver;            //!< Finds matchings
    std::map<int64_t, uint32_t> m_counts; //!< Number of pairs by the time that they have left
    std::map<int64_t, Bound> m_bounds;    //!< Bounds on F by duration
    uint32_t m_step{0};                   //!< Number of steps so far
};

} // namespace lightpath
} // namespace ns3

#endif /* ECLIPSE_SEARCH_H */
