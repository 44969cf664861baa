/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IN_NETWORK_SCHEDULE_H
#define IN_NETWORK_SCHEDULE_H

#include "send-recv-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief All-reduce by a network that averages what passes through it.
 *
 * Each rank sends its buffer to the network once and receives the average once, in one step, which
 * takes as long as sending the buffer to another rank. The peer of both messages is the rank
 * itself, which stands for the network; nothing goes to other ranks.
 *
 * It takes alpha + S / B, where alpha is the time of light and of the agreement on a slot.
 * The network may be the switch inside a server that all ranks share.
 */
class InNetworkSchedule : public SendRecvSchedule
{
  public:
    /**
     * @param ranks the number of ranks
     * @param bytes the size of the buffer as it is sent, in bytes
     */
    InNetworkSchedule(uint32_t ranks, uint64_t bytes);

    // From CollectiveSchedule
    void GetSends(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const override;
    void GetReceives(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const override;
    void GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const override;
    uint32_t GetNPeers() const override;
    double GetBusFactor() const override;

  private:
    // From SlotSchedule
    void AddBlocks(uint32_t rank,
                   uint32_t step,
                   uint32_t slot,
                   std::vector<Block>& blocks) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* IN_NETWORK_SCHEDULE_H */
