/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "text-parts.h"

#include "model/base/count-noun.h"

#include <map>
#include <tuple>
#include <vector>

namespace ns3
{
namespace lightpath
{

TextParts::TextParts(const TextWorkload& workload)
    : m_workload(workload)
{
    if (workload.pipeline > 1)
    {
        m_parts = uint64_t{workload.microbatches} * workload.virtualStages;
        FindRuns();
    }
}

uint64_t
TextParts::GetNParts() const
{
    return m_parts;
}

uint64_t
TextParts::GetNPieces() const
{
    return m_parts == 0 ? 0 : GetPiece(0).of;
}

std::string
TextParts::Describe() const
{
    return m_runLayers == 0 ? ""
                            : CountNoun(m_workload.microbatches, "microbatch", "es") + " of " +
                                  CountNoun(m_runLayers, "layer") + " as listed";
}

TextParts::Piece
TextParts::GetBefore() const
{
    return {0, m_runBegin};
}

TextParts::Piece
TextParts::GetBehind() const
{
    const auto end = static_cast<uint32_t>(m_workload.layers.size());
    return {m_runLayers > 0 ? m_runBegin + m_workload.microbatches * m_runLayers : end, end};
}

void
TextParts::FindRuns()
{
    const auto pass = [](const TextPass& p) { return std::tie(p.collective, p.group, p.bytes); };
    const auto key = [&pass](const TextLayer& layer) {
        return std::make_tuple(layer.name,
                               pass(layer.forward),
                               pass(layer.inputGradient),
                               pass(layer.weightGradient));
    };
    // Layers that are equal have one number
    std::map<decltype(key(m_workload.layers.front())), uint32_t> numbers;
    std::vector<uint32_t> layers;
    for (const auto& layer : m_workload.layers)
    {
        const auto next = static_cast<uint32_t>(numbers.size());
        layers.push_back(numbers.try_emplace(key(layer), next).first->second);
    }
    const uint64_t others = m_workload.microbatches - 1;
    const auto size = static_cast<uint32_t>(layers.size());
    for (uint32_t length = size / m_workload.microbatches; length > 0 && others > 0; --length)
    {
        // Layers in a row that equal those a run later, as long as there can be enough of them
        uint64_t equal = 0;
        for (uint32_t i = 0; i + length < size && equal + size - length - i >= others * length; ++i)
        {
            equal = layers[i] == layers[i + length] ? equal + 1 : 0;
            if (equal == others * length)
            {
                m_runBegin = i + 1 - static_cast<uint32_t>(equal);
                m_runLayers = length;
                return;
            }
        }
    }
}

TextParts::Piece
TextParts::GetPiece(uint64_t part) const
{
    if (m_runLayers == 0)
    {
        return {0, static_cast<uint32_t>(m_workload.layers.size()), part, m_parts};
    }
    const uint64_t slices = m_workload.virtualStages;
    const uint64_t slice = part % slices;
    const auto begin = static_cast<uint32_t>(m_runBegin + part / slices * m_runLayers);
    if (m_runLayers < slices)
    {
        return {begin, begin + m_runLayers, slice, slices};
    }
    return {static_cast<uint32_t>(begin + slice * m_runLayers / slices),
            static_cast<uint32_t>(begin + (slice + 1) * m_runLayers / slices)};
}

} // namespace lightpath
} // namespace ns3
