/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "split-advice.h"

#include "model/planner/build/staged-model.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

std::string
SplitAdvice::Count(uint64_t number, const std::string& noun)
{
    return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

uint64_t
SplitAdvice::GetDivisor(uint64_t number, uint64_t wanted, const std::function<bool(uint64_t)>& fits)
{
    uint64_t best = 0;
    const auto getDistance = [&](uint64_t divisor) {
        return divisor > wanted ? divisor - wanted : wanted - divisor;
    };
    const auto offer = [&](uint64_t divisor) {
        const bool isNearer = best == 0 || getDistance(divisor) < getDistance(best) ||
                              (getDistance(divisor) == getDistance(best) && divisor < best);
        if (isNearer && (!fits || fits(divisor)))
        {
            best = divisor;
        }
    };
    for (uint64_t divisor = 1; divisor <= number / divisor; ++divisor)
    {
        if (number % divisor == 0)
        {
            offer(divisor);
            offer(number / divisor);
        }
    }
    return best;
}

uint64_t
SplitAdvice::GetMultiple(uint64_t unit, uint64_t wanted)
{
    const uint64_t times = wanted / unit;
    const uint64_t rest = wanted % unit;
    return std::max<uint64_t>(rest > unit - rest ? times + 1 : times, 1) * unit;
}

std::string
SplitAdvice::GetGpus(const PlanningProblem& problem, uint64_t parts)
{
    if (problem.gpus % parts == 0)
    {
        return "DataParallel=" + std::to_string(problem.gpus / parts);
    }
    return std::to_string(GetMultiple(parts, problem.gpus)) +
           " GPUs, or TensorParallel times PipelineParallel = " +
           std::to_string(GetDivisor(problem.gpus, parts));
}

std::string
SplitAdvice::GetBatch(const PlanningProblem& problem, uint64_t replicas)
{
    const uint64_t divisor = GetDivisor(problem.globalBatch, replicas);
    return "a global batch of " + std::to_string(GetMultiple(replicas, problem.globalBatch)) +
           ", or DataParallel=" + std::to_string(divisor) +
           (divisor * (problem.gpus / replicas) == problem.gpus
                ? ""
                : " on " + Count(divisor * (problem.gpus / replicas), "GPU"));
}

std::string
SplitAdvice::GetVirtualStages(uint64_t batch, const Strategy& strategy)
{
    const uint64_t microbatches = GetDivisor(batch, strategy.microbatches, [&](uint64_t divisor) {
        return divisor % strategy.pipelineParallel == 0 && divisor <= StagedModel::MAX_MICROBATCHES;
    });
    return microbatches > 0 ? "Microbatch=" + std::to_string(batch / microbatches)
                            : "VirtualStages=1";
}

std::string
SplitAdvice::GetParts(const PlanningProblem& problem, const Strategy& strategy)
{
    const uint32_t layers = problem.graph.GetNLayers();
    const uint32_t most = layers / strategy.pipelineParallel;
    if (most > 0)
    {
        return "VirtualStages=" + std::to_string(most);
    }
    // The other GPUs make replicas
    const uint64_t all = uint64_t{strategy.pipelineParallel} * strategy.dataParallel;
    const uint64_t stages = GetDivisor(all, strategy.pipelineParallel, [&](uint64_t divisor) {
        return divisor <= layers && problem.globalBatch % (all / divisor) == 0;
    });
    const std::string single = strategy.virtualStages > 1 ? " with VirtualStages=1" : "";
    return stages == 0 ? "PipelineParallel=" + std::to_string(layers) + single + " on " +
                             std::to_string(uint64_t{layers} * strategy.dataParallel *
                                            strategy.tensorParallel) +
                             " GPUs"
                       : "PipelineParallel=" + std::to_string(stages) +
                             " and DataParallel=" + std::to_string(all / stages) + single;
}

} // namespace lightpath
} // namespace ns3
