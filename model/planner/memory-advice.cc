/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-advice.h"

#include "staged-model.h"

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param bytes a number of bytes
 * @return the number in GiB with two decimals
 */
std::string
ToGib(uint64_t bytes)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(2) << static_cast<double>(bytes) / (1 << 30);
    return text.str();
}

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
    std::string text = "The plan needs " + ToGib(fullest->GetTotal()) + " GiB (parameters " +
                       ToGib(fullest->parameters) + ", gradients " + ToGib(fullest->gradients) +
                       ", optimiser " + ToGib(fullest->optimizer) + ", activations " +
                       ToGib(fullest->activations) + ") on rank " +
                       std::to_string(fullest - memory.begin()) + ", but the accelerator " +
                       accelerator.name + " has " + ToGib(accelerator.memoryBytes) + " GiB, " +
                       ToGib(fullest->GetTotal() - accelerator.memoryBytes) + " GiB too little: ";
    constexpr uint32_t MOST = 3;
    uint32_t found = 0;
    for (const auto& change : GetChanges())
    {
        if (found < MOST && Fits(change.strategy))
        {
            text += (found == 0 ? "it would fit with " : ", or with ") + change.name;
            ++found;
        }
    }
    return text + (found == 0 ? "no change of a single setting would make it fit" : "");
}

std::vector<MemoryAdvice::Change>
MemoryAdvice::GetChanges() const
{
    std::vector<Change> changes;
    const auto add = [&](const std::string& name) -> Strategy& {
        changes.push_back({name, m_strategy});
        return changes.back().strategy;
    };
    if (!m_strategy.sequenceParallel && m_strategy.tensorParallel > 1)
    {
        add("SequenceParallel").sequenceParallel = true;
    }
    if (m_strategy.recomputation == Recomputation::NONE)
    {
        add("Recomputation=Selective").recomputation = Recomputation::SELECTIVE;
    }
    if (m_strategy.zeroStage == 0 && m_strategy.dataParallel > 1)
    {
        add("ZeroStage=1").zeroStage = 1;
    }
    if (m_strategy.recomputation != Recomputation::FULL)
    {
        add("Recomputation=Full").recomputation = Recomputation::FULL;
    }
    const uint64_t batch = m_problem.globalBatch / m_strategy.dataParallel;
    for (uint64_t samples = batch / m_strategy.microbatches; samples-- > 1;)
    {
        if (batch % samples != 0)
        {
            continue;
        }
        Strategy strategy = m_strategy;
        strategy.microbatches = static_cast<uint32_t>(batch / samples);
        if (Fits(strategy))
        {
            add("Microbatch=" + std::to_string(samples)) = strategy;
            break;
        }
    }
    // The other GPUs of the larger replica are taken from other replicas
    for (const bool isTensor : {true, false})
    {
        if (m_strategy.dataParallel % 2 != 0)
        {
            break;
        }
        const uint32_t degree =
            2 * (isTensor ? m_strategy.tensorParallel : m_strategy.pipelineParallel);
        Strategy& strategy =
            add((isTensor ? "TensorParallel=" : "PipelineParallel=") + std::to_string(degree));
        (isTensor ? strategy.tensorParallel : strategy.pipelineParallel) = degree;
        strategy.dataParallel /= 2;
        // The samples of a microbatch stay the same
        strategy.microbatches *= 2;
    }
    return changes;
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
