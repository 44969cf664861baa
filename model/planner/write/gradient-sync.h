/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRADIENT_SYNC_H
#define GRADIENT_SYNC_H

#include "model/plan/program-writer.h"

#include "ns3/rank-groups.h"

#include <cstdint>
#include <string>
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
 * Gradients enter buckets in the order of their completion. As soon as a bucket has reached its
 * size, or no more gradients will follow, a ring all-reduce over the DATA_GROUP sums it while the
 * backward pass goes on. The all-reduces run one after the other, like the collectives of one
 * communicator. One task updates the parameters of a bucket after its all-reduce; updates come
 * behind all other tasks, so that they never hold up the backward pass.
 *
 * Sparse gradients, of the rows of tables that samples have looked up, have buckets of their own. A
 * ring all-gather takes the place of the all-reduce: it gives each replica the rows of all
 * replicas.
 *
 * Gradients of experts that replicas share out have buckets of their own, too. They are summed over
 * the replicas with the same experts, beside the sums over all replicas.
 *
 * If the replicas share out the optimiser state (Rajbhandari et al., ZeRO, 2020, stage 1), a
 * reduce-scatter takes the place of the all-reduce, and an all-gather of the new parameters follows
 * each update. If they share out gradients too (stage 2), a reduce-scatter sums the gradients of
 * each microbatch at once. Computation behind a complete bucket then waits for the sum of the
 * bucket before, so that no more than two buckets are whole at a time. If they share out parameters
 * as well (stage 3), no all-gather follows the updates: the parameters are gathered where they are
 * needed.
 *
 * If groups of replicas share out state, each of them has all of it: an all-reduce over the
 * SHARD_COPY_GROUP sums the share of a GPU once for all microbatches.
 */
class GradientSync
{
  public:
    /// Kinds of gradients, each of which has buckets of its own.
    enum Kind
    {
        DENSE,   //!< Of all parameters of a tensor
        SPARSE,  //!< Of the rows of a table that the samples of all replicas have looked up
        EXPERTS, //!< Of experts that replicas share out
        N_KINDS, //!< Number of kinds
    };

    /// Bytes of a norm of gradients: a number in double precision.
    static constexpr uint32_t NORM_BYTES = 8;

    /// How the replicas sum gradients.
    struct Options
    {
        uint64_t bucketBytes{0};             //!< Size at which a bucket is complete, bytes
        uint32_t replicas{1};                //!< Number of replicas, or of those that share state
        CollectiveOptions collectives;       //!< How their collectives are carried out
        uint32_t expertReplicas{1};          //!< Number of replicas with the same experts
        CollectiveOptions expertCollectives; //!< How the collectives of these are carried out
        uint32_t shardCopies{1};             //!< Number of replicas with the same share of state
        CollectiveOptions shardCollectives;  //!< How the collectives of these are carried out
        uint32_t sumPhase{0};                //!< Phase of the sums and of AddGather()
        uint32_t gatherPhase{0};             //!< Phase of the all-gathers that follow updates
        uint32_t zeroStage{0};               //!< The shared-out state (Strategy::zeroStage)
        bool isGated{false};                 //!< Whether sums must free buckets for computation
        uint32_t gradientBytes{0};           //!< Bytes of a gradient, if anything is shared out
        uint32_t parameterBytes{0};          //!< Bytes of a parameter, if anything is shared out
        /// Collective for dense gradients; SEND_RECV sends them to the next replica, without a sum
        CollectiveKind sum{CollectiveKind::ALL_REDUCE};
        /// Bytes of a gradient in the network for each byte in memory, if the network averages
        double averagedRatio{0};
    };

    /**
     * @param writer the writer of the program; it must outlive this object
     * @param options how the replicas sum gradients
     * @param calls the number of times that Add() will be called
     */
    GradientSync(ProgramWriter& writer, const Options& options, std::size_t calls);

    /**
     * Add gradients, as soon as the last of the tasks that make them has been written.
     *
     * @param tasks the indices of the tasks that make them
     * @param bytes their size in bytes
     * @param updateSeconds the time to update the parameters with them, in seconds
     * @param kind their kind
     */
    void Add(const std::vector<uint32_t>& tasks,
             uint64_t bytes,
             double updateSeconds,
             Kind kind = DENSE);

    /**
     * Add shared-out gradients of a microbatch before the last one, as soon as the last of the
     * tasks that make them has been written. The call is not one of those announced.
     *
     * @param tasks the indices of the tasks that make them
     * @param bytes their size in bytes
     */
    void Accumulate(const std::vector<uint32_t>& tasks, uint64_t bytes);

    /// Sum the gradients gathered so far of a microbatch before the last one.
    void EndMicrobatch();

    /**
     * @param [in,out] after the tasks that a compute task waits for; a sum that it must wait for is
     *        added
     */
    void AddGate(std::vector<uint32_t>& after) const;

    /**
     * Write an all-gather of parameters that are shared out.
     *
     * @param pass the pass that needs them
     * @param name its name
     * @param bytes their size in bytes
     * @param after the tasks that it waits for
     * @return the index of its task
     */
    uint32_t AddGather(Pass pass,
                       const std::string& name,
                       uint64_t bytes,
                       const std::vector<uint32_t>& after);

    /**
     * Bring the replicas together after the sums. With halving and doubling the last and largest
     * messages go between two partners, so that on an uneven network some replicas end long before
     * others: a small all-reduce follows.
     *
     * @return the tasks after which the gradients of all replicas are summed
     */
    std::vector<uint32_t> AddNorm();

    /**
     * Write the updates, after all other tasks.
     *
     * @param norm tasks that all updates wait for, besides the sums of their own gradients
     */
    void Finish(const std::vector<uint32_t>& norm = {});

  private:
    /// The groups that sum gradients, each of which does one sum after the other.
    struct Communicator
    {
        uint32_t group{DATA_GROUP}; //!< Kind of group
        uint32_t replicas{1};       //!< Number of members
        CollectiveOptions options;  //!< How the collectives are carried out
        uint32_t nCollectives{0};   //!< Number of collectives so far
        std::vector<uint32_t> last; //!< The task of the last collective, if there is one
    };

    /// The update of the parameters of a bucket.
    struct Update
    {
        Kind kind{DENSE};            //!< Kind of the gradients
        double seconds{0};           //!< Time on the GPU, seconds
        uint64_t bytes{0};           //!< Size of the gradients, bytes
        std::vector<uint32_t> after; //!< The tasks that it waits for
    };

    /**
     * Complete a bucket, unless it is empty: write its collective and note its update.
     *
     * @param [in,out] bucket the bucket, which is empty afterwards
     */
    void Close(Update& bucket);

    /**
     * Write a collective behind the previous one of the same groups.
     *
     * @param communicator the groups that carry it out
     * @param task the task, with its pass, its name and the size of its buffer
     * @param phase its phase
     * @param after the tasks that it waits for
     * @return the index of its task
     */
    uint32_t WriteCollective(Communicator& communicator,
                             Task task,
                             uint32_t phase,
                             std::vector<uint32_t> after);

    /**
     * Write the sum of a share of the gradients of a bucket over the groups of replicas that share
     * out state, if there are several.
     *
     * @param [in,out] bucket the bucket, which waits for this sum afterwards
     */
    void WriteShardSum(Update& bucket);

    /**
     * Write the sum of the gradients of a bucket over the replicas.
     *
     * @param [in,out] bucket the bucket, which waits for its sum afterwards
     * @param name the name of the sum
     */
    void WriteSum(Update& bucket, std::string name);

    ProgramWriter& m_writer;       //!< The writer of the program
    Options m_options;             //!< How the replicas sum gradients
    Communicator m_all;            //!< Groups of all replicas
    Communicator m_same;           //!< Groups of the replicas with the same experts
    Communicator m_shards;         //!< Groups of the replicas with the same share of state
    std::size_t m_callsLeft;       //!< Number of calls of Add() yet to come
    Update m_buckets[N_KINDS];     //!< Updates of the current buckets, after gradients' tasks
    Update m_early;                //!< Gradients of a microbatch before the last one
    uint32_t m_nEarly{0};          //!< Number of sums of such gradients so far
    std::vector<uint32_t> m_sums;  //!< The sum of the last bucket, if there is one
    std::vector<uint32_t> m_gate;  //!< The sum of the bucket before, if there is one
    std::vector<Update> m_updates; //!< Updates of the buckets before
};

} // namespace lightpath
} // namespace ns3

#endif /* GRADIENT_SYNC_H */
