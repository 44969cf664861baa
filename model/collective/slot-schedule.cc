/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "slot-schedule.h"

#include "ns3/assert.h"

#include <map>

namespace ns3
{
namespace lightpath
{

SlotSchedule::SlotSchedule(CollectiveKind kind, uint32_t ranks, uint64_t bytes)
    : CollectiveSchedule(ranks, bytes),
      m_kind(kind)
{
}

uint64_t
SlotSchedule::GetOffset(uint64_t bytes, uint32_t parts, uint32_t part)
{
    // floor(S c / n) = c floor(S / n) + floor(c (S mod n) / n), without overflow
    return bytes / parts * part + part * (bytes % parts) / parts;
}

CollectiveKind
SlotSchedule::GetOperation() const
{
    return m_kind;
}

bool
SlotSchedule::HasReduceScatter() const
{
    return m_kind == CollectiveKind::ALL_REDUCE || m_kind == CollectiveKind::REDUCE_SCATTER;
}

bool
SlotSchedule::HasAllGather() const
{
    return m_kind == CollectiveKind::ALL_REDUCE || m_kind == CollectiveKind::ALL_GATHER;
}

uint32_t
SlotSchedule::GetNRounds() const
{
    return m_kind == CollectiveKind::ALL_REDUCE ? 2 : 1;
}

uint32_t
SlotSchedule::GetAfter(uint32_t rank, uint32_t distance) const
{
    // Without a division, as messages are many
    const uint64_t after = uint64_t{rank} + distance;
    return after < GetNRanks() ? after : after - GetNRanks();
}

uint32_t
SlotSchedule::GetBefore(uint32_t rank, uint32_t distance) const
{
    return rank >= distance ? rank - distance : rank + (GetNRanks() - distance);
}

void
SlotSchedule::AddChunks(uint32_t origin,
                        uint32_t first,
                        uint32_t count,
                        bool isSum,
                        std::vector<Block>& blocks) const
{
    const uint32_t n = GetNRanks();
    const auto add = [&](uint32_t begin, uint32_t end) {
        const uint64_t offset = GetChunkOffset(begin);
        if (const uint64_t bytes = GetChunkOffset(end) - offset; bytes > 0)
        {
            blocks.push_back({0, origin, offset, bytes, isSum});
        }
    };
    if (count <= n - first)
    {
        add(first, first + count);
        return;
    }
    add(first, n);
    add(0, count - (n - first));
}

uint64_t
SlotSchedule::GetMessageBytes(uint32_t rank, uint32_t step, uint32_t slot) const
{
    std::vector<Block> blocks;
    AddBlocks(rank, step, slot, blocks);
    uint64_t bytes = 0;
    for (const auto& block : blocks)
    {
        bytes += block.bytes;
    }
    return bytes;
}

void
SlotSchedule::GetSends(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const
{
    NS_ASSERT_MSG(rank < GetNRanks() && step < GetNSteps(),
                  "Rank " << rank << " or step " << step << " does not exist");
    transfers.clear();
    const uint32_t slots = GetNSlots(step);
    for (uint32_t slot = 0; slot < slots; ++slot)
    {
        const uint32_t peer = GetTarget(rank, step, slot);
        if (peer == NONE)
        {
            continue;
        }
        if (const uint64_t bytes = GetMessageBytes(rank, step, slot); bytes > 0)
        {
            transfers.push_back({peer, bytes});
        }
    }
}

void
SlotSchedule::GetReceives(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const
{
    NS_ASSERT_MSG(rank < GetNRanks() && step < GetNSteps(),
                  "Rank " << rank << " or step " << step << " does not exist");
    transfers.clear();
    const uint32_t slots = GetNSlots(step);
    for (uint32_t slot = 0; slot < slots; ++slot)
    {
        const uint32_t peer = GetSource(rank, step, slot);
        if (peer == NONE)
        {
            continue;
        }
        if (const uint64_t bytes = GetMessageBytes(peer, step, slot); bytes > 0)
        {
            transfers.push_back({peer, bytes});
        }
    }
}

void
SlotSchedule::GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const
{
    NS_ASSERT_MSG(rank < GetNRanks(), "Rank " << rank << " of " << GetNRanks());
    // Ordered by peer: the order reaches traffic matrices
    std::map<uint32_t, uint64_t> totals;
    const uint32_t steps = GetNSteps();
    for (uint32_t step = 0; step < steps; ++step)
    {
        GetSends(rank, step, transfers);
        for (const auto& transfer : transfers)
        {
            totals[transfer.peer] += transfer.bytes;
        }
    }
    transfers.clear();
    for (const auto& [peer, bytes] : totals)
    {
        transfers.push_back({peer, bytes});
    }
}

void
SlotSchedule::GetBlocks(uint32_t rank, uint32_t step, std::vector<Block>& blocks) const
{
    NS_ASSERT_MSG(rank < GetNRanks() && step < GetNSteps(),
                  "Rank " << rank << " or step " << step << " does not exist");
    blocks.clear();
    uint32_t transfer = 0;
    const uint32_t slots = GetNSlots(step);
    for (uint32_t slot = 0; slot < slots; ++slot)
    {
        if (GetTarget(rank, step, slot) == NONE)
        {
            continue;
        }
        // A message without data is not sent, and has no index
        const std::size_t begin = blocks.size();
        AddBlocks(rank, step, slot, blocks);
        for (std::size_t i = begin; i < blocks.size(); ++i)
        {
            blocks[i].transfer = transfer;
        }
        transfer += blocks.size() > begin;
    }
}

double
SlotSchedule::GetBusFactor() const
{
    return GetNRounds() * (GetNRanks() - 1.0) / GetNRanks();
}

uint32_t
SlotSchedule::GetNSlots(uint32_t /* step */) const
{
    return 1;
}

uint32_t
SlotSchedule::GetShift(uint32_t /* step */, uint32_t /* slot */) const
{
    return 0;
}

uint32_t
SlotSchedule::GetTarget(uint32_t rank, uint32_t step, uint32_t slot) const
{
    return GetAfter(rank, GetShift(step, slot));
}

uint32_t
SlotSchedule::GetSource(uint32_t rank, uint32_t step, uint32_t slot) const
{
    return GetBefore(rank, GetShift(step, slot));
}

void
SlotSchedule::GetOwned(uint32_t rank, std::vector<Block>& blocks) const
{
    blocks.clear();
    if (m_kind == CollectiveKind::REDUCE_SCATTER || m_kind == CollectiveKind::ALL_GATHER)
    {
        AddChunks(0, rank, 1, false, blocks);
    }
}

} // namespace lightpath
} // namespace ns3
