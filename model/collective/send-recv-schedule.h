/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEND_RECV_SCHEDULE_H
#define SEND_RECV_SCHEDULE_H

#include "slot-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Each rank sends its whole buffer to the next rank, and the last one to rank 0, in a single
 * step that takes alpha + S / B.
 */
class SendRecvSchedule : public SlotSchedule
{
  public:
    /**
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     */
    SendRecvSchedule(uint32_t ranks, uint64_t bytes);

    // From CollectiveSchedule
    uint32_t GetNSteps() const override;
    uint32_t GetNPeers() const override;
    double GetSeconds(double latency, double rate) const override;
    double GetCircuitSeconds(const LinkCost& circuit) const override;
    double GetBusFactor() const override;

  private:
    // From SlotSchedule
    uint32_t GetShift(uint32_t step, uint32_t slot) const override;
    void AddBlocks(uint32_t rank,
                   uint32_t step,
                   uint32_t slot,
                   std::vector<Block>& blocks) const override;
    uint64_t GetMessageBytes(uint32_t rank, uint32_t step, uint32_t slot) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* SEND_RECV_SCHEDULE_H */
