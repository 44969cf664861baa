/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "megatron-planner.h"

#include "model/base/count-noun.h"
#include "model/base/lightpath-compatibility.h"
#include "model/base/named-enum.h"
#include "model/planner/place/plan-placer.h"
#include "model/planner/search/strategy-space.h"
#include "model/planner/write/expert-sharing.h"
#include "model/planner/write/plan-builder.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(MegatronPlanner);

TypeId
MegatronPlanner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::MegatronPlanner")
            .SetParent<Planner>()
            .SetGroupName("Lightpath")
            .AddConstructor<MegatronPlanner>()
            .AddAttribute("ServerGpus",
                          "Number of GPUs that tensor parallelism spreads over at most; 0 for "
                          "those of a server of the fabric, or 8 if it has none",
                          UintegerValue(0),
                          MakeUintegerAccessor(&MegatronPlanner::m_serverGpus),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("VirtualStages",
                          "Most parts of the layers of a stage that are not in a row (interleaved "
                          "schedule); 1 for none",
                          UintegerValue(4),
                          MakeUintegerAccessor(&MegatronPlanner::m_virtualStages),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxMicrobatch",
                          "Most samples that a replica works on together",
                          UintegerValue(16),
                          MakeUintegerAccessor(&MegatronPlanner::m_maxMicrobatch),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("MemoryShare",
                          "Share of the memory that the rule fills with the smallest microbatch, "
                          "if that is possible; it leaves the rest to larger ones",
                          DoubleValue(0.64),
                          MakeDoubleAccessor(&MegatronPlanner::m_memoryShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Recomputation",
                          "Activations that the backward pass recomputes instead of keeping them: "
                          "None, Selective (those that take little time for their size) or Full "
                          "(those of all layers but the first and the last)",
                          StringValue("Full"),
                          MakeEnumAccessorFor<int>(0, &MegatronPlanner::m_recomputation),
                          NamedEnum::MakeChecker(RecomputationName::GetAll()))
            .AddAttribute("BucketBytes",
                          "Size at which a bucket of gradients is complete, in bytes; 0 for that "
                          "of 40 million gradients, or of a million for each replica if that is "
                          "more",
                          UintegerValue(0),
                          MakeUintegerAccessor(&MegatronPlanner::m_bucketBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("SequenceParallel",
                          "Whether the operators that tensor parallelism leaves whole are split by "
                          "token",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MegatronPlanner::m_sequenceParallel),
                          MakeBooleanChecker());
    return tid;
}

uint32_t
MegatronPlanner::GetServerGpus(const PlanningProblem& problem) const
{
    if (m_serverGpus > 0)
    {
        return m_serverGpus;
    }
    return problem.fabric.HasServers() ? problem.fabric.servers.layout.gpus : 8;
}

Strategy
MegatronPlanner::MakeStrategy(const PlanningProblem& problem,
                              uint32_t tensor,
                              uint32_t stages) const
{
    Strategy strategy;
    strategy.tensorParallel = tensor;
    strategy.pipelineParallel = stages;
    strategy.dataParallel = problem.gpus / tensor / stages;
    strategy.microbatches =
        static_cast<uint32_t>(problem.globalBatch / std::max(strategy.dataParallel, 1U));
    strategy.recomputation = static_cast<Recomputation>(m_recomputation);
    strategy.sequenceParallel = m_sequenceParallel && tensor > 1;
    if (const uint32_t experts = ExpertSharing::GetNExperts(problem.graph); experts > 1)
    {
        // As many of the server as can share the experts out, and the optimiser with all replicas
        const uint32_t most = GetServerGpus(problem) / tensor;
        strategy.expertParallel = std::gcd(most, std::gcd(experts, strategy.dataParallel));
        strategy.zeroStage = strategy.dataParallel > 1 ? 1 : 0;
    }
    // Steps of a sum over many replicas carry enough bytes only if buckets grow with their number
    const uint64_t gradients =
        std::max<uint64_t>(40000000, uint64_t{1000000} * strategy.dataParallel);
    strategy.bucketBytes =
        m_bucketBytes > 0 ? m_bucketBytes : gradients * problem.graph.gradientBytes;
    return strategy;
}

uint64_t
MegatronPlanner::GetMemoryBytes(const PlanningProblem& problem,
                                uint32_t tensor,
                                uint32_t stages) const
{
    const Strategy strategy = MakeStrategy(problem, tensor, stages);
    if (problem.gpus / tensor % stages != 0 || problem.globalBatch % strategy.dataParallel != 0)
    {
        return 0;
    }
    try
    {
        return PlanBuilder(problem).GetMostBytes(strategy);
    }
    catch (const std::invalid_argument&)
    {
        return 0;
    }
}

void
MegatronPlanner::Refuse(const PlanningProblem& problem, const Choice& choice) const
{
    const std::string degrees = "tensor parallelism up to the " +
                                std::to_string(GetServerGpus(problem)) + " GPUs of a server";
    if (choice.bytes == 0)
    {
        throw std::invalid_argument(
            "Divisibility: with " + degrees + ", no number of stages and replicas divides " +
            std::to_string(problem.gpus) + " GPUs and a global batch of " +
            std::to_string(problem.globalBatch) +
            " evenly: the nearest global batch that would do is " +
            std::to_string((problem.globalBatch / problem.gpus + 1) * problem.gpus));
    }
    const uint64_t memory = problem.accelerator.memoryBytes;
    throw std::invalid_argument(
        "Memory: with " + degrees + ", the model needs at least " + MemoryUse::ToGib(choice.bytes) +
        " GiB on each GPU, with " + CountNoun(choice.tensor, "GPU") +
        " to a tensor-parallel group and " + CountNoun(choice.stages, "stage") +
        ", and the accelerator " + problem.accelerator.name + " has " + MemoryUse::ToGib(memory) +
        " GiB, " + MemoryUse::ToGib(choice.bytes - memory) + " GiB too little: use " +
        (m_recomputation == static_cast<int>(Recomputation::FULL) ? "more GPUs"
                                                                  : "Recomputation=Full"));
}

Strategy
MegatronPlanner::GetStrategy(const PlanningProblem& problem) const
{
    const auto all = static_cast<double>(problem.accelerator.memoryBytes);
    const auto some = static_cast<uint64_t>(all * m_memoryShare);
    Choice choice;
    // Preferences are given up one after the other: memory to spare, equal stages
    for (const bool isEven : {true, false})
    {
        for (const auto bytes : {some, problem.accelerator.memoryBytes})
        {
            if (Choose(problem, bytes, isEven, choice))
            {
                return MakeStrategy(problem, choice.tensor, choice.stages);
            }
        }
    }
    Refuse(problem, choice);
}

bool
MegatronPlanner::Choose(const PlanningProblem& problem,
                        uint64_t bytes,
                        bool isEven,
                        Choice& choice) const
{
    // Tensor parallelism first: the least that fits in one stage, or the most there is
    const bool hasExperts = ExpertSharing::GetNExperts(problem.graph) > 1;
    uint32_t greatest = 1;
    for (const auto divisor : StrategySpace::GetDivisors(GetServerGpus(problem)))
    {
        const auto tensor = static_cast<uint32_t>(divisor);
        if (problem.gpus % tensor == 0 && StrategySpace(problem).CanSplit(tensor))
        {
            greatest = tensor;
            // Experts are shared out in its place: stages come before more of it
            if (Fits(problem, tensor, 1, bytes, choice) ||
                (hasExperts && FitsStages(problem, tensor, bytes, false, choice)))
            {
                return true;
            }
        }
    }
    return !hasExperts && FitsStages(problem, greatest, bytes, isEven, choice);
}

bool
MegatronPlanner::FitsStages(const PlanningProblem& problem,
                            uint32_t tensor,
                            uint64_t bytes,
                            bool isEven,
                            Choice& choice) const
{
    const uint32_t layers = problem.graph.GetNLayers();
    for (const auto divisor : StrategySpace::GetDivisors(problem.gpus / tensor))
    {
        const auto stages = static_cast<uint32_t>(divisor);
        if (stages > layers)
        {
            break;
        }
        const bool suits = !isEven || (layers > 2 && (layers - 2) % stages == 0);
        if (stages > 1 && suits && Fits(problem, tensor, stages, bytes, choice))
        {
            return true;
        }
    }
    return false;
}

bool
MegatronPlanner::Fits(const PlanningProblem& problem,
                      uint32_t tensor,
                      uint32_t stages,
                      uint64_t bytes,
                      Choice& choice) const
{
    const uint64_t needed = GetMemoryBytes(problem, tensor, stages);
    const bool fits = needed > 0 && needed <= bytes;
    if (fits || (needed > 0 && (choice.bytes == 0 || needed < choice.bytes)))
    {
        choice = {tensor, stages, needed};
    }
    return fits;
}

TrainingPlan
MegatronPlanner::DoPlan(const PlanningProblem& problem) const
{
    const Strategy base = GetStrategy(problem);
    const uint64_t batch = problem.globalBatch / base.dataParallel;
    const uint32_t layers = problem.graph.GetNLayers();
    const PlanBuilder builder(problem);
    const PlanPlacer placer(problem);
    TrainingPlan best;
    double least = std::numeric_limits<double>::infinity();
    std::string refusal;
    for (uint64_t samples = 1; samples <= m_maxMicrobatch && batch % samples == 0; samples *= 2)
    {
        for (uint32_t chunks = 1; chunks <= m_virtualStages; ++chunks)
        {
            // Virtual stages must share out the inner layers and the microbatches evenly
            Strategy strategy = base;
            strategy.microbatches = static_cast<uint32_t>(batch / samples);
            strategy.virtualStages = chunks;
            const uint64_t parts = uint64_t{base.pipelineParallel} * chunks;
            if (chunks > 1 &&
                (base.pipelineParallel == 1 || parts + 2 > layers || (layers - 2) % parts != 0 ||
                 strategy.microbatches % base.pipelineParallel != 0))
            {
                continue;
            }
            try
            {
                TrainingPlan plan = builder.Build(strategy);
                const double seconds = placer.Price(plan, least);
                if (seconds < least)
                {
                    least = seconds;
                    best = std::move(plan);
                }
            }
            catch (const std::invalid_argument& error)
            {
                refusal = error.what();
            }
        }
    }
    if (best.programs.empty())
    {
        throw std::invalid_argument(refusal);
    }
    return best;
}

} // namespace lightpath
} // namespace ns3
