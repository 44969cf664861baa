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
 * As many colours as the largest degree are enough (Koenig). Edges are added one by one; where no
 * colour is free at both ends, the two colours of an alternating path are exchanged.
 */
class BipartiteEdgeColouring
{
  public:
    /// Marks an end that no edge of a colour has.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * @param nodes the number of nodes on the left, and on the right
     * @param colours the number of colours
     */
    BipartiteEdgeColouring(uint32_t nodes, uint32_t colours);

    /**
     * Add an edge, whose ends must both have fewer edges than there are colours.
     *
     * @param left the node on the left
     * @param right the node on the right
     */
    void Add(uint32_t left, uint32_t right);

    /**
     * @param left a node on the left
     * @param colour a colour
     * @return the right end of the edge of this colour at the node, or NONE
     */
    uint32_t GetRight(uint32_t left, uint32_t colour) const;

  private:
    /**
     * Exchange two colours on the path that starts at a node on the right, so that the first one
     * becomes free there.
     *
     * @param right the node on the right, where the second colour is free
     * @param first the colour to be freed
     * @param second the other colour
     */
    void Exchange(uint32_t right, uint32_t first, uint32_t second);

    /**
     * Give an edge a colour that is free at both of its ends.
     *
     * @param left the node on the left
     * @param right the node on the right
     * @param colour the colour
     */
    void Set(uint32_t left, uint32_t right, uint32_t colour);

    /**
     * @param ends the far end by node and colour
     * @param node a node
     * @return the first colour that is free at the node
     */
    uint32_t GetFree(const std::vector<uint32_t>& ends, uint32_t node) const;

    uint32_t m_colours;            //!< Number of colours
    std::vector<uint32_t> m_right; //!< Right end by left node and colour
    std::vector<uint32_t> m_left;  //!< Left end by right node and colour
    std::vector<uint32_t> m_path;  //!< The nodes of the path that is exchanged
};

} // namespace lightpath
} // namespace ns3

#endif /* BIPARTITE_EDGE_COLOURING_H */
