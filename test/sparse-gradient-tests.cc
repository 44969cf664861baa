/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/write/gradient-sync.h"
#include "model/workload/dlrm-model.h"
#include "planner-tests.h"
#include "stage-tests.h"

#include "ns3/fabric-description.h"
#include "ns3/fabric-helper.h"
#include "ns3/nstime.h"
#include "ns3/planning-problem.h"
#include "ns3/simulator.h"
#include "ns3/sip-ml-planner.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Parameters of the tables of the small model.
constexpr uint64_t ROWS = 32 * (1000 + 2000 + 4000);

/// Parameters of its perceptrons: the top one reads 6 products and the dense vector.
constexpr uint64_t DENSE = 14 * 64 + 65 * 32 + (6 + 32 + 1) * 64 + 65;

/// Bytes that a sample looks up: 2 rows of each table, of 32 elements of 4 bytes and an index.
constexpr uint64_t LOOKED_UP = 3 * 2 * (32 * 4 + 4);

/**
 * @ingroup lightpath-tests
 * @param gpus the number of GPUs
 * @param batch the global batch
 * @param sharesColumns whether replicas can share out the columns of its tables
 * @return a small recommendation model on A100
 */
PlanningProblem
MakeSmallProblem(uint32_t gpus, uint64_t batch, bool sharesColumns = false)
{
    PlanningProblem problem = MakeStageProblem("resnet50", gpus, batch);
    DlrmShape shape;
    shape.name = "small";
    shape.bottom = {64, 32};
    shape.tables = {1000, 2000, 4000};
    shape.width = 32;
    shape.lookups = 2;
    shape.sharesColumns = sharesColumns;
    shape.top = {64, 1};
    shape.training.precision = Precision::SINGLE;
    problem.graph = DlrmModel::Build(shape);
    return problem;
}

/**
 * @ingroup lightpath-tests
 * @param isTied whether the last layer uses the parameters of the first one too
 * @param split how a tensor-parallel group shares the lookup
 * @return a lookup with a sparse gradient of 1000 bytes and an operator that reads it; forward 10
 *         us, backward 20 us and update 1 us for each sample
 */
OperatorGraph
MakeLookup(bool isTied, TensorSplit split)
{
    OperatorGraph graph("lookup");
    const auto add = [&](const std::string& name, Pass pass, uint32_t layer, uint64_t time) {
        Operator op = MakeToyOperator(name, pass, time, 8);
        op.layer = layer;
        op.forward = layer;
        op.sparse = layer == 0;
        op.parameters = op.sparse ? 500 : 0;
        op.split = layer == 0 ? split : TensorSplit::ROW;
        op.inputBytes = layer == 0 ? 4 : 8;
        op.writtenBytes = op.sparse && pass == Pass::BACKWARD ? 1000 : 0;
        return graph.AddOperator(op);
    };
    add("lookup", Pass::FORWARD, 0, 10);
    add("last", Pass::FORWARD, 1, 0);
    add("last.backward", Pass::BACKWARD, 1, 0);
    if (isTied)
    {
        Operator op = MakeToyOperator("last.weight-gradient", Pass::BACKWARD, 1);
        op.layer = 1;
        op.forward = 1;
        op.parameters = 500;
        graph.AddOperator(op);
        graph.AddEdge(2, 3);
    }
    const uint32_t lookup = add("lookup.backward", Pass::BACKWARD, 0, 20);
    const uint32_t update = add("lookup.update", Pass::UPDATE, 0, 1);
    graph.AddEdge(0, 1);
    graph.AddEdge(1, 2);
    graph.AddEdge(2, lookup);
    graph.AddEdge(lookup - 1, lookup);
    graph.AddEdge(lookup, update);
    return graph;
}

/**
 * @ingroup lightpath-tests
 * @param plan a plan
 * @param fabric an ideal switch
 * @return the time of its iteration on the switch, in seconds
 */
double
Simulate(const TrainingPlan& plan, FabricHelper& fabric)
{
    NodeContainer nodes;
    nodes.Create(plan.programs.size());
    const NetDeviceContainer devices = fabric.Install(nodes);
    TrainingHelper helper;
    helper.SetJobAttribute("Iterations", UintegerValue(1));
    helper.SetTransportAttribute("FrameSize", UintegerValue(0));
    const auto applications = helper.Install(plan, devices, nullptr);
    Simulator::Run();
    const TrainingReport report(TrainingHelper::GetJob(applications),
                                FabricHelper::GetChannel(devices));
    Simulator::Destroy();
    return report.iterationSeconds.front();
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of sparse gradients.
 */
class SparseGradientTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares traffic, memory and computation of a recommendation model with its formulas.
    void TestGradient()
    {
        for (const uint32_t replicas : {1, 2, 4})
        {
            for (const uint32_t tensor : {1, 2, 4})
            {
                Try(replicas, tensor, 0);
                Try(replicas, tensor, 2);
            }
        }
    }

    /// Compares replicas that share out the columns of tables with formulas.
    void TestColumns()
    {
        const PlanningProblem problem = MakeSmallProblem(4, 32, true);
        StageSettings settings;
        settings.expert = 4;
        const TrainingPlan plan = MakeStagePlan(problem, settings);
        const TrafficMatrix traffic = plan.GetTraffic();
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            for (uint32_t peer = 0; peer < 4; ++peer)
            {
                // A quarter of the vectors of 8 samples, and of their gradients; and a ring
                const uint64_t exchanged = 2 * (3 * 8 * 32 * 4) / 4;
                const uint64_t summed = peer == (rank + 1) % 4 ? 2 * 3 * (DENSE * 4) / 4 : 0;
                NS_TEST_EXPECT_MSG_EQ(traffic.Get(rank, peer),
                                      (peer == rank ? 0 : exchanged + summed),
                                      rank << " to " << peer);
            }
        }
        const MemoryUse& memory = plan.memory.front();
        NS_TEST_EXPECT_MSG_EQ(memory.parameters, 4 * (ROWS / 4 + DENSE), "Parameters");
        NS_TEST_EXPECT_MSG_EQ(memory.gradients, LOOKED_UP * 8 + 4 * DENSE, "Gradients");
        // A quarter of the columns for all samples is as much work as all columns for a quarter
        double seconds = 0;
        for (const auto& op : problem.graph.GetOperators())
        {
            const bool isUpdate = op.pass == Pass::UPDATE;
            seconds += problem.accelerator.GetSeconds(op,
                                                      isUpdate && op.sparse ? 32 : 8,
                                                      isUpdate && op.sparse ? 0.25 : 1);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.programs[0]->GetComputeSeconds(),
                                  seconds,
                                  1e-12,
                                  "Sum over the operators");
        settings.expert = 2;
        Expect(problem, settings, "operator embedding.tables", "it must be 1 or 4");
    }

    /// Compares the time of an all-gather of sparse gradients with its closed form.
    void TestTime()
    {
        const auto fabric = FabricHelper::Create("electrical");
        fabric->SetBandwidth(DataRate("800Gbps"));
        fabric->DisableFlowControl();
        PlanningProblem problem = MakeToyProblem(MakeLookup(false, TensorSplit::ROW), 4, 12);
        problem.fabric = FabricDescription::Create(*fabric)->GetLimits(4);
        const TrainingPlan plan = MakeStagePlan(problem, {});
        // 3 samples of a replica, 12000 bytes of all of them in 3 steps, each with headers of 34
        // bytes; 12 samples to update with
        const FabricLimits& limits = problem.fabric;
        const double step =
            limits.collectiveLatency / 3 + limits.latency + 3034 * 8 / limits.bitRate;
        const double expected = 90e-6 + 3 * step + 12e-6;
        const double quick = CostModel(limits).Estimate(plan).seconds;
        NS_TEST_EXPECT_MSG_EQ_TOL(quick, expected, 1e-12, "Quick price");
        // Messages end at ticks
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, expected, 5e-9, "Price");
        NS_TEST_EXPECT_MSG_EQ_TOL(Simulate(plan, *fabric), expected, 5e-9, "Simulation");

        problem = MakeSmallProblem(4, 4096);
        problem.fabric = FabricDescription::Create(*fabric)->GetLimits(4);
        const TrainingPlan small = MakeStagePlan(problem, {});
        NS_TEST_EXPECT_MSG_EQ_TOL(Simulate(small, *fabric),
                                  small.predictedSeconds,
                                  1e-5 * small.predictedSeconds,
                                  "Recommendation model");
    }

    /// Compares plans of placed operators with the formulas of a recommendation model.
    void TestPieces()
    {
        // 2 replicas of 2 GPUs and 8 samples; operators are not split, or split in two
        for (const double quantum : {1.0, 0.0})
        {
            PlanningProblem problem = MakeSmallProblem(4, 16);
            problem.accelerator.launchSeconds = 0;
            const auto planner = CreateObject<SipMlPlanner>();
            planner->SetAttribute("DataParallel", UintegerValue(2));
            planner->SetAttribute("TimeQuantum", TimeValue(Seconds(quantum)));
            const TrainingPlan plan = planner->Plan(problem);
            uint64_t gathered = 0;
            uint64_t summed = 0;
            uint64_t held = 0;
            for (uint32_t rank = 0; rank < 2; ++rank)
            {
                held += plan.memory[rank].gradients;
                for (const auto& task : plan.programs[rank]->GetTasks())
                {
                    const bool isCollective = task.kind == TaskKind::COLLECTIVE;
                    const bool isGather = task.collective == CollectiveKind::ALL_GATHER;
                    gathered += isCollective && isGather ? task.bytes : 0;
                    summed += isCollective && !isGather ? task.bytes : 0;
                }
            }
            NS_TEST_EXPECT_MSG_EQ(gathered, LOOKED_UP * 16, "Rows of both replicas");
            NS_TEST_EXPECT_MSG_EQ(summed, DENSE * 4, "Perceptrons");
            NS_TEST_EXPECT_MSG_EQ(held, LOOKED_UP * 16 + DENSE * 4, "Gradients in memory");
            if (quantum > 0)
            {
                CheckWhole(problem, plan);
            }
        }
    }

    /// Fills buckets of dense and of sparse gradients in turn.
    void TestBucket()
    {
        ProgramWriter writer;
        GradientSync::Options options;
        options.bucketBytes = 20;
        options.replicas = 4;
        GradientSync sync(writer, options, 5);
        const uint32_t task = writer.AddCompute(Pass::BACKWARD, "first", 1, {});
        sync.Add({task}, 12, 1, GradientSync::SPARSE);
        sync.Add({task}, 15, 2);
        sync.Add({task}, 13, 4, GradientSync::SPARSE);
        sync.Add({task}, 1, 8, GradientSync::SPARSE);
        sync.Add({task}, 2, 16);
        sync.Finish();
        const auto program = writer.Finish();
        const auto& tasks = program->GetTasks();
        NS_TEST_ASSERT_MSG_EQ(tasks.size(), 7, "1 computation, 3 collectives, 3 updates");
        const uint64_t bytes[] = {25, 17, 1};
        const double seconds[] = {5, 18, 8};
        for (uint32_t i = 0; i < 3; ++i)
        {
            const bool isSparse = i != 1;
            NS_TEST_EXPECT_MSG_EQ(tasks[1 + i].bytes, bytes[i], "Bucket " << i);
            NS_TEST_EXPECT_MSG_EQ(
                (tasks[1 + i].collective ==
                 (isSparse ? CollectiveKind::ALL_GATHER : CollectiveKind::ALL_REDUCE)),
                true,
                "Bucket " << i);
            NS_TEST_EXPECT_MSG_EQ(tasks[1 + i].operation, i, "One after the other");
            NS_TEST_EXPECT_MSG_EQ(tasks[4 + i].seconds, seconds[i], "Update " << i);
            NS_TEST_EXPECT_MSG_EQ(program->GetSuccessors(1 + i).back(), 4 + i, "Waits for it");
        }
    }

    /// Refusals of settings that sparse gradients rule out.
    void TestRefusal()
    {
        StageSettings settings;
        settings.zero = 1;
        Expect(MakeSmallProblem(4, 8), settings, "table3 is sparse", "ZeroStage must be 0");
        settings = StageSettings();
        settings.tensor = 2;
        settings.sequence = true;
        Expect(MakeToyProblem(MakeLookup(false, TensorSplit::SEQUENCE), 4, 8),
               settings,
               "lookup is sparse",
               "SequenceParallel must be false");
        settings = StageSettings();
        settings.pipeline = 2;
        Expect(MakeToyProblem(MakeLookup(true, TensorSplit::ROW), 4, 8),
               settings,
               "lookup is sparse",
               "PipelineParallel must be 1");
        // A product, unlike a table, cannot be cut anywhere
        OperatorGraph graph = MakeLookup(false, TensorSplit::ROW);
        settings = StageSettings();
        settings.tensor = 16;
        Expect(MakeToyProblem(graph, 16, 8), settings, "4 bytes of the input", "lookup");
    }

  private:
    /**
     * @param replicas the number of replicas
     * @param tensor the number of GPUs that share an operator
     * @param microbatch the samples of a microbatch, or 0
     */
    void Try(uint32_t replicas, uint32_t tensor, uint64_t microbatch)
    {
        const std::string label =
            std::to_string(replicas) + " replicas of " + std::to_string(tensor);
        const PlanningProblem problem = MakeSmallProblem(replicas * tensor, 8 * replicas);
        StageSettings settings;
        settings.tensor = tensor;
        settings.microbatch = microbatch;
        const TrainingPlan plan = MakeStagePlan(problem, settings);
        const TrafficMatrix traffic = plan.GetTraffic();
        // Every GPU of a group has its share of what all samples look up
        const uint64_t gathered = LOOKED_UP * 8 * replicas / tensor;
        for (uint32_t rank = 0; rank < replicas * tensor; ++rank)
        {
            const uint32_t next = (rank + tensor) % (replicas * tensor);
            const uint64_t steps = replicas - 1;
            NS_TEST_EXPECT_MSG_EQ((replicas == 1 ? 0 : traffic.Get(rank, next)),
                                  steps * gathered / replicas + 2 * steps * (DENSE * 4) / replicas,
                                  label);
            const uint32_t neighbour = rank / tensor * tensor + (rank + 1) % tensor;
            // The sum of each table's vectors of 32 elements
            NS_TEST_EXPECT_MSG_EQ((tensor == 1 ? 0 : traffic.Get(rank, neighbour)),
                                  2 * (tensor - 1) * (3 * 8 * 32 * 4) / tensor,
                                  label << ", within the replica");
        }
        const MemoryUse& memory = plan.memory.front();
        NS_TEST_EXPECT_MSG_EQ(memory.parameters, 4 * (ROWS / tensor + DENSE), label);
        NS_TEST_EXPECT_MSG_EQ(memory.gradients, gathered + 4 * DENSE, label);
        NS_TEST_EXPECT_MSG_EQ(memory.optimizer,
                              problem.graph.optimizerBytes * (ROWS / tensor + DENSE),
                              label);
        CheckSeconds(problem, plan, microbatch > 0 ? microbatch : 8);
    }

    /**
     * Compare the computation with the sum over the operators.
     *
     * @param problem the problem
     * @param plan its plan
     * @param samples the samples of a microbatch
     */
    void CheckSeconds(const PlanningProblem& problem, const TrainingPlan& plan, uint64_t samples)
    {
        double seconds = 0;
        for (const auto& op : problem.graph.GetOperators())
        {
            const double share =
                op.split == TensorSplit::ROW ? 1.0 / plan.strategy.tensorParallel : 1.0;
            if (op.pass == Pass::UPDATE)
            {
                // Rows of all samples, or all parameters once
                const double all = op.sparse ? static_cast<double>(problem.globalBatch) : 8;
                seconds += problem.accelerator.GetSeconds(op, all, share);
                continue;
            }
            seconds += static_cast<double>(8 / samples) *
                       problem.accelerator.GetSeconds(op, static_cast<double>(samples), share);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.programs[0]->GetComputeSeconds(),
                                  seconds,
                                  1e-12,
                                  "Sum over the operators");
    }

    /**
     * Check times and messages of operators that are not split.
     *
     * @param problem the problem
     * @param plan its plan
     */
    void CheckWhole(const PlanningProblem& problem, const TrainingPlan& plan)
    {
        double seconds = 0;
        for (const auto& op : problem.graph.GetOperators())
        {
            const bool isGathered = op.sparse && op.pass == Pass::UPDATE;
            seconds += problem.accelerator.GetSeconds(op, isGathered ? 16 : 8);
        }
        double planned = 0;
        uint32_t messages = 0;
        for (uint32_t rank = 0; rank < 2; ++rank)
        {
            planned += plan.programs[rank]->GetComputeSeconds();
            for (const auto& task : plan.programs[rank]->GetTasks())
            {
                if (task.kind == TaskKind::SEND && task.name == "top.interaction.backward")
                {
                    NS_TEST_EXPECT_MSG_EQ(task.bytes, 8 * 32 * 4, "Gradient of one vector");
                    ++messages;
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(planned, seconds, 1e-12, "Sum over the operators");
        NS_TEST_EXPECT_MSG_GT(messages, 0, "Some lookups are elsewhere");
    }

    /**
     * @param problem a problem
     * @param settings settings that it refuses
     * @param first a part of the sentence
     * @param second another part
     */
    void Expect(const PlanningProblem& problem,
                const StageSettings& settings,
                const std::string& first,
                const std::string& second)
    {
        const std::string error = GetError([&]() { MakeStagePlan(problem, settings); });
        EXPECT_PART(error, first);
        EXPECT_PART(error, second);
    }
};

/// Registers the test cases
static const SuiteCases g_sparseGradientCases(
    "lightpath-planner-stages",
    {{MakeCase("Rows of tables are gathered, all else is summed",
               &SparseGradientTests::TestGradient),
      MakeCase("Replicas that share out columns exchange vectors, and gather no gradients",
               &SparseGradientTests::TestColumns),
      MakeCase("Sparse gradients take the time of an all-gather", &SparseGradientTests::TestTime),
      MakeCase("Placed lookups gather their rows and read their own gradients",
               &SparseGradientTests::TestPieces),
      MakeCase("Sparse gradients have buckets of their own", &SparseGradientTests::TestBucket),
      MakeCase("Sparse gradients refuse what would sum them or share them out",
               &SparseGradientTests::TestRefusal)}});
