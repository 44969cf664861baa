/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "strategy-space.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

StrategySpace::StrategySpace(const PlanningProblem& problem)
    : m_problem(problem)
{
}

std::vector<Strategy>
StrategySpace::GetStrategies() const
{
    std::vector<Strategy> strategies;
    for (uint32_t parts = 1; parts <= m_problem.gpus; ++parts)
    {
        for (uint32_t stages = 1;
             m_problem.gpus % parts == 0 &&
             stages <= std::min(m_problem.gpus / parts, m_problem.graph.GetNLayers());
             ++stages)
        {
            const uint32_t replicas = m_problem.gpus / parts / stages;
            if (m_problem.gpus % (parts * stages) == 0 && m_problem.globalBatch % replicas == 0)
            {
                Strategy strategy;
                strategy.dataParallel = replicas;
                strategy.tensorParallel = parts;
                strategy.pipelineParallel = stages;
                AddDegrees(strategy, strategies);
            }
        }
    }
    return strategies;
}

void
StrategySpace::AddDegrees(Strategy strategy, std::vector<Strategy>& strategies) const
{
    const uint64_t batch = m_problem.globalBatch / strategy.dataParallel;
    for (uint32_t number = 1; number <= std::min<uint64_t>(batch, 1024); ++number)
    {
        strategy.microbatches = number;
        for (const auto anew : {Recomputation::NONE, Recomputation::SELECTIVE, Recomputation::FULL})
        {
            strategy.recomputation = anew;
            for (uint32_t bits = 0; batch % number == 0 && bits < 4; ++bits)
            {
                strategy.sequenceParallel = (bits & 1) > 0;
                strategy.zeroStage = bits / 2;
                if ((!strategy.sequenceParallel || strategy.tensorParallel > 1) &&
                    (strategy.zeroStage == 0 || strategy.dataParallel > 1))
                {
                    strategies.push_back(strategy);
                }
            }
        }
    }
}

} // namespace lightpath
} // namespace ns3
