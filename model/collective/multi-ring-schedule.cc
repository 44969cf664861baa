/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "multi-ring-schedule.h"

#include "model/base/ring-strides.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param value a number that has no common divisor with n
 * @param n the modulus
 * @return the number whose product with the value is 1 (mod n)
 */
uint32_t
GetInverse(uint32_t value, uint32_t n)
{
    // Euclid's algorithm; of each remainder, the factor of the value that it is congruent to
    int64_t remainder = n;
    int64_t nextRemainder = value;
    int64_t factor = 0;
    int64_t nextFactor = 1;
    while (nextRemainder != 0)
    {
        const int64_t quotient = remainder / nextRemainder;
        remainder = std::exchange(nextRemainder, remainder - quotient * nextRemainder);
        factor = std::exchange(nextFactor, factor - quotient * nextFactor);
    }
    return factor < 0 ? factor + n : factor;
}

} // namespace

MultiRingSchedule::MultiRingSchedule(CollectiveKind kind,
                                     uint32_t ranks,
                                     uint64_t bytes,
                                     uint32_t rings)
    : RingSchedule(kind, ranks, bytes)
{
    const auto strides = RingStrides::Choose(ranks, rings);
    NS_ASSERT_MSG(strides.size() == rings, "There are only " << strides.size() << " strides");
    for (uint32_t i = 0; i < rings; ++i)
    {
        const uint64_t offset = GetOffset(bytes, rings, i);
        m_rings.push_back({strides[i],
                           GetInverse(strides[i], ranks),
                           offset,
                           GetOffset(bytes, rings, i + 1) - offset});
    }
}

uint32_t
MultiRingSchedule::GetNSlots(uint32_t /* step */) const
{
    return m_rings.size();
}

uint32_t
MultiRingSchedule::GetShift(uint32_t /* step */, uint32_t slot) const
{
    return m_rings[slot].stride;
}

uint32_t
MultiRingSchedule::GetPosition(const Ring& ring, uint32_t rank) const
{
    return uint64_t{rank} * ring.inverse % GetNRanks();
}

Block
MultiRingSchedule::GetBlock(const Ring& ring, uint32_t chunk, bool isSum) const
{
    const uint64_t begin = GetOffset(ring.bytes, GetNRanks(), chunk);
    const uint64_t end = GetOffset(ring.bytes, GetNRanks(), chunk + 1);
    return {0, 0, ring.offset + begin, end - begin, isSum};
}

uint64_t
MultiRingSchedule::GetMessageBytes(uint32_t rank, uint32_t step, uint32_t slot) const
{
    const Ring& ring = m_rings[slot];
    return GetBlock(ring, GetChunk(GetPosition(ring, rank), step), false).bytes;
}

void
MultiRingSchedule::AddBlocks(uint32_t rank,
                             uint32_t step,
                             uint32_t slot,
                             std::vector<Block>& blocks) const
{
    const Ring& ring = m_rings[slot];
    const bool isSum = HasReduceScatter() && step < GetNRanks() - 1;
    const Block block = GetBlock(ring, GetChunk(GetPosition(ring, rank), step), isSum);
    if (block.bytes > 0)
    {
        blocks.push_back(block);
    }
}

void
MultiRingSchedule::GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const
{
    NS_ASSERT_MSG(rank < GetNRanks(), "Rank " << rank << " of " << GetNRanks());
    transfers.clear();
    if (IsEmpty())
    {
        return;
    }
    // In each round a rank sends all chunks of a ring but one
    const uint32_t n = GetNRanks();
    for (const auto& ring : m_rings)
    {
        const uint32_t position = GetPosition(ring, rank);
        uint64_t bytes = 0;
        // The reduce-scatter keeps the chunk that it completes, the all-gather the next one
        if (HasReduceScatter())
        {
            bytes += ring.bytes - GetBlock(ring, (position + 1) % n, false).bytes;
        }
        if (HasAllGather())
        {
            bytes += ring.bytes - GetBlock(ring, (position + 2) % n, false).bytes;
        }
        if (bytes > 0)
        {
            transfers.push_back({GetAfter(rank, ring.stride), bytes});
        }
    }
}

void
MultiRingSchedule::GetOwned(uint32_t rank, std::vector<Block>& blocks) const
{
    blocks.clear();
    if (GetOperation() == CollectiveKind::ALL_REDUCE)
    {
        return;
    }
    for (const auto& ring : m_rings)
    {
        const Block block = GetBlock(ring, (GetPosition(ring, rank) + 1) % GetNRanks(), false);
        if (block.bytes > 0)
        {
            blocks.push_back(block);
        }
    }
}

uint32_t
MultiRingSchedule::GetNPeers() const
{
    return IsEmpty() ? 0 : m_rings.size();
}

double
MultiRingSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    if (GetNSteps() == 0)
    {
        return 0;
    }
    const uint64_t parts = uint64_t{GetNRanks()} * m_rings.size();
    const uint64_t chunk = GetBytes() / parts + (GetBytes() % parts > 0);
    return GetNSteps() * (circuit.latency + chunk / circuit.rate);
}

} // namespace lightpath
} // namespace ns3
