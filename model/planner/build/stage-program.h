/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STAGE_PROGRAM_H
#define STAGE_PROGRAM_H

#include "expert-exchange.h"
#include "parameter-gather.h"
#include "pass-writer.h"
#include "pipeline-schedule.h"
#include "stage-gradients.h"
#include "staged-model.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes the program of the GPUs of one stage of a pipeline, which all do the same.
 *
 * The passes of microbatches follow one another in the order of PipelineSchedule; a pass computes
 * its operators in topological order. Communication overlaps with all of this as far as the
 * operators allow. The groups are of kind 0 (tensor-parallel), 1 (data-parallel), 2 (the stages of
 * one replica and part), 3 (the first and the last of these), 4 (the replicas that share out
 * experts) and 5 (the replicas with the same experts).
 *
 * Between two stages, each GPU sends its share of the activations of a microbatch, or of their
 * gradients, to its counterpart, and an all-gather within the receiving tensor-parallel group
 * restores what each of its GPUs needs whole (Narayanan et al., 2021, scatter/gather).
 *
 * What the backward pass computes anew of a layer runs as soon as the gradient of the layer's
 * output is there, with its collectives, and before the rest of the layer's backward pass.
 *
 * Gradients are summed over the replicas as soon as the last microbatch has completed them, or each
 * one if they are shared out (StageGradients), and parameters that are shared out are gathered
 * before each layer (ParameterGather). Of gradients, sparse ones, of rows of tables, are gathered
 * from all replicas. Before that, an all-reduce over the tensor-parallel group sums those that each
 * GPU has made of its own tokens only, and one over the first and the last stage those of
 * parameters that both use; these come last.
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
     * @param bucketBytes the size in bytes at which a bucket of gradients is complete
     * @return the program
     */
    std::shared_ptr<const RankProgram> Write(uint64_t bucketBytes);

    /**
     * @param problem the problem
     * @param stride the distance of the ranks of successive members of a group
     * @param size the number of members
     * @return the members in a row that share a server if that divides the group, which has more;
     *         otherwise 1
     */
    static uint32_t GetLocal(const PlanningProblem& problem, uint32_t stride, uint32_t size);

    /**
     * @param model the model as it is cut up
     * @return how the collectives of its tensor-parallel groups are carried out
     */
    static CollectiveOptions GetTensorOptions(const StagedModel& model);

    /**
     * AUTOMATIC takes two rings, one each way round, for more than 2 replicas of one GPU each,
     * where a GPU cannot send all of its rate to one peer.
     *
     * @param model the model as it is cut up
     * @return how the collectives of its data-parallel groups are carried out
     */
    static CollectiveOptions GetDataOptions(const StagedModel& model);

    /**
     * @param model the model as it is cut up
     * @return how the collectives of its groups of replicas with the same experts are carried out
     */
    static CollectiveOptions GetExpertOptions(const StagedModel& model);

  private:
    /// The tasks of a microbatch on its way through a part.
    struct Flight
    {
        std::map<uint32_t, uint32_t> computes; //!< The task that computes each operator
        /// The task after which a result can be read, by its number (ExpertSharing)
        std::map<uint32_t, uint32_t> results;
        std::map<uint32_t, uint32_t> gathered; //!< The all-gather of a result, if there is one
        /// The all-gather of the input that COLUMN operators have kept, by what they read
        std::map<std::vector<uint32_t>, uint32_t> inputs;
        std::vector<uint32_t> anew; //!< The last tasks that compute the current layer anew
    };

    /**
     * Write a pass.
     *
     * @param pass the pass
     */
    void WritePass(const StagePass& pass);

    /**
     * Write the arrival of what the pass reads of another part.
     *
     * @param flight the microbatch
     */
    void WriteReceive(Flight& flight);

    /**
     * Write the departure of what another part reads of the pass, once all of it has been written.
     *
     * @param flight the microbatch
     * @param op the index of the operator that has just been written
     */
    void WriteSend(const Flight& flight, uint32_t op);

    /**
     * Write an operator, and the collectives that its result needs.
     *
     * @param flight the microbatch
     * @param op its index
     * @param anew whether it is a forward operator that the backward pass computes anew
     * @param after tasks that it waits for besides those that it reads
     */
    void WriteOperator(Flight& flight, uint32_t op, bool anew, std::vector<uint32_t> after);

    /**
     * @param flight the microbatch
     * @param layer a layer
     * @return the tasks after which the gradients of what the layer hands on are there
     */
    std::vector<uint32_t> GetGate(const Flight& flight, uint32_t layer) const;

    /**
     * Compute the operators of a layer anew, if any.
     *
     * @param flight the microbatch
     * @param layer the layer
     */
    void WriteAnew(Flight& flight, uint32_t layer);

    /**
     * Write the sum of a result over the tensor-parallel group, if it needs one.
     *
     * @param flight the microbatch
     * @param op the index of the operator
     */
    void WriteSum(Flight& flight, uint32_t op);

    /**
     * @param op the index of an operator of this pass
     * @param successor the index of an operator that reads it
     * @param anew whether it is computed anew, for operators that are so too
     * @return true if the successor reads it in this pass, on the same GPUs
     */
    bool IsRead(uint32_t op, uint32_t successor, bool anew) const;

    /**
     * Write the all-gathers of a result, and the all-to-all to or from experts, as far as operators
     * of this pass need them.
     *
     * @param flight the microbatch
     * @param op the index of the operator
     * @param anew whether it is computed anew, for operators that are so too
     */
    void WriteGather(Flight& flight, uint32_t op, bool anew);

    /**
     * Write the all-gather of the input that a COLUMN operator has kept, unless it has been.
     *
     * @param flight the microbatch
     * @param op the index of its backward operator
     * @param after the tasks that the backward operator waits for
     * @return the index of its task
     */
    uint32_t WriteInputGather(Flight& flight, uint32_t op, const std::vector<uint32_t>& after);

    /**
     * @param kind the operation
     * @param name its name
     * @param bytes the size of the buffer, in bytes
     * @param after the tasks that it waits for
     * @return the index of its task
     */
    uint32_t AddCollective(CollectiveKind kind,
                           const std::string& name,
                           uint64_t bytes,
                           const std::vector<uint32_t>& after);

    /**
     * @param kind send or receive
     * @param part the part behind the boundary that the message crosses
     * @return the message of this pass
     */
    Task MakeMessage(TaskKind kind, uint32_t part) const;

    const StagedModel& m_model;                  //!< The model as it is cut up
    const std::vector<Operator>& m_operators;    //!< Its operators
    const ExpertSharing& m_experts;              //!< How replicas share out experts
    ExpertExchange m_exchange;                   //!< The all-to-alls of experts
    uint32_t m_stage;                            //!< The stage
    PassWriter m_writer;                         //!< The writer of the program
    std::unique_ptr<StageGradients> m_gradients; //!< The sums over the replicas
    std::unique_ptr<ParameterGather> m_gather;   //!< The gathers of parameters, if shared out
    std::map<std::pair<uint32_t, uint32_t>, Flight> m_flights; //!< By chunk and microbatch
    StagePass m_pass;                                          //!< The current pass
    uint32_t m_part{0};                                        //!< The part that it goes through
    uint32_t m_nSums{0};              //!< Number of collectives of the tensor-parallel group
    uint32_t m_sendAfter{UINT32_MAX}; //!< The operator after which the pass sends
};

} // namespace lightpath
} // namespace ns3

#endif /* STAGE_PROGRAM_H */
