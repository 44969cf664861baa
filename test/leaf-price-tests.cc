/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/base/wire-format.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/write/replica-layout.h"
#include "planner-job.h"
#include "planner-tests.h"
#include "training-fixture.h"

#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/link-graph-helper.h"
#include "ns3/planning-problem.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Rate of a link, bytes/s
constexpr double RATE = 1e9;

/// Size of a buffer, bytes
constexpr uint64_t EXCHANGE_BYTES = 800000;

/// Number of GPUs
constexpr uint32_t GPUS = 8;

/// The stages of a plan
using Stages = std::vector<std::shared_ptr<const RankProgram>>;

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Prices and simulations of plans on leaves with fewer links up than down, against closed
 * forms.
 */
class LeafPriceTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Two leaves of four GPUs.
     *
     * @param oversubscription links to GPUs for each link up
     */
    void TestLeaves(uint32_t oversubscription)
    {
        LinkGraphHelper fabric(LinkGraphHelper::LEAF_SPINE);
        fabric.SetNodesPerLeaf(GPUS / 2);
        fabric.SetOversubscription(oversubscription);
        const double nUp = GPUS / 2 / oversubscription;
        // 16 pairs in each direction share the links up
        Expect(fabric, {MakeExchange()}, GPUS, 16 * GetSeconds(EXCHANGE_BYTES / GPUS) / nUp);
        // Each step of a ring has one message for each link
        Expect(fabric,
               {MakeChain({MakeCollective(1, 0, EXCHANGE_BYTES)})},
               GPUS,
               2 * (GPUS - 1) * GetSeconds(EXCHANGE_BYTES / GPUS));
        // A stage is on a leaf, and its four GPUs send to the other one at a time
        Expect(fabric, MakeStages(), 1, 4 * GetSeconds(EXCHANGE_BYTES) / nUp);
    }

    /// Two switches of four GPUs, joined by one link, as a file may describe them.
    void TestOwnLinks()
    {
        const DataRate rate(static_cast<uint64_t>(8 * RATE));
        LinkGraph graph(GPUS);
        const uint32_t first = graph.AddSwitch("first");
        const uint32_t second = graph.AddSwitch("second");
        for (uint32_t gpu = 0; gpu < GPUS; ++gpu)
        {
            graph.Connect(gpu, gpu < GPUS / 2 ? first : second, rate, Time());
        }
        graph.Connect(first, second, rate, Time());
        LinkGraphHelper fabric(LinkGraphHelper::CUSTOM);
        fabric.SetGraph(graph);
        // 16 pairs in each direction share the link, or the four GPUs of a stage
        Expect(fabric, {MakeExchange()}, GPUS, 16 * GetSeconds(EXCHANGE_BYTES / GPUS));
        Expect(fabric, MakeStages(), 1, 4 * GetSeconds(EXCHANGE_BYTES));
    }

    /// Four leaves of two GPUs on two rails, each with one link up.
    void TestRails()
    {
        LinkGraphHelper fabric(LinkGraphHelper::RAIL_OPTIMISED);
        fabric.SetRails(2);
        fabric.SetNodesPerLeaf(2);
        fabric.SetOversubscription(2);
        // Both GPUs of a leaf have six peers elsewhere
        Expect(fabric, {MakeExchange()}, GPUS, 12 * GetSeconds(EXCHANGE_BYTES / GPUS));
        // GPUs 0 and 2 send to GPUs 4 and 6 on the same rail
        Expect(fabric, MakeStages(), 1, 2 * GetSeconds(EXCHANGE_BYTES));
    }

    /**
     * A planner predicts what an iteration takes, with a link up for four GPUs, or on a dragonfly.
     *
     * @param kind the kind of network
     * @param data the number of replicas
     * @param tensor the number of GPUs that share each operator
     * @param pipeline the number of stages
     */
    void TestPrediction(const std::string& kind, uint32_t data, uint32_t tensor, uint32_t pipeline)
    {
        const auto created = InterconnectHelper::Create(kind);
        auto& fabric = dynamic_cast<LinkGraphHelper&>(*created);
        fabric.SetBandwidth(DataRate("100Gbps"));
        fabric.SetNodesPerLeaf(4);
        if (kind != "dragonfly")
        {
            fabric.SetRails(2);
            fabric.SetOversubscription(4);
        }
        PlanningProblem problem = MakeProblem("gpt2-xl:layers=4",
                                              "A100",
                                              data * tensor * pipeline,
                                              data * tensor * pipeline,
                                              fabric);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("DataParallel", UintegerValue(data));
        planner->SetAttribute("TensorParallel", UintegerValue(tensor));
        planner->SetAttribute("PipelineParallel", UintegerValue(pipeline));
        const TrainingPlan plan = planner->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds / Simulate(fabric, plan),
                                  1,
                                  0.05,
                                  "the prediction");
    }

  private:
    /**
     * @param fabric a network
     * @param plan a plan for all of its GPUs
     * @return the time of an iteration in simulation
     */
    static double Simulate(const LinkGraphHelper& fabric, const TrainingPlan& plan)
    {
        NodeContainer nodes(static_cast<uint32_t>(plan.programs.size()));
        const auto job = TrainingHelper().Install(plan, fabric.Install(nodes), nullptr);
        Simulator::Run();
        const TrainingReport report(TrainingHelper::GetJob(job), nullptr);
        Simulator::Destroy();
        return report.iterationSeconds.at(0);
    }

    /**
     * @return an all-to-all of all GPUs
     */
    static std::shared_ptr<const RankProgram> MakeExchange()
    {
        Task task = MakeCollective(1, 0, EXCHANGE_BYTES, CollectiveKind::ALL_TO_ALL);
        task.options.algorithm = CollectiveAlgorithm::DIRECT;
        return MakeChain({task});
    }

    /**
     * @return two stages, of which each GPU of the first sends to one of the second
     */
    static Stages MakeStages()
    {
        Task send = MakeMessage(TaskKind::SEND, 1, 0, EXCHANGE_BYTES);
        Task receive = MakeMessage(TaskKind::RECEIVE, 0, 0, EXCHANGE_BYTES);
        send.group = PIPELINE_GROUP;
        receive.group = PIPELINE_GROUP;
        return {MakeChain({send}), MakeChain({receive})};
    }

    /**
     * @param bytes the size of a message
     * @return the time that it takes on a link
     */
    static double GetSeconds(uint64_t bytes)
    {
        return (bytes + FRAME_HEADER_BYTES) / RATE;
    }

    /**
     * @param fabric the network; gets links without delay
     * @param stages the programs of the stages
     * @param replicas the number of replicas
     * @param seconds the time that they take
     */
    void Expect(LinkGraphHelper& fabric, const Stages& stages, uint32_t replicas, double seconds)
    {
        fabric.SetBandwidth(DataRate(static_cast<uint64_t>(8 * RATE)));
        fabric.SetDelay(Time());
        TrainingPlan plan;
        plan.strategy.pipelineParallel = stages.size();
        plan.strategy.dataParallel = replicas;
        plan.strategy.tensorParallel = GPUS / (replicas * static_cast<uint32_t>(stages.size()));
        ReplicaLayout::ApplyStages(stages, plan);
        NS_TEST_EXPECT_MSG_EQ_TOL(
            CostModel(FabricDescription::Create(fabric)->GetLimits(GPUS)).Price(plan).seconds /
                seconds,
            1,
            1e-9,
            "the price");
        NS_TEST_EXPECT_MSG_EQ_TOL(Simulate(fabric, plan) / seconds, 1, 1e-6, "the time");
    }
};

/// Registers the test cases
static const SuiteCases g_leafPriceCases(
    "lightpath-planner-servers",
    {MakeCases("Leaves with fewer links up", &LeafPriceTests::TestLeaves, {{2}, {4}}),
     MakeCases("Prediction across leaves",
               &LeafPriceTests::TestPrediction,
               {{"leaf-spine-flows", 16, 1, 1},
                {"leaf-spine-flows", 2, 8, 1},
                {"leaf-spine-flows", 2, 2, 4},
                {"rail-optimised", 16, 1, 1},
                {"rail-optimised", 2, 8, 1},
                {"fat-tree-flows", 2, 8, 1},
                {"dragonfly", 8, 8, 1},
                {"dragonfly", 4, 4, 4}}),
     {MakeCase("Rails with fewer links up", &LeafPriceTests::TestRails),
      MakeCase("Links of a network of one's own", &LeafPriceTests::TestOwnLinks)}});
