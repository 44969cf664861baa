/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operator-pieces.h"

#include "ns3/assert.h"

#include <algorithm>
#include <iterator>

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

/**
 * @param reader an operator
 * @return true if each part of its result depends on its whole input
 */
bool
Mixes(const Operator& reader)
{
    const bool contracts =
        reader.kind == OperatorKind::MATMUL || reader.kind == OperatorKind::CONVOLUTION;
    // The gradient of a share of the parameters needs the same share of the gradient it reads
    return contracts && reader.outputBytes > 0;
}

} // namespace

OperatorPieces::OperatorPieces(const OperatorGraph& graph,
                               const GradientMap& gradients,
                               const Accelerator& accelerator,
                               uint64_t samples,
                               uint32_t gpus,
                               double quantum,
                               uint32_t replicas,
                               SplitMode split)
    : m_graph(graph),
      m_samples(samples),
      m_replicas(replicas),
      m_split(split)
{
    const auto& operators = graph.GetOperators();
    std::vector<uint32_t> counts(operators.size());
    m_first.assign(operators.size() + 1, 0);
    m_seconds.resize(operators.size());
    const auto batch = static_cast<double>(samples);
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        const double seconds = accelerator.GetSeconds(operators[op], batch);
        counts[op] = CountPieces(seconds, gpus, quantum);
        if (operators[op].pass == Pass::UPDATE)
        {
            counts[op] = counts[gradients.GetSources(op).back()];
        }
        else if (seconds == 0)
        {
            // An operator that takes no time stays with its sources
            for (const auto read : graph.GetPredecessors(op))
            {
                counts[op] = std::max(counts[op], counts[read]);
            }
        }
        // Each replica applies the sparse gradients of all replicas
        const bool isGathered = operators[op].pass == Pass::UPDATE && operators[op].sparse;
        m_sparse.push_back(isGathered ? gradients.GetSparseBytes(graph, op) : 0);
        m_seconds[op] = accelerator.GetSeconds(operators[op],
                                               isGathered ? batch * replicas : batch,
                                               1.0 / counts[op]);
        // Pieces are numbered in the order of their operators
        m_first[op + 1] = m_first[op] + counts[op];
    }
    FindCut();
    FindReads(gradients);
}

void
OperatorPieces::FindCut()
{
    const auto& operators = m_graph.GetOperators();
    m_isCut.assign(operators.size(), false);
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        uint32_t count = 0;
        const auto& readers = m_graph.GetSuccessors(operators[op].forward);
        for (const auto read : m_graph.GetPredecessors(op))
        {
            // Gradients of parameters come from operators without a result
            count +=
                operators[op].pass == Pass::BACKWARD && operators[read].pass == Pass::BACKWARD &&
                        operators[read].outputBytes > 0 &&
                        std::binary_search(readers.begin(), readers.end(), operators[read].forward)
                    ? 1
                    : 0;
        }
        if (count > 1)
        {
            m_isCut[operators[op].forward] = true;
        }
    }
}

void
OperatorPieces::FindReads(const GradientMap& gradients)
{
    m_reads.resize(m_graph.GetOperators().size());
    for (uint32_t op = 0; op < m_reads.size(); ++op)
    {
        auto& reads = m_reads[op];
        reads = m_graph.GetPredecessors(op);
        // The operator that completes gradients collects them from the others that make them
        for (const auto update : gradients.GetUpdates(op))
        {
            const auto& sources = gradients.GetSources(update);
            reads.insert(reads.end(), sources.begin(), sources.end() - 1);
        }
        std::sort(reads.begin(), reads.end());
        reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
    }
    m_details.resize(m_reads.size());
    for (uint32_t op = 0; op < m_reads.size(); ++op)
    {
        for (const auto read : m_reads[op])
        {
            m_details[op].push_back(MakeRead(read, op));
        }
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

uint32_t
OperatorPieces::GetOperator(uint32_t piece) const
{
    const auto next = std::upper_bound(m_first.begin(), m_first.end(), piece);
    return static_cast<uint32_t>(next - m_first.begin() - 1);
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
    const bool readsAll =
        m_split == PARAMETER || (m_split == ATTRIBUTE && Mixes(m_graph.GetOperators()[to]));
    if (readsAll && GetContent(from, to) == PieceContent::OUTPUT)
    {
        return GetPieces(from);
    }
    const uint64_t read = m_first[from + 1] - m_first[from];
    const uint64_t readers = m_first[to + 1] - m_first[to];
    // The pieces whose part of the result overlaps with the part of this piece
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

OperatorPieces::Read
OperatorPieces::MakeRead(uint32_t from, uint32_t to) const
{
    const auto& operators = m_graph.GetOperators();
    Read read;
    switch (GetContent(from, to))
    {
    case PieceContent::SAVED:
        read.bytes = operators[from].savedBytes * m_samples;
        return read;
    case PieceContent::GRADIENT:
        read.bytes = operators[from].sparse ? operators[from].writtenBytes * m_samples
                                            : operators[to].parameters * m_graph.gradientBytes;
        return read;
    case PieceContent::OUTPUT:
        break;
    }
    const uint64_t whole = operators[from].outputBytes;
    uint64_t bytes = whole;
    if (operators[from].pass == operators[to].pass)
    {
        const bool isForward = operators[from].pass == Pass::FORWARD;
        bytes = std::min(whole, isForward ? GetForwardBytes(from, to) : GetBackwardBytes(from, to));
        if (bytes < whole)
        {
            read.part = operators[to].forward;
        }
    }
    read.bytes = bytes * m_samples;
    return read;
}

uint64_t
OperatorPieces::GetForwardBytes(uint32_t from, uint32_t to) const
{
    const auto& operators = m_graph.GetOperators();
    const uint64_t whole = operators[from].outputBytes;
    const uint64_t input = operators[to].inputBytes;
    uint64_t bytes = input > 0 ? std::min(whole, input) : whole;
    if (!m_isCut[from])
    {
        return bytes;
    }
    // Subtract the input of the readers that read nothing else
    uint64_t taken = 0;
    for (const auto reader : m_graph.GetSuccessors(from))
    {
        const bool isSure = reader != to && operators[reader].pass == Pass::FORWARD &&
                            m_graph.GetPredecessors(reader).size() == 1;
        taken += isSure ? operators[reader].inputBytes : 0;
    }
    return taken < whole ? std::min(bytes, whole - taken) : bytes;
}

uint64_t
OperatorPieces::GetBackwardBytes(uint32_t from, uint32_t to) const
{
    const auto& operators = m_graph.GetOperators();
    const uint32_t source = operators[from].forward;
    const uint32_t reader = operators[to].forward;
    uint64_t bytes = 0;
    if (operators[source].inputBytes == 0)
    {
        return operators[from].outputBytes;
    }
    for (const auto input : m_graph.GetPredecessors(source))
    {
        if (input == reader)
        {
            bytes += GetForwardBytes(input, source);
            continue;
        }
        // Readers of an output may add its gradient up: each one passes it to the one before
        const auto& readers = m_graph.GetSuccessors(input);
        const auto found = std::lower_bound(readers.begin(), readers.end(), source);
        if (!m_isCut[input] && found != readers.begin() && *std::prev(found) == reader)
        {
            bytes += GetForwardBytes(input, source);
        }
    }
    return bytes > 0 ? bytes : operators[from].outputBytes;
}

const OperatorPieces::Read&
OperatorPieces::GetRead(uint32_t from, uint32_t to) const
{
    const auto& reads = m_reads.at(to);
    const auto found = std::lower_bound(reads.begin(), reads.end(), from);
    NS_ASSERT_MSG(found != reads.end() && *found == from, "This operator is not read");
    return m_details[to][found - reads.begin()];
}

uint32_t
OperatorPieces::GetPart(uint32_t from, uint32_t to) const
{
    return GetRead(from, to).part;
}

uint64_t
OperatorPieces::GetReadBytes(uint32_t from, uint32_t to, uint32_t piece) const
{
    return std::max<uint64_t>(GetShare(from, GetRead(from, to).bytes, piece), 1);
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

uint64_t
OperatorPieces::GetGradientBytes(uint32_t update) const
{
    const Operator& description = m_graph.GetOperators()[update];
    return description.sparse ? m_sparse[update] * m_samples * m_replicas
                              : description.parameters * m_graph.gradientBytes;
}

uint64_t
OperatorPieces::GetStateBytes(uint32_t update) const
{
    const uint64_t parameters = m_graph.GetOperators()[update].parameters;
    return parameters * (m_graph.GetStateBytes() - m_graph.gradientBytes) +
           GetGradientBytes(update);
}

} // namespace lightpath
} // namespace ns3
