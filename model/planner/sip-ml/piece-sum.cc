/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "piece-sum.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

PieceSum::Position::Position(uint32_t number)
    : gpu(number)
{
}

PieceSum::PieceSum(const OperatorPieces& pieces,
                   const GradientMap& gradients,
                   const PiecePlacement& placement,
                   const PiecePlacement::Limits& limits)
    : m_pieces(pieces)
{
    const auto& operators = pieces.GetGraph().GetOperators();
    auto operation = static_cast<uint32_t>(placement.GetMessages().size());
    for (uint32_t op = 0; pieces.IsReplicated() && op < operators.size(); ++op)
    {
        Sum sum;
        for (const auto update : gradients.GetUpdates(op))
        {
            const uint64_t bytes = pieces.GetGradientBytes(update);
            operators[update].sparse ? sum.sparseBytes += bytes / limits.replicas
                                     : sum.denseBytes += bytes;
        }
        auto& gpus = sum.gpus;
        const auto range = pieces.GetPieces(op);
        for (uint32_t piece = range.begin; piece < range.end; ++piece)
        {
            gpus.push_back(placement.GetGpu(piece));
        }
        std::sort(gpus.begin(), gpus.end());
        gpus.erase(std::unique(gpus.begin(), gpus.end()), gpus.end());
        if (gpus.size() < 2 || (sum.denseBytes == 0 && sum.sparseBytes == 0))
        {
            continue;
        }
        uint32_t widest = gpus.front() + limits.gpus - gpus.back();
        for (std::size_t i = 1; i < gpus.size(); ++i)
        {
            widest = std::max(widest, gpus[i] - gpus[i - 1]);
        }
        sum.op = op;
        sum.isRing = gpus.size() <= MOST && widest <= limits.distance;
        sum.operation = operation;
        operation += sum.isRing ? 3 * static_cast<uint32_t>(gpus.size() - 1) : 0;
        m_sums.push_back(std::move(sum));
    }
}

bool
PieceSum::HasAny() const
{
    return !m_sums.empty();
}

void
PieceSum::Relay(uint32_t op, Position& position, ProgramWriter& writer) const
{
    for (; position.next < m_sums.size() && m_sums[position.next].op < op; ++position.next)
    {
        if (!m_sums[position.next].isRing)
        {
            WriteCollectives(m_sums[position.next], {}, position, writer);
        }
    }
}

std::vector<uint32_t>
PieceSum::Write(uint32_t op,
                const std::vector<uint32_t>& made,
                Position& position,
                ProgramWriter& writer) const
{
    if (position.next == m_sums.size() || m_sums[position.next].op != op)
    {
        return made;
    }
    const Sum& sum = m_sums[position.next++];
    return sum.isRing ? WriteRing(sum, made, position.gpu, writer)
                      : WriteCollectives(sum, made, position, writer);
}

std::vector<uint32_t>
PieceSum::WriteCollectives(const Sum& sum,
                           std::vector<uint32_t> made,
                           Position& position,
                           ProgramWriter& writer) const
{
    std::vector<uint32_t> ends;
    for (const bool isSparse : {false, true})
    {
        Task task;
        task.bytes = isSparse ? sum.sparseBytes : sum.denseBytes;
        if (task.bytes == 0)
        {
            continue;
        }
        task.kind = TaskKind::COLLECTIVE;
        task.pass = Pass::BACKWARD;
        task.name = m_pieces.GetGraph().GetOperators()[sum.op].name + " gradients";
        task.collective = isSparse ? CollectiveKind::ALL_GATHER : CollectiveKind::ALL_REDUCE;
        task.operation = position.nCollectives++;
        std::vector<uint32_t> after = made;
        after.insert(after.end(), position.last.begin(), position.last.end());
        ends.push_back(writer.AddCommunication(std::move(task), after));
        position.last.assign(1, ends.back());
    }
    return ends;
}

std::vector<uint32_t>
PieceSum::WriteRing(const Sum& sum,
                    const std::vector<uint32_t>& made,
                    uint32_t gpu,
                    ProgramWriter& writer) const
{
    const auto size = static_cast<uint32_t>(sum.gpus.size());
    const auto place = static_cast<uint32_t>(
        std::lower_bound(sum.gpus.begin(), sum.gpus.end(), gpu) - sum.gpus.begin());
    const auto getShare = [size](uint64_t bytes, uint32_t chunk) {
        const uint64_t rest = bytes % size;
        return bytes / size + (chunk + 1) * rest / size - chunk * rest / size;
    };
    std::vector<uint32_t> ends;
    uint32_t operation = sum.operation;
    for (const bool isSparse : {false, true})
    {
        const uint64_t bytes = isSparse ? sum.sparseBytes : sum.denseBytes;
        const uint32_t steps = (isSparse ? 1 : 2) * (size - 1);
        std::vector<uint32_t> after = made;
        for (uint32_t step = 0; bytes > 0 && step < steps; ++step)
        {
            // The chunk received in a step is the one that is sent in the next
            const uint32_t chunk = (place + 2 * size - step % size) % size;
            Task task;
            task.pass = Pass::BACKWARD;
            task.name = m_pieces.GetGraph().GetOperators()[sum.op].name + " gradients";
            task.operation = operation + step;
            task.kind = TaskKind::SEND;
            task.peer = sum.gpus[(place + 1) % size];
            task.bytes = std::max<uint64_t>(getShare(bytes, chunk), 1);
            writer.AddCommunication(task, after);
            task.kind = TaskKind::RECEIVE;
            task.peer = sum.gpus[(place + size - 1) % size];
            task.bytes = std::max<uint64_t>(getShare(bytes, (chunk + size - 1) % size), 1);
            // A sum can be sent on once the part of this GPU has been made as well
            after = {writer.AddCommunication(std::move(task), {})};
            if (step == 0)
            {
                after.insert(after.end(), made.begin(), made.end());
            }
            ends.push_back(after.front());
        }
        operation += steps;
    }
    ends.insert(ends.end(), made.begin(), made.end());
    return ends;
}

} // namespace lightpath
} // namespace ns3
