/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "planner-tests.h"

#include "ns3/fixed-planner.h"
#include "ns3/framework.h"
#include "ns3/training-plan.h"
#include "ns3/uinteger.h"

#include <string>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of Framework.
 */
class FrameworkTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Check the presets, their options, and what is refused.
    void TestNames();

    /// Check the options that a model gets.
    void TestModels();

    /// Check how long a GPU waits for the host.
    void TestHost();

    /// Check that sums of gradients wait for the last backward pass.
    void TestOverlap();

  private:
    /**
     * @param framework the name of a framework
     * @param experts the experts of the second of three operators
     * @return the predicted time of forward operators of 1, 10 and 1 us and a backward one of 1 us,
     *         in microseconds
     */
    static double GetMicroseconds(const std::string& framework, uint32_t experts);
};

void
FrameworkTests::TestNames()
{
    for (const auto& name : Framework::GetNames())
    {
        const Framework framework = Framework::Create(name);
        NS_TEST_EXPECT_MSG_EQ(framework.GetName(), name, "Name");
        NS_TEST_EXPECT_MSG_EQ(framework.GetDescription().empty(), false, name);
        for (const auto& origin : framework.GetOrigins())
        {
            NS_TEST_EXPECT_MSG_EQ(framework.GetOptions().Get(origin.option), origin.value, name);
            const std::string grade = origin.source.substr(0, origin.source.find_first_of(":,"));
            NS_TEST_EXPECT_MSG_EQ(
                (grade == "published" || grade == "recalled" || grade == "fitted"),
                true,
                grade);
        }
    }
    EXPECT_PART(GetError([]() { Framework::Create("megatrom"); }),
                "There is no framework \"megatrom\": ");
    EXPECT_PART(GetError([]() { Framework::Create("megatron:graphs=maybe"); }), "graphs");
    EXPECT_PART(GetError([]() { Framework::Create("megatron:launch=-1"); }), "launch");
    EXPECT_PART(GetError([]() { Framework::Create("megatron:speed=2"); }), "speed");
}

void
FrameworkTests::TestModels()
{
    const Framework megatron = Framework::Create("megatron");
    NS_TEST_EXPECT_MSG_EQ(megatron.GetModel("llama-3-8b"),
                          "llama-3-8b:attention=causal,gradients=single",
                          "Options of the framework");
    NS_TEST_EXPECT_MSG_EQ(megatron.GetModel("llama-3-8b:gradients=half,layers=2"),
                          "llama-3-8b:gradients=half,layers=2,attention=causal",
                          "The name of the model has the last word");
    NS_TEST_EXPECT_MSG_EQ(megatron.GetModel("resnet50"),
                          "resnet50:gradients=single",
                          "Convolutions have no attention");
    NS_TEST_EXPECT_MSG_EQ(Framework().GetModel("llama-3-8b"), "llama-3-8b", "No framework");
}

double
FrameworkTests::GetMicroseconds(const std::string& framework, uint32_t experts)
{
    OperatorGraph graph("chain");
    const uint64_t times[] = {1, 10, 1};
    for (uint32_t i = 0; i < 3; ++i)
    {
        Operator op = MakeToyOperator("f" + std::to_string(i), Pass::FORWARD, times[i], 8);
        op.forward = i;
        op.experts = i == 1 ? experts : 0;
        op.kind = OperatorKind::MATMUL;
        graph.AddOperator(op);
    }
    Operator op = MakeToyOperator("b", Pass::BACKWARD, 1);
    op.forward = 2;
    graph.AddOperator(op);
    for (uint32_t i = 0; i < 3; ++i)
    {
        graph.AddEdge(i, i + 1);
    }
    PlanningProblem problem = MakeToyProblem(graph, 1, 1);
    problem.framework = Framework::Create(framework);
    const auto planner = CreateObject<FixedPlanner>();
    return planner->TryPlan(problem).predictedSeconds * 1e6;
}

void
FrameworkTests::TestHost()
{
    constexpr double tolerance = 1e-6;
    const std::string five = "none:launch=5000";
    NS_TEST_EXPECT_MSG_EQ_TOL(GetMicroseconds("none", 0), 13, tolerance, "GPU alone");
    // The host ends launches at 5, 10 and 15 us: the GPU works from 5 to 6, 10 to 20, and on to 21;
    // the backward pass waits for 5 us again
    NS_TEST_EXPECT_MSG_EQ_TOL(GetMicroseconds(five, 0), 27, tolerance, "It hides behind 10 us");
    NS_TEST_EXPECT_MSG_EQ_TOL(GetMicroseconds(five + ",graphs=yes", 0), 13, tolerance, "Captured");
    // The host learns at 6 us what four experts do, and ends their launches at 26 us
    NS_TEST_EXPECT_MSG_EQ_TOL(GetMicroseconds(five, 4), 26 + 10 + 1 + 6, tolerance, "Experts");
    NS_TEST_EXPECT_MSG_EQ_TOL(GetMicroseconds("none:launch=1", 0), 13.002, tolerance, "Fast host");
}

void
FrameworkTests::TestOverlap()
{
    // Two layers, of which the backward pass takes 4 us each and the gradients have 2000 bytes: an
    // all-reduce over two GPUs takes 2 us, and 4 us for both together
    OperatorGraph graph("layers");
    const uint32_t f = graph.AddOperator(MakeToyOperator("f", Pass::FORWARD, 1, 8));
    std::vector<uint32_t> backward;
    for (const std::string name : {"b1", "b0"})
    {
        Operator op = MakeToyOperator(name, Pass::BACKWARD, 4, 8);
        op.parameters = 1000;
        backward.push_back(graph.AddOperator(op));
    }
    graph.AddEdge(f, backward[0]);
    graph.AddEdge(backward[0], backward[1]);
    for (const auto gradient : backward)
    {
        Operator op = MakeToyOperator("u" + std::to_string(gradient), Pass::UPDATE, 0);
        op.parameters = 1000;
        graph.AddEdge(gradient, graph.AddOperator(op));
    }
    PlanningProblem problem = MakeToyProblem(graph, 2, 2);
    const auto planner = CreateObject<FixedPlanner>();
    planner->SetAttribute("BucketBytes", UintegerValue(0));
    const double hidden = planner->TryPlan(problem).predictedSeconds;
    problem.framework = Framework::Create("none:gradientOverlap=no");
    const double late = planner->TryPlan(problem).predictedSeconds;
    constexpr double tolerance = 1e-12;
    NS_TEST_EXPECT_MSG_EQ_TOL(hidden, 11e-6, tolerance, "One sum behind the last pass");
    NS_TEST_EXPECT_MSG_EQ_TOL(late, 13e-6, tolerance, "All sums behind it");
}

/// Registers the test cases
static const SuiteCases g_frameworkCases(
    "lightpath-planner",
    {{MakeCase("names of frameworks", &FrameworkTests::TestNames),
      MakeCase("models of frameworks", &FrameworkTests::TestModels),
      MakeCase("hosts that fall behind", &FrameworkTests::TestHost),
      MakeCase("sums of gradients that wait", &FrameworkTests::TestOverlap)}});
