/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "in-network-schedule.h"

namespace ns3
{
namespace lightpath
{

InNetworkSchedule::InNetworkSchedule(uint32_t ranks, uint64_t bytes)
    : SendRecvSchedule(ranks, bytes)
{
}

void
InNetworkSchedule::GetSends(uint32_t rank,
                            uint32_t /* step */,
                            std::vector<Transfer>& transfers) const
{
    transfers.assign(1, {rank, GetBytes(), GetNLocal() == GetNRanks()});
}

void
InNetworkSchedule::GetReceives(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const
{
    GetSends(rank, step, transfers);
}

void
InNetworkSchedule::GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const
{
    transfers.clear();
    if (!IsEmpty())
    {
        GetSends(rank, 0, transfers);
    }
}

void
InNetworkSchedule::AddBlocks(uint32_t /* rank */,
                             uint32_t /* step */,
                             uint32_t /* slot */,
                             std::vector<Block>& blocks) const
{
    blocks.push_back({0, 0, 0, GetBytes(), false});
}

uint32_t
InNetworkSchedule::GetNPeers() const
{
    return 0;
}

double
InNetworkSchedule::GetBusFactor() const
{
    return 2 * (GetNRanks() - 1.0) / GetNRanks();
}

} // namespace lightpath
} // namespace ns3
