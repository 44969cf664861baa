/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-ring-schedule.h"

#include "ns3/assert.h"

#include <algorithm>
#include <set>

namespace ns3
{
namespace lightpath
{

ServerRingSchedule::ServerRingSchedule(CollectiveKind kind,
                                       uint32_t ranks,
                                       uint64_t bytes,
                                       uint32_t local)
    : CollectiveSchedule(ranks, bytes),
      m_size(local),
      m_positions(ranks)
{
    NS_ASSERT_MSG(local > 1 && local < ranks && ranks % local == 0,
                  "Servers of " << local << " ranks for " << ranks);
    for (uint32_t ring = 0; ring < local; ++ring)
    {
        m_rings.emplace_back(kind, ranks, GetOffset(ring + 1) - GetOffset(ring));
    }
    for (uint32_t server = 0; server < ranks / local; ++server)
    {
        AddServer(server);
    }
    for (uint32_t position = 0; position < ranks; ++position)
    {
        m_positions[m_order[position]] = position;
    }
}

uint32_t
ServerRingSchedule::GetEntry(uint32_t server) const
{
    // Index 0 and 1 in turn; after an odd number of servers, another one leads back to index 0
    const uint32_t servers = GetNRanks() / m_size;
    return servers % 2 == 1 && server + 1 == servers ? 2 % m_size : server % 2;
}

void
ServerRingSchedule::AddServer(uint32_t server)
{
    const uint32_t entry = GetEntry(server);
    const uint32_t next = GetEntry((server + 1) % (GetNRanks() / m_size));
    const uint32_t exit = next == entry ? (entry + 1) % m_size : next;
    // Round the server the way that ends at the exit, or else past it
    const uint32_t stride = (entry + 1) % m_size == exit ? m_size - 1 : 1;
    for (uint32_t i = 0; i < m_size; ++i)
    {
        if (const uint32_t index = (entry + i * stride) % m_size; index != exit)
        {
            m_order.push_back(server * m_size + index);
        }
    }
    m_order.push_back(server * m_size + exit);
}

uint64_t
ServerRingSchedule::GetOffset(uint32_t ring) const
{
    return GetBytes() / m_size * ring + GetBytes() % m_size * ring / m_size;
}

uint32_t
ServerRingSchedule::GetPosition(uint32_t ring, uint32_t rank) const
{
    const uint32_t index = rank % m_size;
    return m_positions[rank - index + (index + m_size - ring) % m_size];
}

uint32_t
ServerRingSchedule::GetRank(uint32_t ring, uint32_t position) const
{
    const uint32_t first = m_order[position];
    return first - first % m_size + (first % m_size + ring) % m_size;
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
    std::vector<Block> own;
    for (uint32_t ring = 0; ring < m_size; ++ring)
    {
        const uint32_t position = GetPosition(ring, rank);
        const uint32_t peer = GetRank(ring, (position + 1) % GetNRanks());
        own.clear();
        if (step < m_rings[ring].GetNSteps())
        {
            m_rings[ring].GetBlocks(position, step, own);
        }
        for (Block& block : own)
        {
            const auto message = std::find_if(sends.begin(), sends.end(), [peer](const auto& send) {
                return send.peer == peer;
            });
            block.transfer = message - sends.begin();
            block.offset += GetOffset(ring);
            blocks.push_back(block);
        }
    }
    // Message by message, as a rank sends the chunks of several rings to the same rank
    std::stable_sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) {
        return a.transfer < b.transfer;
    });
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
    // As many as its rings leave to, which the last server may have more of than the others
    std::set<uint32_t> peers;
    for (uint32_t ring = 0; ring < m_size && !IsEmpty(); ++ring)
    {
        const uint32_t position = GetPosition(ring, GetNRanks() - 1) + 1;
        peers.insert(GetRank(ring, position % GetNRanks()));
    }
    return peers.size();
}

double
ServerRingSchedule::GetSeconds(double latency, double rate) const
{
    return GetNSteps() == 0 ? 0 : GetNSteps() * (latency + GetBytes() / (GetNRanks() * rate));
}

double
ServerRingSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    const uint64_t parts = uint64_t{GetNRanks()} * m_size;
    const uint64_t chunk = GetBytes() / parts + (GetBytes() % parts > 0);
    return GetNSteps() * (circuit.latency + (m_size - 1) * chunk / circuit.rate);
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
