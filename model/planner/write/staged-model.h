/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STAGED_MODEL_H
#define STAGED_MODEL_H

#include "deferred-gradients.h"
#include "gradient-map.h"
#include "layer-partition.h"
#include "pipeline-schedule.h"
#include "tensor-sharing.h"

#include "ns3/planner.h"
#include "ns3/training-plan.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A model that is cut up for a Strategy: the operators, the memory and the messages of each
 * stage of the pipeline.
 *
 * Stage s of p has the parts s, s + p, s + 2 p, ... of the layers, which are its chunks 0, 1, 2,
 * ... With DUALPIPE it has the parts s and p - 1 - s, of which the lesser one is its chunk 0.
 */
class StagedModel
{
  public:
    /// The most microbatches that the batch of a replica can be cut into.
    static constexpr uint32_t MAX_MICROBATCHES{65536};

    /**
     * Refuses, by std::invalid_argument, a strategy that does not suit the problem.
     *
     * @param problem the model, the GPUs and the fabric; it must outlive this object
     * @param strategy the strategy
     */
    StagedModel(const PlanningProblem& problem, const Strategy& strategy);

    /**
     * Refuse, by std::invalid_argument, a strategy with a degree of 0.
     *
     * @param strategy the strategy
     */
    static void CheckPositive(const Strategy& strategy);

    /**
     * @return the model
     */
    const OperatorGraph& GetGraph() const;

    /**
     * @return the problem
     */
    const PlanningProblem& GetProblem() const;

    /**
     * @return the strategy
     */
    const Strategy& GetStrategy() const;

    /**
     * @param zeroStage a stage of ZeRO: 1 shares out the optimiser state, 2 the gradients as well,
     *        3 the parameters as well
     * @return true if several replicas share out at least that state; with whole gradients, stage 3
     *         shares out no gradients
     */
    bool HasShards(uint32_t zeroStage) const;

    /**
     * @return the samples of a microbatch
     */
    uint64_t GetSamples() const;

    /**
     * @return the parts of the layers
     */
    const LayerPartition& GetPartition() const;

    /**
     * @return the operators that the schedule puts off
     */
    const DeferredGradients& GetDeferred() const;

    /**
     * @return how the GPUs of a tensor-parallel group share the operators
     */
    const TensorSharing& GetSharing() const;

    /**
     * @return which operators make the gradients of which updates
     */
    const GradientMap& GetGradients() const;

    /**
     * @param bytes bytes per sample
     * @return the bytes of a microbatch in each share of the tokens, rounded up
     */
    uint64_t GetBytes(uint64_t bytes) const;

    /**
     * @return the number of parts that each stage has
     */
    uint32_t GetNChunks() const;

    /**
     * @return the number of stages that have each part
     */
    uint32_t GetNCopies() const;

    /**
     * @param part a part
     * @param pass a pass through it
     * @return the operators that the pass computes, in ascending order
     */
    std::vector<uint32_t> GetOperators(uint32_t part, const StagePass& pass) const;

    /**
     * @param stage a stage
     * @param chunk a chunk of it
     * @return its part of the layers
     */
    uint32_t GetPart(uint32_t stage, uint32_t chunk) const;

    /**
     * @param op the index of an operator of the forward or backward pass
     * @return the time that it takes for a microbatch, with the time that the GPU waits for the
     *         host to launch it, in seconds
     */
    double GetSeconds(uint32_t op) const;

    /**
     * @param op an operator
     * @return the number of GPUs that share out the optimiser state of its parameters: one without
     *         shared-out state; otherwise the replicas that hold them, or a group of these, times
     *         the stages of each that do
     */
    uint32_t GetNShares(const Operator& op) const;

    /**
     * @param update an update of parameters
     * @return the time that it takes, in seconds
     */
    double GetUpdateSeconds(const Operator& update) const;

    /**
     * @param update the index of an update of parameters
     * @return the bytes of its gradients on each GPU: of all parameters or, if they are sparse, of
     *         the rows that the samples of all replicas look up, with their indices
     */
    uint64_t GetGradientBytes(uint32_t update) const;

    /**
     * @param op an operator
     * @return true if it is a forward operator that the backward pass recomputes
     */
    bool IsRecomputed(const Operator& op) const;

    /**
     * Get the bytes that a part reads of the part before, for one microbatch. With several GPUs in
     * a tensor-parallel group, each GPU gets a share of them from its counterpart.
     *
     * @param part the part
     * @return the bytes that each GPU receives, and the bytes that an all-gather then restores on
     *         each of them; 0 if there is none
     */
    std::pair<uint64_t, uint64_t> GetInputBytes(uint32_t part) const;

    /**
     * @param stage a stage
     * @return the updates that it carries out: of its own parameters in ascending order, then of
     *         its copies of the parameters of the first stage
     */
    std::vector<uint32_t> GetUpdates(uint32_t stage) const;

  private:
    /**
     * Refuse degrees that do not suit the problem.
     */
    void CheckStrategy() const;

    /**
     * Refuse a number of GPUs in a tensor-parallel group that does not suit the model.
     */
    void CheckTensorParallel() const;

    /**
     * Refuse shares of the tokens if no operator exchanges keys and values.
     */
    void CheckContextParallel() const;

    /**
     * Refuse sparse gradients that would have to be summed within a replica or updated in shares.
     */
    void CheckSparse() const;

    /**
     * @param problem the problem
     * @param strategy the strategy
     * @return the time of the forward and backward pass of each layer, in seconds
     */
    static std::vector<double> GetLayerSeconds(const PlanningProblem& problem,
                                               const Strategy& strategy);

    /**
     * Find how long the GPU waits for the host before each operator of a pass: the host launches
     * one kernel behind the other, and learns in the forward pass how many tokens the experts of a
     * layer have before it launches what works on them.
     *
     * @param operators the operators of the pass, in the order in which they are launched
     */
    void FindWaits(const std::vector<uint32_t>& operators);

    const PlanningProblem& m_problem; //!< The model, the GPUs and the fabric
    Strategy m_strategy;              //!< The strategy
    uint64_t m_samples;               //!< Samples of a microbatch
    uint32_t m_nLayers;               //!< Layers of the model
    GradientMap m_gradients;          //!< The gradients of the model
    LayerPartition m_partition;       //!< The parts of the layers
    DeferredGradients m_deferred;     //!< Operators that the schedule puts off
    TensorSharing m_sharing;          //!< How a tensor-parallel group shares the operators
    std::vector<double> m_waits;      //!< Time that the GPU waits for the host, by operator, s;
                                      //!< empty if it never does
};

} // namespace lightpath
} // namespace ns3

#endif /* STAGED_MODEL_H */
