/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STAGE_GRAPH_H
#define STAGE_GRAPH_H

#include "ns3/accelerator.h"
#include "ns3/operator-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A piece of a model that is not cut: a layer, or some operators.
 */
struct StageNode
{
    double seconds{0};        //!< Time of the forward and backward pass of a microbatch, s
    double outputBytes{0};    //!< Bytes of its result for a microbatch, which successors read
    double parameterBytes{0}; //!< Bytes of its gradients, which replicas sum
    double stateBytes{0};     //!< Bytes that each replica holds once
    double keptBytes{0};      //!< Bytes that each replica holds for each microbatch on its way
};

/**
 * @ingroup lightpath
 * @brief The pieces of a model that stages are made of, and what reads what.
 *
 * Nodes are held in a topological order: an edge leads from a lower to a higher index.
 */
class StageGraph
{
  public:
    /// What the nodes of a model are.
    enum Grain
    {
        OPERATORS, //!< Forward operators, each with its backward operators
        LAYERS,    //!< Layers
    };

    /**
     * Make the graph of a model. A node takes the time of the forward and backward operators; what
     * it has of parameters is counted wherever a forward operator uses them.
     *
     * @param graph the model
     * @param accelerator the GPUs
     * @param samples the samples of a microbatch
     * @param grain what the nodes are; with OPERATORS, in the order of the forward operators
     * @return the graph
     */
    static StageGraph Create(const OperatorGraph& graph,
                             const Accelerator& accelerator,
                             double samples,
                             Grain grain = LAYERS);

    /**
     * Add a node behind all others. Refused by std::invalid_argument if a number of it is negative
     * or not finite.
     *
     * @param node the node
     * @return its index
     */
    uint32_t AddNode(const StageNode& node);

    /**
     * State that one node reads the result of another. Refused by std::invalid_argument unless the
     * edge leads from a lower index to a higher one that exists. Stating it again changes nothing.
     *
     * @param from the index of the node that is read
     * @param to the index of the node that reads
     */
    void AddEdge(uint32_t from, uint32_t to);

    /**
     * @return the nodes in topological order
     */
    const std::vector<StageNode>& GetNodes() const;

    /**
     * @param node the index of a node
     * @return the indices of the nodes that it reads, in ascending order
     */
    const std::vector<uint32_t>& GetPredecessors(uint32_t node) const;

    /**
     * @param node the index of a node
     * @return the indices of the nodes that read it, in ascending order
     */
    const std::vector<uint32_t>& GetSuccessors(uint32_t node) const;

    /**
     * Make a graph that is cut in the order of the nodes only: each node precedes the next one.
     *
     * @return a graph with the same nodes and edges, and one from each node to the next
     */
    StageGraph MakeChain() const;

    /**
     * Merge nodes. What a merged node hands on is what its members hand on to nodes outside of it.
     * Refused by std::invalid_argument unless the merged nodes are in a topological order.
     *
     * @param node the index of the merged node of each node
     * @return the graph of the merged nodes
     */
    StageGraph Merge(const std::vector<uint32_t>& node) const;

  private:
    std::vector<StageNode> m_nodes;                    //!< The nodes
    std::vector<std::vector<uint32_t>> m_predecessors; //!< Nodes that each one reads
    std::vector<std::vector<uint32_t>> m_successors;   //!< Nodes that read each one
};

} // namespace lightpath
} // namespace ns3

#endif /* STAGE_GRAPH_H */
