/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_MAX_MIN_SEARCH_H
#define RING_MAX_MIN_SEARCH_H

#include "model/control/fair-share.h"
#include "ring-bound.h"
#include "ring-packer.h"
#include "ring-problem.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Looks for the lanes that give the pairs of a ring the largest smallest share.
 */
class RingMaxMinSearch
{
  public:
    /**
     * @param problem the pairs, of which there must be one, and the ring
     */
    explicit RingMaxMinSearch(const RingProblem& problem);

    /**
     * Find the lanes. If not all pairs can have one then the pairs are taken by descending demand,
     * and the search is among those that find free.
     *
     * @return the lanes, in no particular order
     */
    std::vector<RingUnit> Run();

    /**
     * @return a share that the smallest share of no allocation exceeds, once Run() has been called
     */
    const FairShare& GetBound() const;

    /**
     * Tighten the bound, down to the share that Run() has found.
     */
    void LowerBound();

    /**
     * Give lanes that are free to the pairs with the smallest share, until no pair finds another.
     * A pair that has lanes takes none on an arc longer than theirs, as it would make its frames,
     * which are striped over all its lanes, arrive later.
     *
     * @param units the lanes given so far, to which the new ones are added
     * @param onlyFirst true to give lanes only to pairs that have none
     */
    void FillUp(std::vector<RingUnit>& units, bool onlyFirst) const;

  private:
    /**
     * Serve all pairs.
     *
     * @param problem the pairs and the ring
     * @param limits bounds that hold for all its allocations
     * @param [out] bound the largest share that the pairs may have
     * @param units the lanes that the search begins with, and the best ones found
     * @return the smallest share of those found; no lanes if none were
     */
    static FairShare Search(const RingProblem& problem,
                            RingBound& limits,
                            FairShare& bound,
                            std::vector<RingUnit>& units);

    /**
     * Serve as many pairs as possible with one lane each, by descending demand.
     *
     * @return the lanes
     */
    std::vector<RingUnit> Admit() const;

    /**
     * Take one lane for each pair that finds one.
     *
     * @param order the pairs in the order in which they are asked
     * @return the lanes
     */
    std::vector<RingUnit> TakeOneEach(const std::vector<uint32_t>& order) const;

    const RingProblem& m_problem; //!< The pairs and the ring
    RingBound m_limits;           //!< Bounds that hold for all allocations
    FairShare m_bound;            //!< A bound on the smallest share
    FairShare m_found;            //!< The smallest share if all pairs are served, or no lanes
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_MAX_MIN_SEARCH_H */
