/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "piece-placement.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

PiecePlacement::PiecePlacement(const OperatorPieces& pieces,
                               const GradientMap& gradients,
                               const Limits& limits)
    : m_pieces(pieces),
      m_gradients(gradients),
      m_limits(limits),
      m_isLimited(limits.distance < limits.gpus - 1),
      m_free(limits.gpus),
      m_gpu(pieces.GetNPieces(), 0),
      m_end(pieces.GetNPieces(), 0),
      m_messages(pieces, limits.gpus),
      m_computing(limits.gpus, 0),
      m_messaging(limits.gpus, 0),
      m_memory(limits.gpus, 0),
      m_links(m_isLimited ? std::size_t{limits.gpus} * limits.gpus : 0),
      m_nSendsTo(limits.gpus, 0),
      m_nReadsFrom(limits.gpus, 0)
{
}

double
PiecePlacement::GetBound(const Candidate& candidate, uint32_t gpu) const
{
    // A GPU computes one task and sends or receives one byte after the other: the iteration takes
    // at least as long as the busiest GPU that this piece concerns
    double bound = std::max(m_computing[gpu], m_messaging[gpu]);
    for (const auto source : candidate.sources)
    {
        bound = std::max(bound, m_messaging[source]);
    }
    return bound;
}

bool
PiecePlacement::Place(double seconds)
{
    const auto& operators = m_pieces.GetGraph().GetOperators();
    Candidate candidate;
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        if (operators[op].pass == Pass::UPDATE)
        {
            continue;
        }
        const auto range = m_pieces.GetPieces(op);
        for (uint32_t piece = range.begin; piece < range.end; ++piece)
        {
            candidate.op = op;
            candidate.index = piece - range.begin;
            // The pieces before have been placed: operators come in topological order
            Inspect(candidate);
            const uint32_t gpu = ChooseGpu(candidate);
            Put(candidate, gpu);
            AddMessages(candidate, gpu);
            // A placement that is slower than the best plan so far is given up
            if (GetBound(candidate, gpu) > seconds)
            {
                return false;
            }
        }
    }
    return true;
}

void
PiecePlacement::Inspect(Candidate& candidate) const
{
    // Often the pieces of an operator all read the same
    const auto& reads = m_pieces.GetReads(candidate.op);
    bool isSame = candidate.index > 0;
    candidate.ranges.resize(reads.size());
    for (std::size_t i = 0; i < reads.size(); ++i)
    {
        const auto range = m_pieces.GetSources(reads[i], candidate.op, candidate.index);
        isSame = isSame && range.begin == candidate.ranges[i].begin &&
                 range.end == candidate.ranges[i].end;
        candidate.ranges[i] = range;
    }
    if (!isSame)
    {
        FindSources(candidate);
    }

    // The share of the activations, and of the state of the parameters, that the piece holds
    candidate.memoryBytes =
        m_pieces.GetShare(candidate.op, m_pieces.GetSavedBytes(candidate.op), candidate.index);
    for (const auto update : m_gradients.GetUpdates(candidate.op))
    {
        candidate.memoryBytes +=
            m_pieces.GetShare(update, m_pieces.GetStateBytes(update), candidate.index);
    }
}

void
PiecePlacement::FindSources(Candidate& candidate) const
{
    // The piece can begin once the last piece that it reads has ended
    candidate.ready = 0;
    candidate.sources.clear();
    for (const auto& range : candidate.ranges)
    {
        for (uint32_t piece = range.begin; piece < range.end; ++piece)
        {
            candidate.ready = std::max(candidate.ready, m_end[piece]);
            if (candidate.sources.empty() || candidate.sources.back() != m_gpu[piece])
            {
                candidate.sources.push_back(m_gpu[piece]);
            }
        }
    }
    // The GPUs that these pieces are on, each once
    auto& sources = candidate.sources;
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    candidate.window = FindWindow(sources);
}

bool
PiecePlacement::HasRoom(const Candidate& candidate, uint32_t gpu) const
{
    return m_memory[gpu] + candidate.memoryBytes <= m_limits.memoryBytes;
}

PiecePlacement::Window
PiecePlacement::FindWindow(const std::vector<uint32_t>& sources) const
{
    const uint32_t gpus = m_limits.gpus;
    if (sources.empty())
    {
        return {0, gpus};
    }
    // The shortest stretch with all sources is the circle without the widest gap between them
    uint32_t first = sources.front();
    uint32_t last = sources.back();
    uint32_t widest = first + gpus - last;
    for (std::size_t i = 1; i < sources.size(); ++i)
    {
        if (sources[i] - sources[i - 1] > widest)
        {
            widest = sources[i] - sources[i - 1];
            first = sources[i];
            last = sources[i - 1];
        }
    }
    if (!m_isLimited)
    {
        return {last, gpus};
    }
    // All sources reach the GPUs that lie within the distance clockwise of the first one, from the
    // last source on
    const uint32_t length = gpus - widest;
    return {last, length <= m_limits.distance ? m_limits.distance - length + 1 : 0};
}

uint32_t
PiecePlacement::ChooseGpu(const Candidate& candidate) const
{
    // As in the paper: the GPU of the window that is free first. The number of peers needs no check
    // as long as all pieces have been placed in their windows
    const Window& window = candidate.window;
    if (window.count > 0)
    {
        const uint32_t gpu = m_free.Find(window.begin, window.count);
        if (HasRoom(candidate, gpu) && !m_hasStrayed)
        {
            return gpu;
        }
    }
    // Otherwise a GPU with room that keeps all GPUs to their peers, in the window if possible
    uint32_t gpu = Search(candidate, window);
    if (gpu == UINT32_MAX)
    {
        gpu = Search(candidate, {window.begin, m_limits.gpus});
    }
    if (gpu == UINT32_MAX)
    {
        throw std::invalid_argument("Degree: no GPU can read all that operator " +
                                    m_pieces.GetGraph().GetOperators()[candidate.op].name +
                                    " needs if each of the " + std::to_string(m_limits.gpus) +
                                    " GPUs of a replica may send to only " +
                                    std::to_string(m_limits.distance) + " of the others");
    }
    return gpu;
}

uint32_t
PiecePlacement::Search(const Candidate& candidate, const Window& window) const
{
    uint32_t best = UINT32_MAX;
    bool bestHasRoom = false;
    for (uint32_t i = 0; i < window.count; ++i)
    {
        const uint32_t gpu = (window.begin + i) % m_limits.gpus;
        const bool hasRoom = HasRoom(candidate, gpu);
        // Room in the memory comes first, then the earliest time
        const bool better =
            best == UINT32_MAX || (hasRoom && !bestHasRoom) ||
            (hasRoom == bestHasRoom && m_free.GetSeconds(gpu) < m_free.GetSeconds(best));
        if (better && KeepsPeers(candidate.sources, gpu))
        {
            best = gpu;
            bestHasRoom = hasRoom;
        }
    }
    return best;
}

bool
PiecePlacement::KeepsPeers(const std::vector<uint32_t>& sources, uint32_t gpu) const
{
    if (!m_isLimited)
    {
        return true;
    }
    // Count the links that the piece would add: at both ends the distance is the limit
    uint32_t nReadsFrom = m_nReadsFrom[gpu];
    for (const auto source : sources)
    {
        if (source != gpu && !m_links[std::size_t{source} * m_limits.gpus + gpu])
        {
            ++nReadsFrom;
            if (m_nSendsTo[source] >= m_limits.distance)
            {
                return false;
            }
        }
    }
    return nReadsFrom <= m_limits.distance;
}

void
PiecePlacement::Put(const Candidate& candidate, uint32_t gpu)
{
    const OperatorGraph& graph = m_pieces.GetGraph();
    const uint32_t piece = m_pieces.GetPieces(candidate.op).begin + candidate.index;
    const double seconds = m_pieces.GetSeconds(candidate.op);
    // Schedule the piece behind the others of its GPU
    m_gpu[piece] = gpu;
    m_end[piece] = std::max(candidate.ready, m_free.GetSeconds(gpu)) + seconds;
    m_free.Set(gpu, m_end[piece]);
    m_memory[gpu] += candidate.memoryBytes;
    m_computing[gpu] += seconds;
    // Its updates run on the same GPU, and the sums of its gradients use the rate of this GPU
    for (const auto update : m_gradients.GetUpdates(candidate.op))
    {
        m_gpu[m_pieces.GetPieces(update).begin + candidate.index] = gpu;
        m_computing[gpu] += m_pieces.GetSeconds(update);
        const uint64_t bytes =
            m_pieces.GetShare(update, m_pieces.GetGradientBytes(update), candidate.index);
        const double replicas = m_limits.replicas;
        if (replicas > 1)
        {
            // Sparse gradients are gathered, which takes half the steps of a sum
            const double times = graph.GetOperators()[update].sparse ? 1 : 2;
            m_messaging[gpu] +=
                times * (replicas - 1) / replicas * static_cast<double>(bytes) / m_limits.rate;
        }
    }
    // Once a piece lies outside its window, windows no longer bound the number of peers
    if (!m_hasStrayed && m_isLimited)
    {
        const uint32_t gpus = m_limits.gpus;
        m_hasStrayed =
            std::any_of(candidate.sources.begin(), candidate.sources.end(), [&](uint32_t source) {
                return (gpu + gpus - source) % gpus > m_limits.distance;
            });
    }
}

void
PiecePlacement::AddMessages(const Candidate& candidate, uint32_t gpu)
{
    const auto& reads = m_pieces.GetReads(candidate.op);
    for (std::size_t i = 0; i < reads.size(); ++i)
    {
        const std::size_t first = m_messages.GetBundles().size();
        m_messages.Add(m_messages.GetRead(reads[i], candidate.op), candidate.ranges[i], gpu, m_gpu);
        std::for_each(m_messages.GetBundles().begin() + static_cast<std::ptrdiff_t>(first),
                      m_messages.GetBundles().end(),
                      [this](const auto& bundle) { CountMessages(bundle); });
    }
}

void
PiecePlacement::CountMessages(const PieceMessages::Bundle& bundle)
{
    const uint32_t destination = bundle.destination;
    for (uint32_t piece = bundle.pieces.begin; piece < bundle.pieces.end; ++piece)
    {
        const uint32_t source = m_gpu[piece];
        // A result that readers pass on is sent once and reaches all of them
        m_messaging[m_limits.mayRelay ? destination : source] +=
            static_cast<double>(m_messages.GetBytes(bundle, piece)) / m_limits.rate;
        if (m_isLimited && !m_links[std::size_t{source} * m_limits.gpus + destination])
        {
            m_links[std::size_t{source} * m_limits.gpus + destination] = true;
            ++m_nSendsTo[source];
            ++m_nReadsFrom[destination];
        }
    }
}

uint64_t
PiecePlacement::GetLeastMemoryBytes() const
{
    const OperatorGraph& graph = m_pieces.GetGraph();
    uint64_t bytes = 0;
    for (uint32_t op = 0; op < graph.GetOperators().size(); ++op)
    {
        bytes += m_pieces.GetSavedBytes(op);
        if (graph.GetOperators()[op].pass == Pass::UPDATE)
        {
            bytes += m_pieces.GetStateBytes(op);
        }
    }
    return (bytes + m_limits.gpus - 1) / m_limits.gpus;
}

uint32_t
PiecePlacement::GetGpu(uint32_t piece) const
{
    return m_gpu[piece];
}

const PieceMessages&
PiecePlacement::GetMessages() const
{
    return m_messages;
}

uint32_t
PiecePlacement::GetNPieces() const
{
    return static_cast<uint32_t>(m_gpu.size());
}

uint64_t
PiecePlacement::GetMemoryBytes() const
{
    return *std::max_element(m_memory.begin(), m_memory.end());
}

std::vector<MemoryUse>
PiecePlacement::GetMemory() const
{
    const OperatorGraph& graph = m_pieces.GetGraph();
    std::vector<MemoryUse> memory(m_memory.size());
    for (uint32_t op = 0; op < graph.GetOperators().size(); ++op)
    {
        if (graph.GetOperators()[op].pass == Pass::UPDATE)
        {
            continue;
        }
        const auto pieces = m_pieces.GetPieces(op);
        for (uint32_t piece = pieces.begin; piece < pieces.end; ++piece)
        {
            const uint32_t index = piece - pieces.begin;
            MemoryUse& use = memory[m_gpu[piece]];
            use.activations += m_pieces.GetShare(op, m_pieces.GetSavedBytes(op), index);
            for (const auto update : m_gradients.GetUpdates(op))
            {
                const uint64_t count = graph.GetOperators()[update].parameters;
                const uint64_t state =
                    m_pieces.GetShare(update, m_pieces.GetStateBytes(update), index);
                // Each share is rounded by itself: keep their sum
                const uint64_t parameters =
                    std::min(m_pieces.GetShare(update, count * graph.parameterBytes, index), state);
                const uint64_t gradients =
                    std::min(m_pieces.GetShare(update, m_pieces.GetGradientBytes(update), index),
                             state - parameters);
                use.parameters += parameters;
                use.gradients += gradients;
                use.optimizer += state - parameters - gradients;
            }
        }
    }
    return memory;
}

} // namespace lightpath
} // namespace ns3
