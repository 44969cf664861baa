/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "grid-schedule.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Bytes that fit into the latency of a message: 1.3 us at 200 Gb/s, as on ODDL
constexpr double LATENCY_BYTES = 32768;

/// Messages are not cut to send less than this part of a chunk apart
constexpr uint64_t LEAST_PART = 1024;

} // namespace

GridSchedule::GridSchedule(CollectiveKind kind,
                           uint32_t ranks,
                           uint64_t bytes,
                           uint32_t columns,
                           uint32_t pieces)
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
    if (pieces != BEST || std::min(m_sizes[0], m_sizes[1]) == 1)
    {
        MakeSteps(pieces == BEST ? 0 : pieces);
        return;
    }
    // More pieces take more steps: no more of them can be better once the latencies are too long
    const double wire = GetBusFactor() * bytes;
    double least = std::numeric_limits<double>::infinity();
    uint32_t best = 0;
    for (pieces = 0; pieces == 0 || m_steps.size() * LATENCY_BYTES + wire < least; ++pieces)
    {
        MakeSteps(pieces);
        // Each direction has half of the rate
        const double cost = GridSchedule::GetCircuitSeconds({LATENCY_BYTES, 0.5});
        best = cost < least ? pieces : best;
        least = std::min(cost, least);
    }
    MakeSteps(best);
}

void
GridSchedule::MakeSteps(uint32_t pieces)
{
    m_steps.clear();
    if (IsEmpty())
    {
        MakeShares({1});
        return;
    }
    pieces == 0 ? MakeHalves() : MakePipeline(pieces);
    if (!HasReduceScatter())
    {
        std::reverse(m_steps.begin(), m_steps.end());
        for (auto& step : m_steps)
        {
            for (auto& move : step)
            {
                move.isSum = false;
            }
        }
    }
}

void
GridSchedule::MakeHalves()
{
    // With a single row or column there is nothing to do at the same time
    const bool isLine = std::min(m_sizes[0], m_sizes[1]) == 1;
    MakeShares(isLine ? std::vector<double>{1} : std::vector<double>{0.5, 0.5});
    const auto first = MakePath(0, 0, true);
    const auto second = MakePath(1, 1, true);
    for (std::size_t step = 0; step < first.size(); ++step)
    {
        m_steps.push_back({first[step]});
        if (first[step].side != second[step].side)
        {
            m_steps.back().push_back(second[step]);
        }
        m_steps.back().front().isJoint = !isLine && m_steps.back().size() == 1;
    }
}

std::vector<double>
GridSchedule::GetWeights(uint32_t wide, uint32_t pieces) const
{
    // Bytes that a reduce-scatter of a share sends, for each of its bytes, along its first
    // direction and along the second one
    const double wideFirst = 1 - 1.0 / m_sizes[wide];
    const double narrowFirst = 1 - 1.0 / m_sizes[1 - wide];
    const double wideSecond = wideFirst / m_sizes[1 - wide];
    const double narrowSecond = narrowFirst / m_sizes[wide];
    const bool isBoth = GetNRounds() == 2;
    const double ratio = wideSecond / narrowFirst;
    std::vector<double> weights{(narrowFirst - wideSecond) / (wideFirst - narrowSecond)};
    for (uint32_t piece = 0; piece < pieces; ++piece)
    {
        const uint32_t place = std::min(piece, pieces - 1 - piece);
        weights.push_back(isBoth ? std::pow(std::max(2 * ratio, 1.0), place)
                                 : std::pow(ratio, piece));
    }
    weights[0] *= std::accumulate(weights.begin() + 1, weights.end(), 0.0);
    return weights;
}

void
GridSchedule::MakePipeline(uint32_t pieces)
{
    const uint32_t wide = m_sizes[0] >= m_sizes[1] ? 0 : 1;
    MakeShares(GetWeights(wide, pieces));
    Lanes lanes;
    const auto add = [&](uint32_t side, uint32_t share, bool isSum) {
        // The pieces begin along the shorter direction
        for (const auto& move : MakePath(share, share == 0 ? wide : 1 - wide, false))
        {
            if (move.side == side && move.isSum == isSum)
            {
                lanes[side].push_back(move);
            }
        }
    };
    const auto addPieces = [&](uint32_t side, bool isSum) {
        for (uint32_t share = 1; share <= pieces; ++share)
        {
            add(side, share, isSum);
        }
    };
    add(wide, 0, true);
    for (uint32_t share = 1; share <= pieces; ++share)
    {
        add(wide, share, true);
        add(wide, share, false);
    }
    add(wide, 0, false);
    addPieces(1 - wide, true);
    add(1 - wide, 0, true);
    add(1 - wide, 0, false);
    addPieces(1 - wide, false);
    Pair(lanes);
}

void
GridSchedule::Pair(const Lanes& lanes)
{
    std::vector<uint32_t> done(m_offsets.size(), 0);
    std::array<std::size_t, 2> next{{}};
    std::array<uint64_t, 2> sent{{}};
    while (next[0] < lanes[0].size() || next[1] < lanes[1].size())
    {
        // All that can be sent, as far as the shorter message goes
        auto& step = m_steps.emplace_back();
        uint64_t bytes = UINT64_MAX;
        for (uint32_t side = 0; side < 2; ++side)
        {
            if (next[side] == lanes[side].size())
            {
                continue;
            }
            const Move& move = lanes[side][next[side]];
            if (done[move.share] == move.turn)
            {
                step.push_back(move);
                step.back().begin = sent[side];
                bytes = std::min(bytes, move.GetParts() * (GetChunk(move.share) - sent[side]));
            }
        }
        NS_ASSERT_MSG(!step.empty(), "The two directions wait for each other");
        for (auto& move : step)
        {
            const uint64_t end = move.begin + bytes / move.GetParts();
            const uint64_t chunk = GetChunk(move.share);
            const bool isCut = chunk - end > chunk / LEAST_PART;
            move.end = isCut ? end : move.end;
            sent[move.side] = isCut ? end : 0;
            next[move.side] += !isCut;
            done[move.share] += !isCut;
        }
    }
}

void
GridSchedule::MakeShares(const std::vector<double>& weights)
{
    m_offsets.assign(1, 0);
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    double sum = 0;
    for (std::size_t share = 0; share + 1 < weights.size(); ++share)
    {
        sum += weights[share];
        const double chunk = sum / all * static_cast<double>(GetBytes() / GetNRanks());
        m_offsets.push_back(static_cast<uint64_t>(chunk) * GetNRanks());
    }
    m_offsets.push_back(GetBytes());
}

std::vector<GridSchedule::Move>
GridSchedule::MakePath(uint32_t share, uint32_t side, bool alternates) const
{
    std::vector<Move> path;
    // Chunks along row and column of which a rank still holds sums
    std::array<uint32_t, 2> left = m_sizes;
    while (left[0] > 1 || left[1] > 1)
    {
        // Once one side is done, the other one takes all steps
        side = left[side] > 1 ? side : 1 - side;
        const uint32_t kept = (left[side] + 1) / 2;
        Move move{share, static_cast<uint32_t>(path.size()), side, kept, left};
        move.count[side] = left[side] - kept;
        path.push_back(move);
        left[side] = kept;
        side = alternates ? 1 - side : side;
    }
    for (std::size_t i = path.size(); GetNRounds() == 2 && i > 0; --i)
    {
        path.push_back(path[i - 1]);
        path.back().turn = static_cast<uint32_t>(path.size()) - 1;
        path.back().isSum = false;
    }
    return path;
}

uint64_t
GridSchedule::GetShareBytes(uint32_t share) const
{
    return m_offsets[share + 1] - m_offsets[share];
}

uint64_t
GridSchedule::GetChunk(uint32_t share) const
{
    return GetShareBytes(share) / GetNRanks();
}

uint64_t
GridSchedule::Move::GetParts() const
{
    return uint64_t{count[0]} * count[1];
}

uint64_t
GridSchedule::GetMostBytes(const Move& move) const
{
    const uint64_t n = GetNRanks();
    if (move.end != UINT64_MAX)
    {
        return move.GetParts() * (move.end - move.begin);
    }
    uint64_t bytes = 0;
    for (uint32_t share = move.share; share <= move.share + move.isJoint; ++share)
    {
        // Each run of chunks in a row of the grid is rounded up
        const uint64_t size = GetShareBytes(share);
        const uint64_t run = size / n * move.count[0] + (size % n * move.count[0] + n - 1) / n;
        bytes += move.count[1] * run;
    }
    return bytes - move.GetParts() * move.begin;
}

uint32_t
GridSchedule::GetNSteps() const
{
    return static_cast<uint32_t>(m_steps.size());
}

uint32_t
GridSchedule::GetNSlots(uint32_t step) const
{
    return static_cast<uint32_t>(m_steps[step].size());
}

uint32_t
GridSchedule::GetPeer(uint32_t rank, uint32_t side, uint32_t shift) const
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
    const Move& move = m_steps[step][slot];
    return GetPeer(rank, move.side, move.distance);
}

uint32_t
GridSchedule::GetSource(uint32_t rank, uint32_t step, uint32_t slot) const
{
    const Move& move = m_steps[step][slot];
    return GetPeer(rank, move.side, m_sizes[move.side] - move.distance);
}

void
GridSchedule::AddShare(uint32_t rank,
                       const Move& move,
                       uint32_t share,
                       std::vector<Block>& blocks) const
{
    const uint32_t columns = m_sizes[0];
    std::array<uint32_t, 2> first{rank % columns, rank / columns};
    for (uint32_t side = 0; side < 2; ++side)
    {
        // Sums are of the chunks from the own one on, and those that are sent from the receiver's
        // on; an all-gather sends the chunks up to the own one
        const uint32_t shift = !move.isSum         ? m_sizes[side] + 1 - move.count[side]
                               : side == move.side ? move.distance
                                                   : 0;
        first[side] = (first[side] + shift) % m_sizes[side];
    }
    const uint64_t bytes = GetShareBytes(share);
    const auto add = [&](uint32_t chunk, uint32_t count) {
        const uint64_t offset = GetOffset(bytes, GetNRanks(), chunk);
        const uint64_t size = GetOffset(bytes, GetNRanks(), chunk + count) - offset;
        const uint64_t begin = std::min(move.begin, size);
        if (const uint64_t end = std::min(move.end, size); end > begin)
        {
            blocks.push_back({0, 0, m_offsets[share] + offset + begin, end - begin, move.isSum});
        }
    };
    // In each row the columns may go round the end; the parts of chunks are apart
    const bool isWhole = move.begin == 0 && move.end == UINT64_MAX;
    const uint32_t straight = std::min(move.count[0], columns - first[0]);
    for (uint32_t i = 0; i < move.count[1]; ++i)
    {
        const uint32_t begin = (first[1] + i) % m_sizes[1] * columns;
        if (isWhole)
        {
            add(begin + first[0], straight);
            add(begin, move.count[0] - straight);
            continue;
        }
        for (uint32_t j = 0; j < move.count[0]; ++j)
        {
            add(begin + (first[0] + j) % columns, 1);
        }
    }
}

void
GridSchedule::AddBlocks(uint32_t rank,
                        uint32_t step,
                        uint32_t slot,
                        std::vector<Block>& blocks) const
{
    const Move& move = m_steps[step][slot];
    for (uint32_t share = move.share; share <= move.share + move.isJoint; ++share)
    {
        AddShare(rank, move, share, blocks);
    }
}

uint64_t
GridSchedule::GetMessageBytes(uint32_t rank, uint32_t step, uint32_t slot) const
{
    // All ranks send as much where n divides the share; it does for all but the last one
    const Move& move = m_steps[step][slot];
    return GetShareBytes(move.share + move.isJoint) % GetNRanks() == 0
               ? GetMostBytes(move)
               : SlotSchedule::GetMessageBytes(rank, step, slot);
}

void
GridSchedule::GetOwned(uint32_t rank, std::vector<Block>& blocks) const
{
    blocks.clear();
    if (GetOperation() == CollectiveKind::ALL_REDUCE)
    {
        return;
    }
    for (uint32_t share = 0; share + 1 < m_offsets.size(); ++share)
    {
        const uint64_t bytes = GetShareBytes(share);
        const uint64_t offset = GetOffset(bytes, GetNRanks(), rank);
        if (const uint64_t size = GetOffset(bytes, GetNRanks(), rank + 1) - offset; size > 0)
        {
            blocks.push_back({0, 0, m_offsets[share] + offset, size, false});
        }
    }
}

uint32_t
GridSchedule::GetNPeers() const
{
    return IsEmpty() ? 0 : static_cast<uint32_t>(MakePath(0, 0, true).size()) / GetNRounds();
}

double
GridSchedule::GetSeconds(double latency, double rate) const
{
    return IsEmpty() ? 0 : GetNSteps() * latency + GetBusFactor() * GetBytes() / rate;
}

double
GridSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    double bytes = 0;
    for (const auto& step : m_steps)
    {
        uint64_t most = 0;
        for (const auto& move : step)
        {
            most = std::max(most, GetMostBytes(move));
        }
        bytes += static_cast<double>(most);
    }
    return GetNSteps() * circuit.latency + bytes / circuit.rate;
}

} // namespace lightpath
} // namespace ns3
