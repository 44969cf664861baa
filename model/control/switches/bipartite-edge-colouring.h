/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BIPARTITE_EDGE_COLOURING_H
#define BIPARTITE_EDGE_COLOURING_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Gives each edge of a bipartite multigraph a colour that no other edge at its ends has.
 *
 * As many colours as the largest degree are enough (Koenig, 1916). Edges are added one by one;
 * where no colour is free at both ends, the two colours of an alternating path are exchanged. A
 * colour may be blocked at a node; then some edge may find no colour, though another order of the
 * edges might have left one for it.
 */
class BipartiteEdgeColouring
{
  public:
    /// Marks an end that no edge of a colour has.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// Marks an end that no edge of a colour may have.
    static constexpr uint32_t BLOCKED = UINT32_MAX - 1;

    /**
     * @param nodes the number of nodes on the left, and on the right
     * @param colours the number of colours
     */
    BipartiteEdgeColouring(uint32_t nodes, uint32_t colours);

    /**
     * Allow no edge of a colour at a node on the left, which must have none yet.
     *
     * @param left the node
     * @param colour the colour
     */
    void BlockLeft(uint32_t left, uint32_t colour);

    /**
     * Allow no edge of a colour at a node on the right, which must have none yet.
     *
     * @param right the node
     * @param colour the colour
     */
    void BlockRight(uint32_t right, uint32_t colour);

    /**
     * Add an edge. Other edges may change their colours.
     *
     * @param left the node on the left
     * @param right the node on the right
     * @return true if a colour was found, which is certain if no colour is blocked and both ends
     *         have fewer edges than there are colours
     */
    bool Add(uint32_t left, uint32_t right);

    /**
     * Give an edge a colour that is free at both of its ends.
     *
     * @param left the node on the left
     * @param right the node on the right
     * @param colour the colour
     */
    void Set(uint32_t left, uint32_t right, uint32_t colour);

    /**
     * Take an edge away.
     *
     * @param left the node on the left
     * @param colour the colour of the edge
     */
    void Remove(uint32_t left, uint32_t colour);

    /**
     * @param left a node on the left
     * @param colour a colour
     * @return the right end of the edge of this colour at the node, NONE or BLOCKED
     */
    uint32_t GetRight(uint32_t left, uint32_t colour) const;

    /**
     * @param right a node on the right
     * @param colour a colour
     * @return the left end of the edge of this colour at the node, NONE or BLOCKED
     */
    uint32_t GetLeft(uint32_t right, uint32_t colour) const;

  private:
    /// The nodes of one side, by what they have at the far end of each colour.
    using Ends = std::vector<uint32_t>;

    /**
     * Exchange two colours on the path that starts at a node, so that the first one becomes free
     * there. Nothing changes if a colour is blocked at the far end of the path.
     *
     * @param onRight whether the node is on the right
     * @param start the node, where the second colour is free
     * @param first the colour to be freed
     * @param second the other colour
     * @return true if the colours were exchanged
     */
    bool Exchange(bool onRight, uint32_t start, uint32_t first, uint32_t second);

    /**
     * Exchange colours so that a colour that is free at one end of an edge becomes free at the
     * other end too.
     *
     * @param onRight whether the other end is on the right
     * @param here the end where the colour is free
     * @param there the other end
     * @return the colour; NONE if there is no such
     */
    uint32_t Free(bool onRight, uint32_t here, uint32_t there);

    uint32_t m_colours;           //!< Number of colours
    Ends m_right;                 //!< Right end by left node and colour
    Ends m_left;                  //!< Left end by right node and colour
    std::vector<uint32_t> m_path; //!< The nodes of the path that is exchanged
};

} // namespace lightpath
} // namespace ns3

#endif /* BIPARTITE_EDGE_COLOURING_H */
