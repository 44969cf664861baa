/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINE_SCHEDULE_H
#define LINE_SCHEDULE_H

#include "slot-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Reduce-scatter, all-gather, both as all-reduce, or all-to-all on a line of ranks, each of
 * which sends to its neighbours alone, both ways at a time.
 *
 * A part of a ring is such a line. With the ranks seen from either end of the line, and going away
 * from it:
 *
 * - In step t of the all-gather, rank r sends chunk r - t on, which it got in the step before.
 * - In step t of the reduce-scatter, rank r sends the sum of chunk r + (n - 1) - t of all ranks up
 *   to itself. This is the all-gather backwards in time.
 * - In step t of the all-to-all, rank r sends a chunk of rank r - (t mod (r + 1)) for rank
 *   n - 1 - floor(t / (r + 1)): those that go farthest come first, and of these the one that comes
 *   from the nearest rank. The link behind rank r so is busy from the first of (r + 1) (n - 1 - r)
 *   steps to the last one.
 *
 * On circuits of rate b the reduce-scatter and the all-gather each take (n - 1) (alpha +
 * ceil(S / n) / b), which is exact. With B = 2 b no algorithm needs less than the bytes of this:
 * all chunks but one enter the last rank over one circuit. The all-to-all takes
 * floor(n^2 / 4) (alpha + ceil(S / n) / b), a bound from above that is exact where n divides S and
 * less than floor(n^2 / 4) bytes too much otherwise: half of the ranks have a chunk for each rank
 * of the other half, so that its bytes, too, are as few as they can be.
 *
 * If a rank sends and receives at a rate B in all, two messages that it has in a step share it:
 * ranks in the middle of the line have them in half of the steps of an all-gather or a
 * reduce-scatter, and in nearly all of an all-to-all. The first two then take (n - 1) alpha +
 * floor((3 n - 1) / 2) S / (n B) each if n is above 2, and the last floor(n^2 / 4) alpha +
 * floor(n^2 / 2) S / (n B), or a chunk less if n is even.
 */
class LineSchedule : public SlotSchedule
{
  public:
    /**
     * @param kind ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER or ALL_TO_ALL; std::invalid_argument for
     *        an all-to-all whose steps 32 bits cannot count
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     */
    LineSchedule(CollectiveKind kind, uint32_t ranks, uint64_t bytes);

    // From CollectiveSchedule
    uint32_t GetNSteps() const override;
    void GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const override;
    uint32_t GetNPeers() const override;
    double GetSeconds(double latency, double rate) const override;
    double GetCircuitSeconds(const LinkCost& circuit) const override;

  private:
    // From SlotSchedule
    uint32_t GetNSlots(uint32_t step) const override;
    uint32_t GetTarget(uint32_t rank, uint32_t step, uint32_t slot) const override;
    uint32_t GetSource(uint32_t rank, uint32_t step, uint32_t slot) const override;
    void AddBlocks(uint32_t rank,
                   uint32_t step,
                   uint32_t slot,
                   std::vector<Block>& blocks) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* LINE_SCHEDULE_H */
