/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAYER_CHAIN_H
#define LAYER_CHAIN_H

#include "model/planner/write/tensor-sharing.h"

#include "ns3/planner.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The order of the operators of one microbatch, including recomputed ones.
 */
class LayerChain
{
  public:
    /// An operator of the microbatch, computed for the first time or recomputed.
    struct Node
    {
        uint32_t op{0};            //!< Its index in the graph
        uint32_t layer{0};         //!< Its layer
        bool backward{false};      //!< Whether it belongs to the backward pass
        double seconds{0};         //!< Its time
        double start{0};           //!< Length of the longest chain to it from the first layer, s
        double after{0};           //!< Length of the longest chain behind it to that layer, s
        uint32_t from{UINT32_MAX}; //!< The node before it on the longest chain to it
        bool isFed{false};         //!< Whether it depends on the first layer
        bool isLead{false};        //!< Whether it does, if forward, or that on it, if backward
        bool isFar{false};         //!< Whether the last layer depends on it, or it on that
    };

    /// A result of one node that another node reads.
    struct Edge
    {
        uint32_t from{0}; //!< The node that is read
        double launch{0}; //!< Time of the collective in between without bytes, seconds
        double sample{0}; //!< Time of it for each sample, seconds
    };

    /**
     * @param problem the problem
     * @param sharing how a tensor-parallel group shares the operators; both must outlive this
     *        object
     * @param strategy the strategy, as for LayerTimes
     */
    LayerChain(const PlanningProblem& problem,
               const TensorSharing& sharing,
               const Strategy& strategy);

    /**
     * @return the nodes, each one behind those that it reads, without times
     */
    const std::vector<Node>& GetNodes() const;

    /**
     * @return the results that each node reads
     */
    const std::vector<std::vector<Edge>>& GetReads() const;

    /**
     * @param op an operator of the forward or backward pass
     * @return the node that computes it first
     */
    uint32_t GetFirst(uint32_t op) const;

    /**
     * A collective between two layers belongs to the stage of one of them: a stage with both layers
     * surely has it.
     *
     * @param layer a layer
     * @return the least end of a stage from this layer on that surely has a collective (the first
     *         layer behind the stage); UINT32_MAX if there is none
     */
    uint32_t GetCollectiveEnd(uint32_t layer) const;

    /**
     * @param op an operator
     * @return whether it is a forward operator that the backward pass recomputes
     */
    bool IsRecomputed(const Operator& op) const;

  private:
    /**
     * Make the nodes and edges.
     */
    void Build();

    /**
     * Add the recomputed operators of a layer, before its backward pass.
     *
     * @param layer the layer
     */
    void AddAnew(uint32_t layer);

    /**
     * @param op the index of an operator
     * @param backward whether it is computed in the backward pass
     * @return the node
     */
    uint32_t AddNode(uint32_t op, bool backward);

    /**
     * @param from the node that is read
     * @param to the node that reads it
     */
    void AddEdge(uint32_t from, uint32_t to);

    /**
     * Find the layers that have collectives.
     */
    void FindCollectives();

    /**
     * Add edges for the order of the program between operators of one layer.
     */
    void AddOrder();

    const PlanningProblem& m_problem;               //!< The problem
    const TensorSharing& m_sharing;                 //!< How a group shares operators
    Strategy m_strategy;                            //!< The strategy
    uint32_t m_layers;                              //!< Layers of the model
    std::vector<std::vector<uint32_t>> m_operators; //!< The operators of each layer
    std::vector<Node> m_nodes;              //!< The nodes, each one behind those that it reads
    std::vector<std::vector<Edge>> m_reads; //!< The results that each node reads
    std::vector<uint32_t> m_first;          //!< The node of each operator, as first computed
    std::vector<uint32_t> m_latest;         //!< The node of each operator, as last computed
    std::vector<uint32_t> m_collectiveEnds; //!< See GetCollectiveEnd()
    std::vector<uint32_t> m_recomputed;     //!< The last recomputed nodes of the current layer
};

} // namespace lightpath
} // namespace ns3

#endif /* LAYER_CHAIN_H */
