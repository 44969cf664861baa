/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-test-cases.h"
#include "expect-error.h"
#include "method-case.h"
#include "model/control/ring/ring-max-min-allocator.h"
#include "ring-allocator-oracle.h"

#include <algorithm>
#include <limits>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of RingMaxMinAllocator.
 */
class RingAllocatorTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Checks the number of pairs that find a lane where not all can.
    void TestShortage()
    {
        TrafficMatrix demand(3);
        demand.Add(0, 2, 10);
        demand.Add(1, 2, 30);
        CircuitAllocation result = AllocateRing(MakeClockwise(3, 1), demand);
        std::vector<PortPair> unserved{{0, 2}};
        NS_TEST_EXPECT_MSG_EQ((result.unserved == unserved), true, "The smaller demand");
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 0, "A pair is unserved");
        demand.Add(0, 2, 30);
        result = AllocateRing(MakeClockwise(3, 1), demand);
        unserved = {{1, 2}};
        NS_TEST_EXPECT_MSG_EQ((result.unserved == unserved), true, "Now the other one");
        // Two arcs of half the ring and more always meet: each lane serves one
        for (uint32_t length = 2; length <= 6; ++length)
        {
            const uint32_t nodes = 2 * length - 1;
            for (uint32_t lanes = 1; lanes < nodes; ++lanes)
            {
                result =
                    AllocateRing(MakeClockwise(nodes, lanes), MakeShifts(nodes, {{length, 5}}));
                NS_TEST_EXPECT_MSG_EQ(result.unserved.size(), nodes - lanes, "One by lane");
            }
        }
        // The max-min goes on among the served: three lanes for one pair, none for two others
        demand = TrafficMatrix(6);
        demand.Add(0, 1, 100);
        demand.Add(3, 5, 100);
        demand.Add(4, 5, 99);
        demand.Add(3, 4, 98);
        RingGeometry geometry = MakeClockwise(6, 1);
        result = AllocateRing(geometry, demand);
        unserved = {{3, 4}, {4, 5}};
        NS_TEST_EXPECT_MSG_EQ((result.unserved == unserved), true, "What meets a larger demand");
        geometry = RingGeometry(6, 3, 1);
        geometry.SetFailed("segment:2:cw", true);
        geometry.SetFailed("segment:5:ccw", true);
        demand = TrafficMatrix(6);
        demand.Add(2, 3, 100);
        result = AllocateRing(geometry, demand);
        NS_TEST_EXPECT_MSG_EQ(result.unserved.size(), 1, "Both arcs are cut");
    }

    /// Checks arcs that all avoid one segment, where lanes enough for the load are enough.
    void TestInterval()
    {
        std::mt19937 random(4);
        for (uint32_t run = 0; run < 60; ++run)
        {
            const uint32_t nodes = 4 + random() % 20;
            TrafficMatrix demand(nodes);
            std::vector<uint32_t> load(nodes, 0);
            for (uint32_t entry = 0; entry < 30; ++entry)
            {
                const uint32_t source = random() % (nodes - 1);
                const uint32_t destination = source + 1 + random() % (nodes - 1 - source);
                if (demand.Get(source, destination) == 0)
                {
                    demand.Add(source, destination, 1);
                    for (uint32_t segment = source; segment < destination; ++segment)
                    {
                        ++load[segment];
                    }
                }
            }
            const uint32_t most = *std::max_element(load.begin(), load.end());
            CircuitAllocation result = AllocateRing(MakeClockwise(nodes, most), demand);
            NS_TEST_EXPECT_MSG_EQ(result.fairness, 1, "As many lanes as the load");
            if (most > 1)
            {
                result = AllocateRing(MakeClockwise(nodes, most - 1), demand);
                NS_TEST_EXPECT_MSG_EQ(result.unserved.empty(), false, "One lane less");
            }
        }
    }

    /**
     * Compares the share with that of an exhaustive search.
     *
     * @param nodes the number of nodes
     * @param lanes the number of lanes in each direction
     * @param runs the number of random demands
     * @param seed the seed of the random numbers
     */
    void TestExhaustive(uint32_t nodes, uint32_t lanes, uint32_t runs, uint32_t seed)
    {
        std::mt19937 random(seed);
        for (uint32_t run = 0; run < runs; ++run)
        {
            const uint32_t entries = 1 + random() % (2 * lanes + nodes);
            const TrafficMatrix demand = MakeRandom(random, nodes, entries, 4);
            const RingGeometry geometry(nodes, 1, lanes);
            const CircuitAllocation result = AllocateRing(geometry, demand, run % 2 == 1);
            const double best = RingSearch(demand, lanes).Run();
            NS_TEST_EXPECT_MSG_EQ_TOL(result.fairness, best, 1e-9, "Run " << run);
            NS_TEST_EXPECT_MSG_GT(result.bound, best - 1e-9, "Run " << run);
            NS_TEST_EXPECT_MSG_EQ(RingWalk(geometry, 0).Load(result.plan), "", "Run " << run);
        }
    }

    /// Checks who is given the lanes that the max-min leaves over.
    void TestFill()
    {
        // Two equal pairs hold the share at 2 of 5 lanes; two other pairs leave two lanes over
        TrafficMatrix demand(6);
        demand.Add(0, 2, 100);
        demand.Add(1, 2, 30);
        demand.Add(3, 5, 100);
        demand.Add(4, 5, 100);
        const auto check = [&](bool fill, const std::vector<std::size_t>& lanes) {
            const CircuitPlan plan = AllocateRing(MakeClockwise(6, 5), demand, fill).plan;
            NS_TEST_EXPECT_MSG_EQ(plan.GetLanes(0, 2).size(), lanes[0], "Share 2, 3 and then 4");
            NS_TEST_EXPECT_MSG_EQ(plan.GetLanes(1, 2).size(), lanes[1], "Share 3.3");
            NS_TEST_EXPECT_MSG_EQ(plan.GetLanes(3, 5).size(), lanes[2], "The first of equals");
            NS_TEST_EXPECT_MSG_EQ(plan.GetLanes(4, 5).size(), lanes[3], "The last of equals");
        };
        check(false, {2, 1, 2, 2});
        check(true, {4, 1, 3, 2});
    }

    /// Checks plans for random demands on random rings with failures.
    void TestRandom()
    {
        std::mt19937 random(5);
        for (uint32_t run = 0; run < 150; ++run)
        {
            const uint32_t nodes = 2 + random() % 30;
            const uint32_t wavelengths = 1 + random() % 30;
            RingGeometry geometry(nodes, 1 + random() % 3, wavelengths);
            for (uint32_t failure = random() % 3; failure > 0; --failure)
            {
                const auto segment = std::to_string(random() % nodes);
                geometry.SetFailed("segment:" + segment + (random() % 2 == 0 ? ":cw" : ":ccw"),
                                   true);
            }
            const uint32_t distance = random() % 3 == 0 ? 1 + random() % nodes : 0;
            const TrafficMatrix demand = MakeRandom(random, nodes, 1 + random() % 80, 1000000);
            Check(geometry, demand, distance);
        }
    }

    /// Checks that random sparse demands on large rings come close to the bound.
    void TestBound()
    {
        std::mt19937 random(6);
        for (uint32_t run = 0; run < 6; ++run)
        {
            const uint32_t nodes = 128 + random() % 200;
            TrafficMatrix demand(nodes);
            for (uint32_t source = 0; source < nodes; ++source)
            {
                for (uint32_t peer = 0; peer < 3; ++peer)
                {
                    const uint32_t shift = 1 + random() % 12;
                    const uint32_t clockwise = random() % 2 == 0 ? shift : nodes - shift;
                    demand.Add(source, (source + clockwise) % nodes, 1 + random() % 100000);
                }
            }
            const RingGeometry geometry(nodes, 5, 8);
            const CircuitAllocation result = AllocateRing(geometry, demand);
            NS_TEST_EXPECT_MSG_EQ(RingWalk(geometry, 0).Load(result.plan), "", "Lanes");
            NS_TEST_EXPECT_MSG_GT(result.fairness, 0.9 * result.bound, "Run " << run);
        }
    }

    /// Checks what cut segments and the limit of distance forbid.
    void TestFailure()
    {
        // One pair alone has all lanes of both directions: 5 fibres of 8 wavelengths each way
        TrafficMatrix demand(8);
        demand.Add(1, 2, 1);
        RingGeometry geometry(8, 5, 8);
        NS_TEST_EXPECT_MSG_EQ(AllocateRing(geometry, demand).fairness, 80, "40 each way");
        CircuitAllocation result = AllocateRing(geometry, demand, false, 6);
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 40, "The other way has 7 segments");
        for (const Lane& lane : result.plan.GetLanes(1, 2))
        {
            NS_TEST_EXPECT_MSG_LT(lane.fibre, 5, "Clockwise");
        }
        geometry.SetFailed("segment:1:cw", true);
        result = AllocateRing(geometry, demand);
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 40, "The short way is cut");
        for (const Lane& lane : result.plan.GetLanes(1, 2))
        {
            NS_TEST_EXPECT_MSG_GT(lane.fibre, 4, "Counterclockwise");
        }
        // The pair without a way does not hold back the others
        demand.Add(4, 5, 2);
        result = AllocateRing(geometry, demand, false, 2);
        const std::vector<PortPair> unserved{{1, 2}};
        NS_TEST_EXPECT_MSG_EQ((result.unserved == unserved), true, "No way is left");
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 0, "A pair is unserved");
        NS_TEST_EXPECT_MSG_EQ(result.bound, 0, "No plan serves all");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(4, 5).size(), 40, "All lanes clockwise");
        geometry.SetFailed("segment:1:cw", false);
        result = AllocateRing(geometry, demand, false, 2);
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 40, "Back in use");
        result = AllocateRing(geometry, TrafficMatrix(8), true);
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 0, "Nothing is demanded");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetNLanes(), 0, "Nothing is granted");
        result = AllocateRing(geometry, MakeShifts(8, {{3, 1}}), true, 2);
        NS_TEST_EXPECT_MSG_EQ(result.unserved.size(), 8, "All are too far");
    }

    /// Checks the sentence with which a demand of another size is refused.
    void TestError()
    {
        Ptr<RingMaxMinAllocator> allocator = CreateObject<RingMaxMinAllocator>();
        std::string error = GetError([allocator] { allocator->Allocate(TrafficMatrix(4)); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "a fabric of 2 ports"), true, error);
        allocator->SetGeometry(RingGeometry(6, 1, 1));
        NS_TEST_EXPECT_MSG_EQ(allocator->GetNPorts(), 6, "As many as nodes");
        error = GetError([allocator] { allocator->Allocate(TrafficMatrix(4)); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "demand of 4 ports"), true, error);
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "fabric of 6 ports"), true, error);
    }

  private:
    /**
     * @param geometry the ring
     * @param demand the bytes to be carried
     * @param distance the most segments of a lightpath, 0 for no limit
     */
    void Check(const RingGeometry& geometry, const TrafficMatrix& demand, uint32_t distance)
    {
        const CircuitAllocation bare = AllocateRing(geometry, demand, false, distance);
        const CircuitAllocation full = AllocateRing(geometry, demand, true, distance);
        RingWalk ofBare(geometry, distance);
        RingWalk ofFull(geometry, distance);
        NS_TEST_EXPECT_MSG_EQ(ofBare.Load(bare.plan), "", "Lanes of the max-min");
        NS_TEST_EXPECT_MSG_EQ(ofFull.Load(full.plan), "", "Lanes when filled up");
        NS_TEST_EXPECT_MSG_GT(full.fairness, bare.fairness - 1e-12, "Filling up lowers nothing");
        NS_TEST_EXPECT_MSG_GT(full.bound + 1e-12, full.fairness, "The bound holds");
        double smallest = std::numeric_limits<double>::infinity();
        for (uint32_t source = 0; source < demand.GetSize(); ++source)
        {
            for (const auto& [destination, bytes] : demand.GetRow(source))
            {
                const std::size_t lanes = bare.plan.GetLanes(source, destination).size();
                const std::size_t more = full.plan.GetLanes(source, destination).size();
                smallest = std::min(smallest,
                                    lanes * static_cast<double>(demand.GetMax()) /
                                        static_cast<double>(bytes));
                NS_TEST_EXPECT_MSG_GT(more + 1, lanes, "Nobody loses a lane");
                NS_TEST_EXPECT_MSG_EQ(ofFull.HasRoom(source, destination),
                                      false,
                                      "No lane is left");
                NS_TEST_EXPECT_MSG_EQ((lanes == 0 && ofBare.HasRoom(source, destination)),
                                      false,
                                      "Nobody goes without where there is a lane");
                const bool isUnserved = std::count(bare.unserved.begin(),
                                                   bare.unserved.end(),
                                                   PortPair(source, destination)) > 0;
                NS_TEST_EXPECT_MSG_EQ(isUnserved, (lanes == 0), "Who goes without is named");
            }
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(bare.fairness, smallest, 1e-9, "Smallest share");
        const CircuitAllocation again = AllocateRing(geometry, demand, true, distance);
        NS_TEST_EXPECT_MSG_EQ((again.plan == full.plan), true, "The same answer again");
    }
};

/// Registers the test cases
static const SuiteCases g_ringAllocatorCases(
    "lightpath-control",
    {{MakeCase("Ring: the largest demands are served first", &RingAllocatorTests::TestShortage),
      MakeCase("Ring: arcs that avoid one segment need as many lanes as the load",
               &RingAllocatorTests::TestInterval),
      MakeCase("Ring: lanes left over go to the smallest share", &RingAllocatorTests::TestFill),
      MakeCase("Ring: random demands on rings with failures", &RingAllocatorTests::TestRandom),
      MakeCase("Ring: large rings come close to the bound", &RingAllocatorTests::TestBound),
      MakeCase("Ring: arcs that are cut or too long are not used",
               &RingAllocatorTests::TestFailure),
      MakeCase("Ring: wrong input is refused", &RingAllocatorTests::TestError)},
     MakeCases(
         "Ring: the share is that of an exhaustive search",
         &RingAllocatorTests::TestExhaustive,
         {{3, 2, 100, 11}, {4, 1, 100, 12}, {4, 2, 100, 13}, {5, 1, 100, 14}, {5, 2, 250, 15}})});
