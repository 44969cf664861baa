/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "strategy-bound.h"

#include "staged-model.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

StrategyBound::StrategyBound(const PlanningProblem& problem)
    : m_problem(problem)
{
}

double
StrategyBound::GetSeconds(const Strategy& strategy) const
{
    // The stages compute the forward and backward passes of all microbatches, on average this long
    Strategy whole = strategy;
    whole.pipelineParallel = 1;
    whole.virtualStages = 1;
    whole.cuts.clear();
    const StagedModel model(m_problem, whole);
    double seconds = 0;
    for (const auto& op : m_problem.graph.GetOperators())
    {
        if (op.pass != Pass::UPDATE)
        {
            seconds += model.GetSeconds(op) * (model.IsRecomputed(op) ? 2 : 1);
        }
    }
    return seconds * strategy.microbatches / strategy.pipelineParallel * (1 - 1e-9);
}

double
StrategyBound::GetAllSeconds() const
{
    double seconds = 0;
    for (const auto& op : m_problem.graph.GetOperators())
    {
        const bool isProduct = op.multiplyAdds > 0;
        const double peak = isProduct ? std::max(m_problem.accelerator.matrixFlops,
                                                 m_problem.accelerator.singleMatrixFlops)
                                      : m_problem.accelerator.vectorFlops;
        if (op.pass != Pass::UPDATE && !m_problem.accelerator.profile && peak > 0)
        {
            seconds += static_cast<double>(op.flops) / (2 * peak);
        }
    }
    return seconds * static_cast<double>(m_problem.globalBatch) / m_problem.gpus;
}

} // namespace lightpath
} // namespace ns3
