/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-report.h"

#include <algorithm>
#include <iomanip>

using namespace ns3::lightpath;

namespace
{

/// 2^30 bytes.
constexpr double GIB = 1 << 30;

} // namespace

PlanReport::PlanReport(const TrainingPlan& plan)
    : m_strategy(plan.strategy),
      m_degree(plan.GetTraffic().GetDegree()),
      m_predictedSeconds(plan.predictedSeconds)
{
    m_memory = *std::max_element(
        plan.memory.begin(),
        plan.memory.end(),
        [](const MemoryUse& a, const MemoryUse& b) { return a.GetTotal() < b.GetTotal(); });
    simulatedGpus = plan.programs.size();
}

std::string
PlanReport::Describe() const
{
    const Strategy& strategy = m_strategy;
    std::string text;
    if (strategy.pipelineParallel > 1)
    {
        text += ", " + std::to_string(strategy.pipelineParallel) + " stages";
    }
    if (strategy.virtualStages > 1)
    {
        text += " of " + std::to_string(strategy.virtualStages) + " parts";
    }
    if (strategy.microbatches > 1)
    {
        text += ", " + std::to_string(strategy.microbatches) + " microbatches";
    }
    if (strategy.recomputation != Recomputation::NONE)
    {
        text += strategy.recomputation == Recomputation::FULL ? ", full recomputation"
                                                              : ", selective recomputation";
    }
    if (strategy.expertParallel > 1)
    {
        text += ", experts over " + std::to_string(strategy.expertParallel) + " replicas";
    }
    text += strategy.sequenceParallel ? ", sequence parallelism" : "";
    return text + (strategy.zeroStage > 0 ? ", shared optimiser" : "");
}

void
PlanReport::Print(std::ostream& os) const
{
    os << "plan: " << m_strategy.dataParallel << " replicas x "
       << m_strategy.tensorParallel * m_strategy.pipelineParallel << " GPUs" << Describe() << ", "
       << m_degree << " peers a GPU, " << std::setprecision(3) << m_memory.GetTotal() / GIB
       << " GiB a GPU, predicted " << std::setprecision(4) << m_predictedSeconds * 1e3
       << " ms an iteration\n";
}

void
PlanReport::PrintMemory(std::ostream& os) const
{
    os << std::setprecision(3) << "memory: parameters " << m_memory.parameters / GIB
       << " GiB, gradients " << m_memory.gradients / GIB << " GiB, optimiser "
       << m_memory.optimizer / GIB << " GiB, activations " << m_memory.activations / GIB
       << " GiB\n";
}

nlohmann::ordered_json
PlanReport::GetJson() const
{
    return {{"dataParallel", m_strategy.dataParallel},
            {"tensorParallel", m_strategy.tensorParallel},
            {"pipelineParallel", m_strategy.pipelineParallel},
            {"expertParallel", m_strategy.expertParallel},
            {"degree", m_degree},
            {"simulatedGpus", simulatedGpus},
            {"memoryBytesPerGpu", m_memory.GetTotal()},
            {"memory",
             {{"parameterBytes", m_memory.parameters},
              {"gradientBytes", m_memory.gradients},
              {"optimizerBytes", m_memory.optimizer},
              {"activationBytes", m_memory.activations}}},
            {"planning",
             {{"wallSeconds", planningSeconds}, {"peakMemoryBytes", planningPeakMemoryBytes}}},
            {"predictedIterationSeconds", m_predictedSeconds}};
}
