/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DIRECT_SCHEDULE_H
#define DIRECT_SCHEDULE_H

#include "slot-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Reduce-scatter, all-gather or both, with all messages sent straight to their
 * destinations.
 *
 * In a reduce-scatter each rank r sends chunk c to each other rank c, which adds it. In an
 * all-gather it sends chunk r to all other ranks. An all-reduce is a reduce-scatter followed by an
 * all-gather. The order of the messages is r + 1, r + 2, ... (mod n), so that the ranks are hit
 * evenly.
 *
 * Each of the two takes alpha + (n - 1) S / (n B), and alpha + ceil(S / n) / b on circuits of rate
 * b to all n - 1 other ranks, which is exact. AllToAllSchedule is the all-to-all of this kind.
 */
class DirectSchedule : public SlotSchedule
{
  public:
    /**
     * @param kind ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER or ALL_TO_ALL
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     */
    DirectSchedule(CollectiveKind kind, uint32_t ranks, uint64_t bytes);

    // From CollectiveSchedule
    uint32_t GetNSteps() const override;
    uint32_t GetNPeers() const override;
    double GetSeconds(double latency, double rate) const override;
    double GetCircuitSeconds(const LinkCost& circuit) const override;

  private:
    // From SlotSchedule
    uint32_t GetNSlots(uint32_t step) const override;
    uint32_t GetShift(uint32_t step, uint32_t slot) const override;
    void AddBlocks(uint32_t rank,
                   uint32_t step,
                   uint32_t slot,
                   std::vector<Block>& blocks) const override;
    uint64_t GetMessageBytes(uint32_t rank, uint32_t step, uint32_t slot) const override;

    /**
     * @param rank the rank that sends
     * @param step the step
     * @param slot the slot
     * @return the chunk that it sends
     */
    uint32_t GetChunk(uint32_t rank, uint32_t step, uint32_t slot) const;
};

} // namespace lightpath
} // namespace ns3

#endif /* DIRECT_SCHEDULE_H */
