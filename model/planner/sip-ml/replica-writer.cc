/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "replica-writer.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

ReplicaWriter::ReplicaWriter(const OperatorPieces& pieces,
                             const GradientMap& gradients,
                             const PiecePlacement& placement,
                             const PiecePlacement::Limits& limits,
                             uint64_t bucketBytes,
                             CollectiveAlgorithm route,
                             CollectiveKind sum)
    : m_pieces(pieces),
      m_gradients(gradients),
      m_placement(placement),
      m_limits(limits),
      m_bucketBytes(bucketBytes),
      m_routes(placement, limits.gpus, route),
      m_sum(sum),
      m_tasks(pieces.GetNPieces(), UINT32_MAX),
      m_receives(m_routes.GetHops().size(), UINT32_MAX)
{
}

std::vector<std::shared_ptr<const RankProgram>>
ReplicaWriter::Write()
{
    const auto& operators = m_pieces.GetGraph().GetOperators();
    // Each GPU runs its pieces in topological order
    std::vector<std::vector<Piece>> pieces(m_limits.gpus);
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        const auto range = m_pieces.GetPieces(op);
        for (uint32_t piece = range.begin; operators[op].pass != Pass::UPDATE && piece < range.end;
             ++piece)
        {
            pieces[m_placement.GetGpu(piece)].push_back({op, piece - range.begin});
        }
    }
    m_receives.assign(m_receives.size(), UINT32_MAX);
    std::vector<std::shared_ptr<const RankProgram>> programs;
    for (uint32_t gpu = 0; gpu < m_limits.gpus; ++gpu)
    {
        programs.push_back(WriteProgram(gpu, pieces[gpu]));
    }
    return programs;
}

std::shared_ptr<const RankProgram>
ReplicaWriter::WriteProgram(uint32_t gpu, const std::vector<Piece>& pieces)
{
    const OperatorGraph& graph = m_pieces.GetGraph();
    ProgramWriter writer;
    std::size_t nUpdates = 0;
    for (const auto& piece : pieces)
    {
        nUpdates += m_gradients.GetUpdates(piece.op).size();
    }
    GradientSync::Options options;
    options.bucketBytes = m_bucketBytes;
    options.replicas = m_limits.replicas;
    options.sum = m_sum;
    if (m_limits.averagedRatio > 0)
    {
        options.collectives = {1, CollectiveAlgorithm::IN_NETWORK};
        options.averagedRatio = m_limits.averagedRatio;
    }
    // The sums over the replicas get circuits of their own if the replica communicates, too
    options.sumPhase = m_placement.GetMessages().GetCount() == 0 ? 0 : 1;
    GradientSync sync(writer, options, nUpdates);
    std::vector<uint32_t> inputs;
    for (const auto& piece : pieces)
    {
        // Receives, computation, sends, and the sums of the gradients over the replicas
        const uint32_t number = m_pieces.GetPieces(piece.op).begin + piece.index;
        WriteInputs(piece, gpu, writer, inputs);
        const uint32_t task = writer.AddCompute(graph.GetOperators()[piece.op].pass,
                                                GetName(piece),
                                                m_pieces.GetSeconds(piece.op),
                                                inputs);
        m_tasks[number] = task;
        for (const auto hop : m_routes.GetFirst(number))
        {
            writer.AddCommunication(MakeTask(TaskKind::SEND, hop, graph.GetOperators()[piece.op]),
                                    {task});
        }
        AddGradients(piece, task, sync);
    }
    // The rest only passes through
    for (const auto hop : m_routes.GetRelayed(gpu))
    {
        const uint32_t op = m_pieces.GetOperator(m_routes.GetHops()[hop].piece);
        WriteReceive(hop, graph.GetOperators()[op], writer);
    }
    sync.Finish();
    return writer.Finish();
}

void
ReplicaWriter::AddGradients(const Piece& piece, uint32_t task, GradientSync& sync) const
{
    for (const auto update : m_gradients.GetUpdates(piece.op))
    {
        const uint64_t bytes =
            m_pieces.GetShare(update, m_pieces.GetGradientBytes(update), piece.index);
        const bool isSparse = m_pieces.GetGraph().GetOperators()[update].sparse;
        sync.Add({task},
                 bytes,
                 m_pieces.GetSeconds(update),
                 isSparse ? GradientSync::SPARSE : GradientSync::DENSE);
    }
}

void
ReplicaWriter::WriteInputs(const Piece& piece,
                           uint32_t gpu,
                           ProgramWriter& writer,
                           std::vector<uint32_t>& inputs)
{
    const auto& operators = m_pieces.GetGraph().GetOperators();
    inputs.clear();
    const PieceMessages& messages = m_placement.GetMessages();
    for (const auto read : m_pieces.GetReads(piece.op))
    {
        const uint32_t number = messages.GetRead(read, piece.op);
        const auto range = m_pieces.GetSources(read, piece.op, piece.index);
        for (uint32_t source = range.begin; source < range.end; ++source)
        {
            // A result of the same GPU needs no message
            if (m_placement.GetGpu(source) == gpu)
            {
                inputs.push_back(m_tasks[source]);
                continue;
            }
            // The first piece that reads a message writes its receive
            const uint32_t hop = m_routes.GetLast(messages.Find(number, source, gpu));
            WriteReceive(hop, operators[read], writer);
            inputs.push_back(m_receives[hop]);
        }
    }
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
}

void
ReplicaWriter::WriteReceive(uint32_t hop, const Operator& source, ProgramWriter& writer)
{
    if (m_receives[hop] != UINT32_MAX)
    {
        return;
    }
    m_receives[hop] = writer.AddCommunication(MakeTask(TaskKind::RECEIVE, hop, source), {});
    if (const uint32_t next = m_routes.GetHops()[hop].next; next != PieceRoutes::NONE)
    {
        writer.AddCommunication(MakeTask(TaskKind::SEND, next, source), {m_receives[hop]});
    }
}

Task
ReplicaWriter::MakeTask(TaskKind kind, uint32_t hop, const Operator& source) const
{
    const PieceRoutes::Hop& ends = m_routes.GetHops()[hop];
    Task task;
    task.kind = kind;
    task.pass = source.pass;
    task.name = source.name;
    task.peer = kind == TaskKind::SEND ? ends.destination : ends.source;
    task.operation = hop;
    task.bytes = ends.bytes;
    return task;
}

std::string
ReplicaWriter::GetName(const Piece& piece) const
{
    const auto range = m_pieces.GetPieces(piece.op);
    const uint32_t count = range.end - range.begin;
    std::string name = m_pieces.GetGraph().GetOperators()[piece.op].name;
    if (count > 1)
    {
        name += "[" + std::to_string(piece.index) + "/" + std::to_string(count) + "]";
    }
    return name;
}

} // namespace lightpath
} // namespace ns3
