/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "send-recv-schedule.h"

namespace ns3
{
namespace lightpath
{

SendRecvSchedule::SendRecvSchedule(uint32_t ranks, uint64_t bytes)
    : SlotSchedule(CollectiveKind::SEND_RECV, ranks, bytes)
{
}

uint32_t
SendRecvSchedule::GetNSteps() const
{
    return IsEmpty() ? 0 : 1;
}

uint32_t
SendRecvSchedule::GetShift(uint32_t /* step */, uint32_t /* slot */) const
{
    return 1;
}

void
SendRecvSchedule::AddBlocks(uint32_t rank,
                            uint32_t /* step */,
                            uint32_t /* slot */,
                            std::vector<Block>& blocks) const
{
    blocks.push_back({0, rank, 0, GetBytes(), false});
}

uint64_t
SendRecvSchedule::GetMessageBytes(uint32_t /* rank */,
                                  uint32_t /* step */,
                                  uint32_t /* slot */) const
{
    return GetBytes();
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
