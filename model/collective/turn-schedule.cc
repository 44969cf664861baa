/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turn-schedule.h"

#include "two-level-schedule.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

TurnKind
TurnSchedule::GetTurnKind(CollectiveKind kind)
{
    switch (kind)
    {
    case CollectiveKind::ALL_REDUCE:
        return TurnKind::ALL_REDUCE;
    case CollectiveKind::REDUCE_SCATTER:
        return TurnKind::REDUCE_SCATTER;
    case CollectiveKind::ALL_GATHER:
        return TurnKind::ALL_GATHER;
    case CollectiveKind::ALL_TO_ALL:
        return TurnKind::ALL_TO_ALL;
    default:
        throw std::invalid_argument("Topologies in turn are for all-reduce, reduce-scatter, "
                                    "all-gather and all-to-all, not for send-recv, which has one "
                                    "step");
    }
}

TurnSchedule::TurnSchedule(CollectiveKind kind,
                           uint32_t ranks,
                           uint64_t bytes,
                           std::shared_ptr<const TurnSequence> sequence)
    : SlotSchedule(kind, ranks, bytes),
      m_sequence(std::move(sequence))
{
    if (m_sequence->ports != ranks)
    {
        throw std::invalid_argument("Topologies in turn of " + std::to_string(m_sequence->ports) +
                                    " ports are not for a group of " + std::to_string(ranks) +
                                    " ranks");
    }
    for (uint32_t phase = 0; phase < m_sequence->phases.size() && !IsEmpty(); ++phase)
    {
        for (const TurnRound& round : *m_sequence->phases[phase].rounds)
        {
            m_steps.push_back({phase, &round});
        }
    }
}

uint32_t
TurnSchedule::FindPhase(const CollectiveSchedule& schedule, uint32_t step)
{
    const auto* const levels = dynamic_cast<const TwoLevelSchedule*>(&schedule);
    const auto* const turned =
        dynamic_cast<const TurnSchedule*>(levels ? levels->FindAcross(step) : &schedule);
    return turned ? turned->GetPhase(step) : NO_PHASE;
}

uint32_t
TurnSchedule::GetNSteps() const
{
    return static_cast<uint32_t>(m_steps.size());
}

uint32_t
TurnSchedule::GetNPeers() const
{
    std::set<uint32_t> shifts;
    for (const Step& step : m_steps)
    {
        for (const TurnMove& move : *step.round)
        {
            shifts.insert(move.shift);
        }
    }
    return static_cast<uint32_t>(shifts.size());
}

double
TurnSchedule::GetSeconds(double latency, double rate) const
{
    double seconds = 0;
    for (const Step& step : m_steps)
    {
        uint64_t chunks = 0;
        for (const TurnMove& move : *step.round)
        {
            chunks += move.chunks;
        }
        seconds += latency + chunks * static_cast<double>(GetBytes()) / GetNRanks() / rate;
    }
    return seconds;
}

double
TurnSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    double seconds = 0;
    for (const Step& step : m_steps)
    {
        uint64_t chunks = 0;
        for (const TurnMove& move : *step.round)
        {
            chunks = std::max(chunks, move.chunks);
        }
        // The last chunk is the largest
        seconds += circuit.latency + chunks * GetChunkBytes(GetNRanks() - 1) / circuit.rate;
    }
    return seconds;
}

uint32_t
TurnSchedule::GetNSlots(uint32_t step) const
{
    return static_cast<uint32_t>(m_steps[step].round->size());
}

uint32_t
TurnSchedule::GetShift(uint32_t step, uint32_t slot) const
{
    return (*m_steps[step].round)[slot].shift;
}

uint64_t
TurnSchedule::GetMessageBytes(uint32_t rank, uint32_t step, uint32_t slot) const
{
    return GetBytes() % GetNRanks() == 0
               ? (*m_steps[step].round)[slot].chunks * (GetBytes() / GetNRanks())
               : SlotSchedule::GetMessageBytes(rank, step, slot);
}

void
TurnSchedule::AddBlocks(uint32_t rank,
                        uint32_t step,
                        uint32_t slot,
                        std::vector<Block>& blocks) const
{
    const bool isExchange = GetOperation() == CollectiveKind::ALL_TO_ALL;
    const bool isSum = HasReduceScatter() && (!HasAllGather() || step < GetNSteps() / 2);
    for (const TurnItem& item : (*m_steps[step].round)[slot].items)
    {
        const uint32_t origin = GetBefore(rank, item.back);
        const uint32_t target = GetAfter(rank, item.ahead);
        const uint32_t chunk = isExchange || isSum ? target : origin;
        AddChunks(isExchange ? origin : 0, chunk, 1, isSum, blocks);
    }
}

} // namespace lightpath
} // namespace ns3
