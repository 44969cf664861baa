/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "two-level-schedule.h"

#include "ns3/assert.h"

namespace ns3
{
namespace lightpath
{

TwoLevelSchedule::TwoLevelSchedule(CollectiveKind kind,
                                   uint32_t ranks,
                                   uint64_t bytes,
                                   uint32_t local)
    : CollectiveSchedule(ranks, bytes),
      m_kind(kind),
      m_size(local),
      m_inside(kind, local, bytes)
{
    NS_ASSERT_MSG(local > 1 && local < ranks && ranks % local == 0,
                  "Servers of " << local << " ranks for " << ranks);
}

uint32_t
TwoLevelSchedule::GetNStepsAcross() const
{
    // One or two rounds, as inside a server
    return m_inside.GetNSteps() / (m_size - 1) * (GetNRanks() / m_size - 1);
}

uint32_t
TwoLevelSchedule::GetNSteps() const
{
    return m_inside.GetNSteps() + GetNStepsAcross();
}

TwoLevelSchedule::Place
TwoLevelSchedule::GetPlace(uint32_t step) const
{
    NS_ASSERT_MSG(step < GetNSteps(), "Step " << step << " does not exist");
    // Reduce inside servers, then across them; gather across them, then inside
    const uint32_t before = m_kind == CollectiveKind::ALL_GATHER ? 0 : m_size - 1;
    if (step < before)
    {
        return {false, step};
    }
    const uint32_t across = GetNStepsAcross();
    return step - before < across ? Place{true, step - before} : Place{false, step - across};
}

RingSchedule
TwoLevelSchedule::GetAcross(uint32_t rank) const
{
    return {m_kind, GetNRanks() / m_size, m_inside.GetOwnedBytes(rank % m_size)};
}

void
TwoLevelSchedule::ToRanks(uint32_t rank, bool across, std::vector<Transfer>& transfers) const
{
    for (auto& transfer : transfers)
    {
        // Rank i of a ring across servers is in server i; rank i inside is local rank i
        transfer.peer =
            across ? transfer.peer * m_size + rank % m_size : rank - rank % m_size + transfer.peer;
    }
}

void
TwoLevelSchedule::Get(GetTransfers get,
                      uint32_t rank,
                      uint32_t step,
                      std::vector<Transfer>& transfers) const
{
    NS_ASSERT_MSG(rank < GetNRanks(), "Rank " << rank << " of " << GetNRanks());
    transfers.clear();
    const Place place = GetPlace(step);
    if (!place.across)
    {
        (m_inside.*get)(rank % m_size, place.step, transfers);
    }
    else if (const RingSchedule ring = GetAcross(rank); ring.GetNSteps() > 0)
    {
        (ring.*get)(rank / m_size, place.step, transfers);
    }
    ToRanks(rank, place.across, transfers);
}

void
TwoLevelSchedule::GetSends(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const
{
    Get(&RingSchedule::GetSends, rank, step, transfers);
}

void
TwoLevelSchedule::GetReceives(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const
{
    Get(&RingSchedule::GetReceives, rank, step, transfers);
}

void
TwoLevelSchedule::GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const
{
    NS_ASSERT_MSG(rank < GetNRanks(), "Rank " << rank << " of " << GetNRanks());
    std::vector<Transfer> across;
    GetAcross(rank).GetTotals(rank / m_size, across);
    ToRanks(rank, true, across);
    m_inside.GetTotals(rank % m_size, transfers);
    ToRanks(rank, false, transfers);
    transfers.insert(transfers.end(), across.begin(), across.end());
}

void
TwoLevelSchedule::GetBlocks(uint32_t rank, uint32_t step, std::vector<Block>& blocks) const
{
    NS_ASSERT_MSG(rank < GetNRanks(), "Rank " << rank << " of " << GetNRanks());
    blocks.clear();
    const Place place = GetPlace(step);
    if (!place.across)
    {
        m_inside.GetBlocks(rank % m_size, place.step, blocks);
    }
    else if (const RingSchedule ring = GetAcross(rank); ring.GetNSteps() > 0)
    {
        ring.GetBlocks(rank / m_size, place.step, blocks);
        Shift(rank, blocks);
    }
}

void
TwoLevelSchedule::GetOwned(uint32_t rank, std::vector<Block>& blocks) const
{
    GetAcross(rank).GetOwned(rank / m_size, blocks);
    Shift(rank, blocks);
}

void
TwoLevelSchedule::Shift(uint32_t rank, std::vector<Block>& blocks) const
{
    for (auto& block : blocks)
    {
        block.offset += m_inside.GetOwnedOffset(rank % m_size);
    }
}

uint32_t
TwoLevelSchedule::GetNPeers() const
{
    return IsEmpty() ? 0 : 2;
}

double
TwoLevelSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    const uint64_t n = GetNRanks();
    const uint64_t part = GetBytes() / n + (GetBytes() % n > 0);
    return IsEmpty() ? 0
                     : m_inside.GetCircuitSeconds(circuit) +
                           GetNStepsAcross() * (circuit.latency + part / circuit.rate);
}

double
TwoLevelSchedule::GetSeconds(double latency, double rate) const
{
    return GetServerSeconds({latency, rate}, {latency, rate});
}

double
TwoLevelSchedule::GetServerSeconds(const LinkCost& inside, const LinkCost& outside) const
{
    return IsEmpty() ? 0
                     : m_inside.GetSeconds(inside.latency, inside.rate) +
                           GetNStepsAcross() *
                               (outside.latency + GetBytes() / (GetNRanks() * outside.rate));
}

double
TwoLevelSchedule::GetBusFactor() const
{
    return RingSchedule(m_kind, GetNRanks(), GetBytes()).GetBusFactor();
}

} // namespace lightpath
} // namespace ns3
