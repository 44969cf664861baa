/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bound-tests.h"
#include "method-case.h"
#include "model/planner/bound/strategy-bound.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/search/plan-variants.h"
#include "model/planner/search/strategy-space.h"
#include "model/planner/write/plan-builder.h"
#include "planner-tests.h"

#include "ns3/model-zoo.h"
#include "ns3/planning-problem.h"
#include "ns3/sip-ml-planner.h"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

OperatorGraph
MakeBoundChain(uint32_t layers, Ptr<UniformRandomVariable> random)
{
    OperatorGraph graph("chain");
    const std::array<TensorSplit, 3> splits{TensorSplit::COLUMN,
                                            TensorSplit::ROW,
                                            TensorSplit::SEQUENCE};
    for (uint32_t layer = 0; layer < layers; ++layer)
    {
        const uint32_t count = random->GetInteger(1, 3);
        for (uint32_t i = 0; i < count; ++i)
        {
            const auto index = static_cast<uint32_t>(graph.GetOperators().size());
            const uint32_t bytes = 8 * random->GetInteger(1, 5000);
            Operator op = MakeToyOperator("f" + std::to_string(index),
                                          Pass::FORWARD,
                                          1 << random->GetInteger(0, 7),
                                          bytes);
            op.layer = layer;
            op.forward = index;
            op.split = count == 3 ? splits[i] : TensorSplit::SEQUENCE;
            op.inputBytes = index > 0 ? graph.GetOperators()[index - 1].outputBytes : 8;
            op.savedBytes = random->GetInteger(0, 2000);
            const uint32_t isTrained = random->GetInteger(0, 1);
            op.parameters = isTrained * 8 * random->GetInteger(1, 3000);
            op.selective = random->GetInteger(0, 3) == 0;
            graph.AddOperator(op);
            if (index > 0)
            {
                graph.AddEdge(index - 1, index);
            }
        }
    }
    const std::vector<Operator> forward = graph.GetOperators();
    uint32_t gradient = static_cast<uint32_t>(forward.size() - 1);
    std::vector<uint32_t> makers(forward.size());
    for (auto index = static_cast<uint32_t>(forward.size()); index-- > 0;)
    {
        Operator op = forward[index];
        op.pass = Pass::BACKWARD;
        op.selective = false;
        op.outputBytes = op.inputBytes;
        op.savedBytes = 0;
        op.parameters = 0;
        op.name = "x" + std::to_string(index);
        const uint32_t input = graph.AddOperator(op);
        graph.AddEdge(gradient, input);
        makers[index] = input;
        if (forward[index].parameters > 0)
        {
            op.name = "w" + std::to_string(index);
            op.outputBytes = 0;
            op.parameters = forward[index].parameters;
            makers[index] = graph.AddOperator(op);
            graph.AddEdge(gradient, makers[index]);
            graph.AddEdge(index, makers[index]);
        }
        gradient = input;
    }
    for (uint32_t index = 0; index < forward.size(); ++index)
    {
        if (forward[index].parameters > 0)
        {
            Operator op = MakeToyOperator("u" + std::to_string(index), Pass::UPDATE, 0);
            op.parameters = forward[index].parameters;
            op.parameterBytes = 1000 * op.parameters;
            op.layer = forward[index].layer;
            op.split = forward[index].split;
            op.forward = index;
            graph.AddEdge(makers[index], graph.AddOperator(op));
        }
    }
    return graph;
}

FabricLimits
MakeBoundLimits(uint32_t kind)
{
    FabricLimits fabric;
    fabric.bitRate = 8e9;
    fabric.circuits = kind == 1 ? 4 : 1;
    fabric.latency = kind == 0 ? 0 : 3e-6;
    fabric.collectiveLatency = kind == 1 ? 5e-6 : 0;
    fabric.isShared = kind == 3;
    if (kind == 2)
    {
        fabric.servers.layout.gpus = 4;
        fabric.servers.bitRate = 64e9;
        fabric.servers.latency = 1e-6;
    }
    return fabric;
}

/**
 * @ingroup lightpath-tests
 * @brief The tests of strategies and of bounds on them.
 */
class StrategyBoundTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares bounds with the prices of plans.
    void TestBoundBelowPrice()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        uint32_t nPriced = 0;
        uint32_t nPutOff = 0;
        for (uint32_t trial = 0; trial < 48; ++trial)
        {
            const uint32_t batch = 8 * random->GetInteger(1, 3);
            const uint32_t gpus = 1 << random->GetInteger(0, 3);
            PlanningProblem problem =
                MakeToyProblem(MakeBoundChain(random->GetInteger(2, 9), random), gpus, batch);
            problem.accelerator.launchSeconds = random->GetInteger(0, 2) * 1e-6;
            problem.fabric = MakeBoundLimits(trial % 4);
            const StrategyBound bound(problem);
            const double all = bound.GetAllSeconds();
            const PlanVariants variants(problem);
            for (auto& strategy : StrategySpace(problem).GetStrategies())
            {
                // A tenth of them
                if (random->GetInteger(0, 9) == 0)
                {
                    strategy.bucketBytes = random->GetInteger(0, 1) * 20000;
                    nPriced += Try(problem, bound, strategy, all) ? 1 : 0;
                    for (const auto& other : variants.GetSchedules(strategy))
                    {
                        nPutOff += Try(problem, bound, other, all) ? 1 : 0;
                    }
                }
            }
            const TrainingPlan plan = CreateObject<SipMlPlanner>()->Plan(problem);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(all, plan.predictedSeconds, "Operators in pieces");
        }
        NS_TEST_EXPECT_MSG_GT(nPriced, 500, "Plans");
        NS_TEST_EXPECT_MSG_GT(nPutOff, 100, "Plans with other schedules");
    }

    /// Compares bounds with closed forms.
    void TestBoundTightness()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(2);
        for (uint32_t trial = 0; trial < 20; ++trial)
        {
            // Without communication, one GPU computes all operators in turn, and two replicas
            // do so with half of the samples
            PlanningProblem problem = MakeToyProblem(MakeBoundChain(5, random), 1, 12);
            problem.accelerator.launchSeconds = 1e-6;
            Strategy strategy;
            strategy.microbatches = 1 + trial % 4;
            double each = 0;
            double once = 0;
            for (const auto& op : problem.graph.GetOperators())
            {
                const double samples = 12.0 / strategy.microbatches;
                (op.pass == Pass::UPDATE ? once : each) +=
                    problem.accelerator.GetSeconds(op, samples);
            }
            const double time = strategy.microbatches * each + once;
            NS_TEST_EXPECT_MSG_EQ_TOL(StrategyBound(problem).GetSeconds(strategy),
                                      time,
                                      1e-8 * time,
                                      "One GPU");
        }
        // A pipeline of as many stages as layers of the same time can only be cut in one way
        for (const uint32_t stages : {2, 4, 7})
        {
            for (const uint32_t microbatches : {1, 2, 4, 7, 8, 16})
            {
                PlanningProblem problem =
                    MakeToyProblem(MakeEqual(stages), stages, 2 * microbatches);
                problem.fabric.bitRate = 1e18;
                Strategy strategy;
                strategy.pipelineParallel = stages;
                strategy.microbatches = microbatches;
                const double time = (microbatches + stages - 1) * 2 * 30e-6;
                NS_TEST_EXPECT_MSG_EQ_TOL(StrategyBound(problem).GetSeconds(strategy),
                                          time,
                                          1e-8 * time,
                                          stages << " stages, " << microbatches);
            }
        }
    }

    /// Compares the strategies of a problem with an independent count.
    void TestStrategySpace()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(3);
        for (const uint32_t gpus : {1, 6, 8, 12})
        {
            const PlanningProblem problem = MakeToyProblem(MakeBoundChain(7, random), gpus, 24);
            Compare(problem);
        }
        TryNear();
        const auto few = StrategySpace::GetMicrobatches(5040);
        NS_TEST_EXPECT_MSG_EQ(few.front(), 1, "Least");
        NS_TEST_EXPECT_MSG_EQ(few.back(), 5040, "Greatest");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(few.size(), StrategySpace::MAX_DIVISORS, "Not all 60");
        PlanningProblem prime = MakeToyProblem(MakeBoundChain(3, random), 7, 6);
        prime.graph = OperatorGraph("none");
        NS_TEST_EXPECT_MSG_EQ(StrategySpace(prime).GetStrategies().size(), 0, "Nothing divides");
    }

    /// Looks for strategies where, by the manual, they are worth trying, and elsewhere.
    void TestConditions()
    {
        const auto has = [](const PlanningProblem& problem, const auto& isWanted) {
            const auto strategies = StrategySpace(problem).GetStrategies();
            return std::any_of(strategies.begin(), strategies.end(), isWanted);
        };
        // Context parallelism: 8 GPUs with 4 samples, and with 8 for each stage
        PlanningProblem problem =
            MakeToyProblem(ModelZoo::Create("bert-large:sequence=128,layers=4"), 8, 4);
        problem.accelerator.memoryBytes = uint64_t{1} << 40;
        const auto isShared = [](const Strategy& strategy) { return strategy.contextParallel > 1; };
        const auto isPair = [](const Strategy& strategy) {
            return strategy.contextParallel == 2 && strategy.dataParallel == 4;
        };
        NS_TEST_EXPECT_MSG_EQ(has(problem, isPair), true, "Fewer samples than GPUs");
        problem.globalBatch = 64;
        NS_TEST_EXPECT_MSG_EQ(has(problem, isShared), false, "Enough samples");
        // Groups that share out state: those of a server of 4 GPUs
        const auto isGroup = [](const Strategy& strategy) { return strategy.shardGpus > 0; };
        const auto isServer = [](const Strategy& strategy) {
            return strategy.shardGpus == 4 && strategy.dataParallel == 8 && strategy.zeroStage == 3;
        };
        NS_TEST_EXPECT_MSG_EQ(has(problem, isGroup), false, "No servers");
        problem.fabric = MakeBoundLimits(2);
        NS_TEST_EXPECT_MSG_EQ(has(problem, isServer), true, "Servers");
        // Schedules: DualPipe needs two microbatches of the 24 for each of an even number of stages
        const PlanningProblem staged = MakeToyProblem(MakeEqual(8), 8, 48);
        const PlanVariants variants(staged);
        Strategy strategy;
        strategy.dataParallel = 2;
        strategy.pipelineParallel = 4;
        strategy.virtualStages = 2;
        strategy.microbatches = 4;
        const auto others = variants.GetSchedules(strategy);
        NS_TEST_ASSERT_MSG_EQ(others.size(), 2, "ZB-H1 and DualPipe");
        NS_TEST_EXPECT_MSG_EQ((others[0].schedule == PipelineScheduleKind::ZB_H1), true, "First");
        NS_TEST_EXPECT_MSG_EQ(others[0].microbatches, 4, "ZB-H1");
        NS_TEST_EXPECT_MSG_EQ(others[0].virtualStages, 1, "ZB-H1");
        NS_TEST_EXPECT_MSG_EQ(others[1].microbatches, 8, "DualPipe");
        strategy.pipelineParallel = 3;
        NS_TEST_EXPECT_MSG_EQ(variants.GetSchedules(strategy).size(), 1, "Three stages");
        strategy.pipelineParallel = 1;
        NS_TEST_EXPECT_MSG_EQ(variants.GetSchedules(strategy).size(), 0, "No pipeline");
    }

  private:
    /// Compares strategies that differ in one way and in two.
    void TryNear()
    {
        Strategy one;
        one.dataParallel = 8;
        one.microbatches = 2;
        Strategy other = one;
        other.zeroStage = 3;
        NS_TEST_EXPECT_MSG_EQ(StrategySpace::AreNear(one, other), true, "Shared-out state");
        other.recomputation = Recomputation::FULL;
        NS_TEST_EXPECT_MSG_EQ(StrategySpace::AreNear(one, other), true, "It does not count");
        other.expertParallel = 2;
        NS_TEST_EXPECT_MSG_EQ(StrategySpace::AreNear(one, other), false, "And experts");
        other = one;
        other.dataParallel = 2;
        other.pipelineParallel = 4;
        NS_TEST_EXPECT_MSG_EQ(StrategySpace::AreNear(one, other), true, "Two microbatches");
        other.microbatches = 8;
        NS_TEST_EXPECT_MSG_EQ(StrategySpace::AreNear(one, other), true, "As many samples in each");
        other.microbatches = 4;
        NS_TEST_EXPECT_MSG_EQ(StrategySpace::AreNear(one, other), false, "Neither");
    }

    /**
     * @param problem a problem
     * @param bound its bounds
     * @param strategy a strategy
     * @param all the bound for all plans, seconds
     * @return true if there is a plan
     */
    bool Try(const PlanningProblem& problem,
             const StrategyBound& bound,
             const Strategy& strategy,
             double all)
    {
        TrainingPlan plan;
        try
        {
            plan = PlanBuilder(problem).Build(strategy);
        }
        catch (const std::invalid_argument&)
        {
            return false;
        }
        const double price = CostModel(problem.fabric).Price(plan).seconds;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(bound.GetSeconds(strategy), price, strategy.GetName());
        NS_TEST_EXPECT_MSG_LT_OR_EQ(all, price, strategy.GetName());
        return true;
    }

    /**
     * @param layers a number of layers
     * @return a model of these layers, with 10 us forward and 20 us backward for each sample
     */
    OperatorGraph MakeEqual(uint32_t layers) const
    {
        OperatorGraph graph("equal");
        for (uint32_t i = 0; i < 2 * layers; ++i)
        {
            const bool isForward = i < layers;
            Operator op = MakeToyOperator("o" + std::to_string(i),
                                          isForward ? Pass::FORWARD : Pass::BACKWARD,
                                          isForward ? 10 : 20,
                                          1);
            op.layer = isForward ? i : 2 * layers - 1 - i;
            op.forward = op.layer;
            graph.AddOperator(op);
            if (i > 0)
            {
                graph.AddEdge(i - 1, i);
            }
        }
        return graph;
    }

    /// The degrees that tell strategies apart, without the settings that the model decides.
    using Degrees = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

    /**
     * @param problem a problem
     */
    void Compare(const PlanningProblem& problem)
    {
        std::set<Degrees> found;
        std::set<std::string> names;
        uint32_t whole = 0;
        uint32_t staged = 0;
        for (const auto& strategy : StrategySpace(problem).GetStrategies())
        {
            NS_TEST_EXPECT_MSG_EQ(names.insert(strategy.GetName()).second, true, "Once");
            uint32_t& most = strategy.pipelineParallel > 1 ? staged : whole;
            most = std::max(most, strategy.zeroStage);
            found.insert({strategy.dataParallel,
                          strategy.tensorParallel,
                          strategy.pipelineParallel,
                          strategy.microbatches});
        }
        // Replicas share out all of their state where they have a single stage, as the manual says
        const uint32_t replicas = problem.gpus > 1 ? 1 : 0;
        NS_TEST_EXPECT_MSG_EQ(whole, 3 * replicas, "ZeRO without a pipeline");
        NS_TEST_EXPECT_MSG_EQ(staged, replicas, "ZeRO with a pipeline");
        std::set<Degrees> counted;
        for (uint32_t data = 1; data <= problem.gpus; ++data)
        {
            for (uint32_t tensor = 1; data * tensor <= problem.gpus; ++tensor)
            {
                const uint32_t stages = problem.gpus / data / tensor;
                Strategy strategy;
                strategy.dataParallel = data;
                strategy.tensorParallel = tensor;
                strategy.pipelineParallel = stages;
                for (uint32_t m = 1; m <= problem.globalBatch; ++m)
                {
                    strategy.microbatches = m;
                    if (data * tensor * stages == problem.gpus &&
                        problem.globalBatch % (data * m) == 0 && Builds(problem, strategy))
                    {
                        counted.insert({data, tensor, stages, m});
                    }
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ((found == counted), true, problem.gpus << " GPUs");
    }

    /**
     * @param problem a problem
     * @param strategy a strategy
     * @return true if there is a plan
     */
    bool Builds(const PlanningProblem& problem, const Strategy& strategy) const
    {
        try
        {
            PlanBuilder(problem).GetMemory(strategy);
            return true;
        }
        catch (const std::invalid_argument&)
        {
            return false;
        }
    }
};

/// Registers the test cases
static const SuiteCases g_strategyBoundCases(
    "lightpath-strategy-bound",
    {{MakeCase("No plan is cheaper than the bounds on it",
               &StrategyBoundTests::TestBoundBelowPrice),
      MakeCase("Bounds are closed forms where these hold for all plans",
               &StrategyBoundTests::TestBoundTightness),
      MakeCase("Strategies are listed where they are worth trying",
               &StrategyBoundTests::TestConditions),
      MakeCase("The strategies are all that divide evenly",
               &StrategyBoundTests::TestStrategySpace)}});
