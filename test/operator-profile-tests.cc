/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"

#include "ns3/accelerator.h"
#include "ns3/operator-profile.h"

#include <memory>
#include <sstream>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Check measured times.
 */
class OperatorProfileTestCase : public TestCase
{
  public:
    OperatorProfileTestCase()
        : TestCase("profiles")
    {
    }

  private:
    void DoRun() override;
};

void
OperatorProfileTestCase::DoRun()
{
    std::istringstream text(R"({"format": "lightpath-profile", "version": 1, "accelerator": "X",
        "entries": [
            {"operator": "layer*.qkv", "batch": 8, "seconds": 10},
            {"operator": "*", "batch": 1, "seconds": 100},
            {"operator": "layer1*", "batch": 1, "seconds": 1000},
            {"operator": "layer*.qkv", "batch": 2, "seconds": 4},
            {"operator": "layer*.qkv", "batch": 16, "seconds": 34},
            {"operator": "layer1.qkv", "batch": 2, "seconds": 0}]})");
    auto profile =
        std::make_shared<const OperatorProfile>(OperatorProfile::Read(text, "profile.json"));
    NS_TEST_EXPECT_MSG_EQ(profile->GetAccelerator(), "X", "Accelerator");
    const std::vector<std::pair<double, double>> points =
        {{0, 0}, {1, 2}, {2, 4}, {4, 6}, {8, 10}, {12, 22}, {16, 34}, {32, 68}};
    for (const auto& point : points)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(profile->GetSeconds("layer0.qkv", point.first).value_or(-1),
                                  point.second,
                                  1e-12,
                                  "Time of " << point.first << " samples");
    }
    NS_TEST_EXPECT_MSG_EQ(profile->GetSeconds("layer1.qkv", 9).value_or(-1), 0, "Exact name");
    NS_TEST_EXPECT_MSG_EQ(profile->GetSeconds("layer1.x", 1).value_or(-1), 100, "First match");

    std::istringstream few(R"({"format": "lightpath-profile", "version": 1, "accelerator": "X",
        "entries": [{"operator": "a*b*c", "batch": 4, "seconds": 1},
            {"operator": "*.update", "seconds": 3}]})");
    profile = std::make_shared<const OperatorProfile>(OperatorProfile::Read(few, "profile.json"));
    for (const auto* name : {"abc", "axbxc", "abbcc", "abcbc", "aabbc"})
    {
        NS_TEST_EXPECT_MSG_EQ(profile->GetSeconds(name, 4).value_or(-1), 1, name);
    }
    for (const auto* name : {"", "ac", "abcd", "xabc", "acb", "ABC"})
    {
        NS_TEST_EXPECT_MSG_EQ(profile->GetSeconds(name, 4).has_value(), false, name);
    }

    for (const auto samples : {0.0, 0.5, 1000.0})
    {
        NS_TEST_EXPECT_MSG_EQ(profile->GetSeconds("a.update", samples).value_or(-1),
                              3,
                              "An update takes as long for any batch");
    }

    Accelerator accelerator = Accelerator::Create("A100");
    Operator op;
    op.name = "axbxc";
    op.flops = 1000000;
    const double usual = accelerator.GetSeconds(op, 2);
    accelerator.profile = profile;
    NS_TEST_EXPECT_MSG_EQ_TOL(accelerator.GetSeconds(op, 2), 0.5, 1e-12, "Measured");
    NS_TEST_EXPECT_MSG_EQ_TOL(accelerator.GetSeconds(op, 2, 0.25), 0.125, 1e-12, "Share");
    op.name = "other";
    NS_TEST_EXPECT_MSG_EQ(accelerator.GetSeconds(op, 2), usual, "Not measured");

    OperatorGraph graph("m");
    graph.AddOperator(op);
    NS_TEST_EXPECT_MSG_EQ(GetError([&]() { profile->Check(graph); }),
                          "profile.json: /entries/0/operator is \"a*b*c\", but must match an "
                          "operator of model m, such as \"other\"",
                          "An entry for nothing");
    for (const auto* name : {"abc", "abc.update"})
    {
        op.name = name;
        graph.AddOperator(op);
    }
    NS_TEST_EXPECT_MSG_EQ(GetError([&]() { profile->Check(graph); }), "", "An entry for abc");
}

/// Registers the test case
static const SuiteCases g_operatorProfileCases("lightpath-workload-files",
                                               {{new OperatorProfileTestCase}});
