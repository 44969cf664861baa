/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/write/replica-layout.h"
#include "planner-tests.h"
#include "stage-tests.h"

#include "ns3/fabric-description.h"
#include "ns3/fabric-helper.h"
#include "ns3/node-container.h"
#include "ns3/planning-problem.h"
#include "ns3/simulator.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of pipelines on fabrics.
 */
class StageFabricTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares the estimate with a simulation on an ideal switch.
    void TestStageSimulation()
    {
        // Each GPU has one peer
        Try(2, 1, 1, false, 1e-6);
        // The steps of many rings are rounded to whole nanoseconds
        Try(1, 2, 1, false, 5e-5);
        Try(1, 2, 1, true, 5e-5);
        // Messages and rings share the links of a GPU
        Try(4, 1, 1, false, 2e-3);
        Try(2, 2, 1, false, 2e-3);
        Try(4, 1, 2, false, 2e-3);
        Try(2, 2, 1, true, 2e-3);
    }

    /// Compares estimates on a fabric with servers with results worked out by hand.
    void TestServerEstimate()
    {
        // 1 byte/s and 0.25 s between servers of 4 GPUs, 4 bytes/s and 0.125 s inside, 0.5 s before
        // each collective
        m_fabric.bitRate = 8;
        m_fabric.latency = 0.25;
        m_fabric.servers.layout.gpus = 4;
        m_fabric.servers.bitRate = 32;
        m_fabric.servers.latency = 0.125;
        m_fabric.collectiveLatency = 0.5;
        const auto send = MakeChain({Address(MakeMessage(TaskKind::SEND, 1, 0, 8)),
                                     Address(MakeMessage(TaskKind::RECEIVE, 1, 0, 8))});
        const auto receive = MakeChain({Address(MakeMessage(TaskKind::RECEIVE, 0, 0, 8)),
                                        Address(MakeMessage(TaskKind::SEND, 0, 0, 8))});
        // There and back. Two stages of 2 GPUs share a server; of 4 or 8 GPUs they do not
        Expect({send, receive}, 2, 1, 2 * (0.125 + 2));
        Expect({send, receive}, 1, 2, 2 * (0.125 + 2));
        Expect({send, receive}, 4, 1, 2 * (0.25 + 8));
        Expect({send, receive}, 4, 2, 2 * (0.25 + 8));
        // A tensor-parallel group: 2 (n - 1) (latency + 8 / n / rate). The slowest hop,
        // between servers, is never idle: the next message comes in before the last one has left
        Expect({MakeChain({MakeCollective(0, 0, 8)})}, 4, 1, 0.5 + 6 * (0.125 + 0.5));
        Expect({MakeChain({MakeCollective(0, 0, 8)})}, 8, 1, 0.5 + 14 * 1 + 0.25);
        // The same over 2 servers: scattered and gathered inside, summed across
        Task task = MakeCollective(0, 0, 8);
        task.options.local = 4;
        Expect({MakeChain({task})}, 8, 1, 0.5 + 6 * (0.125 + 0.5) + 2 * (0.25 + 1));
        task.collective = CollectiveKind::ALL_GATHER;
        Expect({MakeChain({task})}, 8, 1, 0.5 + 3 * (0.125 + 0.5) + 0.25 + 1);
        // Replicas of 2 GPUs: two of them in each server
        task = MakeCollective(1, 0, 8);
        task.options.local = 2;
        Expect({MakeChain({task})}, 2, 4, 0.5 + 2 * (0.125 + 1) + 2 * (0.25 + 2));
        Expect({MakeChain({MakeCollective(1, 0, 8)})}, 2, 2, 0.5 + 2 * (0.125 + 1));
        Expect({MakeChain({MakeCollective(1, 0, 8)})}, 4, 2, 0.5 + 2 * (0.25 + 4));
        CheckLocal();
    }

    /// Checks the optimiser state, and the sums of replicas that share it out.
    void TestSharedOptimizer()
    {
        const PlanningProblem problem = MakeStageProblem(
            "gpt2-xl:gradients=half,layers=4,hidden=256,heads=8,feedForward=1024,vocabulary=1024",
            4,
            8);
        StageSettings settings;
        const TrainingPlan whole = MakeStagePlan(problem, settings);
        settings.zero = 1;
        const TrainingPlan shared = MakeStagePlan(problem, settings);
        NS_TEST_EXPECT_MSG_EQ(whole.memory[0].optimizer, 12 * problem.graph.GetParameters(), "All");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(shared.memory[0].optimizer),
                                  static_cast<double>(whole.memory[0].optimizer) / 4,
                                  1e4,
                                  "A quarter");
        NS_TEST_EXPECT_MSG_EQ(shared.memory[0].parameters, whole.memory[0].parameters, "Whole");
        NS_TEST_EXPECT_MSG_EQ(shared.GetTraffic().GetTotal(),
                              whole.GetTraffic().GetTotal(),
                              "A reduce-scatter and an all-gather make an all-reduce");
        const double saved =
            whole.programs[0]->GetComputeSeconds() - shared.programs[0]->GetComputeSeconds();
        double updates = 0;
        for (const auto& op : problem.graph.GetOperators())
        {
            updates += op.pass == Pass::UPDATE ? problem.accelerator.GetSeconds(op, 2) -
                                                     problem.accelerator.GetSeconds(op, 2, 0.25)
                                               : 0;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(saved, updates, 1e-12, "Each updates a quarter");
    }

    /// Tries strategies that do not suit the model, and plans that do not fit.
    void TestStageRefusal()
    {
        const std::string small =
            "gpt2-xl:gradients=half,layers=4,hidden=256,heads=8,feedForward=1024";
        const PlanningProblem problem = MakeStageProblem(small, 4, 8);
        TryStageRefusal(problem, [](StageSettings& s) { s.pipeline = 4; }, {});
        TryStageRefusal(problem,
                        [](StageSettings& s) { s.pipeline = 3; },
                        {"times PipelineParallel"});
        TryStageRefusal(problem,
                        [](StageSettings& s) { s.microbatch = 3; },
                        {"2 samples", "Microbatch"});
        TryStageRefusal(problem, [](StageSettings& s) { s.chunks = 2; }, {"VirtualStages is 2"});
        TryStageRefusal(problem,
                        [](StageSettings& s) {
                            s.pipeline = 4;
                            s.chunks = 2;
                        },
                        {"6 layers", "8 parts"});
        TryStageRefusal(problem,
                        [](StageSettings& s) {
                            s.pipeline = 2;
                            s.chunks = 2;
                        },
                        {"1 microbatch,", "multiple of PipelineParallel"});
        TryStageRefusal(problem,
                        [](StageSettings& s) { s.sequence = true; },
                        {"TensorParallel must be 2"});
        // All decoder layers read the encoder's output: with one cut they may, with three not
        TryStageRefusal(MakeStageProblem("transformer-big:gradients=half", 4, 4),
                        [](StageSettings& s) { s.pipeline = 2; },
                        {});
        TryStageRefusal(MakeStageProblem("transformer-big:gradients=half", 4, 4),
                        [](StageSettings& s) { s.pipeline = 4; },
                        {"operator ", "must be smaller"});

        // It needs 1.70 GiB
        PlanningProblem full = MakeStageProblem(small, 4, 16);
        full.accelerator.memoryBytes = 1710 << 20;
        TryStageRefusal(
            full,
            [](StageSettings& s) { s.tensor = 2; },
            {"parameters ", "optimiser ", "activations ", "too little", "use Recomputation=Full"});
        full.accelerator.memoryBytes = 1 << 20;
        TryStageRefusal(full, [](StageSettings&) {}, {"0.00 GiB", "use Recomputation=Full"});
    }

    /// Compares the cuts of layers that cannot be shared out by number with all cuts.
    void TestBalancedCut()
    {
        // 5 layers between embedding and head
        const PlanningProblem problem = MakeStageProblem(
            "gpt2-xl:gradients=half,layers=5,hidden=256,heads=8,feedForward=1024,vocabulary=8192",
            3,
            2);
        std::vector<double> seconds(7, 0);
        for (const auto& op : problem.graph.GetOperators())
        {
            seconds[op.layer] +=
                op.pass == Pass::UPDATE ? 0 : problem.accelerator.GetSeconds(op, 2);
        }
        double best = 1;
        for (uint32_t first = 1; first < 6; ++first)
        {
            for (uint32_t second = first + 1; second < 7; ++second)
            {
                double parts[3] = {0, 0, 0};
                for (uint32_t layer = 0; layer < 7; ++layer)
                {
                    parts[layer < first ? 0 : layer < second ? 1 : 2] += seconds[layer];
                }
                best = std::min(best, *std::max_element(parts, parts + 3));
            }
        }
        StageSettings settings;
        settings.pipeline = 3;
        double slowest = 0;
        for (const auto& program : MakeStagePlan(problem, settings).programs)
        {
            double stage = 0;
            for (const auto& task : program->GetTasks())
            {
                const bool counts = task.kind == TaskKind::COMPUTE && task.pass != Pass::UPDATE;
                stage += counts ? task.seconds : 0;
            }
            slowest = std::max(slowest, stage);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(slowest, best, 1e-12, "Of all cuts");
    }

  private:
    /**
     * @param p the number of stages
     * @param t the number of GPUs that share an operator
     * @param v the number of parts of a stage
     * @param isLeast whether sequence parallelism and full recomputation are used
     * @param tolerance the relative error that is allowed
     */
    void Try(uint32_t p, uint32_t t, uint32_t v, bool isLeast, double tolerance)
    {
        const auto fabric = FabricHelper::Create("electrical");
        fabric->SetBandwidth(DataRate("800Gbps"));
        fabric->DisableFlowControl();
        PlanningProblem problem = MakeStageProblem(
            "gpt2-xl:gradients=half,layers=8,hidden=1024,heads=8,feedForward=4096,vocabulary=1024",
            p * t,
            4);
        problem.fabric = FabricDescription::Create(*fabric)->GetLimits(p * t);
        StageSettings settings;
        settings.pipeline = p;
        settings.tensor = t;
        settings.chunks = v;
        settings.microbatch = 1;
        settings.sequence = isLeast;
        settings.recomputation = isLeast ? Recomputation::FULL : Recomputation::NONE;
        const TrainingPlan plan = MakeStagePlan(problem, settings);
        NodeContainer nodes;
        nodes.Create(p * t);
        const NetDeviceContainer devices = fabric->Install(nodes);
        TrainingHelper helper;
        helper.SetJobAttribute("Iterations", UintegerValue(2));
        helper.SetTransportAttribute("FrameSize", UintegerValue(0));
        const auto applications = helper.Install(plan, devices, nullptr);
        Simulator::Run();
        const TrainingReport report(TrainingHelper::GetJob(applications),
                                    FabricHelper::GetChannel(devices));
        NS_TEST_EXPECT_MSG_EQ_TOL(report.GetSteadySeconds(),
                                  plan.predictedSeconds,
                                  tolerance * plan.predictedSeconds,
                                  "p " << p << " t " << t << " v " << v);
        Simulator::Destroy();
    }

    /**
     * @param task a message
     * @return the message between stages
     */
    static Task Address(Task task)
    {
        task.group = 2;
        return task;
    }

    /**
     * @param programs the programs of the stages
     * @param tensor the number of GPUs of a stage of a replica
     * @param replicas the number of replicas
     * @param seconds the time that they take
     */
    void Expect(const std::vector<std::shared_ptr<const RankProgram>>& programs,
                uint32_t tensor,
                uint32_t replicas,
                double seconds)
    {
        Strategy strategy;
        strategy.tensorParallel = tensor;
        strategy.dataParallel = replicas;
        strategy.pipelineParallel = programs.size();
        TrainingPlan plan;
        plan.strategy = strategy;
        ReplicaLayout::ApplyStages(programs, plan);
        NS_TEST_EXPECT_MSG_EQ_TOL(CostModel(m_fabric).Price(plan).seconds,
                                  seconds,
                                  1e-12,
                                  tensor << " GPUs, " << replicas << " replicas");
    }

    /**
     * Check the number of members of the data-parallel group that share a server.
     */
    void CheckLocal()
    {
        // GPUs, of a server, of a replica, and members that share a server
        const std::vector<std::vector<uint32_t>> cases{{16, 8, 1, 8},
                                                       {16, 8, 2, 4},
                                                       {16, 8, 4, 2},
                                                       {16, 8, 8, 1},
                                                       {8, 8, 1, 1},
                                                       {12, 8, 2, 1}};
        for (const auto& numbers : cases)
        {
            PlanningProblem problem = MakeStageProblem("gpt2-xl:gradients=half,layers=2,hidden=256,"
                                                       "heads=8,feedForward=1024,vocabulary=1024",
                                                       numbers[0],
                                                       48);
            problem.fabric.servers.layout.gpus = numbers[1];
            problem.fabric.servers.bitRate = 1e13;
            StageSettings settings;
            settings.tensor = numbers[2];
            const TrainingPlan plan = MakeStagePlan(problem, settings);
            for (const auto& task : plan.programs[0]->GetTasks())
            {
                if (task.kind == TaskKind::COLLECTIVE && task.group == 1)
                {
                    NS_TEST_EXPECT_MSG_EQ(task.options.local,
                                          numbers[3],
                                          "Of " << numbers[0] << " GPUs");
                }
            }
        }
    }

    /**
     * @param problem the problem
     * @param change changes the settings
     * @param parts parts of the expected sentence; none if there is a plan
     */
    void TryStageRefusal(const PlanningProblem& problem,
                         const std::function<void(StageSettings&)>& change,
                         const std::vector<std::string>& parts)
    {
        StageSettings settings;
        change(settings);
        const auto make = [&]() { MakeStagePlan(problem, settings); };
        NS_TEST_EXPECT_MSG_EQ(FindWrongError(make, parts), "", problem.graph.GetName());
    }

    FabricLimits m_fabric; //!< The fabric
};

/// Registers the test cases
static const SuiteCases g_stageFabricCases(
    "lightpath-planner-stages",
    {{MakeCase("An ideal switch takes the estimated time", &StageFabricTests::TestStageSimulation),
      MakeCase("No cut makes the slowest stage faster", &StageFabricTests::TestBalancedCut),
      MakeCase("Messages within a server take its rate and latency",
               &StageFabricTests::TestServerEstimate),
      MakeCase("Shared-out optimiser state takes a share, and the same bytes",
               &StageFabricTests::TestSharedOptimizer),
      MakeCase("Strategies that do not suit the problem are refused in one sentence",
               &StageFabricTests::TestStageRefusal)}});
