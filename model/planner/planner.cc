/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "planner.h"

#include "model/plan/plan-progress.h"
#include "model/planner/place/link-chooser.h"
#include "model/planner/place/plan-placer.h"
#include "model/planner/place/server-collectives.h"
#include "model/planner/place/turn-collectives.h"
#include "model/planner/price/circuit-weights.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/price/plan-circuits.h"
#include "model/planner/search/ring-directions.h"
#include "model/planner/write/expert-sharing.h"
#include "model/planner/write/plan-builder.h"
#include "network-alternation.h"
#include "planning-deadline.h"

#include "ns3/fatal-error.h"
#include "ns3/object-factory.h"

#include <algorithm>
#include <exception>
#include <map>
#include <stdexcept>
#include <unordered_set>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(Planner);

namespace
{

/// The planners of the module: name, and name of the TypeId.
const std::map<std::string, std::string> TYPES{
    {"fixed", "ns3::lightpath::FixedPlanner"},
    {"megatron", "ns3::lightpath::MegatronPlanner"},
    {"search", "ns3::lightpath::SearchPlanner"},
    {"sip-ml", "ns3::lightpath::SipMlPlanner"},
};

/// Share of the time after which no placement is looked for.
constexpr double PLACING_SHARE = 0.9;

/// Share of an iteration that more peers must gain.
constexpr double LEAST_GAIN = 1e-3;

/// Settings with which a GPU has fewer peers, by GroupKind.
const std::string REMEDIES[N_GROUP_KINDS]{"use TensorAlgorithm=Ring",
                                          "use DataAlgorithm=Ring",
                                          "use PipelineParallel=2 at most",
                                          "use PipelineParallel=1",
                                          "use a smaller ExpertParallel",
                                          "use a larger ExpertParallel",
                                          "use ContextParallel=2 at most",
                                          "use a larger ShardGpus"};

} // namespace

TypeId
Planner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::Planner").SetParent<Object>().SetGroupName("Lightpath");
    return tid;
}

std::vector<std::string>
Planner::GetNames()
{
    std::vector<std::string> names;
    for (const auto& [name, type] : TYPES)
    {
        names.push_back(name);
    }
    return names;
}

TypeId
Planner::FindType(const std::string& name)
{
    const auto found = TYPES.find(name);
    TypeId type;
    const bool isKnown =
        TypeId::LookupByNameFailSafe(found == TYPES.end() ? name : found->second, &type);
    return isKnown && type.IsChildOf(GetTypeId()) ? type : GetTypeId();
}

Ptr<Planner>
Planner::Create(const std::string& name)
{
    const TypeId type = FindType(name);
    if (!type.HasConstructor())
    {
        std::string known;
        for (const auto& other : GetNames())
        {
            known += (known.empty() ? "" : ", ") + other;
        }
        NS_FATAL_ERROR("There is no planner '" << name << "': the known ones are " << known);
    }
    ObjectFactory factory;
    factory.SetTypeId(type);
    return factory.Create<Planner>();
}

TrainingPlan
Planner::Plan(const PlanningProblem& problem) const
{
    std::string reason;
    try
    {
        return TryPlan(problem);
    }
    catch (const std::invalid_argument& error)
    {
        // Outside of this block no exception is left to be reported
        reason = error.what();
    }
    const bool isUnserved = !problem.fabric.allocators.empty() && reason.rfind("Degree", 0) == 0;
    NS_FATAL_ERROR(reason << (isUnserved ? " (if its controller serves the pairs in turn, call "
                                           "FabricLimits::ServeInTurn())"
                                         : ""));
    return {}; // never reached: NS_FATAL_ERROR() ends the program
}

TrainingPlan
Planner::TryPlan(const PlanningProblem& problem) const
{
    // Of the time, most is for the plan, and some for its placement; its price comes last
    PlanningProblem timed = problem;
    PlanningDeadline::Shared toPrice = problem.fabric.deadline;
    PlanningDeadline::Shared toPlace = toPrice;
    if (const double seconds = GetTimeBudget().GetSeconds(); seconds > 0)
    {
        toPrice = std::make_shared<PlanningDeadline>(seconds, toPrice);
        toPlace = std::make_shared<PlanningDeadline>(PLACING_SHARE * seconds, toPrice);
        timed.fabric.deadline =
            std::make_shared<PlanningDeadline>(PlanningDeadline::SHARE * seconds, toPlace);
    }
    if (problem.fabric.linksFor)
    {
        // The choice of a network may take the time for placements
        const PlanningDeadline::Shared toPlan = std::exchange(timed.fabric.deadline, toPlace);
        return NetworkAlternation(timed,
                                  [this, &toPlan](PlanningProblem fixed) {
                                      fixed.fabric.deadline = toPlan;
                                      return TryPlan(fixed);
                                  })
            .Run();
    }
    // Checks that need no plan come first
    CheckProblem(problem);
    CheckFabric(problem.fabric, problem.gpus);
    PlanPlacer{problem}; // refuses a placement that is none
    TrainingPlan plan = DoPlan(timed);
    if (plan.expertLoad.IsEven() && !problem.expertLoad.IsEven())
    {
        throw std::invalid_argument("This planner gives all experts equally many tokens: an uneven "
                                    "load of experts needs the planner fixed, megatron or search");
    }
    if (problem.expertLoad.capacity > 0)
    {
        // Bounds count all tokens, also those that experts drop
        plan.lowerBoundSeconds = 0;
    }
    timed.fabric.deadline = toPlace;
    FabricLimits priced = problem.fabric;
    priced.deadline = toPrice;
    const auto others = DoesChooseRings()
                            ? RingDirections::GetBothWays(problem.fabric, plan.strategy)
                            : std::vector<Strategy>();
    std::vector<TrainingPlan> plans{std::move(plan)};
    for (const auto& strategy : others)
    {
        plans.push_back(PlanBuilder(timed).Build(strategy));
        plans.back().lowerBoundSeconds = plans.front().lowerBoundSeconds;
    }
    return FinishFastest(timed, priced, std::move(plans));
}

TrainingPlan
Planner::FinishFastest(const PlanningProblem& problem,
                       const FabricLimits& fabric,
                       std::vector<TrainingPlan> plans) const
{
    TrainingPlan* best = nullptr;
    std::exception_ptr refusal;
    for (auto& plan : plans)
    {
        try
        {
            Finish(problem, plan);
            Price(fabric, plan, problem.isQuick);
            if (DoesShareCircuits())
            {
                CircuitWeights::Choose(problem.fabric, plan);
                NotePrice(plan);
            }
            const bool isPriced = plan.cost.refusal.empty();
            if (!best || (isPriced && (!best->cost.refusal.empty() ||
                                       plan.cost.seconds < best->cost.seconds * (1 - LEAST_GAIN))))
            {
                best = &plan;
            }
        }
        catch (const std::invalid_argument&)
        {
            refusal = refusal ? refusal : std::current_exception();
        }
        catch (const PlanningTimeout&)
        {
            // Without the time for the others, the best one so far is taken, or what a search has
            // found of its plan
            if (!best && plan.predictedSeconds > 0)
            {
                plan.cost = PlanCost();
                plan.cost.seconds = plan.predictedSeconds;
                plan.cost.groups.resize(plan.groups.size());
                NotePrice(plan);
                best = &plan;
            }
            if (!best)
            {
                throw;
            }
            break;
        }
    }
    if (!best)
    {
        std::rethrow_exception(refusal);
    }
    return std::move(*best);
}

TrainingPlan
Planner::Adopt(TrainingPlan plan, const PlanningProblem& problem)
{
    if (problem.fabric.linksFor)
    {
        PlanningProblem fixed = problem;
        fixed.fabric.linksFor = nullptr;
        Finish(fixed, plan);
        LinkChooser::Choose(problem.fabric, plan);
    }
    else
    {
        Finish(problem, plan);
    }
    // The price comes last: it takes longest
    Price(problem.fabric, plan);
    return plan;
}

void
Planner::Finish(const PlanningProblem& problem, TrainingPlan& plan)
{
    CheckFabric(problem.fabric, static_cast<uint32_t>(plan.programs.size()));
    const PlanPlacer placer(problem);
    plan.Check();
    plan.phaseCircuits = plan.phaseCircuits || problem.fabric.phaseCircuits;
    // A plan that asks for it may come from a file, and be for another fabric
    plan.turnCircuits =
        (plan.turnCircuits && problem.fabric.canTurn) || problem.fabric.turnCircuits;
    placer.PlaceChosen(plan);
    plan.placement.Check(plan.programs.size());
    CheckAveraged(plan, problem.fabric);
    CheckPeers(plan, problem.fabric);
    CheckMemory(plan.memoryBytes, problem.accelerator);
    if (problem.fabric.pathRefusal)
    {
        problem.fabric.CheckPaths(plan.GetTraffic());
    }
}

void
Planner::Price(const FabricLimits& fabric, TrainingPlan& plan, bool isQuick)
{
    try
    {
        if (fabric.turns)
        {
            fabric.turns->Refine(fabric, plan);
        }
        const CostModel model(fabric, CostModel::MANY_FOLLOWED);
        plan.cost = isQuick ? model.Estimate(plan) : model.Price(plan);
    }
    catch (const PricingError& error)
    {
        PlanProgress(plan).Check();
        plan.cost = PlanCost();
        plan.cost.refusal = error.what();
    }
    NotePrice(plan);
}

void
Planner::NotePrice(TrainingPlan& plan)
{
    plan.predictedSeconds = plan.cost.seconds;
    if (!plan.alternatives.empty())
    {
        // The first one is this plan, which has been placed since
        plan.alternatives.front().seconds = plan.cost.seconds;
    }
}

void
Planner::CheckPeers(const TrainingPlan& plan, const FabricLimits& fabric)
{
    if (fabric.degree == 0 || fabric.indirectBitRate > 0 || plan.turnCircuits)
    {
        return;
    }
    const auto getDegree = [&fabric](const TrainingPlan& some) {
        std::vector<TrafficMatrix> demands;
        if (some.phaseCircuits)
        {
            demands = some.GetPhaseDemands();
        }
        else
        {
            demands.push_back(some.GetDemand());
        }
        uint32_t degree = 0;
        for (const auto& demand : demands)
        {
            for (const auto& ofPorts : fabric.GetPortTraffic(demand))
            {
                degree = std::max(degree, ofPorts.GetDegree());
            }
        }
        return degree;
    };
    const uint32_t degree = getDegree(plan);
    if (degree <= fabric.degree)
    {
        return;
    }
    // The peers of each kind of group follow from the demand of this kind alone
    std::string needs;
    uint32_t most = 0;
    uint32_t worst = 0;
    TrainingPlan alone = plan;
    for (uint32_t kind = 0; kind < plan.groups.size(); ++kind)
    {
        alone.circuitWeights.assign(plan.groups.size(), 0);
        alone.circuitWeights[kind] = 1;
        const uint32_t peers = getDegree(alone);
        if (peers > 0)
        {
            needs += (needs.empty() ? "" : ", ") + std::to_string(peers) + " " +
                     RankGroups::GetKindName(kind);
            worst = peers > most ? kind : worst;
            most = std::max(most, peers);
        }
    }
    throw std::invalid_argument(
        "Degree: the plan lets a " + std::string(fabric.HasServers() ? "card" : "GPU") + " have " +
        std::to_string(degree) + " peers (" + needs + "), but the fabric gives it circuits to " +
        std::to_string(fabric.degree) + " at most: " +
        (most > 1 && worst < N_GROUP_KINDS ? REMEDIES[worst]
                                           : "combine fewer kinds of parallelism") +
        (fabric.canTurn ? ", or let circuits serve them in turn (Trigger Operation)" : ""));
}

void
Planner::CheckTraffic(const TrafficMatrix& traffic, const FabricLimits& fabric)
{
    fabric.CheckPaths(traffic);
    if (fabric.indirectBitRate > 0 && fabric.relayFrameBytes == 0)
    {
        return;
    }
    for (const auto& ofPorts : fabric.GetPortTraffic(traffic))
    {
        if (fabric.relayFrameBytes == 0)
        {
            PlanCircuits::CheckDegree(ofPorts, fabric);
        }
        for (const auto& allocator : fabric.allocators)
        {
            PlanCircuits::CheckServed(allocator->Allocate(ofPorts), fabric);
        }
    }
}

void
Planner::CheckAveraged(const TrainingPlan& plan, const FabricLimits& fabric)
{
    if (!(fabric.averagedBits > 0))
    {
        return;
    }
    if (fabric.HasServers())
    {
        ServerCollectives::CheckAveraged(fabric, plan);
        return;
    }
    std::unordered_set<const RankProgram*> seen;
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        if (!seen.insert(plan.programs[rank].get()).second)
        {
            continue;
        }
        for (const auto& task : plan.programs[rank]->GetTasks())
        {
            const bool isAveraged =
                task.kind == TaskKind::COLLECTIVE &&
                task.options.algorithm == CollectiveAlgorithm::IN_NETWORK &&
                plan.groups[task.group].GetMembers(rank).size() == plan.programs.size();
            if (task.kind != TaskKind::COMPUTE && !isAveraged)
            {
                throw std::invalid_argument(
                    "The fabric averages the gradients of all GPUs and carries nothing else, such "
                    "as '" +
                    task.name +
                    "' of the plan: it takes data parallelism alone, as the planner fixed has it, "
                    "without sharing out state, experts or sparse gradients");
            }
        }
    }
}

void
Planner::CheckProblem(const PlanningProblem& problem)
{
    if (problem.gpus == 0)
    {
        throw std::invalid_argument("A plan needs at least 1 GPU, not 0");
    }
    if (problem.globalBatch == 0)
    {
        throw std::invalid_argument("A plan needs a global batch of at least 1 " +
                                    problem.graph.GetSample() + ", not 0");
    }
    if (problem.graph.GetOperators().empty())
    {
        throw std::invalid_argument("The model \"" + problem.graph.GetName() +
                                    "\" has no operators: a plan needs at least 1");
    }
    const ExpertLoad& load = problem.expertLoad;
    if ((load.IsDrawn() || load.capacity > 0) && ExpertSharing::GetNExperts(problem.graph) == 0)
    {
        throw std::invalid_argument("The model \"" + problem.graph.GetName() +
                                    "\" has no experts whose load could be " +
                                    (load.IsDrawn() ? "uneven" : "limited by a capacity"));
    }
}

void
Planner::CheckFabric(const FabricLimits& fabric, uint32_t gpus)
{
    if (gpus > 1 && !(fabric.bitRate > 0))
    {
        throw std::invalid_argument("The fabric between " + std::to_string(gpus) +
                                    " GPUs needs a bit rate above 0, not " +
                                    std::to_string(fabric.bitRate));
    }
    if (fabric.circuits == 0)
    {
        throw std::invalid_argument("The rate of a GPU is split into at least 1 circuit, not 0");
    }
    if (!(fabric.latency >= 0))
    {
        throw std::invalid_argument("The latency of the fabric is at least 0 s, not " +
                                    std::to_string(fabric.latency));
    }
}

void
Planner::CheckMemory(uint64_t bytes, const Accelerator& accelerator, const std::string& remedy)
{
    if (bytes > accelerator.memoryBytes)
    {
        const uint64_t most = std::max<uint64_t>(accelerator.memoryBytes, 1);
        throw std::invalid_argument("Memory: a GPU would have to hold " + MemoryUse::ToGib(bytes) +
                                    " GiB, but the accelerator " + accelerator.name + " has " +
                                    MemoryUse::ToGib(accelerator.memoryBytes) +
                                    " GiB: each replica needs at least " +
                                    std::to_string(bytes / most + (bytes % most > 0 ? 1 : 0)) +
                                    " times as many GPUs" + remedy);
    }
}

} // namespace lightpath
} // namespace ns3
