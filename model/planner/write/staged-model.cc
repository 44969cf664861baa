/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "staged-model.h"

#include "model/base/count-noun.h"
#include "sharded-state.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param problem the problem
 * @param strategy the strategy
 * @return the samples of a microbatch, 0 if there is less than one
 */
uint64_t
CountSamples(const PlanningProblem& problem, const Strategy& strategy)
{
    StagedModel::CheckPositive(strategy);
    return problem.globalBatch / (uint64_t{strategy.dataParallel} * strategy.microbatches);
}

} // namespace

StagedModel::StagedModel(const PlanningProblem& problem, const Strategy& strategy)
    : m_problem(problem),
      m_strategy(strategy),
      m_samples(CountSamples(problem, strategy)),
      m_nLayers(problem.graph.GetNLayers()),
      m_gradients(problem.graph),
      m_partition(problem.graph,
                  uint64_t{strategy.pipelineParallel} * strategy.virtualStages,
                  GetLayerSeconds(problem, strategy),
                  strategy.cuts),
      m_deferred(problem.graph, m_partition, m_gradients, strategy.schedule),
      m_sharing(problem.graph, m_partition, strategy, !problem.expertLoad.IsEven())
{
    ExpertSharing::Check(problem.graph, m_partition, strategy);
    if (strategy.oncePerServer && (strategy.expertParallel == 1 || !problem.fabric.HasServers()))
    {
        throw std::invalid_argument("OncePerServer sends a token to each server with experts of it "
                                    "once: it needs servers, and ExpertParallel of 2 or more");
    }
    PipelineSchedule::Check(strategy);
    CheckStrategy();
    CheckTensorParallel();
    CheckContextParallel();
    CheckSparse();
    const auto& operators = problem.graph.GetOperators();
    if (!problem.framework.OverlapsGradients())
    {
        m_strategy.bucketBytes = UINT64_MAX;
    }
    if (problem.framework.HasHost())
    {
        m_waits.resize(operators.size());
        for (uint32_t part = 0; part < m_partition.GetNParts(); ++part)
        {
            FindWaits(m_partition.GetOperators(part, Pass::FORWARD));
            FindWaits(m_partition.GetOperators(part, Pass::BACKWARD));
        }
    }
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        // Each update needs its gradients on its own stage
        for (const auto source : m_gradients.GetSources(op))
        {
            if (m_partition.GetPart(source) != m_partition.GetPart(op))
            {
                throw std::invalid_argument(
                    "The update operator " + operators[op].name + " reads the gradient of " +
                    operators[source].name +
                    ", which belongs to another stage: PipelineParallel must be 1");
            }
        }
    }
}

void
StagedModel::CheckPositive(const Strategy& strategy)
{
    const std::pair<const char*, uint32_t> degrees[] = {
        {"replicas", strategy.dataParallel},
        {"GPUs that share an operator", strategy.tensorParallel},
        {"GPUs that share a sample", strategy.contextParallel},
        {"stages", strategy.pipelineParallel},
        {"parts of a stage", strategy.virtualStages},
        {"microbatches", strategy.microbatches}};
    for (const auto& degree : degrees)
    {
        if (degree.second == 0)
        {
            throw std::invalid_argument("The strategy has 0 " + std::string(degree.first) +
                                        ": there must be 1 at least");
        }
    }
}

std::vector<double>
StagedModel::GetLayerSeconds(const PlanningProblem& problem, const Strategy& strategy)
{
    std::vector<double> seconds(problem.graph.GetNLayers(), 0);
    // The time of a layer does not depend on the cuts: look at the uncut model
    const LayerPartition whole(problem.graph, 1, seconds);
    const TensorSharing sharing(problem.graph, whole, strategy);
    for (const auto& op : problem.graph.GetOperators())
    {
        if (op.pass != Pass::UPDATE)
        {
            seconds[op.layer] +=
                sharing.GetSeconds(op,
                                   problem.accelerator,
                                   static_cast<double>(CountSamples(problem, strategy)));
        }
    }
    return seconds;
}

void
StagedModel::CheckStrategy() const
{
    ShardedState::Check(m_strategy);
    if (m_strategy.sequenceParallel && m_strategy.tensorParallel == 1)
    {
        throw std::invalid_argument("SequenceParallel splits what tensor parallelism leaves whole: "
                                    "TensorParallel must be 2 or more");
    }
    if (m_strategy.contextGather && m_strategy.contextParallel == 1)
    {
        throw std::invalid_argument("ContextGather gathers keys and values that GPUs share out: "
                                    "ContextParallel must be 2 or more");
    }
}

void
StagedModel::CheckTensorParallel() const
{
    const uint32_t gpus = m_strategy.tensorParallel;
    const std::string obstacle = TensorSharing::FindObstacle(GetGraph(), gpus);
    if (!obstacle.empty())
    {
        throw std::invalid_argument("Divisibility: " + obstacle);
    }
    const auto& operators = GetGraph().GetOperators();
    const bool isSplit =
        gpus == 1 || std::any_of(operators.begin(), operators.end(), [](const Operator& op) {
            return op.pass == Pass::FORWARD &&
                   (op.split == TensorSplit::ROW || op.split == TensorSplit::COLUMN);
        });
    if (!isSplit)
    {
        throw std::invalid_argument("No operator of the model \"" + GetGraph().GetName() +
                                    "\" can be split over the " + std::to_string(gpus) +
                                    " GPUs of a replica: TensorParallel must be 1");
    }
}

void
StagedModel::CheckContextParallel() const
{
    const uint32_t gpus = m_strategy.contextParallel;
    const auto& operators = GetGraph().GetOperators();
    if (gpus > 1 && std::none_of(operators.begin(), operators.end(), [](const Operator& op) {
            return op.contextBytes > 0;
        }))
    {
        throw std::invalid_argument("The model \"" + GetGraph().GetName() +
                                    "\" has no operator with keys and values (contextBytes), so "
                                    "that GPUs cannot share the tokens of a sample: "
                                    "ContextParallel must be 1");
    }
    // Images and translations have no number of tokens
    const uint64_t tokens = GetGraph().sampleTokens;
    if (gpus > 1 && tokens % (uint64_t{2} * gpus) != 0)
    {
        throw std::invalid_argument(
            "The " + std::to_string(tokens) + " tokens of a sample cannot be cut into 2 x " +
            std::to_string(gpus) + " equal pieces: ContextParallel must divide half of them");
    }
}

void
StagedModel::CheckSparse() const
{
    const auto& operators = GetGraph().GetOperators();
    const auto& shared = m_partition.GetSharedUpdates();
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        const std::string begin =
            "The gradient of operator " + operators[operators[op].forward].name + " is sparse, ";
        if (operators[op].pass != Pass::UPDATE || !operators[op].sparse)
        {
            continue;
        }
        if (m_strategy.contextParallel > 1)
        {
            throw std::invalid_argument(begin + "so that it cannot be summed over the shares of a "
                                                "sample: ContextParallel must be 1");
        }
        if (m_strategy.zeroStage > 0)
        {
            throw std::invalid_argument(begin + "so that the replicas cannot share out the updates "
                                                "of its parameters: ZeroStage must be 0");
        }
        if (m_sharing.IsGradientPartial(operators[op]))
        {
            throw std::invalid_argument(begin + "so that it cannot be summed over the tokens of a "
                                                "replica: SequenceParallel must be false");
        }
        if (std::binary_search(shared.begin(), shared.end(), op))
        {
            throw std::invalid_argument(begin + "so that the first and the last stage cannot share "
                                                "its parameters: PipelineParallel must be 1");
        }
    }
}

const OperatorGraph&
StagedModel::GetGraph() const
{
    return m_problem.graph;
}

const PlanningProblem&
StagedModel::GetProblem() const
{
    return m_problem;
}

const Strategy&
StagedModel::GetStrategy() const
{
    return m_strategy;
}

bool
StagedModel::HasShards(uint32_t zeroStage) const
{
    const bool isWhole = zeroStage == 2 && m_strategy.wholeGradients;
    return !isWhole && m_strategy.zeroStage >= zeroStage &&
           m_strategy.GetDataMembers() * GetNCopies() > 1;
}

uint64_t
StagedModel::GetSamples() const
{
    return m_samples;
}

const LayerPartition&
StagedModel::GetPartition() const
{
    return m_partition;
}

const DeferredGradients&
StagedModel::GetDeferred() const
{
    return m_deferred;
}

const TensorSharing&
StagedModel::GetSharing() const
{
    return m_sharing;
}

const GradientMap&
StagedModel::GetGradients() const
{
    return m_gradients;
}

uint64_t
StagedModel::GetBytes(uint64_t bytes) const
{
    return m_sharing.GetBytes(bytes, m_samples);
}

uint32_t
StagedModel::GetNChunks() const
{
    return m_strategy.virtualStages * GetNCopies();
}

uint32_t
StagedModel::GetNCopies() const
{
    return m_strategy.GetNCopies();
}

std::vector<uint32_t>
StagedModel::GetOperators(uint32_t part, const StagePass& pass) const
{
    std::vector<uint32_t> operators =
        m_partition.GetOperators(part, pass.backward ? Pass::BACKWARD : Pass::FORWARD);
    if (pass.gradients != PassGradients::ALL)
    {
        const bool isLate = pass.gradients == PassGradients::WEIGHTS;
        operators.erase(
            std::remove_if(operators.begin(),
                           operators.end(),
                           [&](uint32_t op) { return m_deferred.IsDeferred(op) != isLate; }),
            operators.end());
    }
    return operators;
}

uint32_t
StagedModel::GetPart(uint32_t stage, uint32_t chunk) const
{
    const uint32_t stages = m_strategy.pipelineParallel;
    if (GetNCopies() == 1)
    {
        return chunk * stages + stage;
    }
    const uint32_t near = std::min(stage, stages - 1 - stage);
    return chunk == 0 ? near : stages - 1 - near;
}

void
StagedModel::FindWaits(const std::vector<uint32_t>& operators)
{
    double gpu = 0;
    double host = 0;
    uint32_t layer = UINT32_MAX;
    for (const auto index : operators)
    {
        const Operator& op = GetGraph().GetOperators()[index];
        const double seconds = GetSeconds(index);
        if (op.experts > 0 && op.pass == Pass::FORWARD && op.layer != layer)
        {
            layer = op.layer;
            host = std::max(host, gpu);
        }
        if (seconds > 0)
        {
            host += m_problem.framework.GetHostSeconds(op, m_sharing.GetParameterShare(op));
        }
        m_waits[index] = std::max(host - gpu, 0.);
        gpu += m_waits[index] + seconds;
    }
}

double
StagedModel::GetSeconds(uint32_t op) const
{
    const double wait = m_waits.empty() ? 0 : m_waits[op];
    return wait + m_sharing.GetSeconds(GetGraph().GetOperators()[op],
                                       m_problem.accelerator,
                                       static_cast<double>(m_samples));
}

uint32_t
StagedModel::GetNShares(const Operator& op) const
{
    const ExpertSharing& experts = m_sharing.GetExperts();
    if (m_strategy.zeroStage == 0 || m_strategy.shardGpus > 0)
    {
        return std::max(m_strategy.shardGpus, 1U);
    }
    return (experts.GetSharers(op) > 1 ? experts.GetNSame() : m_strategy.GetDataMembers()) *
           GetNCopies();
}

double
StagedModel::GetUpdateSeconds(const Operator& update) const
{
    const double share = 1.0 / GetNShares(update);
    // Each replica applies the rows that all of them have looked up
    const double replicas = update.sparse ? m_strategy.dataParallel : 1;
    return m_problem.accelerator.GetSeconds(update,
                                            static_cast<double>(m_samples) *
                                                m_strategy.microbatches * replicas,
                                            share * m_sharing.GetParameterShare(update));
}

uint64_t
StagedModel::GetGradientBytes(uint32_t update) const
{
    const Operator& description = GetGraph().GetOperators()[update];
    if (!description.sparse)
    {
        return m_sharing.GetParameters(description) * GetGraph().gradientBytes;
    }
    const uint64_t bytes =
        m_gradients.GetSparseBytes(GetGraph(), update) * m_samples * m_strategy.microbatches;
    // Each GPU of a tensor-parallel group has an even share of the rows that are looked up
    const uint32_t sharers = m_sharing.GetExperts().GetSharers(description);
    const bool isSplit = m_sharing.GetParameterShare(description) < 1.0 / sharers;
    return (isSplit ? m_sharing.Divide(bytes) : bytes) * m_strategy.dataParallel / sharers;
}

bool
StagedModel::IsRecomputed(const Operator& op) const
{
    return m_strategy.IsRecomputed(op, m_nLayers);
}

std::pair<uint64_t, uint64_t>
StagedModel::GetInputBytes(uint32_t part) const
{
    uint64_t all = 0;
    uint64_t whole = 0;
    for (const auto op : m_partition.GetInputs(part, Pass::FORWARD))
    {
        const uint64_t bytes = GetBytes(GetGraph().GetOperators()[op].outputBytes);
        // Each GPU receives a share of all results; whole ones are then gathered
        all += bytes;
        whole += m_sharing.GetLayout(op) == TensorSharing::Layout::WHOLE ? bytes : 0;
    }
    return {m_sharing.Divide(all), m_strategy.tensorParallel > 1 ? whole : 0};
}

std::vector<uint32_t>
StagedModel::GetUpdates(uint32_t stage) const
{
    std::vector<uint32_t> updates;
    for (uint32_t chunk = 0; chunk < GetNChunks(); ++chunk)
    {
        const auto& own = m_partition.GetOperators(GetPart(stage, chunk), Pass::UPDATE);
        updates.insert(updates.end(), own.begin(), own.end());
    }
    std::sort(updates.begin(), updates.end());
    // The last stage has copies of the parameters that it shares with the first stage
    if (GetNCopies() == 1 && stage > 0 && stage + 1 == m_strategy.pipelineParallel)
    {
        const auto& shared = m_partition.GetSharedUpdates();
        updates.insert(updates.end(), shared.begin(), shared.end());
    }
    return updates;
}

} // namespace lightpath
} // namespace ns3
