/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_CUT_COLOURING_H
#define RING_CUT_COLOURING_H

#include "ring-greedy-colouring.h"
#include "ring-span.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Colours the arcs of a ring as intervals, having cut the ring at a node.
 *
 * The arcs through the node get a colour each. The others are swept in the order in which they
 * begin (left edge). Each takes, of the colours that are free at its beginning and stay so until
 * its end, the one that an arc through the node takes again soonest, or else a new one. With L arcs
 * on the fullest segment and T arcs through the node this takes L + T colours at most.
 */
class RingCutColouring
{
  public:
    /**
     * @param nodes the number of segments of the ring
     * @param spans the arcs; must outlive this object
     */
    RingCutColouring(uint32_t nodes, const std::vector<RingSpan>& spans);

    /**
     * Cut at one node after the other, those passed by fewest arcs first.
     *
     * @param effort nodes times arcs, up to which another node is tried
     * @param bound a number of colours that ends the search
     * @return the fewest colours found
     */
    RingColouring Run(uint64_t effort, uint32_t bound);

  private:
    /**
     * Colour the arcs for one cut; gives up when there are as many colours as the best has.
     *
     * @param node where the ring is cut
     */
    void Cut(uint32_t node);

    /**
     * Give an arc that does not pass the cut a colour.
     *
     * @param arc the index of the arc
     * @param begin how far behind the cut it begins
     */
    void Place(uint32_t arc, uint32_t begin);

    /**
     * Make the colours free whose arcs end up to a place.
     *
     * @param begin how far behind the cut the place is
     */
    void Release(uint32_t begin);

    /**
     * @return how many arcs pass each node
     */
    std::vector<uint32_t> GetThrough() const;

    uint32_t m_nodes;                          //!< Number of segments
    const std::vector<RingSpan>& m_spans;      //!< The arcs
    std::vector<uint32_t> m_order;             //!< Arcs by beginning, the longest first
    uint32_t m_released{0};                    //!< Up to where colours were made free
    std::vector<std::vector<uint32_t>> m_ends; //!< Colours in use by where they become free
    std::vector<std::vector<uint32_t>> m_free; //!< Free colours by where they are taken again
    std::vector<uint64_t> m_anyFree;           //!< A bit for each of the lists of free ones
    std::vector<uint32_t> m_deadlines;         //!< Where each colour is taken again
    RingColouring m_colouring;                 //!< The colours of this cut
    RingColouring m_best;                      //!< The colours of the best cut
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_CUT_COLOURING_H */
