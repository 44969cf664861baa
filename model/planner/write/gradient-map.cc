/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gradient-map.h"

#include <set>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

GradientMap::GradientMap(const OperatorGraph& graph)
    : m_sources(graph.GetOperators().size()),
      m_updates(graph.GetOperators().size())
{
    const auto& operators = graph.GetOperators();
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        std::set<uint32_t> sources;
        for (const auto predecessor : graph.GetPredecessors(op))
        {
            if (operators[predecessor].pass != Pass::UPDATE)
            {
                sources.insert(predecessor);
                continue;
            }
            if (operators[op].pass != Pass::UPDATE)
            {
                throw std::invalid_argument(
                    "Operator " + operators[op].name + " reads the update operator " +
                    operators[predecessor].name + ": only other update operators may follow one");
            }
            // An update operator passes its sources on
            sources.insert(m_sources[predecessor].begin(), m_sources[predecessor].end());
        }
        if (operators[op].pass != Pass::UPDATE)
        {
            continue;
        }
        if (sources.empty())
        {
            throw std::invalid_argument("The update operator " + operators[op].name +
                                        " reads no gradient: it needs an edge from a backward "
                                        "operator");
        }
        m_sources[op].assign(sources.begin(), sources.end());
        // The last source in topological order completes the gradients
        m_updates[m_sources[op].back()].push_back(op);
    }
}

const std::vector<uint32_t>&
GradientMap::GetSources(uint32_t update) const
{
    return m_sources.at(update);
}

const std::vector<uint32_t>&
GradientMap::GetUpdates(uint32_t op) const
{
    return m_updates.at(op);
}

uint64_t
GradientMap::GetSparseBytes(const OperatorGraph& graph, uint32_t update) const
{
    const auto& operators = graph.GetOperators();
    uint64_t bytes = 0;
    for (const auto source : m_sources.at(update))
    {
        bytes += operators[update].sparse && operators[source].sparse
                     ? operators[source].writtenBytes
                     : 0;
    }
    return bytes;
}

} // namespace lightpath
} // namespace ns3
