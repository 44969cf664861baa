/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TWO_LEVEL_SCHEDULE_H
#define TWO_LEVEL_SCHEDULE_H

#include "collective-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief One schedule inside servers and another one across them, one after the other.
 *
 * The n = p g ranks are on p servers of g ranks; rank s g + l has index l on server s. Ranks of a
 * server have a schedule of g ranks, and ranks of an index one of p ranks.
 *
 * An all-reduce is a reduce-scatter inside each server, an all-reduce across the servers of the
 * part that the ranks of an index then hold, and an all-gather inside each server. A reduce-scatter
 * ends with a reduce-scatter across the servers, and an all-gather begins with an all-gather across
 * them. In place of the reduce-scatter, the switch of a server may sum the whole buffer for all of
 * its ranks, in one step, as InNetworkSchedule; the all-gather is then direct.
 *
 * An all-to-all has two steps. Each rank hands the rank of its server that has the index of the
 * destination what is for this index on all servers; this one sends to each server all that the
 * ranks of its own server have for its index there, in one message of g chunks. With isAcrossFirst,
 * it is the other way round: all that is for a server goes to the rank of the same index there,
 * which hands it on. In both, messages between servers are for the same index.
 *
 * The time is the sum of that of the two schedules. With latency alpha1 and rate B1 inside servers,
 * and alpha2 and B2 across them, the all-reduce on rings takes 2 (g - 1) (alpha1 + S / (g B1)) +
 * 2 (p - 1) (alpha2 + S / (n B2)); a direct all-to-all takes alpha1 + (g - 1) S / (g B1) + alpha2 +
 * (p - 1) S / (p B2). On circuits the largest index holds ceil(S / g) bytes across servers. This is
 * exact where the forms of the two schedules are, and for an all-to-all where n divides S;
 * otherwise it is a bound from above.
 */
class TwoLevelSchedule : public CollectiveSchedule
{
  public:
    /**
     * @param kind any operation but SEND_RECV
     * @param ranks the number n of ranks
     * @param bytes the size of the buffer in bytes
     * @param options the number g of ranks of a server, which divides n and is neither 1 nor n, and
     *        the algorithms, which AlgorithmTable::GetLevelChoices() lists, or AUTOMATIC; or
     *        topologies across servers, which exchange only buffers that n divides
     */
    TwoLevelSchedule(CollectiveKind kind,
                     uint32_t ranks,
                     uint64_t bytes,
                     const CollectiveOptions& options);

    // From CollectiveSchedule
    uint32_t GetNSteps() const override;
    void GetSends(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const override;
    void GetReceives(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const override;
    void GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const override;
    void GetBlocks(uint32_t rank, uint32_t step, std::vector<Block>& blocks) const override;
    void GetOwned(uint32_t rank, std::vector<Block>& blocks) const override;
    uint32_t GetNPeers() const override;
    double GetSeconds(double latency, double rate) const override;
    double GetCircuitSeconds(const LinkCost& circuit) const override;
    double GetServerSeconds(const LinkCost& inside, const LinkCost& outside) const override;
    double GetBusFactor() const override;

    /**
     * @param [in,out] step a step; on return, that of the schedule
     * @return the schedule of the first index across servers that the step belongs to; null if it
     *         is inside servers
     */
    const CollectiveSchedule* FindAcross(uint32_t& step) const;

  private:
    /// Schedules of one level, which all ranks go through at the same time.
    struct Stage
    {
        bool isAcross{false}; //!< Whether they are across servers
        uint32_t steps{0};    //!< Number of steps of the longest one
        /// That of the ranks of a server, or of those of an index; by index
        std::vector<std::shared_ptr<const CollectiveSchedule>> schedules;
        double mean{1}; //!< Bytes that a byte of the largest schedule stands for, in the mean
        double most{1}; //!< The same, at most
        /// All-to-all, whose schedules have a byte for each rank: what is sent to a destination in
        /// the first stage, by its rank in the schedule; empty in the second one
        std::vector<uint64_t> bytes;

        /**
         * @return the schedule with the largest buffer
         */
        const CollectiveSchedule& GetLargest() const;
    };

    /// A function that returns the messages that a rank sends or receives in a step.
    using GetTransfers = void (CollectiveSchedule::*)(uint32_t rank,
                                                      uint32_t step,
                                                      std::vector<Transfer>& transfers) const;

    /**
     * Make the stages of a reduction or gathering.
     *
     * @param options the ranks of a server, and the algorithms
     */
    void MakeSums(const CollectiveOptions& options);

    /**
     * Make the stages of an all-to-all.
     *
     * @param options the ranks of a server, and the algorithms
     */
    void MakeExchange(const CollectiveOptions& options);

    /**
     * @param [in,out] step a step; on return, that of the schedules of the stage
     * @return the stage that it belongs to
     */
    const Stage& GetStage(uint32_t& step) const;

    /**
     * @param stage a stage
     * @param rank a rank
     * @return its rank in its schedule of the stage
     */
    uint32_t GetPlace(const Stage& stage, uint32_t rank) const;

    /**
     * @param stage a stage
     * @param place a rank in a schedule of the stage
     * @param other the server, or index, that has this schedule
     * @return the rank of the group
     */
    uint32_t GetRank(const Stage& stage, uint32_t place, uint32_t other) const;

    /**
     * @param get the function of the schedule of the stage to call
     * @param rank the rank
     * @param step the step
     * @param [out] transfers the messages; what it held before is lost
     */
    void Get(GetTransfers get,
             uint32_t rank,
             uint32_t step,
             std::vector<Transfer>& transfers) const;

    /**
     * Turn the peers and sizes of messages of a stage into those of the group.
     *
     * @param stage the stage
     * @param rank the rank that has these messages
     * @param isReceiver true if it receives them
     * @param [in,out] transfers the messages
     */
    void Translate(const Stage& stage,
                   uint32_t rank,
                   bool isReceiver,
                   std::vector<Transfer>& transfers) const;

    /**
     * Replace each byte of an all-to-all of a stage by the chunks that it stands for.
     *
     * @param stage the stage
     * @param rank the rank that sends them
     * @param [in,out] blocks the data
     */
    void Expand(const Stage& stage, uint32_t rank, std::vector<Block>& blocks) const;

    CollectiveKind m_kind;           //!< The operation
    uint32_t m_size;                 //!< Ranks of a server
    std::vector<Stage> m_stages;     //!< What follows each other; none if there is nothing to send
    std::vector<uint64_t> m_offsets; //!< Where the part of an index begins, bytes
};

} // namespace lightpath
} // namespace ns3

#endif /* TWO_LEVEL_SCHEDULE_H */
