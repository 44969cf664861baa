/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fixed-planner.h"

#include "plan-builder.h"
#include "staged-model.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/lightpath-compatibility.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(FixedPlanner);

TypeId
FixedPlanner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::FixedPlanner")
            .SetParent<Planner>()
            .SetGroupName("Lightpath")
            .AddConstructor<FixedPlanner>()
            .AddAttribute("DataParallel",
                          "Number of replicas of the model; 0 for the number of GPUs over "
                          "TensorParallel times PipelineParallel",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FixedPlanner::m_dataParallel),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("TensorParallel",
                          "Number of GPUs that share each operator of one replica",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FixedPlanner::m_tensorParallel),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("PipelineParallel",
                          "Number of stages that the layers of one replica are cut into",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FixedPlanner::m_pipelineParallel),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("VirtualStages",
                          "Number of parts of the layers that each stage has, which are not in a "
                          "row (interleaved schedule)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FixedPlanner::m_virtualStages),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Microbatch",
                          "Number of samples that a replica works on together; 0 for its whole "
                          "share of the global batch",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FixedPlanner::m_microbatch),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Recomputation",
                          "What the backward pass computes anew instead of keeping it: nothing, "
                          "the operators that take little time for what they keep, or all layers "
                          "but the first and the last one",
                          EnumValue(NONE),
                          MakeEnumAccessorFor<Recompute>(0, &FixedPlanner::m_recomputation),
                          MakeEnumChecker(NONE, "None", SELECTIVE, "Selective", FULL, "Full"))
            .AddAttribute("SequenceParallel",
                          "Whether the operators that tensor parallelism leaves whole are split by "
                          "token",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FixedPlanner::m_sequenceParallel),
                          MakeBooleanChecker())
            .AddAttribute("ExpertParallel",
                          "Number of replicas in a row that share out the experts of each layer",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FixedPlanner::m_expertParallel),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ZeroStage",
                          "1 to share out the optimiser state and the updates over the replicas, "
                          "0 not to",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FixedPlanner::m_zeroStage),
                          MakeUintegerChecker<uint32_t>(0, 1))
            .AddAttribute("BucketBytes",
                          "Bytes of gradients that are summed over the replicas together, at "
                          "least; 0 to sum those of each update operator apart",
                          UintegerValue(25 << 20),
                          MakeUintegerAccessor(&FixedPlanner::m_bucketBytes),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

FixedPlanner::FixedPlanner()
    : m_dataParallel(0),
      m_tensorParallel(1),
      m_pipelineParallel(1),
      m_virtualStages(1),
      m_microbatch(0),
      m_recomputation(NONE),
      m_sequenceParallel(false),
      m_expertParallel(1),
      m_zeroStage(0),
      m_bucketBytes(25 << 20)
{
}

TrainingPlan
FixedPlanner::DoPlan(const PlanningProblem& problem) const
{
    return PlanBuilder(problem).Build(GetStrategy(problem));
}

Strategy
FixedPlanner::GetStrategy(const PlanningProblem& problem) const
{
    const uint64_t parts = uint64_t{m_tensorParallel} * m_pipelineParallel;
    const auto replicas = m_dataParallel > 0
                              ? m_dataParallel
                              : static_cast<uint32_t>(std::max<uint64_t>(problem.gpus / parts, 1));
    if (replicas * parts != problem.gpus)
    {
        const bool isPipeline = m_pipelineParallel > 1;
        throw std::invalid_argument(
            std::to_string(replicas) + " replicas of " + std::to_string(parts) +
            " GPUs each do not make " + std::to_string(problem.gpus) +
            " GPUs: DataParallel times TensorParallel " +
            (isPipeline ? "times PipelineParallel " : "") + "must be the number of GPUs");
    }
    if (problem.globalBatch % replicas != 0)
    {
        throw std::invalid_argument("A global batch of " + std::to_string(problem.globalBatch) +
                                    " cannot be shared out evenly over " +
                                    std::to_string(replicas) +
                                    " replicas: it must be a multiple of DataParallel");
    }
    const uint64_t batch = problem.globalBatch / replicas;
    const uint64_t samples = m_microbatch > 0 ? m_microbatch : batch;
    if (batch % samples != 0)
    {
        throw std::invalid_argument("The " + std::to_string(batch) +
                                    " samples of a replica cannot be cut evenly into microbatches "
                                    "of " +
                                    std::to_string(samples) +
                                    ": they must be a multiple of Microbatch");
    }
    if (batch / samples > StagedModel::MAX_MICROBATCHES)
    {
        throw std::invalid_argument("The " + std::to_string(batch) + " samples of a replica make " +
                                    std::to_string(batch / samples) + " microbatches of " +
                                    std::to_string(samples) + ": there can be " +
                                    std::to_string(StagedModel::MAX_MICROBATCHES) +
                                    " of them, so Microbatch must be larger");
    }
    Strategy strategy;
    strategy.dataParallel = replicas;
    strategy.tensorParallel = m_tensorParallel;
    strategy.pipelineParallel = m_pipelineParallel;
    strategy.virtualStages = m_virtualStages;
    strategy.microbatches = static_cast<uint32_t>(batch / samples);
    strategy.sequenceParallel = m_sequenceParallel;
    strategy.recomputation = static_cast<Recomputation>(m_recomputation);
    strategy.expertParallel = m_expertParallel;
    strategy.zeroStage = m_zeroStage;
    strategy.bucketBytes = m_bucketBytes;
    return strategy;
}

} // namespace lightpath
} // namespace ns3
