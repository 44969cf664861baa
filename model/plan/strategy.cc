/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "strategy.h"

#include "model/base/count-noun.h"
#include "model/collective/algorithm-table.h"

#include <tuple>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param algorithm the algorithm of some collectives
 * @param rings the number of rings, if it has several
 * @param place the place of the collectives
 * @return the algorithm in words, or nothing if it is chosen for each collective
 */
std::string
DescribeAlgorithm(CollectiveAlgorithm algorithm, uint32_t rings, const std::string& place)
{
    const std::string words = AlgorithmTable::Describe(algorithm, rings);
    return words.empty() ? "" : ", " + words + " " + place;
}

/**
 * @param schedule a schedule of pipelines
 * @return the schedule in words, or nothing if it is the usual one
 */
std::string
DescribeSchedule(PipelineScheduleKind schedule)
{
    return schedule == PipelineScheduleKind::ONE_F_ONE_B
               ? ""
               : ", " + PipelineScheduleName::Get(schedule) + " schedule";
}

/**
 * @param strategy a strategy
 * @return the state that its replicas share out, or nothing if there is none
 */
std::string
DescribeShards(const Strategy& strategy)
{
    return strategy.zeroStage == 0
               ? ""
               : ", ZeRO-" + std::to_string(strategy.zeroStage) +
                     (strategy.shardGpus > 0
                          ? " over " + std::to_string(strategy.shardGpus) + " GPUs"
                          : "") +
                     (strategy.wholeGradients ? " with whole gradients" : "");
}

} // namespace

const std::vector<RecomputationName>&
RecomputationName::GetAll()
{
    static const std::vector<RecomputationName> names{{Recomputation::NONE, "none"},
                                                      {Recomputation::SELECTIVE, "selective"},
                                                      {Recomputation::FULL, "full"}};
    return names;
}

const std::string&
RecomputationName::Get(Recomputation recomputation)
{
    return GetAll().at(static_cast<std::size_t>(recomputation)).name;
}

const std::vector<PipelineScheduleName>&
PipelineScheduleName::GetAll()
{
    static const std::vector<PipelineScheduleName> names{
        {PipelineScheduleKind::ONE_F_ONE_B, "1f1b"},
        {PipelineScheduleKind::ZB_H1, "zb-h1"},
        {PipelineScheduleKind::DUALPIPE, "dualpipe"}};
    return names;
}

const std::string&
PipelineScheduleName::Get(PipelineScheduleKind schedule)
{
    return GetAll().at(static_cast<std::size_t>(schedule)).name;
}

std::string
Strategy::GetName() const
{
    std::string name = "dp " + std::to_string(dataParallel) + " x tp " +
                       std::to_string(tensorParallel) + " x pp " + std::to_string(pipelineParallel);
    name += contextParallel > 1 ? " x cp " + std::to_string(contextParallel) : "";
    name += expertParallel > 1 ? " x ep " + std::to_string(expertParallel) : "";
    name += wholeExperts ? " (etp 1)" : "";
    name += oncePerServer ? ", tokens once a server" : "";
    name += virtualStages > 1 ? ", " + std::to_string(virtualStages) + " parts a stage" : "";
    name += DescribeSchedule(schedule);
    name += microbatches > 1 ? ", " + std::to_string(microbatches) + " microbatches" : "";
    name += sequenceParallel ? ", sequence-parallel" : "";
    name += recomputation != Recomputation::NONE
                ? ", " + RecomputationName::Get(recomputation) + " recomputation"
                : "";
    name += DescribeShards(*this);
    return name;
}

std::string
Strategy::Describe() const
{
    std::string text = CountNoun(dataParallel, "replica") + " x " +
                       CountNoun(tensorParallel * pipelineParallel * contextParallel, "GPU");
    text += pipelineParallel > 1 ? ", " + std::to_string(pipelineParallel) + " stages" : "";
    text += virtualStages > 1 ? " of " + std::to_string(virtualStages) + " parts" : "";
    text += DescribeSchedule(schedule);
    text += microbatches > 1 ? ", " + std::to_string(microbatches) + " microbatches" : "";
    text += recomputation != Recomputation::NONE
                ? ", " + RecomputationName::Get(recomputation) + " recomputation"
                : "";
    text += contextParallel > 1
                ? ", tokens over " + std::to_string(contextParallel) + " GPUs (keys and values " +
                      (contextGather ? "gathered" : "in a ring") + ")"
                : "";
    text += expertParallel > 1 ? ", experts over " + std::to_string(expertParallel) +
                                     (wholeExperts || contextParallel > 1 ? " GPUs" : " replicas")
                               : "";
    text += oncePerServer ? ", tokens once to a server" : "";
    text += sequenceParallel ? ", sequence parallelism" : "";
    text += DescribeShards(*this);
    text += DescribeAlgorithm(tensorAlgorithm, tensorRings, "within replicas");
    text += DescribeAlgorithm(dataAlgorithm, dataRings, "over replicas");
    text += DescribeAlgorithm(insideAlgorithm, 1, "inside servers");
    const uint32_t acrossRings = acrossAlgorithm == CollectiveAlgorithm::MULTI_RING ? 2 : 1;
    text += DescribeAlgorithm(acrossAlgorithm, acrossRings, "across servers");
    for (std::size_t i = 0; i < cuts.size(); ++i)
    {
        text += (i == 0                ? ", cut before layer "
                 : i + 1 < cuts.size() ? ", "
                                       : " and ") +
                std::to_string(cuts[i]);
    }
    return text;
}

uint32_t
Strategy::GetDataMembers() const
{
    return dataParallel * contextParallel;
}

uint32_t
Strategy::GetShardMembers() const
{
    return shardGpus > 0 ? shardGpus : GetDataMembers();
}

uint32_t
Strategy::GetNCopies() const
{
    return schedule == PipelineScheduleKind::DUALPIPE ? 2 : 1;
}

uint64_t
Strategy::GetGpus() const
{
    return uint64_t{dataParallel} * contextParallel * tensorParallel * pipelineParallel;
}

bool
Strategy::IsRecomputed(const Operator& op, uint32_t layers) const
{
    // Full recomputation leaves out the first and the last layer
    const bool isInner = op.layer > 0 && op.layer + 1 < layers;
    return op.pass == Pass::FORWARD &&
           ((recomputation == Recomputation::SELECTIVE && op.selective) ||
            (recomputation == Recomputation::FULL && isInner));
}

bool
Strategy::operator==(const Strategy& other) const
{
    const auto key = [](const Strategy& strategy) {
        return std::tie(strategy.dataParallel,
                        strategy.tensorParallel,
                        strategy.pipelineParallel,
                        strategy.virtualStages,
                        strategy.schedule,
                        strategy.microbatches,
                        strategy.sequenceParallel,
                        strategy.recomputation,
                        strategy.contextParallel,
                        strategy.contextGather,
                        strategy.expertParallel,
                        strategy.wholeExperts,
                        strategy.oncePerServer,
                        strategy.zeroStage,
                        strategy.shardGpus,
                        strategy.wholeGradients,
                        strategy.bucketBytes,
                        strategy.tensorAlgorithm,
                        strategy.dataAlgorithm,
                        strategy.insideAlgorithm,
                        strategy.acrossAlgorithm,
                        strategy.tensorRings,
                        strategy.dataRings,
                        strategy.cuts);
    };
    return key(*this) == key(other);
}

} // namespace lightpath
} // namespace ns3
