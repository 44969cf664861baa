/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DOWN_SETS_H
#define DOWN_SETS_H

#include "stage-graph.h"

#include <boost/dynamic_bitset.hpp>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief All down-sets (ideals) of a directed acyclic graph: the sets of nodes that contain, with
 * each node, all those that it reads.
 *
 * The first stages of a pipeline are a down-set, and the difference of two nested down-sets is a
 * stage (Tarnawski et al., "Efficient algorithms for device placement of DNN graph operators",
 * 2020). They are found by size: each one is a smaller one with one node more. A chain of n nodes
 * has n + 1 of them; parallel branches have as many as the product of the branches.
 */
class DownSets
{
  public:
    /// A set of nodes, a bit for each one.
    using Set = boost::dynamic_bitset<>;

    /**
     * Refuses, by std::invalid_argument, a graph with more down-sets than the limit.
     *
     * @param graph the graph
     * @param limit the most down-sets
     */
    DownSets(const StageGraph& graph, std::size_t limit);

    /**
     * @return the down-sets by their size, from the empty one to that of all nodes
     */
    const std::vector<Set>& Get() const;

  private:
    std::vector<Set> m_sets; //!< The down-sets
};

} // namespace lightpath
} // namespace ns3

#endif /* DOWN_SETS_H */
