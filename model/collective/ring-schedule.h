/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_SCHEDULE_H
#define RING_SCHEDULE_H

#include "slot-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Reduce-scatter, all-gather, or one after the other as all-reduce, on a ring of the ranks.
 *
 * In step t of the reduce-scatter, rank r sends chunk (r - t) mod n to rank r + 1, which adds it to
 * its own; after n - 1 steps rank r holds the whole sum of chunk (r + 1) mod n. In step t of the
 * all-gather, rank r sends chunk (r + 1 - t) mod n to rank r + 1; rank r begins with chunk
 * (r + 1) mod n. Each of the two takes (n - 1) (alpha + S / (n B)), and on circuits of rate b
 * (n - 1) (alpha + ceil(S / n) / b): the largest chunk is under way in every step.
 */
class RingSchedule : public SlotSchedule
{
  public:
    /**
     * @param kind ALL_REDUCE, REDUCE_SCATTER or ALL_GATHER
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     */
    RingSchedule(CollectiveKind kind, uint32_t ranks, uint64_t bytes);

    /**
     * @param rank a rank
     * @return the size in bytes of the chunk that it holds after the reduce-scatter and begins the
     *         all-gather with
     */
    uint64_t GetOwnedBytes(uint32_t rank) const;

    /**
     * @param rank a rank
     * @return where this chunk begins in the buffer, in bytes
     */
    uint64_t GetOwnedOffset(uint32_t rank) const;

    /**
     * @param position the position on the ring of the rank that sends, here the rank itself
     * @param step the step
     * @return the chunk that it sends
     */
    uint32_t GetChunk(uint32_t position, uint32_t step) const;

    // From CollectiveSchedule
    uint32_t GetNSteps() const override;
    void GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const override;
    void GetOwned(uint32_t rank, std::vector<Block>& blocks) const override;
    uint32_t GetNPeers() const override;
    double GetSeconds(double latency, double rate) const override;
    double GetCircuitSeconds(const LinkCost& circuit) const override;

  private:
    // From SlotSchedule
    uint32_t GetShift(uint32_t step, uint32_t slot) const override;
    void AddBlocks(uint32_t rank,
                   uint32_t step,
                   uint32_t slot,
                   std::vector<Block>& blocks) const override;
    uint64_t GetMessageBytes(uint32_t rank, uint32_t step, uint32_t slot) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_SCHEDULE_H */
