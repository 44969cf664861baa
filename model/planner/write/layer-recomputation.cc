/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "layer-recomputation.h"

#include <algorithm>
#include <iterator>

namespace ns3
{
namespace lightpath
{

LayerRecomputation::LayerRecomputation(const StagedModel& model)
    : m_model(model),
      m_operators(model.GetGraph().GetOperators())
{
    if (model.GetStrategy().recomputation != Recomputation::NONE)
    {
        m_layers.resize(model.GetGraph().GetNLayers());
        for (uint32_t op = 0; op < m_operators.size(); ++op)
        {
            m_layers[m_operators[op].layer].push_back(op);
        }
    }
}

std::vector<uint32_t>
LayerRecomputation::GetOperators(uint32_t layer) const
{
    std::vector<uint32_t> chosen;
    if (!m_layers.empty())
    {
        std::copy_if(m_layers[layer].begin(),
                     m_layers[layer].end(),
                     std::back_inserter(chosen),
                     [this](uint32_t op) { return m_model.IsRecomputed(m_operators[op]); });
    }
    return chosen;
}

std::vector<uint32_t>
LayerRecomputation::GetGate(uint32_t layer, const TaskTable& results) const
{
    // The gradients that enter the layer, once each
    const ExpertSharing& experts = m_model.GetSharing().GetExperts();
    std::vector<uint32_t> gate;
    for (const auto op : m_layers[layer])
    {
        for (const auto predecessor : m_model.GetGraph().GetPredecessors(op))
        {
            const uint32_t result = results.Find(experts.GetResult(predecessor, op));
            if (m_operators[op].pass == Pass::BACKWARD && m_operators[predecessor].layer != layer &&
                m_operators[predecessor].pass == Pass::BACKWARD && result != TaskTable::NONE)
            {
                gate.push_back(result);
            }
        }
    }
    std::sort(gate.begin(), gate.end());
    gate.erase(std::unique(gate.begin(), gate.end()), gate.end());
    return gate;
}

bool
LayerRecomputation::IsFirst(uint32_t op) const
{
    const auto& predecessors = m_model.GetGraph().GetPredecessors(op);
    return std::none_of(predecessors.begin(), predecessors.end(), [&](uint32_t predecessor) {
        return m_operators[predecessor].pass == Pass::BACKWARD &&
               m_operators[predecessor].layer == m_operators[op].layer;
    });
}

} // namespace lightpath
} // namespace ns3
