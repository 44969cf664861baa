/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/search/strategy-space.h"
#include "model/planner/write/plan-builder.h"
#include "search-tests.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/planning-problem.h"
#include "ns3/search-planner.h"
#include "ns3/training-plan.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief The best of all plans of a problem, found by trying each one.
 */
class ExhaustivePlans
{
  public:
    /**
     * @param problem the problem; it must outlive this object
     */
    explicit ExhaustivePlans(const PlanningProblem& problem)
        : m_problem(problem)
    {
    }

    /**
     * @return the shortest predicted time of all strategies, cuts, circuits, phases and orders of
     *         axes, in seconds; infinite if there is no plan
     */
    double GetBest()
    {
        for (const auto& strategy : StrategySpace(m_problem).GetStrategies())
        {
            TryCuts(strategy);
        }
        return m_best;
    }

    /**
     * @return the number of plans
     */
    uint64_t GetCount() const
    {
        return m_count;
    }

  private:
    /**
     * Try all cuts.
     *
     * @param strategy a strategy
     */
    void TryCuts(const Strategy& strategy)
    {
        TryBuild(strategy);
        const uint32_t parts = strategy.pipelineParallel * strategy.virtualStages;
        const uint32_t layers = m_problem.graph.GetNLayers();
        for (uint32_t mask = 0; parts > 1 && mask < 1U << (layers - 1); ++mask)
        {
            Strategy cut = strategy;
            for (uint32_t layer = 1; layer < layers; ++layer)
            {
                if ((mask >> (layer - 1) & 1) > 0)
                {
                    cut.cuts.push_back(layer);
                }
            }
            if (cut.cuts.size() + 1 == parts)
            {
                TryBuild(cut);
            }
        }
    }

    /**
     * Try all circuits, phases and orders of a strategy with its cuts.
     *
     * @param strategy the strategy
     */
    void TryBuild(const Strategy& strategy)
    {
        TrainingPlan plan;
        try
        {
            plan = PlanBuilder(m_problem).Build(strategy);
        }
        catch (const std::invalid_argument&)
        {
            return;
        }
        for (const auto& program : plan.programs)
        {
            if (program->GetComputeSeconds() >= m_best)
            {
                // No iteration is shorter than what one of its ranks computes
                return;
            }
        }
        std::vector<uint64_t> bytes;
        for (std::size_t kind = 0; kind < plan.groups.size(); ++kind)
        {
            plan.circuitWeights.assign(plan.groups.size(), 0);
            plan.circuitWeights[kind] = 1;
            bytes.push_back(plan.GetDemand().GetMax());
        }
        std::vector<uint32_t> circuits(bytes.size(), 0);
        for (const bool phases : {false, true})
        {
            plan.phaseCircuits = phases;
            plan.circuitWeights.clear();
            TryPrice(plan);
            TrySplits(plan, bytes, circuits, 0);
        }
    }

    /**
     * Try all numbers of circuits by kind of group.
     *
     * @param plan the plan
     * @param bytes the bytes of the largest pair, by kind
     * @param circuits the circuits of the kinds before
     * @param kind the kind
     */
    void TrySplits(TrainingPlan& plan,
                   const std::vector<uint64_t>& bytes,
                   std::vector<uint32_t>& circuits,
                   std::size_t kind)
    {
        if (kind == bytes.size())
        {
            if (std::accumulate(circuits.begin(),
                                circuits.end(),
                                0U,
                                std::gcd<uint32_t, uint32_t>) > 1)
            {
                // Fewer circuits in the same proportions make the same demand
                return;
            }
            plan.circuitWeights.assign(bytes.size(), 1);
            for (std::size_t i = 0; i < bytes.size(); ++i)
            {
                plan.circuitWeights[i] =
                    bytes[i] > 0 ? 1e6 * circuits[i] / static_cast<double>(bytes[i]) : 1;
            }
            TryPrice(plan);
            return;
        }
        const uint32_t used = std::accumulate(circuits.begin(), circuits.begin() + kind, 0U);
        const uint32_t most = bytes[kind] > 0 ? m_problem.fabric.circuits : used;
        for (uint32_t n = bytes[kind] > 0 ? 1 : 0; used + n <= most; ++n)
        {
            circuits[kind] = n;
            TrySplits(plan, bytes, circuits, kind + 1);
        }
    }

    /**
     * Price a plan, if the fabric carries it.
     *
     * @param plan the plan
     */
    void TryPrice(const TrainingPlan& plan)
    {
        try
        {
            ++m_count;
            const double seconds = CostModel(m_problem.fabric).Price(plan, m_best).seconds;
            if (seconds < m_best && IsCarried(plan))
            {
                m_best = seconds;
            }
        }
        catch (const std::invalid_argument&)
        {
            return;
        }
    }

    /**
     * @param plan a plan
     * @return true if all pairs with traffic get a circuit
     */
    bool IsCarried(const TrainingPlan& plan) const
    {
        const auto demands = plan.phaseCircuits ? plan.GetPhaseDemands()
                                                : std::vector<TrafficMatrix>{plan.GetDemand()};
        return std::all_of(demands.begin(), demands.end(), [this](const TrafficMatrix& demand) {
            return demand.GetDegree() <= m_problem.fabric.degree &&
                   m_problem.fabric.allocators.front()->Allocate(demand).unserved.empty();
        });
    }

    const PlanningProblem& m_problem;                       //!< The problem
    double m_best{std::numeric_limits<double>::infinity()}; //!< Shortest time, seconds
    uint64_t m_count{0};                                    //!< Plans tried
};

/**
 * @ingroup lightpath-tests
 * @param random the source of random numbers
 * @return a random problem of up to 8 GPUs and 6 layers
 */
PlanningProblem
MakeRandomProblem(Ptr<UniformRandomVariable> random)
{
    const uint32_t gpus = 2 * random->GetInteger(1, 4);
    static const double delays[] = {0, 1e-5, 1e-3};
    PlanningProblem problem =
        MakeToyProblem(MakeRandomChain(random->GetInteger(2, 4), random), gpus, gpus);
    const double delay = delays[random->GetInteger(0, 2)];
    problem.fabric = MakeSwitchLimits(gpus, random->GetInteger(1, 4), delay);
    return problem;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Compares the search with all plans of small problems.
 */
class SearchExhaustiveTestCase : public TestCase
{
  public:
    SearchExhaustiveTestCase()
        : TestCase("The search comes near the best of all plans, and its bound is below it")
    {
    }

  private:
    void DoRun() override
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        double sum = 0;
        double worst = 0;
        uint32_t count = 0;
        for (uint32_t round = 0; count < 100 && round < 300; ++round)
        {
            const PlanningProblem problem = MakeRandomProblem(random);
            const double best = ExhaustivePlans(problem).GetBest();
            const auto planner = CreateObject<SearchPlanner>();
            planner->SetAttribute("MaxEvaluations", UintegerValue(90));
            planner->SetAttribute("OtherPlanners", BooleanValue(false));
            planner->SetAttribute("LeastGain", DoubleValue(0));
            if (best == std::numeric_limits<double>::infinity())
            {
                ExpectNone(problem, planner);
                continue;
            }
            const TrainingPlan plan = planner->Plan(problem);
            const double excess = std::max(plan.cost.seconds / best - 1, 0.0);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(plan.lowerBoundSeconds,
                                        best * (1 + 1e-9),
                                        "round " << round << ": no plan is below the bound");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(plan.lowerBoundSeconds,
                                        plan.cost.seconds * (1 + 1e-9),
                                        "round " << round);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(excess, 0.1, "round " << round << ": at worst");
            sum += excess;
            worst = std::max(worst, excess);
            ++count;
        }
        NS_TEST_EXPECT_MSG_EQ(count, 100, "Problems that have a plan");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(sum / count, 0.02, "On average; at worst " << worst);
    }

    /**
     * Expect the search to find no plan either.
     *
     * @param problem a problem that no strategy gives a plan for
     * @param planner the search
     */
    void ExpectNone(const PlanningProblem& problem, Ptr<SearchPlanner> planner)
    {
        try
        {
            planner->TryPlan(problem);
            NS_TEST_EXPECT_MSG_EQ(true, false, "There is none");
        }
        catch (const std::invalid_argument& error)
        {
            NS_TEST_EXPECT_MSG_EQ(std::string(error.what()).empty(), false, "A reason");
        }
    }
};

/// Registers the test cases
static const SuiteCases g_searchExhaustiveCases("lightpath-planner-search",
                                                {{new SearchExhaustiveTestCase()}});
