/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "line-schedule.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most ranks whose all-to-all has a number of steps of 32 bits.
constexpr uint32_t MOST_RANKS = 131071;

} // namespace

LineSchedule::LineSchedule(CollectiveKind kind, uint32_t ranks, uint64_t bytes)
    : SlotSchedule(kind, ranks, bytes)
{
    if (kind == CollectiveKind::ALL_TO_ALL && ranks > MOST_RANKS)
    {
        throw std::invalid_argument("An all-to-all on a line has at most " +
                                    std::to_string(MOST_RANKS) + " ranks, not " +
                                    std::to_string(ranks));
    }
}

uint32_t
LineSchedule::GetNSteps() const
{
    const uint64_t n = GetNRanks();
    if (IsEmpty())
    {
        return 0;
    }
    return GetOperation() == CollectiveKind::ALL_TO_ALL ? n * n / 4 : GetNRounds() * (n - 1);
}

uint32_t
LineSchedule::GetNSlots(uint32_t /* step */) const
{
    return 2;
}

uint32_t
LineSchedule::GetTarget(uint32_t rank, uint32_t /* step */, uint32_t slot) const
{
    // Slot 0 leads up the line, slot 1 down
    if (slot == 0)
    {
        return rank + 1 < GetNRanks() ? rank + 1 : NONE;
    }
    return rank > 0 ? rank - 1 : NONE;
}

uint32_t
LineSchedule::GetSource(uint32_t rank, uint32_t step, uint32_t slot) const
{
    return GetTarget(rank, step, 1 - slot);
}

void
LineSchedule::AddBlocks(uint32_t rank,
                        uint32_t step,
                        uint32_t slot,
                        std::vector<Block>& blocks) const
{
    const uint32_t last = GetNRanks() - 1;
    // Down the line is up the line seen from its other end
    const auto mirror = [last, slot](uint32_t place) { return slot == 0 ? place : last - place; };
    const uint32_t place = mirror(rank);
    if (GetOperation() == CollectiveKind::ALL_TO_ALL)
    {
        const uint32_t period = place + 1;
        if (step < uint64_t{period} * (last - place))
        {
            AddChunks(mirror(place - step % period),
                      mirror(last - step / period),
                      1,
                      false,
                      blocks);
        }
        return;
    }
    const bool isSum = HasReduceScatter() && step < last;
    const uint32_t back = HasReduceScatter() && !isSum ? step - last : step;
    if (isSum && step >= place)
    {
        AddChunks(0, mirror(place + last - step), 1, true, blocks);
    }
    else if (!isSum && back <= place)
    {
        AddChunks(0, mirror(place - back), 1, false, blocks);
    }
}

void
LineSchedule::GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const
{
    transfers.clear();
    if (IsEmpty())
    {
        return;
    }
    // A link carries the chunks of the ranks behind it to be gathered, and those of the ranks ahead
    // of it to be summed, or one for each rank behind it in an all-to-all
    const auto add = [this, &transfers](uint32_t peer, uint64_t behind, uint64_t ranksBehind) {
        const uint64_t ahead = GetBytes() - behind;
        const uint64_t bytes =
            GetOperation() == CollectiveKind::ALL_TO_ALL
                ? ranksBehind * ahead
                : (HasAllGather() ? behind : 0) + (HasReduceScatter() ? ahead : 0);
        if (bytes > 0)
        {
            transfers.push_back({peer, bytes});
        }
    };
    if (rank > 0)
    {
        add(rank - 1, GetBytes() - GetChunkOffset(rank), GetNRanks() - rank);
    }
    if (rank + 1 < GetNRanks())
    {
        add(rank + 1, GetChunkOffset(rank + 1), rank + 1);
    }
}

uint32_t
LineSchedule::GetNPeers() const
{
    return IsEmpty() ? 0 : GetNRanks() > 2 ? 2 : 1;
}

double
LineSchedule::GetSeconds(double latency, double rate) const
{
    const uint64_t n = GetNRanks();
    if (IsEmpty())
    {
        return 0;
    }
    // Chunks that the busiest rank of each step sends or receives
    uint64_t chunks = n > 2 ? GetNRounds() * ((3 * n - 1) / 2) : GetNRounds();
    if (GetOperation() == CollectiveKind::ALL_TO_ALL)
    {
        chunks = n * n / 2 - (n % 2 == 0 ? 1 : 0);
    }
    const double bytes = static_cast<double>(GetBytes()) / n;
    return GetNSteps() * latency + chunks * bytes / rate;
}

double
LineSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    // The last chunk is the largest, and passes all links
    return GetNSteps() * (circuit.latency + GetChunkBytes(GetNRanks() - 1) / circuit.rate);
}

} // namespace lightpath
} // namespace ns3
