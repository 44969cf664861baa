/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "search-advice.h"

#include "plan-builder.h"
#include "plan-choice.h"
#include "strategy-space.h"

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most strategies whose memory is looked at.
constexpr std::size_t MOST_STRATEGIES = 2000;

/// The most times that GPUs are doubled or the batch is halved.
constexpr uint32_t MOST_DOUBLINGS = 6;

/**
 * @param bytes a number of bytes
 * @return the number in GiB with two decimals
 */
std::string
ToGib(uint64_t bytes)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(2) << static_cast<double>(bytes) / (1 << 30) << " GiB";
    return text.str();
}

} // namespace

SearchAdvice::SearchAdvice(const PlanningProblem& problem)
    : m_problem(problem)
{
}

std::string
SearchAdvice::GetRefusal(const std::string& fabricRefusal, uint32_t degree) const
{
    if (!fabricRefusal.empty())
    {
        return "No strategy suits the degree of the fabric; the nearest one is " + fabricRefusal +
               (degree == UINT32_MAX
                    ? "; more circuits of each GPU would do"
                    : "; circuits to " + std::to_string(degree) + " peers would do");
    }
    const Least least =
        FindLeast(m_problem.gpus, m_problem.globalBatch, m_problem.accelerator.memoryBytes);
    if (least.bytes == UINT64_MAX)
    {
        return GetDivision();
    }
    if (least.bytes > m_problem.accelerator.memoryBytes)
    {
        return GetMemory(least);
    }
    return "No strategy gives a plan of the model \"" + m_problem.graph.GetName() + "\" on " +
           std::to_string(m_problem.gpus) + " GPUs, though " + PlanChoice::GetName(least.strategy) +
           " would fit into memory: the search must have a larger budget";
}

SearchAdvice::Least
SearchAdvice::FindLeast(uint32_t gpus, uint64_t batch, uint64_t enough) const
{
    PlanningProblem problem = m_problem;
    problem.gpus = gpus;
    problem.globalBatch = batch;
    // All strategies count, also those that are known not to fit
    problem.accelerator.memoryBytes = UINT64_MAX / 2;
    Least least;
    auto strategies = StrategySpace(problem).GetStrategies();
    // Those that share out and compute anew most come first
    std::stable_sort(strategies.begin(), strategies.end(), [](const auto& a, const auto& b) {
        return std::make_pair(a.recomputation, a.zeroStage) >
               std::make_pair(b.recomputation, b.zeroStage);
    });
    strategies.resize(std::min(strategies.size(), MOST_STRATEGIES));
    const PlanBuilder builder(problem);
    for (const auto& strategy : strategies)
    {
        try
        {
            uint64_t most = 0;
            for (const auto& memory : builder.GetMemory(strategy))
            {
                most = std::max(most, memory.GetTotal());
            }
            if (most < least.bytes)
            {
                least = {most, strategy};
            }
        }
        catch (const std::invalid_argument&)
        {
            continue;
        }
        if (least.bytes <= enough)
        {
            break;
        }
    }
    return least;
}

std::string
SearchAdvice::GetDivision() const
{
    const std::string text = "No strategy divides evenly what the model \"" +
                             m_problem.graph.GetName() + "\" computes with a global batch of " +
                             std::to_string(m_problem.globalBatch) + " over " +
                             std::to_string(m_problem.gpus) + " GPUs: ";
    const uint64_t gpus = m_problem.gpus;
    const uint64_t batch = (m_problem.globalBatch + gpus - 1) / gpus * gpus;
    if (FindLeast(m_problem.gpus, batch, UINT64_MAX - 1).bytes != UINT64_MAX)
    {
        return text + "a global batch of " + std::to_string(batch) + " would do";
    }
    for (uint32_t fewer = m_problem.gpus - 1; fewer > 0; --fewer)
    {
        if (FindLeast(fewer, m_problem.globalBatch, UINT64_MAX - 1).bytes != UINT64_MAX)
        {
            return text + std::to_string(fewer) + " GPUs would do";
        }
    }
    return text + "not even 1 GPU would do";
}

std::string
SearchAdvice::GetMemory(const Least& least) const
{
    const uint64_t memoryBytes = m_problem.accelerator.memoryBytes;
    std::string text = "No strategy fits into the memory of " + std::to_string(m_problem.gpus) +
                       " GPUs: the one that needs least, " + PlanChoice::GetName(least.strategy) +
                       ", needs " + ToGib(least.bytes) +
                       " on the fullest GPU, but the accelerator " + m_problem.accelerator.name +
                       " has " + ToGib(memoryBytes) + "; what would fit is GPUs with " +
                       ToGib(least.bytes) + " each";
    uint64_t batch = m_problem.globalBatch;
    for (uint32_t i = 0; i < MOST_DOUBLINGS && batch % 2 == 0; ++i)
    {
        batch /= 2;
        if (FindLeast(m_problem.gpus, batch, memoryBytes).bytes <= memoryBytes)
        {
            text += ", a global batch of " + std::to_string(batch);
            break;
        }
    }
    uint64_t gpus = m_problem.gpus;
    for (uint32_t i = 0; i < MOST_DOUBLINGS && 2 * gpus < UINT32_MAX; ++i)
    {
        gpus *= 2;
        const auto fit = FindLeast(static_cast<uint32_t>(gpus), m_problem.globalBatch, memoryBytes);
        if (fit.bytes <= memoryBytes)
        {
            return text + ", or " + std::to_string(gpus) + " GPUs";
        }
    }
    return text;
}

} // namespace lightpath
} // namespace ns3
