/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/planner/write/plan-builder.h"
#include "planner-tests.h"
#include "stage-tests.h"

#include "ns3/boolean.h"
#include "ns3/circuit-controller.h"
#include "ns3/fabric-description.h"
#include "ns3/fabric-helper.h"
#include "ns3/node-container.h"
#include "ns3/plan-folder.h"
#include "ns3/planning-problem.h"
#include "ns3/simulator.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Parameters of a layer of the toy model.
constexpr uint64_t PARAMETERS = 2000;

/**
 * @ingroup lightpath-tests
 * @param layers the number of layers, each of which takes 10 us for a sample forward and 20 us
 *        backward and has PARAMETERS parameters
 * @return a chain of layers
 */
OperatorGraph
MakeLayers(uint32_t layers)
{
    OperatorGraph graph("layers");
    const auto add = [&](const std::string& name, Pass pass, uint32_t layer, uint64_t time) {
        Operator op = MakeToyOperator(name + std::to_string(layer), pass, time, 1);
        op.layer = layer;
        op.forward = layer;
        op.parameters = PARAMETERS;
        return graph.AddOperator(op);
    };
    for (uint32_t layer = 0; layer < layers; ++layer)
    {
        const uint32_t op = add("f", Pass::FORWARD, layer, 10);
        if (layer > 0)
        {
            graph.AddEdge(op - 1, op);
        }
    }
    std::vector<uint32_t> gradients(layers);
    for (uint32_t layer = layers; layer-- > 0;)
    {
        gradients[layer] = add("b", Pass::BACKWARD, layer, 20);
        graph.AddEdge(gradients[layer] - 1, gradients[layer]);
        if (layer + 1 < layers)
        {
            graph.AddEdge(layer, gradients[layer]);
        }
    }
    for (uint32_t layer = 0; layer < layers; ++layer)
    {
        graph.AddEdge(gradients[layer], add("u", Pass::UPDATE, layer, 0));
    }
    return graph;
}

/**
 * @ingroup lightpath-tests
 * @param replicas the number of replicas
 * @param microbatches the number of microbatches
 * @param zeroStage the shared-out state
 * @param bucketBytes the size of a bucket
 * @return the strategy
 */
Strategy
MakeStrategy(uint32_t replicas, uint32_t microbatches, uint32_t zeroStage, uint64_t bucketBytes)
{
    Strategy strategy;
    strategy.dataParallel = replicas;
    strategy.microbatches = microbatches;
    strategy.zeroStage = zeroStage;
    strategy.bucketBytes = bucketBytes;
    return strategy;
}

/**
 * @ingroup lightpath-tests
 * @param problem a problem
 * @param strategy a strategy
 * @return its plan, checked
 */
TrainingPlan
MakePlan(const PlanningProblem& problem, const Strategy& strategy)
{
    TrainingPlan plan = PlanBuilder(problem).Build(strategy);
    plan.Check();
    return plan;
}

/**
 * @ingroup lightpath-tests
 * @param plan a plan
 * @param kind a kind of group
 * @return the bytes that all its ranks send in groups of this kind
 */
uint64_t
GetDataBytes(TrainingPlan plan, uint32_t kind = DATA_GROUP)
{
    plan.circuitWeights.assign(plan.groups.size(), 0);
    plan.circuitWeights[kind] = 1;
    return plan.GetDemand().GetTotal();
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of shared state.
 */
class SharedStateTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares the traffic of shared-out state with its closed forms.
    void TestTraffic()
    {
        for (const uint32_t replicas : {2, 3, 4, 5, 7})
        {
            for (const uint32_t microbatches : {1, 2, 3})
            {
                for (const uint64_t bucket : {uint64_t{0}, uint64_t{9000}, uint64_t{25} << 20})
                {
                    TryLayers(replicas, microbatches, bucket);
                }
            }
        }
        for (const uint32_t tensor : {1, 2, 3})
        {
            TryTransformer(tensor, 1, false);
            TryTransformer(tensor, 2, tensor > 1);
        }
    }

    /// Compares the memory of shared-out state with its closed forms.
    void TestMemory()
    {
        constexpr uint64_t layers = 5;
        constexpr uint64_t whole = 2 * PARAMETERS; // bytes of a layer
        for (const uint32_t replicas : {1, 2, 3, 7, 8})
        {
            for (const uint32_t m : {1, 3})
            {
                const PlanningProblem problem =
                    MakeToyProblem(MakeLayers(layers), replicas, replicas * m);
                const uint64_t share = layers * ((PARAMETERS + replicas - 1) / replicas);
                const bool isShared = replicas > 1;
                const auto expect = [&](uint32_t zero, uint64_t bucket, uint64_t gradients) {
                    const MemoryUse use =
                        MakePlan(problem, MakeStrategy(replicas, m, zero, bucket)).memory[0];
                    const uint64_t parameters =
                        zero > 2 && isShared ? 2 * share + 2 * whole : layers * whole;
                    NS_TEST_EXPECT_MSG_EQ(use.parameters, parameters, "Stage " << zero);
                    NS_TEST_EXPECT_MSG_EQ(use.gradients,
                                          (isShared ? gradients : layers * whole),
                                          "Stage " << zero << " bucket " << bucket);
                    NS_TEST_EXPECT_MSG_EQ(use.optimizer,
                                          (zero > 0 ? share : layers * PARAMETERS) * 12,
                                          "Stage " << zero);
                };
                expect(0, whole, layers * whole);
                expect(1, whole, layers * whole);
                for (const uint32_t zero : {2, 3})
                {
                    // A bucket is a layer, or two, or all of them
                    expect(zero, whole, 2 * share + 2 * whole);
                    expect(zero, 2 * whole, 2 * share + 4 * whole);
                    expect(zero, UINT64_MAX, 2 * share + (m > 1 ? 2 : 1) * layers * whole);
                }
            }
        }
    }

    /// A bucket is summed as soon as it is exactly full: five layers make five buckets of one.
    void TestFullBuckets()
    {
        for (const uint32_t zero : {0, 1, 2, 3})
        {
            const uint32_t microbatches = zero > 1 ? 2 : 1;
            for (const uint32_t layers : {1, 2})
            {
                const PlanningProblem problem = MakeToyProblem(MakeLayers(5), 2, 2 * microbatches);
                const TrainingPlan plan = MakePlan(
                    problem,
                    MakeStrategy(2, microbatches, zero, uint64_t{layers} * 2 * PARAMETERS));
                uint32_t nSums = 0;
                for (const auto& task : plan.programs[0]->GetTasks())
                {
                    nSums += task.kind == TaskKind::COLLECTIVE &&
                             task.collective != CollectiveKind::ALL_GATHER;
                }
                NS_TEST_EXPECT_MSG_EQ(nSums,
                                      microbatches * (layers == 1 ? 5 : 3),
                                      "Stage " << zero << ", buckets of " << layers);
            }
        }
    }

    /**
     * Compares traffic and memory of R groups of S replicas that share out state with closed forms:
     * in each group those of S replicas, and once an all-reduce of an S-th of the gradients over
     * the R GPUs with the same share.
     */
    void TestGroups()
    {
        for (const auto& [d, s] :
             std::vector<std::pair<uint32_t, uint32_t>>{{4, 2}, {6, 2}, {8, 2}, {8, 4}, {4, 4}})
        {
            for (const uint32_t m : {1, 3})
            {
                for (const uint64_t bucket : {uint64_t{0}, uint64_t{9000}, uint64_t{25} << 20})
                {
                    TryGroups(d, s, m, bucket);
                }
            }
        }
    }

    /**
     * Compares traffic and memory of gradients of 4 bytes, of parameters of 2, with closed forms;
     * then those of a published plan.
     */
    void TestWideGradients()
    {
        constexpr uint64_t all = 6 * PARAMETERS;
        constexpr uint32_t m = 3;
        OperatorGraph graph = MakeLayers(6);
        graph.gradientBytes = 4;
        const PlanningProblem problem = MakeToyProblem(graph, 4, 8 * m);
        const uint64_t sent[] = {2 * 4 * all, 6 * all, (4 * m + 2) * all, (4 + 2 * 2) * m * all};
        for (uint32_t zero = 0; zero <= 3; ++zero)
        {
            Strategy strategy = MakeStrategy(4, m, zero, 0);
            const TrainingPlan plan = MakePlan(problem, strategy);
            NS_TEST_EXPECT_MSG_EQ(GetDataBytes(plan), 3 * sent[zero], strategy.GetName());
            NS_TEST_EXPECT_MSG_EQ(plan.memory[0].gradients,
                                  4 * (zero < 2 ? all : all / 4 + 2 * PARAMETERS),
                                  strategy.GetName());
        }
        // Llama Team, "The Llama 3 herd of models", 2024, table 4, without recomputation
        PlanningProblem published = MakeStageProblem("llama-3.1-405b:gradients=single", 8192, 2048);
        published.accelerator = Accelerator::Create("H100");
        Strategy strategy = MakeStrategy(64, 32, 1, 0);
        strategy.tensorParallel = 8;
        strategy.pipelineParallel = 16;
        strategy.sequenceParallel = true;
        const PlanBuilder builder(published);
        NS_TEST_EXPECT_MSG_LT(builder.GetMostBytes(strategy), 80 * (uint64_t{1} << 30), "It fits");
        const auto memory = builder.GetMemory(strategy);
        // Attention and feed-forward block of 126 layers and, not split, two norms of each
        const uint64_t layer =
            (16384 * (2 * 16384 + 2 * 1024) + 3 * 16384 * 53248ULL) / 8 + 2 * 16384;
        const uint64_t parameters = 126 * layer + 2 * 128256 * 16384ULL / 8 + 16384;
        uint64_t sum = 0;
        for (const auto& use : memory)
        {
            sum += use.parameters;
            NS_TEST_EXPECT_MSG_EQ(use.gradients, 2 * use.parameters, "4 bytes and 2");
        }
        NS_TEST_EXPECT_MSG_EQ(sum, 2 * parameters, "Parameters of all stages");
    }

    /// Refuses state that cannot be shared out.
    void TestRefusal()
    {
        const PlanningProblem problem = MakeToyProblem(MakeLayers(6), 4, 16);
        const auto expect = [&](Strategy strategy, const std::vector<std::string>& parts) {
            NS_TEST_EXPECT_MSG_EQ(
                FindWrongError([&]() { PlanBuilder(problem).Build(strategy); }, parts),
                "",
                strategy.GetName());
        };
        Strategy strategy = MakeStrategy(4, 2, 3, 0);
        strategy.shardGpus = 3;
        expect(strategy, {"ShardGpus is 3", "divide the 4 GPUs with the same part of the model"});
        strategy.shardGpus = 1;
        expect(strategy, {"ShardGpus is 1", "must be 2 or more"});
        strategy.shardGpus = 2;
        expect(strategy, {});
        strategy.zeroStage = 0;
        expect(strategy, {"nothing is shared out", "ZeroStage must be 1, 2 or 3"});
        strategy.zeroStage = 1;
        strategy.dataParallel = 2;
        strategy.pipelineParallel = 2;
        strategy.microbatches = 4;
        strategy.schedule = PipelineScheduleKind::DUALPIPE;
        expect(strategy, {"DualPipe", "ShardGpus is 2"});
        strategy.schedule = PipelineScheduleKind::ONE_F_ONE_B;
        expect(strategy, {});
        strategy = MakeStrategy(4, 2, 2, 0);
        strategy.wholeGradients = true;
        expect(strategy, {"ZeroStage is 2", "WholeGradients belongs to stage 3"});
        // The largest part of the memory decides on the remedy
        PlanningProblem small = problem;
        small.accelerator.memoryBytes = 100000;
        strategy = MakeStrategy(4, 2, 3, 0);
        strategy.shardGpus = 2;
        NS_TEST_EXPECT_MSG_EQ(FindWrongError([&]() { PlanBuilder(small).Build(strategy); },
                                             {"Memory", "use a larger ShardGpus"}),
                              "",
                              "Memory");
    }

    /// Compares the time of shared-out parameters with results worked out by hand.
    void TestTime()
    {
        constexpr uint32_t layers = 6;
        PlanningProblem problem = MakeToyProblem(MakeLayers(layers), 2, 2);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("BucketBytes", UintegerValue(1));
        planner->SetAttribute("ZeroStage", UintegerValue(3));
        // 30 us a layer; half of 4000 bytes at 1 byte/ns: 2 us for each of three collectives. Only
        // the first gather and the last sum are not hidden.
        NS_TEST_EXPECT_MSG_EQ_TOL(planner->TryPlan(problem).predictedSeconds,
                                  layers * 30e-6 + 2 * 2e-6,
                                  1e-9,
                                  "Computation hides the rest");
        // At a hundredth of the rate each collective takes 200 us, one after the other
        problem.fabric.bitRate = 8e7;
        NS_TEST_EXPECT_MSG_EQ_TOL(planner->TryPlan(problem).predictedSeconds,
                                  3 * layers * 200e-6,
                                  1e-9,
                                  "Communication hides all computation");
        // In between, neither hides all of the other
        problem.fabric.bitRate = 1e9;
        const double seconds = planner->TryPlan(problem).predictedSeconds;
        NS_TEST_EXPECT_MSG_GT(seconds, std::max(layers * 30e-6, 3 * layers * 16e-6), "The longer");
        NS_TEST_EXPECT_MSG_LT(seconds, layers * 30e-6 + 3 * layers * 16e-6, "Not one by one");
        CheckOrder(planner->TryPlan(problem));
    }

    /// Runs small jobs on a switch and on circuits.
    void TestSimulation()
    {
        for (const std::string fabric : {"electrical", "sip-ocs", "sip-ring"})
        {
            for (const uint32_t zero : {2, 3})
            {
                Try(fabric, zero, 1, 4);
                Try(fabric, zero, 2, 3);
            }
        }
    }

  private:
    /**
     * Check a chain in which each layer has its own parameters.
     *
     * @param d the number of replicas
     * @param m the number of microbatches
     * @param bucket the size of a bucket
     */
    void TryLayers(uint32_t d, uint32_t m, uint64_t bucket)
    {
        const PlanningProblem problem = MakeToyProblem(MakeLayers(6), d, 2 * d * m);
        // Psi elements of 2 bytes
        const uint64_t psi = 6 * PARAMETERS * 2;
        const uint64_t expected[] = {2 * psi, 2 * psi, (m + 1) * psi, 3 * m * psi};
        for (uint32_t zero = 0; zero <= 3; ++zero)
        {
            const TrainingPlan plan = MakePlan(problem, MakeStrategy(d, m, zero, bucket));
            NS_TEST_EXPECT_MSG_EQ(GetDataBytes(plan),
                                  (d - 1) * expected[zero],
                                  "Stage " << zero << ", " << d << " replicas, " << m);
            NS_TEST_EXPECT_MSG_EQ(plan.GetTraffic().GetDegree(), 1, "A ring");
            NS_TEST_EXPECT_MSG_EQ(PlanFolder(plan).GetPlan().programs.size(), 2, "Folded");
            NS_TEST_EXPECT_MSG_EQ_TOL(plan.programs[0]->GetComputeSeconds(),
                                      6 * 2 * m * 30e-6,
                                      1e-12,
                                      "The same work");
        }
    }

    /**
     * Check groups of replicas that share out state.
     *
     * @param d the number of replicas
     * @param s the replicas of a group
     * @param m the number of microbatches
     * @param bucket the size of a bucket
     */
    void TryGroups(uint32_t d, uint32_t s, uint32_t m, uint64_t bucket)
    {
        const PlanningProblem problem = MakeToyProblem(MakeLayers(6), d, 2 * d * m);
        const uint64_t psi = 6 * PARAMETERS * 2;
        const uint64_t whole = 2 * PARAMETERS; // bytes of a layer
        const uint64_t share = 6 * PARAMETERS / s;
        // A bucket is a layer, or three, or all of them, once or for each of two microbatches
        const uint64_t buckets = bucket == 0          ? 2 * whole
                                 : bucket < 4 * whole ? 6 * whole
                                                      : std::min(m, 2U) * psi;
        const uint64_t expected[] = {2 * psi, (m + 1) * psi, 3 * m * psi, (2 * m + 1) * psi};
        for (uint32_t i = 0; i < 4; ++i)
        {
            Strategy strategy = MakeStrategy(d, m, std::min(i + 1, 3U), bucket);
            strategy.shardGpus = s;
            strategy.wholeGradients = i == 3;
            const TrainingPlan plan = MakePlan(problem, strategy);
            const std::string name = strategy.GetName();
            NS_TEST_EXPECT_MSG_EQ(GetDataBytes(plan), d / s * (s - 1) * expected[i], name);
            NS_TEST_EXPECT_MSG_EQ((d > s ? GetDataBytes(plan, SHARD_COPY_GROUP) : 0),
                                  2 * (d / s - 1) * psi,
                                  name);
            NS_TEST_EXPECT_MSG_EQ(plan.GetTraffic().GetTotal(),
                                  d / s * (s - 1) * expected[i] + 2 * (d / s - 1) * psi,
                                  "Nothing else: " << name);
            NS_TEST_EXPECT_MSG_EQ(plan.memory[0].optimizer, 12 * share, name);
            NS_TEST_EXPECT_MSG_EQ(plan.memory[0].parameters,
                                  (i < 2 ? psi : 2 * share + 2 * whole),
                                  name);
            NS_TEST_EXPECT_MSG_EQ(plan.memory[0].gradients,
                                  (i == 0 || i == 3 ? psi : 2 * share + buckets),
                                  name);
            NS_TEST_EXPECT_MSG_EQ(PlanFolder(plan).GetPlan().programs.size(),
                                  (d > s ? 4 : 2),
                                  "Folded: " << name);
        }
    }

    /**
     * Check a transformer whose first and last layer use the same table.
     *
     * @param t the number of GPUs that share an operator
     * @param m the number of microbatches
     * @param sequence whether tokens are shared out
     */
    void TryTransformer(uint32_t t, uint32_t m, bool sequence)
    {
        const uint32_t d = 4;
        const PlanningProblem problem =
            MakeStageProblem("gpt2-xl:layers=2,hidden=96,heads=6,feedForward=384,vocabulary=768,"
                             "gradients=half",
                             d * t,
                             d * m);
        uint64_t own = 0; // parameters that each GPU makes gradients of from its own tokens
        for (const auto& op : problem.graph.GetOperators())
        {
            const bool isPartial =
                sequence && op.pass == Pass::UPDATE && op.split == TensorSplit::SEQUENCE;
            own += isPartial ? 2 * op.parameters : 0;
        }
        Strategy strategy = MakeStrategy(d, m, 0, 1 << 16);
        strategy.tensorParallel = t;
        strategy.sequenceParallel = sequence;
        const TrainingPlan whole = MakePlan(problem, strategy);
        const uint64_t all = whole.memory[0].parameters;
        const uint64_t table = 768 * 96 / t * 2;
        const uint64_t expected[] = {2 * all,
                                     2 * all,
                                     m * (all - own) + own + all,
                                     m * (all - own) + own + 2 * m * (all + table)};
        for (uint32_t zero = 0; zero <= 3; ++zero)
        {
            strategy.zeroStage = zero;
            const TrainingPlan plan = MakePlan(problem, strategy);
            NS_TEST_EXPECT_MSG_EQ(GetDataBytes(plan),
                                  t * (d - 1) * expected[zero],
                                  "Stage " << zero << ", " << t << " parts, " << m);
            NS_TEST_EXPECT_MSG_EQ(plan.GetTraffic().GetTotal() - GetDataBytes(plan),
                                  whole.GetTraffic().GetTotal() - GetDataBytes(whole),
                                  "Tensor parallelism sends the same");
        }
        NS_TEST_EXPECT_MSG_EQ((own > 0), sequence, "There are such parameters");
    }

    /**
     * Check the tasks that the gathers wait for, and the tasks that wait for the gathers.
     *
     * @param plan a plan of 6 layers
     */
    void CheckOrder(const TrainingPlan& plan)
    {
        const RankProgram& program = *plan.programs[0];
        std::vector<uint32_t> gathers;
        std::vector<std::string> names;
        for (uint32_t i = 0; i < program.GetTasks().size(); ++i)
        {
            const Task& task = program.GetTasks()[i];
            if (task.kind == TaskKind::COLLECTIVE && task.collective == CollectiveKind::ALL_GATHER)
            {
                gathers.push_back(i);
                names.push_back(task.name);
            }
        }
        NS_TEST_ASSERT_MSG_EQ(gathers.size(), 12, "Each layer forward and backward");
        for (uint32_t step = 0; step < 12; ++step)
        {
            const uint32_t layer = step < 6 ? step : 11 - step;
            NS_TEST_EXPECT_MSG_EQ(names[step],
                                  "layer " + std::to_string(layer) + " parameters",
                                  "Step " << step);
            const std::string reader = (step < 6 ? "f" : "b") + std::to_string(layer);
            bool isRead = false;
            for (const auto after : program.GetSuccessors(gathers[step]))
            {
                isRead = isRead || program.GetTasks()[after].name == reader;
            }
            NS_TEST_EXPECT_MSG_EQ(isRead, true, reader << " waits for its parameters");
        }
        for (uint32_t i = 0; i < program.GetTasks().size(); ++i)
        {
            // The gather of layer n + 2 begins once layer n has been computed
            const std::string& name = program.GetTasks()[i].name;
            const auto& after = program.GetSuccessors(i);
            for (uint32_t layer = 0; layer < 4; ++layer)
            {
                NS_TEST_EXPECT_MSG_EQ(
                    (name == "f" + std::to_string(layer) &&
                     std::count(after.begin(), after.end(), gathers[layer + 2]) == 0),
                    false,
                    name << " gives up its parameters first");
            }
        }
    }

    /**
     * @param name the name of a fabric
     * @param zero the shared-out state
     * @param t the number of GPUs that share an operator
     * @param d the number of replicas
     */
    void Try(const std::string& name, uint32_t zero, uint32_t t, uint32_t d)
    {
        const auto fabric = FabricHelper::Create(name);
        fabric->SetBandwidth(DataRate("1000Gbps"));
        fabric->DisableFlowControl();
        PlanningProblem problem =
            MakeStageProblem("gpt2-xl:layers=2,hidden=96,heads=6,feedForward=384,vocabulary=768,"
                             "gradients=half",
                             t * d,
                             2 * d);
        problem.fabric = FabricDescription::Create(*fabric)->GetLimits(t * d);
        StageSettings settings;
        settings.tensor = t;
        settings.microbatch = 1;
        settings.zero = zero;
        const TrainingPlan plan = MakeStagePlan(problem, settings);
        NodeContainer nodes;
        nodes.Create(t * d);
        const NetDeviceContainer devices = fabric->Install(nodes);
        TrainingHelper helper;
        helper.SetJobAttribute("Iterations", UintegerValue(1));
        helper.SetTransportAttribute("FrameSize", UintegerValue(0));
        const auto applications =
            helper.Install(plan,
                           devices,
                           name == "electrical" ? nullptr : fabric->CreateController(devices));
        Simulator::Run();
        const TrainingReport report(TrainingHelper::GetJob(applications),
                                    FabricHelper::GetChannel(devices));
        NS_TEST_ASSERT_MSG_EQ(report.iterationSeconds.size(), 1, name << " runs to the end");
        // Two microbatches; two layers use the table of tokens
        settings.zero = 0;
        const uint64_t all = MakeStagePlan(problem, settings).memory[0].parameters;
        const uint64_t table = 768 * 96 / t * 2;
        NS_TEST_EXPECT_MSG_EQ(GetDataBytes(plan),
                              t * (d - 1) * (zero == 2 ? 3 * all : 6 * all + 4 * table),
                              "Closed form");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(report.bytesSent, plan.GetTraffic().GetTotal(), name);
        NS_TEST_EXPECT_MSG_LT(static_cast<double>(report.bytesSent),
                              1.02 * static_cast<double>(plan.GetTraffic().GetTotal()),
                              "No more than headers");
        if (name == "electrical" && t == 1)
        {
            CheckOverlap(plan, problem.fabric, report.iterationSeconds.front());
        }
        Simulator::Destroy();
    }

    /**
     * Compare the time with the times of full overlap and of none.
     *
     * @param plan a plan of replicas
     * @param fabric the fabric
     * @param seconds the time that it takes
     */
    void CheckOverlap(const TrainingPlan& plan, const FabricLimits& fabric, double seconds)
    {
        const double computed = plan.programs[0]->GetComputeSeconds();
        const uint32_t d = plan.strategy.dataParallel;
        double sent = 0;
        for (const auto& task : plan.programs[0]->GetTasks())
        {
            if (task.kind == TaskKind::COLLECTIVE)
            {
                sent += (d - 1) * (fabric.latency + 8.0 * task.bytes / d / fabric.bitRate);
            }
        }
        NS_TEST_EXPECT_MSG_GT(seconds, std::max(computed, sent), "Not all of it overlaps");
        NS_TEST_EXPECT_MSG_LT(seconds, computed + sent, "Some of it overlaps");
    }
};

/// Registers the test cases
static const SuiteCases g_sharedStateCases(
    "lightpath-planner-stages",
    {{MakeCase("Replicas that share out state send the published volumes",
               &SharedStateTests::TestTraffic),
      MakeCase("Replicas that share out state need the published memory and two buckets",
               &SharedStateTests::TestMemory),
      MakeCase("A bucket that is exactly full is summed", &SharedStateTests::TestFullBuckets),
      MakeCase("Groups of replicas that share out state send and keep the published bytes",
               &SharedStateTests::TestGroups),
      MakeCase("Gradients of 32 bits are held and sent as such, and a published plan fits",
               &SharedStateTests::TestWideGradients),
      MakeCase("State that cannot be shared out is refused", &SharedStateTests::TestRefusal),
      MakeCase("Parameters are gathered one layer ahead of what is computed",
               &SharedStateTests::TestTime),
      MakeCase("Jobs that share out state run to the end with the planned bytes",
               &SharedStateTests::TestSimulation)}});
