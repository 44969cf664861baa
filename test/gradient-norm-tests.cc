/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expert-tests.h"
#include "method-case.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/write/plan-builder.h"
#include "planner-tests.h"

#include "ns3/electrical-switch-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/link-graph-helper.h"
#include "ns3/link-graph.h"
#include "ns3/node-container.h"
#include "ns3/planning-problem.h"
#include "ns3/simulator.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param times the time of a forward pass through each layer, of its gradients of inputs and of
 *        those of weights, in us
 * @param parameters the parameters of a layer
 * @param update the time of the update of a layer, in us
 * @return a chain of these layers, with 1 byte between them
 */
OperatorGraph
MakeChain(const std::vector<uint64_t>& times, uint64_t parameters, uint64_t update = 0)
{
    OperatorGraph graph("chain");
    const auto layers = static_cast<uint32_t>(times.size());
    const auto add = [&](const std::string& name, Pass pass, uint32_t layer, uint64_t time) {
        Operator op = MakeToyOperator(name + std::to_string(layer), pass, time);
        op.layer = layer;
        op.forward = layer;
        op.outputBytes = name == "f" || name == "b" ? 1 : 0;
        op.parameters = name == "f" ? 0 : parameters;
        return graph.AddOperator(op);
    };
    for (uint32_t layer = 0; layer < layers; ++layer)
    {
        add("f", Pass::FORWARD, layer, times[layer]);
        if (layer > 0)
        {
            graph.AddEdge(layer - 1, layer);
        }
    }
    std::vector<uint32_t> makers(layers);
    uint32_t behind = layers - 1;
    for (uint32_t layer = layers; layer-- > 0;)
    {
        const uint32_t input = add("b", Pass::BACKWARD, layer, times[layer]);
        graph.AddEdge(behind, input);
        makers[layer] = add("w", Pass::BACKWARD, layer, times[layer]);
        graph.AddEdge(behind, makers[layer]);
        graph.AddEdge(layer, makers[layer]);
        behind = input;
    }
    for (uint32_t layer = 0; layer < layers; ++layer)
    {
        graph.AddEdge(makers[layer], add("u", Pass::UPDATE, layer, update));
    }
    return graph;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the norm of gradients that updates wait for.
 */
class GradientNormTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// All iterations of ZB-H1 take as long as the first one, in which no stage is ahead.
    void TestZeroBubble()
    {
        // The last stage begins behind one forward pass of each stage before it, and never idles
        TryZeroBubble({1000, 1000, 1000, 1000}, 3 + 8 * 3);
        TryZeroBubble({1000, 2000, 1000, 3000}, 4 + 8 * 9);
        // Without the norm the slowest stage works all the time, once it has begun
        PlanningProblem problem = MakeToyProblem(MakeChain({1000, 2000, 1000, 3000}, 4), 4, 8);
        problem.fabric.bitRate = 1e15;
        problem.gradientNorm = false;
        const TrainingPlan plan = PlanBuilder(problem).Build(GetZeroBubble());
        NS_TEST_EXPECT_MSG_EQ_TOL(CostModel(problem.fabric).Price(plan).seconds,
                                  72e-3,
                                  1e-9,
                                  "checked afterwards");
    }

    /// The norm reaches the first stage with the last gradients of activations, and the last stage
    /// one way later.
    void TestWay()
    {
        constexpr double WAY = 100e-6;
        ElectricalSwitchHelper fabric;
        fabric.SetBandwidth(DataRate("100000Gbps"));
        fabric.SetDelay(Seconds(WAY));
        PlanningProblem problem = MakeToyProblem(MakeChain({1000, 1000}, 4), 2, 1);
        problem.fabric = FabricDescription::Create(fabric)->GetLimits(2);
        Strategy strategy;
        strategy.pipelineParallel = 2;
        const TrainingPlan plan = PlanBuilder(problem).Build(strategy);
        const double price = CostModel(problem.fabric).Price(plan).seconds;
        // Two forward and two backward passes one after the other, and two ways between them
        constexpr double STEADY = 6e-3 + 2 * WAY;
        NS_TEST_EXPECT_MSG_EQ_TOL(price, STEADY, 1e-8, "predicted");
        const auto seconds = Simulate(plan, fabric, 3);
        NS_TEST_ASSERT_MSG_EQ(seconds.size(), 3, "iterations");
        NS_TEST_EXPECT_MSG_EQ_TOL(seconds[0], STEADY + WAY, 1e-8, "to the end of the last stage");
        NS_TEST_EXPECT_MSG_EQ_TOL(seconds[1], STEADY, 1e-8, "from there to its next end");
        NS_TEST_EXPECT_MSG_EQ_TOL(seconds[2], STEADY, 1e-8, "and again");
    }

    /// Updates begin after the sums of all gradients.
    void TestUpdates()
    {
        // Two layers of 10 us for each operator and 50 us for the sum of 25000 gradients over two
        // replicas at 1 kB/us; updates of 100 us
        PlanningProblem problem = MakeToyProblem(MakeChain({10, 10}, 25000, 100), 2, 2);
        Strategy strategy;
        strategy.dataParallel = 2;
        strategy.bucketBytes = 0;
        const auto get = [&](bool hasNorm) {
            problem.gradientNorm = hasNorm;
            const TrainingPlan plan = PlanBuilder(problem).Build(strategy);
            plan.Check();
            return CostModel(problem.fabric).Price(plan).seconds * 1e6;
        };
        // The sums begin with the gradients of the second layer, at 40 us, and end 100 us later
        NS_TEST_EXPECT_MSG_EQ_TOL(get(true), 40 + 2 * 50 + 2 * 100, 1e-6, "after both sums");
        NS_TEST_EXPECT_MSG_EQ_TOL(get(false), 40 + 50 + 2 * 100, 1e-6, "after one sum each");
        // Shared-out state: sums of 25 us to 90 us, half of each update, gathers of 25 us
        strategy.zeroStage = 1;
        NS_TEST_EXPECT_MSG_EQ_TOL(get(true), 90 + 2 * 50 + 25, 1e-6, "after both sums");
        NS_TEST_EXPECT_MSG_EQ_TOL(get(false), 65 + 2 * 50 + 25, 1e-6, "after one sum each");
    }

    /// Stages send a number to each neighbour, in a phase with the circuits of the next iteration.
    void TestMessages()
    {
        constexpr uint32_t STAGES = 4;
        constexpr uint32_t REPLICAS = 2;
        PlanningProblem problem =
            MakeToyProblem(MakeChain({10, 10, 10, 10}, 4), STAGES * REPLICAS, 8);
        Strategy strategy;
        strategy.pipelineParallel = STAGES;
        strategy.dataParallel = REPLICAS;
        const TrainingPlan with = PlanBuilder(problem).Build(strategy);
        with.Check();
        problem.gradientNorm = false;
        const TrainingPlan without = PlanBuilder(problem).Build(strategy);
        NS_TEST_EXPECT_MSG_EQ(with.GetTraffic().GetTotal() - without.GetTraffic().GetTotal(),
                              REPLICAS * 2 * (STAGES - 1) * 8,
                              "there and back");
        for (uint32_t rank = 0; rank < STAGES * REPLICAS; ++rank)
        {
            NS_TEST_EXPECT_MSG_EQ(with.GetTraffic().GetRow(rank).size(),
                                  without.GetTraffic().GetRow(rank).size(),
                                  "no further peers");
        }
        const auto phases = with.GetPhaseDemands();
        NS_TEST_ASSERT_MSG_EQ(phases.size(), 3, "passes, sums, norm");
        NS_TEST_EXPECT_MSG_EQ((phases[2] == phases[0]), true, "the circuits of the passes");
        NS_TEST_EXPECT_MSG_EQ((phases[1] == without.GetPhaseDemands()[1]), true, "the sums alone");
        // Circuits that follow operations are not turned for it
        problem.gradientNorm = true;
        problem.fabric.turnCircuits = true;
        const TrainingPlan turned = PlanBuilder(problem).Build(strategy);
        NS_TEST_EXPECT_MSG_EQ(turned.GetTraffic().GetTotal(),
                              without.GetTraffic().GetTotal(),
                              "by another network");
    }

    /// The only replica has several ranks with the same whole experts, whose sums come before.
    void TestWholeExperts()
    {
        PlanningProblem problem = MakeExpertProblem(8, 8);
        Strategy strategy = MakeExpertStrategy(1, 2, 4, 2);
        strategy.wholeExperts = true;
        strategy.sequenceParallel = true;
        strategy.microbatches = 2;
        const TrainingPlan plan = PlanBuilder(problem).Build(strategy);
        plan.Check();
        NS_TEST_EXPECT_MSG_EQ(plan.GetPhaseDemands().size(), 3, "passes, sums, norm");
    }

    /// The first iteration does not depend on the ones after it, however little a rank computes.
    void TestFirst()
    {
        // Halving and doubling of 3.2 MB over 16 GPUs of 100 Gb/s, on leaves of 4 with two links of
        // 150 Gb/s up, of which one is missing. A solver of progressive filling of its own gives
        // 1541.396 us. Without the norm some ranks end some 100 us before others, and sum again
        LinkGraph graph(16);
        std::vector<uint32_t> spines;
        for (const std::string name : {"spine-0", "spine-1"})
        {
            spines.push_back(graph.AddSwitch(name));
        }
        for (uint32_t leaf = 0; leaf < 4; ++leaf)
        {
            const uint32_t node = graph.AddSwitch("leaf-" + std::to_string(leaf));
            for (uint32_t gpu = 4 * leaf; gpu < 4 * leaf + 4; ++gpu)
            {
                graph.Connect(gpu, node, DataRate("100Gbps"), Time(0));
            }
            for (uint32_t spine = leaf == 0 ? 1 : 0; spine < 2; ++spine)
            {
                graph.Connect(node, spines[spine], DataRate("150Gbps"), Time(0));
            }
        }
        LinkGraphHelper fabric;
        fabric.SetGraph(graph);
        for (const uint64_t pass : {0, 10, 100, 1000})
        {
            PlanningProblem problem = MakeToyProblem(MakeChain({pass}, 1600000), 16, 16);
            problem.fabric = FabricDescription::Create(fabric)->GetLimits(16);
            Strategy strategy;
            strategy.dataParallel = 16;
            strategy.dataAlgorithm = CollectiveAlgorithm::HALVING_DOUBLING;
            const TrainingPlan plan = PlanBuilder(problem).Build(strategy);
            const double alone = Simulate(plan, fabric, 1).at(0);
            const auto seconds = Simulate(plan, fabric, 3);
            NS_TEST_ASSERT_MSG_EQ(seconds.size(), 3, "iterations");
            NS_TEST_EXPECT_MSG_EQ(seconds[0], alone, "no rank was an iteration ahead");
            for (const double iteration : seconds)
            {
                // The norm adds two times 120 bytes, at a tenth of the rate of a GPU at least
                NS_TEST_EXPECT_MSG_EQ_TOL(iteration,
                                          3e-6 * pass + 1541.396e-6 + 0.1e-6,
                                          0.1e-6,
                                          "three passes, the sum and the norm");
            }
        }
    }

  private:
    /**
     * @return a strategy of four stages and eight microbatches
     */
    static Strategy GetZeroBubble()
    {
        Strategy strategy;
        strategy.schedule = PipelineScheduleKind::ZB_H1;
        strategy.pipelineParallel = 4;
        strategy.microbatches = 8;
        return strategy;
    }

    /**
     * @param plan the plan
     * @param fabric the fabric
     * @param iterations the number of iterations
     * @return the time of each of them, seconds
     */
    static std::vector<double> Simulate(const TrainingPlan& plan,
                                        FabricHelper& fabric,
                                        uint32_t iterations)
    {
        NodeContainer nodes;
        nodes.Create(static_cast<uint32_t>(plan.programs.size()));
        const NetDeviceContainer devices = fabric.Install(nodes);
        TrainingHelper helper;
        helper.SetJobAttribute("Iterations", UintegerValue(iterations));
        helper.SetTransportAttribute("FrameSize", UintegerValue(0));
        const auto applications = helper.Install(plan, devices, fabric.CreateController(devices));
        Simulator::Run();
        const TrainingReport report(TrainingHelper::GetJob(applications),
                                    FabricHelper::GetChannel(devices));
        Simulator::Destroy();
        return report.iterationSeconds;
    }

    /**
     * @param times the times of the layers, one to a stage, in us
     * @param milliseconds the time of an iteration, ms
     */
    void TryZeroBubble(const std::vector<uint64_t>& times, double milliseconds)
    {
        ElectricalSwitchHelper fabric;
        fabric.SetBandwidth(DataRate("100000Gbps"));
        PlanningProblem problem = MakeToyProblem(MakeChain(times, 4), 4, 8);
        problem.fabric = FabricDescription::Create(fabric)->GetLimits(4);
        const TrainingPlan plan = PlanBuilder(problem).Build(GetZeroBubble());
        plan.Check();
        NS_TEST_EXPECT_MSG_EQ_TOL(CostModel(problem.fabric).Price(plan).seconds,
                                  milliseconds * 1e-3,
                                  1e-7,
                                  "predicted");
        for (const double seconds : Simulate(plan, fabric, 3))
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(seconds, milliseconds * 1e-3, 1e-7, "simulated");
        }
    }
};

/// Registers the test cases
static const SuiteCases g_gradientNormCases(
    "lightpath-planner-stages",
    {{MakeCase("Iterations of ZB-H1 take the time of the first one",
               &GradientNormTests::TestZeroBubble),
      MakeCase("The norm takes one way to the last stage", &GradientNormTests::TestWay),
      MakeCase("Updates follow all sums of gradients", &GradientNormTests::TestUpdates),
      MakeCase("The norm goes between neighbours", &GradientNormTests::TestMessages),
      MakeCase("The norm and whole experts", &GradientNormTests::TestWholeExperts),
      MakeCase("Later iterations do not change the first one", &GradientNormTests::TestFirst)}});
