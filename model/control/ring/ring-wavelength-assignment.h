/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_WAVELENGTH_ASSIGNMENT_H
#define RING_WAVELENGTH_ASSIGNMENT_H

#include "ring-span.h"

#include "ns3/ring-geometry.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Assigns wavelengths to the arcs of one direction of a ring, as few as it can.
 *
 * Arcs with a segment in common get different wavelengths. This is the colouring of a circular-arc
 * graph, which is NP-hard (Garey, Johnson, Miller and Papadimitriou, 1980). The load L, which is
 * the largest number of arcs on one segment, is a lower bound, and 2L - 1 wavelengths are enough
 * for any arcs (Tucker, 1975), though a heuristic may take more.
 */
class RingWavelengthAssignment
{
  public:
    /// How wavelengths are assigned.
    enum Method
    {
        /// The fewest wavelengths of CUT, LONGEST_FIRST and DSATUR. The second is left out beyond
        /// 2^16 arcs and the third beyond 2^13, and both are if CUT reaches the bound.
        BEST,
        /// Cut the ring at a node, give the arcs through it a wavelength each, and sweep the others
        /// from the node on, each on the free wavelength that is next to be taken again; the best
        /// of several cuts. Exact if no arc passes some node. All nodes are cut at as long as nodes
        /// times arcs are at most 2^21, and else as many as this allows, those passed by fewest
        /// arcs.
        CUT,
        /// The longest arcs first, each on the lowest free wavelength.
        LONGEST_FIRST,
        /// The arc whose neighbours have most wavelengths first (Brelaz, 1979), on the lowest free
        /// one. The time grows as the square of the number of arcs.
        DSATUR,
        /// Branch and bound, beginning with BEST. Exact within the limits that the caller sets.
        EXACT,
    };

    /// What an exact search may take.
    struct Limits
    {
        uint32_t arcs{64};       //!< Most arcs for which a search is begun
        uint64_t steps{1000000}; //!< Most arcs coloured, counting each time, until it is given up
    };

    /// Wavelengths for all arcs.
    struct Result
    {
        std::vector<uint32_t> wavelengths; //!< The wavelength of each arc, counted from 0
        uint32_t used{0};                  //!< The number of wavelengths
        uint32_t load{0};                  //!< The most arcs on one segment
        /// A number of wavelengths below which no assignment comes: the load, or more where arcs
        /// of some length and above are too many for the number of them that fit on one
        /// wavelength, or where a search has proven more
        uint32_t bound{0};
        Method method{CUT}; //!< What has found them: one of those that BEST compares, or EXACT

        /**
         * @return true if there is proof that no assignment uses fewer wavelengths
         */
        bool IsOptimal() const
        {
            return used == bound;
        }
    };

    /**
     * A ring of less than 2 nodes is refused by std::invalid_argument.
     *
     * @param nodes the number N of nodes
     */
    explicit RingWavelengthAssignment(uint32_t nodes);

    /**
     * Add an arc. One without segments, with all of them or beginning beyond the ring is refused by
     * std::invalid_argument.
     *
     * @param span the arc
     */
    void Add(const RingSpan& span);

    /**
     * Add the arc from one node to another. Nodes beyond the ring, or the same one twice, are
     * refused by std::invalid_argument.
     *
     * @param source the node that sends
     * @param destination the node that receives
     * @param direction the direction, which should be the same for all arcs
     */
    void Add(uint32_t source, uint32_t destination, RingDirection direction);

    /**
     * @return the arcs in the order in which they were added
     */
    const std::vector<RingSpan>& GetSpans() const;

    /**
     * Set what EXACT may take.
     *
     * @param limits the limits
     */
    void SetLimits(const Limits& limits);

    /**
     * @param method how wavelengths are assigned
     * @return a wavelength for each arc
     */
    Result Assign(Method method = BEST) const;

  private:
    /**
     * @return the most arcs on one segment
     */
    uint32_t GetLoad() const;

    /**
     * Find the longest arcs that need most wavelengths: those of at least so many segments, over
     * the number of them that fit on one wavelength.
     *
     * @return a number of wavelengths below which no assignment comes
     */
    uint32_t GetPackingBound() const;

    /**
     * @param shortest the number of segments of the shortest arc from each segment on, or a large
     *        number if no arc begins there
     * @return the largest number of these arcs of which no two overlap
     */
    uint32_t GetMostDisjoint(const std::vector<uint32_t>& shortest) const;

    /**
     * @param result the load and the bound; receives the best of the heuristics
     * @param method how wavelengths are assigned, other than EXACT
     */
    void AssignByRule(Result& result, Method method) const;

    uint32_t m_nodes;              //!< Number of nodes and of segments
    std::vector<RingSpan> m_spans; //!< The arcs
    Limits m_limits;               //!< What an exact search may take
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_WAVELENGTH_ASSIGNMENT_H */
