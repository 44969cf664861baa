/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pairwise-schedule.h"

namespace ns3
{
namespace lightpath
{

PairwiseSchedule::PairwiseSchedule(uint32_t ranks, uint64_t bytes)
    : SlotSchedule(CollectiveKind::ALL_TO_ALL, ranks, bytes)
{
}

uint32_t
PairwiseSchedule::GetNSteps() const
{
    return IsEmpty() ? 0 : GetNRanks() - 1;
}

uint32_t
PairwiseSchedule::GetShift(uint32_t step, uint32_t /* slot */) const
{
    return step + 1;
}

void
PairwiseSchedule::AddBlocks(uint32_t rank,
                            uint32_t step,
                            uint32_t /* slot */,
                            std::vector<Block>& blocks) const
{
    AddChunks(rank, GetAfter(rank, step + 1), 1, false, blocks);
}

uint32_t
PairwiseSchedule::GetNPeers() const
{
    return IsEmpty() ? 0 : GetNRanks() - 1;
}

double
PairwiseSchedule::GetSeconds(double latency, double rate) const
{
    return GetNSteps() * (latency + GetBytes() / (GetNRanks() * rate));
}

double
PairwiseSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    // The last chunk is the largest
    return GetNSteps() * (circuit.latency + GetChunkBytes(GetNRanks() - 1) / circuit.rate);
}

} // namespace lightpath
} // namespace ns3
