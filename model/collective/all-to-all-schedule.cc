/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "all-to-all-schedule.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

AllToAllSchedule::AllToAllSchedule(uint32_t ranks, uint64_t bytes)
    : CollectiveSchedule(ranks, bytes)
{
}

uint32_t
AllToAllSchedule::GetNSteps() const
{
    return IsEmpty() ? 0 : 1;
}

void
AllToAllSchedule::GetSends(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const
{
    NS_ASSERT_MSG(step < GetNSteps(), "Step " << step << " does not exist");
    GetTotals(rank, transfers);
}

void
AllToAllSchedule::GetReceives(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const
{
    NS_ASSERT_MSG(rank < GetNRanks() && step < GetNSteps(),
                  "Rank " << rank << " or step " << step << " does not exist");
    transfers.clear();
    const uint32_t n = GetNRanks();
    const uint64_t bytes = GetChunkBytes(rank);
    for (uint32_t distance = 1; distance < n && bytes > 0; ++distance)
    {
        transfers.push_back({rank >= distance ? rank - distance : rank + (n - distance), bytes});
    }
}

void
AllToAllSchedule::GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const
{
    NS_ASSERT_MSG(rank < GetNRanks(), "Rank " << rank << " of " << GetNRanks());
    transfers.clear();
    const uint32_t n = GetNRanks();
    for (uint32_t distance = 1; distance < n; ++distance)
    {
        const uint32_t peer = (uint64_t{rank} + distance) % n;
        const uint64_t bytes = GetChunkBytes(peer);
        if (bytes > 0)
        {
            transfers.push_back({peer, bytes});
        }
    }
}

void
AllToAllSchedule::GetBlocks(uint32_t rank, uint32_t step, std::vector<Block>& blocks) const
{
    NS_ASSERT_MSG(rank < GetNRanks() && step < GetNSteps(),
                  "Rank " << rank << " or step " << step << " does not exist");
    blocks.clear();
    const uint32_t n = GetNRanks();
    for (uint32_t distance = 1; distance < n; ++distance)
    {
        const uint32_t peer = (uint64_t{rank} + distance) % n;
        if (const uint64_t bytes = GetChunkBytes(peer); bytes > 0)
        {
            blocks.push_back(
                {static_cast<uint32_t>(blocks.size()), rank, GetChunkOffset(peer), bytes, false});
        }
    }
}

void
AllToAllSchedule::GetOwned(uint32_t /* rank */, std::vector<Block>& blocks) const
{
    blocks.clear();
}

uint32_t
AllToAllSchedule::GetNPeers() const
{
    return IsEmpty() ? 0 : GetNRanks() - 1;
}

double
AllToAllSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    // The last chunk is the largest
    return GetNSteps() * (circuit.latency + GetChunkBytes(GetNRanks() - 1) / circuit.rate);
}

double
AllToAllSchedule::GetSeconds(double latency, double rate) const
{
    const double n = GetNRanks();
    return IsEmpty() ? 0 : latency + (n - 1) * (GetBytes() / n) / rate;
}

double
AllToAllSchedule::GetServerSeconds(const LinkCost& inside, const LinkCost& outside) const
{
    const auto get = [this](double peers, const LinkCost& link) {
        return IsEmpty() || peers == 0
                   ? 0
                   : link.latency + peers * GetBytes() / (GetNRanks() * link.rate);
    };
    return std::max(get(GetNLocal() - 1, inside), get(GetNRanks() - GetNLocal(), outside));
}

double
AllToAllSchedule::GetBusFactor() const
{
    return (GetNRanks() - 1.0) / GetNRanks();
}

} // namespace lightpath
} // namespace ns3
