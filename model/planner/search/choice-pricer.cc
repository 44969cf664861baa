/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "choice-pricer.h"

#include "model/planner/place/grid-collectives.h"
#include "model/planner/price/cost-model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Tasks that are as much work as an evaluation has besides.
constexpr uint64_t TASKS = 4000;

/// Ranks that are as much work as an evaluation has besides.
constexpr uint64_t RANKS = 1000;

/// Strategies refused for their memory that are as much work as an evaluation.
constexpr uint32_t REFUSALS = 8;

/**
 * @param plan a plan
 * @return the evaluations that building it counts for
 */
uint64_t
CountEvaluations(const TrainingPlan& plan)
{
    std::set<const RankProgram*> programs; // counted only
    uint64_t tasks = 0;
    for (const auto& program : plan.programs)
    {
        if (programs.insert(program.get()).second)
        {
            tasks += program->GetTasks().size();
        }
    }
    return 1 + tasks / TASKS + plan.programs.size() / RANKS;
}

} // namespace

ChoicePricer::ChoicePricer(const PlanningProblem& problem, SearchBudget& budget, Check check)
    : m_problem(problem),
      m_builder(problem),
      m_placer(problem),
      m_budget(budget),
      m_check(std::move(check))
{
}

const PlanningProblem&
ChoicePricer::GetProblem() const
{
    return m_problem;
}

bool
ChoicePricer::HasRoom() const
{
    return m_budget.HasRoom();
}

double
ChoicePricer::Price(const PlanChoice& choice, double limit, uint64_t mostFollowed)
{
    m_isMemoryRefusal = false;
    try
    {
        TrainingPlan plan = MakePlan(choice);
        if (!plan.expertLoad.IsEven())
        {
            plan = plan.WithTypicalLoads(true);
        }
        // Building has been charged already; pricing a large plan counts for several evaluations
        m_budget.Charge(1 + m_built.front().evaluations / 4);
        const CostModel model(m_problem.fabric, mostFollowed);
        const uint64_t most = std::isinf(limit) ? CostModel::ANY_EVENTS : CostModel::MANY_EVENTS;
        const PlanCost cost =
            mostFollowed > 0 ? model.Price(plan, limit) : model.Estimate(plan, limit, most);
        m_budget.Charge(cost.events / SearchBudget::EVENTS);
        return cost.seconds;
    }
    catch (const PricingError& error)
    {
        m_budget.Charge(CostModel::MANY_EVENTS / SearchBudget::EVENTS);
        m_refusal = error.what();
        return std::numeric_limits<double>::infinity();
    }
    catch (const std::invalid_argument& error)
    {
        m_refusal = error.what();
        return std::numeric_limits<double>::infinity();
    }
}

bool
ChoicePricer::IsCarried(const PlanChoice& choice)
{
    m_isMemoryRefusal = false;
    try
    {
        m_check(MakePlan(choice));
        return true;
    }
    catch (const std::invalid_argument& error)
    {
        m_refusal = error.what();
        return false;
    }
}

const std::string&
ChoicePricer::GetRefusal() const
{
    return m_refusal;
}

bool
ChoicePricer::IsMemoryRefusal() const
{
    return m_isMemoryRefusal;
}

TrainingPlan
ChoicePricer::MakePlan(const PlanChoice& choice)
{
    const Built& built = Build(choice);
    TrainingPlan plan = *built.plan;
    plan.phaseCircuits =
        choice.phaseCircuits || plan.phaseCircuits || m_problem.fabric.phaseCircuits;
    plan.turnCircuits = choice.turnCircuits || m_problem.fabric.turnCircuits;
    if (!choice.circuits.empty())
    {
        const auto& traffic = GetTraffic(choice);
        uint64_t most = 0;
        for (const auto& kind : traffic)
        {
            most = std::max(most, kind.bytes);
        }
        // Allocators give circuits in proportion to the demand: weight the bytes of each kind of
        // group so that its demand is in proportion to the circuits that it is to get
        plan.circuitWeights.assign(traffic.size(), 1);
        for (std::size_t kind = 0; kind < traffic.size(); ++kind)
        {
            if (traffic[kind].bytes > 0 && kind < choice.circuits.size())
            {
                plan.circuitWeights[kind] = static_cast<double>(choice.circuits[kind]) *
                                            static_cast<double>(most) /
                                            static_cast<double>(traffic[kind].bytes);
            }
        }
    }
    const auto& grids = m_problem.fabric.grids;
    plan.gridRows = grids.empty() ? 0 : grids.at(choice.grid).rows;
    plan.gridColumns = grids.empty() ? 0 : grids.at(choice.grid).columns;
    if (!choice.gpus.empty())
    {
        plan.placement = Placement(choice.gpus, "searched");
    }
    else if (!choice.base)
    {
        m_placer.Place(plan);
    }
    GridCollectives::Choose(m_problem.fabric, plan);
    return plan;
}

std::vector<uint32_t>
ChoicePricer::GetPorts(const PlanChoice& choice)
{
    const TrainingPlan plan = MakePlan(choice);
    std::vector<uint32_t> ports(plan.programs.size());
    for (uint32_t rank = 0; rank < ports.size(); ++rank)
    {
        ports[rank] = plan.placement.GetPort(rank);
    }
    return ports;
}

const std::vector<KindTraffic>&
ChoicePricer::GetTraffic(const PlanChoice& choice)
{
    static const std::vector<KindTraffic> none;
    try
    {
        Built& built = Build(choice);
        if (built.traffic.empty())
        {
            built.traffic = KindTraffic::GetAll(*built.plan, m_problem.fabric);
        }
        return built.traffic;
    }
    catch (const std::invalid_argument&)
    {
        return none;
    }
}

std::vector<double>
ChoicePricer::GetStageSeconds(const PlanChoice& choice)
{
    const TrainingPlan& plan = *Build(choice).plan;
    const uint32_t stages = std::max(choice.strategy.pipelineParallel, 1U);
    const std::size_t stride = plan.programs.size() / stages;
    std::vector<double> seconds;
    for (uint32_t stage = 0; stage < stages; ++stage)
    {
        seconds.push_back(plan.programs[stage * stride]->GetComputeSeconds());
    }
    return seconds;
}

ChoicePricer::Built&
ChoicePricer::Build(const PlanChoice& choice)
{
    const auto found = std::find_if(m_built.begin(), m_built.end(), [&choice](const Built& built) {
        return built.base == choice.base && built.strategy == choice.strategy;
    });
    if (found != m_built.end())
    {
        m_built.splice(m_built.begin(), m_built, found);
        return m_built.front();
    }
    Built built;
    built.strategy = choice.strategy;
    built.base = choice.base;
    built.plan = choice.base;
    if (!built.plan)
    {
        CheckMemory(choice.strategy);
        built.plan = std::make_shared<const TrainingPlan>(m_builder.Build(choice.strategy));
        m_budget.Charge(CountEvaluations(*built.plan));
    }
    built.evaluations = CountEvaluations(*built.plan);
    m_built.push_front(std::move(built));
    if (m_built.size() > N_KEPT)
    {
        m_built.pop_back();
    }
    return m_built.front();
}

void
ChoicePricer::CheckMemory(const Strategy& strategy)
{
    const uint64_t memoryBytes = m_problem.accelerator.memoryBytes;
    const uint64_t most = m_builder.GetMostBytes(strategy);
    if (most > memoryBytes)
    {
        m_isMemoryRefusal = true;
        m_budget.Charge(++m_nMemoryRefusals % REFUSALS == 0 ? 1 : 0);
        throw std::invalid_argument("The plan needs " + MemoryUse::ToGib(most) +
                                    " GiB, but the accelerator " + m_problem.accelerator.name +
                                    " has " + MemoryUse::ToGib(memoryBytes) + " GiB");
    }
}

} // namespace lightpath
} // namespace ns3
