/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BIPARTITE_MATCHING_H
#define BIPARTITE_MATCHING_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A bipartite graph that changes, and edges of it without a common node.
 *
 * The edges that were matched before stay so as far as possible: after a change of a few edges
 * only as many augmenting paths are searched for (breadth first, 64 nodes at a time).
 */
class BipartiteMatching
{
  public:
    /// Marks a node that has no partner.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * @param nodes the number of nodes on the left, and on the right
     */
    explicit BipartiteMatching(uint32_t nodes);

    /**
     * Add an edge; there is no effect if it exists.
     *
     * @param left the node on the left
     * @param right the node on the right
     */
    void Add(uint32_t left, uint32_t right);

    /**
     * Take an edge out of the graph, and out of the matching if it is in it.
     *
     * @param left the node on the left
     * @param right the node on the right
     */
    void Remove(uint32_t left, uint32_t right);

    /**
     * Match as many nodes as the graph allows, or stop when one has to stay alone.
     *
     * @return true if all nodes are matched
     */
    bool Complete();

    /**
     * @param left a node on the left
     * @return its partner on the right, or NONE
     */
    uint32_t GetRight(uint32_t left) const;

  private:
    /**
     * Match a node on the left, if an augmenting path starts from it.
     *
     * @param left a node without a partner
     * @return true if it has a partner
     */
    bool Augment(uint32_t left);

    uint32_t m_nodes;                 //!< Number of nodes on one side
    uint32_t m_words;                 //!< Words of 64 bits that a set of nodes takes
    std::vector<uint64_t> m_edges;    //!< Set of nodes on the right by node on the left
    std::vector<uint32_t> m_right;    //!< Partner by node on the left
    std::vector<uint32_t> m_left;     //!< Partner by node on the right
    std::vector<uint64_t> m_fresh;    //!< Nodes on the right that the search has not met
    std::vector<uint32_t> m_parent;   //!< The node on the left that met each node on the right
    std::vector<uint32_t> m_frontier; //!< Nodes on the left in the order in which they were met
};

} // namespace lightpath
} // namespace ns3

#endif /* BIPARTITE_MATCHING_H */
