/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/planner/price/flow-network.h"

#include <cstdint>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Rate of a link, bytes/s
constexpr double FLOW_RATE = 8;

/**
 * @param paths its paths
 * @param link its link
 * @param bytes bytes of a step on each path, and on the link
 * @param steps number of steps
 * @return the steps of a collective operation
 */
FlowNetwork::Shape
MakeShape(const std::vector<uint32_t>& paths, uint32_t link, double bytes, double steps)
{
    FlowNetwork::Shape shape;
    for (const uint32_t path : paths)
    {
        shape.paths.push_back({path, bytes});
    }
    shape.links.push_back({link, bytes});
    shape.steps = steps;
    return shape;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Collective operations that share paths, by hand.
 */
class FlowNetworkTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * @param network a network
     * @param seconds when the next flow ends
     * @param tags the flows that end then
     */
    void ExpectEnd(FlowNetwork& network, double seconds, const std::vector<uint64_t>& tags)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetNext(), seconds, 1e-9, "end");
        std::vector<uint64_t> ended;
        network.End(seconds, ended);
        NS_TEST_EXPECT_MSG_EQ((ended == tags), true, "who ends at " << seconds << " s");
    }

    /// On one path of 8 bytes/s steps of 6 and of 2 bytes take turns, so that both take 1 s.
    void TestTurns()
    {
        FlowNetwork network(true);
        const uint32_t link = network.AddLink(FLOW_RATE);
        const uint32_t path = network.AddPath({{link, 1}});
        const auto large = MakeShape({path}, link, 6, 1);
        const auto small = MakeShape({path}, link, 2, 1);
        network.Begin(large, 1);
        network.Begin(small, 2);
        network.Share(0);
        ExpectEnd(network, 1, {1, 2});
    }

    /// Steps that a message on another path holds up take no turns: 18 bytes share the link evenly
    /// with a message and take 18 / 4 s.
    void TestHeldUp()
    {
        FlowNetwork network(true);
        const uint32_t link = network.AddLink(FLOW_RATE);
        const uint32_t apart = network.AddLink(1e-3);
        const uint32_t common = network.AddPath({{link, 1}});
        const uint32_t held = network.AddPath({{apart, 1}});
        const uint32_t other = network.AddPath({{link, 1}});
        const auto large = MakeShape({common}, link, 6, 3);
        const auto small = MakeShape({common, held}, link, 2, 1);
        network.Send(held, 1000, 3);
        network.Begin(large, 1);
        network.Begin(small, 2);
        network.Send(other, 1000, 4);
        network.Share(0);
        ExpectEnd(network, 4.5, {1});
    }
};

/// Registers the test cases
static const SuiteCases g_flowNetworkCases(
    "lightpath-planner",
    {{MakeCase("Steps of operations on one path", &FlowNetworkTests::TestTurns),
      MakeCase("Steps that a message holds up", &FlowNetworkTests::TestHeldUp)}});
