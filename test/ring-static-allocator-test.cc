/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-test-cases.h"
#include "method-case.h"
#include "model/control/ring/ring-static-allocator.h"
#include "ring-fixture.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param geometry the ring
 * @param demand the bytes to be carried
 * @param lanes the lanes of each pair
 * @return what RingStaticAllocator grants
 */
CircuitAllocation
AllocateStatic(const RingGeometry& geometry, const TrafficMatrix& demand, uint32_t lanes)
{
    const auto allocator = CreateObject<RingStaticAllocator>();
    allocator->SetAttribute("LanesPerPair", UintegerValue(lanes));
    allocator->SetAttribute("MaxDistance", UintegerValue(0));
    allocator->SetGeometry(geometry);
    return allocator->Allocate(demand);
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of RingStaticAllocator.
 */
class RingStaticAllocatorTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Checks that all pairs are served with the fewest wavelengths, and not with fewer.
    void TestVector()
    {
        for (uint32_t nodes = 3; nodes <= 36; ++nodes)
        {
            const uint32_t least = (nodes * nodes / 4 + 1) / 2;
            const uint32_t pairs = nodes * (nodes - 1);
            const RingFixture ring(nodes, 1, least, "Continuity");
            const CircuitAllocation result =
                AllocateStatic(ring.ring->GetGeometry(), TrafficMatrix(nodes), 1);
            NS_TEST_EXPECT_MSG_EQ(ring.ring->Check(result.plan), "", nodes << " nodes");
            NS_TEST_EXPECT_MSG_EQ(result.plan.GetLightpaths().size(), pairs, nodes << " nodes");
            NS_TEST_EXPECT_MSG_EQ(result.plan.GetNLanes(), pairs, nodes << " nodes");
            NS_TEST_EXPECT_MSG_EQ(result.fairness, 0, "Nothing is demanded");
            if (least > 1 && nodes <= 12)
            {
                const RingFixture less(nodes, 1, least - 1, "Continuity");
                const CircuitAllocation part =
                    AllocateStatic(less.ring->GetGeometry(), MakeAllToAll(nodes), 1);
                NS_TEST_EXPECT_MSG_EQ(less.ring->Check(part.plan), "", nodes << " nodes");
                NS_TEST_EXPECT_MSG_EQ(part.unserved.size() + part.plan.GetLightpaths().size(),
                                      pairs,
                                      nodes << " nodes");
                NS_TEST_EXPECT_MSG_EQ(part.unserved.empty(), false, "Too few segments in all");
            }
        }
        for (uint32_t nodes = 3; nodes <= 9; ++nodes)
        {
            for (uint32_t lanes = 2; lanes <= 4; lanes += 2)
            {
                // Two lanes of a pair of opposite nodes go one each way
                const uint32_t needed = lanes / 2 * (nodes * nodes / 4);
                const RingFixture ring(nodes, 1, needed, "Continuity");
                const CircuitAllocation result =
                    AllocateStatic(ring.ring->GetGeometry(), MakeAllToAll(nodes), lanes);
                NS_TEST_EXPECT_MSG_EQ(ring.ring->Check(result.plan), "", nodes << " nodes");
                NS_TEST_EXPECT_MSG_EQ(result.fairness, lanes, nodes << " nodes");
                NS_TEST_EXPECT_MSG_EQ(result.objective, lanes, nodes << " nodes");
                NS_TEST_EXPECT_MSG_EQ(result.bound, lanes, "No plan is better");
            }
        }
    }

    /// Checks random rings of which components have failed.
    void TestRandom()
    {
        std::mt19937 random(31);
        uint32_t unserved = 0;
        for (uint32_t run = 0; run < 240; ++run)
        {
            const uint32_t nodes = 2 + random() % 8;
            const bool isContinuous = run % 3 > 0;
            const uint32_t wavelengths = 1 + random() % 12;
            RingFixture ring(nodes,
                             1 + random() % 2,
                             wavelengths,
                             isContinuous ? "Continuity" : "LoadOnly");
            ring.Fail(random, random() % 6);
            const RingGeometry& geometry = ring.ring->GetGeometry();
            const uint32_t lanes = 1 + random() % 3;
            const TrafficMatrix demand = MakeRandom(random, nodes, 2 * nodes, 1000);
            const CircuitAllocation result = AllocateStatic(geometry, demand, lanes);
            NS_TEST_EXPECT_MSG_EQ(ring.ring->Check(result.plan), "", "Run " << run);
            NS_TEST_EXPECT_MSG_EQ(result.objective, result.fairness, "Run " << run);
            NS_TEST_EXPECT_MSG_EQ((result.fairness <= result.bound), true, "Run " << run);
            const CircuitAllocation other = AllocateStatic(geometry, MakeAllToAll(nodes), lanes);
            NS_TEST_EXPECT_MSG_EQ((other.plan == result.plan), true, "Whatever the demand");
            for (const auto& lightpath : result.plan.GetLightpaths())
            {
                NS_TEST_EXPECT_MSG_LT(lightpath.second.size(), lanes + 1, "Run " << run);
            }
            unserved += other.unserved.size();
            for (const auto& [source, destination] : other.unserved)
            {
                NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(source, destination).empty(),
                                      true,
                                      "Run " << run);
                const bool isTried =
                    run % 6 == 1 && HasRoom(ring, result.plan, source, destination);
                NS_TEST_EXPECT_MSG_EQ(isTried, false, "A lane is free, run " << run);
            }
            NS_TEST_EXPECT_MSG_EQ(other.unserved.size() + other.plan.GetLightpaths().size(),
                                  nodes * (nodes - 1),
                                  "Run " << run);
        }
        NS_TEST_EXPECT_MSG_GT(unserved, 100, "Some pairs are left out");
    }

    /// Checks the effect of one failure on a ring with spare lanes.
    void TestFailure()
    {
        for (const char* failed :
             {"segment:3:cw", "fibre:1", "laser:2:7", "micro-ring:4:0:3", "micro-ring:0:3:0"})
        {
            const uint32_t nodes = 7;
            const RingFixture ring(nodes, 2, 15, "Continuity");
            ring.ring->SetFailed(failed, true);
            const CircuitAllocation result =
                AllocateStatic(ring.ring->GetGeometry(), MakeAllToAll(nodes), 1);
            NS_TEST_EXPECT_MSG_EQ(ring.ring->Check(result.plan), "", failed);
            NS_TEST_EXPECT_MSG_EQ(result.fairness, 1, failed);
            NS_TEST_EXPECT_MSG_EQ(result.unserved.empty(), true, failed);
        }
        // Nothing leads from node 2 to node 3 or on, and nothing the other way
        const RingFixture split(4, 1, 4, "Continuity");
        split.ring->SetFailed("segment:1", true);
        split.ring->SetFailed("segment:3", true);
        const CircuitAllocation result =
            AllocateStatic(split.ring->GetGeometry(), MakeAllToAll(4), 1);
        NS_TEST_EXPECT_MSG_EQ(split.ring->Check(result.plan), "", "Two halves");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLightpaths().size(), 4, "0 and 1, 2 and 3");
        NS_TEST_EXPECT_MSG_EQ(result.unserved.size(), 8, "All others");
        NS_TEST_EXPECT_MSG_EQ(result.bound, 0, "No plan serves all");
    }

    /**
     * Checks the cost of failed lasers and micro-rings where no wavelength is spare.
     *
     * A closed walk passes a node once. So a failed micro-ring takes at most two arcs out of the
     * walk that has its wavelength, a failed laser one in each direction, and neither any where
     * another walk passes by the node.
     */
    void TestEnds()
    {
        for (const uint32_t nodes : {3U, 4U, 7U, 10U, 16U, 64U})
        {
            const uint32_t least = (nodes * nodes / 4 + 1) / 2;
            const auto count = [nodes, least](const std::vector<std::string>& failures) {
                const RingFixture fixture(nodes, 1, least, "Continuity");
                for (const std::string& failure : failures)
                {
                    fixture.ring->SetFailed(failure, true);
                }
                const CircuitAllocation result =
                    AllocateStatic(fixture.ring->GetGeometry(), MakeAllToAll(nodes), 1);
                const bool works = fixture.ring->Check(result.plan).empty();
                return works ? result.unserved.size() : nodes * nodes;
            };
            std::mt19937 random(nodes);
            std::vector<std::string> failures;
            for (uint32_t failed = 1; failed <= 12; ++failed)
            {
                const std::string node = std::to_string(random() % nodes);
                const std::string wave = std::to_string(random() % least);
                const std::string fibre = std::to_string(random() % 2);
                failures.push_back(failed % 2 == 0
                                       ? "laser:" + node + ":" + wave
                                       : "micro-ring:" + node + ":" + fibre + ":" + wave);
                NS_TEST_EXPECT_MSG_LT(count(failures), 2 * failed + 1, nodes << " nodes");
                if (nodes > 4)
                {
                    NS_TEST_EXPECT_MSG_EQ(count({failures.back()}), 0, failures.back());
                }
            }
            // Walks that pass by the last node take all lanes that it lacks: it needs one lane for
            // each node that it reaches clockwise
            const uint32_t needed = nodes / 2;
            failures.clear();
            for (uint32_t lane = needed; lane < least; ++lane)
            {
                failures.push_back("micro-ring:" + std::to_string(nodes - 1) +
                                   ":0:" + std::to_string(lane));
            }
            NS_TEST_EXPECT_MSG_EQ(count(failures), 0, nodes << " nodes");
        }
    }

  private:
    /**
     * @param ring a ring
     * @param plan the plan that it carries
     * @param source a node
     * @param destination another node
     * @return true if the ring could carry one lane more from one to the other
     */
    bool HasRoom(const RingFixture& ring,
                 const CircuitPlan& plan,
                 uint32_t source,
                 uint32_t destination) const
    {
        const RingGeometry& geometry = ring.ring->GetGeometry();
        for (uint32_t fibre = 0; fibre < 2 * geometry.GetNFibres(); ++fibre)
        {
            for (uint32_t wavelength = 0; wavelength < geometry.GetNWavelengths(); ++wavelength)
            {
                CircuitPlan more = plan;
                more.AddLane(source, destination, {fibre, wavelength});
                if (ring.ring->Check(more).empty())
                {
                    return true;
                }
            }
        }
        return false;
    }
};

/// Registers the test cases
static const SuiteCases g_ringStaticAllocatorCases(
    "lightpath-control-ring",
    {{MakeCase("Static: all pairs are served with the fewest wavelengths",
               &RingStaticAllocatorTests::TestVector),
      MakeCase("Static: the channel can carry the plan whatever has failed",
               &RingStaticAllocatorTests::TestRandom),
      MakeCase("Static: a failed laser or micro-ring costs two pairs at most",
               &RingStaticAllocatorTests::TestEnds),
      MakeCase("Static: lanes to spare take over from what has failed",
               &RingStaticAllocatorTests::TestFailure)}});
