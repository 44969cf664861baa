/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAYER_TIMES_H
#define LAYER_TIMES_H

#include "gradient-map.h"
#include "planner.h"
#include "tensor-sharing.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief How soon one microbatch can go through the layers of a model on GPUs that have nothing
 * else to do, and how long each layer keeps a GPU busy.
 *
 * The times are those of the longest chain of operators and of the collectives between them, all at
 * the best rate that the fabric can have. Operator j of a pass follows operator i of the same layer
 * not only if it reads it, but also if i comes before it in the order of the program and was ready
 * no later: a GPU runs the first one of those that are ready. Layers are never cut, so that all
 * operators of one run on the same GPU.
 *
 * One longest chain from the first layer to the last and back is the spine. Positions are times on
 * it from its begin on; by layer, so that they hold wherever the layers are cut into stages.
 */
class LayerTimes
{
  public:
    /**
     * @param problem the problem
     * @param gradients the gradients of its model
     * @param strategy the strategy, of which the tensor and the sequence parallelism and the
     *        recomputation count
     * @param samples the samples of a microbatch
     */
    LayerTimes(const PlanningProblem& problem,
               const GradientMap& gradients,
               const Strategy& strategy,
               uint64_t samples);

    /**
     * @param fabric a fabric
     * @return the rate at which a GPU can send at most, inside and outside its server, bytes/s
     */
    static double GetBestRate(const FabricLimits& fabric);

    /**
     * @param fabric a fabric
     * @return the least latency of a message, seconds
     */
    static double GetBestLatency(const FabricLimits& fabric);

    /**
     * A lower bound on the time of a reduction of one byte, without latency: all ranks together
     * send 2 (n - 1) bytes for each byte of the buffer (Patarasuk and Yuan, 2009). Of these,
     * 2 (N - 1) leave a server if the ranks are in N servers.
     *
     * @param fabric the fabric
     * @param ranks the number n of ranks
     * @return the time of an all-reduce for each byte of its buffer, seconds; a reduce-scatter or
     *         an all-gather takes half of it
     */
    static double GetReductionSeconds(const FabricLimits& fabric, uint32_t ranks);

    std::vector<double> begin;    //!< Forward: position where the spine enters each layer or later
    std::vector<double> end;      //!< Forward: where it has computed the layers up to each one
    std::vector<double> back;     //!< Backward: where it enters each layer or one before
    std::vector<double> done;     //!< Backward: where it has computed each layer and those behind
    std::vector<double> forward;  //!< Time that forward operators take, of the layers before, s
    std::vector<double> backward; //!< The same of backward operators and what they need anew, s
    std::vector<double> head;     //!< Earliest begin of something that leadForward counts, s
    std::vector<double> tail;     //!< Least time after all that leadBackward counts, seconds
    std::vector<double> leadForward;  //!< As forward, of what depends on the first layer, s
    std::vector<double> leadBackward; //!< As backward, of what the first layer depends on, seconds
    std::vector<double> complete;  //!< Position before which no counted gradient up to a layer is
    std::vector<double> gradients; //!< Bytes of the counted gradients of the layers before
    double length{0};              //!< Length of the spine, seconds
    double crossingBytes{0};       //!< Least bytes that each GPU sends where layers are cut
    double keptBytes{0};           //!< Bytes that all layers keep of a microbatch, at least
    double parameters{0};          //!< Parameters of each GPU if there is one stage

  private:
    /// An operator of the microbatch, computed for the first time or anew.
    struct Node
    {
        uint32_t op{0};            //!< Its index in the graph
        uint32_t layer{0};         //!< Its layer
        bool backward{false};      //!< Whether it belongs to the backward pass
        double seconds{0};         //!< Its time
        double start{0};           //!< Its earliest begin, seconds
        double after{0};           //!< Length of the longest chain behind it, seconds
        uint32_t from{UINT32_MAX}; //!< The node before it on the longest chain to it
        bool isLead{false};        //!< Whether it depends on the first layer, or that on it
    };

    /// What one node reads of another.
    struct Edge
    {
        uint32_t from{0};  //!< The node that is read
        double seconds{0}; //!< Time of the collective in between
    };

    /**
     * Make the nodes and edges.
     *
     * @param sharing how a tensor-parallel group shares the operators
     */
    void Build(const TensorSharing& sharing);

    /**
     * Add what is computed anew of a layer, before its backward pass.
     *
     * @param sharing how a tensor-parallel group shares the operators
     * @param layer the layer
     */
    void AddAnew(const TensorSharing& sharing, uint32_t layer);

    /**
     * @param sharing how a tensor-parallel group shares the operators
     * @param op the index of an operator
     * @param backward whether it is computed in the backward pass
     * @return the node
     */
    uint32_t AddNode(const TensorSharing& sharing, uint32_t op, bool backward);

    /**
     * @param sharing how a tensor-parallel group shares the operators
     * @param from the node that is read
     * @param to the node that reads it
     */
    void AddEdge(const TensorSharing& sharing, uint32_t from, uint32_t to);

    /**
     * Add the order of operators of one layer that no edge orders.
     *
     * @param sharing how a tensor-parallel group shares the operators
     */
    void AddOrder(const TensorSharing& sharing);

    /**
     * Find the longest chains, and the spine.
     *
     * @return the nodes of the spine
     */
    std::vector<uint32_t> FindChains();

    /**
     * @param spine the nodes of the spine
     */
    void SetPositions(const std::vector<uint32_t>& spine);

    /**
     * Set what does not depend on the spine.
     */
    void SetSums();

    /**
     * @param gradients the gradients of the model
     * @param sharing how a tensor-parallel group shares the operators
     * @param spine the nodes of the spine
     */
    void SetGradients(const GradientMap& gradients,
                      const TensorSharing& sharing,
                      const std::vector<uint32_t>& spine);

    /**
     * Set what is sent where layers are cut, and what they keep.
     *
     * @param sharing how a tensor-parallel group shares the operators
     */
    void SetBytes(const TensorSharing& sharing);

    /**
     * @param op an operator
     * @return whether it is a forward operator that the backward pass computes anew
     */
    bool IsRecomputed(const Operator& op) const;

    const PlanningProblem& m_problem;       //!< The problem
    Strategy m_strategy;                    //!< The strategy
    uint64_t m_samples;                     //!< Samples of a microbatch
    uint32_t m_layers;                      //!< Layers of the model
    std::vector<Node> m_nodes;              //!< The nodes, each one behind those that it reads
    std::vector<std::vector<Edge>> m_reads; //!< What each node reads
    std::vector<uint32_t> m_first;          //!< The node of each operator, as first computed
    std::vector<uint32_t> m_latest;         //!< The node of each operator, as last computed
    std::vector<uint32_t> m_anew; //!< The last nodes of the current layer that are computed anew
};

} // namespace lightpath
} // namespace ns3

#endif /* LAYER_TIMES_H */
