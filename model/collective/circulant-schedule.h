/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCULANT_SCHEDULE_H
#define CIRCULANT_SCHEDULE_H

#include "slot-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Halving and doubling for any number of ranks.
 *
 * The distances s_0 = n, s_k = ceil(s_(k-1) / 2) end with s_q = 1, q = ceil(log2 n). In step k of
 * the reduce-scatter each rank r sends the sums so far of the s_(k-1) - s_k chunks from r + s_k on
 * to rank r + s_k (mod n), which adds them; rank r ends with chunk r. In the all-gather the
 * distances come in the opposite order: rank r has the s_k chunks up to chunk r, and sends the last
 * s_(k-1) - s_k of them to rank r + s_k. (Träff, "Optimal, Non-pipelined Reduce-scatter and
 * Allreduce Algorithms", 2024; the all-gather is that of Bruck et al., 1997.)
 *
 * Each of the two takes ceil(log2 n) alpha + (n - 1) S / (n B), which is as many steps as halving
 * and doubling among a power of two of ranks with the others folded on them (Thakur et al., 2005)
 * and up to half of its bytes. On circuits of rate b to each of the q peers it takes the sum of
 * alpha + ceil(S (s_(k-1) - s_k) / n) / b over k, a bound from above that is exact where n divides
 * S and less than q bytes too much for each of the two otherwise.
 */
class CirculantSchedule : public SlotSchedule
{
  public:
    /**
     * @param kind ALL_REDUCE, REDUCE_SCATTER or ALL_GATHER
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     */
    CirculantSchedule(CollectiveKind kind, uint32_t ranks, uint64_t bytes);

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
     * @param step a step
     * @return which of the distances it has: k from 1 to q
     */
    uint32_t GetLevel(uint32_t step) const;

    std::vector<uint32_t> m_distances; //!< n and the distances, descending to 1
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCULANT_SCHEDULE_H */
