/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/control/switches/circuit-switch-max-min-allocator.h"
#include "planner-tests.h"

#include "ns3/fixed-planner.h"
#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>

using namespace ns3;
using namespace ns3::lightpath;

Accelerator
MakeToyAccelerator()
{
    Accelerator accelerator;
    accelerator.name = "toy";
    accelerator.matrixFlops = 1e9;
    accelerator.vectorFlops = 1e9;
    accelerator.memoryBandwidth = 1e12;
    accelerator.memoryBytes = 1 << 30;
    return accelerator;
}

Operator
MakeToyOperator(const std::string& name, Pass pass, uint64_t microseconds, uint64_t outputBytes)
{
    Operator op;
    op.name = name;
    op.pass = pass;
    op.flops = 1000 * microseconds;
    op.outputBytes = outputBytes;
    return op;
}

PlanningProblem
MakeToyProblem(const OperatorGraph& graph, uint32_t gpus, uint64_t batch)
{
    PlanningProblem problem;
    problem.graph = graph;
    problem.accelerator = MakeToyAccelerator();
    problem.fabric.bitRate = 8e9;
    problem.gpus = gpus;
    problem.globalBatch = batch;
    return problem;
}

OperatorGraph
MakeRandomGraph(uint32_t layers, Ptr<UniformRandomVariable> random)
{
    OperatorGraph graph("random");
    for (uint32_t i = 0; i < layers; ++i)
    {
        const uint32_t bytes = random->GetInteger(1, 5000);
        Operator op = MakeToyOperator("f" + std::to_string(i),
                                      Pass::FORWARD,
                                      1 << random->GetInteger(0, 7),
                                      bytes);
        op.forward = i;
        op.savedBytes = random->GetInteger(0, 2000);
        graph.AddOperator(op);
        const uint32_t nReads = std::min(i, random->GetInteger(0, 10) < 8 ? 1U : 2U);
        for (uint32_t k = 0; k < nReads; ++k)
        {
            graph.AddEdge(i - 1 - random->GetInteger(0, std::min(i - 1, 2U)), i);
        }
    }
    std::vector<uint32_t> backward(layers);
    for (uint32_t i = layers; i-- > 0;)
    {
        Operator op = graph.GetOperators()[i];
        op.name = "b" + std::to_string(i);
        op.pass = Pass::BACKWARD;
        op.flops *= 2;
        op.savedBytes = 0;
        const bool isTrained = random->GetInteger(0, 1) == 1;
        op.parameters = isTrained * random->GetInteger(1, 3000);
        backward[i] = graph.AddOperator(op);
        if (random->GetInteger(0, 2) == 0)
        {
            graph.AddEdge(i, backward[i]);
        }
        const auto readers = graph.GetSuccessors(i);
        for (const auto reader : readers)
        {
            if (reader < layers)
            {
                graph.AddEdge(backward[reader], backward[i]);
            }
        }
    }
    for (uint32_t i = layers; i-- > 0;)
    {
        Operator op = MakeToyOperator("u" + std::to_string(i), Pass::UPDATE, 1);
        op.parameters = graph.GetOperators()[backward[i]].parameters;
        op.forward = i;
        if (op.parameters > 0)
        {
            graph.AddEdge(backward[i], graph.AddOperator(op));
        }
    }
    return graph;
}

Task
MakeCompute(double seconds)
{
    Task task;
    task.name = "compute";
    task.seconds = seconds;
    return task;
}

Task
MakeMessage(TaskKind kind, uint32_t peer, uint32_t operation, uint64_t bytes)
{
    Task task;
    task.kind = kind;
    task.name = "message";
    task.peer = peer;
    task.operation = operation;
    task.bytes = bytes;
    return task;
}

Task
MakeCollective(uint32_t group, uint32_t operation, uint64_t bytes, CollectiveKind kind)
{
    Task task;
    task.kind = TaskKind::COLLECTIVE;
    task.name = "collective";
    task.group = group;
    task.operation = operation;
    task.bytes = bytes;
    task.collective = kind;
    return task;
}

std::shared_ptr<RankProgram>
MakeChain(const std::vector<Task>& tasks)
{
    auto program = std::make_shared<RankProgram>();
    for (const auto& task : tasks)
    {
        const uint32_t index = program->AddTask(task);
        if (index > 0)
        {
            program->AddDependency(index - 1, index);
        }
    }
    return program;
}

/**
 * @ingroup lightpath-tests
 * @brief A planner whose plans the test supplies.
 */
class GivenPlanner : public Planner
{
  public:
    TrainingPlan plan; //!< The plan

  private:
    TrainingPlan DoPlan(const PlanningProblem&) const override
    {
        return plan;
    }
};

/**
 * @ingroup lightpath-tests
 * @brief The suite of the folder planner.
 */
class PlannerTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Gives a planner problems that no planner can solve.
    void TestPlannerRefusal()
    {
        OperatorGraph graph("model", "image");
        Operator op = MakeToyOperator("forward", Pass::FORWARD, 10);
        op.savedBytes = 3 << 28;
        graph.AddOperator(op);
        op = MakeToyOperator("backward", Pass::BACKWARD, 10);
        op.parameters = 1000;
        graph.AddEdge(0, graph.AddOperator(op));
        op = MakeToyOperator("update", Pass::UPDATE, 1);
        op.parameters = 1000;
        graph.AddEdge(1, graph.AddOperator(op));
        const PlanningProblem good = MakeToyProblem(graph, 4, 4);
        Try(good, [](PlanningProblem&) {}, {});
        Try(good, [](PlanningProblem& p) { p.gpus = 0; }, {"at least 1 GPU"});
        Try(good, [](PlanningProblem& p) { p.globalBatch = 0; }, {"at least 1 image"});
        Try(good, [](PlanningProblem& p) { p.graph = OperatorGraph("nil"); }, {"\"nil\""});
        Try(good, [](PlanningProblem& p) { p.fabric.bitRate = 0; }, {"4 GPUs", "bit rate"});
        Try(good, [](PlanningProblem& p) { p.fabric.circuits = 0; }, {"at least 1 circuit"});
        Try(good, [](PlanningProblem& p) { p.fabric.latency = -1; }, {"at least 0 s"});
        Try(good, [](PlanningProblem& p) { p.fabric.degree = 1; }, {});
        // Two samples of 0.75 GiB each do not fit into 1 GiB
        Try(good, [](PlanningProblem& p) { p.globalBatch = 8; }, {"1.50 GiB", "toy", "1.00 GiB"});
    }

    /// Lets a planner make plans that the fabric or the GPUs cannot carry out.
    void TestPlanRefusal()
    {
        // Rank 0 sends to ranks 1 and 2: two peers
        const auto planner = CreateObject<GivenPlanner>();
        planner->plan.groups.resize(1);
        planner->plan.groups[0].Add({0, 1, 2});
        planner->plan.programs = {
            MakeChain({MakeMessage(TaskKind::SEND, 1, 0, 5), MakeMessage(TaskKind::SEND, 2, 0, 5)}),
            MakeChain({MakeMessage(TaskKind::RECEIVE, 0, 0, 5)}),
            MakeChain({MakeMessage(TaskKind::RECEIVE, 0, 0, 5)})};
        OperatorGraph graph("model");
        graph.AddOperator(MakeToyOperator("forward", Pass::FORWARD, 1));
        PlanningProblem problem = MakeToyProblem(graph, 3, 1);
        const auto plan = [&]() { planner->TryPlan(problem); };
        NS_TEST_EXPECT_MSG_EQ(GetError(plan), "", "No limit of degree");
        problem.fabric.degree = 2;
        NS_TEST_EXPECT_MSG_EQ(GetError(plan), "", "Two peers are allowed");
        problem.fabric.degree = 1;
        const std::string error = GetError(plan);
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "2 peers") && Contains(error, "1 at most"),
                              true,
                              error);
        problem.fabric.degree = 0;
        const auto allocator = CreateObject<CircuitSwitchMaxMinAllocator>();
        problem.fabric.allocators = {allocator};
        allocator->SetGeometry(CircuitSwitchGeometry(3, 2));
        NS_TEST_EXPECT_MSG_EQ(GetError(plan), "", "Two circuits for two peers");
        allocator->SetGeometry(CircuitSwitchGeometry(3, 1));
        const std::string unserved = GetError(plan);
        NS_TEST_EXPECT_MSG_EQ(Contains(unserved, "1 pairs would get none, the first from GPU 0"),
                              true,
                              unserved);
        problem.fabric.allocators.clear();
        planner->plan.memoryBytes = 1 << 30;
        NS_TEST_EXPECT_MSG_EQ(GetError(plan), "", "It just fits");
        ++planner->plan.memoryBytes;
        NS_TEST_EXPECT_MSG_EQ(Contains(GetError(plan), "GiB"), true, "One byte too many");
        planner->plan.memoryBytes = 0;
        planner->plan.programs[2] = MakeChain({});
        NS_TEST_EXPECT_MSG_EQ(Contains(GetError(plan), "does not receive"), true, GetError(plan));
    }

  private:
    /**
     * @param problem a problem that has a solution
     * @param change a change that leaves it no solution
     * @param parts parts of the expected sentence; none if there is a solution after all
     */
    void Try(PlanningProblem problem,
             const std::function<void(PlanningProblem&)>& change,
             const std::vector<std::string>& parts)
    {
        change(problem);
        const auto planner = CreateObject<FixedPlanner>();
        const auto plan = [&]() { planner->TryPlan(problem); };
        NS_TEST_EXPECT_MSG_EQ(FindWrongError(plan, parts), "", problem.graph.GetName());
    }
};

/// Registers the test cases
static const SuiteCases g_plannerCases(
    "lightpath-planner",
    {{MakeCase("Problems without a solution are refused in one sentence",
               &PlannerTests::TestPlannerRefusal),
      MakeCase("Plans beyond the limits of fabric and GPUs are refused",
               &PlannerTests::TestPlanRefusal)}});
