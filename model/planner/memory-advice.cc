/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-advice.h"

#include "model/planner/build/expert-sharing.h"
#include "model/planner/build/staged-model.h"
#include "model/planner/build/tensor-sharing.h"
#include "model/planner/search/strategy-space.h"
#include "split-advice.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most ways out that a refusal names.
constexpr std::size_t MOST = 3;

/// The most splits of more GPUs that are looked at.
constexpr uint32_t MOST_SPLITS = 1000;

} // namespace

MemoryAdvice::MemoryAdvice(const PlanningProblem& problem, const Strategy& strategy)
    : m_problem(problem),
      m_strategy(strategy)
{
}

std::string
MemoryAdvice::GetRefusal(const std::vector<MemoryUse>& memory) const
{
    const auto fullest =
        std::max_element(memory.begin(), memory.end(), [](const MemoryUse& a, const MemoryUse& b) {
            return a.GetTotal() < b.GetTotal();
        });
    const Accelerator& accelerator = m_problem.accelerator;
    std::string text = "Memory: the plan needs " + MemoryUse::ToGib(fullest->GetTotal()) +
                       " GiB (parameters " + MemoryUse::ToGib(fullest->parameters) +
                       ", gradients " + MemoryUse::ToGib(fullest->gradients) + ", optimiser " +
                       MemoryUse::ToGib(fullest->optimizer) + ", activations " +
                       MemoryUse::ToGib(fullest->activations) + ") on rank " +
                       std::to_string(fullest - memory.begin()) + ", but the accelerator " +
                       accelerator.name + " has " + MemoryUse::ToGib(accelerator.memoryBytes) +
                       " GiB, " + MemoryUse::ToGib(fullest->GetTotal() - accelerator.memoryBytes) +
                       " GiB too little: ";
    const std::vector<Change> changes = GetChanges();
    std::vector<std::string> fitting;
    std::set<std::string> settings;
    for (const auto& change : changes)
    {
        // More of a setting is needless where less of it is enough
        const std::string setting = change.name.substr(0, change.name.find('='));
        if (fitting.size() < MOST && settings.count(setting) == 0 && Fits(change.apply(m_strategy)))
        {
            fitting.push_back(change.name);
            settings.insert(setting);
        }
    }
    for (std::size_t first = 0; first < changes.size() && fitting.empty(); ++first)
    {
        for (std::size_t second = first + 1; second < changes.size(); ++second)
        {
            if (fitting.size() < MOST &&
                Fits(changes[second].apply(changes[first].apply(m_strategy))))
            {
                fitting.push_back(changes[first].name + " and " + changes[second].name);
            }
        }
    }
    if (fitting.empty())
    {
        const std::string gpus = FindGpus();
        return text + "no change of one or two settings would make it fit, " +
               (gpus.empty() ? "nor would more GPUs" : "but it would on " + gpus);
    }
    for (const auto& change : fitting)
    {
        text += (&change == &fitting.front() ? "it would fit with " : ", or with ") + change;
    }
    return text;
}

std::vector<MemoryAdvice::Change>
MemoryAdvice::GetChanges() const
{
    std::vector<Change> changes;
    const auto add = [&](const std::string& name, std::function<void(Strategy&)> change) {
        changes.push_back({name, [change = std::move(change)](Strategy strategy) {
                               change(strategy);
                               return strategy;
                           }});
    };
    if (!m_strategy.sequenceParallel && m_strategy.tensorParallel > 1)
    {
        add("SequenceParallel", [](Strategy& strategy) { strategy.sequenceParallel = true; });
    }
    if (m_strategy.recomputation == Recomputation::NONE)
    {
        add("Recomputation=Selective",
            [](Strategy& strategy) { strategy.recomputation = Recomputation::SELECTIVE; });
    }
    if (m_strategy.zeroStage == 0 && m_strategy.dataParallel > 1)
    {
        add("ZeroStage=1", [](Strategy& strategy) { strategy.zeroStage = 1; });
    }
    if (m_strategy.zeroStage < 2 && m_strategy.dataParallel > 1)
    {
        add("ZeroStage=2", [](Strategy& strategy) { strategy.zeroStage = 2; });
    }
    if (m_strategy.recomputation != Recomputation::FULL)
    {
        add("Recomputation=Full",
            [](Strategy& strategy) { strategy.recomputation = Recomputation::FULL; });
    }
    if (m_strategy.zeroStage < 3 && m_strategy.dataParallel > 1)
    {
        add("ZeroStage=3", [](Strategy& strategy) { strategy.zeroStage = 3; });
    }
    AddMicrobatch(add);
    AddExperts(add);
    // The other GPUs of the larger replica are taken from other replicas
    uint32_t factor = 2;
    while (factor < m_strategy.dataParallel && m_strategy.dataParallel % factor != 0)
    {
        ++factor;
    }
    if (m_strategy.dataParallel % factor == 0)
    {
        // The samples of a microbatch stay the same
        add("TensorParallel=" + std::to_string(factor * m_strategy.tensorParallel),
            [factor](Strategy& strategy) {
                strategy.tensorParallel *= factor;
                strategy.dataParallel /= factor;
                strategy.microbatches *= factor;
            });
        add("PipelineParallel=" + std::to_string(factor * m_strategy.pipelineParallel),
            [factor](Strategy& strategy) {
                strategy.pipelineParallel *= factor;
                strategy.dataParallel /= factor;
                strategy.microbatches *= factor;
                strategy.cuts.clear();
            });
    }
    return changes;
}

void
MemoryAdvice::AddMicrobatch(
    const std::function<void(const std::string&, std::function<void(Strategy&)>)>& add) const
{
    const uint64_t batch = m_problem.globalBatch / m_strategy.dataParallel;
    uint32_t most = m_strategy.microbatches;
    for (uint32_t number = m_strategy.microbatches + 1;
         number <= std::min<uint64_t>(batch, StagedModel::MAX_MICROBATCHES);
         ++number)
    {
        if (batch % number == 0)
        {
            most = number;
            Strategy strategy = m_strategy;
            strategy.microbatches = number;
            if (Fits(strategy))
            {
                break;
            }
        }
    }
    if (most > m_strategy.microbatches)
    {
        add("Microbatch=" + std::to_string(batch / most),
            [most, before = m_strategy.microbatches](Strategy& strategy) {
                // Another change may have made more of them, in proportion
                strategy.microbatches =
                    static_cast<uint32_t>(uint64_t{strategy.microbatches} * most / before);
            });
    }
}

void
MemoryAdvice::AddExperts(
    const std::function<void(const std::string&, std::function<void(Strategy&)>)>& add) const
{
    const uint32_t most =
        std::gcd(ExpertSharing::GetNExperts(m_problem.graph), m_strategy.dataParallel);
    Strategy strategy = m_strategy;
    for (uint32_t number = m_strategy.expertParallel + 1; number <= most; ++number)
    {
        if (most % number == 0 && number % m_strategy.expertParallel == 0)
        {
            strategy.expertParallel = number;
            if (Fits(strategy))
            {
                break;
            }
        }
    }
    if (ExpertSharing::GetNExperts(m_problem.graph) > 0 &&
        strategy.expertParallel > m_strategy.expertParallel)
    {
        add("ExpertParallel=" + std::to_string(strategy.expertParallel),
            [number = strategy.expertParallel](Strategy& changed) {
                changed.expertParallel = number;
            });
    }
}

std::string
MemoryAdvice::FindGpus() const
{
    uint32_t nSplits = 0;
    const uint64_t fewest = std::max<uint64_t>(GetFewestGpus(), m_problem.gpus);
    for (uint64_t gpus = fewest; gpus < UINT32_MAX && nSplits < MOST_SPLITS; ++gpus)
    {
        const auto number = static_cast<uint32_t>(gpus);
        for (const auto tensor : StrategySpace::GetDivisors(number))
        {
            ++nSplits;
            if (!TensorSharing::FindObstacle(m_problem.graph, static_cast<uint32_t>(tensor))
                     .empty())
            {
                continue;
            }
            for (const auto stages : StrategySpace::GetDivisors(number / tensor))
            {
                const Strategy strategy = MakeSmallest(number,
                                                       static_cast<uint32_t>(tensor),
                                                       static_cast<uint32_t>(stages));
                if (stages > m_problem.graph.GetNLayers() || strategy.microbatches == 0)
                {
                    continue;
                }
                ++nSplits;
                if (Fits(strategy))
                {
                    return std::to_string(gpus) +
                           " GPUs with DataParallel=" + std::to_string(strategy.dataParallel) +
                           ", TensorParallel=" + std::to_string(tensor) +
                           ", PipelineParallel=" + std::to_string(stages) + ", Microbatch=" +
                           std::to_string(m_problem.globalBatch / strategy.dataParallel /
                                          strategy.microbatches) +
                           (strategy.sequenceParallel ? ", SequenceParallel" : "") +
                           (strategy.zeroStage > 0
                                ? ", ZeroStage=" + std::to_string(strategy.zeroStage)
                                : "") +
                           (strategy.expertParallel > 1
                                ? ", ExpertParallel=" + std::to_string(strategy.expertParallel)
                                : "") +
                           " and Recomputation=Full";
                }
            }
        }
    }
    return "";
}

Strategy
MemoryAdvice::MakeSmallest(uint32_t gpus, uint32_t tensor, uint32_t stages) const
{
    Strategy strategy;
    strategy.dataParallel = gpus / tensor / stages;
    strategy.tensorParallel = tensor;
    strategy.pipelineParallel = stages;
    strategy.microbatches = 0;
    if (m_problem.globalBatch % strategy.dataParallel != 0)
    {
        return strategy;
    }
    const uint64_t batch = m_problem.globalBatch / strategy.dataParallel;
    strategy.microbatches = static_cast<uint32_t>(
        SplitAdvice::GetDivisor(batch, StagedModel::MAX_MICROBATCHES, [](uint64_t divisor) {
            return divisor <= StagedModel::MAX_MICROBATCHES;
        }));
    strategy.recomputation = Recomputation::FULL;
    strategy.sequenceParallel = tensor > 1;
    strategy.bucketBytes = m_strategy.bucketBytes;
    if (strategy.dataParallel > 1)
    {
        strategy.zeroStage = stages > 1 ? 1 : 3;
        const uint32_t experts = ExpertSharing::GetNExperts(m_problem.graph);
        strategy.expertParallel = experts > 0 ? std::gcd(experts, strategy.dataParallel) : 1;
    }
    return strategy;
}

uint64_t
MemoryAdvice::GetFewestGpus() const
{
    try
    {
        const MemoryUse memory = StagedModel(m_problem, Strategy()).GetMemory(0);
        const uint64_t bytes = memory.parameters + memory.gradients + memory.optimizer;
        const uint64_t most = std::max<uint64_t>(m_problem.accelerator.memoryBytes, 1);
        return bytes / most + (bytes % most > 0 ? 1 : 0);
    }
    catch (const std::invalid_argument&)
    {
        return 0;
    }
}

bool
MemoryAdvice::Fits(const Strategy& strategy) const
{
    try
    {
        const StagedModel model(m_problem, strategy);
        for (uint32_t stage = 0; stage < strategy.pipelineParallel; ++stage)
        {
            if (model.GetMemory(stage).GetTotal() > m_problem.accelerator.memoryBytes)
            {
                return false;
            }
        }
    }
    catch (const std::invalid_argument&)
    {
        return false;
    }
    return true;
}

} // namespace lightpath
} // namespace ns3
