/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "direct-schedule.h"

namespace ns3
{
namespace lightpath
{

DirectSchedule::DirectSchedule(CollectiveKind kind, uint32_t ranks, uint64_t bytes)
    : SlotSchedule(kind, ranks, bytes)
{
}

uint32_t
DirectSchedule::GetNSteps() const
{
    return IsEmpty() ? 0 : GetNRounds();
}

uint32_t
DirectSchedule::GetNSlots(uint32_t /* step */) const
{
    return GetNRanks() - 1;
}

uint32_t
DirectSchedule::GetShift(uint32_t /* step */, uint32_t slot) const
{
    return slot + 1;
}

uint32_t
DirectSchedule::GetChunk(uint32_t rank, uint32_t step, uint32_t slot) const
{
    const bool isScattered = GetOperation() != CollectiveKind::ALL_GATHER && step == 0;
    return isScattered ? GetAfter(rank, slot + 1) : rank;
}

uint64_t
DirectSchedule::GetMessageBytes(uint32_t rank, uint32_t step, uint32_t slot) const
{
    return GetChunkBytes(GetChunk(rank, step, slot));
}

void
DirectSchedule::AddBlocks(uint32_t rank,
                          uint32_t step,
                          uint32_t slot,
                          std::vector<Block>& blocks) const
{
    const uint32_t origin = GetOperation() == CollectiveKind::ALL_TO_ALL ? rank : 0;
    AddChunks(origin, GetChunk(rank, step, slot), 1, HasReduceScatter() && step == 0, blocks);
}

uint32_t
DirectSchedule::GetNPeers() const
{
    return IsEmpty() ? 0 : GetNRanks() - 1;
}

double
DirectSchedule::GetSeconds(double latency, double rate) const
{
    const double n = GetNRanks();
    return GetNSteps() * (latency + (n - 1) / n * GetBytes() / rate);
}

double
DirectSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    // The last chunk is the largest
    return GetNSteps() * (circuit.latency + GetChunkBytes(GetNRanks() - 1) / circuit.rate);
}

} // namespace lightpath
} // namespace ns3
