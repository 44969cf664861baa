/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "piece-routes.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>

namespace ns3
{
namespace lightpath
{

bool
PieceRoutes::Reader::operator<(const Reader& other) const
{
    return std::tie(piece, result, message) < std::tie(other.piece, other.result, other.message);
}

PieceRoutes::PieceRoutes(const PiecePlacement& placement, uint32_t gpus, CollectiveAlgorithm route)
    : m_gpus(gpus)
{
    const PieceMessages& messages = placement.GetMessages();
    m_hops.reserve(messages.GetCount());
    if (route == CollectiveAlgorithm::DIRECT)
    {
        for (const auto& bundle : messages.GetBundles())
        {
            for (uint32_t piece = bundle.pieces.begin; piece < bundle.pieces.end; ++piece)
            {
                const uint32_t source = placement.GetGpu(piece);
                AddHop({messages.GetBytes(bundle, piece), source, bundle.destination, piece});
            }
        }
        SortFirst(placement);
        return;
    }
    std::vector<Reader> readers;
    readers.reserve(messages.GetCount());
    for (const auto& bundle : messages.GetBundles())
    {
        for (uint32_t piece = bundle.pieces.begin; piece < bundle.pieces.end; ++piece)
        {
            readers.push_back({piece,
                               messages.GetResult(bundle),
                               bundle.first + piece - bundle.pieces.begin,
                               bundle.destination,
                               messages.GetBytes(bundle, piece)});
        }
    }
    // The messages of each result, in the order of the pieces
    std::sort(readers.begin(), readers.end());
    m_last.assign(messages.GetCount(), NONE);
    m_relayed.resize(gpus);
    for (auto begin = readers.cbegin(); begin != readers.cend();)
    {
        const auto end = std::find_if(begin, readers.cend(), [&](const Reader& reader) {
            return reader.piece != begin->piece || reader.result != begin->result;
        });
        AddChains(placement.GetGpu(begin->piece), begin, end, route);
        begin = end;
    }
    SortFirst(placement);
}

void
PieceRoutes::AddChains(uint32_t source,
                       std::vector<Reader>::const_iterator begin,
                       std::vector<Reader>::const_iterator end,
                       CollectiveAlgorithm route)
{
    std::vector<uint32_t> ways[]{std::vector<uint32_t>(m_gpus, NONE),
                                 std::vector<uint32_t>(m_gpus, NONE)};
    uint64_t bytes = 0;
    for (auto reader = begin; reader != end; ++reader)
    {
        const uint32_t ahead = (reader->destination + m_gpus - source) % m_gpus;
        // The GPU opposite to the source is as far one way as the other
        const bool isUp = route == CollectiveAlgorithm::LINE ? reader->destination > source
                          : 2 * ahead == m_gpus ? (reader->piece / m_gpus + source) % 2 == 0
                                                : 2 * ahead < m_gpus;
        ways[isUp ? 0 : 1][isUp ? ahead : m_gpus - ahead] = reader->message;
        bytes = std::max(bytes, reader->bytes);
    }
    AddChain(begin->piece, source, 1, ways[0], bytes);
    AddChain(begin->piece, source, m_gpus - 1, ways[1], bytes);
}

void
PieceRoutes::AddChain(uint32_t piece,
                      uint32_t source,
                      uint32_t step,
                      const std::vector<uint32_t>& messages,
                      uint64_t bytes)
{
    auto farthest = static_cast<uint32_t>(messages.size() - 1);
    while (farthest > 0 && messages[farthest] == NONE)
    {
        --farthest;
    }
    for (uint32_t distance = 1; distance <= farthest; ++distance)
    {
        const uint32_t destination = (source + step) % m_gpus;
        const uint32_t hop = AddHop({bytes, source, destination, piece});
        if (distance < farthest)
        {
            m_hops[hop].next = hop + 1;
            m_relayed[destination].push_back(hop);
        }
        if (messages[distance] != NONE)
        {
            m_last[messages[distance]] = hop;
        }
        source = destination;
    }
}

uint32_t
PieceRoutes::AddHop(const Hop& hop)
{
    m_hops.push_back(hop);
    return static_cast<uint32_t>(m_hops.size() - 1);
}

void
PieceRoutes::SortFirst(const PiecePlacement& placement)
{
    // Counting sort: the number of first hops of the pieces before each, then the hops
    m_begins.assign(std::size_t{placement.GetNPieces()} + 1, 0);
    const auto isFirst = [&](const Hop& hop) { return hop.source == placement.GetGpu(hop.piece); };
    for (const auto& hop : m_hops)
    {
        m_begins[hop.piece + 1] += isFirst(hop) ? 1 : 0;
    }
    std::partial_sum(m_begins.begin(), m_begins.end(), m_begins.begin());
    m_first.resize(m_begins.back());
    std::vector<uint32_t> places(m_begins.begin(), m_begins.end() - 1);
    for (uint32_t hop = 0; hop < m_hops.size(); ++hop)
    {
        if (isFirst(m_hops[hop]))
        {
            m_first[places[m_hops[hop].piece]++] = hop;
        }
    }
}

const std::vector<PieceRoutes::Hop>&
PieceRoutes::GetHops() const
{
    return m_hops;
}

std::vector<uint32_t>
PieceRoutes::GetFirst(uint32_t piece) const
{
    return {m_first.begin() + m_begins[piece], m_first.begin() + m_begins[piece + 1]};
}

uint32_t
PieceRoutes::GetLast(uint32_t message) const
{
    return m_last.empty() ? message : m_last[message];
}

const std::vector<uint32_t>&
PieceRoutes::GetRelayed(uint32_t gpu) const
{
    static const std::vector<uint32_t> none;
    return m_relayed.empty() ? none : m_relayed[gpu];
}

} // namespace lightpath
} // namespace ns3
