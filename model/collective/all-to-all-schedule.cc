/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "all-to-all-schedule.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

AllToAllSchedule::AllToAllSchedule(uint32_t ranks, uint64_t bytes)
    : DirectSchedule(CollectiveKind::ALL_TO_ALL, ranks, bytes)
{
}

void
AllToAllSchedule::GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const
{
    transfers.clear();
    if (!IsEmpty())
    {
        GetSends(rank, 0, transfers);
    }
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

} // namespace lightpath
} // namespace ns3
