/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_SOLVERS_H
#define GRAPH_SOLVERS_H

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief An edge of a graph without directions.
 */
struct WeightedEdge
{
    uint32_t first{0};  //!< One of its nodes
    uint32_t second{0}; //!< The other, a different one
    int64_t weight{0};  //!< Its weight; at most 2^60 over twice the number of nodes
};

/**
 * @ingroup lightpath
 * @brief An arc of a network, along which flow goes from its tail to its head.
 */
struct FlowArc
{
    uint32_t tail{0};    //!< The node where it begins
    uint32_t head{0};    //!< The node where it ends
    int64_t capacity{0}; //!< The most flow on it
    int64_t cost{0};     //!< The cost of one unit of flow; may be negative
};

/**
 * @ingroup lightpath
 * Find edges without a common node that are worth most in all, in any graph (Edmonds' blossom
 * algorithm, by LEMON).
 *
 * @param nodes the number of nodes
 * @param edges the edges; those with no positive weight are never chosen
 * @return the indices of the edges, ascending
 */
std::vector<uint32_t> FindMaxWeightMatching(uint32_t nodes, const std::vector<WeightedEdge>& edges);

/**
 * @ingroup lightpath
 * Find the cheapest flow in a network (network simplex, by LEMON). It is integral.
 *
 * @param supplies the flow that each node feeds into the network; negative if it takes flow out
 * @param arcs the arcs
 * @return the flow on each arc; none if the supplies cannot be carried
 */
std::optional<std::vector<int64_t>> FindMinCostFlow(const std::vector<int64_t>& supplies,
                                                    const std::vector<FlowArc>& arcs);

} // namespace lightpath
} // namespace ns3

#endif /* GRAPH_SOLVERS_H */
