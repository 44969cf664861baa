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
                             uint32_t gpus,
                             uint32_t replicas,
                             uint64_t bucketBytes)
    : m_pieces(pieces),
      m_gradients(gradients),
      m_placement(placement),
      m_writers(gpus),
      m_tasks(pieces.GetNPieces(), UINT32_MAX),
      m_receives(placement.GetMessages().size(), UINT32_MAX)
{
    m_syncs.reserve(gpus);
    for (auto& writer : m_writers)
    {
        m_syncs.emplace_back(writer, replicas, bucketBytes);
    }
}

std::vector<std::shared_ptr<const RankProgram>>
ReplicaWriter::Write()
{
    const auto& operators = m_pieces.GetGraph().GetOperators();
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        const auto range = m_pieces.GetPieces(op);
        for (uint32_t index = 0;
             operators[op].pass != Pass::UPDATE && index < range.end - range.begin;
             ++index)
        {
            WritePiece(op, index);
        }
    }
    std::vector<std::shared_ptr<const RankProgram>> programs;
    for (std::size_t gpu = 0; gpu < m_writers.size(); ++gpu)
    {
        m_syncs[gpu].Finish();
        programs.push_back(m_writers[gpu].Finish());
    }
    return programs;
}

void
ReplicaWriter::WritePiece(uint32_t op, uint32_t index)
{
    const OperatorGraph& graph = m_pieces.GetGraph();
    const Operator& description = graph.GetOperators()[op];
    const auto range = m_pieces.GetPieces(op);
    const uint32_t count = range.end - range.begin;
    const uint32_t piece = range.begin + index;
    const uint32_t gpu = m_placement.GetGpu(piece);
    std::string name = description.name;
    if (count > 1)
    {
        name += "[" + std::to_string(index) + "/" + std::to_string(count) + "]";
    }
    m_tasks[piece] = m_writers[gpu].AddCompute(description.pass,
                                               name,
                                               m_pieces.GetSeconds(op),
                                               GetInputs(op, index));
    WriteSends(op, piece);
    for (const auto update : m_gradients.GetUpdates(op))
    {
        const uint64_t bytes = graph.GetOperators()[update].parameters * graph.gradientBytes;
        m_syncs[gpu].Add({m_tasks[piece]},
                         m_pieces.GetShare(update, bytes, index),
                         m_pieces.GetSeconds(update));
    }
}

std::vector<uint32_t>
ReplicaWriter::GetInputs(uint32_t op, uint32_t index)
{
    const uint32_t gpu = m_placement.GetGpu(m_pieces.GetPieces(op).begin + index);
    const auto& operators = m_pieces.GetGraph().GetOperators();
    std::vector<uint32_t> inputs;
    for (const auto read : m_pieces.GetReads(op))
    {
        const PieceContent content = m_pieces.GetContent(read, op);
        const auto range = m_pieces.GetSources(read, op, index);
        for (uint32_t piece = range.begin; piece < range.end; ++piece)
        {
            const uint32_t source = m_placement.GetGpu(piece);
            if (source == gpu)
            {
                inputs.push_back(m_tasks[piece]);
                continue;
            }
            const uint32_t message = m_placement.FindMessage(piece, gpu, content);
            if (m_receives[message] == UINT32_MAX)
            {
                Task task;
                task.kind = TaskKind::RECEIVE;
                task.pass = operators[read].pass;
                task.name = operators[read].name;
                task.peer = source;
                task.operation = message;
                task.bytes = m_placement.GetMessages()[message].bytes;
                m_receives[message] = m_writers[gpu].AddCommunication(std::move(task), {});
            }
            inputs.push_back(m_receives[message]);
        }
    }
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    return inputs;
}

void
ReplicaWriter::WriteSends(uint32_t op, uint32_t piece)
{
    const auto& messages = m_placement.GetMessages();
    const Operator& description = m_pieces.GetGraph().GetOperators()[op];
    std::vector<uint32_t> sends;
    for (uint32_t message = m_placement.GetLastMessage(piece); message != UINT32_MAX;
         message = messages[message].next)
    {
        sends.push_back(message);
    }
    for (auto message = sends.rbegin(); message != sends.rend(); ++message)
    {
        Task task;
        task.kind = TaskKind::SEND;
        task.pass = description.pass;
        task.name = description.name;
        task.peer = messages[*message].destination;
        task.operation = *message;
        task.bytes = messages[*message].bytes;
        m_writers[m_placement.GetGpu(piece)].AddCommunication(std::move(task), {m_tasks[piece]});
    }
}

} // namespace lightpath
} // namespace ns3
