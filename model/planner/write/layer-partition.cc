/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "layer-partition.h"

#include "chain-cutter.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param [in,out] list an ascending list
 * @param value the value to put into it, unless it is there
 */
void
InsertSorted(std::vector<uint32_t>& list, uint32_t value)
{
    const auto at = std::lower_bound(list.begin(), list.end(), value);
    if (at == list.end() || *at != value)
    {
        list.insert(at, value);
    }
}

} // namespace

LayerPartition::LayerPartition(const OperatorGraph& graph,
                               uint64_t parts,
                               const std::vector<double>& seconds,
                               const std::vector<uint32_t>& cuts)
    : m_graph(graph)
{
    const uint32_t layers = graph.GetNLayers();
    if (parts > layers)
    {
        throw std::invalid_argument("Divisibility: the " + std::to_string(layers) +
                                    " layers of the model \"" + graph.GetName() +
                                    "\" cannot be cut into " + std::to_string(parts) +
                                    " parts: PipelineParallel times VirtualStages must not exceed "
                                    "the number of layers");
    }
    m_parts.resize(parts);
    if (!cuts.empty())
    {
        CheckCuts(parts, cuts);
        Assign(cuts);
    }
    else if (layers > 2 && (layers - 2) % parts == 0)
    {
        const uint32_t each = (layers - 2) / parts;
        // The first layer joins the first part, and the last layer the last part
        for (uint32_t layer = 0; layer < layers; ++layer)
        {
            m_layers.push_back(std::min(std::max(layer, 1U) - 1, layers - 3) / each);
        }
    }
    else
    {
        // Layers that share parameters with the last one stay with it
        const uint32_t whole = std::max<uint32_t>(GetTiedLayer(graph), parts - 1);
        std::vector<double> units(seconds.begin(), seconds.begin() + whole);
        units.push_back(std::accumulate(seconds.begin() + whole, seconds.end(), 0.0));
        Assign(Balance(parts, units));
    }
    // Sort the operators into their parts, and note what each part reads of its neighbours
    const auto& operators = graph.GetOperators();
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        const uint32_t part = GetPart(op);
        m_parts[part].operators[static_cast<uint32_t>(operators[op].pass)].push_back(op);
        for (const auto from : graph.GetPredecessors(op))
        {
            if (GetPart(from) != part)
            {
                AddCrossing(from, op);
            }
        }
    }
}

uint32_t
LayerPartition::GetTiedLayer(const OperatorGraph& graph)
{
    const auto& operators = graph.GetOperators();
    uint32_t first = graph.GetNLayers() - 1;
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        const uint32_t layer = operators[op].layer;
        for (const auto from : graph.GetPredecessors(op))
        {
            // Nothing but parameters relates gradients without data; those of the first layer may
            // be in another part
            const bool isTied = operators[op].pass == Pass::BACKWARD &&
                                operators[from].pass == Pass::BACKWARD &&
                                operators[from].outputBytes == 0 && operators[from].layer != layer;
            if (isTied && std::min(layer, operators[from].layer) > 0)
            {
                first = std::min({first, layer, operators[from].layer});
            }
        }
    }
    return first;
}

std::vector<uint32_t>
LayerPartition::Balance(uint32_t parts, const std::vector<double>& seconds)
{
    std::vector<double> sums(1, 0);
    for (const auto time : seconds)
    {
        sums.push_back(sums.back() + time);
    }
    // The price of a cut is the time of the slowest part
    const auto slowest = [&](uint32_t first, uint32_t end, double rest) {
        return std::max(sums[end] - sums[first], rest);
    };
    const auto layers = static_cast<uint32_t>(seconds.size());
    return ChainCutter::Cut(layers, parts, slowest).cuts;
}

void
LayerPartition::Assign(const std::vector<uint32_t>& cuts)
{
    uint32_t part = 0;
    for (uint32_t layer = 0; layer < m_graph.GetNLayers(); ++layer)
    {
        part += part < cuts.size() && cuts[part] == layer ? 1 : 0;
        m_layers.push_back(part);
    }
}

void
LayerPartition::CheckCuts(uint32_t parts, const std::vector<uint32_t>& cuts) const
{
    const uint32_t layers = m_graph.GetNLayers();
    std::vector<uint32_t> ends{0};
    ends.insert(ends.end(), cuts.begin(), cuts.end());
    ends.push_back(layers);
    bool fits = ends.size() == parts + std::size_t{1};
    for (std::size_t i = 1; i < ends.size(); ++i)
    {
        // No part may be empty
        fits = fits && ends[i - 1] < ends[i];
    }
    if (!fits)
    {
        std::string list;
        for (const auto cut : cuts)
        {
            list += (list.empty() ? "" : ",") + std::to_string(cut);
        }
        throw std::invalid_argument(
            "Cuts at layers " + list + " do not cut the " + std::to_string(layers) +
            " layers of the model \"" + m_graph.GetName() + "\" into " + std::to_string(parts) +
            " parts: there must be " + std::to_string(parts - 1) +
            " of them (PipelineParallel times VirtualStages, less 1), in ascending order, from "
            "layer 1 to " +
            std::to_string(layers - 1));
    }
}

void
LayerPartition::AddCrossing(uint32_t from, uint32_t to)
{
    const Operator& writer = m_graph.GetOperators()[from];
    const Operator& reader = m_graph.GetOperators()[to];
    const uint32_t source = GetPart(from);
    const uint32_t target = GetPart(to);
    const auto last = static_cast<uint32_t>(m_parts.size() - 1);
    const bool isGradient = writer.pass == Pass::BACKWARD && reader.pass == Pass::BACKWARD;
    // Three kinds of edges may cross parts: gradients of tied parameters, gradients of activations,
    // and activations
    if (isGradient && writer.outputBytes == 0 && source == last && target == 0)
    {
        InsertSorted(m_sharers, from);
        for (const auto update : m_graph.GetSuccessors(to))
        {
            if (m_graph.GetOperators()[update].pass == Pass::UPDATE)
            {
                InsertSorted(m_sharedUpdates, update);
            }
        }
    }
    else if (isGradient && writer.outputBytes > 0 && source == target + 1)
    {
        InsertSorted(m_parts[target].inputs[1], from);
    }
    else if (reader.pass == Pass::FORWARD && writer.pass == Pass::FORWARD && source + 1 == target)
    {
        InsertSorted(m_parts[target].inputs[0], from);
    }
    else if (isGradient && writer.outputBytes == 0)
    {
        throw std::invalid_argument("Operators " + writer.name + " of part " +
                                    std::to_string(source) + " and " + reader.name + " of part " +
                                    std::to_string(target) + " of the model \"" +
                                    m_graph.GetName() +
                                    "\" share parameters: both must be in one part, or in the last "
                                    "and the first: choose other Cuts");
    }
    else
    {
        throw std::invalid_argument(
            "The model \"" + m_graph.GetName() + "\" cannot be cut into " +
            std::to_string(m_parts.size()) + " stages: operator " + reader.name + " of part " +
            std::to_string(target) + " reads operator " + writer.name + " of part " +
            std::to_string(source) +
            ", but only the results of the part before and the gradients of the part behind can "
            "be read: PipelineParallel times VirtualStages must be smaller");
    }
}

uint32_t
LayerPartition::GetNParts() const
{
    return static_cast<uint32_t>(m_parts.size());
}

uint32_t
LayerPartition::GetPart(uint32_t op) const
{
    return m_layers[m_graph.GetOperators()[op].layer];
}

const std::vector<uint32_t>&
LayerPartition::GetOperators(uint32_t part, Pass pass) const
{
    return m_parts.at(part).operators[static_cast<uint32_t>(pass)];
}

const std::vector<uint32_t>&
LayerPartition::GetInputs(uint32_t part, Pass pass) const
{
    return m_parts.at(part).inputs[pass == Pass::FORWARD ? 0 : 1];
}

const std::vector<uint32_t>&
LayerPartition::GetSharers() const
{
    return m_sharers;
}

const std::vector<uint32_t>&
LayerPartition::GetSharedUpdates() const
{
    return m_sharedUpdates;
}

bool
LayerPartition::IsShared(uint32_t from, uint32_t to) const
{
    return GetPart(from) != GetPart(to) &&
           std::binary_search(m_sharers.begin(), m_sharers.end(), from);
}

} // namespace lightpath
} // namespace ns3
