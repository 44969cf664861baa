/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRADIENT_SYNC_H
#define GRADIENT_SYNC_H

#include "program-writer.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes the sums of gradients over the replicas, and the updates of parameters, into the
 * program of a rank.
 *
 * Gradients are put into buckets in the order in which they are completed. As soon as a bucket has
 * reached its size, or there are no more gradients, it is summed by a ring all-reduce over the
 * data-parallel group (groups of kind 1), while the backward pass goes on. The all-reduces are
 * carried out one after the other, as those of one communicator are. The parameters of a bucket are
 * updated in one task, after its all-reduce; updates come behind all other tasks, so that they
 * never hold up the backward pass.
 */
class GradientSync
{
  public:
    /**
     * @param writer the writer of the program; it must outlive this object
     * @param replicas the number of replicas; gradients are only summed if there are several
     * @param bucketBytes the size in bytes at which a bucket is complete
     * @param calls the number of times that Add() will be called
     */
    GradientSync(ProgramWriter& writer, uint32_t replicas, uint64_t bucketBytes, std::size_t calls);

    /**
     * @param phase the phase of the all-reduces; 0 at first
     */
    void SetPhase(uint32_t phase);

    /**
     * Add gradients, as soon as the last of the tasks that make them has been written.
     *
     * @param tasks the indices of the tasks that make them
     * @param bytes their size in bytes
     * @param updateSeconds the time to update the parameters with them, in seconds
     */
    void Add(const std::vector<uint32_t>& tasks, uint64_t bytes, double updateSeconds);

    /**
     * Write the updates, once all else has been written.
     */
    void Finish();

  private:
    /// The update of the parameters of a bucket.
    struct Update
    {
        double seconds{0};           //!< Time on the GPU, seconds
        std::vector<uint32_t> after; //!< The tasks that it waits for
    };

    /**
     * Complete the bucket: write its all-reduce and note its update.
     */
    void CloseBucket();

    ProgramWriter& m_writer;       //!< The writer of the program
    uint32_t m_replicas;           //!< Number of replicas
    uint64_t m_bucketBytes;        //!< Size at which a bucket is complete, bytes
    std::size_t m_callsLeft;       //!< Number of times that Add() will be called yet
    uint32_t m_phase{0};           //!< Phase of the all-reduces
    uint64_t m_bytes{0};           //!< Size of the current bucket, bytes
    Update m_current;              //!< Update of the current bucket, after the gradients' tasks
    std::vector<Update> m_updates; //!< Updates of the buckets before
    std::vector<uint32_t> m_last;  //!< The task of the last all-reduce, if there is one
    uint32_t m_nReductions{0};     //!< Number of all-reduces so far
};

} // namespace lightpath
} // namespace ns3

#endif /* GRADIENT_SYNC_H */
