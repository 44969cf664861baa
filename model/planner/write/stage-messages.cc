/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stage-messages.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

StageMessages::StageMessages(const StagedModel& model, uint32_t stage)
    : m_model(model),
      m_stage(stage)
{
}

uint32_t
StageMessages::GetPart(const StagePass& pass) const
{
    return m_model.GetPart(m_stage, pass.chunk);
}

const std::vector<uint32_t>&
StageMessages::GetReceived(const StagePass& pass) const
{
    // Gradients that have been put off read what an earlier pass has received
    return pass.gradients == PassGradients::WEIGHTS
               ? m_none
               : m_model.GetPartition().GetInputs(GetPart(pass),
                                                  pass.backward ? Pass::BACKWARD : Pass::FORWARD);
}

const std::vector<uint32_t>&
StageMessages::GetSent(const StagePass& pass) const
{
    const LayerPartition& partition = m_model.GetPartition();
    const uint32_t part = GetPart(pass);
    // The first part passes no gradients on, the last part no activations
    const bool isEnd = pass.backward ? part == 0 : part + 1 == partition.GetNParts();
    if (isEnd || pass.gradients == PassGradients::WEIGHTS)
    {
        return m_none;
    }
    return pass.backward ? partition.GetInputs(part - 1, Pass::BACKWARD)
                         : partition.GetInputs(part + 1, Pass::FORWARD);
}

uint32_t
StageMessages::FindSendAfter(const StagePass& pass) const
{
    uint32_t last = UINT32_MAX;
    for (const auto op : GetSent(pass))
    {
        // A result that is summed together with others is complete after the last one of them
        const auto& summed = m_model.GetSharing().GetSummed(op);
        const uint32_t end = summed.empty() ? op : summed.back();
        last = last == UINT32_MAX ? end : std::max(last, end);
    }
    return last;
}

uint32_t
StageMessages::GetBoundary(TaskKind kind, const StagePass& pass) const
{
    // Gradients go from a part to the one before, activations to the one behind
    const bool isBefore = (kind == TaskKind::SEND) == pass.backward;
    return isBefore ? GetPart(pass) : GetPart(pass) + 1;
}

uint64_t
StageMessages::GetGatheredBytes(const StagePass& pass) const
{
    return m_model.GetInputBytes(GetBoundary(TaskKind::RECEIVE, pass)).second;
}

Task
StageMessages::Make(TaskKind kind, const StagePass& pass) const
{
    const uint32_t boundary = GetBoundary(kind, pass);
    const uint32_t stages = m_model.GetStrategy().pipelineParallel;
    const uint32_t part = GetPart(pass);
    const uint32_t position = (boundary == part ? part - 1 : part + 1) % stages;
    Task task;
    task.kind = kind;
    task.pass = pass.backward ? Pass::BACKWARD : Pass::FORWARD;
    task.name = pass.backward ? "activation-gradients" : "activations";
    task.group = PIPELINE_GROUP;
    // Stages with the parts of DualPipe are neighbours in either order
    task.peer = part % stages == m_stage ? position : stages - 1 - position;
    // Both ends derive the same number from boundary, direction and microbatch
    task.operation = (2 * boundary + (pass.backward ? 1 : 0)) * m_model.GetStrategy().microbatches +
                     pass.microbatch;
    task.bytes = m_model.GetInputBytes(boundary).first;
    return task;
}

} // namespace lightpath
} // namespace ns3
