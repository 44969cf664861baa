/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HALVING_DOUBLING_SCHEDULE_H
#define HALVING_DOUBLING_SCHEDULE_H

#include "slot-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Recursive halving of the data still to be reduced, then recursive doubling of the sums,
 * among a power of two of ranks.
 *
 * With n = 2^q, rank r and rank r XOR n / 2^k exchange in step k = 1, ..., q of the reduce-scatter:
 * each sends the half of its current block that holds the other's chunk, S / 2^k bytes, and adds
 * the half that it receives. Rank r ends with chunk r. The all-gather takes the same steps in the
 * opposite order, with the sums (Thakur, Rabenseifner and Gropp, "Optimization of Collective
 * Communication Operations in MPICH", 2005). CirculantSchedule replaces it for other numbers of
 * ranks.
 *
 * Each of the two takes q alpha + (n - 1) S / (n B). On circuits of rate b to each of the q peers
 * it is the sum of alpha + ceil(S / 2^k) / b over k: exact, as the blocks that end where the buffer
 * ends are the largest of their step and follow each other.
 */
class HalvingDoublingSchedule : public SlotSchedule
{
  public:
    /**
     * @param kind ALL_REDUCE, REDUCE_SCATTER or ALL_GATHER
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     */
    HalvingDoublingSchedule(CollectiveKind kind, uint32_t ranks, uint64_t bytes);

    // From CollectiveSchedule
    uint32_t GetNSteps() const override;
    uint32_t GetNPeers() const override;
    double GetSeconds(double latency, double rate) const override;
    double GetCircuitSeconds(const LinkCost& circuit) const override;

  private:
    // From SlotSchedule
    uint32_t GetTarget(uint32_t rank, uint32_t step, uint32_t slot) const override;
    uint32_t GetSource(uint32_t rank, uint32_t step, uint32_t slot) const override;
    void AddBlocks(uint32_t rank,
                   uint32_t step,
                   uint32_t slot,
                   std::vector<Block>& blocks) const override;

    /**
     * @param step a step
     * @return by how many ranks its peers differ, a power of two
     */
    uint32_t GetDistance(uint32_t step) const;

    uint32_t m_levels; //!< The number q of steps of a reduce-scatter
};

} // namespace lightpath
} // namespace ns3

#endif /* HALVING_DOUBLING_SCHEDULE_H */
