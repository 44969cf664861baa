/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "double-tree-schedule.h"

#include "ns3/assert.h"

#include <algorithm>
#include <map>

namespace ns3
{
namespace lightpath
{

DoubleTreeSchedule::DoubleTreeSchedule(uint32_t ranks, uint64_t bytes, uint32_t chunks)
    : SlotSchedule(CollectiveKind::ALL_REDUCE, ranks, bytes),
      m_depth(GetDepth(ranks)),
      m_chunks(chunks)
{
    NS_ASSERT_MSG(chunks > 0, "No chunks");
}

uint32_t
DoubleTreeSchedule::GetDepth(uint32_t ranks)
{
    uint32_t depth = 0;
    while ((ranks - 1) >> depth > 0)
    {
        ++depth;
    }
    return depth;
}

uint32_t
DoubleTreeSchedule::ChooseChunks(uint32_t ranks, uint64_t bytes)
{
    constexpr uint64_t LATENCY_BYTES = 65536;
    constexpr uint64_t MOST = 1023;
    const uint64_t depth = std::max<uint32_t>(GetDepth(ranks), 1);
    const uint64_t square = bytes / LATENCY_BYTES * 2 * (2 * depth - 1);
    uint64_t chunks = 1;
    while (chunks * chunks < square && chunks < MOST)
    {
        chunks += 2;
    }
    return chunks;
}

uint32_t
DoubleTreeSchedule::GetLabel(uint32_t rank, uint32_t tree) const
{
    if (tree == 0)
    {
        return rank;
    }
    return GetNRanks() % 2 == 0 ? GetNRanks() - 1 - rank : GetBefore(rank, 1);
}

uint32_t
DoubleTreeSchedule::GetRank(uint32_t label, uint32_t tree) const
{
    if (tree == 0 || label == NONE)
    {
        return label;
    }
    return GetNRanks() % 2 == 0 ? GetNRanks() - 1 - label : GetAfter(label, 1);
}

uint32_t
DoubleTreeSchedule::GetParent(uint32_t label) const
{
    if (label == 0)
    {
        return NONE;
    }
    const uint64_t bit = label & (~label + 1);
    const uint64_t below = label - bit;
    const uint64_t parent = below | (2 * bit);
    return parent < GetNRanks() ? parent : below;
}

uint32_t
DoubleTreeSchedule::GetChild(uint32_t label, bool above) const
{
    if (label == 0)
    {
        return above && GetNRanks() > 1 ? 1U << (m_depth - 1) : NONE;
    }
    uint32_t distance = (label & (~label + 1)) / 2;
    if (!above)
    {
        return distance > 0 ? label - distance : NONE;
    }
    while (distance > 0 && distance >= GetNRanks() - label)
    {
        distance /= 2;
    }
    return distance > 0 ? label + distance : NONE;
}

uint32_t
DoubleTreeSchedule::GetReceiver(uint32_t label, uint32_t slot) const
{
    if (slot == DOWN_BELOW || slot == DOWN_ABOVE)
    {
        return GetChild(label, slot == DOWN_ABOVE);
    }
    const uint32_t parent = GetParent(label);
    return parent != NONE && (label > parent) == (slot == UP_ABOVE) ? parent : NONE;
}

uint32_t
DoubleTreeSchedule::GetLabelDepth(uint32_t label) const
{
    uint32_t depth = 0;
    for (; label != 0; label = GetParent(label))
    {
        ++depth;
    }
    return depth;
}

uint32_t
DoubleTreeSchedule::GetNSteps() const
{
    return IsEmpty() ? 0 : 2 * m_depth + m_chunks - 1;
}

uint32_t
DoubleTreeSchedule::GetNSlots(uint32_t /* step */) const
{
    return 2 * SLOTS_OF_TREE;
}

uint32_t
DoubleTreeSchedule::GetTarget(uint32_t rank, uint32_t /* step */, uint32_t slot) const
{
    const uint32_t tree = slot / SLOTS_OF_TREE;
    return GetRank(GetReceiver(GetLabel(rank, tree), slot % SLOTS_OF_TREE), tree);
}

uint32_t
DoubleTreeSchedule::GetSource(uint32_t rank, uint32_t /* step */, uint32_t slot) const
{
    // The message of this label in the other direction goes to the sender of this message
    const uint32_t tree = slot / SLOTS_OF_TREE;
    const uint32_t way = slot % SLOTS_OF_TREE;
    const uint32_t back = way < DOWN_BELOW ? way + DOWN_BELOW : way - DOWN_BELOW;
    return GetRank(GetReceiver(GetLabel(rank, tree), back), tree);
}

void
DoubleTreeSchedule::AddBlocks(uint32_t rank,
                              uint32_t step,
                              uint32_t slot,
                              std::vector<Block>& blocks) const
{
    const uint32_t tree = slot / SLOTS_OF_TREE;
    const bool isUp = slot % SLOTS_OF_TREE < DOWN_BELOW;
    const uint32_t depth = GetLabelDepth(GetLabel(rank, tree));
    const uint32_t first = isUp ? m_depth - depth : m_depth + depth;
    if (step < first || step - first >= m_chunks)
    {
        return;
    }
    const uint64_t begin = GetOffset(GetBytes(), 2, tree);
    const uint64_t share = GetOffset(GetBytes(), 2, tree + 1) - begin;
    const uint64_t offset = GetOffset(share, m_chunks, step - first);
    const uint64_t end = GetOffset(share, m_chunks, step - first + 1);
    if (end > offset)
    {
        blocks.push_back({0, 0, begin + offset, end - offset, isUp});
    }
}

void
DoubleTreeSchedule::GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const
{
    NS_ASSERT_MSG(rank < GetNRanks(), "Rank " << rank << " of " << GetNRanks());
    transfers.clear();
    if (IsEmpty())
    {
        return;
    }
    std::map<uint32_t, uint64_t> totals;
    for (uint32_t slot = 0; slot < 2 * SLOTS_OF_TREE; ++slot)
    {
        if (const uint32_t peer = GetTarget(rank, 0, slot); peer != NONE)
        {
            const uint32_t tree = slot / SLOTS_OF_TREE;
            totals[peer] += GetOffset(GetBytes(), 2, tree + 1) - GetOffset(GetBytes(), 2, tree);
        }
    }
    for (const auto& [peer, bytes] : totals)
    {
        if (bytes > 0)
        {
            transfers.push_back({peer, bytes});
        }
    }
}

uint32_t
DoubleTreeSchedule::GetNPeers() const
{
    // A rank with children in one tree has a parent in both
    constexpr std::size_t MOST = 4;
    std::size_t peers = 0;
    std::vector<Transfer> totals;
    for (uint32_t rank = 0; rank < GetNRanks() && peers < MOST; ++rank)
    {
        GetTotals(rank, totals);
        peers = std::max(peers, totals.size());
    }
    return peers;
}

double
DoubleTreeSchedule::GetSeconds(double latency, double rate) const
{
    return GetNSteps() * (latency + 2.0 * GetBytes() / (m_chunks * rate));
}

double
DoubleTreeSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    const uint64_t share = GetBytes() - GetBytes() / 2;
    const uint64_t chunk = share / m_chunks + (share % m_chunks > 0);
    return GetNSteps() * (circuit.latency + 2 * chunk / circuit.rate);
}

} // namespace lightpath
} // namespace ns3
