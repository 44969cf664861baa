/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "grid-schedule.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

GridSchedule::GridSchedule(CollectiveKind kind, uint32_t ranks, uint64_t bytes, uint32_t columns)
    : SlotSchedule(kind, ranks, bytes),
      m_sizes{columns, 1}
{
    if (columns == 1)
    {
        for (uint32_t rows = 1; uint64_t{rows} * rows <= ranks; ++rows)
        {
            m_sizes[0] = ranks % rows == 0 ? ranks / rows : m_sizes[0];
        }
    }
    NS_ASSERT_MSG(ranks % m_sizes[0] == 0, m_sizes[0] << " columns for " << ranks << " ranks");
    m_sizes[1] = ranks / m_sizes[0];
    // With a single row or column there is nothing to do at the same time
    const uint32_t halves = std::min(m_sizes[0], m_sizes[1]) > 1 ? 2 : 1;
    for (uint32_t half = 0; half < halves; ++half)
    {
        m_stages.push_back(MakeStages(half));
    }
}

std::vector<GridSchedule::Stage>
GridSchedule::MakeStages(uint32_t half) const
{
    std::vector<Stage> stages;
    // Chunks along row and column of which a rank still holds sums
    std::array<uint32_t, 2> left = m_sizes;
    for (uint32_t side = half; left[0] > 1 || left[1] > 1; side = 1 - side)
    {
        // Once one side is done, the other one takes all steps
        side = left[side] > 1 ? side : 1 - side;
        const uint32_t kept = (left[side] + 1) / 2;
        Stage stage{side, kept, left};
        stage.count[side] = left[side] - kept;
        stages.push_back(stage);
        left[side] = kept;
    }
    return stages;
}

const GridSchedule::Stage&
GridSchedule::GetStage(uint32_t step, uint32_t half) const
{
    const auto& stages = m_stages[half];
    if (HasReduceScatter() && step < stages.size())
    {
        return stages[step];
    }
    return stages[stages.size() - 1 - (HasReduceScatter() ? step - stages.size() : step)];
}

bool
GridSchedule::IsJoint(uint32_t step) const
{
    if (m_stages.size() == 1)
    {
        return false;
    }
    const Stage& first = GetStage(step, 0);
    const Stage& second = GetStage(step, 1);
    return first.side == second.side && first.distance == second.distance;
}

uint32_t
GridSchedule::GetNSteps() const
{
    return IsEmpty() ? 0 : GetNRounds() * static_cast<uint32_t>(m_stages.front().size());
}

uint32_t
GridSchedule::GetNSlots(uint32_t step) const
{
    return IsJoint(step) ? 1 : static_cast<uint32_t>(m_stages.size());
}

uint32_t
GridSchedule::Move(uint32_t rank, uint32_t side, uint32_t shift) const
{
    const uint32_t columns = m_sizes[0];
    const uint32_t row = rank / columns;
    const uint32_t column = rank % columns;
    return side == 0 ? row * columns + (column + shift) % columns
                     : (row + shift) % m_sizes[1] * columns + column;
}

uint32_t
GridSchedule::GetTarget(uint32_t rank, uint32_t step, uint32_t slot) const
{
    const Stage& stage = GetStage(step, slot);
    return Move(rank, stage.side, stage.distance);
}

uint32_t
GridSchedule::GetSource(uint32_t rank, uint32_t step, uint32_t slot) const
{
    const Stage& stage = GetStage(step, slot);
    return Move(rank, stage.side, m_sizes[stage.side] - stage.distance);
}

uint64_t
GridSchedule::GetHalfBytes(uint32_t half) const
{
    if (m_stages.size() == 1)
    {
        return GetBytes();
    }
    return half == 0 ? GetBytes() / 2 : GetBytes() - GetBytes() / 2;
}

void
GridSchedule::AddHalf(uint32_t rank, uint32_t step, uint32_t half, std::vector<Block>& blocks) const
{
    const Stage& stage = GetStage(step, half);
    const bool isSum = HasReduceScatter() && step < m_stages[half].size();
    const uint32_t columns = m_sizes[0];
    std::array<uint32_t, 2> first{rank % columns, rank / columns};
    for (uint32_t side = 0; side < 2; ++side)
    {
        // Sums are of the chunks from the own one on, and those that are sent from the receiver's
        // on; an all-gather sends the chunks up to the own one
        const uint32_t shift = !isSum               ? m_sizes[side] + 1 - stage.count[side]
                               : side == stage.side ? stage.distance
                                                    : 0;
        first[side] = (first[side] + shift) % m_sizes[side];
    }
    const uint64_t bytes = GetHalfBytes(half);
    const uint64_t begin = half == 0 ? 0 : GetHalfBytes(0);
    const auto add = [&](uint32_t chunk, uint32_t count) {
        const uint64_t offset = GetOffset(bytes, GetNRanks(), chunk);
        const uint64_t size = GetOffset(bytes, GetNRanks(), chunk + count) - offset;
        if (size > 0)
        {
            blocks.push_back({0, 0, begin + offset, size, isSum});
        }
    };
    // In each row the columns may go round the end
    const uint32_t straight = std::min(stage.count[0], columns - first[0]);
    for (uint32_t i = 0; i < stage.count[1]; ++i)
    {
        const uint32_t row = (first[1] + i) % m_sizes[1];
        add(row * columns + first[0], straight);
        add(row * columns, stage.count[0] - straight);
    }
}

void
GridSchedule::AddBlocks(uint32_t rank,
                        uint32_t step,
                        uint32_t slot,
                        std::vector<Block>& blocks) const
{
    AddHalf(rank, step, slot, blocks);
    if (IsJoint(step))
    {
        AddHalf(rank, step, 1, blocks);
    }
}

void
GridSchedule::GetOwned(uint32_t rank, std::vector<Block>& blocks) const
{
    blocks.clear();
    if (GetOperation() == CollectiveKind::ALL_REDUCE)
    {
        return;
    }
    uint64_t begin = 0;
    for (uint32_t half = 0; half < m_stages.size(); ++half)
    {
        const uint64_t bytes = GetHalfBytes(half);
        const uint64_t offset = GetOffset(bytes, GetNRanks(), rank);
        if (const uint64_t size = GetOffset(bytes, GetNRanks(), rank + 1) - offset; size > 0)
        {
            blocks.push_back({0, 0, begin + offset, size, false});
        }
        begin += bytes;
    }
}

uint32_t
GridSchedule::GetNPeers() const
{
    return IsEmpty() ? 0 : static_cast<uint32_t>(m_stages.front().size());
}

double
GridSchedule::GetSeconds(double latency, double rate) const
{
    const double n = GetNRanks();
    return IsEmpty() ? 0 : GetNSteps() * latency + GetNRounds() * (n - 1) / n * GetBytes() / rate;
}

double
GridSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    const uint32_t steps = GetNSteps();
    double bytes = 0;
    for (uint32_t step = 0; step < steps; ++step)
    {
        double most = 0;
        double sum = 0;
        for (uint32_t half = 0; half < m_stages.size(); ++half)
        {
            // Each run of chunks in a row of the grid is rounded up
            const Stage& stage = GetStage(step, half);
            const uint64_t n = GetNRanks();
            const uint64_t run = GetHalfBytes(half) / n * stage.count[0] +
                                 (GetHalfBytes(half) % n * stage.count[0] + n - 1) / n;
            most = std::max(most, static_cast<double>(stage.count[1] * run));
            sum += static_cast<double>(stage.count[1] * run);
        }
        bytes += IsJoint(step) ? sum : most;
    }
    return steps * circuit.latency + bytes / circuit.rate;
}

} // namespace lightpath
} // namespace ns3
