/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sip-ml-planner.h"

#include "model/base/lightpath-compatibility.h"
#include "model/planner/build/replica-layout.h"
#include "model/planner/place/plan-placer.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/price/plan-circuits.h"
#include "operator-pieces.h"
#include "piece-placement.h"
#include "replica-writer.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/gradient-map.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(SipMlPlanner);

TypeId
SipMlPlanner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::SipMlPlanner")
            .SetParent<Planner>()
            .SetGroupName("Lightpath")
            .AddConstructor<SipMlPlanner>()
            .AddAttribute("TimeQuantum",
                          "Time that the pieces of an operator take at least, before the time to "
                          "launch them; 0 to split each operator over all GPUs of a replica",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&SipMlPlanner::m_timeQuantum),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("DataParallel",
                          "Number of replicas of the model; 0 to search for the best one",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SipMlPlanner::m_dataParallel),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Divisors",
                          "Whether all common divisors of the GPUs and the global batch are tried "
                          "as numbers of replicas, and not only the powers of two among them",
                          BooleanValue(true),
                          MakeBooleanAccessor(&SipMlPlanner::m_divisors),
                          MakeBooleanChecker())
            .AddAttribute(
                "SplitMode",
                "What the pieces of an operator are a share of: its result, of whose "
                "sources they read what overlaps, all of it for matrix products and "
                "convolutions; its parameters, so that all pieces read all pieces; or "
                "its result, of whose sources all operators read what overlaps alone",
                EnumValue(OperatorPieces::ATTRIBUTE),
                MakeEnumAccessorFor<OperatorPieces::SplitMode>(0, &SipMlPlanner::m_splitMode),
                MakeEnumChecker(OperatorPieces::ATTRIBUTE,
                                "Attribute",
                                OperatorPieces::PARAMETER,
                                "Parameter",
                                OperatorPieces::OVERLAP,
                                "Overlap"))
            .AddAttribute("BucketBytes",
                          "Bytes of gradients that are summed over the replicas together, at "
                          "least; 0 to sum those of each update operator apart",
                          UintegerValue(25 << 20),
                          MakeUintegerAccessor(&SipMlPlanner::m_bucketBytes),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

std::vector<uint32_t>
SipMlPlanner::GetReplicas(const PlanningProblem& problem) const
{
    if (m_dataParallel > 0)
    {
        if (problem.gpus % m_dataParallel != 0 || problem.globalBatch % m_dataParallel != 0)
        {
            throw std::invalid_argument("DataParallel is " + std::to_string(m_dataParallel) +
                                        ", but must divide both the number of GPUs, " +
                                        std::to_string(problem.gpus) + ", and the global batch, " +
                                        std::to_string(problem.globalBatch));
        }
        return {m_dataParallel};
    }
    std::vector<uint32_t> replicas;
    for (uint32_t number = problem.gpus; number > 0; --number)
    {
        const bool isPowerOfTwo = (number & (number - 1)) == 0;
        if (problem.gpus % number == 0 && problem.globalBatch % number == 0 &&
            (m_divisors || isPowerOfTwo))
        {
            replicas.push_back(number);
        }
    }
    return replicas;
}

TrainingPlan
SipMlPlanner::DoPlan(const PlanningProblem& problem) const
{
    const GradientMap gradients(problem.graph);
    Search search;
    for (const auto replicas : GetReplicas(problem))
    {
        Try(problem, gradients, replicas, search);
    }
    if (search.plan.programs.empty())
    {
        if (!search.refusal.empty())
        {
            throw std::invalid_argument(search.refusal +
                                        ": use more replicas or a fabric with a higher degree");
        }
        CheckMemory(search.leastMemory, problem.accelerator);
    }
    return search.plan;
}

void
SipMlPlanner::Try(const PlanningProblem& problem,
                  const GradientMap& gradients,
                  uint32_t replicas,
                  Search& search) const
{
    const bool isFirst = search.plan.programs.empty();
    // Rounding in sums of other orders must not exclude a plan that is as good
    const double bound = isFirst ? std::numeric_limits<double>::infinity()
                                 : search.plan.predictedSeconds * (1 + 1e-9);
    // The GPUs of a replica share the degree with the ring over the replicas
    PiecePlacement::Limits limits;
    limits.gpus = problem.gpus / replicas;
    limits.replicas = replicas;
    limits.memoryBytes = problem.accelerator.memoryBytes;
    limits.rate = problem.fabric.bitRate / 8;
    if (problem.fabric.degree > 0)
    {
        limits.distance = problem.fabric.degree - (replicas > 1 ? 1 : 0);
    }
    const OperatorPieces pieces(problem.graph,
                                gradients,
                                problem.accelerator,
                                problem.globalBatch / replicas,
                                limits.gpus,
                                m_timeQuantum.GetSeconds(),
                                replicas,
                                m_splitMode);
    PiecePlacement placement(pieces, gradients, limits);
    // Memory in total is cheaper to test than the placement
    uint64_t memoryBytes = placement.GetLeastMemoryBytes();
    if (memoryBytes <= limits.memoryBytes)
    {
        try
        {
            if (!placement.Place(bound))
            {
                return;
            }
        }
        catch (const std::invalid_argument& error)
        {
            search.refusal = error.what();
            return;
        }
        memoryBytes = placement.GetMemoryBytes();
    }
    if (memoryBytes > limits.memoryBytes)
    {
        search.leastMemory =
            search.leastMemory > 0 ? std::min(search.leastMemory, memoryBytes) : memoryBytes;
        return;
    }
    // The placement ends within the time of the best plan so far: write the plan and price it
    TrainingPlan plan;
    plan.strategy.dataParallel = replicas;
    plan.strategy.tensorParallel = limits.gpus;
    plan.memoryBytes = memoryBytes;
    const auto memory = placement.GetMemory();
    for (uint32_t replica = 0; replica < replicas; ++replica)
    {
        plan.memory.insert(plan.memory.end(), memory.begin(), memory.end());
    }
    ReplicaLayout::Apply(ReplicaWriter(pieces, gradients, placement, limits, m_bucketBytes).Write(),
                         replicas,
                         plan);
    Offer(problem, std::move(plan), bound, search);
}

void
SipMlPlanner::Offer(const PlanningProblem& problem, TrainingPlan plan, double bound, Search& search)
{
    try
    {
        PlanPlacer(problem).Place(plan);
        PlanCircuits::CheckDegree(plan.GetTraffic(), problem.fabric);
        plan.predictedSeconds = CostModel(problem.fabric).Price(plan, bound).seconds;
        if (search.plan.programs.empty() || plan.predictedSeconds < search.plan.predictedSeconds)
        {
            search.plan = std::move(plan);
        }
    }
    catch (const std::invalid_argument& error)
    {
        search.refusal = error.what();
    }
}

} // namespace lightpath
} // namespace ns3
