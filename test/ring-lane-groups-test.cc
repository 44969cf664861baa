/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-waves-tests.h"
#include "method-case.h"
#include "model/control/ring/ring-lane-groups.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @brief Arcs of one direction of a ring that want a lane each.
 */
struct Arcs
{
    /**
     * @param ring the number of nodes
     */
    explicit Arcs(uint32_t ring)
        : nodes(ring)
    {
    }

    /**
     * @param first the lowest segment of an arc
     * @param hops the number of its segments
     */
    void Add(uint32_t first, uint32_t hops)
    {
        arcs.push_back({first, hops, true, 0, 0});
    }

    /**
     * @return the most arcs on one segment
     */
    uint32_t GetLoad() const
    {
        std::vector<uint32_t> loads(nodes, 0);
        for (const RingArc& arc : arcs)
        {
            for (uint32_t hop = 0; hop < arc.hops; ++hop)
            {
                ++loads[(arc.first + hop) % nodes];
            }
        }
        return *std::max_element(loads.begin(), loads.end());
    }

    /**
     * Group the lanes.
     *
     * @param [out] error what is wrong with the groups; empty if nothing is
     * @return the number of groups
     */
    uint32_t Group(std::string& error) const
    {
        RingProblem problem;
        problem.nodes = nodes;
        for (const RingArc& arc : arcs)
        {
            problem.pairs.push_back({{}, 1, {RingArc{}, arc}});
        }
        const auto units = GroupRingLanes(problem, 1, std::vector<uint32_t>(arcs.size(), 1));
        std::set<std::pair<uint32_t, uint32_t>> taken;
        std::set<uint32_t> groups;
        std::set<uint32_t> grouped;
        for (const RingUnit& unit : units)
        {
            groups.insert(unit.lane);
            grouped.insert(unit.pair);
            const RingArc& arc = arcs[unit.pair];
            for (uint32_t hop = 0; hop < arc.hops; ++hop)
            {
                const uint32_t segment = (arc.first + hop) % nodes;
                if (!taken.emplace(segment, unit.lane).second)
                {
                    error = "two arcs of a group on segment " + std::to_string(segment);
                }
            }
        }
        if (units.size() != arcs.size() || grouped.size() != arcs.size())
        {
            error = "an arc without a group";
        }
        return groups.size();
    }

    uint32_t nodes;            //!< Number of nodes and of segments
    std::vector<RingArc> arcs; //!< The arcs
};

/**
 * @param arc an arc
 * @param nodes the number of segments
 * @return its segments, as bits
 */
uint32_t
GetBits(const RingArc& arc, uint32_t nodes)
{
    uint32_t bits = 0;
    for (uint32_t hop = 0; hop < arc.hops; ++hop)
    {
        bits |= 1U << (arc.first + hop) % nodes;
    }
    return bits;
}

/**
 * Count the ways to cover all arcs by sets of arcs that do not overlap, by inclusion and exclusion
 * (Bjorklund, Husfeldt and Koivisto, 2009), modulo a prime.
 *
 * @param nodes the number of segments
 * @param spans the arcs, not many
 * @return the smallest number of such sets
 */
uint32_t
CountGroups(uint32_t nodes, const std::vector<RingArc>& spans)
{
    constexpr uint64_t PRIME = 4294967291;
    const uint32_t all = 1U << spans.size();
    // How many sets of arcs without overlap there are among those of each set
    std::vector<uint64_t> free(all, 1);
    for (uint32_t set = 1; set < all; ++set)
    {
        uint32_t arc = 0;
        while (((set >> arc) & 1U) == 0)
        {
            ++arc;
        }
        uint32_t apart = set & ~(1U << arc);
        for (uint32_t other = 0; other < spans.size(); ++other)
        {
            if (GetBits(spans[arc], nodes) & GetBits(spans[other], nodes))
            {
                apart &= ~(1U << other);
            }
        }
        free[set] = free[set & ~(1U << arc)] + free[apart];
    }
    std::vector<uint64_t> powers(all, 1);
    for (uint32_t colours = 1;; ++colours)
    {
        uint64_t covers = 0;
        for (uint32_t set = 0; set < all; ++set)
        {
            powers[set] = powers[set] * free[set] % PRIME;
            uint32_t absent = 0;
            for (uint32_t bits = (all - 1) & ~set; bits > 0; bits &= bits - 1)
            {
                ++absent;
            }
            covers += absent % 2 == 0 ? powers[set] : PRIME - powers[set];
        }
        if (covers % PRIME != 0)
        {
            return colours;
        }
    }
}

/**
 * @param nodes the number of nodes
 * @return the arcs of all pairs on their shorter side, of opposite ones those from even nodes
 */
Arcs
MakeShortest(uint32_t nodes)
{
    Arcs arcs(nodes);
    for (uint32_t source = 0; source < nodes; ++source)
    {
        for (uint32_t hops = 1; 2 * hops <= nodes; ++hops)
        {
            if (2 * hops < nodes || source % 2 == 0)
            {
                arcs.Add(source, hops);
            }
        }
    }
    return arcs;
}

/**
 * @param nodes the number of nodes
 * @param shift how far each node sends
 * @return the arcs from each node i to i + shift
 */
Arcs
MakeShift(uint32_t nodes, uint32_t shift)
{
    Arcs arcs(nodes);
    for (uint32_t source = 0; source < nodes; ++source)
    {
        arcs.Add(source, shift);
    }
    return arcs;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of GroupRingLanes().
 */
class RingLaneGroupsTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Checks sets of arcs for which the fewest groups are known.
    void TestVector()
    {
        for (uint32_t load = 2; load <= 12; ++load)
        {
            Expect(MakeShift(2 * load - 1, load), 2 * load - 1);
        }
        const std::array<uint32_t, 3> shifts[] =
            {{7, 2, 3}, {7, 3, 4}, {8, 3, 4}, {10, 3, 4}, {11, 4, 6}, {9, 4, 5}, {12, 5, 6}};
        for (const auto& [nodes, shift, least] : shifts)
        {
            Expect(MakeShift(nodes, shift), least);
        }
        Expect(MakeShift(16, 1), 1);
        for (uint32_t nodes = 3; nodes <= 20; ++nodes)
        {
            Arcs oneToAll(nodes);
            for (uint32_t destination = 1; 2 * destination <= nodes; ++destination)
            {
                oneToAll.Add(0, destination);
            }
            Expect(oneToAll, nodes / 2);
        }
        for (uint32_t copies = 1; copies <= 6; ++copies)
        {
            Arcs triangle(3);
            for (uint32_t arc = 0; arc < 3 * copies; ++arc)
            {
                triangle.Add(arc % 3, 2);
            }
            Expect(triangle, 3 * copies);
        }
        // An odd cycle of arcs, each of which overlaps the next one, takes three groups
        for (uint32_t length = 3; length <= 40; ++length)
        {
            Arcs cycle(2 * length);
            for (uint32_t arc = 0; arc < length; ++arc)
            {
                cycle.Add(2 * arc, 3);
            }
            Expect(cycle, 2 + length % 2);
        }
        NS_TEST_EXPECT_MSG_EQ(
            GroupRingLanes(RingProblem(TrafficMatrix(5), RingGeometry(5, 1, 1), {}), 0, {}).empty(),
            true,
            "No arcs");
    }

    /// Checks all-to-all on larger rings, where the load has a closed form.
    void TestAllToAll()
    {
        for (uint32_t nodes = 3; nodes <= 36; ++nodes)
        {
            const Arcs arcs = MakeShortest(nodes);
            const uint32_t load = (nodes * nodes / 4 + 1) / 2;
            NS_TEST_EXPECT_MSG_EQ(arcs.GetLoad(), load, nodes << " nodes");
            std::string error;
            NS_TEST_EXPECT_MSG_LT(arcs.Group(error), load + (load + 32) / 33 + 1, nodes);
            NS_TEST_EXPECT_MSG_EQ(error, "", nodes);
        }
    }

    /// Compares random sets of arcs with the fewest groups, found by counting.
    void TestRandom()
    {
        std::mt19937 random(21);
        uint32_t used = 0;
        uint32_t least = 0;
        for (uint32_t run = 0; run < 250; ++run)
        {
            const uint32_t nodes = 4 + random() % 5;
            const uint32_t count = 1 + random() % 14;
            const uint32_t longest = 1 + random() % (nodes - 1);
            Arcs arcs(nodes);
            for (uint32_t arc = 0; arc < count; ++arc)
            {
                const uint32_t first = random() % nodes;
                arcs.Add(first, 1 + random() % longest);
            }
            const uint32_t fewest = CountGroups(nodes, arcs.arcs);
            std::string error;
            const uint32_t groups = arcs.Group(error);
            NS_TEST_EXPECT_MSG_EQ(error, "", "Run " << run);
            NS_TEST_EXPECT_MSG_EQ((fewest <= groups), true, "Run " << run);
            used += groups;
            least += fewest;
        }
        NS_TEST_EXPECT_MSG_LT(used, 1.002 * least, "On average");
    }

    /// Checks what holds for arcs of which none passes some node, and for many arcs.
    void TestMany()
    {
        std::mt19937 random(22);
        for (uint32_t run = 0; run < 25; ++run)
        {
            const uint32_t nodes = 5 + random() % 200;
            const uint32_t cut = random() % nodes;
            const uint32_t count = 1 + random() % 400;
            Arcs intervals(nodes);
            Arcs any(nodes);
            for (uint32_t arc = 0; arc < count; ++arc)
            {
                const uint32_t begin = random() % (nodes - 1);
                const uint32_t hops = 1 + random() % (nodes - 1 - begin);
                intervals.Add((cut + begin) % nodes, hops);
                any.Add(random() % nodes, hops);
            }
            std::string error;
            NS_TEST_EXPECT_MSG_EQ(intervals.Group(error), intervals.GetLoad(), "Run " << run);
            // A cut leaves at most the arcs through it, which are at most the load
            NS_TEST_EXPECT_MSG_LT(any.Group(error), 2 * any.GetLoad() + 1, "Run " << run);
            NS_TEST_EXPECT_MSG_EQ(error, "", "Run " << run);
        }
    }

  private:
    /**
     * @param arcs the arcs
     * @param least the fewest groups
     */
    void Expect(const Arcs& arcs, uint32_t least)
    {
        std::string error;
        NS_TEST_EXPECT_MSG_EQ(arcs.Group(error), least, arcs.nodes << " nodes");
        NS_TEST_EXPECT_MSG_EQ(error, "", arcs.nodes << " nodes");
    }
};

/// Registers the test cases
static const SuiteCases g_ringLaneGroupsCases(
    "lightpath-control-waves",
    {{MakeCase("Groups of lanes: known numbers are reached", &RingLaneGroupsTests::TestVector),
      MakeCase("Groups of lanes: all-to-all comes close to the load of the closed form",
               &RingLaneGroupsTests::TestAllToAll),
      MakeCase("Groups of lanes: random arcs need as few as counting proves",
               &RingLaneGroupsTests::TestRandom),
      MakeCase("Groups of lanes: intervals and many arcs keep to their bounds",
               &RingLaneGroupsTests::TestMany)}});
