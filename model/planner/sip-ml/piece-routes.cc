/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "piece-routes.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ns3
{
namespace lightpath
{

PieceRoutes::PieceRoutes(const PiecePlacement& placement, uint32_t gpus, CollectiveAlgorithm route)
    : m_gpus(gpus),
      m_last(placement.GetMessages().size(), NONE),
      m_first(placement.GetNPieces()),
      m_relayed(gpus)
{
    const auto& messages = placement.GetMessages();
    // The messages of each result, in the order of the pieces
    std::map<std::tuple<uint32_t, PieceContent, uint32_t>, std::vector<uint32_t>> results;
    for (uint32_t index = 0; index < messages.size(); ++index)
    {
        const auto& message = messages[index];
        if (route == CollectiveAlgorithm::DIRECT)
        {
            m_last[index] = AddHop({placement.GetGpu(message.piece),
                                    message.destination,
                                    message.piece,
                                    message.bytes});
            m_first[message.piece].push_back(m_last[index]);
            continue;
        }
        results[{message.piece, message.content, message.part}].push_back(index);
    }
    std::vector<uint32_t> ways[2];
    for (const auto& [result, readers] : results)
    {
        const uint32_t piece = std::get<0>(result);
        const uint32_t source = placement.GetGpu(piece);
        uint64_t bytes = 0;
        ways[0].assign(gpus, NONE);
        ways[1].assign(gpus, NONE);
        for (const auto index : readers)
        {
            const uint32_t destination = messages[index].destination;
            const uint32_t ahead = (destination + gpus - source) % gpus;
            // The GPU opposite to the source is as far one way as the other
            const bool isUp = route == CollectiveAlgorithm::LINE ? destination > source
                              : 2 * ahead == gpus                ? (piece / gpus + source) % 2 == 0
                                                                 : 2 * ahead < gpus;
            ways[isUp ? 0 : 1][isUp ? ahead : gpus - ahead] = index;
            bytes = std::max(bytes, messages[index].bytes);
        }
        AddChain(piece, source, 1, ways[0], bytes);
        AddChain(piece, source, gpus - 1, ways[1], bytes);
    }
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
        const uint32_t hop = AddHop({source, destination, piece, bytes});
        if (distance == 1)
        {
            m_first[piece].push_back(hop);
        }
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

const std::vector<PieceRoutes::Hop>&
PieceRoutes::GetHops() const
{
    return m_hops;
}

const std::vector<uint32_t>&
PieceRoutes::GetFirst(uint32_t piece) const
{
    return m_first[piece];
}

uint32_t
PieceRoutes::GetLast(uint32_t message) const
{
    return m_last[message];
}

const std::vector<uint32_t>&
PieceRoutes::GetRelayed(uint32_t gpu) const
{
    return m_relayed[gpu];
}

} // namespace lightpath
} // namespace ns3
