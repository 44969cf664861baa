/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAYER_TIMES_H
#define LAYER_TIMES_H

#include "layer-chain.h"
#include "model/planner/build/tensor-sharing.h"

#include "ns3/gradient-map.h"
#include "ns3/planner.h"

#include <cstdint>
#include <memory>
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
     * Find out what precedes what, which does not depend on the microbatch. The times are set by
     * Measure().
     *
     * @param problem the problem; it must outlive this object
     * @param gradients the gradients of its model
     * @param strategy the strategy, of which the tensor and the sequence parallelism and the
     *        recomputation, and the replicas that share out experts, count
     */
    LayerTimes(const PlanningProblem& problem,
               const GradientMap& gradients,
               const Strategy& strategy);

    /**
     * @param samples the samples of a microbatch
     * @return the same with times
     */
    LayerTimes Measure(uint64_t samples) const;

    /**
     * @param from the first layer of a stage
     * @param to the first layer behind it
     * @return true if the stage surely has collectives of tensor or expert parallelism
     */
    bool HasCollectives(uint32_t from, uint32_t to) const
    {
        return m_chain->GetCollectiveEnd(from) <= to;
    }

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
    std::vector<double> farForward;   //!< As forward, of what the last layer depends on, seconds
    std::vector<double> farBackward;  //!< As backward, of what depends on the last layer, seconds
    std::vector<double> trafficForward;  //!< Time of bytes of collectives inside of the layers
                                         //!< before, on the spine, forward, seconds
    std::vector<double> trafficBackward; //!< The same backward, seconds
    std::vector<double> complete;  //!< Position before which no counted gradient up to a layer is
    std::vector<double> gradients; //!< Bytes of the counted gradients of the layers before
    std::vector<double> quiet;     //!< Position of the end of the last collective up to a layer, s
    double length{0};              //!< Length of the spine, seconds
    double crossingBytes{0};  //!< Least bytes of a sample that each GPU sends where layers are cut
    std::vector<double> kept; //!< Bytes that the layers before keep of a sample, at least
    std::vector<double> parameters; //!< Parameters of the layers before on a GPU
    std::vector<double> sparse;     //!< Of these, those with sparse gradients
    double sharedBytes{0};          //!< Bytes of gradients that the first and the last layer share
    double sharedComplete{0}; //!< Position before which the first layer has not made its own, s

  private:
    /// The gradients of an update of parameters.
    struct Gradient
    {
        uint32_t layer{0};             //!< Its layer
        double bytes{0};               //!< Bytes on each GPU
        std::vector<uint32_t> sources; //!< The nodes in its layer that make them
        bool isShared{false};          //!< Whether the last layer makes some for the first one
    };

    /**
     * @param edge an edge
     * @return the time of the collective, seconds
     */
    double GetSeconds(const LayerChain::Edge& edge) const;

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
     * Mark the nodes that the last layer depends on, and those that depend on it.
     */
    void MarkFar();

    /**
     * @param gradient the gradients of an update
     * @param op the update
     * @return true if the last layer makes some of them and the first layer the others
     */
    bool IsShared(const Gradient& gradient, uint32_t op) const;

    /**
     * Count the collectives before a node of the spine.
     *
     * @param node the node
     * @param reads what it reads
     */
    void AddTraffic(const LayerChain::Node& node, const std::vector<LayerChain::Edge>& reads);

    /**
     * @param op a forward operator
     * @return the bytes of a sample at least that are kept for its backward pass, on each GPU
     */
    double GetKept(uint32_t op) const;

    /**
     * Set what does not depend on the spine.
     */
    void SetSums();

    /**
     * Sparse gradients are gathered from all replicas, which takes half as long as a sum; those of
     * experts that replicas share out are summed over fewer replicas.
     *
     * @param gradientMap the gradients of the model
     * @param update an update
     * @return the bytes whose sum over all replicas takes no longer than that of its gradients
     */
    double GetSummedBytes(const GradientMap& gradientMap, uint32_t update) const;

    /**
     * @param gradientMap the gradients of the model
     */
    void FindGradients(const GradientMap& gradientMap);

    /**
     * @param spine the nodes of the spine
     */
    void SetGradients(const std::vector<uint32_t>& spine);

    /**
     * @param position the positions before which nodes have not ended
     */
    void SetQuiet(const std::vector<double>& position);

    /**
     * Set what is sent where layers are cut, and what they keep.
     */
    void SetBytes();

    const PlanningProblem& m_problem; //!< The problem
    std::shared_ptr<const TensorSharing>
        m_sharing;                             //!< How a tensor-parallel group shares operators
    std::vector<Gradient> m_gradients;         //!< Gradients that are counted
    Strategy m_strategy;                       //!< The strategy
    uint64_t m_samples{1};                     //!< Samples of a microbatch
    uint32_t m_layers;                         //!< Layers of the model
    std::shared_ptr<const LayerChain> m_chain; //!< What precedes what
    std::vector<LayerChain::Node> m_nodes;     //!< Its nodes, with times
};

} // namespace lightpath
} // namespace ns3

#endif /* LAYER_TIMES_H */
