/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parameter-gather.h"

#include <string>

namespace ns3
{
namespace lightpath
{

ParameterGather::ParameterGather(const StagedModel& model, GradientSync& sync)
    : m_state(model),
      m_sync(sync),
      m_nSteps(static_cast<uint32_t>(m_state.GetSteps().size()) * model.GetStrategy().microbatches)
{
}

void
ParameterGather::BeginPass()
{
    m_isBegun = false;
}

void
ParameterGather::Enter(Pass pass, uint32_t layer)
{
    // Nothing to gather, or the layer has been entered
    if (m_state.GetLayerBytes(layer) == 0 || (m_isBegun && m_layer == layer))
    {
        return;
    }
    m_isBegun = true;
    m_layer = layer;
    // The gather of the first step has nothing to overlap with; any other one is written a step
    // ahead, to overlap with the computation before it
    if (m_next == 0)
    {
        Write(pass, m_next, {});
    }
    m_gather = m_ahead;
    // The step before has been computed and frees its parameters: the next gather may follow it
    Write(pass, ++m_next, m_computes);
    m_computes.clear();
}

void
ParameterGather::AddTo(uint32_t layer, std::vector<uint32_t>& after) const
{
    if (m_state.GetLayerBytes(layer) > 0)
    {
        after.push_back(m_gather);
    }
}

void
ParameterGather::Note(uint32_t task)
{
    if (m_computes.empty() || m_computes.back() != task)
    {
        m_computes.push_back(task);
    }
}

void
ParameterGather::Write(Pass pass, uint32_t step, const std::vector<uint32_t>& after)
{
    // Nothing is gathered behind the last step
    if (step < m_nSteps)
    {
        const uint32_t layer = m_state.GetSteps()[step % m_state.GetSteps().size()];
        m_ahead = m_sync.AddGather(pass,
                                   "layer " + std::to_string(layer) + " parameters",
                                   m_state.GetLayerBytes(layer),
                                   after);
    }
}

} // namespace lightpath
} // namespace ns3
