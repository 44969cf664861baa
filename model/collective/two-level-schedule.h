/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TWO_LEVEL_SCHEDULE_H
#define TWO_LEVEL_SCHEDULE_H

#include "collective-schedule.h"
#include "ring-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Reduce-scatter, all-gather or all-reduce on rings inside servers and rings across them.
 *
 * The n = p g ranks are on p servers of g ranks; rank s g + l has index l on server s. An
 * all-reduce is a reduce-scatter inside each server, an all-reduce across the servers among the
 * ranks of the same index, and an all-gather inside each server. A reduce-scatter ends with a
 * reduce-scatter across the servers, and an all-gather begins with an all-gather across them. Each
 * part follows RingSchedule: index l holds the g-th number (l + 1) mod g of the buffer between the
 * parts, and in a reduce-scatter or all-gather, server s holds of this the p-th number
 * (s + 1) mod p. Chunks are divided as the buffer is, by the rule of CollectiveSchedule.
 *
 * With latency alpha1 and rate B1 inside servers and alpha2 and B2 between them, an all-reduce
 * takes 2 (g - 1) (alpha1 + S / (g B1)) + 2 (p - 1) (alpha2 + S / (n B2)), and each of the other
 * two half of it. On circuits of rate b, one inside the server and one to another server, an
 * all-reduce takes 2 (g - 1) (alpha + ceil(S / g) / b) + 2 (p - 1) (alpha + ceil(S / n) / b):
 * exact, as the last index holds the largest part.
 */
class TwoLevelSchedule : public CollectiveSchedule
{
  public:
    /**
     * @param kind ALL_REDUCE, REDUCE_SCATTER or ALL_GATHER
     * @param ranks the number n of ranks
     * @param bytes the size of the buffer in bytes
     * @param local the number g of ranks of a server, which divides n; neither 1 nor n
     */
    TwoLevelSchedule(CollectiveKind kind, uint32_t ranks, uint64_t bytes, uint32_t local);

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

  private:
    /// Where a step belongs.
    struct Place
    {
        bool across{false}; //!< Whether it is on the rings across the servers, not inside them
        uint32_t step{0};   //!< The step of the schedule of these rings
    };

    /// A function that returns the messages that a rank of a ring sends or receives in a step.
    using GetTransfers = void (RingSchedule::*)(uint32_t rank,
                                                uint32_t step,
                                                std::vector<Transfer>& transfers) const;

    /**
     * @return the number of steps on the rings across the servers
     */
    uint32_t GetNStepsAcross() const;

    /**
     * @param step a step
     * @return where it belongs
     */
    Place GetPlace(uint32_t step) const;

    /**
     * @param rank a rank
     * @return the schedule across the servers that it takes part in, where it has the rank of its
     *         server
     */
    RingSchedule GetAcross(uint32_t rank) const;

    /**
     * @param get the function of the ring to call
     * @param rank the rank
     * @param step the step
     * @param [out] transfers the messages; what it held before is lost
     */
    void Get(GetTransfers get,
             uint32_t rank,
             uint32_t step,
             std::vector<Transfer>& transfers) const;

    /**
     * Turn the peers on a ring into ranks of the group.
     *
     * @param rank the rank that has these peers
     * @param across true if the ring is one across the servers
     * @param [in,out] transfers the messages
     */
    void ToRanks(uint32_t rank, bool across, std::vector<Transfer>& transfers) const;

    /**
     * Turn offsets in the part that the ranks of an index share into offsets in the buffer.
     *
     * @param rank a rank of the index
     * @param [in,out] blocks the data
     */
    void Shift(uint32_t rank, std::vector<Block>& blocks) const;

    CollectiveKind m_kind; //!< The operation
    uint32_t m_size;       //!< Ranks of a server
    RingSchedule m_inside; //!< The ring of each server
};

} // namespace lightpath
} // namespace ns3

#endif /* TWO_LEVEL_SCHEDULE_H */
