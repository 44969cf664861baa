/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_LANE_ASSIGNER_H
#define RING_LANE_ASSIGNER_H

#include "ring-lane-table.h"
#include "ring-problem.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Finds lanes for arcs of known direction, such that no two on a segment are the same.
 *
 * This is the colouring of a circular-arc graph, which is hard in general. The ring is cut at a
 * node: arcs that pass the node get lanes of their own, and the others are swept from the node on.
 * Cutting at a node that no arc passes is exact if all arcs may have the same lanes. Otherwise the
 * cuts are tried one by one, as is going by descending length, and the attempt that leaves out
 * fewest lanes is kept.
 */
class RingLaneAssigner
{
  public:
    /**
     * @param problem the pairs and the ring; must outlive this object
     * @param direction the direction of all arcs
     */
    RingLaneAssigner(const RingProblem& problem, uint32_t direction);

    /**
     * @param counts the lanes wanted in this direction by pair
     * @param effort the number of steps after which no other attempt is begun
     * @return the number of lanes that were not found
     */
    uint64_t Assign(const std::vector<uint32_t>& counts, uint64_t effort);

    /**
     * @return the lanes that the last call of Assign() has found
     */
    const std::vector<RingUnit>& GetUnits() const;

    /**
     * @return the pairs of the lanes that it has not found, one entry for each
     */
    const std::vector<uint32_t>& GetMissing() const;

  private:
    /// Where a sweep takes lanes from.
    enum class Fit : uint8_t
    {
        LOWEST, //!< The lowest free lanes
        NEXT,   //!< The free lanes that follow those taken last
    };

    /// Sort the arcs for sweeping and find how many lanes pass each node.
    void Prepare();

    /**
     * @param node the node where the ring is cut
     */
    void OrderByCut(uint32_t node);

    /// Order the arcs by descending length.
    void OrderByLength();

    /**
     * Take lanes for the arcs in the order that was set.
     *
     * @param fit where lanes are taken from
     */
    void Attempt(Fit fit);

    const RingProblem& m_problem;    //!< The pairs and the ring
    uint32_t m_direction;            //!< The direction of all arcs
    RingLaneTable m_table;           //!< The lanes that are free
    std::vector<uint32_t> m_counts;  //!< Lanes wanted by pair
    std::vector<uint32_t> m_sweep;   //!< Pairs by first segment, then by descending length
    std::vector<uint64_t> m_through; //!< Lanes that pass each node
    std::vector<uint32_t> m_order;   //!< Pairs in the order of the next attempt
    std::vector<RingUnit> m_units;   //!< The lanes of the best attempt
    std::vector<uint32_t> m_missing; //!< The pairs that the best attempt has left out
    bool m_hasAttempt{false};        //!< Whether there was an attempt
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_LANE_ASSIGNER_H */
