/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "deferred-gradients.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3
{
namespace lightpath
{

DeferredGradients::DeferredGradients(const OperatorGraph& graph,
                                     const LayerPartition& partition,
                                     const GradientMap& gradients,
                                     PipelineScheduleKind schedule)
    : m_isDeferred(graph.GetOperators().size(), false)
{
    const auto& operators = graph.GetOperators();
    if (schedule == PipelineScheduleKind::ONE_F_ONE_B)
    {
        return;
    }
    // From the last operator to the first one, since the readers of an operator follow it
    for (auto op = static_cast<uint32_t>(operators.size()); op-- > 0;)
    {
        if (operators[op].pass != Pass::BACKWARD || operators[op].outputBytes > 0)
        {
            continue;
        }
        const auto& readers = graph.GetSuccessors(op);
        m_isDeferred[op] = std::all_of(readers.begin(), readers.end(), [&](uint32_t reader) {
            // An update has the last one of its gradients complete it
            const uint32_t waits = operators[reader].pass == Pass::UPDATE
                                       ? gradients.GetSources(reader).back()
                                       : reader;
            return waits == op || m_isDeferred[waits] || partition.IsShared(op, reader);
        });
    }
}

bool
DeferredGradients::IsDeferred(uint32_t op) const
{
    return m_isDeferred[op];
}

uint64_t
DeferredGradients::GetKeptBytes(const OperatorGraph& graph,
                                uint32_t part,
                                const LayerPartition& partition,
                                const TensorSharing& sharing,
                                uint64_t samples) const
{
    const auto& operators = graph.GetOperators();
    std::set<uint32_t> savers;
    std::map<std::vector<uint32_t>, uint64_t> read; // bytes by the results that are read together
    for (const auto op : partition.GetOperators(part, Pass::BACKWARD))
    {
        if (!m_isDeferred[op])
        {
            continue;
        }
        savers.insert(operators[op].forward);
        std::vector<uint32_t> results;
        uint64_t bytes = 0;
        bool isWhole = false;
        for (const auto from : graph.GetPredecessors(op))
        {
            if (operators[from].pass == Pass::BACKWARD && !partition.IsShared(from, op))
            {
                results.push_back(sharing.GetExperts().GetResult(from, op));
                bytes +=
                    sharing.GetBytes(sharing.GetExperts().GetResultBytes(results.back()), samples);
                isWhole = isWhole || sharing.GetLayout(from) == TensorSharing::Layout::WHOLE ||
                          sharing.IsGathered(from, op);
            }
        }
        // Results may have parts that other operators read
        const uint64_t all = sharing.GetBytes(operators[op].inputBytes, samples);
        bytes = all > 0 ? std::min(bytes, all) : bytes;
        read[results] = isWhole ? bytes : sharing.Divide(bytes);
    }
    uint64_t kept = 0;
    for (const auto op : savers)
    {
        kept += sharing.GetSavedBytes(operators[op], samples);
    }
    for (const auto& result : read)
    {
        kept += result.second;
    }
    return kept;
}

} // namespace lightpath
} // namespace ns3
