/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "expert-tests.h"
#include "method-case.h"
#include "model/planner/write/plan-builder.h"
#include "planner-tests.h"
#include "stage-tests.h"

#include "ns3/model-zoo.h"
#include "ns3/planning-problem.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

using namespace ns3;
using namespace ns3::lightpath;

PlanningProblem
MakeExpertProblem(uint32_t gpus, uint64_t batch)
{
    return MakeStageProblem("mixtral-8x7b:layers=4,hidden=64,heads=8,kvHeads=4,feedForward=128,"
                            "sequence=48,vocabulary=256,experts=8,topK=2,gradients=half",
                            gpus,
                            batch);
}

Strategy
MakeExpertStrategy(uint32_t d, uint32_t e, uint32_t t, uint32_t p)
{
    Strategy strategy;
    strategy.dataParallel = d;
    strategy.expertParallel = e;
    strategy.tensorParallel = t;
    strategy.pipelineParallel = p;
    return strategy;
}

namespace
{

constexpr uint64_t HALF_BYTES = 2; //!< Bytes of an element

/// Parameters of all experts, which are gated: three products each.
constexpr uint64_t EXPERT_PARAMETERS =
    ExpertSizes::LAYERS * ExpertSizes::EXPERTS * 3 * ExpertSizes::HIDDEN * ExpertSizes::INNER;

/**
 * @ingroup lightpath-tests
 * @param plan a plan
 * @param rank a rank
 * @param group a kind of group
 * @return the sizes of the buffers of its collectives of this kind of group, together
 */
uint64_t
GetBuffers(const TrainingPlan& plan, uint32_t rank, uint32_t group)
{
    uint64_t bytes = 0;
    for (const auto& task : plan.programs[rank]->GetTasks())
    {
        bytes += task.kind == TaskKind::COLLECTIVE && task.group == group ? task.bytes : 0;
    }
    return bytes;
}

/**
 * @ingroup lightpath-tests
 * @param plan a plan
 * @param kind a kind of group
 * @return the bytes that all ranks send in groups of this kind
 */
uint64_t
GetTraffic(TrainingPlan plan, uint32_t kind)
{
    plan.circuitWeights.assign(plan.groups.size(), 0);
    plan.circuitWeights[kind] = 1;
    return plan.GetDemand().GetTotal();
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The tests of replicas that share out experts.
 */
class ExpertPlannerTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Compares the traffic of the GPUs of experts with the closed form: k b s h elements for each
     * of two all-to-alls forward and two backward, of which one share stays.
     */
    void TestTraffic()
    {
        for (const uint32_t e : {2, 4, 8})
        {
            for (const auto recomputation : {Recomputation::NONE, Recomputation::FULL})
            {
                Try(MakeExpertStrategy(8, e), recomputation);
                Try(MakeExpertStrategy(8, e, 2), recomputation);
                Try(MakeExpertStrategy(8, e, 1, 2), recomputation);
                Strategy all = MakeExpertStrategy(8, e, 2, 2);
                all.sequenceParallel = true;
                all.virtualStages = 2;
                all.zeroStage = 1;
                Try(all, recomputation);
            }
        }
    }

    /// Compares the memory and the time of computation of experts with their closed forms.
    void TestShare()
    {
        for (const uint32_t e : {1, 2, 4, 8})
        {
            CheckMemory(e);
            CheckCompute(e);
        }
    }

    /**
     * Compares plans of small graphs, and the order of collectives, with results worked out by
     * hand.
     */
    void TestOrder()
    {
        CheckExperts();
        CheckTime();
        CheckNames();
        CheckUnshared();
        // 32 GPUs in servers of 8; two of a replica: the members of a group that share a server
        CheckLocal(2, 2, 2);
        CheckLocal(4, 4, 1);
        CheckLocal(8, 4, 1);
    }

  private:
    /**
     * @param strategy the strategy
     * @param recomputation its recomputation
     */
    void Try(Strategy strategy, Recomputation recomputation)
    {
        const uint32_t t = strategy.tensorParallel;
        const uint32_t p = strategy.pipelineParallel;
        const uint64_t e = strategy.expertParallel;
        const uint64_t d = strategy.dataParallel;
        strategy.recomputation = recomputation;
        strategy.microbatches = 2;
        // Microbatches of 3 samples
        PlanningProblem problem = MakeExpertProblem(d * t * p, 6 * d);
        const TrainingPlan plan = PlanBuilder(problem).Build(strategy);
        plan.Check();
        const uint64_t times = recomputation == Recomputation::FULL ? 6 : 4;
        const uint64_t all =
            ExpertSizes::CHOICES * 3 * ExpertSizes::SEQUENCE * ExpertSizes::HIDDEN * HALF_BYTES;
        const uint64_t buffer = strategy.sequenceParallel ? all / t : all;
        const std::string label = "d " + std::to_string(d) + " e " + std::to_string(e) + " t " +
                                  std::to_string(t) + " p " + std::to_string(p);
        for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
        {
            const uint64_t own = ExpertSizes::LAYERS / p * 2 * times;
            NS_TEST_EXPECT_MSG_EQ(GetBuffers(plan, rank, 4), own * buffer, label);
            for (const auto& task : plan.programs[rank]->GetTasks())
            {
                NS_TEST_EXPECT_MSG_EQ((task.kind == TaskKind::COLLECTIVE && task.group == 4),
                                      (task.collective == CollectiveKind::ALL_TO_ALL),
                                      label);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(GetTraffic(plan, 4),
                              d * t * ExpertSizes::LAYERS * 2 * times * buffer * (e - 1) / e,
                              label);
        CheckGroups(plan, label);
        CheckGradients(problem, plan, label);
    }

    /**
     * Check the groups that share out experts.
     *
     * @param plan a plan
     * @param label its degrees
     */
    void CheckGroups(const TrainingPlan& plan, const std::string& label)
    {
        const uint32_t t = plan.strategy.tensorParallel;
        const uint32_t d = plan.strategy.dataParallel;
        const uint32_t e = plan.strategy.expertParallel;
        for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
        {
            const uint32_t part = rank % t;
            const uint32_t replica = rank / t % d;
            const uint32_t stage = rank / t / d;
            std::vector<uint32_t> sharers;
            std::vector<uint32_t> same;
            for (uint32_t other = 0; other < d; ++other)
            {
                const uint32_t peer = (stage * d + other) * t + part;
                if (other / e == replica / e)
                {
                    sharers.push_back(peer);
                }
                if (other % e == replica % e)
                {
                    same.push_back(peer);
                }
            }
            NS_TEST_EXPECT_MSG_EQ((plan.groups[4].GetMembers(rank) == sharers), true, label);
            NS_TEST_EXPECT_MSG_EQ((plan.groups[5].GetMembers(rank) == same), true, label);
        }
    }

    /**
     * Check the sums of gradients: of all but the experts over all replicas, of the experts of each
     * replica over those with the same ones.
     *
     * @param problem the problem
     * @param plan its plan
     * @param label its degrees
     */
    void CheckGradients(const PlanningProblem& problem,
                        const TrainingPlan& plan,
                        const std::string& label)
    {
        const uint64_t t = plan.strategy.tensorParallel;
        const uint64_t d = plan.strategy.dataParallel;
        const uint64_t e = plan.strategy.expertParallel;
        const uint64_t experts = GetTraffic(plan, 5);
        // 2 (n - 1) / n of the gradients of each rank, which all ranks of an expert hold
        NS_TEST_EXPECT_MSG_EQ(experts,
                              2 * (d / e - 1) * EXPERT_PARAMETERS * HALF_BYTES,
                              "Experts, " << label);
        if (t == 1)
        {
            const uint64_t others = problem.graph.GetParameters() - EXPERT_PARAMETERS;
            NS_TEST_EXPECT_MSG_EQ(GetTraffic(plan, 1),
                                  2 * (d - 1) * others * HALF_BYTES,
                                  "All but the experts, " << label);
        }
    }

    /**
     * @param e the number of replicas that share out experts
     */
    void CheckMemory(uint64_t e)
    {
        const PlanningProblem problem = MakeExpertProblem(8, 16);
        const PlanBuilder builder(problem);
        Strategy strategy = MakeExpertStrategy(8, e);
        const MemoryUse memory = builder.GetMemory(strategy).front();
        const uint64_t all = problem.graph.GetParameters();
        const uint64_t held = all - EXPERT_PARAMETERS + EXPERT_PARAMETERS / e;
        NS_TEST_EXPECT_MSG_EQ(memory.parameters, 2 * held, "Parameters, e " << e);
        NS_TEST_EXPECT_MSG_EQ(memory.gradients, 2 * held, "Gradients, e " << e);
        NS_TEST_EXPECT_MSG_EQ(memory.optimizer, 12 * held, "Optimiser, e " << e);
        NS_TEST_EXPECT_MSG_EQ(memory.activations,
                              builder.GetMemory(MakeExpertStrategy(8, 1)).front().activations,
                              "As many tokens as before, e " << e);
        // Experts over 8 / e replicas, all else over 8: an eighth of all, whatever e is
        strategy.zeroStage = 1;
        NS_TEST_EXPECT_MSG_EQ(builder.GetMemory(strategy).front().optimizer,
                              12 * all / 8,
                              "Shared-out optimiser, e " << e);
    }

    /**
     * @param e the number of replicas that share out experts
     */
    void CheckCompute(uint32_t e)
    {
        PlanningProblem problem = MakeExpertProblem(8, 16);
        double seconds = 0;
        for (const auto& op : problem.graph.GetOperators())
        {
            // The tokens of e replicas for an e-th of the experts
            const uint32_t sharers = op.experts > 0 ? e : 1;
            seconds += problem.accelerator.GetSeconds(op, 2 * sharers, 1.0 / sharers);
        }
        const TrainingPlan plan = PlanBuilder(problem).Build(MakeExpertStrategy(8, e));
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.programs[3]->GetComputeSeconds(), seconds, 1e-12, "e " << e);
        // Where neither moving parameters nor the ramp of an expert takes time, all ranks together
        // compute as long as before
        problem.accelerator.memoryBandwidth *= 1e9;
        problem.accelerator.expertRamp = 0;
        NS_TEST_EXPECT_MSG_EQ_TOL(
            PlanBuilder(problem).Build(MakeExpertStrategy(8, e)).programs[3]->GetComputeSeconds(),
            PlanBuilder(problem).Build(MakeExpertStrategy(8, 1)).programs[3]->GetComputeSeconds(),
            1e-12,
            "Operations, e " << e);
    }

    /// Check which operators have experts.
    void CheckExperts()
    {
        const auto operators = MakeExpertProblem(1, 1).graph.GetOperators();
        for (const auto& op : operators)
        {
            const std::string& name = operators[op.forward].name;
            const bool isExpert = Contains(name, ".expansion") || Contains(name, ".gate") ||
                                  Contains(name, "feed-forward.projection");
            NS_TEST_EXPECT_MSG_EQ(op.experts, (isExpert ? 8 : 0), "Experts of " << op.name);
        }
    }

    /**
     * Check how many members of the groups of experts share a server.
     *
     * @param e the number of replicas that share out experts
     * @param sharers those of them in a server
     * @param same the replicas with the same experts in a server
     */
    void CheckLocal(uint32_t e, uint32_t sharers, uint32_t same)
    {
        PlanningProblem problem = MakeExpertProblem(32, 32);
        problem.fabric.servers.layout.gpus = 8;
        problem.fabric.servers.bitRate = 1e13;
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("TensorParallel", UintegerValue(2));
        planner->SetAttribute("ExpertParallel", UintegerValue(e));
        const TrainingPlan plan = planner->TryPlan(problem);
        for (const auto& task : plan.programs[0]->GetTasks())
        {
            if (task.kind == TaskKind::COLLECTIVE && task.group > 3)
            {
                NS_TEST_EXPECT_MSG_EQ(task.options.local, (task.group == 4 ? sharers : same), e);
                NS_TEST_EXPECT_MSG_EQ(task.phase, (task.group == 4 ? 0 : 1), task.name);
            }
        }
    }

    /**
     * @param experts the number of experts of the operator in the middle
     * @return a chain of three operators and their gradients, 10 us and 1000 bytes a sample each
     */
    static OperatorGraph MakeChain(uint32_t experts)
    {
        OperatorGraph graph("chain");
        const auto add = [&](const std::string& name, Pass pass, uint32_t forward) {
            Operator op = MakeToyOperator(name, pass, 10, 1000);
            op.inputBytes = 1000;
            op.forward = forward;
            op.experts = forward == 1 ? experts : 0;
            op.parameters = pass == Pass::FORWARD ? 0 : 500;
            const uint32_t index = graph.AddOperator(op);
            if (index > 0)
            {
                graph.AddEdge(index - 1, index);
            }
        };
        for (uint32_t op = 0; op < 3; ++op)
        {
            add("f" + std::to_string(op), Pass::FORWARD, op);
        }
        for (uint32_t op = 3; op-- > 0;)
        {
            add("b" + std::to_string(op), Pass::BACKWARD, op);
        }
        return graph;
    }

    /**
     * Check the time where nothing overlaps.
     */
    void CheckTime()
    {
        const auto planner = CreateObject<FixedPlanner>();
        for (const uint32_t e : {1, 2, 4})
        {
            planner->SetAttribute("ExpertParallel", UintegerValue(e));
            const TrainingPlan plan = planner->TryPlan(MakeToyProblem(MakeChain(4), 4, 12));
            NS_TEST_EXPECT_MSG_EQ(plan.strategy.expertParallel, e, "Attribute");
            // Six operators of 3 samples; four all-to-alls of 3000 bytes at 1 byte/ns
            const double exchange = 4 * 3e-6 * (e - 1) / e;
            NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, 180e-6 + exchange, 1e-12, "e " << e);
        }
    }

    /**
     * Check the order of the collectives of a layer with tensor and sequence parallelism.
     */
    void CheckNames()
    {
        Strategy strategy = MakeExpertStrategy(2, 2, 2);
        strategy.sequenceParallel = true;
        const PlanningProblem problem = MakeExpertProblem(4, 4);
        const TrainingPlan plan = PlanBuilder(problem).Build(strategy);
        const std::string prefix = "layer2.feed-forward.";
        std::vector<std::string> names;
        for (const auto& task : plan.programs[0]->GetTasks())
        {
            if (task.kind == TaskKind::COLLECTIVE && task.name.rfind(prefix, 0) == 0)
            {
                names.push_back(task.name.substr(prefix.size()));
            }
        }
        const std::vector<std::string> expected{"dispatch.exchange",
                                                "dispatch.gather",
                                                "projection.sum",
                                                "projection.exchange",
                                                "combine.backward.exchange",
                                                "combine.backward.gather",
                                                "expansion.input-gather",
                                                "expansion.input-gradient.sum",
                                                "expansion.input-gradient.exchange"};
        std::string text;
        for (const auto& name : names)
        {
            text += name + " ";
        }
        NS_TEST_EXPECT_MSG_EQ((names == expected), true, text);
    }

    /**
     * Check that experts that are not shared out are like any other operators, but for the memory
     * and the ramps of their products.
     */
    void CheckUnshared()
    {
        PlanningProblem problem = MakeExpertProblem(4, 8);
        problem.accelerator.memoryBandwidth = std::numeric_limits<double>::infinity();
        problem.accelerator.productRamp = 0;
        problem.accelerator.memoryRamp = 0;
        problem.accelerator.expertRamp = 0;
        Strategy strategy = MakeExpertStrategy(2, 1, 2);
        strategy.sequenceParallel = true;
        const TrainingPlan plan = PlanBuilder(problem).Build(strategy);
        OperatorGraph plain(problem.graph.GetName());
        for (uint32_t index = 0; index < problem.graph.GetOperators().size(); ++index)
        {
            Operator op = problem.graph.GetOperators()[index];
            op.experts = 0;
            plain.AddOperator(op);
            for (const auto from : problem.graph.GetPredecessors(index))
            {
                plain.AddEdge(from, index);
            }
        }
        problem.graph = plain;
        const TrainingPlan other = PlanBuilder(problem).Build(strategy);
        const auto& tasks = plan.programs[0]->GetTasks();
        const auto& others = other.programs[0]->GetTasks();
        NS_TEST_EXPECT_MSG_EQ(plan.groups.size(), 2, "No groups of experts");
        NS_TEST_EXPECT_MSG_EQ(tasks.size(), others.size(), "Tasks");
        for (std::size_t i = 0; i < std::min(tasks.size(), others.size()); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(tasks[i].name, others[i].name, "Task");
            NS_TEST_EXPECT_MSG_EQ(tasks[i].seconds, others[i].seconds, tasks[i].name);
            NS_TEST_EXPECT_MSG_EQ(tasks[i].bytes, others[i].bytes, tasks[i].name);
            NS_TEST_EXPECT_MSG_EQ(tasks[i].group, others[i].group, tasks[i].name);
        }
        NS_TEST_EXPECT_MSG_EQ(plan.memoryBytes, other.memoryBytes, "Memory");
    }
};

/// Registers the test cases
static const SuiteCases g_expertPlannerCases(
    "lightpath-planner-experts",
    {{MakeCase("Experts exchange four times the chosen tokens of a layer",
               &ExpertPlannerTests::TestTraffic),
      MakeCase("Each GPU holds its share of the experts and does as much as before",
               &ExpertPlannerTests::TestShare),
      MakeCase("Tokens go to the experts before these need them, and come back",
               &ExpertPlannerTests::TestOrder)}});
