/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sip-ml-planner.h"

#include "model/base/count-noun.h"
#include "model/base/lightpath-compatibility.h"
#include "model/base/named-enum.h"
#include "model/collective/algorithm-table.h"
#include "model/planner/place/plan-placer.h"
#include "model/planner/price/plan-circuits.h"
#include "model/planner/write/replica-layout.h"
#include "operator-pieces.h"
#include "piece-placement.h"
#include "replica-writer.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/gradient-map.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <numeric>
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
    static const std::vector<AlgorithmTable::Row> routes{
        AlgorithmTable::GetRow(CollectiveAlgorithm::AUTOMATIC),
        AlgorithmTable::GetRow(CollectiveAlgorithm::DIRECT),
        AlgorithmTable::GetRow(CollectiveAlgorithm::LINE),
        AlgorithmTable::GetRow(CollectiveAlgorithm::MULTI_RING)};
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
            .AddAttribute("Route",
                          "Way of the results of pieces to the other GPUs of a replica: Direct, "
                          "Line, MultiRing, or Automatic: direct or, on a ring, the way with the "
                          "shortest predicted iteration",
                          StringValue("Automatic"),
                          MakeEnumAccessorFor<int>(0, &SipMlPlanner::m_route),
                          NamedEnum::MakeChecker(routes))
            .AddAttribute("SumGradients",
                          "Whether the replicas sum their gradients by all-reduces; otherwise each "
                          "sends them to the next replica once, as the released simulator does, "
                          "which leaves the sums incomplete",
                          BooleanValue(true),
                          MakeBooleanAccessor(&SipMlPlanner::m_sumGradients),
                          MakeBooleanChecker())
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

void
SipMlPlanner::CheckReplicas(const PlanningProblem& problem, uint64_t bytes) const
{
    const uint64_t most = std::gcd(uint64_t{problem.gpus}, problem.globalBatch);
    if (m_dataParallel == 0 && most < problem.gpus && bytes > problem.accelerator.memoryBytes)
    {
        throw std::invalid_argument(
            "Divisibility: a global batch of " + std::to_string(problem.globalBatch) +
            " cannot be shared out evenly over " + CountNoun(problem.gpus, "GPU") + ", but over " +
            CountNoun(most, "replica") + " at most, whose GPUs would each have to hold " +
            MemoryUse::ToGib(bytes) + " GiB, and the accelerator " + problem.accelerator.name +
            " has " + MemoryUse::ToGib(problem.accelerator.memoryBytes) +
            " GiB: use a global batch that is a multiple of " + std::to_string(problem.gpus));
    }
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
    // Without a plan, refuse with the cause: the degree or the memory
    if (search.plan.programs.empty())
    {
        if (!search.refusal.empty())
        {
            throw std::invalid_argument(search.refusal +
                                        ": use more replicas or a fabric with a higher degree");
        }
        CheckReplicas(problem, search.leastMemory);
        CheckMemory(search.leastMemory,
                    problem.accelerator,
                    ", or the planner search, which also shards optimiser states and recomputes "
                    "activations");
    }
    if (!search.refused.empty())
    {
        PlanAlternative own;
        own.name = "sip-ml: " + search.plan.strategy.Describe();
        own.strategy = search.plan.strategy;
        own.seconds = search.plan.predictedSeconds;
        search.plan.alternatives.push_back(own);
        search.plan.alternatives.insert(search.plan.alternatives.end(),
                                        search.refused.begin(),
                                        search.refused.end());
    }
    return search.plan;
}

void
SipMlPlanner::Try(const PlanningProblem& problem,
                  const GradientMap& gradients,
                  uint32_t replicas,
                  Search& search) const
{
    // The GPUs of a replica share the degree with the ring over the replicas
    PiecePlacement::Limits limits;
    limits.gpus = problem.gpus / replicas;
    limits.replicas = replicas;
    limits.memoryBytes = problem.accelerator.memoryBytes;
    limits.rate = problem.fabric.bitRate / 8;
    const auto routes = GetRoutes(problem, limits.gpus);
    limits.mayRelay = routes.back() != CollectiveAlgorithm::DIRECT;
    if (limits.gpus == 1 && !problem.fabric.HasServers())
    {
        limits.averagedRatio = problem.fabric.averagedBits / 8 / problem.graph.gradientBytes;
    }
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
    if (!Place(placement, limits.memoryBytes, search))
    {
        return;
    }
    // The placement ends within the time of the best plan so far: write the plans and price them
    TrainingPlan plan;
    plan.strategy.dataParallel = replicas;
    plan.strategy.tensorParallel = limits.gpus;
    plan.memoryBytes = placement.GetMemoryBytes();
    plan.protocols = problem.protocols;
    const auto memory = placement.GetMemory();
    for (uint32_t replica = 0; replica < replicas; ++replica)
    {
        plan.memory.insert(plan.memory.end(), memory.begin(), memory.end());
    }
    for (const auto route :
         placement.GetMessages().GetCount() == 0 ? Routes{CollectiveAlgorithm::DIRECT} : routes)
    {
        plan.strategy.tensorAlgorithm =
            route == CollectiveAlgorithm::DIRECT ? CollectiveAlgorithm::AUTOMATIC : route;
        plan.strategy.tensorRings = route == CollectiveAlgorithm::MULTI_RING ? 2 : 1;
        ReplicaWriter writer(pieces,
                             gradients,
                             placement,
                             limits,
                             m_bucketBytes,
                             route,
                             m_sumGradients ? CollectiveKind::ALL_REDUCE
                                            : CollectiveKind::SEND_RECV);
        ReplicaLayout::Apply(writer.Write(), replicas, plan);
        Offer(problem, plan, search);
    }
}

bool
SipMlPlanner::Place(PiecePlacement& placement, uint64_t most, Search& search)
{
    // The total memory is cheaper to check than the placement
    uint64_t memoryBytes = placement.GetLeastMemoryBytes();
    if (memoryBytes <= most)
    {
        try
        {
            if (!placement.Place(GetBound(search)))
            {
                return false;
            }
        }
        catch (const std::invalid_argument& error)
        {
            search.refusal = error.what();
            return false;
        }
        memoryBytes = placement.GetMemoryBytes();
    }
    if (memoryBytes > most)
    {
        // Remember the plan that comes closest to fitting, for the error message
        search.leastMemory =
            search.leastMemory > 0 ? std::min(search.leastMemory, memoryBytes) : memoryBytes;
        return false;
    }
    return true;
}

SipMlPlanner::Routes
SipMlPlanner::GetRoutes(const PlanningProblem& problem, uint32_t gpus) const
{
    using A = CollectiveAlgorithm;
    const auto route = static_cast<A>(m_route);
    if (gpus < 3 || (route == A::AUTOMATIC && !problem.fabric.isRing))
    {
        // Off a ring, results that go further take no more of the fabric
        return {A::DIRECT};
    }
    return route == A::AUTOMATIC ? Routes{A::DIRECT, A::LINE, A::MULTI_RING} : Routes{route};
}

double
SipMlPlanner::GetBound(const Search& search)
{
    // Rounding in another order of summation must not exclude a plan that is as good
    return search.plan.programs.empty() ? std::numeric_limits<double>::infinity()
                                        : search.plan.predictedSeconds * (1 + 1e-9);
}

void
SipMlPlanner::Offer(const PlanningProblem& problem, TrainingPlan plan, Search& search)
{
    try
    {
        CheckAveraged(plan, problem.fabric);
        PlanCircuits::CheckDegree(plan.GetTraffic(), problem.fabric);
        plan.predictedSeconds = std::numeric_limits<double>::infinity();
        try
        {
            plan.predictedSeconds = PlanPlacer(problem).Price(plan, GetBound(search));
        }
        catch (const PricingError&)
        {
            // Any plan with a price is better
        }
        if (search.plan.programs.empty() || plan.predictedSeconds < search.plan.predictedSeconds)
        {
            search.plan = std::move(plan);
        }
    }
    catch (const std::invalid_argument& error)
    {
        search.refusal = error.what();
        PlanAlternative refused;
        refused.name = "sip-ml: " + plan.strategy.Describe();
        refused.strategy = plan.strategy;
        refused.refusal = search.refusal;
        search.refused.push_back(refused);
    }
}

} // namespace lightpath
} // namespace ns3
