/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/planner/sip-ml/earliest-gpu.h"
#include "planner-tests.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/model-zoo.h"
#include "ns3/nstime.h"
#include "ns3/planning-problem.h"
#include "ns3/sip-ml-planner.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param replicas the number of replicas, or 0 to search
 * @return a planner with a time quantum of 10 us and small buckets
 */
Ptr<SipMlPlanner>
MakePlanner(uint32_t replicas = 0)
{
    const auto planner = CreateObject<SipMlPlanner>();
    planner->SetAttribute("TimeQuantum", TimeValue(MicroSeconds(10)));
    planner->SetAttribute("DataParallel", UintegerValue(replicas));
    planner->SetAttribute("BucketBytes", UintegerValue(4000));
    return planner;
}

/**
 * @ingroup lightpath-tests
 * @param parameters the number of parameters
 * @param microseconds the time of the forward pass of a sample
 * @return a model of one layer
 */
OperatorGraph
MakeLayer(uint64_t parameters, uint64_t microseconds)
{
    OperatorGraph graph("layer");
    graph.AddOperator(MakeToyOperator("forward", Pass::FORWARD, microseconds, 100));
    Operator op = MakeToyOperator("backward", Pass::BACKWARD, 2 * microseconds);
    op.parameters = parameters;
    graph.AddEdge(0, graph.AddOperator(op));
    if (parameters > 0)
    {
        op = MakeToyOperator("update", Pass::UPDATE, 0);
        op.parameters = parameters;
        graph.AddEdge(1, graph.AddOperator(op));
    }
    return graph;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of SipMlPlanner.
 */
class SipMlPlannerTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares the search for the earliest GPU with a look at all of them.
    void TestEarliestGpu()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(3);
        for (const uint32_t gpus : {1, 2, 5, 8, 13})
        {
            EarliestGpu earliest(gpus);
            std::vector<double> seconds(gpus, 0);
            for (uint32_t round = 0; round < 400; ++round)
            {
                const uint32_t changed = random->GetInteger(0, gpus - 1);
                seconds[changed] = random->GetInteger(0, 5);
                earliest.Set(changed, seconds[changed]);
                const uint32_t begin = random->GetInteger(0, gpus - 1);
                const uint32_t count = random->GetInteger(1, gpus);
                uint32_t best = begin;
                for (uint32_t i = 1; i < count; ++i)
                {
                    const uint32_t gpu = (begin + i) % gpus;
                    best = seconds[gpu] < seconds[best] ? gpu : best;
                }
                NS_TEST_EXPECT_MSG_EQ(earliest.Find(begin, count), best, "Of " << gpus);
            }
        }
    }

    /// Compares the outcome of the search with that of all numbers of replicas by themselves.
    void TestSipMlSearch()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(5);
        std::vector<uint32_t> chosen(9, 0);
        for (uint32_t round = 0; round < 40; ++round)
        {
            PlanningProblem problem =
                MakeToyProblem(MakeRandomGraph(random->GetInteger(3, 12), random), 8, 16);
            problem.fabric.bitRate = 1e9 * (1 << random->GetInteger(0, 6));
            problem.fabric.latency = 1e-7 * random->GetInteger(0, 20);
            problem.fabric.circuits = random->GetInteger(1, 4);
            problem.fabric.degree = random->GetInteger(0, 3);
            ++chosen[Try(problem)];
        }
        NS_TEST_EXPECT_MSG_GT(std::count(chosen.begin(), chosen.end(), 0U), 0, "Some are not best");
        NS_TEST_EXPECT_MSG_LT(std::count(chosen.begin(), chosen.end(), 0U), 8, "It varies");

        PlanningProblem bert;
        bert.graph = ModelZoo::Create("bert-large");
        bert.accelerator = Accelerator::Create("A100");
        bert.gpus = 16;
        bert.globalBatch = 32;
        bert.fabric.latency = 1e-6;
        for (const double rate : {5e10, 1e12})
        {
            bert.fabric.bitRate = rate;
            Try(bert);
        }
    }

    /// Plans models whose best plan is obvious.
    void TestSipMlPlan()
    {
        // Without parameters, 2 samples on 1 GPU each or split over 2 GPUs take the same time
        TrainingPlan plan = MakePlanner()->Plan(MakeToyProblem(MakeLayer(0, 20), 2, 2));
        NS_TEST_EXPECT_MSG_EQ(plan.strategy.dataParallel, 2, "The smaller K of two equal ones");
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, 60e-6, 1e-12, "60 us for a sample");
        NS_TEST_EXPECT_MSG_EQ_TOL(
            MakePlanner(1)->Plan(MakeToyProblem(MakeLayer(0, 20), 2, 2)).predictedSeconds,
            60e-6,
            1e-12,
            "As long");

        // 100,000 parameters: summing 200 kB over 2 replicas takes 200 us, splitting them none
        plan = MakePlanner()->Plan(MakeToyProblem(MakeLayer(100000, 20), 2, 2));
        NS_TEST_EXPECT_MSG_EQ(plan.strategy.dataParallel, 1, "Parameters are not summed");
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, 60e-6, 1e-12, "Nothing is sent");
        NS_TEST_EXPECT_MSG_EQ(plan.GetTraffic().GetTotal(), 0, "Nothing is sent");
        plan = MakePlanner(2)->Plan(MakeToyProblem(MakeLayer(100000, 20), 2, 2));
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, 260e-6, 1e-12, "200 us more");
        NS_TEST_EXPECT_MSG_EQ(plan.GetTraffic().Get(0, 1), 200000, "2 (D - 1) / D of 200 kB");

        // 2 replicas of 4 GPUs: each GPU sums its quarter with its counterpart
        plan = MakePlanner(2)->Plan(MakeToyProblem(MakeLayer(100000, 40), 8, 2));
        NS_TEST_ASSERT_MSG_EQ(plan.programs.size(), 8, "A program for each GPU");
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            NS_TEST_EXPECT_MSG_EQ(plan.GetTraffic().Get(rank, (rank + 4) % 8), 50000, "Quarter");
            NS_TEST_EXPECT_MSG_EQ((plan.programs[rank] == plan.programs[rank % 4]),
                                  true,
                                  "Replicas share programs");
            NS_TEST_EXPECT_MSG_EQ(plan.groups[0].GetPosition(rank), rank % 4, "In its replica");
            NS_TEST_EXPECT_MSG_EQ(plan.groups[1].GetPosition(rank), rank / 4, "Its replica");
        }
        NS_TEST_EXPECT_MSG_EQ(plan.GetTraffic().GetTotal(), 400000, "Nothing else");
        NS_TEST_EXPECT_MSG_EQ(plan.memoryBytes, 25000 * 16, "State of a quarter");
        NS_TEST_EXPECT_MSG_EQ(plan.memory.size(), plan.programs.size(), "One for each rank");
        for (const auto& use : plan.memory)
        {
            NS_TEST_EXPECT_MSG_EQ(use.parameters, 25000 * 2, "Parameters");
            NS_TEST_EXPECT_MSG_EQ(use.gradients, 25000 * 2, "Gradients");
            NS_TEST_EXPECT_MSG_EQ(use.GetTotal(), 25000 * 16, "All");
        }
        TryTiedParameters();
    }

    /// Gives the planner problems that leave it few choices or none.
    void TestSipMlRefusal()
    {
        // 150 million parameters of 16 bytes need 3 GPUs of 1 GiB; data parallelism would be best
        OperatorGraph large = MakeLayer(150000000, 1000);
        large.gradientBytes = 0;
        large.optimizerBytes = 14;
        PlanningProblem problem = MakeToyProblem(large, 8, 8);
        NS_TEST_EXPECT_MSG_EQ(MakePlanner()->Plan(problem).strategy.tensorParallel,
                              4,
                              "The smallest K that fits");
        for (const uint32_t replicas : {4, 8})
        {
            Refuse(MakePlanner(replicas), problem, {"GiB", "toy has 1.00 GiB"});
        }
        // With 2 GPUs, each of them would have to hold 1.12 GiB
        problem.gpus = 2;
        Refuse(MakePlanner(), problem, {"1.12 GiB"});
        // As 4 GPUs hold it, but 3 of them stay empty if the operators are not split
        problem.gpus = 4;
        const auto whole = MakePlanner(1);
        whole->SetAttribute("TimeQuantum", TimeValue(Seconds(1)));
        Refuse(whole, problem, {"2.24 GiB"});

        Refuse(MakePlanner(3),
               MakeToyProblem(MakeLayer(10, 10), 8, 8),
               {"DataParallel is 3", "GPUs, 8"});
        Refuse(MakePlanner(4),
               MakeToyProblem(MakeLayer(10, 10), 8, 6),
               {"DataParallel is 4", "batch, 6"});
        // A batch of 6 can be shared out over 2 replicas only
        NS_TEST_EXPECT_MSG_LT_OR_EQ(
            MakePlanner()->Plan(MakeToyProblem(MakeLayer(10, 10), 8, 6)).strategy.dataParallel,
            2,
            "Replicas divide the batch");
        TryDegree();
    }

    /**
     * Compares the messages of the modes of splitting, and the numbers of replicas that are tried,
     * with results worked out by hand.
     */
    void TestSipMlModes()
    {
        // Two operators of 40 us: K pieces of each, of which the second ones read the first ones
        OperatorGraph graph("chain");
        graph.AddOperator(MakeToyOperator("a", Pass::FORWARD, 40, 1200));
        Operator op = MakeToyOperator("b", Pass::FORWARD, 40, 1200);
        op.forward = 1;
        graph.AddEdge(0, graph.AddOperator(op));
        for (const uint32_t gpus : {2, 3, 4})
        {
            const auto planner = MakePlanner(1);
            const PlanningProblem problem = MakeToyProblem(graph, gpus, 1);
            NS_TEST_EXPECT_MSG_EQ(planner->Plan(problem).GetTraffic().GetTotal(),
                                  0,
                                  "Each piece reads the one on its own GPU, of " << gpus);
            planner->SetAttribute("SplitMode", EnumValue(OperatorPieces::PARAMETER));
            const TrafficMatrix traffic = planner->Plan(problem).GetTraffic();
            for (uint32_t from = 0; from < gpus; ++from)
            {
                for (uint32_t to = 0; to < gpus; ++to)
                {
                    NS_TEST_EXPECT_MSG_EQ(traffic.Get(from, to),
                                          (from == to ? 0 : 1200 / gpus),
                                          "Each piece reads all, of " << gpus);
                }
            }
        }

        // 30,000 parameters over D replicas of 2 GPUs: 2 (D - 1) / D of the gradients, or once
        for (const uint32_t replicas : {2, 3, 4})
        {
            const auto planner = MakePlanner(replicas);
            const PlanningProblem problem =
                MakeToyProblem(MakeLayer(30000, 400), 2 * replicas, 2 * replicas);
            // Two bytes a gradient, half of them on each GPU
            const uint64_t own = 30000;
            for (const bool isSummed : {true, false})
            {
                planner->SetAttribute("SumGradients", BooleanValue(isSummed));
                const TrafficMatrix traffic = planner->Plan(problem).GetTraffic();
                for (uint32_t rank = 0; rank < problem.gpus; ++rank)
                {
                    NS_TEST_EXPECT_MSG_EQ(traffic.Get(rank, (rank + 2) % problem.gpus),
                                          (isSummed ? 2 * own * (replicas - 1) / replicas : own),
                                          "To the next of " << replicas << " replicas");
                }
            }
        }

        // 3 us a sample, too short to be split: the more replicas, the better
        CheckReplicas(6, 6, 2, 6);
        CheckReplicas(6, 9, 1, 3);
        CheckReplicas(12, 12, 4, 12);
        CheckReplicas(8, 8, 8, 8);
    }

  private:
    /**
     * Compare one search with all numbers of replicas.
     *
     * @param problem the problem, with 8 or 16 GPUs
     * @return the number of replicas found, at most 8
     */
    uint32_t Try(const PlanningProblem& problem)
    {
        double best = 0;
        uint32_t replicas = 0;
        for (uint32_t d = problem.gpus; d > 0; d /= 2)
        {
            TrainingPlan plan;
            const std::string error = GetError([&]() { plan = MakePlanner(d)->TryPlan(problem); });
            if (error.empty() && (replicas == 0 || plan.predictedSeconds < best))
            {
                best = plan.predictedSeconds;
                replicas = d;
            }
        }
        const TrainingPlan plan = MakePlanner()->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ(plan.predictedSeconds, best, "Time");
        NS_TEST_EXPECT_MSG_EQ(plan.strategy.dataParallel, replicas, "Replicas");
        NS_TEST_EXPECT_MSG_EQ(plan.strategy.tensorParallel, problem.gpus / replicas, "GPUs each");
        return std::min(replicas, 8U);
    }

    /**
     * Plan a model in which two operators make gradients of the same parameters.
     */
    void TryTiedParameters()
    {
        // The gradients of the head are made on GPU 1, those of the table in two halves: GPU 0
        // needs what the head has made
        OperatorGraph graph("tied");
        graph.AddOperator(MakeToyOperator("forward", Pass::FORWARD, 1));
        graph.AddEdge(0, graph.AddOperator(MakeToyOperator("head.back", Pass::BACKWARD, 5)));
        Operator op = MakeToyOperator("table.back", Pass::BACKWARD, 30);
        op.parameters = 1000;
        graph.AddEdge(0, graph.AddOperator(op));
        op = MakeToyOperator("update", Pass::UPDATE, 1);
        op.parameters = 1000;
        graph.AddOperator(op);
        graph.AddEdge(1, 3);
        graph.AddEdge(2, 3);
        const PlanningProblem problem = MakeToyProblem(graph, 2, 1);
        const TrainingPlan plan = MakePlanner(1)->Plan(problem);
        uint64_t bytes = 0;
        uint32_t updates = 0;
        for (const auto& program : plan.programs)
        {
            for (const auto& task : program->GetTasks())
            {
                const bool isGradient = task.name == "head.back" && task.kind == TaskKind::SEND;
                bytes += isGradient ? task.bytes : 0;
                updates += task.pass == Pass::UPDATE ? 1 : 0;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(bytes, 2000, "Gradients of 1000 parameters, once");
        NS_TEST_EXPECT_MSG_EQ(updates, 2, "Updated in two parts");
    }

    /**
     * Plan a model in which one operator reads the results of all GPUs.
     */
    void TryDegree()
    {
        OperatorGraph graph("gather");
        graph.AddOperator(MakeToyOperator("wide", Pass::FORWARD, 800, 800));
        graph.AddEdge(0, graph.AddOperator(MakeToyOperator("narrow", Pass::FORWARD, 1)));
        PlanningProblem problem = MakeToyProblem(graph, 8, 1);
        problem.fabric.degree = 7;
        TrainingPlan plan = MakePlanner()->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ(plan.GetTraffic().GetDegree(), 7, "All the others are read");
        NS_TEST_EXPECT_MSG_EQ(plan.GetTraffic().GetTotal(), 700, "100 bytes of each");
        problem.fabric.degree = 6;
        Refuse(MakePlanner(),
               problem,
               {"Degree: no GPU", "operator narrow", "8 GPUs", "only 6", "use more replicas"});
        // A GPU of 4 has 3 peers in its replica and one in the next
        problem.globalBatch = 2;
        problem.fabric.degree = 4;
        plan = MakePlanner()->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ(plan.strategy.dataParallel, 2, "4 GPUs in each of 2 replicas");
        problem.fabric.degree = 3;
        Refuse(MakePlanner(), problem, {"operator narrow", "only 3", "use more replicas"});
        problem.globalBatch = 4;
        plan = MakePlanner()->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ(plan.strategy.dataParallel, 4, "More replicas help");
        Refuse(MakePlanner(2), problem, {"only 2", "use more replicas"});
    }

    /**
     * @param planner the planner
     * @param problem a problem that it cannot solve
     * @param parts parts of the expected sentence
     */
    void Refuse(Ptr<SipMlPlanner> planner,
                const PlanningProblem& problem,
                const std::vector<std::string>& parts)
    {
        const std::string error = GetError([&]() { planner->TryPlan(problem); });
        for (const auto& part : parts)
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(error, part), true, error << " does not say " << part);
        }
    }

    /**
     * @param gpus the number of GPUs
     * @param batch the global batch
     * @param power the largest power of two that divides both
     * @param divisor the largest number that divides both
     */
    void CheckReplicas(uint32_t gpus, uint32_t batch, uint32_t power, uint32_t divisor)
    {
        const PlanningProblem problem = MakeToyProblem(MakeLayer(0, 1), gpus, batch);
        const auto planner = MakePlanner();
        planner->SetAttribute("TimeQuantum", TimeValue(MilliSeconds(1)));
        NS_TEST_EXPECT_MSG_EQ(planner->Plan(problem).strategy.dataParallel, divisor, "Divisors");
        planner->SetAttribute("Divisors", BooleanValue(false));
        NS_TEST_EXPECT_MSG_EQ(planner->Plan(problem).strategy.dataParallel, power, "Powers of two");
    }
};

/// Registers the test cases
static const SuiteCases g_sipMlPlannerCases(
    "lightpath-planner",
    {{MakeCase("The earliest GPU is found as by looking at all of them",
               &SipMlPlannerTests::TestEarliestGpu),
      MakeCase("The search finds the best of all numbers of replicas",
               &SipMlPlannerTests::TestSipMlSearch),
      MakeCase("Plans of simple models are what they must be", &SipMlPlannerTests::TestSipMlPlan),
      MakeCase("Split modes and divisors do what they say", &SipMlPlannerTests::TestSipMlModes),
      MakeCase("What does not fit into memory or degree is passed over or refused",
               &SipMlPlannerTests::TestSipMlRefusal)}});
