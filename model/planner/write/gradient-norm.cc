/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gradient-norm.h"

#include "gradient-sync.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

bool
GradientNorm::IsUsed(const StagedModel& model)
{
    const auto& operators = model.GetGraph().GetOperators();
    const auto has = [&operators](auto isWanted) {
        return std::any_of(operators.begin(), operators.end(), isWanted);
    };
    return model.GetProblem().gradientNorm &&
           has([](const Operator& op) { return op.pass == Pass::UPDATE; }) &&
           !has([](const Operator& op) {
               return op.kind == OperatorKind::CONVOLUTION || op.sparse;
           });
}

bool
GradientNorm::HasMessages(const StagedModel& model)
{
    return IsUsed(model) && model.GetStrategy().pipelineParallel > model.GetNCopies() &&
           !model.GetProblem().fabric.turnCircuits;
}

uint32_t
GradientNorm::GetPhase(const StagedModel& model)
{
    // Parts of a replica can hold the same whole experts
    const uint32_t members =
        std::max(model.GetStrategy().GetDataMembers(), model.GetSharing().GetExperts().GetNSame());
    const bool hasSums = members * model.GetNCopies() > 1;
    return HasMessages(model) && hasSums ? 2 : 0;
}

std::vector<uint32_t>
GradientNorm::Write(ProgramWriter& writer,
                    const StagedModel& model,
                    uint32_t stage,
                    std::vector<uint32_t> after)
{
    if (!HasMessages(model))
    {
        return after;
    }
    // The stages with each part once, from the first one on; with DualPipe the other half of the
    // stages has the same parts, summed with these, and does the same from the last stage on
    const Strategy& strategy = model.GetStrategy();
    const uint32_t stages = strategy.pipelineParallel;
    const uint32_t last = stages / model.GetNCopies() - 1;
    const uint32_t place = stage <= last ? stage : stages - 1 - stage;
    const auto add = [&](TaskKind kind, uint32_t peer) {
        Task task;
        task.kind = kind;
        task.pass = Pass::UPDATE;
        task.name = "gradient-norm";
        task.group = PIPELINE_GROUP;
        task.peer = place == stage ? peer : stages - 1 - peer;
        // Behind the numbers of StageMessages
        task.operation = 2 * (model.GetPartition().GetNParts() + 1) * strategy.microbatches;
        task.phase = GetPhase(model);
        task.bytes = GradientSync::NORM_BYTES;
        return writer.AddCommunication(std::move(task), after);
    };
    if (place < last)
    {
        after.push_back(add(TaskKind::RECEIVE, place + 1));
    }
    if (place > 0)
    {
        after = {add(TaskKind::SEND, place - 1)};
        after = {add(TaskKind::RECEIVE, place - 1)};
    }
    if (place < last)
    {
        add(TaskKind::SEND, place + 1);
    }
    return after;
}

} // namespace lightpath
} // namespace ns3
