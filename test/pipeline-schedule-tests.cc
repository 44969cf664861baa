/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "expert-tests.h"
#include "method-case.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/write/plan-builder.h"
#include "planner-tests.h"
#include "stage-tests.h"
#include "zero-bubble-oracle.h"

#include "ns3/fabric-description.h"
#include "ns3/fabric-helper.h"
#include "ns3/node-container.h"
#include "ns3/planning-problem.h"
#include "ns3/simulator.h"
#include "ns3/training-helper.h"
#include "ns3/training-plan.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param inner the number of layers between the first and the last one, which take no time
 * @param times the times of each of them for a sample
 * @param parameters the parameters of each of them
 * @return a chain of layers whose gradients of inputs and of weights are operators of their own,
 *         with 1 byte between layers and 1000 bytes that each forward operator saves
 */
OperatorGraph
MakeSplitLayers(uint32_t inner, const PassTimes& times, uint64_t parameters)
{
    OperatorGraph graph("layers");
    const uint32_t layers = inner + 2;
    const auto add = [&](const std::string& name, Pass pass, uint32_t layer, uint64_t time) {
        const bool isInner = layer > 0 && layer + 1 < layers;
        Operator op = MakeToyOperator(name + std::to_string(layer), pass, isInner ? time : 0);
        op.layer = layer;
        op.forward = layer;
        op.outputBytes = name == "w" || name == "u" ? 0 : 1;
        op.savedBytes = pass == Pass::FORWARD && isInner ? 1000 : 0;
        op.parameters = name == "f" || !isInner ? 0 : parameters;
        return graph.AddOperator(op);
    };
    for (uint32_t layer = 0; layer < layers; ++layer)
    {
        add("f", Pass::FORWARD, layer, times.forward);
        if (layer > 0)
        {
            graph.AddEdge(layer - 1, layer);
        }
    }
    std::vector<uint32_t> makers(layers);
    uint32_t behind = layers - 1;
    for (uint32_t layer = layers; layer-- > 0;)
    {
        const uint32_t input = add("b", Pass::BACKWARD, layer, times.inputs);
        graph.AddEdge(behind, input);
        makers[layer] = add("w", Pass::BACKWARD, layer, times.weights);
        graph.AddEdge(behind, makers[layer]);
        graph.AddEdge(layer, makers[layer]);
        behind = input;
    }
    for (uint32_t layer = 1; parameters > 0 && layer + 1 < layers; ++layer)
    {
        graph.AddEdge(makers[layer], add("u", Pass::UPDATE, layer, 0));
    }
    return graph;
}

/**
 * @ingroup lightpath-tests
 * @param stages the number of stages, of one GPU each
 * @param microbatches the number of microbatches of a replica
 * @param times the times of the passes of a part of the layers
 * @param replicas the number of replicas
 * @param parameters the parameters of a part
 * @param parts the number of parts of a stage
 * @return the problem, on a fabric that costs next to nothing
 */
PlanningProblem
MakeSplitProblem(uint32_t stages,
                 uint32_t microbatches,
                 const PassTimes& times,
                 uint32_t replicas = 1,
                 uint64_t parameters = 0,
                 uint32_t parts = 1)
{
    PlanningProblem problem = MakeToyProblem(MakeSplitLayers(stages * parts, times, parameters),
                                             stages * replicas,
                                             uint64_t{microbatches} * replicas);
    problem.fabric.bitRate = 1e18;
    return problem;
}

/**
 * @ingroup lightpath-tests
 * @param schedule the schedule
 * @param stages the number of stages
 * @param microbatches the number of microbatches
 * @param replicas the number of replicas
 * @return the strategy
 */
Strategy
MakeScheduleStrategy(PipelineScheduleKind schedule,
                     uint32_t stages,
                     uint32_t microbatches,
                     uint32_t replicas = 1)
{
    Strategy strategy;
    strategy.schedule = schedule;
    strategy.pipelineParallel = stages;
    strategy.microbatches = microbatches;
    strategy.dataParallel = replicas;
    return strategy;
}

/**
 * @ingroup lightpath-tests
 * @param problem the problem
 * @param strategy the strategy
 * @return the time of an iteration by its price, in us
 */
double
GetMicroseconds(const PlanningProblem& problem, const Strategy& strategy)
{
    const TrainingPlan plan = PlanBuilder(problem).Build(strategy);
    plan.Check();
    return CostModel(problem.fabric).Price(plan).seconds * 1e6;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of schedules of pipelines.
 */
class PipelineScheduleTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares ZB-H1 with the closed form of its bubble, and with a simulator of its own.
    void TestZeroBubble()
    {
        for (const uint32_t p : {2, 3, 4, 8})
        {
            for (const uint32_t m : {1U, p - 1, p, p + 1, 2 * p, 3 * p + 1})
            {
                for (const PassTimes& t : std::vector<PassTimes>{{10, 10, 10},
                                                                 {10, 12, 8},
                                                                 {20, 30, 10},
                                                                 {30, 30, 5},
                                                                 {10, 10, 30},
                                                                 {30, 10, 20},
                                                                 {10, 40, 20}})
                {
                    TryZeroBubble(p, m, t);
                }
            }
        }
    }

    /// Compares DualPipe with the closed form of its bubble.
    void TestDualPipe()
    {
        for (const uint32_t p : {2, 4, 6, 8, 16})
        {
            for (const uint32_t m : {2 * p, 2 * p + 2, 5 * p})
            {
                for (const PassTimes& t :
                     std::vector<PassTimes>{{10, 10, 10}, {30, 30, 5}, {20, 20, 10}, {40, 30, 20}})
                {
                    const double all =
                        GetMicroseconds(MakeSplitProblem(p, m, t),
                                        MakeScheduleStrategy(PipelineScheduleKind::DUALPIPE, p, m));
                    // Passes that overlap take as long as both of them: nothing communicates.
                    // (p / 2 - 1) ((F&B) + B - 3 W) if gradients of inputs take as long as a
                    // forward pass
                    const uint64_t both = t.GetAll();
                    const uint64_t backward = t.inputs + t.weights;
                    uint64_t bubble = both + backward - 3 * t.weights;
                    // The longer the forward pass, the longer the way to the middle and back
                    bubble += t.forward - t.inputs;
                    NS_TEST_EXPECT_MSG_EQ_TOL(
                        all,
                        static_cast<double>(m * t.GetAll() + (p / 2 - 1) * bubble),
                        1e-6,
                        "p " << p << " m " << m << " F " << t.forward << " W " << t.weights);
                }
            }
        }
    }

    /// Counts the activations and the state of a transformer.
    void TestMemory()
    {
        constexpr uint32_t P = 4;
        for (const uint32_t m : {2 * P, 3 * P})
        {
            const auto usual = GetLayerMemory(PipelineScheduleKind::ONE_F_ONE_B, P, m);
            const auto late = GetLayerMemory(PipelineScheduleKind::ZB_H1, P, m);
            const auto both = GetLayerMemory(PipelineScheduleKind::DUALPIPE, P, m);
            // A layer keeps s h (34 + 5 a s / h) bytes of a microbatch, and 32 s h of it for the
            // gradients of weights
            constexpr uint64_t SH = 64 * 96;
            constexpr uint64_t ALL = 34 * SH + 5 * 6 * 64 * 64;
            constexpr uint64_t WEIGHTS = 32 * SH;
            for (uint32_t stage = 0; stage < P; ++stage)
            {
                NS_TEST_EXPECT_MSG_EQ(usual[stage].activations, (P - stage) * ALL, "1F1B");
                NS_TEST_EXPECT_MSG_EQ(late[stage].activations,
                                      (P - stage) * ALL + stage * WEIGHTS,
                                      "ZB-H1");
                NS_TEST_EXPECT_MSG_LT_OR_EQ(late[stage].activations, P * ALL, "As 1F1B at most");
                NS_TEST_EXPECT_MSG_EQ(late[stage].parameters, usual[stage].parameters, "State");
                NS_TEST_EXPECT_MSG_EQ(both[stage].activations, (P + 1) * ALL, "DualPipe");
                NS_TEST_EXPECT_MSG_EQ(both[stage].parameters, 2 * usual[stage].parameters, "Both");
                NS_TEST_EXPECT_MSG_EQ(both[stage].gradients, 2 * usual[stage].gradients, "Both");
                NS_TEST_EXPECT_MSG_EQ(both[stage].optimizer, 2 * usual[stage].optimizer, "Both");
            }
        }
    }

    /// Counts the bytes of the sums over all copies of the parts of a model.
    void TestSums()
    {
        for (const uint32_t replicas : {1, 2, 3})
        {
            for (const uint32_t zero : {0, 1})
            {
                // 3 layers of 1200 parameters to a stage of 4
                const uint32_t p = 4;
                const PlanningProblem problem =
                    MakeSplitProblem(p, 2 * p, {10, 10, 10}, replicas, 1200);
                Strategy strategy =
                    MakeScheduleStrategy(PipelineScheduleKind::DUALPIPE, p, 2 * p, replicas);
                strategy.zeroStage = zero;
                const TrainingPlan plan = PlanBuilder(problem).Build(strategy);
                plan.Check();
                const uint32_t copies = 2 * replicas;
                for (uint32_t rank = 0; rank < p * replicas; ++rank)
                {
                    const auto& members = plan.groups[DATA_GROUP].GetMembers(rank);
                    NS_TEST_ASSERT_MSG_EQ(members.size(), copies, "Both stages of all replicas");
                    // Two parts of 1200 gradients of 2 bytes
                    uint64_t bytes = 0;
                    for (const auto& task : plan.programs[rank]->GetTasks())
                    {
                        const bool isSum = task.kind == TaskKind::COLLECTIVE &&
                                           task.group == DATA_GROUP && task.pass == Pass::BACKWARD;
                        bytes += isSum ? task.bytes : 0;
                    }
                    NS_TEST_EXPECT_MSG_EQ(bytes, 2 * 1200 * 2, "Gradients of rank " << rank);
                    NS_TEST_EXPECT_MSG_EQ(plan.memory[rank].optimizer,
                                          2 * 1200 * 12 / (zero > 0 ? copies : 1),
                                          "Optimiser state");
                }
                NS_TEST_EXPECT_MSG_EQ(plan.groups[DATA_GROUP].GetMembers(0).back(),
                                      p * replicas - 1,
                                      "The first and the last stage");
            }
        }
        // An embedding and a head that share their parameters are on the same GPUs
        const PlanningProblem tied =
            MakeStageProblem("gpt2-xl:gradients=half,layers=4,hidden=96,heads=6,feedForward=384,"
                             "vocabulary=768,sequence=64",
                             2,
                             4);
        const TrainingPlan plan =
            PlanBuilder(tied).Build(MakeScheduleStrategy(PipelineScheduleKind::DUALPIPE, 2, 4));
        plan.Check();
        NS_TEST_EXPECT_MSG_EQ(plan.memory[0].gradients,
                              tied.graph.GetParameters() * tied.graph.gradientBytes,
                              "The whole model once");
        NS_TEST_EXPECT_MSG_EQ(plan.GetTraffic().GetTotal(),
                              2 * plan.memory[0].gradients + 4 * 2 * 64 * 96 * 2,
                              "Sums over two GPUs, and four microbatches there and back");
    }

    /// Tries degrees that do not suit a schedule.
    void TestRefusal()
    {
        const auto expect = [&](PipelineScheduleKind schedule,
                                uint32_t p,
                                uint32_t m,
                                uint32_t chunks,
                                const std::vector<std::string>& parts) {
            const PlanningProblem problem = MakeSplitProblem(12, m, {10, 10, 10});
            Strategy strategy = MakeScheduleStrategy(schedule, p, m);
            strategy.virtualStages = chunks;
            const auto check = [&]() { PlanBuilder(problem).GetMemory(strategy); };
            NS_TEST_EXPECT_MSG_EQ(FindWrongError(check, parts), "", p << " stages, " << m);
        };
        const auto late = PipelineScheduleKind::ZB_H1;
        const auto both = PipelineScheduleKind::DUALPIPE;
        expect(late, 4, 1, 1, {});
        expect(late, 1, 8, 1, {"zb-h1", "PipelineParallel, which is 1, must be 2"});
        expect(late, 2, 8, 2, {"zb-h1", "VirtualStages, which is 2, must be 1"});
        expect(both, 4, 8, 1, {});
        expect(both, 1, 8, 1, {"dualpipe", "PipelineParallel, which is 1, must be 2"});
        expect(both, 2, 8, 2, {"dualpipe", "VirtualStages, which is 2, must be 1"});
        expect(both, 3, 8, 1, {"dualpipe", "must be even, but is 3"});
        expect(both, 4, 6, 1, {"dualpipe", "4 stages", "6 microbatches", "smaller Microbatch"});
        expect(both, 4, 9, 1, {"an even number", "9 microbatches"});
    }

    /// Compares predictions with simulations of transformers, and the parts of their time.
    void TestSimulation()
    {
        for (const auto schedule : {PipelineScheduleKind::ZB_H1, PipelineScheduleKind::DUALPIPE})
        {
            for (const std::string fabric : {"electrical", "sip-ocs"})
            {
                TrySimulation(fabric, schedule, 1, 1);
                TrySimulation(fabric, schedule, 2, 1);
                TrySimulation(fabric, schedule, 1, 2);
            }
        }
    }

    /// Waits in a bubble alone if the network costs nothing.
    void TestBubbleReport()
    {
        // (p - 1) (F + B), (p - 1) (F + B - 2 W) and (p / 2 - 1) (F + 2 B - 3 W)
        ExpectBubble(PipelineScheduleKind::ONE_F_ONE_B, 9e-3);
        ExpectBubble(PipelineScheduleKind::ZB_H1, 3e-3);
        ExpectBubble(PipelineScheduleKind::DUALPIPE, 2e-3);
    }

    /// Hides the exchange of experts behind another microbatch.
    void TestOverlap()
    {
        for (const uint64_t exchange : {0, 5, 10})
        {
            TryOverlap(exchange);
        }
    }

  private:
    /**
     * @param schedule the schedule
     * @param p the number of stages
     * @param m the number of microbatches
     * @return the memory of one layer of a stage, by stage
     */
    static std::vector<MemoryUse> GetLayerMemory(PipelineScheduleKind schedule,
                                                 uint32_t p,
                                                 uint32_t m)
    {
        // One layer to a stage, then two, instead of all: the difference is one layer
        std::vector<MemoryUse> uses[2];
        for (const uint32_t times : {1, 2})
        {
            const PlanningProblem problem = MakeStageProblem(
                "gpt2-xl:gradients=half,layers=" + std::to_string(times * p) +
                    ",hidden=96,heads=6,feedForward=384,vocabulary=768,sequence=64",
                p,
                m);
            uses[times - 1] = PlanBuilder(problem).GetMemory(MakeScheduleStrategy(schedule, p, m));
        }
        for (uint32_t stage = 0; stage < p; ++stage)
        {
            uses[1][stage].activations -= uses[0][stage].activations;
            uses[1][stage].parameters -= uses[0][stage].parameters;
            uses[1][stage].gradients -= uses[0][stage].gradients;
            uses[1][stage].optimizer -= uses[0][stage].optimizer;
        }
        return uses[1];
    }

    /**
     * @param plan the plan
     * @param fabric the fabric
     * @return the report on two iterations
     */
    static TrainingReport Simulate(const TrainingPlan& plan, FabricHelper& fabric)
    {
        NodeContainer nodes;
        nodes.Create(plan.programs.size());
        const NetDeviceContainer devices = fabric.Install(nodes);
        TrainingHelper helper;
        helper.SetJobAttribute("Iterations", UintegerValue(2));
        helper.SetTransportAttribute("FrameSize", UintegerValue(0));
        const auto applications = helper.Install(plan, devices, fabric.CreateController(devices));
        Simulator::Run();
        TrainingReport report(TrainingHelper::GetJob(applications),
                              FabricHelper::GetChannel(devices));
        Simulator::Destroy();
        return report;
    }

    /**
     * @param name the name of the fabric
     * @param schedule the schedule
     * @param tensor the number of GPUs that share an operator
     * @param replicas the number of replicas
     */
    void TrySimulation(const std::string& name,
                       PipelineScheduleKind schedule,
                       uint32_t tensor,
                       uint32_t replicas)
    {
        const uint32_t gpus = 4 * tensor * replicas;
        const auto fabric = FabricHelper::Create(name);
        fabric->SetBandwidth(DataRate("800Gbps"));
        PlanningProblem problem = MakeStageProblem(
            "gpt2-xl:gradients=half,layers=8,hidden=1024,heads=8,feedForward=4096,vocabulary=1024",
            gpus,
            8 * replicas);
        problem.fabric = FabricDescription::Create(*fabric)->GetLimits(gpus);
        Strategy strategy = MakeScheduleStrategy(schedule, 4, 8, replicas);
        strategy.tensorParallel = tensor;
        strategy.sequenceParallel = tensor > 1;
        strategy.recomputation = tensor > 1 ? Recomputation::SELECTIVE : Recomputation::NONE;
        const TrainingPlan plan = PlanBuilder(problem).Build(strategy);
        plan.Check();
        const double price = CostModel(problem.fabric).Price(plan).seconds;
        const TrainingReport report = Simulate(plan, *fabric);
        NS_TEST_EXPECT_MSG_EQ_TOL(report.GetSteadySeconds(),
                                  price,
                                  0.01 * price,
                                  name << ", " << strategy.GetName());
        double exposed = 0;
        for (const auto& part : report.exposedSeconds)
        {
            exposed += part.second;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(report.computeSeconds + report.bubbleSeconds + exposed,
                                  report.GetSteadySeconds(),
                                  1e-6,
                                  "The parts are all");
    }

    /**
     * @param schedule the schedule
     * @param bubble the bubble of 4 stages and 8 microbatches, seconds
     */
    void ExpectBubble(PipelineScheduleKind schedule, double bubble)
    {
        const auto fabric = FabricHelper::Create("electrical");
        fabric->SetBandwidth(DataRate("100000Gbps"));
        PlanningProblem problem = MakeSplitProblem(4, 8, {1000, 1000, 1000});
        problem.fabric = FabricDescription::Create(*fabric)->GetLimits(4);
        const TrainingPlan plan = PlanBuilder(problem).Build(MakeScheduleStrategy(schedule, 4, 8));
        const TrainingReport report = Simulate(plan, *fabric);
        const std::string& name = PipelineScheduleName::Get(schedule);
        NS_TEST_EXPECT_MSG_EQ_TOL(report.computeSeconds, 24e-3, 1e-9, name);
        // Some microseconds for the way of messages
        NS_TEST_EXPECT_MSG_EQ_TOL(report.GetSteadySeconds(), 24e-3 + bubble, 1e-4, name);
        NS_TEST_EXPECT_MSG_EQ_TOL(report.bubbleSeconds, bubble, 1e-4, name);
        NS_TEST_EXPECT_MSG_LT(report.exposedCommunicationSeconds, 1e-4, name);
    }

    /**
     * @param exchange the time of an all-to-all, in us
     */
    void TryOverlap(uint64_t exchange)
    {
        // Two stages of two replicas. Another microbatch takes 90 us and 4 exchanges with 1F1B.
        // Where two passes overlap, exchanges are hidden behind the other pass
        const auto get = [&](PipelineScheduleKind schedule, uint32_t m) {
            PlanningProblem problem = MakeToyProblem(MakeExperts(exchange), 4, 2 * m);
            Strategy strategy = MakeScheduleStrategy(schedule, 2, m, 2);
            strategy.expertParallel = 2;
            return GetMicroseconds(problem, strategy);
        };
        const auto usual = PipelineScheduleKind::ONE_F_ONE_B;
        const auto both = PipelineScheduleKind::DUALPIPE;
        const double tolerance = 1; // messages of a byte between stages
        NS_TEST_EXPECT_MSG_EQ_TOL(get(usual, 12) - get(usual, 10),
                                  static_cast<double>(2 * (90 + 4 * exchange)),
                                  tolerance,
                                  "1F1B, an exchange of " << exchange << " us");
        NS_TEST_EXPECT_MSG_EQ_TOL(get(both, 12) - get(both, 10),
                                  2 * 90.0,
                                  tolerance,
                                  "DualPipe, an exchange of " << exchange << " us");
    }

    /**
     * @param exchange the time of an all-to-all, in us
     * @return two layers of two plain operators and one with experts between them, which take 10 us
     *         forward and 20 us backward each
     */
    static OperatorGraph MakeExperts(uint64_t exchange)
    {
        // A GPU sends half of each buffer at its rate of 1 kB/us
        const uint64_t bytes = 2000 * exchange;
        OperatorGraph graph("experts");
        const auto add = [&](const std::string& name, Pass pass, uint32_t index) {
            const uint32_t layer = index == 0 ? 0 : (index + 2) / 3;
            const bool isInner = layer == 1 || layer == 2;
            const uint32_t place = isInner ? (index - 1) % 3 : 0;
            Operator op = MakeToyOperator(name + std::to_string(index),
                                          pass,
                                          !isInner                ? 0
                                          : pass == Pass::FORWARD ? 10
                                                                  : 20);
            op.layer = layer;
            op.forward = index;
            op.experts = isInner && place == 1 ? 2 : 0;
            // The last operator of a layer in each pass hands a byte over
            const bool isEnd = !isInner || place == (pass == Pass::FORWARD ? 2 : 0);
            op.outputBytes = isEnd || bytes == 0 ? 1 : bytes;
            return graph.AddOperator(op);
        };
        constexpr uint32_t N = 8; // 2 layers of 3 operators, between ends that take no time
        for (uint32_t index = 0; index < N; ++index)
        {
            add("f", Pass::FORWARD, index);
            if (index > 0)
            {
                graph.AddEdge(index - 1, index);
            }
        }
        uint32_t behind = N - 1;
        for (uint32_t index = N; index-- > 0;)
        {
            const uint32_t op = add("b", Pass::BACKWARD, index);
            graph.AddEdge(behind, op);
            behind = op;
        }
        return graph;
    }

    /**
     * @param p the number of stages
     * @param m the number of microbatches
     * @param t the times of the passes
     */
    void TryZeroBubble(uint32_t p, uint32_t m, const PassTimes& t)
    {
        const std::string label = "p " + std::to_string(p) + " m " + std::to_string(m) + " times " +
                                  std::to_string(t.forward) + " " + std::to_string(t.inputs) + " " +
                                  std::to_string(t.weights);
        const PlanningProblem problem = MakeSplitProblem(p, m, t);
        const double time =
            GetMicroseconds(problem, MakeScheduleStrategy(PipelineScheduleKind::ZB_H1, p, m));
        ZeroBubbleOracle oracle(p, m, t);
        const uint64_t one = oracle.GetEnd(1);
        const uint64_t two = oracle.GetEnd(2);
        NS_TEST_EXPECT_MSG_EQ_TOL(time, static_cast<double>(two - one), 1e-6, label);
        // The updates wait for the last stage
        NS_TEST_EXPECT_MSG_EQ_TOL(
            GetMicroseconds(MakeSplitProblem(p, m, t, 1, 1),
                            MakeScheduleStrategy(PipelineScheduleKind::ZB_H1, p, m)),
            static_cast<double>(one),
            1e-6,
            "with a norm, " << label);
        const uint64_t work = m * t.GetAll();
        if (m >= p)
        {
            // (p - 1) (F + B - 2 W), with W at most as long as the two others
            const uint64_t least = std::min({t.forward, t.inputs, t.weights});
            NS_TEST_EXPECT_MSG_EQ(one, work + (p - 1) * (t.forward + t.inputs - least), label);
        }
        const double usual =
            GetMicroseconds(problem, MakeScheduleStrategy(PipelineScheduleKind::ONE_F_ONE_B, p, m));
        // (p - 1) (F + B), and the v-th part of it with v parts
        NS_TEST_EXPECT_MSG_EQ_TOL(usual,
                                  static_cast<double>(work + (p - 1) * t.GetAll()),
                                  1e-6,
                                  "1F1B, " << label);
        for (const uint32_t v : {2, 3})
        {
            Strategy strategy = MakeScheduleStrategy(PipelineScheduleKind::ONE_F_ONE_B, p, m);
            strategy.virtualStages = v;
            if (m % p == 0)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(
                    GetMicroseconds(MakeSplitProblem(p, m, t, 1, 0, v), strategy),
                    static_cast<double>(v * work + (p - 1) * t.GetAll()),
                    1e-6,
                    v << " parts, " << label);
            }
        }
    }
};

/// Registers the test cases
static const SuiteCases g_pipelineScheduleCases(
    "lightpath-planner-stages",
    {{MakeCase("ZB-H1 has the published bubble", &PipelineScheduleTests::TestZeroBubble),
      MakeCase("DualPipe has the published bubble", &PipelineScheduleTests::TestDualPipe),
      MakeCase("Schedules keep the published activations", &PipelineScheduleTests::TestMemory),
      MakeCase("Gradients of DualPipe are summed over both stages",
               &PipelineScheduleTests::TestSums),
      MakeCase("Degrees that do not suit a schedule are refused",
               &PipelineScheduleTests::TestRefusal),
      MakeCase("Schedules take the predicted time", &PipelineScheduleTests::TestSimulation),
      MakeCase("Waits of schedules are a bubble", &PipelineScheduleTests::TestBubbleReport),
      MakeCase("DualPipe hides the exchange of experts", &PipelineScheduleTests::TestOverlap)}});
