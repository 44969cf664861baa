/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "planner-tests.h"

#include "ns3/cost-model.h"
#include "ns3/model-zoo.h"
#include "ns3/plan-builder.h"
#include "ns3/sip-ml-planner.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/strategy-bound.h"
#include "ns3/strategy-space.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param layers the number of layers
 * @param random a source of random numbers
 * @return a chain of operators, one to three to a layer, of random splits, with gradients of
 *         inputs and of parameters apart
 */
OperatorGraph
MakeRandomChain(uint32_t layers, Ptr<UniformRandomVariable> random)
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
            Operator op = MakeToyOperator("f" + std::to_string(index),
                                          Pass::FORWARD,
                                          1 << random->GetInteger(0, 7),
                                          8 * random->GetInteger(1, 5000));
            op.layer = layer;
            op.forward = index;
            op.split = count == 3 ? splits[i] : TensorSplit::SEQUENCE;
            op.inputBytes = index > 0 ? graph.GetOperators()[index - 1].outputBytes : 8;
            op.savedBytes = random->GetInteger(0, 2000);
            op.parameters = random->GetInteger(0, 1) * 8 * random->GetInteger(1, 3000);
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

/**
 * @ingroup lightpath-tests
 * @param kind 0: circuits; 1: circuits of several lanes and latencies; 2: servers; 3: a packet
 *        switch
 * @return a fabric
 */
FabricLimits
MakeLimits(uint32_t kind)
{
    FabricLimits fabric;
    fabric.bitRate = 8e9;
    fabric.circuits = kind == 1 ? 4 : 1;
    fabric.latency = kind == 0 ? 0 : 3e-6;
    fabric.collectiveLatency = kind == 1 ? 5e-6 : 0;
    fabric.isShared = kind == 3;
    if (kind == 2)
    {
        fabric.serverGpus = 4;
        fabric.serverBitRate = 64e9;
        fabric.serverLatency = 1e-6;
    }
    return fabric;
}

/**
 * @ingroup lightpath-tests
 * @param strategy a strategy
 * @return it in a few words
 */
std::string
Describe(const Strategy& strategy)
{
    return "D " + std::to_string(strategy.dataParallel) + " T " +
           std::to_string(strategy.tensorParallel) + " P " +
           std::to_string(strategy.pipelineParallel) + " v " +
           std::to_string(strategy.virtualStages) + " m " + std::to_string(strategy.microbatches) +
           " r " + std::to_string(static_cast<int>(strategy.recomputation)) + " s " +
           std::to_string(strategy.sequenceParallel) + " z " + std::to_string(strategy.zeroStage) +
           " e " + std::to_string(strategy.expertParallel);
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Compares bounds with the prices of plans.
 */
class BoundBelowPriceTestCase : public TestCase
{
  public:
    BoundBelowPriceTestCase()
        : TestCase("No plan is cheaper than the bounds on it")
    {
    }

  private:
    void DoRun() override
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        uint32_t nPriced = 0;
        for (uint32_t trial = 0; trial < 48; ++trial)
        {
            PlanningProblem problem =
                MakeToyProblem(MakeRandomChain(random->GetInteger(2, 9), random),
                               1 << random->GetInteger(0, 3),
                               8 * random->GetInteger(1, 3));
            problem.accelerator.launchSeconds = random->GetInteger(0, 2) * 1e-6;
            problem.fabric = MakeLimits(trial % 4);
            const StrategyBound bound(problem);
            const double all = bound.GetAllSeconds();
            for (auto& strategy : StrategySpace(problem).GetStrategies())
            {
                // A sample of them
                if (random->GetInteger(0, 9) == 0)
                {
                    strategy.bucketBytes = random->GetInteger(0, 1) * 20000;
                    nPriced += Try(problem, bound, strategy, all) ? 1 : 0;
                }
            }
            const TrainingPlan plan = CreateObject<SipMlPlanner>()->Plan(problem);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(all, plan.predictedSeconds, "Operators in pieces");
        }
        NS_TEST_EXPECT_MSG_GT(nPriced, 500, "Plans");
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
        NS_TEST_EXPECT_MSG_LT_OR_EQ(bound.GetSeconds(strategy), price, Describe(strategy));
        NS_TEST_EXPECT_MSG_LT_OR_EQ(all, price, Describe(strategy));
        return true;
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Compares bounds with the prices of plans whose cuts, circuits and places are drawn.
 */
class BoundBelowDrawnPlansTestCase : public TestCase
{
  public:
    BoundBelowDrawnPlansTestCase()
        : TestCase("No plan is cheaper than the bounds, wherever it is cut, placed and lit")
    {
    }

  private:
    void DoRun() override
    {
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(4);
        for (uint32_t trial = 0; trial < 24; ++trial)
        {
            const uint32_t gpus = 4 << (trial % 2);
            PlanningProblem problem =
                MakeToyProblem(MakeRandomChain(m_random->GetInteger(3, 10), m_random), gpus, 16);
            problem.fabric = MakeFabric(trial % 4, gpus);
            Sample(problem, 24);
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

    /**
     * @param kind 0: a packet switch; 1: a ring; 2: circuit switches; 3: those, for each phase
     * @param gpus the number of GPUs
     * @return a fabric
     */
    FabricLimits MakeFabric(uint32_t kind, uint32_t gpus) const
    {
        if (kind == 0)
        {
            return MakeLimits(3);
        }
        if (kind == 1)
        {
            SipRingHelper ring;
            ring.SetBandwidth(DataRate("250Gbps"));
            return ring.GetLimits(gpus);
        }
        SipOcsHelper ocs;
        ocs.SetBandwidth(DataRate("100Gbps"));
        FabricLimits limits = ocs.GetLimits(gpus);
        limits.switchingSeconds = m_random->GetInteger(0, 2) * 1e-5;
        limits.phaseCircuits = kind == 3;
        return limits;
    }

    /**
     * Try some strategies of a problem.
     *
     * @param problem the problem
     * @param count how many
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
     * Draw what the strategy leaves open.
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
     * @param bound what no plan of it can be cheaper than, seconds
     */
    void Try(const PlanningProblem& problem, const Strategy& strategy, double bound)
    {
        double price = 0;
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
                plan.Place(gpus);
            }
            price = CostModel(problem.fabric).Price(plan).seconds;
        }
        catch (const std::invalid_argument&)
        {
            return;
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(bound, price, Describe(strategy));
        ++m_nPriced;
        m_nSwitched += isPhased || problem.fabric.phaseCircuits ? 1 : 0;
        m_nCut += strategy.cuts.empty() ? 0 : 1;
    }

    Ptr<UniformRandomVariable> m_random; //!< A source of random numbers
    uint32_t m_nPriced{0};               //!< Plans with a price
    uint32_t m_nSwitched{0};             //!< Those with circuits for each phase
    uint32_t m_nCut{0};                  //!< Those with drawn cuts
};

/**
 * @ingroup lightpath-tests
 * @brief Compares bounds with closed forms.
 */
class BoundTightnessTestCase : public TestCase
{
  public:
    BoundTightnessTestCase()
        : TestCase("Bounds are closed forms where these hold for all plans")
    {
    }

  private:
    void DoRun() override
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(2);
        for (uint32_t trial = 0; trial < 20; ++trial)
        {
            // Without communication, one GPU computes all operators in turn, and two replicas
            // do so with half of the samples
            PlanningProblem problem = MakeToyProblem(MakeRandomChain(5, random), 1, 12);
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

    /**
     * @param layers a number of layers
     * @return as many, of 10 us forward and 20 us backward for each sample
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
};

/**
 * @ingroup lightpath-tests
 * @brief Compares the strategies of a problem with those that counting finds.
 */
class StrategySpaceTestCase : public TestCase
{
  public:
    StrategySpaceTestCase()
        : TestCase("The strategies are all that divide evenly")
    {
    }

  private:
    void DoRun() override
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(3);
        for (const uint32_t gpus : {1, 6, 8, 12})
        {
            const PlanningProblem problem = MakeToyProblem(MakeRandomChain(7, random), gpus, 24);
            Compare(problem);
        }
        const auto few = StrategySpace::GetMicrobatches(5040);
        NS_TEST_EXPECT_MSG_EQ(few.front(), 1, "Least");
        NS_TEST_EXPECT_MSG_EQ(few.back(), 5040, "Greatest");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(few.size(), StrategySpace::MAX_DIVISORS, "Not all 60");
        PlanningProblem prime = MakeToyProblem(MakeRandomChain(3, random), 7, 6);
        prime.graph = OperatorGraph("none");
        NS_TEST_EXPECT_MSG_EQ(StrategySpace(prime).GetStrategies().size(), 0, "Nothing divides");
    }

    /// What tells strategies apart, but for what the model decides.
    using Degrees = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

    /**
     * @param problem a problem
     */
    void Compare(const PlanningProblem& problem)
    {
        std::set<Degrees> found;
        std::set<std::string> names;
        for (const auto& strategy : StrategySpace(problem).GetStrategies())
        {
            NS_TEST_EXPECT_MSG_EQ(names.insert(Describe(strategy)).second, true, "Once");
            found.insert({strategy.dataParallel,
                          strategy.tensorParallel,
                          strategy.pipelineParallel,
                          strategy.microbatches});
        }
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

/**
 * @ingroup lightpath-tests
 * @brief The tests of strategies and of bounds on them.
 */
class StrategyBoundTestSuite : public TestSuite
{
  public:
    StrategyBoundTestSuite()
        : TestSuite("lightpath-strategy-bound", TestSuite::Type::UNIT)
    {
        AddTestCase(new BoundBelowPriceTestCase);
        AddTestCase(new BoundBelowDrawnPlansTestCase);
        AddTestCase(new BoundTightnessTestCase);
        AddTestCase(new StrategySpaceTestCase);
    }
};

static StrategyBoundTestSuite g_strategyBoundTestSuite; //!< Registers the suite
