/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MULTI_RING_SCHEDULE_H
#define MULTI_RING_SCHEDULE_H

#include "ring-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Several rings of the ranks at once, each with its share of the buffer.
 *
 * Ring i joins each rank r with r + p_i (mod n); its stride p_i has no common divisor with n, so
 * that it passes all ranks. Of d rings, ring i carries the bytes from floor(S i / d) to
 * floor(S (i + 1) / d), divided into n chunks by the same rule. Each ring
 * works as a RingSchedule does, and all rings advance together: the rank of position q on
 * ring i is q p_i (mod n). Strides 1 and n - 1 are the bidirectional ring.
 *
 * Reduce-scatter and all-gather each take (n - 1) (alpha + S / (n B)) with d links of rate B / d
 * from each rank, all-reduce twice that: the bandwidth of d circuits is used without moving any
 * (Wang et al., "TopoOpt", NSDI 2023). On circuits of rate b, a step takes alpha + ceil(S / (d n))
 * / b. This is exact, as the largest chunk stays the largest all the way.
 */
class MultiRingSchedule : public RingSchedule
{
  public:
    /**
     * @param kind ALL_REDUCE, REDUCE_SCATTER or ALL_GATHER
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     * @param rings the number d of rings, from 1 to the number of strides
     */
    MultiRingSchedule(CollectiveKind kind, uint32_t ranks, uint64_t bytes, uint32_t rings);

    // From CollectiveSchedule
    void GetOwned(uint32_t rank, std::vector<Block>& blocks) const override;
    uint32_t GetNPeers() const override;
    void GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const override;
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

    /// One ring.
    struct Ring
    {
        uint32_t stride{1};  //!< Distance from a rank to the next
        uint32_t inverse{1}; //!< Inverse of the stride (mod n)
        uint64_t offset{0};  //!< Where its share of the buffer begins, bytes
        uint64_t bytes{0};   //!< Its share of the buffer, bytes
    };

    /**
     * @param ring a ring
     * @param rank a rank
     * @return the position of the rank on the ring
     */
    uint32_t GetPosition(const Ring& ring, uint32_t rank) const;

    /**
     * @param ring a ring
     * @param chunk a chunk of its share
     * @param isSum true if the receiver adds it
     * @return the chunk, which may be empty
     */
    Block GetBlock(const Ring& ring, uint32_t chunk, bool isSum) const;

    std::vector<Ring> m_rings; //!< The rings
};

} // namespace lightpath
} // namespace ns3

#endif /* MULTI_RING_SCHEDULE_H */
