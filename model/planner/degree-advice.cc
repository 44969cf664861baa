/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "degree-advice.h"

#include "model/planner/build/plan-builder.h"
#include "model/planner/price/plan-circuits.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

DegreeAdvice::DegreeAdvice(const PlanningProblem& problem)
    : m_problem(problem)
{
}

uint32_t
DegreeAdvice::GetDegree(const TrainingPlan& plan) const
{
    uint32_t degree = 0;
    for (const auto& demand : GetDemands(plan))
    {
        degree = std::max(degree, demand.GetDegree());
    }
    return degree;
}

std::vector<TrafficMatrix>
DegreeAdvice::GetDemands(const TrainingPlan& plan) const
{
    if (plan.phaseCircuits || m_problem.fabric.phaseCircuits)
    {
        return plan.GetPhaseDemands();
    }
    return {plan.GetDemand()};
}

void
DegreeAdvice::Check(const TrainingPlan& plan) const
{
    const uint32_t most = m_problem.fabric.indirectBitRate > 0 ? 0 : m_problem.fabric.degree;
    const uint32_t degree = most > 0 ? GetDegree(plan) : 0;
    if (degree <= most)
    {
        return;
    }
    static const std::vector<std::string> kinds{"tensor parallelism",
                                                "data parallelism",
                                                "the pipeline",
                                                "the parameters of its ends",
                                                "expert parallelism",
                                                "the gradients of experts"};
    std::string needs;
    for (uint32_t kind = 0; kind < plan.groups.size(); ++kind)
    {
        TrainingPlan alone = plan;
        alone.circuitWeights.assign(plan.groups.size(), 0);
        alone.circuitWeights[kind] = 1;
        const uint32_t peers = GetDegree(alone);
        if (peers > 0)
        {
            const std::string name =
                kind < kinds.size() ? kinds[kind] : "groups of kind " + std::to_string(kind);
            needs += (needs.empty() ? "" : ", ") + std::to_string(peers) + " for " + name;
        }
    }
    throw std::invalid_argument("Degree: the plan lets a GPU have " + std::to_string(degree) +
                                " peers (" + needs + "), but the fabric gives it circuits to " +
                                std::to_string(most) + " at most: " + GetEnding(plan.strategy));
}

void
DegreeAdvice::CheckServed(const TrainingPlan& plan) const
{
    for (const auto& demand : GetDemands(plan))
    {
        for (const auto& allocator : m_problem.fabric.allocators)
        {
            try
            {
                PlanCircuits::CheckServed(allocator->Allocate(demand));
            }
            catch (const std::invalid_argument& error)
            {
                throw std::invalid_argument(std::string(error.what()) + ": " +
                                            GetEnding(plan.strategy));
            }
        }
    }
}

std::string
DegreeAdvice::GetEnding(const Strategy& strategy) const
{
    const std::string change = GetChange(strategy);
    return change.empty() ? "no change of the degrees of parallelism that was tried would do"
                          : "it could carry a plan with " + change;
}

std::string
DegreeAdvice::GetChange(const Strategy& strategy) const
{
    for (const auto& change : GetChanges(strategy))
    {
        if (Fits(change.strategy))
        {
            return change.name;
        }
    }
    return "";
}

std::vector<DegreeAdvice::Change>
DegreeAdvice::GetChanges(const Strategy& strategy)
{
    std::vector<Change> changes;
    Strategy rings = strategy;
    std::string name;
    const auto isRing = [](CollectiveAlgorithm algorithm) {
        return algorithm == CollectiveAlgorithm::AUTOMATIC ||
               algorithm == CollectiveAlgorithm::RING;
    };
    if (!isRing(strategy.tensorAlgorithm))
    {
        rings.tensorAlgorithm = CollectiveAlgorithm::RING;
        rings.tensorRings = 1;
        name = "TensorAlgorithm=Ring";
        changes.push_back({name, rings});
    }
    if (!isRing(strategy.dataAlgorithm))
    {
        Strategy data = strategy;
        data.dataAlgorithm = CollectiveAlgorithm::RING;
        data.dataRings = 1;
        changes.push_back({"DataAlgorithm=Ring", data});
        rings.dataAlgorithm = CollectiveAlgorithm::RING;
        rings.dataRings = 1;
        name += (name.empty() ? "" : " and ") + std::string("DataAlgorithm=Ring");
        changes.push_back({name, rings});
    }
    for (uint32_t number = strategy.expertParallel - 1; number > 0; --number)
    {
        if (strategy.expertParallel % number == 0)
        {
            Strategy fewer = rings;
            fewer.expertParallel = number;
            changes.push_back(
                {name + (name.empty() ? "" : " and ") + "ExpertParallel=" + std::to_string(number),
                 fewer});
        }
    }
    AddJoins(strategy, rings, name, changes);
    if (strategy.expertParallel > 1)
    {
        rings.expertParallel = 1;
        AddJoins(strategy, rings, name, changes);
    }
    return changes;
}

void
DegreeAdvice::AddJoins(const Strategy& strategy,
                       const Strategy& base,
                       const std::string& name,
                       std::vector<Change>& changes)
{
    const auto join = [&](Strategy changed, uint32_t Strategy::*from, uint32_t Strategy::*to) {
        // Work goes to a kind of parallelism that is there, or to replicas
        if (changed.*from == 1 || (changed.*to == 1 && to != &Strategy::dataParallel))
        {
            return;
        }
        changed.*to *= changed.*from;
        changed.*from = 1;
        changed.cuts.clear();
        changed.expertParallel = std::gcd(changed.expertParallel, changed.dataParallel);
        changed.sequenceParallel = changed.sequenceParallel && changed.tensorParallel > 1;
        changed.virtualStages = changed.pipelineParallel > 1 ? changed.virtualStages : 1;
        // The samples of a microbatch stay the same, or become those of a replica
        const uint64_t batches = uint64_t{strategy.dataParallel} * strategy.microbatches;
        changed.microbatches = static_cast<uint32_t>(
            batches % changed.dataParallel == 0 ? batches / changed.dataParallel : 1);
        changes.push_back(
            {name + (name.empty() ? "" : ", ") +
                 (changed.expertParallel == strategy.expertParallel
                      ? ""
                      : "ExpertParallel=" + std::to_string(changed.expertParallel) + ", ") +
                 "DataParallel=" + std::to_string(changed.dataParallel) +
                 ", TensorParallel=" + std::to_string(changed.tensorParallel) +
                 " and PipelineParallel=" + std::to_string(changed.pipelineParallel),
             changed});
    };
    join(base, &Strategy::pipelineParallel, &Strategy::dataParallel);
    join(base, &Strategy::tensorParallel, &Strategy::dataParallel);
    join(base, &Strategy::pipelineParallel, &Strategy::tensorParallel);
    join(base, &Strategy::tensorParallel, &Strategy::pipelineParallel);
    join(base, &Strategy::dataParallel, &Strategy::tensorParallel);
    join(base, &Strategy::dataParallel, &Strategy::pipelineParallel);
    Strategy replicas = base;
    replicas.dataParallel *= replicas.pipelineParallel;
    replicas.pipelineParallel = 1;
    join(replicas, &Strategy::tensorParallel, &Strategy::dataParallel);
}

bool
DegreeAdvice::Fits(const Strategy& strategy) const
{
    try
    {
        // The batch of a replica must be whole, which a planner looks at before
        if (m_problem.globalBatch % (uint64_t{strategy.dataParallel} * strategy.microbatches) != 0)
        {
            return false;
        }
        const PlanBuilder builder(m_problem);
        for (const auto& memory : builder.GetMemory(strategy))
        {
            if (memory.GetTotal() > m_problem.accelerator.memoryBytes)
            {
                return false;
            }
        }
        const TrainingPlan plan = builder.Build(strategy);
        if (GetDegree(plan) > m_problem.fabric.degree && m_problem.fabric.degree > 0)
        {
            return false;
        }
        for (const auto& demand : GetDemands(plan))
        {
            for (const auto& allocator : m_problem.fabric.allocators)
            {
                if (!allocator->Allocate(demand).unserved.empty())
                {
                    return false;
                }
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
