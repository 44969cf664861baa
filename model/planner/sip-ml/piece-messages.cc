/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "piece-messages.h"

#include "ns3/assert.h"
#include "ns3/rank-program.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>

namespace ns3
{
namespace lightpath
{

PieceMessages::PieceMessages(const OperatorPieces& pieces, uint32_t gpus)
    : m_pieces(pieces),
      m_gpus(gpus)
{
    // Content that all reads of one operator share gets one number
    std::map<std::tuple<uint32_t, PieceContent, uint32_t>, uint32_t> results;
    const auto nOperators = static_cast<uint32_t>(pieces.GetGraph().GetOperators().size());
    for (uint32_t to = 0; to < nOperators; ++to)
    {
        m_firstReads.push_back(static_cast<uint32_t>(m_reads.size()));
        for (const auto from : pieces.GetReads(to))
        {
            results[{from, pieces.GetContent(from, to), pieces.GetPart(from, to)}] = 0;
            m_reads.push_back({from, to, NONE, NONE});
        }
    }
    m_last.resize(results.size());
    uint32_t number = 0;
    for (auto& entry : results)
    {
        entry.second = number++;
    }
    for (auto& read : m_reads)
    {
        const PieceContent content = pieces.GetContent(read.from, read.to);
        read.result = results[{read.from, content, pieces.GetPart(read.from, read.to)}];
        const auto whole = results.find({read.from, content, OperatorPieces::WHOLE});
        read.whole = whole == results.end() ? NONE : whole->second;
    }
}

uint32_t
PieceMessages::GetRead(uint32_t from, uint32_t to) const
{
    const auto& reads = m_pieces.GetReads(to);
    const auto found = std::lower_bound(reads.begin(), reads.end(), from);
    NS_ASSERT_MSG(found != reads.end() && *found == from, "This operator is not read");
    return m_firstReads[to] + static_cast<uint32_t>(found - reads.begin());
}

uint32_t
PieceMessages::FindBundle(uint32_t result, uint32_t piece, uint32_t destination) const
{
    if (result == NONE || m_last[result].empty())
    {
        return NONE;
    }
    uint32_t index = m_last[result][destination];
    while (index != NONE &&
           (piece < m_bundles[index].pieces.begin || piece >= m_bundles[index].pieces.end))
    {
        index = m_bundles[index].next;
    }
    return index;
}

uint32_t
PieceMessages::FindBundle(const Read& read, uint32_t piece, uint32_t destination) const
{
    // A message with the whole result has every part of it
    const uint32_t bundle = FindBundle(read.result, piece, destination);
    return bundle == NONE && read.whole != read.result ? FindBundle(read.whole, piece, destination)
                                                       : bundle;
}

void
PieceMessages::Add(uint32_t read,
                   const OperatorPieces::Range& range,
                   uint32_t destination,
                   const std::vector<uint32_t>& gpus)
{
    auto& last = m_last[m_reads[read].result];
    uint32_t open = NONE;
    for (uint32_t piece = range.begin; piece < range.end; ++piece)
    {
        if (gpus[piece] == destination)
        {
            continue;
        }
        const uint32_t bundle = FindBundle(m_reads[read], piece, destination);
        if (bundle != NONE)
        {
            // So have come the others of the bundle
            piece = m_bundles[bundle].pieces.end - 1;
            continue;
        }
        if (m_count == MOST_OPERATIONS)
        {
            throw std::invalid_argument("A replica of " + std::to_string(m_gpus) +
                                        " GPUs has more than " + std::to_string(MOST_OPERATIONS) +
                                        " messages");
        }
        if (open == NONE || m_bundles[open].pieces.end != piece)
        {
            last.resize(m_gpus, NONE);
            open = static_cast<uint32_t>(m_bundles.size());
            m_bundles.push_back({{piece, piece}, destination, m_count, read, last[destination]});
            last[destination] = open;
        }
        ++m_bundles[open].pieces.end;
        ++m_count;
    }
}

uint32_t
PieceMessages::Find(uint32_t read, uint32_t piece, uint32_t destination) const
{
    const uint32_t index = FindBundle(m_reads[read], piece, destination);
    return index == NONE ? NONE : m_bundles[index].first + piece - m_bundles[index].pieces.begin;
}

const std::vector<PieceMessages::Bundle>&
PieceMessages::GetBundles() const
{
    return m_bundles;
}

uint32_t
PieceMessages::GetCount() const
{
    return m_count;
}

uint64_t
PieceMessages::GetBytes(const Bundle& bundle, uint32_t piece) const
{
    const Read& read = m_reads[bundle.read];
    return m_pieces.GetReadBytes(read.from, read.to, piece - m_pieces.GetPieces(read.from).begin);
}

uint32_t
PieceMessages::GetResult(const Bundle& bundle) const
{
    return m_reads[bundle.read].result;
}

} // namespace lightpath
} // namespace ns3
