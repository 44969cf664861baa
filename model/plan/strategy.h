/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STRATEGY_H
#define STRATEGY_H

#include "ns3/collective-schedule.h"
#include "ns3/operator-graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// The activations that the backward pass recomputes instead of keeping them.
enum class Recomputation : uint8_t
{
    NONE,      //!< None
    SELECTIVE, //!< Those of the operators that are marked as selective
    FULL,      //!< Those of each layer but the first and the last one
};

/// A kind of recomputation and its name.
struct RecomputationName
{
    Recomputation value; //!< The kind
    std::string name;    //!< Its name in options and JSON

    /**
     * @return all kinds, in the order of Recomputation
     */
    static const std::vector<RecomputationName>& GetAll();

    /**
     * @param recomputation a kind
     * @return its name
     */
    static const std::string& Get(Recomputation recomputation);
};

/// The order in which the stages of a pipeline work on microbatches.
enum class PipelineScheduleKind : uint8_t
{
    ONE_F_ONE_B, //!< Forward and backward passes in turn; interleaved with virtual stages
    ZB_H1,       //!< The same, with gradients of weights put off
    DUALPIPE,    //!< Microbatches from both ends, with passes that overlap
};

/// A schedule of pipelines and its name.
struct PipelineScheduleName
{
    PipelineScheduleKind value; //!< The schedule
    std::string name;           //!< Its name in options and JSON

    /**
     * @return all schedules, in the order of PipelineScheduleKind
     */
    static const std::vector<PipelineScheduleName>& GetAll();

    /**
     * @param schedule a schedule
     * @return its name
     */
    static const std::string& Get(PipelineScheduleKind schedule);
};

/**
 * @ingroup lightpath
 * @brief How the work of an iteration is split: the degrees of each kind of parallelism.
 */
struct Strategy
{
    /**
     * @return the degrees and settings in short, as in "dp 4 x tp 2 x pp 1, ZeRO-1"
     */
    std::string GetName() const;

    /**
     * @return the degrees and settings in words, as in "4 replicas x 2 GPUs, ZeRO-1"
     */
    std::string Describe() const;

    /**
     * @param other a strategy
     * @return true if both are the same in all settings
     */
    bool operator==(const Strategy& other) const;

    /**
     * @return the GPUs of a stage with the same part of the model: dataParallel times
     *         contextParallel
     */
    uint32_t GetDataMembers() const;

    /**
     * @return the GPUs that share out state: shardGpus, or all of GetDataMembers()
     */
    uint32_t GetShardMembers() const;

    /**
     * @return the number of stages that have each part of the layers
     */
    uint32_t GetNCopies() const;

    /**
     * @return the GPUs of all degrees together
     */
    uint64_t GetGpus() const;

    /**
     * @param op an operator
     * @param layers the number of layers of its model
     * @return true if it is a forward operator that the backward pass recomputes
     */
    bool IsRecomputed(const Operator& op, uint32_t layers) const;

    uint32_t dataParallel{1};     //!< Replicas of the model
    uint32_t tensorParallel{1};   //!< GPUs that share the operators of one replica
    uint32_t pipelineParallel{1}; //!< Stages that the layers of one replica are cut into
    uint32_t virtualStages{1};    //!< Separate parts of the layers that each stage holds
    PipelineScheduleKind schedule{
        PipelineScheduleKind::ONE_F_ONE_B}; //!< Order of the passes of a pipeline
    uint32_t microbatches{1};               //!< Parts of the batch of a replica, processed in turn
    bool sequenceParallel{false};           //!< Split by token what tensor parallelism replicates
    Recomputation recomputation{Recomputation::NONE}; //!< Activations that are recomputed
    uint32_t contextParallel{1}; //!< GPUs that share the tokens of each sample of one replica

    /// Whether these gather all keys and values before attention, in place of passing them around
    /// while it works
    bool contextGather{false};

    /// Ranks that share the experts of each layer: successive GPUs of the same part of the model,
    /// one in each replica (and share of its tokens), or successive ranks with wholeExperts
    uint32_t expertParallel{1};

    /// Whether experts are spread over the GPUs of a tensor-parallel group as well, each expert
    /// whole, in place of being split over them
    bool wholeExperts{false};

    /// Whether a token goes to each server with experts of it once, and is copied there
    bool oncePerServer{false};

    /// State that the replicas share out: 0: none; 1: the optimiser state; 2: the gradients as
    /// well; 3: the parameters as well
    uint32_t zeroStage{0};

    /// GPUs with the same part of the model that share out this state, successive ones; each group
    /// of them has all of it (HSDP); 0 for all such GPUs
    uint32_t shardGpus{0};

    /// Whether, with stage 3, a GPU adds up gradients of all microbatches whole, to sum them over
    /// the replicas once, in place of once for each microbatch
    bool wholeGradients{false};

    /// Least bytes of gradients that are summed over the replicas together; 0 to sum the gradients
    /// of each update operator apart
    uint64_t bucketBytes{25 << 20};

    CollectiveAlgorithm tensorAlgorithm{CollectiveAlgorithm::AUTOMATIC}; //!< Within a replica
    CollectiveAlgorithm dataAlgorithm{CollectiveAlgorithm::AUTOMATIC};   //!< Over the replicas
    CollectiveAlgorithm insideAlgorithm{CollectiveAlgorithm::AUTOMATIC}; //!< Of two levels, or in
                                                                         //!< one server
    CollectiveAlgorithm acrossAlgorithm{CollectiveAlgorithm::AUTOMATIC}; //!< Of two levels, or
                                                                         //!< between servers only
    uint32_t tensorRings{1}; //!< Rings within a replica, if the algorithm has several
    uint32_t dataRings{1};   //!< Rings over the replicas, if the algorithm has several

    /// First layer of every part of the layers after the first, in ascending order; empty to let
    /// LayerPartition choose
    std::vector<uint32_t> cuts;
};

} // namespace lightpath
} // namespace ns3

#endif /* STRATEGY_H */
