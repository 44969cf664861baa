/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-report.h"

#include "model/collective/algorithm-table.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <string>

using namespace ns3::lightpath;

namespace
{

/// 2^30 bytes.
constexpr double GIB = 1 << 30;

/**
 * @param number a number
 * @param what a noun
 * @return both, the noun in the plural unless the number is 1
 */
std::string
Count(uint64_t number, const std::string& what)
{
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

} // namespace

PlanReport::PlanReport(const TrainingPlan& plan)
    : m_workload(plan.workload),
      m_strategy(plan.strategy),
      m_degree(plan.GetTraffic().GetDegree()),
      m_placement(plan.placement),
      m_phaseCircuits(plan.phaseCircuits),
      m_turnCircuits(plan.turnCircuits),
      m_isExact(plan.cost.isExact && !plan.cost.lacksDecisions),
      m_lacksDecisions(plan.cost.lacksDecisions),
      m_refusal(plan.cost.refusal),
      m_estimatedSeconds(plan.predictedSeconds)
{
    if (plan.gridRows > 0)
    {
        m_network = "grid of " + std::to_string(plan.gridRows) + " x " +
                    std::to_string(plan.gridColumns) + ", ";
    }
    const LinkSplit& split = plan.linkSplit;
    for (const auto& [links, use] : {std::make_pair(split.common, " in rings of all, "),
                                     std::make_pair(split.sums, " in rings of groups, "),
                                     std::make_pair(split.others, " between pairs, ")})
    {
        m_network += links > 0 ? Count(links, "link") + use : "";
    }
    if (!plan.memory.empty())
    {
        m_memory = *std::max_element(
            plan.memory.begin(),
            plan.memory.end(),
            [](const MemoryUse& a, const MemoryUse& b) { return a.GetTotal() < b.GetTotal(); });
    }
    simulatedGpus = plan.programs.size();
}

void
PlanReport::Print(std::ostream& os) const
{
    os << "plan: " << (m_workload.empty() ? m_strategy.Describe() : m_workload)
       << (m_placement.IsLinear() ? "" : ", placed " + m_placement.GetName())
       << (m_phaseCircuits  ? ", circuits for each phase, "
           : m_turnCircuits ? ", circuits for each operation, "
                            : ", ")
       << Count(m_degree, "peer") << " a GPU, ";
    if (m_workload.empty())
    {
        os << std::setprecision(3) << m_memory.GetTotal() / GIB << " GiB a GPU, ";
    }
    if (!rehearsed && !m_refusal.empty())
    {
        os << m_network << "estimated: -, " << m_refusal << "\n";
        return;
    }
    const double seconds = rehearsed.value_or(m_estimatedSeconds);
    os << m_network << (rehearsed ? "predicted " : "estimated ") << std::setprecision(4)
       << seconds * (seconds < 9.9995 ? 1e3 : 1) << (seconds < 9.9995 ? " ms" : " s");
    if ((hasFailures || m_lacksDecisions) && !rehearsed)
    {
        os << " an iteration without "
           << (hasFailures ? "the failures" : "later decisions on circuits")
           << ", which are not estimated\n";
    }
    else
    {
        os << " (" << validation.GetText() << ") an iteration"
           << (rehearsed || m_isExact ? "" : ", extrapolated from its first messages") << "\n";
    }
    const uint32_t stages = m_strategy.pipelineParallel;
    if (m_workload.empty() && stages > 1 && m_strategy.microbatches == 1)
    {
        os << "a pipeline of " << stages << " stages with one microbatch: at most "
           << std::setprecision(2) << 100.0 / stages
           << " % of the GPUs compute at a time; --microbatch splits the batch of a replica\n";
    }
}

void
PlanReport::PrintMemory(std::ostream& os) const
{
    if (!m_workload.empty())
    {
        return;
    }
    os << std::setprecision(3) << "memory: parameters " << m_memory.parameters / GIB
       << " GiB, gradients " << m_memory.gradients / GIB << " GiB, optimiser "
       << m_memory.optimizer / GIB << " GiB, activations " << m_memory.activations / GIB
       << " GiB, workspace " << m_memory.workspace / GIB << " GiB\n";
}

nlohmann::ordered_json
PlanReport::GetDegrees() const
{
    if (!m_workload.empty())
    {
        return {{"workload", m_workload}};
    }
    return {{"dataParallel", m_strategy.dataParallel},
            {"tensorParallel", m_strategy.tensorParallel},
            {"pipelineParallel", m_strategy.pipelineParallel},
            {"contextParallel", m_strategy.contextParallel},
            {"contextGather", m_strategy.contextGather},
            {"expertParallel", m_strategy.expertParallel},
            {"wholeExperts", m_strategy.wholeExperts},
            {"oncePerServer", m_strategy.oncePerServer},
            {"virtualStages", m_strategy.virtualStages},
            {"schedule", PipelineScheduleName::Get(m_strategy.schedule)},
            {"microbatches", m_strategy.microbatches},
            {"recomputation", RecomputationName::Get(m_strategy.recomputation)},
            {"sequenceParallel", m_strategy.sequenceParallel},
            {"zeroStage", m_strategy.zeroStage},
            {"shardGpus", m_strategy.shardGpus},
            {"wholeGradients", m_strategy.wholeGradients},
            {"bucketBytes", m_strategy.bucketBytes},
            {"tensorAlgorithm", CollectiveSchedule::GetName(m_strategy.tensorAlgorithm)},
            {"tensorRings", m_strategy.tensorRings},
            {"dataAlgorithm", CollectiveSchedule::GetName(m_strategy.dataAlgorithm)},
            {"dataRings", m_strategy.dataRings},
            {"cuts", m_strategy.cuts}};
}

nlohmann::ordered_json
PlanReport::GetJson() const
{
    nlohmann::ordered_json json = GetDegrees();
    json["degree"] = m_degree;
    json["phaseCircuits"] = m_phaseCircuits;
    json["turnCircuits"] = m_turnCircuits;
    json["placement"] = m_placement.GetName();
    json["simulatedGpus"] = simulatedGpus;
    if (m_workload.empty())
    {
        json["memoryBytesPerGpu"] = m_memory.GetTotal();
        json["memory"] = {{"parameterBytes", m_memory.parameters},
                          {"gradientBytes", m_memory.gradients},
                          {"optimizerBytes", m_memory.optimizer},
                          {"activationBytes", m_memory.activations},
                          {"workspaceBytes", m_memory.workspace}};
    }
    json["planning"] = {{"wallSeconds", planningSeconds},
                        {"peakMemoryBytes", planningPeakMemoryBytes}};
    json["predictedIterationSeconds"] = rehearsed.value_or(m_estimatedSeconds);
    json["predictedBy"] = rehearsed                   ? "simulation"
                          : m_isExact && !hasFailures ? "price"
                                                      : "estimate";
    if (hasFailures && !rehearsed)
    {
        json["predictedWithoutFailures"] = true;
    }
    if (m_lacksDecisions && !rehearsed)
    {
        json["predictedWithoutDecisions"] = true;
    }
    if (!rehearsed && !m_refusal.empty())
    {
        json["predictedIterationSeconds"] = nullptr;
        json["predictionRefusal"] = m_refusal;
    }
    if (!m_placement.IsLinear())
    {
        json["ports"] = m_placement.GetPorts();
    }
    return json;
}
