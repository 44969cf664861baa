/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPLICATED_STAGES_H
#define REPLICATED_STAGES_H

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
 * @brief Cuts the layers of a model into stages with equal numbers of replicas so that the slowest
 * stage is as fast as possible.
 *
 * This is the cost model of PipeDream (Narayanan et al., "PipeDream: generalized pipeline
 * parallelism for DNN training", SOSP 2019). The m replicas of a stage take microbatches in turn
 * and sum their gradients while they compute. With computing time C, W bytes of gradients, rate B
 * and at most a bytes of activations across either of its ends, a stage takes
 *
 *     max(C, 4 (m - 1) W / (m B), 2 a / B) / m
 *
 * for a microbatch. The stage from which n stages are left holds the activations of n microbatches.
 * The minimum over all cuts and all m that divide the number of GPUs is exact.
 */
class ReplicatedStages
{
  public:
    /// Costs of one layer for a microbatch.
    struct Layer
    {
        double seconds{0};        //!< Time of the forward and backward pass, s
        double crossingBytes{0};  //!< Activations that cross the cut behind this layer, bytes
        double parameterBytes{0}; //!< Gradients, which replicas sum, bytes
        double stateBytes{0};     //!< Memory for parameters, gradients and optimiser state, bytes
        double keptBytes{0};      //!< Activations kept for each microbatch under way, bytes
    };

    /// Stages with equal numbers of replicas.
    struct Result
    {
        double seconds{0};          //!< Time of the slowest stage for a microbatch, s
        uint32_t replicas{0};       //!< GPUs of each stage; 0 if no stages fit into the memory
        std::vector<uint32_t> cuts; //!< First layer of every stage after the first
    };

    /**
     * @param graph a model
     * @param accelerator the GPUs
     * @return the costs of its layers for microbatches of one sample
     */
    static std::vector<Layer> GetLayers(const OperatorGraph& graph, const Accelerator& accelerator);

    /**
     * @param layers the layers of a model
     * @param gpus the number of GPUs, all of which are used
     * @param memoryBytes the memory of a GPU, bytes
     * @param byteRate the rate of a GPU, bytes/s; 0 if messages take no time
     * @return the best stages; of equally good ones those with the fewest replicas, then those
     *         whose first stages are longest
     */
    static Result Find(const std::vector<Layer>& layers,
                       uint32_t gpus,
                       double memoryBytes,
                       double byteRate);
};

} // namespace lightpath
} // namespace ns3

#endif /* REPLICATED_STAGES_H */
