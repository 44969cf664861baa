/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bruck-schedule.h"

#include <bitset>

namespace ns3
{
namespace lightpath
{

BruckSchedule::BruckSchedule(uint32_t ranks, uint64_t bytes)
    : SlotSchedule(CollectiveKind::ALL_TO_ALL, ranks, bytes)
{
}

uint32_t
BruckSchedule::GetNSteps() const
{
    uint32_t steps = 0;
    while (!IsEmpty() && (GetNRanks() - 1) >> steps > 0)
    {
        ++steps;
    }
    return steps;
}

uint32_t
BruckSchedule::GetShift(uint32_t step, uint32_t /* slot */) const
{
    return 1U << step;
}

void
BruckSchedule::AddBlocks(uint32_t rank,
                         uint32_t step,
                         uint32_t /* slot */,
                         std::vector<Block>& blocks) const
{
    const uint32_t digit = 1U << step;
    for (uint32_t distance = digit; distance < GetNRanks(); ++distance)
    {
        if ((distance & digit) != 0)
        {
            // Data for this distance have travelled its lower digits: their origin is that far back
            const uint32_t origin = GetBefore(rank, distance % digit);
            AddChunks(origin, GetAfter(origin, distance), 1, false, blocks);
        }
    }
}

uint32_t
BruckSchedule::GetNPeers() const
{
    return GetNSteps();
}

uint64_t
BruckSchedule::GetNChunks() const
{
    uint64_t count = 0;
    for (uint32_t distance = 1; distance < GetNRanks(); ++distance)
    {
        count += std::bitset<32>(distance).count();
    }
    return count;
}

double
BruckSchedule::GetSeconds(double latency, double rate) const
{
    return IsEmpty() ? 0
                     : GetNSteps() * latency +
                           static_cast<double>(GetNChunks()) * GetBytes() / (GetNRanks() * rate);
}

double
BruckSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    // The last chunk is the largest
    return IsEmpty() ? 0
                     : GetNSteps() * circuit.latency +
                           GetNChunks() * GetChunkBytes(GetNRanks() - 1) / circuit.rate;
}

} // namespace lightpath
} // namespace ns3
