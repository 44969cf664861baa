/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "planner-tests.h"

#include "ns3/fixed-planner.h"
#include "ns3/model-zoo.h"
#include "ns3/planning-problem.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param tensorParallel the number of GPUs of a replica
 * @param dataParallel the number of replicas, or 0
 * @return a planner
 */
Ptr<FixedPlanner>
MakePlanner(uint32_t tensorParallel, uint32_t dataParallel = 0)
{
    const auto planner = CreateObject<FixedPlanner>();
    planner->SetAttribute("TensorParallel", UintegerValue(tensorParallel));
    planner->SetAttribute("DataParallel", UintegerValue(dataParallel));
    return planner;
}

/**
 * @ingroup lightpath-tests
 * @param gpus the number of GPUs
 * @param batch the global batch
 * @return BERT-large on A100
 */
PlanningProblem
MakeBertProblem(uint32_t gpus, uint64_t batch)
{
    PlanningProblem problem;
    problem.graph = ModelZoo::Create("bert-large:gradients=half");
    problem.accelerator = Accelerator::Create("A100");
    problem.fabric.bitRate = 1e12;
    problem.fabric.latency = 1e-6;
    problem.gpus = gpus;
    problem.globalBatch = batch;
    return problem;
}

/**
 * @ingroup lightpath-tests
 * @param split how the middle operators are split
 * @return a graph in which three operators of equal split read the first one, and one reads all
 *         three; each has 8 bytes of input and of output
 */
OperatorGraph
MakeFork(TensorSplit split)
{
    OperatorGraph graph("fork");
    const auto add = [&](const std::string& name, Pass pass, uint32_t forward, TensorSplit how) {
        Operator op = MakeToyOperator(name, pass, 4, 8);
        op.inputBytes = 8;
        op.split = how;
        op.forward = forward;
        return graph.AddOperator(op);
    };
    const auto join = [&](const std::vector<uint32_t>& from, uint32_t to) {
        for (const auto op : from)
        {
            graph.AddEdge(op, to);
        }
    };
    const uint32_t first = add("first", Pass::FORWARD, 0, TensorSplit::REPLICATED);
    const uint32_t q = add("q", Pass::FORWARD, 1, split);
    const uint32_t k = add("k", Pass::FORWARD, 2, split);
    const uint32_t v = add("v", Pass::FORWARD, 3, split);
    const uint32_t last = add("last", Pass::FORWARD, 4, TensorSplit::ROW);
    join({first}, q);
    join({first}, k);
    join({first}, v);
    join({q, k, v}, last);
    const uint32_t lastBack = add("last.back", Pass::BACKWARD, last, TensorSplit::ROW);
    const uint32_t vBack = add("v.back", Pass::BACKWARD, v, split);
    const uint32_t kBack = add("k.back", Pass::BACKWARD, k, split);
    const uint32_t qBack = add("q.back", Pass::BACKWARD, q, split);
    const uint32_t firstBack = add("first.back", Pass::BACKWARD, first, TensorSplit::REPLICATED);
    join({last}, lastBack);
    join({lastBack}, vBack);
    join({lastBack, vBack}, kBack);
    join({lastBack, kBack}, qBack);
    join({qBack}, firstBack);
    return graph;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of FixedPlanner.
 */
class FixedPlannerTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Looks at plans with data parallelism only: traffic, computation and buckets.
    void TestDataParallel()
    {
        // 8000 parameters of 2 bytes: chunks of a D-th without a rest
        OperatorGraph graph("model");
        graph.AddOperator(MakeToyOperator("forward", Pass::FORWARD, 10));
        Operator op = MakeToyOperator("backward", Pass::BACKWARD, 20);
        op.parameters = 8000;
        graph.AddEdge(0, graph.AddOperator(op));
        op = MakeToyOperator("update", Pass::UPDATE, 1);
        op.parameters = 8000;
        graph.AddEdge(1, graph.AddOperator(op));
        for (const uint32_t replicas : {2, 4, 8})
        {
            const TrainingPlan plan =
                MakePlanner(1)->Plan(MakeToyProblem(graph, replicas, 3 * replicas));
            const TrafficMatrix traffic = plan.GetTraffic();
            const uint64_t bytes = 2 * (replicas - 1) * 16000 / replicas;
            for (uint32_t rank = 0; rank < replicas; ++rank)
            {
                NS_TEST_EXPECT_MSG_EQ(traffic.Get(rank, (rank + 1) % replicas), bytes, "Bytes");
            }
            NS_TEST_EXPECT_MSG_EQ(traffic.GetTotal(), bytes * replicas, "Only to the next one");
            // 3 samples: 30 + 60 us, ring at 1 byte/ns, update
            NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds,
                                      90e-6 + bytes * 1e-9 + 3e-6,
                                      1e-12,
                                      "Nothing overlaps with the only sum");
            NS_TEST_EXPECT_MSG_EQ(plan.memoryBytes, 8000 * 16, "State");
        }
        TryBert();
    }

    /// Compares tensor parallelism of BERT-large with the published volumes.
    void TestTensorParallel()
    {
        for (const uint32_t t : {2, 4, 8})
        {
            // 4 samples for each of 2 replicas
            PlanningProblem problem = MakeBertProblem(2 * t, 8);
            const TrainingPlan plan = MakePlanner(t, 2)->Plan(problem);
            const uint64_t bsh = 4ULL * 512 * 1024;
            for (uint32_t layer = 1; layer <= 24; ++layer)
            {
                // 8 b s h (t - 1) / t elements of 2 bytes from each GPU
                NS_TEST_EXPECT_MSG_EQ(GetSentBytes(plan, "layer" + std::to_string(layer) + ".", t),
                                      8 * bsh * (t - 1) / t * 2,
                                      "Layer " << layer << ", t = " << t);
            }
            const TrafficMatrix traffic = plan.GetTraffic();
            for (uint32_t rank = 0; rank < 2 * t; ++rank)
            {
                NS_TEST_EXPECT_MSG_GT(traffic.Get(rank, rank / t * t + (rank + 1) % t), 0, "Ring");
                NS_TEST_EXPECT_MSG_GT(traffic.Get(rank, (rank + t) % (2 * t)), 0, "Replicas");
            }
            NS_TEST_EXPECT_MSG_EQ(traffic.GetDegree(), 2, "Nobody else");
            double seconds = 0;
            for (const auto& op : problem.graph.GetOperators())
            {
                const bool whole =
                    op.split == TensorSplit::REPLICATED || op.split == TensorSplit::SEQUENCE;
                seconds += problem.accelerator.GetSeconds(op, 4, whole ? 1.0 : 1.0 / t);
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(plan.programs[0]->GetComputeSeconds(),
                                      seconds,
                                      1e-9,
                                      "Sum over the operators");
            // One more layer keeps s b h (10 + 24/t + 5 a s / (h t)) bytes more
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(GetLayerMemory(t)),
                                      bsh * (10 + 24.0 / t + 5.0 * 16 * 512 / 1024 / t),
                                      1.0,
                                      "t = " << t);
        }
    }

    /// Looks at the sums within a replica of a small graph.
    void TestTensorSum()
    {
        // Forward: the output of the last one. Backward: one gradient for q, k and v together.
        const OperatorGraph fork = MakeFork(TensorSplit::COLUMN);
        const auto program = MakePlanner(4)->Plan(MakeToyProblem(fork, 4, 3)).programs[0];
        std::vector<std::string> order;
        for (const auto& task : program->GetTasks())
        {
            order.push_back(task.name);
            if (task.kind == TaskKind::COLLECTIVE)
            {
                NS_TEST_EXPECT_MSG_EQ(task.bytes, 24, "3 samples of 8 bytes");
                NS_TEST_EXPECT_MSG_EQ(task.group, 0, "Within the replica");
            }
        }
        const std::vector<std::string> expected{"first .. last",
                                                "last.sum",
                                                "last.back .. q.back",
                                                "q.back.sum",
                                                "first.back"};
        NS_TEST_EXPECT_MSG_EQ((order == expected), true, "Tasks in order");
        // first: 12 us; a quarter of q, k, v, last and of their backward operators; first.back;
        // two sums of 24 bytes: 2 x 3/4 x 24 ns
        NS_TEST_EXPECT_MSG_EQ_TOL(MakePlanner(4)->Plan(MakeToyProblem(fork, 4, 3)).predictedSeconds,
                                  48e-6 + 2 * 36e-9,
                                  1e-12,
                                  "Nothing overlaps");

        const OperatorGraph sharded = MakeFork(TensorSplit::SHARDED);
        uint32_t sums = 0;
        const auto plan = MakePlanner(4)->Plan(MakeToyProblem(sharded, 4, 3));
        for (const auto& task : plan.programs[0]->GetTasks())
        {
            sums += task.kind == TaskKind::COLLECTIVE ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(sums, 1, "Only the output of the last one is summed");
    }

    /// Tries degrees that do not suit the problem.
    void TestFixedDegrees()
    {
        const OperatorGraph fork = MakeFork(TensorSplit::COLUMN);
        OperatorGraph whole("whole");
        whole.AddOperator(MakeToyOperator("forward", Pass::FORWARD, 1));
        Try(MakePlanner(4, 2), MakeToyProblem(fork, 8, 4), {});
        Try(MakePlanner(4, 2), MakeToyProblem(fork, 4, 4), {"2 replicas", "4 GPUs"});
        Try(MakePlanner(4, 2), MakeToyProblem(fork, 16, 4), {"16 GPUs"});
        Try(MakePlanner(8), MakeToyProblem(fork, 4, 4), {"8 GPUs"});
        Try(MakePlanner(3), MakeToyProblem(fork, 4, 4), {"3 GPUs"});
        Try(MakePlanner(1, 4), MakeToyProblem(fork, 4, 6), {"global batch of 6", "4 replicas"});
        Try(MakePlanner(3), MakeToyProblem(fork, 3, 3), {"8 bytes", "operator q", "3 GPUs"});
        Try(MakePlanner(2), MakeToyProblem(whole, 4, 4), {"\"whole\"", "must be 1"});
        Try(MakePlanner(1), MakeToyProblem(whole, 4, 4), {});

        OperatorGraph lonely("lonely");
        lonely.AddOperator(MakeToyOperator("update", Pass::UPDATE, 1));
        Try(MakePlanner(1), MakeToyProblem(lonely, 1, 1), {"update", "reads no gradient"});
        OperatorGraph late("late");
        late.AddOperator(MakeToyOperator("backward", Pass::BACKWARD, 1));
        late.AddEdge(0, late.AddOperator(MakeToyOperator("update", Pass::UPDATE, 1)));
        late.AddEdge(1, late.AddOperator(MakeToyOperator("again", Pass::FORWARD, 1)));
        Try(MakePlanner(1), MakeToyProblem(late, 1, 1), {"again", "update operator update"});
    }

  private:
    /**
     * Look at BERT-large on 16 replicas.
     */
    void TryBert()
    {
        PlanningProblem problem = MakeBertProblem(16, 64);
        problem.fabric.bitRate = 2e11;
        const TrainingPlan plan = MakePlanner(1)->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ(plan.strategy.dataParallel, 16, "Degree");
        const uint64_t gradients = 2 * problem.graph.GetParameters();
        NS_TEST_EXPECT_MSG_EQ(plan.GetTraffic().GetTotal(), 2 * 15 * gradients, "All ranks");
        NS_TEST_EXPECT_MSG_EQ(plan.GetTraffic().GetDegree(), 1, "A ring");
        double seconds = 0;
        for (const auto& op : problem.graph.GetOperators())
        {
            seconds += problem.accelerator.GetSeconds(op, 4);
        }
        const RankProgram& program = *plan.programs[5];
        NS_TEST_EXPECT_MSG_EQ_TOL(program.GetComputeSeconds(), seconds, 1e-9, "All operators");
        uint64_t sum = 0;
        uint32_t small = 0;
        double sums = 0;
        for (const auto& task : program.GetTasks())
        {
            if (task.kind == TaskKind::COLLECTIVE)
            {
                sum += task.bytes;
                small += task.bytes < (25 << 20) ? 1 : 0;
                sums += 30 * (1e-6 + task.bytes / 16 / 25e9);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(sum, gradients, "All gradients");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(small, 1, "Only the last bucket may be small");
        NS_TEST_EXPECT_MSG_GT(plan.predictedSeconds, std::max(seconds, sums), "Not all overlaps");
        NS_TEST_EXPECT_MSG_LT(plan.predictedSeconds, seconds + 0.5 * sums, "Most overlaps");
    }

    /**
     * @param plan a plan
     * @param prefix the beginning of the names of some operators
     * @param t the number of GPUs of a replica
     * @return the bytes that a GPU sends for them within the replica, on a ring
     */
    static uint64_t GetSentBytes(const TrainingPlan& plan, const std::string& prefix, uint32_t t)
    {
        uint64_t bytes = 0;
        for (const auto& task : plan.programs[0]->GetTasks())
        {
            if (task.kind == TaskKind::COLLECTIVE && task.group == 0 &&
                task.name.rfind(prefix, 0) == 0)
            {
                bytes += 2 * (t - 1) * task.bytes / t;
            }
        }
        return bytes;
    }

    /**
     * @param t the number of GPUs of a replica
     * @return the activations that each GPU keeps of the first layer of BERT-large, of 4 samples
     */
    static uint64_t GetLayerMemory(uint32_t t)
    {
        const OperatorGraph bert = ModelZoo::Create("bert-large:gradients=half");
        OperatorGraph layer("layer");
        for (const auto& op : bert.GetOperators())
        {
            if (op.pass == Pass::FORWARD && op.layer == 1)
            {
                Operator copy = op;
                copy.forward = 0;
                layer.AddOperator(copy);
            }
        }
        PlanningProblem problem = MakeBertProblem(t, 4);
        problem.graph = layer;
        return MakePlanner(t)->Plan(problem).memoryBytes;
    }

    /**
     * @param planner the planner
     * @param problem the problem
     * @param parts parts of the expected sentence; none if there is a plan
     */
    void Try(Ptr<FixedPlanner> planner,
             const PlanningProblem& problem,
             const std::vector<std::string>& parts)
    {
        const auto plan = [&]() { planner->TryPlan(problem); };
        NS_TEST_EXPECT_MSG_EQ(FindWrongError(plan, parts), "", problem.graph.GetName());
    }
};

/// Registers the test cases
static const SuiteCases g_fixedPlannerCases(
    "lightpath-planner",
    {{MakeCase("Data parallelism sends its gradients round a ring of replicas",
               &FixedPlannerTests::TestDataParallel),
      MakeCase("Tensor parallelism has the published traffic and memory",
               &FixedPlannerTests::TestTensorParallel),
      MakeCase("Operators with the same input share the sum of its gradient",
               &FixedPlannerTests::TestTensorSum),
      MakeCase("Degrees that do not suit the problem are refused in one sentence",
               &FixedPlannerTests::TestFixedDegrees)}});
