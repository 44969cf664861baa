/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bound-tests.h"
#include "method-case.h"
#include "model/planner/bound/strategy-bound.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/search/strategy-space.h"
#include "model/planner/write/plan-builder.h"
#include "planner-tests.h"

#include "ns3/fabric-description.h"
#include "ns3/model-zoo.h"
#include "ns3/nstime.h"
#include "ns3/planning-problem.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of bounds on random plans.
 */
class DrawnBoundTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares bounds with the prices of plans whose cuts, circuits and places are drawn.
    void TestBelowDrawnPlans()
    {
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(22);
        for (uint32_t trial = 0; trial < 24; ++trial)
        {
            const uint32_t gpus = 4 << (trial % 2);
            PlanningProblem problem =
                MakeToyProblem(MakeBoundChain(m_random->GetInteger(3, 10), m_random), gpus, 16);
            problem.accelerator.launchSeconds = trial % 3 * 5e-6;
            problem.accelerator.linearShares = trial % 3 == 1;
            problem.fabric = MakeFabric(trial % 4, gpus);
            Sample(problem, 24);
        }
        for (uint32_t trial = 0; trial < 16; ++trial)
        {
            // No sums that need circuits, or hardly anything but sums
            OperatorGraph graph = MakeBoundChain(m_random->GetInteger(3, 8), m_random);
            const bool hasGradients = trial % 2 == 0;
            PlanningProblem problem =
                MakeToyProblem(hasGradients ? graph : DropGradients(graph), 8, 32);
            problem.fabric = MakeFabric(hasGradients ? 0 : 2 + trial / 2 % 2, 8);
            problem.fabric.bitRate /= hasGradients ? 1000 : 1;
            Sample(problem, 16);
        }
        const std::array<const char*, 3> models{"bert-large:sequence=128,layers=4",
                                                "mixtral-8x7b:layers=2",
                                                "dlrm"};
        for (uint32_t i = 0; i < models.size(); ++i)
        {
            PlanningProblem problem = MakeToyProblem(ModelZoo::Create(models[i]), 8, 16);
            problem.accelerator = Accelerator::Create("A100");
            problem.accelerator.memoryBytes = uint64_t{1} << 40;
            for (const uint32_t kind : {1, 2})
            {
                problem.fabric = MakeFabric(kind, 8);
                Sample(problem, 30);
            }
        }
        NS_TEST_EXPECT_MSG_GT(m_nPriced, 300, "Plans");
        NS_TEST_EXPECT_MSG_GT(m_nSwitched, 20, "Plans with circuits for each phase");
        NS_TEST_EXPECT_MSG_GT(m_nCut, 20, "Plans with drawn cuts");
    }

    /// Compares bounds with prices where sums of gradients take most of the time.
    void TestOfSums()
    {
        // One GPU to each replica; tightest where all gradients are summed once
        Strategy strategy;
        strategy.dataParallel = GPUS;
        TryOfSums("dlrm", strategy, 0.85, 0.85);
        TryOfSums("bert-large:sequence=128,layers=4,gradients=half", strategy, 0.95, 0.95);
        for (const uint32_t stage : {1, 2, 3})
        {
            strategy.zeroStage = stage;
            strategy.microbatches = 2;
            TryOfSums("bert-large:sequence=128,layers=4,gradients=half", strategy, 0.75, 0.25);
        }
        strategy.microbatches = 1;
        for (const uint32_t zero : {0, 1})
        {
            strategy.zeroStage = zero;
            for (const uint32_t sharers : {1, 2, 4, 8})
            {
                strategy.expertParallel = sharers;
                TryOfSums("mixtral-8x7b:layers=2,sequence=128", strategy, 0.9, 0);
            }
        }
        // Groups of two replicas, whose plans with experts on all of them have few sums
        strategy.tensorParallel = 4;
        strategy.dataParallel = 2;
        strategy.expertParallel = 2;
        TryOfSums("mixtral-8x7b:layers=2,sequence=128", strategy, 0.5, 0);
    }

  private:
    /**
     * @param graph a model
     * @return the model without parameters
     */
    static OperatorGraph DropGradients(const OperatorGraph& graph)
    {
        OperatorGraph rest("no parameters");
        std::vector<uint32_t> indices(graph.GetOperators().size(), UINT32_MAX);
        for (uint32_t index = 0; index < indices.size(); ++index)
        {
            Operator op = graph.GetOperators()[index];
            if (op.pass == Pass::UPDATE || (op.pass == Pass::BACKWARD && op.parameters > 0))
            {
                continue;
            }
            op.parameters = 0;
            indices[index] = rest.AddOperator(op);
            for (const auto before : graph.GetPredecessors(index))
            {
                rest.AddEdge(indices[before], indices[index]);
            }
        }
        return rest;
    }

    /**
     * @param kind 0: a packet switch; 1: a ring; 2: circuit switches; 3: those, for each phase
     * @param gpus the number of GPUs
     * @return a fabric
     */
    FabricLimits MakeFabric(uint32_t kind, uint32_t gpus) const
    {
        if (kind == 0)
        {
            return MakeBoundLimits(3);
        }
        if (kind == 1)
        {
            SipRingHelper ring;
            ring.SetBandwidth(DataRate("250Gbps"));
            return FabricDescription::Create(ring)->GetLimits(gpus);
        }
        SipOcsHelper ocs;
        ocs.SetBandwidth(DataRate("100Gbps"));
        FabricLimits limits = FabricDescription::Create(ocs)->GetLimits(gpus);
        limits.switchingSeconds = m_random->GetInteger(0, 2) * 1e-5;
        limits.phaseCircuits = kind == 3;
        return limits;
    }

    /**
     * Try some strategies of a problem.
     *
     * @param problem the problem
     * @param count the number of strategies
     */
    void Sample(const PlanningProblem& problem, uint32_t count)
    {
        const StrategyBound bound(problem);
        const double all = bound.GetAllSeconds();
        const auto strategies = StrategySpace(problem).GetStrategies();
        for (uint32_t i = 0; i < count && !strategies.empty(); ++i)
        {
            Strategy strategy = strategies[m_random->GetInteger(0, strategies.size() - 1)];
            const double seconds = bound.GetSeconds(strategy);
            Draw(strategy, problem.graph.GetNLayers());
            Try(problem, strategy, std::max(seconds, all));
        }
    }

    /**
     * Draw the settings that the strategy leaves open.
     *
     * @param [in,out] strategy the strategy
     * @param layers the layers of the model
     */
    void Draw(Strategy& strategy, uint32_t layers)
    {
        strategy.bucketBytes = m_random->GetInteger(0, 1) * 20000;
        strategy.dataRings = m_random->GetInteger(1, 2);
        if (strategy.pipelineParallel > 1 && strategy.virtualStages == 1 &&
            m_random->GetInteger(0, 1) == 1)
        {
            std::set<uint32_t> cuts;
            while (cuts.size() + 1 < strategy.pipelineParallel)
            {
                cuts.insert(m_random->GetInteger(1, layers - 1));
            }
            strategy.cuts.assign(cuts.begin(), cuts.end());
        }
    }

    /**
     * @param problem a problem
     * @param strategy a strategy
     * @param bound the lower bound on the price of its plans, seconds
     */
    void Try(const PlanningProblem& problem, const Strategy& strategy, double bound)
    {
        double price = 0;
        std::size_t nTasks = 0;
        bool isPhased = false;
        try
        {
            TrainingPlan plan = PlanBuilder(problem).Build(strategy);
            for (std::size_t kind = 0; kind < plan.groups.size(); ++kind)
            {
                plan.circuitWeights.push_back(std::pow(4, m_random->GetInteger(0, 4)) / 16);
            }
            isPhased = problem.fabric.canSwitch && m_random->GetInteger(0, 2) == 0;
            plan.phaseCircuits = isPhased;
            if (m_random->GetInteger(0, 2) == 0 && plan.representedRanks == 0)
            {
                std::vector<uint32_t> gpus(problem.gpus);
                std::iota(gpus.begin(), gpus.end(), 0);
                for (uint32_t i = problem.gpus; i-- > 1;)
                {
                    std::swap(gpus[i], gpus[m_random->GetInteger(0, i)]);
                }
                plan.placement = Placement(gpus);
            }
            price = CostModel(problem.fabric).Price(plan).seconds;
            for (const auto& program : plan.programs)
            {
                nTasks = std::max(nTasks, program->GetTasks().size());
            }
        }
        catch (const std::invalid_argument&)
        {
            return;
        }
        // Tasks take whole ticks where messages are followed
        const double rounding = static_cast<double>(nTasks) * TimeStep(1).GetSeconds() / 2;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(bound, price + rounding, strategy.GetName());
        ++m_nPriced;
        m_nSwitched += isPhased || problem.fabric.phaseCircuits ? 1 : 0;
        m_nCut += strategy.cuts.empty() ? 0 : 1;
    }

    /// The number of GPUs.
    static constexpr uint32_t GPUS = 8;

    /**
     * @param model a model
     * @param strategy a strategy
     * @param share the least share of the price of its plan that the bound reaches
     * @param all the same for the bound on all plans with as many replicas
     */
    void TryOfSums(const std::string& model, const Strategy& strategy, double share, double all)
    {
        PlanningProblem problem = MakeToyProblem(ModelZoo::Create(model), GPUS, 2 * GPUS);
        problem.accelerator = Accelerator::Create("A100");
        problem.accelerator.memoryBytes = uint64_t{1} << 40;
        const StrategyBound bound(problem);
        const double price =
            CostModel(problem.fabric).Price(PlanBuilder(problem).Build(strategy)).seconds;
        const std::string what = model + " " + strategy.GetName();
        const double mine = bound.GetSeconds(strategy);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(mine, price, what);
        NS_TEST_EXPECT_MSG_GT(mine, share * price, what);
        const double least = bound.GetReplicasSeconds(strategy.dataParallel);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(least, price, what << ", all plans");
        NS_TEST_EXPECT_MSG_GT(least, all * price, what << ", all plans");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(bound.GetAllSeconds(), least, what);
    }

    Ptr<UniformRandomVariable> m_random; //!< A source of random numbers
    uint32_t m_nPriced{0};               //!< Plans with a price
    uint32_t m_nSwitched{0};             //!< Those with circuits for each phase
    uint32_t m_nCut{0};                  //!< Those with drawn cuts
};

/// Registers the test cases
static const SuiteCases g_drawnBoundCases(
    "lightpath-strategy-bound",
    {{MakeCase("No plan is cheaper than the bounds, wherever it is cut, placed and lit",
               &DrawnBoundTests::TestBelowDrawnPlans),
      MakeCase("Sparse, shared-out and expert gradients count with the bytes that are sent",
               &DrawnBoundTests::TestOfSums)}});
