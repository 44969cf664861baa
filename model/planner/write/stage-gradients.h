/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STAGE_GRADIENTS_H
#define STAGE_GRADIENTS_H

#include "gradient-sync.h"
#include "pass-writer.h"
#include "staged-model.h"
#include "task-table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Passes the gradients of a stage of a pipeline on to the sums over the replicas
 * (GradientSync).
 *
 * The last microbatch completes the sums over the microbatches. Where the replicas share out the
 * gradients, each microbatch is summed at once, and each replica adds its share up. Gradients that
 * are summed within the replica first come last, once for all microbatches.
 */
class StageGradients
{
  public:
    /**
     * @param model the model as it is cut up; it must outlive this object
     * @param stage the stage
     * @param writer the writer of the program; it must outlive this object
     * @param bucketBytes the size in bytes at which a bucket of gradients is complete
     */
    StageGradients(const StagedModel& model,
                   uint32_t stage,
                   PassWriter& writer,
                   uint64_t bucketBytes);

    /**
     * @return the writer of the sums
     */
    GradientSync& GetSync();

    /**
     * Add gradients that the last microbatch has completed.
     *
     * @param computes the tasks that compute its operators
     * @param part the part of the layers
     * @param op the index of the operator that completes them
     */
    void Add(const TaskTable& computes, uint32_t part, uint32_t op);

    /**
     * Add gradients of a microbatch before the last one.
     *
     * @param computes the tasks that compute its operators
     * @param op the index of the operator that completes them
     */
    void Accumulate(const TaskTable& computes, uint32_t op);

    /**
     * Write the sums of gradients within the replica, pass these gradients on, and write the
     * updates.
     *
     * @param operation the number of the next collective of the tensor-parallel group
     * @param sent the last messages that the stage sends to other stages
     */
    void Finish(uint32_t operation, const std::vector<uint32_t>& sent);

  private:
    /// Gradients of parameters that are summed within the replica first.
    struct Late
    {
        std::vector<uint32_t> tasks; //!< The tasks that make them
        uint64_t parameters{0};      //!< Number of parameters on each GPU
        double seconds{0};           //!< Time of their update, seconds
    };

    /**
     * @param model the model as it is cut up
     * @param bucketBytes the size in bytes at which a bucket of gradients is complete
     * @return how the replicas sum gradients
     */
    static GradientSync::Options GetOptions(const StagedModel& model, uint64_t bucketBytes);

    /**
     * @param updates the updates that this stage carries out itself
     * @return the number of times that gradients will be passed on
     */
    std::size_t CountGradients(const std::vector<uint32_t>& updates) const;

    /**
     * @param computes the tasks that compute operators
     * @param update an update
     * @return the tasks that make its gradients
     */
    std::vector<uint32_t> GetTasks(const TaskTable& computes, uint32_t update) const;

    /**
     * Write the messages of the norm of all gradients, if the updates wait for it.
     *
     * @return the tasks after which it is known
     */
    std::vector<uint32_t> WriteNorm();

    /**
     * @param late the gradients
     * @param task the collective that sums them, without its bytes
     */
    void WriteLate(const Late& late, Task task);

    const StagedModel& m_model;               //!< The model as it is cut up
    const std::vector<Operator>& m_operators; //!< Its operators
    uint32_t m_stage;                         //!< The stage
    PassWriter& m_writer;                     //!< The writer of the program
    GradientSync m_sync;                      //!< The sums over the replicas
    Late m_partial;                           //!< Gradients that each GPU makes of its tokens
    Late m_shared; //!< Gradients of parameters of the first and last stage
};

} // namespace lightpath
} // namespace ns3

#endif /* STAGE_GRADIENTS_H */
