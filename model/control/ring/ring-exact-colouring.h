/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_EXACT_COLOURING_H
#define RING_EXACT_COLOURING_H

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
 * @brief Colours the arcs of a ring with the fewest colours by branch and bound.
 *
 * The arcs on the fullest segment get their colours first. Then the arc with fewest colours to
 * choose from is tried with each of them, and with one new colour, as long as there may be fewer
 * colours in all than in the best colouring known (Brelaz, 1979).
 */
class RingExactColouring
{
  public:
    /**
     * @param nodes the number of segments of the ring
     * @param spans the arcs; must outlive this object
     */
    RingExactColouring(uint32_t nodes, const std::vector<RingSpan>& spans);

    /**
     * @param start a colouring to begin with
     * @param bound a number of colours that ends the search
     * @param steps the most arcs that are coloured, counting each time
     * @return true if no colouring has fewer colours than the one found
     */
    bool Run(const RingColouring& start, uint32_t bound, uint64_t steps);

    /**
     * @return the best colouring found
     */
    const RingColouring& GetBest() const;

  private:
    /// Stands for an arc without a colour.
    static constexpr uint32_t NONE = ~uint32_t{0};

    /**
     * Colour the arcs that are left.
     *
     * @param left how many they are
     * @param used the number of colours in use
     */
    void Search(std::size_t left, uint32_t used);

    /**
     * @return the arc without a colour whose neighbours have most colours, and most neighbours
     */
    uint32_t FindNext() const;

    /**
     * @param arc an arc without a colour
     * @param colour its colour
     */
    void Set(uint32_t arc, uint32_t colour);

    /**
     * @param arc an arc whose colour is taken away
     */
    void Unset(uint32_t arc);

    std::vector<std::vector<uint32_t>> m_neighbours; //!< The arcs that each arc overlaps
    std::vector<uint32_t> m_fullest;                 //!< The arcs on the fullest segment
    std::vector<uint32_t> m_colours;                 //!< The colour of each arc, or NONE
    std::vector<std::vector<uint32_t>> m_denied; //!< Neighbours with a colour, by arc and colour
    std::vector<uint32_t> m_saturations;         //!< Colours of the neighbours of each arc
    RingColouring m_best;                        //!< The best colouring found
    uint32_t m_bound{0};                         //!< A number of colours that ends the search
    uint64_t m_steps{0};                         //!< Arcs that may still be coloured
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_EXACT_COLOURING_H */
