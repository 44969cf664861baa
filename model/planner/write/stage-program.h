/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STAGE_PROGRAM_H
#define STAGE_PROGRAM_H

#include "cache-transfer.h"
#include "context-exchange.h"
#include "layer-recomputation.h"
#include "parameter-gather.h"
#include "pass-writer.h"
#include "pipeline-schedule.h"
#include "stage-gradients.h"
#include "stage-messages.h"
#include "staged-model.h"
#include "task-table.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes the program of one stage of a pipeline, which all of its GPUs run.
 *
 * The passes of microbatches follow one another in the order of PipelineSchedule; a pass computes
 * its operators in topological order. Communication overlaps with computation as far as the
 * operators allow. Of two passes that overlap, one computes while the other one communicates.
 * ReplicaLayout defines the groups.
 *
 * Between two stages, each GPU sends its share of the activations of a microbatch, or of their
 * gradients, to its counterpart, and an all-gather within the receiving tensor-parallel group
 * restores the results that each of its GPUs needs whole (Narayanan et al., 2021, scatter/gather).
 *
 * The operators of a layer that are recomputed run, with their collectives, as soon as the gradient
 * of the layer's output is ready, before the backward pass of the layer.
 *
 * Gradients are summed over the replicas as soon as the last microbatch has completed them, or
 * after each microbatch if they are shared out (StageGradients). Parameters that are shared out are
 * gathered before each layer (ParameterGather). Sparse gradients, of rows of tables, are gathered
 * from all replicas. Gradients that each GPU has made of its own tokens only are summed over the
 * tensor-parallel group first, and gradients of tied parameters over the first and the last stage;
 * these sums come last.
 */
class StageProgram
{
  public:
    /**
     * @param model the model as it is cut up; it must outlive this object
     * @param stage the stage
     */
    StageProgram(const StagedModel& model, uint32_t stage);

    /**
     * Let the program hand over keys and values; before Write().
     *
     * @param transfer writes the messages
     */
    void SetTransfer(const CacheTransfer& transfer);

    /**
     * @param bucketBytes the size in bytes at which a bucket of gradients is complete
     * @return the program
     */
    std::shared_ptr<const RankProgram> Write(uint64_t bucketBytes);

  private:
    /// Tasks of a microbatch that later passes or operators of the same part wait for.
    struct Microbatch
    {
        TaskTable computes; //!< The task that computes each operator
        TaskTable results;  //!< That after which a result can be read, by number (ExpertSharing)
        TaskTable gathered; //!< The all-gather of a result, if there is one
        /// The all-gather of the input that COLUMN operators have kept, by the results that they
        /// read
        std::map<std::vector<uint32_t>, uint32_t> inputs;
        std::vector<uint32_t> recomputed; //!< The last tasks that recompute the current layer
    };

    /// How far a pass has been written.
    struct Progress
    {
        StagePass pass;                  //!< The pass
        uint32_t part{0};                //!< The part that it goes through
        std::vector<uint32_t> operators; //!< Its operators
        std::size_t next{0};             //!< Position of the next one
        std::set<uint32_t> layers;       //!< Layers that it has entered
        uint32_t sendAfter{UINT32_MAX};  //!< The operator after which it sends
    };

    /**
     * Write a pass, or passes that overlap: these begin and hand over their results together.
     *
     * @param passes the passes
     */
    void WritePasses(const std::vector<StagePass>& passes);

    /**
     * @param pass a pass, whose receive is written
     * @param isPaired whether another pass overlaps with it
     * @return its operators
     */
    Progress BeginPass(const StagePass& pass, bool isPaired);

    /**
     * Write the operators of a pass up to the next one with a communication.
     *
     * @param [in,out] progress how far the pass has been written
     */
    void Continue(Progress& progress);

    /**
     * Write the sends of passes, once all results that other parts read are there.
     *
     * @param passes the passes
     * @param after tasks that the sends wait for besides these results
     */
    void WriteSends(const std::vector<StagePass>& passes, std::vector<uint32_t> after);

    /**
     * Write the receive of the results that the pass reads of another part.
     *
     * @param batch the microbatch
     * @return the task after which they are there
     */
    uint32_t WriteReceive(Microbatch& batch);

    /**
     * Add the tasks of the results that an operator reads.
     *
     * @param batch the microbatch
     * @param op the index of the operator
     * @param [in,out] after the tasks that the operator waits for
     */
    void AddInputs(const Microbatch& batch, uint32_t op, std::vector<uint32_t>& after) const;

    /**
     * Write an operator, and the collectives that its result needs.
     *
     * @param batch the microbatch
     * @param op its index
     * @param isRecomputed whether it is a forward operator that the backward pass recomputes
     * @param after tasks that it waits for besides its inputs
     */
    void WriteOperator(Microbatch& batch,
                       uint32_t op,
                       bool isRecomputed,
                       std::vector<uint32_t> after);

    /**
     * Write the operators of a layer that are recomputed, if any.
     *
     * @param batch the microbatch
     * @param layer the layer
     */
    void WriteRecomputation(Microbatch& batch, uint32_t layer);

    /**
     * Write the sum of a result over the tensor-parallel group, if it needs one.
     *
     * @param batch the microbatch
     * @param op the index of the operator
     */
    void WriteSum(Microbatch& batch, uint32_t op);

    /**
     * @param op the index of an operator of this pass
     * @param successor the index of an operator that reads it
     * @param isRecomputed whether it is recomputed: then only recomputed operators of its layer
     *        read it
     * @return true if the successor reads it in this pass, on the same GPUs
     */
    bool IsRead(uint32_t op, uint32_t successor, bool isRecomputed) const;

    /**
     * Write the all-gathers of a result, and the all-to-all to or from experts, as far as operators
     * of this pass need them.
     *
     * @param batch the microbatch
     * @param op the index of the operator
     * @param isRecomputed whether it is recomputed: then only recomputed operators of its layer
     *        read it
     */
    void WriteGather(Microbatch& batch, uint32_t op, bool isRecomputed);

    /**
     * Make the next all-to-all of EXPERT_GROUP, the GPUs with the same part of the model in the
     * replicas that share out experts. Each GPU sends its tokens: a share of them with sequence
     * parallelism, all of them where tensor parallelism leaves results whole.
     *
     * @param op the index of an operator whose result, or its gradient, is exchanged
     * @return the all-to-all
     */
    Task MakeExchange(uint32_t op);

    /**
     * Write the all-gather of the input that a COLUMN operator has kept, unless it exists.
     *
     * @param batch the microbatch
     * @param op the index of its backward operator
     * @param after the tasks that the backward operator waits for
     * @return the index of its task
     */
    uint32_t WriteInputGather(Microbatch& batch, uint32_t op, const std::vector<uint32_t>& after);

    /**
     * @param kind the operation
     * @param name its name
     * @param bytes the size of the buffer, in bytes
     * @param after the tasks that it waits for
     * @param routed the experts that its size depends on
     * @return the index of its task
     */
    uint32_t AddCollective(CollectiveKind kind,
                           const std::string& name,
                           uint64_t bytes,
                           const std::vector<uint32_t>& after,
                           const RoutedLayer& routed = RoutedLayer());

    const StagedModel& m_model;                  //!< The model as it is cut up
    const std::vector<Operator>& m_operators;    //!< Its operators
    const ExpertSharing& m_experts;              //!< How replicas share out experts
    StageMessages m_messages;                    //!< The messages to and from its neighbours
    uint32_t m_stage;                            //!< The stage
    LayerRecomputation m_recomputation;          //!< The operators that are recomputed
    PassWriter m_writer;                         //!< The writer of the program
    ContextExchange m_context;                   //!< The writer of operators over all tokens
    std::unique_ptr<StageGradients> m_gradients; //!< The sums over the replicas
    std::unique_ptr<ParameterGather> m_gather;   //!< The gathers of parameters, if shared out
    std::optional<CacheTransfer> m_transfer;     //!< The messages with keys and values, if any
    std::map<std::pair<uint32_t, uint32_t>, Microbatch> m_microbatches; //!< By chunk and number
    StagePass m_pass;                                                   //!< The current pass
    uint32_t m_part{0};           //!< The part that it goes through
    std::vector<uint32_t> m_sent; //!< The last messages to other stages
    uint32_t m_nSums{0};          //!< Number of collectives of the tensor-parallel group
    uint32_t m_nExchanges{0};     //!< Number of all-to-alls of experts
};

} // namespace lightpath
} // namespace ns3

#endif /* STAGE_PROGRAM_H */
