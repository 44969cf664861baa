/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_COLOUR_TABLE_H
#define RING_COLOUR_TABLE_H

#include "ring-span.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @param bits bits, 64 to a word
 * @return the index of the lowest bit that is zero; that of the bit after the last if none is
 */
uint32_t FindLowestZero(const std::vector<uint64_t>& bits);

/**
 * @ingroup lightpath
 * @brief Which colours are in use on which segments of a ring.
 *
 * A tree over the segments holds a bit for each colour, so that an arc is asked for or taken in a
 * time that grows as the logarithm of the number of its segments.
 */
class RingColourTable
{
  public:
    /**
     * No colour is in use at first.
     *
     * @param nodes the number of segments
     */
    explicit RingColourTable(uint32_t nodes);

    /**
     * @param span an arc
     * @return a bit for each colour, set if it is in use on a segment of the arc; valid until the
     *         next call
     */
    const std::vector<uint64_t>& FindUsed(const RingSpan& span);

    /**
     * @param span an arc
     * @param colour the colour to use on all its segments
     */
    void Take(const RingSpan& span, uint32_t colour);

  private:
    /**
     * Call a function for each part of an arc that does not go past segment N - 1.
     *
     * @tparam F the type of the function
     * @param span the arc
     * @param visit called with the segment where a part begins and the one after its last
     */
    template <typename F>
    void Split(const RingSpan& span, const F& visit) const;

    /**
     * Call a function for the places of the tree that together stand for some segments.
     *
     * @tparam F the type of the function
     * @param begin the first of the segments
     * @param end the one after the last
     * @param visit called with each place
     */
    template <typename F>
    void VisitCover(uint32_t begin, uint32_t end, const F& visit) const;

    /**
     * Add bits of one place of the tree to the answer.
     *
     * @param bits the bits of all places
     * @param place the place
     */
    void Collect(const std::vector<uint64_t>& bits, uint32_t place);

    /**
     * Make room for more colours.
     *
     * @param words the words of 64 colours wanted
     */
    void Grow(uint32_t words);

    uint32_t m_nodes;                //!< Number of segments
    uint32_t m_leaves{1};            //!< Number of leaves of the tree, a power of two
    uint32_t m_words{1};             //!< Words of 64 colours for one place of the tree
    std::vector<uint64_t> m_begun;   //!< Colours of arcs that begin below each place
    std::vector<uint64_t> m_covered; //!< Colours of arcs that cover all below each place
    std::vector<uint64_t> m_used;    //!< The answer of FindUsed()
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_COLOUR_TABLE_H */
