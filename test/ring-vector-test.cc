/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-test-cases.h"
#include "method-case.h"
#include "ring-allocator-oracle.h"
#include "ring-fixture.h"

#include <optional>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Checks one demand whose largest smallest share is known.
 */
class RingVectorTestCase : public TestCase
{
  public:
    /**
     * @param name the name of the demand
     * @param geometry the ring
     * @param demand the bytes to be carried
     * @param kept the largest smallest share where each lane is kept from end to end; 0 if not all
     * pairs can have a lane
     * @param counted the same where lanes are only counted on each segment, if known
     */
    RingVectorTestCase(const std::string& name,
                       const RingGeometry& geometry,
                       const TrafficMatrix& demand,
                       double kept,
                       std::optional<double> counted = {})
        : TestCase("Ring: " + name + " with " + std::to_string(geometry.GetCapacity()) + " lanes"),
          m_geometry(geometry),
          m_demand(demand),
          m_kept(kept),
          m_counted(counted)
    {
    }

  private:
    void DoRun() override
    {
        const CircuitAllocation result = AllocateRing(m_geometry, m_demand);
        Check(result, m_kept, "whole lanes");
        NS_TEST_EXPECT_MSG_EQ(RingWalk(m_geometry, 0).Load(result.plan), "", "Lanes");
        if (m_counted)
        {
            CheckMode("Continuity", m_kept);
            CheckMode("LoadOnly", *m_counted);
        }
    }

    /**
     * Let a ring judge the plan for a wavelength mode.
     *
     * @param mode the wavelength mode
     * @param share the largest smallest share
     */
    void CheckMode(const std::string& mode, double share)
    {
        const uint32_t nodes = m_geometry.GetNNodes();
        const RingFixture fixture(nodes, 1, m_geometry.GetCapacity(), mode);
        for (uint32_t segment = 0; segment < nodes; ++segment)
        {
            if (m_geometry.IsFailed(segment, RingDirection::COUNTERCLOCKWISE))
            {
                fixture.ring->SetFailed("segment:" + std::to_string(segment) + ":ccw", true);
            }
        }
        const CircuitAllocation result = fixture.Allocate(m_demand);
        Check(result, share, mode);
        NS_TEST_EXPECT_MSG_EQ(fixture.ring->Check(result.plan), "", mode);
        const double gap = mode == "LoadOnly" ? 0 : result.GetGap();
        NS_TEST_EXPECT_MSG_EQ_TOL(result.GetGap(), gap, 1e-12, mode);
    }

    /**
     * @param result what an allocator grants
     * @param share the largest smallest share
     * @param what the subject of a failure
     */
    void Check(const CircuitAllocation& result, double share, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(result.fairness, share, 1e-12, "Smallest share, " << what);
        NS_TEST_EXPECT_MSG_EQ(result.unserved.empty(), (share > 0), "Unserved pairs, " << what);
        NS_TEST_EXPECT_MSG_GT(result.bound + 1e-12, share, "The bound holds, " << what);
    }

    RingGeometry m_geometry;         //!< The ring
    TrafficMatrix m_demand;          //!< The bytes to be carried
    double m_kept;                   //!< The share where each lane is kept
    std::optional<double> m_counted; //!< The share with lanes counted on each segment
};

namespace
{

/**
 * @ingroup lightpath-tests
 * @return the demand of two groups of four nodes, and half of it between the groups
 */
TrafficMatrix
MakeGroups()
{
    TrafficMatrix demand = MakeShifts(8, {{4, 1}});
    for (uint32_t source = 0; source < 8; ++source)
    {
        for (uint32_t destination = 0; destination < 8; ++destination)
        {
            if (source != destination && source / 4 == destination / 4)
            {
                demand.Add(source, destination, 2);
            }
        }
    }
    return demand;
}

/**
 * Add demands on a ring where light goes clockwise only: the lanes that they need are known and
 * more than the load, which is the shift.
 *
 * @ingroup lightpath-tests
 * @param cases the list that the test cases are added to
 */
void
AddClockwiseCases(std::vector<TestCase*>& cases)
{
    const auto add = [&cases](uint32_t nodes, uint32_t shift, uint32_t lanes, double share) {
        cases.push_back(new RingVectorTestCase("shift by " + std::to_string(shift) + " on " +
                                                   std::to_string(nodes) + " nodes clockwise",
                                               MakeClockwise(nodes, lanes),
                                               MakeShifts(nodes, {{shift, 1}}),
                                               share,
                                               lanes / shift));
    };
    add(3, 2, 2, 0);
    add(5, 2, 2, 0);
    add(5, 2, 3, 1);
    add(5, 2, 4, 1);
    add(5, 2, 5, 2);
    add(5, 2, 200, 80);
    // On three nodes each lane carries one arc of two segments
    for (uint32_t lanes = 3; lanes <= 13; ++lanes)
    {
        add(3, 2, lanes, lanes / 3);
    }
    const std::vector<std::vector<uint32_t>> colours{{7, 2, 3},
                                                     {7, 3, 4},
                                                     {8, 3, 4},
                                                     {10, 3, 4},
                                                     {11, 4, 6},
                                                     {9, 4, 5},
                                                     {12, 5, 6},
                                                     {64, 8, 8}};
    for (const std::vector<uint32_t>& row : colours)
    {
        add(row[0], row[1], row[2], 1);
        add(row[0], row[1], row[2] - 1, 0);
    }
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @return the test cases of RingMaxMinAllocator for demands whose share is known
 */
static std::vector<TestCase*>
MakeRingVectorCases()
{
    const auto ring = [](uint32_t nodes, uint32_t lanes) { return RingGeometry(nodes, 1, lanes); };
    std::vector<TestCase*> cases{
        new RingVectorTestCase("all to all on 4 nodes", ring(4, 8), MakeAllToAll(4), 4, 4),
        new RingVectorTestCase("all to all on 8 nodes", ring(8, 16), MakeAllToAll(8), 2, 2),
        new RingVectorTestCase("neighbours on 8 nodes", ring(8, 8), MakeShifts(8, {{1, 1}}), 9, 9),
        new RingVectorTestCase("two groups of 4 nodes", ring(8, 16), MakeGroups(), 3, 3),
        // A lane carries 6 of the arcs, and 256 of them need 43 lanes unless some go the long way
        new RingVectorTestCase("shift by 37 on 256 nodes",
                               ring(256, 40),
                               MakeShifts(256, {{37, 1}}),
                               1),
        // By load the share would be 6. But two arcs of the long ways, of 5 to 7 segments, always
        // meet: 12 lanes relieve the other direction by 12 x 3 segments at most, and share 5
        // needs 8 x (5 + 3 x 2 + 2 x 3) - 36 = 100 of its 96
        new RingVectorTestCase("three shifts on 8 nodes",
                               ring(8, 12),
                               MakeShifts(8, {{1, 6}, {2, 3}, {3, 2}}),
                               4,
                               6)};
    // All to all needs floor(n^2 / 4) / 2 lanes, rounded up; 35 nodes are the most that 160 carry
    for (const uint32_t nodes : {3U, 4U, 5U, 6U, 7U, 8U, 9U, 16U, 18U, 25U, 35U})
    {
        const uint32_t lanes = (nodes * nodes / 4 + 1) / 2;
        cases.push_back(new RingVectorTestCase("all to all on " + std::to_string(nodes) + " nodes",
                                               ring(nodes, lanes),
                                               MakeAllToAll(nodes),
                                               1));
        if (lanes > 1)
        {
            cases.push_back(
                new RingVectorTestCase("all to all on " + std::to_string(nodes) + " nodes",
                                       ring(nodes, lanes - 1),
                                       MakeAllToAll(nodes),
                                       0));
        }
    }
    // One node sends to all others over its two fibres
    for (uint32_t nodes = 2; nodes <= 9; ++nodes)
    {
        TrafficMatrix demand(nodes);
        for (uint32_t destination = 1; destination < nodes; ++destination)
        {
            demand.Add(0, destination, 1);
        }
        const std::string name = "one to all on " + std::to_string(nodes) + " nodes";
        const double share = nodes == 2 ? 2 : 1;
        cases.push_back(new RingVectorTestCase(name, ring(nodes, nodes / 2), demand, share));
    }
    AddClockwiseCases(cases);
    return cases;
}

/**
 * @ingroup lightpath-tests
 * @brief Checks that lanes are counted exactly where no order of pairs finds them one by one.
 */
class RingCrossedLanesTestCase : public TestCase
{
  public:
    RingCrossedLanesTestCase()
        : TestCase("Ring: two pairs of a node may have different lanes")
    {
    }

  private:
    void DoRun() override
    {
        // Node 0 reaches node 1 by lanes 0, 1, 2 and node 2 by lanes 0, 1, 3: the lowest lanes of
        // either leave the other one lane, but 0, 2 and 1, 3 give both two lanes
        const RingFixture fixture(4, 1, 4, "LoadOnly");
        for (const char* failed : {"segment:0:ccw",
                                   "segment:1:ccw",
                                   "segment:2:ccw",
                                   "segment:3:ccw",
                                   "micro-ring:1:0:3",
                                   "micro-ring:2:0:2"})
        {
            fixture.ring->SetFailed(failed, true);
        }
        TrafficMatrix demand(4);
        demand.Add(0, 1, 1);
        demand.Add(0, 2, 1);
        const CircuitAllocation result = AllocateRing(fixture.ring->GetGeometry(), demand);
        NS_TEST_EXPECT_MSG_EQ(fixture.ring->Check(result.plan), "", "Lanes");
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 2, "Two lanes each");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetNLanes(), 4, "All lanes");
    }
};

/// Registers the test cases
static const SuiteCases g_ringVectorCases("lightpath-control",
                                          {MakeRingVectorCases(),
                                           {new RingCrossedLanesTestCase()}});
