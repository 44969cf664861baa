/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circulant-schedule.h"

namespace ns3
{
namespace lightpath
{

CirculantSchedule::CirculantSchedule(CollectiveKind kind, uint32_t ranks, uint64_t bytes)
    : SlotSchedule(kind, ranks, bytes),
      m_distances{ranks}
{
    while (m_distances.back() > 1)
    {
        m_distances.push_back((m_distances.back() + 1) / 2);
    }
}

uint32_t
CirculantSchedule::GetNSteps() const
{
    return IsEmpty() ? 0 : GetNRounds() * (m_distances.size() - 1);
}

uint32_t
CirculantSchedule::GetLevel(uint32_t step) const
{
    // The reduce-scatter goes through the distances downwards, the all-gather upwards
    const uint32_t levels = m_distances.size() - 1;
    if (HasReduceScatter() && step < levels)
    {
        return step + 1;
    }
    return levels - (HasReduceScatter() ? step - levels : step);
}

uint32_t
CirculantSchedule::GetShift(uint32_t step, uint32_t /* slot */) const
{
    return m_distances[GetLevel(step)];
}

void
CirculantSchedule::AddBlocks(uint32_t rank,
                             uint32_t step,
                             uint32_t /* slot */,
                             std::vector<Block>& blocks) const
{
    const uint32_t level = GetLevel(step);
    const uint32_t distance = m_distances[level];
    const uint32_t count = m_distances[level - 1] - distance;
    // Sums go to the chunks from the receiver on; an all-gather sends the chunks up to the sender's
    const bool isSum = HasReduceScatter() && step + 1 < m_distances.size();
    const uint32_t first = isSum ? GetAfter(rank, distance) : GetBefore(rank, count - 1);
    AddChunks(0, first, count, isSum, blocks);
}

uint32_t
CirculantSchedule::GetNPeers() const
{
    return IsEmpty() ? 0 : m_distances.size() - 1;
}

double
CirculantSchedule::GetSeconds(double latency, double rate) const
{
    const double n = GetNRanks();
    return GetNSteps() * latency + (IsEmpty() ? 0 : GetNRounds() * (n - 1) / n * GetBytes() / rate);
}

double
CirculantSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    if (IsEmpty())
    {
        return 0;
    }
    uint64_t bytes = 0;
    for (std::size_t level = 1; level < m_distances.size(); ++level)
    {
        // No chunks are larger than the last ones of the buffer
        bytes +=
            GetBytes() - GetChunkOffset(GetNRanks() - m_distances[level - 1] + m_distances[level]);
    }
    return GetNSteps() * circuit.latency + GetNRounds() * bytes / circuit.rate;
}

} // namespace lightpath
} // namespace ns3
