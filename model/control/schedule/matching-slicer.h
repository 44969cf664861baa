/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MATCHING_SLICER_H
#define MATCHING_SLICER_H

#include "bipartite-matching.h"
#include "service-time-matrix.h"

#include <cstdint>
#include <optional>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Cuts service times whose lines are stuffed to equal sums into permutations, each with the
 * smallest time of its pairs.
 *
 * As all lines keep equal sums, a permutation exists as long as anything is left (Birkhoff, 1946;
 * von Neumann, 1953), and the times of all permutations add up to the line sum. Each permutation
 * uses up a pair, and the rest lies on a face of the polytope of bistochastic matrices that
 * has fewer dimensions: there are at most n^2 - 2n + 2 permutations of n devices, whichever are
 * taken.
 */
class MatchingSlicer
{
  public:
    /**
     * @param times the service times, which are stuffed here
     */
    explicit MatchingSlicer(const ServiceTimeMatrix& times);

    /**
     * @return the line sum of the rest, in time steps
     */
    int64_t GetLineSum() const;

    /**
     * @param threshold the smallest time of a pair that a permutation may have; at least 1, and not
     * above the threshold before
     */
    void SetThreshold(int64_t threshold);

    /**
     * Cut a permutation off.
     *
     * @return the permutation; none if each one has a pair below the threshold
     */
    std::optional<TimedMatching> Slice();

  private:
    ServiceTimeMatrix m_left;     //!< The rest, stuffed
    int64_t m_lineSum;            //!< Sum of each line of it
    int64_t m_threshold;          //!< The smallest time of a pair
    BipartiteMatching m_matching; //!< The pairs from the threshold on
};

} // namespace lightpath
} // namespace ns3

#endif /* MATCHING_SLICER_H */
