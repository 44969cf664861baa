/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "two-level-schedule.h"

#include "turn-schedule.h"

#include "ns3/assert.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

TwoLevelSchedule::TwoLevelSchedule(CollectiveKind kind,
                                   uint32_t ranks,
                                   uint64_t bytes,
                                   const CollectiveOptions& options)
    : CollectiveSchedule(ranks, bytes),
      m_kind(kind),
      m_size(options.local)
{
    NS_ASSERT_MSG(m_size > 1 && m_size < ranks && ranks % m_size == 0,
                  "Servers of " << m_size << " ranks for " << ranks);
    if (!IsEmpty())
    {
        kind == CollectiveKind::ALL_TO_ALL ? MakeExchange(options) : MakeSums(options);
    }
    for (auto& stage : m_stages)
    {
        for (const auto& schedule : stage.schedules)
        {
            stage.steps = std::max(stage.steps, schedule->GetNSteps());
        }
    }
}

void
TwoLevelSchedule::MakeSums(const CollectiveOptions& options)
{
    using A = CollectiveAlgorithm;
    const auto makeInside = [&](CollectiveKind kind, A algorithm) {
        return Create(kind, m_size, GetBytes(), {m_size, algorithm});
    };
    const bool isSwitched = options.inside == A::IN_NETWORK;
    const auto gather =
        makeInside(CollectiveKind::ALL_GATHER, isSwitched ? A::DIRECT : options.inside);
    Stage across;
    across.isAcross = true;
    CollectiveOptions way(1, options.across, options.across == A::MULTI_RING ? options.rings : 1);
    way.turns = options.turns;
    way.axes = options.axes;
    for (uint32_t index = 0; index < m_size; ++index)
    {
        std::vector<Block> part;
        gather->GetOwned(index, part);
        NS_ASSERT_MSG(part.size() < 2, "The part of an index is in pieces");
        m_offsets.push_back(part.empty() ? 0 : part.front().offset);
        const uint64_t bytes = part.empty() ? 0 : part.front().bytes;
        const auto same =
            std::find_if(across.schedules.begin(),
                         across.schedules.end(),
                         [bytes](const auto& one) { return one->GetBytes() == bytes; });
        across.schedules.push_back(same != across.schedules.end()
                                       ? *same
                                       : Create(m_kind, GetNRanks() / m_size, bytes, way));
    }
    across.mean = static_cast<double>(GetBytes()) / m_size / across.GetLargest().GetBytes();
    Stage inside;
    if (m_kind != CollectiveKind::ALL_GATHER)
    {
        const auto reduce = isSwitched ? makeInside(CollectiveKind::ALL_REDUCE, A::IN_NETWORK)
                                       : makeInside(CollectiveKind::REDUCE_SCATTER, options.inside);
        inside.schedules.assign(m_size, reduce);
        m_stages.push_back(inside);
    }
    m_stages.push_back(across);
    if (m_kind != CollectiveKind::REDUCE_SCATTER)
    {
        inside.schedules.assign(m_size, gather);
        m_stages.push_back(inside);
    }
}

void
TwoLevelSchedule::MakeExchange(const CollectiveOptions& options)
{
    const uint32_t n = GetNRanks();
    const uint64_t chunk = GetBytes() / n + (GetBytes() % n > 0);
    if (options.turns && GetBytes() % n > 0)
    {
        throw std::invalid_argument("Topologies in turn exchange among servers what all ranks have "
                                    "as many bytes of, not " +
                                    std::to_string(GetBytes()) + " bytes for " + std::to_string(n) +
                                    " ranks");
    }
    for (const bool isAcross : {options.isAcrossFirst, !options.isAcrossFirst})
    {
        Stage stage;
        stage.isAcross = isAcross;
        // A byte of the schedule is what goes to a rank of it
        const uint32_t places = isAcross ? n / m_size : m_size;
        const uint32_t others = n / places;
        CollectiveOptions way(1, isAcross ? options.across : options.inside);
        way.turns = isAcross ? options.turns : nullptr;
        stage.schedules.assign(m_size, Create(m_kind, places, places, way));
        stage.mean = static_cast<double>(GetBytes()) / places;
        stage.most = static_cast<double>(chunk) * others;
        if (m_stages.empty())
        {
            stage.bytes.assign(places, GetBytes() / n * others);
            for (uint32_t rank = 0; rank < n && GetBytes() % n > 0; ++rank)
            {
                stage.bytes[GetPlace(stage, rank)] += GetChunkBytes(rank) - GetBytes() / n;
            }
        }
        m_stages.push_back(stage);
    }
}

const CollectiveSchedule&
TwoLevelSchedule::Stage::GetLargest() const
{
    return **std::max_element(schedules.begin(), schedules.end(), [](const auto& a, const auto& b) {
        return a->GetBytes() < b->GetBytes();
    });
}

uint32_t
TwoLevelSchedule::GetNSteps() const
{
    uint32_t steps = 0;
    for (const auto& stage : m_stages)
    {
        steps += stage.steps;
    }
    return steps;
}

const TwoLevelSchedule::Stage&
TwoLevelSchedule::GetStage(uint32_t& step) const
{
    NS_ASSERT_MSG(step < GetNSteps(), "Step " << step << " does not exist");
    auto stage = m_stages.begin();
    for (; step >= stage->steps; ++stage)
    {
        step -= stage->steps;
    }
    return *stage;
}

const CollectiveSchedule*
TwoLevelSchedule::FindAcross(uint32_t& step) const
{
    const Stage& stage = GetStage(step);
    return stage.isAcross ? stage.schedules.front().get() : nullptr;
}

uint32_t
TwoLevelSchedule::GetPlace(const Stage& stage, uint32_t rank) const
{
    return stage.isAcross ? rank / m_size : rank % m_size;
}

uint32_t
TwoLevelSchedule::GetRank(const Stage& stage, uint32_t place, uint32_t other) const
{
    return stage.isAcross ? place * m_size + other : other * m_size + place;
}

void
TwoLevelSchedule::Translate(const Stage& stage,
                            uint32_t rank,
                            bool isReceiver,
                            std::vector<Transfer>& transfers) const
{
    const uint32_t other = stage.isAcross ? rank % m_size : rank / m_size;
    for (auto& transfer : transfers)
    {
        const uint32_t peer = GetRank(stage, transfer.peer, other);
        if (m_kind == CollectiveKind::ALL_TO_ALL)
        {
            const uint32_t to = isReceiver ? rank : peer;
            const uint32_t others = GetNRanks() / stage.schedules.front()->GetNRanks();
            // Messages that are handed on have several bytes
            transfer.bytes *=
                stage.bytes.empty() ? others * GetChunkBytes(to) : stage.bytes[GetPlace(stage, to)];
        }
        transfer.peer = peer;
    }
    transfers.erase(std::remove_if(transfers.begin(),
                                   transfers.end(),
                                   [](const Transfer& transfer) { return transfer.bytes == 0; }),
                    transfers.end());
}

void
TwoLevelSchedule::Get(GetTransfers get,
                      uint32_t rank,
                      uint32_t step,
                      std::vector<Transfer>& transfers) const
{
    NS_ASSERT_MSG(rank < GetNRanks(), "Rank " << rank << " of " << GetNRanks());
    transfers.clear();
    const Stage& stage = GetStage(step);
    const CollectiveSchedule& schedule = *stage.schedules[rank % m_size];
    // The parts of some indices may take fewer steps
    if (step < schedule.GetNSteps())
    {
        (schedule.*get)(GetPlace(stage, rank), step, transfers);
        Translate(stage, rank, get == &CollectiveSchedule::GetReceives, transfers);
    }
}

void
TwoLevelSchedule::GetSends(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const
{
    Get(&CollectiveSchedule::GetSends, rank, step, transfers);
}

void
TwoLevelSchedule::GetReceives(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const
{
    Get(&CollectiveSchedule::GetReceives, rank, step, transfers);
}

void
TwoLevelSchedule::GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const
{
    NS_ASSERT_MSG(rank < GetNRanks(), "Rank " << rank << " of " << GetNRanks());
    // Ordered by peer: the order reaches traffic matrices
    std::map<std::pair<uint32_t, bool>, uint64_t> totals;
    for (const auto& stage : m_stages)
    {
        stage.schedules[rank % m_size]->GetTotals(GetPlace(stage, rank), transfers);
        Translate(stage, rank, false, transfers);
        for (const auto& transfer : transfers)
        {
            totals[{transfer.peer, transfer.isInside}] += transfer.bytes;
        }
    }
    transfers.clear();
    for (const auto& [peer, bytes] : totals)
    {
        transfers.push_back({peer.first, bytes, peer.second});
    }
}

void
TwoLevelSchedule::GetBlocks(uint32_t rank, uint32_t step, std::vector<Block>& blocks) const
{
    NS_ASSERT_MSG(rank < GetNRanks(), "Rank " << rank << " of " << GetNRanks());
    blocks.clear();
    const Stage& stage = GetStage(step);
    const CollectiveSchedule& schedule = *stage.schedules[rank % m_size];
    if (step >= schedule.GetNSteps())
    {
        return;
    }
    schedule.GetBlocks(GetPlace(stage, rank), step, blocks);
    if (m_kind == CollectiveKind::ALL_TO_ALL)
    {
        Expand(stage, rank, blocks);
        return;
    }
    for (auto& block : blocks)
    {
        block.offset += stage.isAcross ? m_offsets[rank % m_size] : 0;
    }
}

void
TwoLevelSchedule::Expand(const Stage& stage, uint32_t rank, std::vector<Block>& blocks) const
{
    const bool isFirst = !stage.bytes.empty();
    const uint32_t own = stage.isAcross ? rank % m_size : rank / m_size;
    const uint32_t others = GetNRanks() / stage.schedules.front()->GetNRanks();
    const std::vector<Block> units = std::exchange(blocks, {});
    uint32_t message = 0;
    const bool isTurned = dynamic_cast<const TurnSchedule*>(stage.schedules.front().get());
    for (const auto& unit : units)
    {
        message = isTurned ? unit.transfer : message;
        // First what is for all ranks of an index or a server, then what comes from all of them
        const std::size_t begin = blocks.size();
        for (uint32_t other = 0; other < others; ++other)
        {
            const uint32_t origin = GetRank(stage, unit.origin, isFirst ? own : other);
            const uint32_t chunk =
                GetRank(stage, static_cast<uint32_t>(unit.offset), isFirst ? other : own);
            if (const uint64_t bytes = GetChunkBytes(chunk); bytes > 0)
            {
                blocks.push_back({message, origin, GetChunkOffset(chunk), bytes, false});
            }
        }
        // A message without data is not sent, and has no index
        message += blocks.size() > begin;
    }
}

void
TwoLevelSchedule::GetOwned(uint32_t rank, std::vector<Block>& blocks) const
{
    blocks.clear();
    for (const auto& stage : m_stages)
    {
        if (stage.isAcross)
        {
            stage.schedules[rank % m_size]->GetOwned(rank / m_size, blocks);
        }
    }
    for (auto& block : blocks)
    {
        block.offset += m_offsets[rank % m_size];
    }
}

uint32_t
TwoLevelSchedule::GetNPeers() const
{
    // The reduce-scatter and the all-gather inside servers are among the same peers
    uint32_t inside = 0;
    uint32_t across = 0;
    for (const auto& stage : m_stages)
    {
        for (const auto& schedule : stage.schedules)
        {
            uint32_t& peers = stage.isAcross ? across : inside;
            peers = std::max(peers, schedule->GetNPeers());
        }
    }
    return inside + across;
}

double
TwoLevelSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    double seconds = 0;
    for (const auto& stage : m_stages)
    {
        seconds +=
            stage.GetLargest().GetCircuitSeconds({circuit.latency, circuit.rate / stage.most});
    }
    return seconds;
}

double
TwoLevelSchedule::GetSeconds(double latency, double rate) const
{
    return GetServerSeconds({latency, rate}, {latency, rate});
}

double
TwoLevelSchedule::GetServerSeconds(const LinkCost& inside, const LinkCost& outside) const
{
    double seconds = 0;
    for (const auto& stage : m_stages)
    {
        const LinkCost& link = stage.isAcross ? outside : inside;
        seconds += stage.GetLargest().GetSeconds(link.latency, link.rate / stage.mean);
    }
    return seconds;
}

double
TwoLevelSchedule::GetBusFactor() const
{
    const double n = GetNRanks();
    return (m_kind == CollectiveKind::ALL_REDUCE ? 2 : 1) * (n - 1) / n;
}

} // namespace lightpath
} // namespace ns3
