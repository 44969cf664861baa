/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fixed-planner.h"

#include "model/base/count-noun.h"
#include "model/base/lightpath-compatibility.h"
#include "model/base/named-enum.h"
#include "model/collective/algorithm-table.h"
#include "model/planner/write/plan-builder.h"
#include "model/planner/write/staged-model.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cctype>
#include <sstream>
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
    static const auto choices = AlgorithmTable::GetChoices();
    static const auto algorithm = NamedEnum::MakeChecker(choices);
    static const std::string algorithms = NamedEnum::ListAttributeNames(choices);
    static TypeId tid =
        TypeId("ns3::lightpath::FixedPlanner")
            .SetParent<Planner>()
            .SetGroupName("Lightpath")
            .AddConstructor<FixedPlanner>()
            .AddAttribute("DataParallel",
                          "Number of replicas of the model; 0 for the number of GPUs over "
                          "TensorParallel times PipelineParallel times ContextParallel",
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
            .AddAttribute("Schedule",
                          "Order of the passes of a pipeline: 1f1b (interleaved with "
                          "VirtualStages), ZbH1 (gradients of weights put off) or Dualpipe "
                          "(microbatches from both ends)",
                          StringValue("1f1b"),
                          MakeEnumAccessorFor<int>(0, &FixedPlanner::m_schedule),
                          NamedEnum::MakeChecker(PipelineScheduleName::GetAll()))
            .AddAttribute("Microbatch",
                          "Number of samples that a replica works on together; 0 for its whole "
                          "share of the global batch",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FixedPlanner::m_microbatch),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "Recomputation",
                "Activations that the backward pass recomputes instead of keeping them: "
                "None, Selective (those that take little time for their size) or Full (those "
                "of all layers but the first and the last)",
                StringValue("None"),
                MakeEnumAccessorFor<int>(0, &FixedPlanner::m_recomputation),
                NamedEnum::MakeChecker(RecomputationName::GetAll()))
            .AddAttribute("SequenceParallel",
                          "Whether the operators that tensor parallelism leaves whole are split by "
                          "token",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FixedPlanner::m_sequenceParallel),
                          MakeBooleanChecker())
            .AddAttribute("ContextParallel",
                          "Number of GPUs that share the tokens of each sample, evenly in the "
                          "pairs of tokens that attention relates",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FixedPlanner::m_contextParallel),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ContextGather",
                          "Whether they gather all keys and values before attention, in place of "
                          "passing them around in a ring while attention works",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FixedPlanner::m_contextGather),
                          MakeBooleanChecker())
            .AddAttribute("WholeExperts",
                          "Whether the GPUs of a tensor-parallel group are among those that share "
                          "out experts, each expert whole, in place of splitting each expert",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FixedPlanner::m_wholeExperts),
                          MakeBooleanChecker())
            .AddAttribute("OncePerServer",
                          "Send a token to each server with experts of it once, and copy it there, "
                          "in place of sending a copy for each of its experts.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FixedPlanner::m_oncePerServer),
                          MakeBooleanChecker())
            .AddAttribute("ExpertParallel",
                          "Number of GPUs that share out the experts of each layer: successive "
                          "ones of the same part of the model, or successive ranks with "
                          "WholeExperts",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FixedPlanner::m_expertParallel),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ZeroStage",
                          "What the replicas share out: 1: the optimiser state and the updates; 2: "
                          "the gradients as well; 3: the parameters as well; 0: nothing",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FixedPlanner::m_zeroStage),
                          MakeUintegerChecker<uint32_t>(0, 3))
            .AddAttribute("ShardGpus",
                          "Number of GPUs that share out this state, successive ones of those with "
                          "the same part of the model, as those of a server (HSDP); 0 for all",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FixedPlanner::m_shardGpus),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "WholeGradients",
                "With ZeroStage 3, whether each GPU adds up gradients of all microbatches "
                "whole, to sum them once, in place of once for each microbatch",
                BooleanValue(false),
                MakeBooleanAccessor(&FixedPlanner::m_wholeGradients),
                MakeBooleanChecker())
            .AddAttribute("BucketBytes",
                          "Bytes of gradients that are summed over the replicas together, at "
                          "least; 0 to sum those of each update operator apart",
                          UintegerValue(25 << 20),
                          MakeUintegerAccessor(&FixedPlanner::m_bucketBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "Cuts",
                "First layer of every part of the layers after the first, in ascending order, "
                "separated by commas; empty for an even split",
                StringValue(""),
                MakeStringAccessor(&FixedPlanner::m_cuts),
                MakeStringChecker())
            .AddAttribute("TensorAlgorithm",
                          "Algorithm for the collectives of tensor parallelism: " + algorithms,
                          StringValue("Automatic"),
                          MakeEnumAccessorFor<int>(0, &FixedPlanner::m_tensorAlgorithm),
                          algorithm)
            .AddAttribute("DataAlgorithm",
                          "Algorithm for the collectives of data parallelism: " + algorithms,
                          StringValue("Automatic"),
                          MakeEnumAccessorFor<int>(0, &FixedPlanner::m_dataAlgorithm),
                          algorithm)
            .AddAttribute("TensorRings",
                          "Number of rings of tensor parallelism, if TensorAlgorithm is MultiRing",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FixedPlanner::m_tensorRings),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("DataRings",
                          "Number of rings of data parallelism, if DataAlgorithm is MultiRing",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FixedPlanner::m_dataRings),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

void
FixedPlanner::SetStrategy(const Strategy& strategy)
{
    m_strategy = strategy;
}

TrainingPlan
FixedPlanner::DoPlan(const PlanningProblem& problem) const
{
    return PlanBuilder(problem).Build(m_strategy ? *m_strategy : GetStrategy(problem));
}

Strategy
FixedPlanner::GetStrategy(const PlanningProblem& problem) const
{
    const uint64_t parts = uint64_t{m_tensorParallel} * m_pipelineParallel * m_contextParallel;
    Strategy strategy;
    strategy.dataParallel =
        m_dataParallel > 0 ? m_dataParallel
                           : static_cast<uint32_t>(std::max<uint64_t>(problem.gpus / parts, 1));
    strategy.tensorParallel = m_tensorParallel;
    strategy.pipelineParallel = m_pipelineParallel;
    strategy.contextParallel = m_contextParallel;
    PlanBuilder(problem).CheckDegrees(strategy);
    const uint64_t batch = problem.globalBatch / strategy.dataParallel;
    const uint64_t samples = m_microbatch > 0 ? m_microbatch : batch;
    const uint64_t most = StagedModel::MAX_MICROBATCHES;
    if (batch % samples != 0 || batch / samples > most)
    {
        throw std::invalid_argument(
            "Divisibility: the " + CountNoun(batch, "sample") + " of a replica cannot be cut " +
            (batch % samples != 0
                 ? "evenly into microbatches of " + std::to_string(samples) +
                       ": they must be a multiple of Microbatch"
                 : "into " + std::to_string(batch / samples) + " microbatches of " +
                       std::to_string(samples) + ": there can be " + std::to_string(most) +
                       " of them, so Microbatch must be larger"));
    }
    strategy.virtualStages = m_virtualStages;
    strategy.schedule = static_cast<PipelineScheduleKind>(m_schedule);
    strategy.microbatches = static_cast<uint32_t>(batch / samples);
    strategy.sequenceParallel = m_sequenceParallel;
    strategy.recomputation = static_cast<Recomputation>(m_recomputation);
    strategy.contextGather = m_contextGather;
    strategy.expertParallel = m_expertParallel;
    strategy.wholeExperts = m_wholeExperts;
    strategy.oncePerServer = m_oncePerServer;
    strategy.zeroStage = m_zeroStage;
    strategy.shardGpus = m_shardGpus;
    strategy.wholeGradients = m_wholeGradients;
    strategy.bucketBytes = m_bucketBytes;
    strategy.tensorAlgorithm = static_cast<CollectiveAlgorithm>(m_tensorAlgorithm);
    strategy.dataAlgorithm = static_cast<CollectiveAlgorithm>(m_dataAlgorithm);
    strategy.tensorRings = m_tensorRings;
    strategy.dataRings = m_dataRings;
    strategy.cuts = GetCuts();
    return strategy;
}

std::vector<uint32_t>
FixedPlanner::GetCuts() const
{
    std::vector<uint32_t> cuts;
    if (m_cuts.empty())
    {
        return cuts;
    }
    // The comma at the end lets an empty last number be seen
    std::istringstream list(m_cuts + ",");
    for (std::string number; std::getline(list, number, ',');)
    {
        const bool isNumber = !number.empty() && number.size() < 10 &&
                              std::all_of(number.begin(), number.end(), [](unsigned char digit) {
                                  return std::isdigit(digit) != 0;
                              });
        if (!isNumber)
        {
            throw std::invalid_argument("Cuts is \"" + m_cuts + "\", but \"" + number +
                                        "\" is no layer: it must be numbers of layers with commas "
                                        "between them, as in \"5,10,15\"");
        }
        cuts.push_back(static_cast<uint32_t>(std::stoul(number)));
    }
    return cuts;
}

} // namespace lightpath
} // namespace ns3
