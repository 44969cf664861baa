/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAIRWISE_SCHEDULE_H
#define PAIRWISE_SCHEDULE_H

#include "slot-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief All-to-all with one peer after the other.
 *
 * In step k = 1, ..., n - 1 each rank r sends chunk r + k (mod n) of its buffer to rank r + k, so
 * that each step is a permutation: one configuration of circuits (Thakur, Rabenseifner and Gropp,
 * 2005).
 *
 * It takes (n - 1) (alpha + S / (n B)). On circuits of rate b to all other ranks it takes
 * (n - 1) (alpha + ceil(S / n) / b), a bound from above that is exact where n divides S and less
 * than n - 1 bytes too much otherwise.
 */
class PairwiseSchedule : public SlotSchedule
{
  public:
    /**
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     */
    PairwiseSchedule(uint32_t ranks, uint64_t bytes);

    // From CollectiveSchedule
    uint32_t GetNSteps() const override;
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
};

} // namespace lightpath
} // namespace ns3

#endif /* PAIRWISE_SCHEDULE_H */
