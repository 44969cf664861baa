/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "torus-schedule.h"

#include "ns3/assert.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Bytes that fit into the latency of a step; messages are not cut for fewer
constexpr uint64_t STEP_BYTES = 32768;

} // namespace

TorusSchedule::TorusSchedule(CollectiveKind kind,
                             uint32_t ranks,
                             uint64_t bytes,
                             const RankAxes& axes)
    : SlotSchedule(kind, ranks, bytes),
      m_axes(axes)
{
    if (axes.GetNPlaces() == 1)
    {
        m_axes = RankAxes::GetNearestToCube(ranks);
    }
    else if (axes.GetNPlaces() != ranks)
    {
        throw std::invalid_argument(
            "A group of " + std::to_string(ranks) + " ranks cannot sum on a torus of " +
            std::to_string(axes.GetNPlaces()) + " places: it needs a place for each rank");
    }
    for (uint32_t axis = 0; axis < RankAxes::MOST; ++axis)
    {
        if (m_axes.sizes[axis] > 1)
        {
            m_used.push_back(axis);
        }
        // Two ranks have one link
        m_axes.isRing[axis] = m_axes.isRing[axis] && m_axes.sizes[axis] > 2;
    }
    if (IsEmpty())
    {
        m_offsets = {0, bytes};
        return;
    }
    MakeShares();
    m_steps = MakeSteps();
    const double together = TorusSchedule::GetCircuitSeconds({STEP_BYTES, 1});
    auto steps = std::exchange(m_steps, MakePipeline());
    if (together <= TorusSchedule::GetCircuitSeconds({STEP_BYTES, 1}))
    {
        m_steps = std::move(steps);
    }
}

uint32_t
TorusSchedule::GetSpan(uint32_t axis) const
{
    return m_axes.isRing[axis] ? m_axes.sizes[axis] / 2 : m_axes.sizes[axis] - 1;
}

std::vector<uint32_t>
TorusSchedule::GetOrder(uint32_t share) const
{
    auto order = m_used;
    std::rotate(order.begin(), order.begin() + share, order.end());
    return order;
}

void
TorusSchedule::MakeShares()
{
    // A link of each axis takes equally long for the share that begins there
    const auto getLoad = [this](uint32_t axis) {
        return (1 - 1.0 / m_axes.sizes[axis]) / (m_axes.isRing[axis] ? 2 : 1);
    };
    std::vector<double> weights;
    double all = 0;
    for (const uint32_t axis : m_used)
    {
        weights.push_back(getLoad(m_used[0]) / getLoad(axis));
        all += weights.back();
    }
    m_offsets.assign(1, 0);
    double sum = 0;
    for (std::size_t share = 0; share + 1 < weights.size(); ++share)
    {
        sum += weights[share];
        const double chunk = sum * static_cast<double>(GetBytes() / GetNRanks()) / all;
        m_offsets.push_back(static_cast<uint64_t>(chunk) * GetNRanks());
    }
    m_offsets.push_back(GetBytes());
}

std::vector<TorusSchedule::Move>
TorusSchedule::MakePath(uint32_t share) const
{
    std::vector<Move> path;
    uint64_t parts = GetNRanks();
    for (const uint32_t axis : GetOrder(share))
    {
        const uint32_t size = m_axes.sizes[axis];
        parts /= size;
        for (uint32_t distance = GetSpan(axis); distance > 0; --distance)
        {
            Move move{share, axis, distance, parts};
            move.isHalf = m_axes.isRing[axis] && 2 * distance == size;
            path.push_back(move);
        }
    }
    std::vector<Move> all = HasReduceScatter() ? path : std::vector<Move>();
    for (std::size_t i = path.size(); HasAllGather() && i > 0; --i)
    {
        all.push_back(path[i - 1]);
        all.back().isSum = false;
    }
    return all;
}

std::vector<TorusSchedule::Step>
TorusSchedule::MakeSteps() const
{
    std::vector<Step> steps;
    for (uint32_t share = 0; share < m_used.size(); ++share)
    {
        const auto path = MakePath(share);
        steps.resize(path.size());
        for (std::size_t i = 0; i < path.size(); ++i)
        {
            steps[i][path[i].axis].push_back(path[i]);
        }
    }
    return steps;
}

TorusSchedule::Lanes
TorusSchedule::MakeLanes() const
{
    const auto n = static_cast<uint32_t>(m_used.size());
    Lanes lanes;
    for (uint32_t phase = 0; phase < n * GetNRounds(); ++phase)
    {
        const bool isSum = HasReduceScatter() && phase < n;
        for (uint32_t share = 0; share < n; ++share)
        {
            const auto path = MakePath(share);
            const uint32_t axis = GetOrder(share)[isSum ? phase : n - 1 - phase % n];
            for (std::size_t turn = 0; turn < path.size(); ++turn)
            {
                if (path[turn].axis == axis && path[turn].isSum == isSum)
                {
                    lanes[axis].emplace_back(path[turn], turn);
                }
            }
        }
    }
    return lanes;
}

std::vector<TorusSchedule::Step>
TorusSchedule::MakePipeline() const
{
    const Lanes lanes = MakeLanes();
    std::vector<std::size_t> done(m_used.size(), 0);
    std::array<std::size_t, RankAxes::MOST> next{{}};
    std::array<uint64_t, RankAxes::MOST> sent{{}};
    const auto hasMore = [&](uint32_t axis) { return next[axis] < lanes[axis].size(); };
    const auto getSize = [this](const Move& move) {
        return GetChunk(move.share) / (move.isHalf ? 2 : 1);
    };
    std::vector<Step> steps;
    while (std::any_of(m_used.begin(), m_used.end(), hasMore))
    {
        auto& step = steps.emplace_back();
        uint64_t bytes = UINT64_MAX;
        for (const uint32_t axis : m_used)
        {
            if (hasMore(axis) &&
                done[lanes[axis][next[axis]].first.share] == lanes[axis][next[axis]].second)
            {
                const Move& move = lanes[axis][next[axis]].first;
                step[axis].push_back(move);
                step[axis].back().begin = sent[axis];
                bytes = std::min(bytes, move.parts * (getSize(move) - sent[axis]));
            }
        }
        NS_ASSERT_MSG(bytes < UINT64_MAX, "The axes wait for each other");
        for (const uint32_t axis : m_used)
        {
            for (auto& move : step[axis])
            {
                const uint64_t end = move.begin + bytes / move.parts;
                const bool isCut = (getSize(move) - end) * move.parts > STEP_BYTES;
                move.end = isCut ? end : move.end;
                sent[axis] = isCut ? end : 0;
                next[axis] += !isCut;
                done[move.share] += !isCut;
            }
        }
    }
    return steps;
}

uint32_t
TorusSchedule::GetChunkPlace(uint32_t rank, const Move& move, bool isUp) const
{
    const uint32_t size = m_axes.sizes[move.axis];
    const uint32_t place = m_axes.GetPlace(rank, move.axis);
    // Sums go towards the rank that keeps them, data away from the one that had them
    const bool isAhead = isUp == move.isSum;
    const uint32_t distance = move.isSum ? move.distance : move.distance - 1;
    const bool isBeyond = isAhead ? place + distance >= size : place < distance;
    if (isBeyond && !m_axes.isRing[move.axis])
    {
        return NONE;
    }
    return (isAhead ? place + distance : place + size - distance) % size;
}

uint64_t
TorusSchedule::GetChunk(uint32_t share) const
{
    return (m_offsets[share + 1] - m_offsets[share]) / GetNRanks();
}

std::pair<uint64_t, uint64_t>
TorusSchedule::GetPart(const Move& move, bool isUp, uint64_t chunk)
{
    const uint64_t first = move.isHalf && !isUp ? chunk / 2 : 0;
    const uint64_t last = move.isHalf && isUp ? chunk / 2 : chunk;
    return {std::min(first + move.begin, last),
            move.end == UINT64_MAX ? last : std::min(first + move.end, last)};
}

uint64_t
TorusSchedule::GetMostBytes(const Move& move) const
{
    // Of a share that the ranks do not divide, some chunks have a byte more
    const uint64_t share = m_offsets[move.share + 1] - m_offsets[move.share];
    const uint64_t chunk = GetChunk(move.share) + (share % GetNRanks() > 0);
    const auto [begin, end] = GetPart(move, false, chunk);
    return move.parts * (end - begin);
}

uint32_t
TorusSchedule::GetNSteps() const
{
    return static_cast<uint32_t>(m_steps.size());
}

uint32_t
TorusSchedule::GetNSlots(uint32_t /* step */) const
{
    return 2 * RankAxes::MOST;
}

uint32_t
TorusSchedule::GetTarget(uint32_t rank, uint32_t step, uint32_t slot) const
{
    return m_steps[step][slot / 2].empty() ? NONE : m_axes.GetNext(rank, slot / 2, slot % 2 == 0);
}

uint32_t
TorusSchedule::GetSource(uint32_t rank, uint32_t step, uint32_t slot) const
{
    return m_steps[step][slot / 2].empty() ? NONE : m_axes.GetNext(rank, slot / 2, slot % 2 != 0);
}

void
TorusSchedule::AddBlocks(uint32_t rank,
                         uint32_t step,
                         uint32_t slot,
                         std::vector<Block>& blocks) const
{
    const bool isUp = slot % 2 == 0;
    for (const auto& move : m_steps[step][slot / 2])
    {
        const uint32_t place = GetChunkPlace(rank, move, isUp);
        if (place == NONE)
        {
            continue;
        }
        // Along the axes before this one a rank has its own chunks, along those after it all
        std::array<uint32_t, RankAxes::MOST> first{{}};
        std::array<uint32_t, RankAxes::MOST> last = m_axes.sizes;
        const auto order = GetOrder(move.share);
        for (auto axis = order.begin(); axis == order.begin() || *(axis - 1) != move.axis; ++axis)
        {
            first[*axis] = *axis == move.axis ? place : m_axes.GetPlace(rank, *axis);
            last[*axis] = first[*axis] + 1;
        }
        const uint64_t bytes = m_offsets[move.share + 1] - m_offsets[move.share];
        for (uint32_t line = 0; line < m_axes.sizes[1] * m_axes.sizes[2]; ++line)
        {
            const uint32_t y = line % m_axes.sizes[1];
            const uint32_t z = line / m_axes.sizes[1];
            const bool isIn = y >= first[1] && y < last[1] && z >= first[2] && z < last[2];
            for (uint32_t x = first[0]; isIn && x < last[0]; ++x)
            {
                const uint32_t chunk = line * m_axes.sizes[0] + x;
                const uint64_t offset = GetOffset(bytes, GetNRanks(), chunk);
                const auto [begin, end] =
                    GetPart(move, isUp, GetOffset(bytes, GetNRanks(), chunk + 1) - offset);
                if (end > begin)
                {
                    const uint64_t from = m_offsets[move.share] + offset + begin;
                    blocks.push_back({0, 0, from, end - begin, move.isSum});
                }
            }
        }
    }
}

uint64_t
TorusSchedule::GetMessageBytes(uint32_t rank, uint32_t step, uint32_t slot) const
{
    uint64_t sum = 0;
    for (const auto& move : m_steps[step][slot / 2])
    {
        if ((m_offsets[move.share + 1] - m_offsets[move.share]) % GetNRanks() > 0)
        {
            return SlotSchedule::GetMessageBytes(rank, step, slot);
        }
        const auto [begin, end] = GetPart(move, slot % 2 == 0, GetChunk(move.share));
        sum += GetChunkPlace(rank, move, slot % 2 == 0) == NONE ? 0 : move.parts * (end - begin);
    }
    return sum;
}

void
TorusSchedule::GetOwned(uint32_t rank, std::vector<Block>& blocks) const
{
    blocks.clear();
    if (GetOperation() == CollectiveKind::ALL_REDUCE)
    {
        return;
    }
    for (uint32_t share = 0; share + 1 < m_offsets.size(); ++share)
    {
        const uint64_t bytes = m_offsets[share + 1] - m_offsets[share];
        const uint64_t offset = GetOffset(bytes, GetNRanks(), rank);
        if (const uint64_t size = GetOffset(bytes, GetNRanks(), rank + 1) - offset; size > 0)
        {
            blocks.push_back({0, 0, m_offsets[share] + offset, size, false});
        }
    }
}

uint32_t
TorusSchedule::GetNPeers() const
{
    uint32_t peers = 0;
    for (const uint32_t axis : m_used)
    {
        peers += IsEmpty() ? 0 : m_axes.sizes[axis] > 2 ? 2 : 1;
    }
    return peers;
}

double
TorusSchedule::GetSeconds(double latency, double rate) const
{
    double bytes = 0;
    for (const auto& step : m_steps)
    {
        for (const uint32_t axis : m_used)
        {
            for (const auto& move : step[axis])
            {
                // Near the middle of a line, a rank sends or receives both ways
                const uint32_t size = m_axes.sizes[axis];
                const bool isBoth =
                    m_axes.isRing[axis] || (size > 2 && 2 * move.distance <= size + 1);
                bytes += static_cast<double>(GetMostBytes(move)) * (isBoth ? 2 : 1);
            }
        }
    }
    return GetNSteps() * latency + bytes / rate;
}

double
TorusSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    double bytes = 0;
    for (const auto& step : m_steps)
    {
        uint64_t most = 0;
        for (const auto& moves : step)
        {
            uint64_t sum = 0;
            for (const auto& move : moves)
            {
                sum += GetMostBytes(move);
            }
            most = std::max(most, sum);
        }
        bytes += static_cast<double>(most);
    }
    return GetNSteps() * circuit.latency + bytes / circuit.rate;
}

} // namespace lightpath
} // namespace ns3
