/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "placement-bound.h"

#include "ns3/collective-schedule.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace lightpath
{

PlacementBound::PlacementBound(const OperatorPieces& pieces,
                               const GradientMap& gradients,
                               const PiecePlacement& placement,
                               uint32_t replicas,
                               const FabricLimits& fabric)
    : m_pieces(pieces),
      m_gradients(gradients),
      m_placement(placement),
      m_replicas(replicas),
      m_latency(fabric.serverGpus > 1 ? std::min(fabric.latency, fabric.serverLatency)
                                      : fabric.latency),
      m_rate((fabric.serverGpus > 1 ? std::max(fabric.bitRate, fabric.serverBitRate)
                                    : fabric.bitRate) /
             8),
      m_tails(pieces.GetGraph().GetOperators().size(), 0),
      m_end(pieces.GetNPieces(), 0),
      m_arrival(placement.GetMessages().size(), 0)
{
}

double
PlacementBound::GetSeconds()
{
    FindTails();
    const auto& operators = m_pieces.GetGraph().GetOperators();
    double bound = 0;
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        const auto range = m_pieces.GetPieces(op);
        for (uint32_t index = 0;
             operators[op].pass != Pass::UPDATE && index < range.end - range.begin;
             ++index)
        {
            bound = std::max(bound, Follow(op, index) + m_tails[op]);
        }
    }
    return std::max(bound, GetBusySeconds());
}

double
PlacementBound::GetBusySeconds() const
{
    const auto& operators = m_pieces.GetGraph().GetOperators();
    std::vector<double> work;
    std::vector<double> begin;
    std::vector<uint32_t> last;
    double bound = 0;
    for (auto op = static_cast<uint32_t>(operators.size()); op-- > 0;)
    {
        if (operators[op].pass == Pass::UPDATE)
        {
            continue;
        }
        double following = 0;
        for (const auto update : m_gradients.GetUpdates(op))
        {
            following += m_pieces.GetSeconds(update);
        }
        const double seconds = m_pieces.GetSeconds(op);
        const auto range = m_pieces.GetPieces(op);
        for (uint32_t piece = range.end; piece-- > range.begin;)
        {
            const uint32_t gpu = m_placement.GetGpu(piece);
            if (gpu >= work.size())
            {
                work.resize(gpu + 1, 0);
                begin.resize(gpu + 1, std::numeric_limits<double>::infinity());
                last.resize(gpu + 1, UINT32_MAX);
            }
            // The pieces of an operator on one GPU update their common copy once
            const bool hasCopy = m_pieces.IsReplicated() && last[gpu] == op;
            last[gpu] = op;
            work[gpu] += seconds + (hasCopy ? 0 : following);
            begin[gpu] = std::min(begin[gpu], m_end[piece] - seconds);
            bound = std::max(bound, begin[gpu] + work[gpu]);
        }
    }
    return bound;
}

void
PlacementBound::FindTails()
{
    const OperatorGraph& graph = m_pieces.GetGraph();
    for (auto op = static_cast<uint32_t>(m_tails.size()); op-- > 0;)
    {
        for (const auto update : m_gradients.GetUpdates(op))
        {
            // The bucket is summed as a whole, and takes no less than this part of it
            const uint64_t bytes = graph.GetOperators()[update].parameters * graph.gradientBytes;
            const double sum = CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE,
                                                          m_replicas,
                                                          m_pieces.GetHeld(update, bytes, 0))
                                   ->GetSeconds(m_latency, m_rate);
            m_tails[op] = std::max(m_tails[op], sum + m_pieces.GetSeconds(update));
        }
        for (const auto read : m_pieces.GetReads(op))
        {
            m_tails[read] = std::max(m_tails[read], m_pieces.GetSeconds(op) + m_tails[op]);
        }
    }
}

double
PlacementBound::Follow(uint32_t op, uint32_t index)
{
    const uint32_t piece = m_pieces.GetPieces(op).begin + index;
    const uint32_t gpu = m_placement.GetGpu(piece);
    double ready = 0;
    for (const auto read : m_pieces.GetReads(op))
    {
        const auto range = m_pieces.GetSources(read, op, index);
        for (uint32_t source = range.begin; source < range.end; ++source)
        {
            if (m_placement.GetGpu(source) == gpu)
            {
                ready = std::max(ready, m_end[source]);
                continue;
            }
            const uint32_t message = m_placement.FindMessage(source,
                                                             gpu,
                                                             m_pieces.GetContent(read, op),
                                                             m_pieces.GetPart(read, op));
            ready = std::max(ready, m_arrival[message]);
        }
    }
    m_end[piece] = ready + m_pieces.GetSeconds(op);
    Send(piece);
    return m_end[piece];
}

void
PlacementBound::Send(uint32_t piece)
{
    const auto& messages = m_placement.GetMessages();
    for (uint32_t message = m_placement.GetLastMessage(piece); message != UINT32_MAX;
         message = messages[message].next)
    {
        const double own = static_cast<double>(messages[message].bytes) / m_rate;
        m_arrival[message] = m_end[piece] + own + m_latency;
    }
}

} // namespace lightpath
} // namespace ns3
