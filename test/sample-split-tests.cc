/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "planner-tests.h"

#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/sip-ml-planner.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of sample split.
 */
class SampleSplitTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares plans whose pieces share out the samples with what was worked out by hand.
    void TestSampleSplit()
    {
        // A sample on each GPU takes 40 us forward and 80 us backward; a ring of k GPUs sums 2000
        // bytes by sending 2 (k - 1) of them in all, at 1 us for 1000
        TryLayer(2, 2, 120e-6 + 2e-6, 4000, 2000);
        TryLayer(4, 4, 120e-6 + 3e-6, 12000, 3000);
        TryLayer(3, 3, 120e-6 + 4 * 0.667e-6, 8000, 2667);
        // A ring of many is a collective of all GPUs
        TryLayer(32, 32, 120e-6 + 62 * 62.5e-9, 124000, 3875);
        TryDegree();
    }

    /**
     * Compares what the pieces of products read, and what they take, with what was worked out by
     * hand.
     */
    void TestProductSplit()
    {
        CheckProducts();
        CheckNothing();
        CheckLinearShares();
    }

  private:
    /**
     * @param parameters the number of parameters
     * @param microseconds the time of the forward pass of a sample, in us
     * @return a model of one layer
     */
    static OperatorGraph MakeLayer(uint64_t parameters, uint64_t microseconds)
    {
        OperatorGraph graph("layer");
        graph.AddOperator(MakeToyOperator("forward", Pass::FORWARD, microseconds, 100));
        Operator op = MakeToyOperator("backward", Pass::BACKWARD, 2 * microseconds);
        op.parameters = parameters;
        graph.AddEdge(0, graph.AddOperator(op));
        op = MakeToyOperator("update", Pass::UPDATE, 0);
        op.parameters = parameters;
        graph.AddEdge(1, graph.AddOperator(op));
        return graph;
    }

    /**
     * @return a planner of one replica that splits operators by samples
     */
    static Ptr<SipMlPlanner> MakePlanner()
    {
        const auto planner = CreateObject<SipMlPlanner>();
        planner->SetAttribute("TimeQuantum", TimeValue(Seconds(0)));
        planner->SetAttribute("DataParallel", UintegerValue(1));
        planner->SetAttribute("SplitMode", EnumValue(SipMlPlanner::SAMPLE));
        return planner;
    }

    /**
     * Plan a layer of 1000 parameters.
     *
     * @param gpus the number of GPUs
     * @param samples the samples
     * @param seconds the time that it takes, in seconds
     * @param total the bytes sent by all GPUs
     * @param most the most bytes that a GPU sends to the next one
     */
    void TryLayer(uint32_t gpus, uint64_t samples, double seconds, uint64_t total, uint64_t most)
    {
        const TrainingPlan plan =
            MakePlanner()->Plan(MakeToyProblem(MakeLayer(1000, 40), gpus, samples));
        const TrafficMatrix traffic = plan.GetTraffic();
        const auto holders = std::min<uint64_t>(gpus, samples);
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, seconds, 1e-11, "Time on " << gpus);
        NS_TEST_EXPECT_MSG_EQ(traffic.GetTotal(), total, "Bytes of " << gpus);
        uint64_t found = 0;
        for (uint32_t rank = 0; rank < holders; ++rank)
        {
            const uint64_t bytes = traffic.Get(rank, (rank + 1) % holders);
            found = std::max(found, bytes);
            NS_TEST_EXPECT_MSG_EQ(plan.memory[rank].GetTotal(), 16000, "All of the parameters");
        }
        NS_TEST_EXPECT_MSG_EQ(found, most, "Bytes to the next one of " << gpus);
        NS_TEST_EXPECT_MSG_EQ(traffic.GetDegree(), 1, "One peer");
    }

    /**
     * Plan random models on fabrics with few circuits.
     */
    void TryDegree()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(11);
        uint32_t nPlans = 0;
        for (uint32_t round = 0; round < 60; ++round)
        {
            const uint32_t gpus = random->GetInteger(2, 24);
            PlanningProblem problem =
                MakeToyProblem(MakeRandomGraph(random->GetInteger(2, 10), random), gpus, 48);
            const uint32_t degree = random->GetInteger(1, 5);
            problem.fabric.degree = degree;
            const auto planner = MakePlanner();
            const double quantum = 1e-6 * random->GetInteger(1, 400);
            planner->SetAttribute("TimeQuantum", TimeValue(Seconds(quantum)));
            TrainingPlan plan;
            const std::string error = GetError([&]() { plan = planner->TryPlan(problem); });
            const TrafficMatrix traffic = plan.GetTraffic();
            nPlans += error.empty() ? 1 : 0;
            NS_TEST_EXPECT_MSG_LT_OR_EQ(traffic.GetDegree(), degree, "Peers, round " << round);
            NS_TEST_EXPECT_MSG_EQ(error.empty() || Contains(error, "peers") ||
                                      Contains(error, "may send to only"),
                                  true,
                                  error);
        }
        NS_TEST_EXPECT_MSG_GT(nPlans, 10, "Some models can be planned");
    }

    /**
     * @return a planner of one replica with a time quantum of 10 us
     */
    static Ptr<SipMlPlanner> MakeSipMlPlanner()
    {
        const auto planner = CreateObject<SipMlPlanner>();
        planner->SetAttribute("TimeQuantum", TimeValue(MicroSeconds(10)));
        planner->SetAttribute("DataParallel", UintegerValue(1));
        return planner;
    }

    /**
     * @param microseconds the time of an operator between two of 40 us, or a negative number if
     *        there is none
     * @return a chain of matrix products, with results of 1200 bytes
     */
    static OperatorGraph MakeProducts(int64_t microseconds)
    {
        OperatorGraph graph("products");
        for (const int64_t each : {int64_t{40}, microseconds, int64_t{40}})
        {
            const auto index = static_cast<uint32_t>(graph.GetOperators().size());
            if (each < 0)
            {
                continue;
            }
            Operator op = MakeToyOperator("p" + std::to_string(index), Pass::FORWARD, each, 1200);
            op.kind = each == microseconds ? OperatorKind::ELEMENTWISE : OperatorKind::MATMUL;
            op.forward = index;
            graph.AddOperator(op);
            if (index > 0)
            {
                graph.AddEdge(index - 1, index);
            }
        }
        return graph;
    }

    /// Check that a product reads all pieces of its input, or with Overlap its part of it alone.
    void CheckProducts()
    {
        const auto planner = MakeSipMlPlanner();
        const PlanningProblem problem = MakeToyProblem(MakeProducts(-1), 4, 1);
        NS_TEST_EXPECT_MSG_EQ(planner->Plan(problem).GetTraffic().GetTotal(),
                              3 * 1200,
                              "Each GPU reads what the 3 others have made");
        planner->SetAttribute("SplitMode", EnumValue(SipMlPlanner::OVERLAP));
        const TrainingPlan plan = planner->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ(plan.GetTraffic().GetTotal(), 0, "Parts that overlap");
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, 20e-6, 1e-12, "Two quarters of 40 us");
    }

    /// Check that what takes no time is split like its sources, and not gathered on one GPU.
    void CheckNothing()
    {
        for (const uint32_t gpus : {2, 4, 8})
        {
            const auto planner = MakeSipMlPlanner();
            planner->SetAttribute("SplitMode", EnumValue(SipMlPlanner::OVERLAP));
            planner->SetAttribute("TimeQuantum", TimeValue(MicroSeconds(1)));
            const PlanningProblem problem = MakeToyProblem(MakeProducts(0), gpus, 1);
            NS_TEST_EXPECT_MSG_EQ(planner->Plan(problem).GetTraffic().GetTotal(),
                                  0,
                                  "The sum stays on " << gpus << " GPUs");
        }
    }

    /// Check that with linear shares K GPUs take a K-th of the time, with what launches take.
    void CheckLinearShares()
    {
        const auto planner = MakeSipMlPlanner();
        planner->SetAttribute("SplitMode", EnumValue(SipMlPlanner::OVERLAP));
        PlanningProblem problem = MakeToyProblem(MakeProducts(-1), 4, 1);
        problem.accelerator.launchSeconds = 8e-6;
        NS_TEST_EXPECT_MSG_EQ_TOL(planner->Plan(problem).predictedSeconds,
                                  2 * (10e-6 + 8e-6),
                                  1e-12,
                                  "Each piece is launched");
        problem.accelerator.linearShares = true;
        NS_TEST_EXPECT_MSG_EQ_TOL(planner->Plan(problem).predictedSeconds,
                                  2 * (40e-6 + 8e-6) / 4,
                                  1e-12,
                                  "Quarters");
    }
};

/// Registers the test cases
static const SuiteCases g_sampleSplitCases(
    "lightpath-planner",
    {{MakeCase("Pieces that share out samples sum gradients of all parameters",
               &SampleSplitTests::TestSampleSplit),
      MakeCase("Pieces of products read all or what overlaps, and take their share of the time",
               &SampleSplitTests::TestProductSplit)}});
