/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERIES_PARALLEL_TREE_H
#define SERIES_PARALLEL_TREE_H

#include "stage-graph.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief How a graph is made up of chains and parallel branches.
 *
 * Between a source before all nodes and a sink behind them, a node with one predecessor and one
 * successor becomes an edge between these (series), and two edges between the same nodes become one
 * (parallel), until nothing changes (Valdes, Tarjan, Lawler, "The recognition of series parallel
 * digraphs", 1982). A series-parallel graph ends up as a single edge; of any other one a core is
 * left. O((V + E) log V).
 *
 * The tree tells how many down-sets the graph has without finding them: those of parallel branches
 * multiply, those of a chain add up. It also tells what can be merged so that they become few
 * enough for StagePartitioner.
 */
class SeriesParallelTree
{
  public:
    /**
     * @param graph the graph; it must outlive this object
     */
    explicit SeriesParallelTree(const StageGraph& graph);

    /**
     * @return true if the graph is series-parallel between a source and a sink added to it
     */
    bool IsSeriesParallel() const;

    /**
     * @return the nodes of the core that is not series-parallel, in ascending order
     */
    const std::vector<uint32_t>& GetCore() const;

    /**
     * @param limit a number of down-sets
     * @return the number of down-sets of the graph, exact if it does not exceed the limit;
     * otherwise some number above it
     */
    uint64_t CountDownSets(uint64_t limit) const;

    /**
     * Merge parallel branches, with all that lies between their ends, until the graph has few
     * down-sets: those of the least time first, as cutting through them would gain least. Without
     * messages and if GPUs may be left unused, merging a block makes the slowest stage slower by
     * the time of the merged blocks at most.
     *
     * @param limit the most down-sets that are wanted
     * @return the merged node of each node, for StageGraph::Merge(); a core and a chain stay as
     *         they are, even if they have more down-sets
     */
    std::vector<uint32_t> Contract(uint64_t limit) const;

    /**
     * Merge nodes in a chain, each the only one to read the one before, as long as a merged node
     * takes no more than some time. Without messages and if GPUs may be left unused, the slowest
     * stage gets slower by that time at most.
     *
     * @param graph a graph
     * @param seconds the most time that nodes are merged up to, s
     * @return the merged node of each node, for StageGraph::Merge()
     */
    static std::vector<uint32_t> MergeChains(const StageGraph& graph, double seconds);

  private:
    /// How a block is made up.
    enum Kind
    {
        EDGE,    //!< An edge of the graph
        SERIES,  //!< Two blocks with a node in between
        PARALLEL //!< Two blocks side by side
    };

    /// What lies between two nodes.
    struct Block
    {
        Kind kind{EDGE};   //!< How it is made up
        uint32_t node{0};  //!< The node in between
        uint32_t left{0};  //!< The block before the node, or the one side
        uint32_t right{0}; //!< The block behind the node, or the other side
        uint32_t nodes{0}; //!< Number of nodes inside
        double seconds{0}; //!< Time of the nodes inside, s
    };

    /**
     * Put a block between two nodes, in parallel to what is there.
     *
     * @param from the node before it
     * @param to the node behind it
     * @param block the block
     */
    void Connect(uint32_t from, uint32_t to, const Block& block);

    /**
     * Make one block of a node and what lies before and behind it.
     *
     * @param node a node with one predecessor and one successor
     */
    void Reduce(uint32_t node);

    /**
     * Multiply without overflow.
     *
     * @param a a number
     * @param b a number
     * @return their product, or the largest number
     */
    static uint64_t Multiply(uint64_t a, uint64_t b);

    /**
     * @param merged whether each block is merged to one node
     * @param limit a number of down-sets
     * @return the number of down-sets, exact if it does not exceed the limit
     */
    uint64_t Count(const std::vector<bool>& merged, uint64_t limit) const;

    /**
     * @param block a block
     * @param node the number given to all nodes inside
     * @param [in,out] nodes the number of each node
     */
    void Mark(uint32_t block, uint32_t node, std::vector<uint32_t>& nodes) const;

    /**
     * @param graph a graph
     * @param groups a number for each node, the same for those that are to be merged
     * @return the same in a topological order from 0 on
     */
    static std::vector<uint32_t> Sort(const StageGraph& graph, const std::vector<uint32_t>& groups);

    const StageGraph& m_graph;                          //!< The graph
    std::vector<Block> m_blocks;                        //!< The blocks, each behind its parts
    std::vector<std::map<uint32_t, uint32_t>> m_behind; //!< Block to each node behind, by node
    std::vector<std::map<uint32_t, uint32_t>> m_before; //!< Block from each node before, by node
    std::vector<uint32_t> m_core;                       //!< The nodes that are left
};

} // namespace lightpath
} // namespace ns3

#endif /* SERIES_PARALLEL_TREE_H */
