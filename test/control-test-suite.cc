/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-test-cases.h"
#include "expect-error.h"
#include "method-case.h"

#include "ns3/circuit-allocator.h"
#include "ns3/traffic-matrix.h"

#include <limits>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief An allocator that grants the plan that the test gives.
 */
class ScriptedAllocator : public CircuitAllocator
{
  public:
    uint32_t GetNPorts() const override
    {
        return 3;
    }

    CircuitPlan plan; //!< What is granted

  private:
    CircuitAllocation DoAllocate(const TrafficMatrix& demand) const override
    {
        return Assess(plan, demand, std::numeric_limits<double>::infinity());
    }
};

/**
 * @ingroup lightpath-tests
 * @brief The tests of model/control.
 */
class ControlTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Checks the entries and the sums of a TrafficMatrix.
    void TestTrafficMatrix()
    {
        TrafficMatrix demand(4);
        NS_TEST_EXPECT_MSG_EQ(demand.GetSize(), 4, "Size");
        NS_TEST_EXPECT_MSG_EQ(demand.GetTotal(), 0, "Nothing is demanded yet");
        NS_TEST_EXPECT_MSG_EQ(demand.GetMax(), 0, "Nothing is demanded yet");
        NS_TEST_EXPECT_MSG_EQ(demand.GetDegree(), 0, "Nothing is demanded yet");
        demand.Add(0, 3, 5);
        demand.Add(0, 1, 7);
        demand.Add(0, 3, 6);
        demand.Add(1, 3, 1);
        demand.Add(2, 3, 2);
        demand.Add(2, 1, 0);
        NS_TEST_EXPECT_MSG_EQ(demand.Get(0, 3), 11, "Bytes of a pair add up");
        NS_TEST_EXPECT_MSG_EQ(demand.Get(3, 0), 0, "The other direction is another pair");
        NS_TEST_EXPECT_MSG_EQ(demand.GetTotal(), 21, "5 + 7 + 6 + 1 + 2");
        NS_TEST_EXPECT_MSG_EQ(demand.GetMax(), 11, "5 + 6");
        NS_TEST_EXPECT_MSG_EQ(demand.GetDegree(), 3, "Port 3 receives from three ports");
        const TrafficMatrix::Row row{{1, 7}, {3, 11}};
        NS_TEST_EXPECT_MSG_EQ((demand.GetRow(0) == row), true, "Row in ascending order");
        NS_TEST_EXPECT_MSG_EQ(demand.GetRow(2).size(), 1, "Zero bytes are not stored");
        TrafficMatrix copy = demand;
        copy.SetRow(0, {{2, 4}});
        NS_TEST_EXPECT_MSG_EQ(copy.Get(0, 2), 4, "The row that is set");
        NS_TEST_EXPECT_MSG_EQ(copy.GetTotal(), 7, "4 + 1 + 2");
        NS_TEST_EXPECT_MSG_EQ(demand.GetTotal(), 21, "The copy alone has changed");
        demand.Add(1, 0, 1);
        demand.Add(1, 2, 1);
        demand.Add(3, 1, 1);
        NS_TEST_EXPECT_MSG_EQ(demand.GetDegree(), 3, "Port 1 sends to three ports");
    }

    /// Checks when two TrafficMatrix objects are the same.
    void TestTrafficMatrixEquality()
    {
        TrafficMatrix a(3);
        TrafficMatrix b(3);
        NS_TEST_EXPECT_MSG_EQ((a == b), true, "Both are empty");
        NS_TEST_EXPECT_MSG_EQ((a == TrafficMatrix(4)), false, "Another size");
        a.Add(0, 1, 4);
        NS_TEST_EXPECT_MSG_EQ((a == b), false, "Bytes in one only");
        b.Add(0, 1, 3);
        NS_TEST_EXPECT_MSG_EQ((a == b), false, "Other bytes");
        b.Add(0, 1, 1);
        b.Add(1, 2, 0);
        NS_TEST_EXPECT_MSG_EQ((a == b), true, "The same bytes");
        TrafficMatrix copy = a;
        NS_TEST_EXPECT_MSG_EQ((a == copy), true, "A copy");
        copy.Add(0, 1, 1);
        NS_TEST_EXPECT_MSG_EQ(copy.Get(0, 1), 5, "The copy has more");
        NS_TEST_EXPECT_MSG_EQ((a == b), true, "What has been copied stays as it was");
        a.Add(2, 0, 1);
        NS_TEST_EXPECT_MSG_EQ(copy.Get(2, 0), 0, "A copy does not follow");
        const TrafficMatrix moved = std::move(copy);
        NS_TEST_EXPECT_MSG_EQ(moved.Get(0, 1), 5, "What has been moved");
        copy = TrafficMatrix(3);
        copy.Add(0, 1, 5);
        NS_TEST_EXPECT_MSG_EQ((copy == moved), true, "Used again");
    }

    /// Checks the sentences with which a TrafficMatrix refuses pairs.
    void TestTrafficMatrixError()
    {
        TrafficMatrix demand(4);
        std::string error = GetError([&demand] { demand.Add(2, 2, 1); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "Port 2 cannot have traffic for itself"),
                              true,
                              error);
        error = GetError([&demand] { demand.Add(1, 4, 1); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "The pair 1 to 4 is beyond"), true, error);
        error = GetError([&demand] { demand.Add(9, 0, 0); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "traffic matrix of 4 ports"), true, error);
        error = GetError([&demand] { demand.GetRow(4); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "Port 4 is beyond"), true, error);
        error = GetError([&demand] { demand.SetRow(4, {}); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "Port 4 is beyond"), true, error);
        error = GetError([&demand] { demand.SetRow(0, {{1, 1}, {4, 1}}); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "The pair 0 to 4 is beyond"), true, error);
        error = GetError([&demand] { demand.SetRow(0, {{0, 1}}); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "Port 0 cannot have traffic for itself"),
                              true,
                              error);
        error = GetError([&demand] { demand.SetRow(0, {{2, 1}, {1, 3}}); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "3 bytes for port 1: it must"), true, error);
        error = GetError([&demand] { demand.SetRow(0, {{2, 1}, {2, 1}}); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "in ascending order"), true, error);
        error = GetError([&demand] { demand.SetRow(0, {{2, 0}}); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "at least 1 byte"), true, error);
        NS_TEST_EXPECT_MSG_EQ((demand == TrafficMatrix(4)), true, "Nothing of this was stored");
    }

    /// Checks how CircuitAllocator judges a plan.
    void TestAssess()
    {
        ScriptedAllocator allocator;
        TrafficMatrix demand(3);
        NS_TEST_EXPECT_MSG_EQ(allocator.Allocate(demand).fairness, 0, "Nothing is demanded");
        demand.Add(0, 1, 100);
        demand.Add(1, 2, 25);
        demand.Add(2, 0, 50);
        allocator.plan.AddLane(0, 1, {0, 0});
        allocator.plan.AddLane(0, 1, {0, 1});
        allocator.plan.AddLane(0, 1, {0, 2});
        allocator.plan.AddLane(1, 2, {0, 0});
        CircuitAllocation result = allocator.Allocate(demand);
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 0, "A pair is unserved");
        const std::vector<PortPair> unserved{{2, 0}};
        NS_TEST_EXPECT_MSG_EQ((result.unserved == unserved), true, "The pair without a lane");
        allocator.plan.AddLane(2, 0, {0, 0});
        result = allocator.Allocate(demand);
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 2, "3 / 1, 1 / 0.25 and 1 / 0.5");
        NS_TEST_EXPECT_MSG_EQ(result.unserved.empty(), true, "All are served");
        NS_TEST_EXPECT_MSG_EQ((result.plan == allocator.plan), true, "The plan itself");
        const std::string error = GetError([&allocator] { allocator.Allocate(TrafficMatrix(4)); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "A demand of 4 ports"), true, error);
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "a fabric of 3 ports"), true, error);
    }
};

/// Registers the test cases
static const SuiteCases g_controlCases(
    "lightpath-control",
    {{MakeCase("A traffic matrix stores and sums up bytes", &ControlTests::TestTrafficMatrix),
      MakeCase("Traffic matrices are compared by size and bytes",
               &ControlTests::TestTrafficMatrixEquality),
      MakeCase("A traffic matrix refuses pairs that do not exist",
               &ControlTests::TestTrafficMatrixError),
      MakeCase("An allocation is judged by the lanes that are granted",
               &ControlTests::TestAssess)}});
