/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "halving-doubling-schedule.h"

#include "ns3/assert.h"

namespace ns3
{
namespace lightpath
{

HalvingDoublingSchedule::HalvingDoublingSchedule(CollectiveKind kind,
                                                 uint32_t ranks,
                                                 uint64_t bytes)
    : SlotSchedule(kind, ranks, bytes),
      m_levels(0)
{
    NS_ASSERT_MSG((ranks & (ranks - 1)) == 0, ranks << " is no power of two");
    while (ranks >> (m_levels + 1) > 0)
    {
        ++m_levels;
    }
}

uint32_t
HalvingDoublingSchedule::GetNSteps() const
{
    return IsEmpty() ? 0 : GetNRounds() * m_levels;
}

uint32_t
HalvingDoublingSchedule::GetDistance(uint32_t step) const
{
    // Halved in each step of the reduce-scatter, doubled in each step of the all-gather
    if (HasReduceScatter() && step < m_levels)
    {
        return GetNRanks() >> (step + 1);
    }
    return 1U << (HasReduceScatter() ? step - m_levels : step);
}

uint32_t
HalvingDoublingSchedule::GetTarget(uint32_t rank, uint32_t step, uint32_t /* slot */) const
{
    return rank ^ GetDistance(step);
}

uint32_t
HalvingDoublingSchedule::GetSource(uint32_t rank, uint32_t step, uint32_t /* slot */) const
{
    return rank ^ GetDistance(step);
}

void
HalvingDoublingSchedule::AddBlocks(uint32_t rank,
                                   uint32_t step,
                                   uint32_t /* slot */,
                                   std::vector<Block>& blocks) const
{
    const uint32_t distance = GetDistance(step);
    const bool isSum = HasReduceScatter() && step < m_levels;
    // The reduce-scatter sends the aligned half that holds the receiver, the all-gather the half
    // that holds the sender
    const uint32_t within = isSum ? rank ^ distance : rank;
    AddChunks(0, within - within % distance, distance, isSum, blocks);
}

uint32_t
HalvingDoublingSchedule::GetNPeers() const
{
    return IsEmpty() ? 0 : m_levels;
}

double
HalvingDoublingSchedule::GetSeconds(double latency, double rate) const
{
    const double n = GetNRanks();
    return IsEmpty() ? 0 : GetNRounds() * (m_levels * latency + (n - 1) / n * GetBytes() / rate);
}

double
HalvingDoublingSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    if (IsEmpty())
    {
        return 0;
    }
    uint64_t bytes = 0;
    for (uint32_t k = 1; k <= m_levels; ++k)
    {
        const uint64_t parts = uint64_t{1} << k;
        bytes += GetBytes() / parts + (GetBytes() % parts > 0);
    }
    return GetNRounds() * (m_levels * circuit.latency + bytes / circuit.rate);
}

} // namespace lightpath
} // namespace ns3
