/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ALL_TO_ALL_SCHEDULE_H
#define ALL_TO_ALL_SCHEDULE_H

#include "direct-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief All-to-all by direct messages in a single step.
 *
 * Rank r sends chunk d of its buffer to each other rank d, in the order r + 1, r + 2, ... (mod n),
 * so that the ranks are hit evenly. It takes alpha + (n - 1) (S / n) / B, and on circuits of rate b
 * to all other ranks alpha + ceil(S / n) / b. With servers, messages inside a server and messages
 * between servers are sent at the same time.
 */
class AllToAllSchedule : public DirectSchedule
{
  public:
    /**
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     */
    AllToAllSchedule(uint32_t ranks, uint64_t bytes);

    // From CollectiveSchedule
    void GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const override;
    double GetSeconds(double latency, double rate) const override;
    double GetServerSeconds(const LinkCost& inside, const LinkCost& outside) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* ALL_TO_ALL_SCHEDULE_H */
