/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operator-pieces.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param seconds the time of an operator
 * @param gpus the number of GPUs
 * @param quantum the time quantum in seconds, or 0
 * @return the number of its pieces
 */
uint32_t
CountPieces(double seconds, uint32_t gpus, double quantum)
{
    if (quantum <= 0)
    {
        return gpus;
    }
    uint32_t pieces = 1;
    while (pieces < gpus && pieces <= UINT32_MAX / 2 && 2.0 * pieces * quantum <= seconds)
    {
        pieces *= 2;
    }
    return std::min(pieces, gpus);
}

} // namespace

OperatorPieces::OperatorPieces(const OperatorGraph& graph,
                               const GradientMap& gradients,
                               const Accelerator& accelerator,
                               uint64_t samples,
                               uint32_t gpus,
                               double quantum)
    : m_graph(graph),
      m_samples(samples)
{
    const auto& operators = graph.GetOperators();
    std::vector<uint32_t> counts(operators.size());
    m_first.assign(operators.size() + 1, 0);
    m_seconds.resize(operators.size());
    const auto batch = static_cast<double>(samples);
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        counts[op] = operators[op].pass == Pass::UPDATE
                         ? counts[gradients.GetSources(op).back()]
                         : CountPieces(accelerator.GetSeconds(operators[op], batch), gpus, quantum);
        m_seconds[op] = accelerator.GetSeconds(operators[op], batch, 1.0 / counts[op]);
        m_first[op + 1] = m_first[op] + counts[op];
    }
    FindReads(gradients);
}

void
OperatorPieces::FindReads(const GradientMap& gradients)
{
    m_reads.resize(m_graph.GetOperators().size());
    for (uint32_t op = 0; op < m_reads.size(); ++op)
    {
        auto& reads = m_reads[op];
        reads = m_graph.GetPredecessors(op);
        for (const auto update : gradients.GetUpdates(op))
        {
            const auto& sources = gradients.GetSources(update);
            reads.insert(reads.end(), sources.begin(), sources.end() - 1);
        }
        std::sort(reads.begin(), reads.end());
        reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
    }
}

const std::vector<uint32_t>&
OperatorPieces::GetReads(uint32_t op) const
{
    return m_reads[op];
}

const OperatorGraph&
OperatorPieces::GetGraph() const
{
    return m_graph;
}

uint32_t
OperatorPieces::GetNPieces() const
{
    return m_first.back();
}

OperatorPieces::Range
OperatorPieces::GetPieces(uint32_t op) const
{
    return {m_first[op], m_first[op + 1]};
}

double
OperatorPieces::GetSeconds(uint32_t op) const
{
    return m_seconds[op];
}

OperatorPieces::Range
OperatorPieces::GetSources(uint32_t from, uint32_t to, uint32_t piece) const
{
    const uint64_t read = m_first[from + 1] - m_first[from];
    const uint64_t readers = m_first[to + 1] - m_first[to];
    const auto begin = static_cast<uint32_t>(piece * read / readers);
    const auto end = static_cast<uint32_t>(((piece + 1) * read + readers - 1) / readers);
    return {m_first[from] + begin, m_first[from] + end};
}

PieceContent
OperatorPieces::GetContent(uint32_t from, uint32_t to) const
{
    const Operator& source = m_graph.GetOperators()[from];
    const Operator& reader = m_graph.GetOperators()[to];
    if (source.pass == Pass::FORWARD && reader.pass == Pass::BACKWARD && reader.forward == from)
    {
        return PieceContent::SAVED;
    }
    return source.outputBytes == 0 && reader.pass == Pass::BACKWARD && reader.parameters > 0
               ? PieceContent::GRADIENT
               : PieceContent::OUTPUT;
}

uint64_t
OperatorPieces::GetReadBytes(uint32_t from, uint32_t to, uint32_t piece) const
{
    const auto& operators = m_graph.GetOperators();
    uint64_t bytes = 0;
    switch (GetContent(from, to))
    {
    case PieceContent::OUTPUT:
        bytes = operators[from].outputBytes * m_samples;
        break;
    case PieceContent::SAVED:
        bytes = operators[from].savedBytes * m_samples;
        break;
    case PieceContent::GRADIENT:
        bytes = operators[to].parameters * m_graph.gradientBytes;
        break;
    }
    return std::max<uint64_t>(GetShare(from, bytes, piece), 1);
}

uint64_t
OperatorPieces::GetShare(uint32_t op, uint64_t bytes, uint32_t piece) const
{
    // floor(b (i + 1) / c) - floor(b i / c), without overflow
    const uint64_t count = m_first[op + 1] - m_first[op];
    const uint64_t rest = bytes % count;
    return bytes / count + (piece + 1) * rest / count - piece * rest / count;
}

uint64_t
OperatorPieces::GetSavedBytes(uint32_t op) const
{
    const Operator& description = m_graph.GetOperators()[op];
    return description.pass == Pass::FORWARD ? description.savedBytes * m_samples : 0;
}

} // namespace lightpath
} // namespace ns3
