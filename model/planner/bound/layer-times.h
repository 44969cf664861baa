/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAYER_TIMES_H
#define LAYER_TIMES_H

#include "layer-chain.h"
#include "model/planner/write/tensor-sharing.h"

#include "ns3/gradient-map.h"
#include "ns3/planner.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// Later than any time.
inline constexpr double NEVER = std::numeric_limits<double>::infinity();

/**
 * @ingroup lightpath
 * @brief Least times of one microbatch in the layers of a model, on GPUs without other work.
 *
 * A time is the length of the longest chain of operators and of the collectives between them, all
 * at the best rate of the fabric. Operator j of a pass follows operator i of the same layer if j
 * reads i. It also does if i comes first in the program and is ready no later, as a GPU runs the
 * first of its ready operators. Layers are never cut, so that all operators of a layer run on the
 * same GPU.
 *
 * The longest chain from the first layer to the last and back is the spine. Vectors have an entry
 * for each layer. Where they hold sums over the layers before each one, the value of a stage is a
 * difference.
 */
class LayerTimes
{
  public:
    /**
     * Find the bytes and the parameters, which do not depend on the microbatch. Measure() finds the
     * order of the operators and sets the times.
     *
     * @param problem the problem; it must outlive this object
     * @param gradients the gradients of its model
     * @param strategy the strategy, of which only the tensor and sequence parallelism, the
     *        recomputation, and the replicas that share out experts count
     */
    LayerTimes(const PlanningProblem& problem,
               const GradientMap& gradients,
               const Strategy& strategy);

    /**
     * @param samples the samples of a microbatch
     * @return a copy with the times of such a microbatch
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

    /// A value of each layer in either pass.
    struct Passes
    {
        std::vector<double> forward;  //!< In the forward pass
        std::vector<double> backward; //!< In the backward pass, with recomputation
    };

    /// Positions on the spine, in seconds from its begin; they hold wherever the layers are cut.
    struct Spine
    {
        double length{0}; //!< Position of its end

        std::vector<double> forwardBegin;  //!< Where it enters the layer or a later one
        std::vector<double> forwardEnd;    //!< Where it has left the layer
        std::vector<double> backwardBegin; //!< Where it comes back to the layer or an earlier one
        std::vector<double> backwardEnd;   //!< Where it has left the layer on its way back
        Passes traffic; //!< Time of the bytes of collectives inside the layers before, seconds

        /// The position at which the first gradients of the layers up to this one can be complete;
        /// -infinity if these layers have none
        std::vector<double> gradientsReady;

        /// The position at which the last backward collective of the layers up to this one can have
        /// ended
        std::vector<double> collectivesEnd;

        double tiedReady{0}; //!< Where the first layer can have completed its tied gradients
    };

    Spine spine; //!< The spine

    // Times of computation of the layers before each one, in seconds
    Passes work; //!< Of all operators
    Passes lead; //!< Of the operators that depend on the first layer, or that it depends on
    Passes far;  //!< Of the operators that the last layer depends on, or that depend on it

    std::vector<double> leadBegin; //!< Earliest begin of a `lead` operator from this layer on, s
    std::vector<double> leadRest;  //!< Least time after the `lead` operators from this layer on, s

    // Sums over the layers before each one
    std::vector<double> gradientBytes;    //!< Bytes of gradients that the spine may wait for
    std::vector<double> keptBytes;        //!< Least bytes kept of a sample
    std::vector<double> parameters;       //!< Parameters on a GPU
    std::vector<double> sparseParameters; //!< The part of these with sparse gradients

    double crossingBytes{0}; //!< Least bytes of a sample that each GPU sends across any cut
    double tiedBytes{0};     //!< Bytes of the gradients of tied parameters, of first and last layer

  private:
    /// The gradients of an update of parameters.
    struct Gradient
    {
        uint32_t layer{0};             //!< Its layer
        double bytes{0};               //!< Bytes on each GPU
        std::vector<uint32_t> sources; //!< The operators in its layer that make them
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
     * @param chain the nodes of the spine
     */
    void SetPositions(const std::vector<uint32_t>& chain);

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
     * @param reads the results that it reads
     */
    void AddTraffic(const LayerChain::Node& node, const std::vector<LayerChain::Edge>& reads);

    /**
     * @param op a forward operator
     * @return the least number of bytes of a sample that each GPU keeps for the backward pass
     */
    double GetKept(uint32_t op) const;

    /**
     * Set the sums that do not depend on the spine.
     */
    void SetSums();

    /**
     * Sparse gradients are gathered from all replicas, which takes half as long as a sum. Gradients
     * of experts that replicas share out are summed over fewer replicas.
     *
     * @param gradientMap the gradients of the model
     * @param update an update
     * @return the bytes whose sum over all replicas takes no longer than the sum of these gradients
     */
    double GetSummedBytes(const GradientMap& gradientMap, uint32_t update) const;

    /**
     * @param gradientMap the gradients of the model
     */
    void FindGradients(const GradientMap& gradientMap);

    /**
     * @param chain the nodes of the spine
     */
    void SetGradients(const std::vector<uint32_t>& chain);

    /**
     * @param position the positions before which nodes have not ended
     */
    void SetQuiet(const std::vector<double>& position);

    /**
     * Set the bytes sent between stages, and the bytes that the layers keep.
     */
    void SetBytes();

    const PlanningProblem& m_problem; //!< The problem
    std::shared_ptr<const TensorSharing>
        m_sharing;                     //!< How a tensor-parallel group shares operators
    std::vector<Gradient> m_gradients; //!< Gradients that are counted
    Strategy m_strategy;               //!< The strategy
    uint64_t m_samples{1};             //!< Samples of a microbatch
    uint32_t m_layers;                 //!< Layers of the model
    /// The order of the operators, once a microbatch has been measured
    mutable std::shared_ptr<const LayerChain> m_chain;
    std::vector<LayerChain::Node> m_nodes; //!< Its nodes, with times
};

} // namespace lightpath
} // namespace ns3

#endif /* LAYER_TIMES_H */
