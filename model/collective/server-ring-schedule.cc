/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-ring-schedule.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

ServerRingSchedule::ServerRingSchedule(CollectiveKind kind,
                                       uint32_t ranks,
                                       uint64_t bytes,
                                       uint32_t local)
    : CollectiveSchedule(ranks, bytes),
      m_size(local)
{
    NS_ASSERT_MSG(local > 1 && local < ranks && ranks % local == 0,
                  "Servers of " << local << " ranks for " << ranks);
    for (uint32_t ring = 0; ring < local; ++ring)
    {
        m_rings.emplace_back(kind, ranks, GetOffset(ring + 1) - GetOffset(ring));
    }
}

uint64_t
ServerRingSchedule::GetOffset(uint32_t ring) const
{
    return GetBytes() / m_size * ring + GetBytes() % m_size * ring / m_size;
}

uint32_t
ServerRingSchedule::GetPosition(uint32_t ring, uint32_t rank) const
{
    return rank - rank % m_size + (rank % m_size + m_size - ring) % m_size;
}

uint32_t
ServerRingSchedule::GetRank(uint32_t ring, uint32_t position) const
{
    return position - position % m_size + (position + ring) % m_size;
}

uint32_t
ServerRingSchedule::GetNSteps() const
{
    // The last ring has the most bytes
    return m_rings.back().GetNSteps();
}

template <typename F>
void
ServerRingSchedule::Join(uint32_t rank, const F& get, std::vector<Transfer>& transfers) const
{
    transfers.clear();
    std::vector<Transfer> own;
    for (uint32_t ring = 0; ring < m_size; ++ring)
    {
        get(m_rings[ring], GetPosition(ring, rank), own);
        for (const Transfer& transfer : own)
        {
            const uint32_t peer = GetRank(ring, transfer.peer);
            const auto same =
                std::find_if(transfers.begin(), transfers.end(), [peer](const Transfer& other) {
                    return other.peer == peer;
                });
            if (same != transfers.end())
            {
                same->bytes += transfer.bytes;
            }
            else
            {
                transfers.push_back({peer, transfer.bytes});
            }
        }
    }
}

void
ServerRingSchedule::GetSends(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const
{
    const auto get = [step](const RingSchedule& ring, uint32_t position, auto& own) {
        own.clear();
        if (step < ring.GetNSteps())
        {
            ring.GetSends(position, step, own);
        }
    };
    Join(rank, get, transfers);
}

void
ServerRingSchedule::GetReceives(uint32_t rank,
                                uint32_t step,
                                std::vector<Transfer>& transfers) const
{
    const auto get = [step](const RingSchedule& ring, uint32_t position, auto& own) {
        own.clear();
        if (step < ring.GetNSteps())
        {
            ring.GetReceives(position, step, own);
        }
    };
    Join(rank, get, transfers);
}

void
ServerRingSchedule::GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const
{
    const auto get = [](const RingSchedule& ring, uint32_t position, auto& own) {
        ring.GetTotals(position, own);
    };
    Join(rank, get, transfers);
}

void
ServerRingSchedule::GetBlocks(uint32_t rank, uint32_t step, std::vector<Block>& blocks) const
{
    std::vector<Transfer> sends;
    GetSends(rank, step, sends);
    blocks.clear();
    // Message by message, as a rank sends the chunks of several rings to the same rank
    for (uint32_t message = 0; message < sends.size(); ++message)
    {
        for (uint32_t ring = 0; ring < m_size; ++ring)
        {
            const uint32_t position = GetPosition(ring, rank);
            std::vector<Transfer> own;
            std::vector<Block> parts;
            if (step < m_rings[ring].GetNSteps())
            {
                m_rings[ring].GetSends(position, step, own);
                m_rings[ring].GetBlocks(position, step, parts);
            }
            for (Block& part : parts)
            {
                if (GetRank(ring, own[part.transfer].peer) == sends[message].peer)
                {
                    part.transfer = message;
                    part.offset += GetOffset(ring);
                    blocks.push_back(part);
                }
            }
        }
    }
}

void
ServerRingSchedule::GetOwned(uint32_t rank, std::vector<Block>& blocks) const
{
    blocks.clear();
    for (uint32_t ring = 0; ring < m_size; ++ring)
    {
        std::vector<Block> own;
        m_rings[ring].GetOwned(GetPosition(ring, rank), own);
        for (Block& block : own)
        {
            block.offset += GetOffset(ring);
            blocks.push_back(block);
        }
    }
}

uint32_t
ServerRingSchedule::GetNPeers() const
{
    return IsEmpty() ? 0 : 2;
}

double
ServerRingSchedule::GetSeconds(double latency, double rate) const
{
    return GetNSteps() == 0 ? 0 : GetNSteps() * (latency + GetBytes() / (GetNRanks() * rate));
}

double
ServerRingSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    // The last chunk of a ring is its largest
    double bytes = 0;
    for (uint32_t ring = 1; ring < m_size; ++ring)
    {
        const uint64_t share = m_rings[ring].GetBytes();
        bytes += static_cast<double>((share + GetNRanks() - 1) / GetNRanks());
    }
    return GetNSteps() * (circuit.latency + bytes / circuit.rate);
}

double
ServerRingSchedule::GetServerSeconds(const LinkCost& inside, const LinkCost& outside) const
{
    const double chunk = static_cast<double>(GetBytes()) / m_size / GetNRanks();
    return GetNSteps() * std::max(inside.latency + (m_size - 1) * chunk / inside.rate,
                                  outside.latency + chunk / outside.rate);
}

double
ServerRingSchedule::GetBusFactor() const
{
    return m_rings.front().GetBusFactor();
}

} // namespace lightpath
} // namespace ns3
