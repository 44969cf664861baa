/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expert-exchange.h"

#include "group-options.h"

namespace ns3
{
namespace lightpath
{

ExpertExchange::ExpertExchange(const StagedModel& model)
    : m_model(model)
{
}

Task
ExpertExchange::Make(uint32_t op, Pass pass)
{
    const Strategy& strategy = m_model.GetStrategy();
    const TensorSharing& sharing = m_model.GetSharing();
    const Operator& description = m_model.GetGraph().GetOperators()[op];
    const uint64_t bytes = sharing.GetExperts().GetExchangedBytes(op) * m_model.GetSamples();
    const bool isWhole = sharing.GetLayout(op) == TensorSharing::Layout::WHOLE;
    Task task;
    task.kind = TaskKind::COLLECTIVE;
    task.pass = pass;
    task.name = description.name + ".exchange";
    task.group = EXPERT_GROUP;
    task.operation = m_nExchanges++;
    task.bytes = isWhole ? bytes : sharing.Divide(bytes);
    task.collective = CollectiveKind::ALL_TO_ALL;
    task.options.local = GroupOptions::GetLocal(m_model.GetProblem(),
                                                strategy.tensorParallel,
                                                strategy.expertParallel);
    return task;
}

} // namespace lightpath
} // namespace ns3
