/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-test-cases.h"
#include "method-case.h"
#include "model/control/allocation-memory.h"
#include "model/control/ring/ring-bound.h"
#include "model/control/ring/ring-takers.h"
#include "ring-fixture.h"

#include "ns3/boolean.h"
#include "ns3/fabric-description.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Tests of the allocator of rings, judged by the ring and by an independent solver.
 */
class ControlRingTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Checks plans for rings where components of all kinds have failed.
     *
     * @param mode "Continuity", "LoadOnly" or "Exclusive"
     */
    void TestDamage(const std::string& mode)
    {
        std::mt19937 random(23);
        uint32_t pathless = 0;
        for (uint32_t run = 0; run < 60; ++run)
        {
            const uint32_t nodes = 2 + random() % 14;
            const uint32_t wavelengths = 1 + random() % 5;
            RingFixture fixture(nodes, 1 + random() % 3, wavelengths, mode);
            fixture.Fail(random, random() % 12);
            const TrafficMatrix demand = MakeRandom(random, nodes, 1 + random() % 40, 100000);
            const CircuitAllocation result = fixture.Allocate(demand);
            NS_TEST_EXPECT_MSG_EQ(fixture.ring->Check(result.plan), "", "Run " << run);
            NS_TEST_EXPECT_MSG_GT(result.bound, result.fairness - 1e-12, "Run " << run);
            std::vector<PortPair> without;
            for (uint32_t source = 0; source < nodes; ++source)
            {
                for (const auto& [destination, bytes] : demand.GetRow(source))
                {
                    const bool has = !result.plan.GetLanes(source, destination).empty();
                    if (!has)
                    {
                        without.emplace_back(source, destination);
                    }
                    if (!fixture.ring->HasPath(source, destination))
                    {
                        NS_TEST_EXPECT_MSG_EQ(has, false, "There is no path");
                        NS_TEST_EXPECT_MSG_EQ(result.bound, 0, "No plan serves all");
                        ++pathless;
                    }
                }
            }
            NS_TEST_EXPECT_MSG_EQ((result.unserved == without), true, "Who goes without is named");
            for (const auto& [pair, lanes] : result.plan.GetLightpaths())
            {
                NS_TEST_EXPECT_MSG_GT(demand.Get(pair.first, pair.second), 0, "It is demanded");
                NoteRoom(fixture, pair, lanes.size());
            }
        }
        NS_TEST_EXPECT_MSG_GT(pathless, 10, "Failures cut pairs off");
    }

    /// Checks which arcs the attribute Routing allows.
    void TestRouting()
    {
        for (const std::string mode : {"Continuity", "LoadOnly"})
        {
            RingFixture fixture(6, 2, 3, mode);
            TrafficMatrix demand(6);
            demand.Add(0, 2, 1);
            NS_TEST_EXPECT_MSG_EQ(fixture.Allocate(demand).fairness, 12, "Both sides");
            fixture.allocator->SetAttribute("Routing", StringValue("Shorter"));
            CircuitAllocation result = fixture.Allocate(demand);
            NS_TEST_EXPECT_MSG_EQ(result.fairness, 6, "Two segments clockwise");
            NS_TEST_EXPECT_MSG_EQ(result.bound, 6, "Two segments clockwise");
            // Three segments on each side
            demand = TrafficMatrix(6);
            demand.Add(1, 4, 1);
            result = fixture.Allocate(demand);
            NS_TEST_EXPECT_MSG_EQ(result.fairness, 12, "Both sides are as long");
            // Two pairs on the same side, one of which can give way
            demand.Add(1, 3, 1);
            result = fixture.Allocate(demand);
            NS_TEST_EXPECT_MSG_EQ(result.fairness, 6, "One on each side");
            for (const Lane& lane : result.plan.GetLanes(1, 3))
            {
                NS_TEST_EXPECT_MSG_LT(lane.fibre, 2, "Clockwise");
            }
            fixture.ring->SetFailed("segment:2:cw", true);
            result = fixture.Allocate(demand);
            const std::vector<PortPair> unserved{{1, 3}};
            NS_TEST_EXPECT_MSG_EQ((result.unserved == unserved), true, "Its side is cut");
            NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(1, 4).size(), 6, "The side that is left");
            NS_TEST_EXPECT_MSG_EQ(result.bound, 0, "No plan serves all");
        }
    }

    /// Checks rings that use no wavelength twice: the share by trial, and who goes without.
    void TestExclusive()
    {
        std::mt19937 random(31);
        for (uint32_t run = 0; run < 100; ++run)
        {
            const uint32_t nodes = 3 + random() % 7;
            const uint32_t lanes = 1 + random() % 8;
            RingFixture fixture(nodes, 1, lanes, "Exclusive");
            const TrafficMatrix demand = MakeRandom(random, nodes, 1 + random() % 10, 6);
            const CircuitAllocation result = fixture.Allocate(demand);
            NS_TEST_EXPECT_MSG_EQ(fixture.ring->Check(result.plan), "", "Run " << run);
            uint64_t most = 0;
            uint64_t granted = 0;
            for (const auto& [pair, own] : result.plan.GetLightpaths())
            {
                most = std::max(most, demand.Get(pair.first, pair.second));
                granted += own.size();
            }
            const auto pairs = demand.GetNPairs();
            NS_TEST_EXPECT_MSG_EQ(granted, (pairs > 0 ? 2 * lanes : 0), "No lane is left");
            const std::size_t served = std::min<std::size_t>(pairs, 2 * lanes);
            NS_TEST_EXPECT_MSG_EQ(result.unserved.size(), pairs - served, "A lane for each pair");
            if (pairs == 0 || served < pairs)
            {
                continue;
            }
            // The share is a number of lanes over a demand: the largest one that fits
            double best = 0;
            for (uint32_t lane = 1; lane <= 2 * lanes; ++lane)
            {
                for (uint64_t of = 1; of <= most; ++of)
                {
                    uint64_t needed = 0;
                    for (uint32_t source = 0; source < nodes; ++source)
                    {
                        for (const auto& [destination, bytes] : demand.GetRow(source))
                        {
                            needed += (bytes * lane + of - 1) / of;
                        }
                    }
                    best = needed <= 2 * lanes ? std::max(best, double(lane * most) / of) : best;
                }
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(result.fairness, best, 1e-9, "Run " << run);
            NS_TEST_EXPECT_MSG_EQ_TOL(result.bound, best, 1e-9, "Run " << run);
        }
        // Two arcs that share no segment, on the same wavelength
        for (const std::string mode : {"Continuity", "Exclusive"})
        {
            RingFixture fixture(6, 1, 1, mode);
            CircuitPlan plan;
            plan.AddLanes(0, 1, {{0, 0}});
            plan.AddLanes(3, 4, {{0, 0}});
            const bool isFree = fixture.ring->Check(plan).empty();
            NS_TEST_EXPECT_MSG_EQ(isFree, (mode == "Continuity"), mode);
        }
        SipRingHelper helper;
        helper.SetWavelengthMode(RingGeometry::EXCLUSIVE);
        NS_TEST_EXPECT_MSG_EQ(FabricDescription::Create(helper)->GetLimits(4).isRing,
                              false,
                              "All places are alike");
    }

    /// Checks the lanes of a pair after failures of lanes.
    void TestLaneFailure()
    {
        for (const std::string mode : {"Continuity", "LoadOnly"})
        {
            RingFixture fixture(4, 2, 3, mode);
            fixture.allocator->SetAttribute("MaxDistance", UintegerValue(1));
            const auto check = [&](const std::string& failure, const std::vector<Lane>& lanes) {
                fixture.ring->SetFailed(failure, true);
                TrafficMatrix demand(4);
                demand.Add(0, 1, 1);
                const CircuitAllocation result = fixture.Allocate(demand);
                const auto& granted = result.plan.GetLanes(0, 1);
                const bool same =
                    std::equal(granted.begin(),
                               granted.end(),
                               lanes.begin(),
                               lanes.end(),
                               [](const Lane& a, const Lane& b) {
                                   return a.fibre == b.fibre && a.wavelength == b.wavelength;
                               });
                NS_TEST_EXPECT_MSG_EQ(same, true, mode << ": " << failure);
                NS_TEST_EXPECT_MSG_EQ(result.bound, lanes.size(), mode << ": " << failure);
            };
            check("laser:0:1", {{0, 0}, {0, 2}, {1, 0}, {1, 2}});
            check("micro-ring:1:1:0", {{0, 0}, {0, 2}, {1, 2}});
            check("micro-ring:2:0:0", {{0, 0}, {0, 2}, {1, 2}});
            check("laser:1:0", {{0, 0}, {0, 2}, {1, 2}});
            check("fibre:0", {{1, 2}});
            check("micro-ring:0:1:2", {});
        }
        // Two pairs whose lanes are few need different ones, and those of the third leave them
        RingFixture fixture(6, 1, 3, "Continuity");
        fixture.allocator->SetAttribute("Routing", StringValue("Shorter"));
        fixture.ring->SetFailed("laser:0:0", true);
        fixture.ring->SetFailed("laser:0:1", true);
        fixture.ring->SetFailed("laser:1:0", true);
        TrafficMatrix demand(6);
        demand.Add(0, 2, 1);
        demand.Add(1, 2, 1);
        demand.Add(5, 1, 1);
        const CircuitAllocation result = fixture.Allocate(demand);
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 1, "Lane 2, lane 1 and lane 0 or 1");
        NS_TEST_EXPECT_MSG_EQ(fixture.ring->Check(result.plan), "", "All at once");
    }

    /// Checks that an allocator that remembers demands answers like one without memory.
    void TestMemory()
    {
        const auto allocator = CreateObject<RingMaxMinAllocator>();
        RingGeometry ring(6, 1, 4);
        allocator->SetGeometry(ring);
        TrafficMatrix first(6);
        first.Add(0, 1, 3);
        first.Add(1, 3, 2);
        first.Add(4, 1, 1);
        TrafficMatrix second = first;
        second.Add(4, 1, 1);
        const auto compareBoth = [&](const std::string& what) {
            Compare(*allocator, first, what + ", first demand");
            Compare(*allocator, second, what + ", second demand");
        };
        compareBoth("Whole ring");
        ring.SetFailed("segment:1:cw", true);
        allocator->SetGeometry(ring);
        compareBoth("Failed segment");
        ring.SetFailed("segment:1:cw", false);
        allocator->SetGeometry(ring);
        allocator->SetAttribute("FillLeftover", BooleanValue(false));
        compareBoth("Nothing is filled up");
        allocator->SetAttribute("MaxDistance", UintegerValue(2));
        compareBoth("Short arcs");
        allocator->SetAttribute("Routing", StringValue("Shorter"));
        compareBoth("Shorter arcs");
        ring.SetWavelengthMode(RingGeometry::LOAD_ONLY);
        allocator->SetGeometry(ring);
        compareBoth("Converted wavelengths");

        // Room for two allocations of three pairs
        AllocationMemory memory(6);
        TrafficMatrix third = second;
        third.Add(4, 1, 1);
        CircuitAllocation allocation;
        for (const TrafficMatrix& demand : {first, second, third})
        {
            allocation.fairness = static_cast<double>(demand.Get(4, 1));
            NS_TEST_EXPECT_MSG_EQ((memory.Find(demand) == nullptr), true, "Not met yet");
            memory.Add(demand, allocation);
            NS_TEST_ASSERT_MSG_EQ((memory.Find(demand) != nullptr), true, "Kept");
            NS_TEST_EXPECT_MSG_EQ(memory.Find(demand)->fairness, allocation.fairness, "Which");
        }
        NS_TEST_EXPECT_MSG_EQ((memory.Find(first) == nullptr), true, "The oldest is dropped");
        NS_TEST_EXPECT_MSG_EQ((memory.Find(second) != nullptr), true, "The others are not");
        TrafficMatrix large(6);
        for (uint32_t port = 1; port < 6; ++port)
        {
            large.Add(0, port, 1);
            large.Add(port, 0, 1);
        }
        memory.Add(large, allocation);
        NS_TEST_EXPECT_MSG_EQ((memory.Find(large) == nullptr), true, "Too many pairs");
        NS_TEST_EXPECT_MSG_EQ((memory.Find(second) != nullptr), true, "Drops nothing");
        allocation.plan.AddLane(4, 1, {0, 0});
        memory.Add(first, allocation);
        NS_TEST_EXPECT_MSG_EQ((memory.Find(third) == nullptr), true, "Lanes count, too");
        memory.Clear();
        NS_TEST_EXPECT_MSG_EQ((memory.Find(second) == nullptr), true, "Everything is dropped");
    }

    /// Pairs take lanes in the order of their shares, as a search among all of them finds it.
    void TestTurns()
    {
        std::mt19937 random(29);
        for (uint32_t run = 0; run < 200; ++run)
        {
            std::vector<RingPair> pairs(1 + random() % 12);
            std::vector<uint32_t> lanes;
            std::vector<char> mayTake;
            for (RingPair& pair : pairs)
            {
                pair.bytes = 1 + random() % 4;
                lanes.push_back(random() % 3);
                mayTake.push_back(random() % 4 > 0);
            }
            RingTakers takers(pairs, lanes, mayTake);
            for (auto left = std::count(mayTake.begin(), mayTake.end(), 1); left > 0;)
            {
                // Cross products compare shares, and the first of equal ones stays
                uint32_t poorest = pairs.size();
                for (uint32_t p = 0; p < pairs.size(); ++p)
                {
                    const bool isPoorer =
                        poorest == pairs.size() ||
                        lanes[p] * pairs[poorest].bytes < lanes[poorest] * pairs[p].bytes;
                    poorest = mayTake[p] && isPoorer ? p : poorest;
                }
                NS_TEST_ASSERT_MSG_EQ(takers.IsEmpty(), false, "Pairs are left in run " << run);
                NS_TEST_ASSERT_MSG_EQ(takers.GetFirst(), poorest, "Run " << run);
                if (random() % 5 > 0)
                {
                    ++lanes[poorest];
                    takers.Raise();
                    continue;
                }
                mayTake[poorest] = 0;
                takers.Remove();
                --left;
            }
            NS_TEST_EXPECT_MSG_EQ(takers.IsEmpty(), true, "No pair is left in run " << run);
        }
    }

    /// No share is above that of the worst run of neighbours, as a sum over pairs finds it.
    void TestRuns()
    {
        std::mt19937 random(37);
        for (uint32_t run = 0; run < 60; ++run)
        {
            const uint32_t nodes = 2 + random() % 90;
            RingGeometry geometry(nodes, 1, 1 + random() % 4);
            for (uint32_t failures = random() % 4; failures > 0; --failures)
            {
                const std::string segment = "segment:" + std::to_string(random() % nodes);
                geometry.SetFailed(segment + (random() % 2 > 0 ? ":cw" : ":ccw"), true);
            }
            TrafficMatrix demand(nodes);
            const uint32_t farthest = 1 + random() % (nodes - 1);
            for (uint32_t pair = random() % (3 * nodes); pair > 0; --pair)
            {
                const uint32_t source = random() % nodes;
                const uint32_t distance = 1 + random() % farthest;
                demand.Add(source, (source + distance) % nodes, 1 + random() % 1000);
            }
            const RingProblem problem(demand, geometry, {});
            FairShare limit{uint64_t{problem.room[0]} + problem.room[1], 1};
            for (const RingPair& pair : problem.pairs)
            {
                const uint64_t lanes = pair.arcs[0].lanes + pair.arcs[1].lanes;
                limit = std::min(limit, FairShare{lanes, pair.bytes});
            }
            for (uint32_t begin = 0; begin < nodes; ++begin)
            {
                for (uint32_t length = 1; length < std::min(nodes, 65U); ++length)
                {
                    LimitRun(problem, begin, length, limit);
                }
            }
            const FairShare found = RingBound(problem).GetLargest();
            NS_TEST_EXPECT_MSG_EQ((limit < found), false, "Run " << run);
        }
    }

  private:
    /**
     * @param problem pairs and a ring
     * @param begin the first node of a run
     * @param length the nodes of the run
     * @param [in,out] limit a limit of shares, lowered to what the ends of the run let pass
     */
    static void LimitRun(const RingProblem& problem,
                         uint32_t begin,
                         uint32_t length,
                         FairShare& limit)
    {
        const uint32_t last = (begin + length - 1) % problem.nodes;
        const uint32_t before = (begin + problem.nodes - 1) % problem.nodes;
        const auto isInside = [&](uint32_t node) {
            return (node + problem.nodes - begin) % problem.nodes < length;
        };
        FairShare leaving{0, 0};
        FairShare entering{0, 0};
        leaving.lanes += problem.inUse[0][last] ? problem.room[0] : 0;
        leaving.lanes += problem.inUse[1][before] ? problem.room[1] : 0;
        entering.lanes += problem.inUse[0][before] ? problem.room[0] : 0;
        entering.lanes += problem.inUse[1][last] ? problem.room[1] : 0;
        for (const RingPair& pair : problem.pairs)
        {
            const bool leaves = isInside(pair.ports.first);
            const bool enters = isInside(pair.ports.second);
            leaving.bytes += leaves && !enters ? pair.bytes : 0;
            entering.bytes += enters && !leaves ? pair.bytes : 0;
        }
        for (const FairShare& share : {leaving, entering})
        {
            limit = share.bytes > 0 ? std::min(limit, share) : limit;
        }
    }

    /**
     * A pair of its own is served by all lanes that it can have.
     *
     * @param fixture the ring
     * @param pair a pair that was served
     * @param lanes the number of its lanes
     */
    void NoteRoom(const RingFixture& fixture, PortPair pair, std::size_t lanes)
    {
        TrafficMatrix alone(fixture.ring->GetGeometry().GetNNodes());
        alone.Add(pair.first, pair.second, 1);
        const CircuitAllocation result = fixture.Allocate(alone);
        NS_TEST_EXPECT_MSG_GT(result.plan.GetLanes(pair.first, pair.second).size() + 1,
                              lanes,
                              "No fewer lanes than among others");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.fairness, result.bound, 1e-12, "All lanes there are");
    }

    /**
     * @param allocator an allocator that has met demands
     * @param demand a demand
     * @param what the name of the check
     */
    void Compare(const RingMaxMinAllocator& allocator,
                 const TrafficMatrix& demand,
                 const std::string& what)
    {
        const auto fresh = CreateObject<RingMaxMinAllocator>();
        fresh->SetGeometry(allocator.GetGeometry());
        for (const std::string name : {"FillLeftover", "MaxDistance", "Routing"})
        {
            StringValue value;
            allocator.GetAttribute(name, value);
            fresh->SetAttribute(name, value);
        }
        const CircuitAllocation expected = fresh->Allocate(demand);
        for (uint32_t time = 0; time < 2; ++time)
        {
            const CircuitAllocation found = allocator.Allocate(demand);
            NS_TEST_EXPECT_MSG_EQ((found.plan == expected.plan), true, what);
            NS_TEST_EXPECT_MSG_EQ(found.fairness, expected.fairness, what);
            NS_TEST_EXPECT_MSG_EQ(found.bound, expected.bound, what);
            NS_TEST_EXPECT_MSG_EQ((found.unserved == expected.unserved), true, what);
        }
    }
};

/// Registers the test cases
static const SuiteCases g_controlRingCases(
    "lightpath-control-ring",
    {MakeCases("Random failures",
               &ControlRingTests::TestDamage,
               {{"LoadOnly"}, {"Continuity"}, {"Exclusive"}}),
     {MakeCase("Without reuse a wavelength has one lightpath", &ControlRingTests::TestExclusive),
      MakeCase("Pairs keep to their shorter sides, or use both", &ControlRingTests::TestRouting),
      MakeCase("Allocations that are kept are those of now", &ControlRingTests::TestMemory),
      MakeCase("The pair with the smallest share takes a lane", &ControlRingTests::TestTurns),
      MakeCase("The worst run of neighbours limits shares", &ControlRingTests::TestRuns),
      MakeCase("Lanes that a fibre, a laser or a micro-ring lacks are not used",
               &ControlRingTests::TestLaneFailure)}});
