/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "send-recv-schedule.h"

#include "ns3/assert.h"

namespace ns3
{
namespace lightpath
{

SendRecvSchedule::SendRecvSchedule(uint32_t ranks, uint64_t bytes)
    : CollectiveSchedule(ranks, bytes)
{
}

uint32_t
SendRecvSchedule::GetNSteps() const
{
    return IsEmpty() ? 0 : 1;
}

void
SendRecvSchedule::GetSends(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const
{
    NS_ASSERT_MSG(step < GetNSteps(), "Step " << step << " does not exist");
    GetTotals(rank, transfers);
}

void
SendRecvSchedule::GetReceives(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const
{
    NS_ASSERT_MSG(rank < GetNRanks() && step < GetNSteps(),
                  "Rank " << rank << " or step " << step << " does not exist");
    transfers.assign(1, {rank > 0 ? rank - 1 : GetNRanks() - 1, GetBytes()});
}

void
SendRecvSchedule::GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const
{
    NS_ASSERT_MSG(rank < GetNRanks(), "Rank " << rank << " of " << GetNRanks());
    transfers.clear();
    if (!IsEmpty())
    {
        transfers.push_back({rank + 1 < GetNRanks() ? rank + 1 : 0, GetBytes()});
    }
}

void
SendRecvSchedule::GetBlocks(uint32_t rank, uint32_t step, std::vector<Block>& blocks) const
{
    NS_ASSERT_MSG(rank < GetNRanks() && step < GetNSteps(),
                  "Rank " << rank << " or step " << step << " does not exist");
    blocks.assign(1, {0, rank, 0, GetBytes(), false});
}

void
SendRecvSchedule::GetOwned(uint32_t /* rank */, std::vector<Block>& blocks) const
{
    blocks.clear();
}

uint32_t
SendRecvSchedule::GetNPeers() const
{
    return IsEmpty() ? 0 : 1;
}

double
SendRecvSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    return GetSeconds(circuit.latency, circuit.rate);
}

double
SendRecvSchedule::GetSeconds(double latency, double rate) const
{
    return IsEmpty() ? 0 : latency + GetBytes() / rate;
}

double
SendRecvSchedule::GetBusFactor() const
{
    return 1;
}

} // namespace lightpath
} // namespace ns3
