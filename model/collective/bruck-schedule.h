/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BRUCK_SCHEDULE_H
#define BRUCK_SCHEDULE_H

#include "slot-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief All-to-all in the fewest steps: messages are forwarded by other ranks.
 *
 * The data of rank o for rank o + j (mod n) travel the distances 2^k of the binary digits of j, the
 * smallest first: in step k = 0, 1, ..., ceil(log2 n) - 1 each rank r sends all its data whose
 * digit k is set to rank r + 2^k (Bruck, Ho, Kipnis, Upfal and Weathersby, "Efficient Algorithms
 * for All-to-All Communications in Multiport Message-Passing Systems", 1997).
 *
 * With the number m_k of the j < n that have digit k set, it takes the sum of alpha + m_k S / (n B)
 * over k: ceil(log2 n) alpha + log2(n) S / (2 B) for a power of two. On circuits of rate b to each
 * of these peers it takes the sum of alpha + m_k ceil(S / n) / b, a bound from above that is exact
 * where n divides S.
 */
class BruckSchedule : public SlotSchedule
{
  public:
    /**
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     */
    BruckSchedule(uint32_t ranks, uint64_t bytes);

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

    /**
     * @return the bytes of all steps over the size of a chunk: the sum of all m_k
     */
    uint64_t GetNChunks() const;
};

} // namespace lightpath
} // namespace ns3

#endif /* BRUCK_SCHEDULE_H */
