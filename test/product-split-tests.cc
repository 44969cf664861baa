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
#include "ns3/planning-problem.h"
#include "ns3/sip-ml-planner.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the split of products into pieces.
 */
class ProductSplitTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Compares the reads and the times of the pieces of products with results worked out by hand.
     */
    void TestProductSplit()
    {
        CheckProducts();
        CheckNothing();
        CheckLinearShares();
    }

  private:
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
        planner->SetAttribute("SplitMode", EnumValue(OperatorPieces::OVERLAP));
        const TrainingPlan plan = planner->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ(plan.GetTraffic().GetTotal(), 0, "Parts that overlap");
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, 20e-6, 1e-12, "Two quarters of 40 us");
    }

    /// Check that an operator without time is split like its sources, and not gathered on one GPU.
    void CheckNothing()
    {
        for (const uint32_t gpus : {2, 4, 8})
        {
            const auto planner = MakeSipMlPlanner();
            planner->SetAttribute("SplitMode", EnumValue(OperatorPieces::OVERLAP));
            planner->SetAttribute("TimeQuantum", TimeValue(MicroSeconds(1)));
            const PlanningProblem problem = MakeToyProblem(MakeProducts(0), gpus, 1);
            NS_TEST_EXPECT_MSG_EQ(planner->Plan(problem).GetTraffic().GetTotal(),
                                  0,
                                  "The sum stays on " << gpus << " GPUs");
        }
    }

    /// Check that with linear shares K GPUs take a K-th of the time, and the time of launches.
    void CheckLinearShares()
    {
        const auto planner = MakeSipMlPlanner();
        planner->SetAttribute("SplitMode", EnumValue(OperatorPieces::OVERLAP));
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
static const SuiteCases g_productSplitCases(
    "lightpath-planner",
    {{MakeCase("Pieces of products read all or what overlaps, and take their share of the time",
               &ProductSplitTests::TestProductSplit)}});
