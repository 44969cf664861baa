/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-schedule.h"

#include "ns3/assert.h"

namespace ns3
{
namespace lightpath
{

RingSchedule::RingSchedule(CollectiveKind kind, uint32_t ranks, uint64_t bytes)
    : SlotSchedule(kind, ranks, bytes)
{
    NS_ASSERT_MSG(kind == CollectiveKind::ALL_REDUCE || kind == CollectiveKind::REDUCE_SCATTER ||
                      kind == CollectiveKind::ALL_GATHER,
                  "Only reductions and gatherings go round a ring");
}

uint64_t
RingSchedule::GetOwnedBytes(uint32_t rank) const
{
    return GetChunkBytes((uint64_t{rank} + 1) % GetNRanks());
}

uint64_t
RingSchedule::GetOwnedOffset(uint32_t rank) const
{
    return GetChunkOffset((uint64_t{rank} + 1) % GetNRanks());
}

uint32_t
RingSchedule::GetNSteps() const
{
    return IsEmpty() ? 0 : GetNRounds() * (GetNRanks() - 1);
}

uint32_t
RingSchedule::GetShift(uint32_t /* step */, uint32_t /* slot */) const
{
    return 1;
}

uint32_t
RingSchedule::GetChunk(uint32_t position, uint32_t step) const
{
    const uint32_t n = GetNRanks();
    // A rank sends on the chunk that it received in the step before. The all-gather begins with the
    // chunk whose sum the reduce-scatter has completed, which is one ahead.
    const bool secondRound = step >= n - 1;
    const bool isAhead = secondRound || !HasReduceScatter();
    const uint32_t back = secondRound ? step - (n - 1) : step;
    return GetBefore(isAhead ? GetAfter(position, 1) : position, back);
}

uint64_t
RingSchedule::GetMessageBytes(uint32_t rank, uint32_t step, uint32_t /* slot */) const
{
    return GetChunkBytes(GetChunk(rank, step));
}

void
RingSchedule::AddBlocks(uint32_t rank,
                        uint32_t step,
                        uint32_t /* slot */,
                        std::vector<Block>& blocks) const
{
    AddChunks(0, GetChunk(rank, step), 1, HasReduceScatter() && step < GetNRanks() - 1, blocks);
}

void
RingSchedule::GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const
{
    NS_ASSERT_MSG(rank < GetNRanks(), "Rank " << rank << " of " << GetNRanks());
    transfers.clear();
    if (IsEmpty())
    {
        return;
    }
    // In each round a rank sends all chunks but one
    const uint32_t n = GetNRanks();
    uint64_t bytes = 0;
    if (HasReduceScatter())
    {
        bytes += GetBytes() - GetOwnedBytes(rank);
    }
    if (HasAllGather())
    {
        bytes += GetBytes() - GetOwnedBytes((uint64_t{rank} + 1) % n);
    }
    if (bytes > 0)
    {
        transfers.push_back({rank + 1 < n ? rank + 1 : 0, bytes});
    }
}

void
RingSchedule::GetOwned(uint32_t rank, std::vector<Block>& blocks) const
{
    blocks.clear();
    if (const uint64_t bytes = GetOwnedBytes(rank);
        bytes > 0 && GetOperation() != CollectiveKind::ALL_REDUCE)
    {
        blocks.push_back({0, 0, GetOwnedOffset(rank), bytes, false});
    }
}

uint32_t
RingSchedule::GetNPeers() const
{
    return IsEmpty() ? 0 : 1;
}

double
RingSchedule::GetSeconds(double latency, double rate) const
{
    return GetNSteps() == 0 ? 0 : GetNSteps() * (latency + GetBytes() / (GetNRanks() * rate));
}

double
RingSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    // The last chunk is the largest
    return GetNSteps() * (circuit.latency + GetChunkBytes(GetNRanks() - 1) / circuit.rate);
}

} // namespace lightpath
} // namespace ns3
