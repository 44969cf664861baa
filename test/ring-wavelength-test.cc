/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-waves-tests.h"
#include "expect-error.h"
#include "model/control/ring/ring-wavelength-assignment.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The class under test.
using Assignment = RingWavelengthAssignment;

/**
 * @param span an arc
 * @param nodes the number of segments
 * @return its segments, as bits
 */
uint32_t
GetBits(const RingSpan& span, uint32_t nodes)
{
    uint32_t bits = 0;
    for (uint32_t hop = 0; hop < span.hops; ++hop)
    {
        bits |= 1U << (span.first + hop) % nodes;
    }
    return bits;
}

/**
 * @param nodes the number of segments
 * @param assignment the arcs
 * @param result their wavelengths
 * @return what is wrong with them; empty if nothing is
 */
std::string
FindConflict(uint32_t nodes, const Assignment& assignment, const Assignment::Result& result)
{
    const std::vector<RingSpan>& spans = assignment.GetSpans();
    if (result.wavelengths.size() != spans.size())
    {
        return "an arc without a wavelength";
    }
    std::set<std::pair<uint32_t, uint32_t>> taken;
    std::set<uint32_t> used;
    for (std::size_t arc = 0; arc < spans.size(); ++arc)
    {
        used.insert(result.wavelengths[arc]);
        for (uint32_t hop = 0; hop < spans[arc].hops; ++hop)
        {
            const uint32_t segment = (spans[arc].first + hop) % nodes;
            if (!taken.insert({segment, result.wavelengths[arc]}).second)
            {
                return "two arcs on a wavelength of segment " + std::to_string(segment);
            }
        }
    }
    const bool isCounted = used.size() == result.used && *used.rbegin() + 1 == result.used;
    return isCounted ? "" : "wavelengths counted wrongly";
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
CountColours(uint32_t nodes, const std::vector<RingSpan>& spans)
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
 * @return the clockwise arcs of all pairs on their shorter side, of opposite ones those from even
 *         nodes
 */
Assignment
MakeShortest(uint32_t nodes)
{
    Assignment assignment(nodes);
    for (uint32_t source = 0; source < nodes; ++source)
    {
        for (uint32_t hops = 1; 2 * hops <= nodes; ++hops)
        {
            if (2 * hops < nodes || source % 2 == 0)
            {
                assignment.Add(source, (source + hops) % nodes, RingDirection::CLOCKWISE);
            }
        }
    }
    return assignment;
}

/**
 * @param nodes the number of nodes
 * @param shift how far each node sends
 * @return the clockwise arcs from each node i to i + shift
 */
Assignment
MakeShift(uint32_t nodes, uint32_t shift)
{
    Assignment assignment(nodes);
    for (uint32_t source = 0; source < nodes; ++source)
    {
        assignment.Add({source, shift});
    }
    return assignment;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Checks sets of arcs for which the number of wavelengths is known.
 */
class RingWavelengthVectorTestCase : public TestCase
{
  public:
    RingWavelengthVectorTestCase()
        : TestCase("Wavelengths: known numbers are reached")
    {
    }

  private:
    /**
     * Check that the exact method finds the known number and proves it, and that BEST is not far
     * above and claims nothing that is wrong.
     *
     * @param nodes the number of nodes
     * @param assignment the arcs
     * @param load the most arcs on one segment
     * @param least the fewest wavelengths
     */
    void Expect(uint32_t nodes, Assignment assignment, uint32_t load, uint32_t least)
    {
        assignment.SetLimits({200, 1000000});
        for (const auto method : {Assignment::BEST, Assignment::EXACT})
        {
            const Assignment::Result result = assignment.Assign(method);
            const uint32_t most = method == Assignment::EXACT ? least : least + (least + 3) / 4;
            NS_TEST_EXPECT_MSG_EQ(FindConflict(nodes, assignment, result), "", "Valid");
            NS_TEST_EXPECT_MSG_EQ(result.load, load, nodes << " nodes");
            NS_TEST_EXPECT_MSG_EQ((result.bound <= least), true, nodes << " nodes");
            NS_TEST_EXPECT_MSG_EQ((least <= result.used), true, nodes << " nodes");
            NS_TEST_EXPECT_MSG_EQ((result.used <= most), true, nodes << " nodes");
        }
        NS_TEST_EXPECT_MSG_EQ(assignment.Assign(Assignment::EXACT).IsOptimal(), true, "Proof");
    }

    void DoRun() override
    {
        const uint32_t allToAll[] = {1, 2, 3, 5, 6, 8, 10};
        for (uint32_t nodes = 3; nodes <= 9; ++nodes)
        {
            Expect(nodes, MakeShortest(nodes), allToAll[nodes - 3], allToAll[nodes - 3]);
        }
        for (uint32_t load = 2; load <= 12; ++load)
        {
            Expect(2 * load - 1, MakeShift(2 * load - 1, load), load, 2 * load - 1);
        }
        const std::array<uint32_t, 3> shifts[] =
            {{7, 2, 3}, {7, 3, 4}, {8, 3, 4}, {10, 3, 4}, {11, 4, 6}, {9, 4, 5}, {12, 5, 6}};
        for (const auto& [nodes, shift, least] : shifts)
        {
            Expect(nodes, MakeShift(nodes, shift), shift, least);
        }
        Expect(16, MakeShift(16, 1), 1, 1);
        for (uint32_t nodes = 3; nodes <= 20; ++nodes)
        {
            Assignment oneToAll(nodes);
            for (uint32_t destination = 1; 2 * destination <= nodes; ++destination)
            {
                oneToAll.Add(0, destination, RingDirection::CLOCKWISE);
            }
            Expect(nodes, oneToAll, nodes / 2, nodes / 2);
        }
        for (uint32_t copies = 1; copies <= 6; ++copies)
        {
            Assignment assignment(3);
            for (uint32_t arc = 0; arc < 3 * copies; ++arc)
            {
                assignment.Add({arc % 3, 2});
            }
            Expect(3, assignment, 2 * copies, 3 * copies);
        }
        Assignment triple(6);
        triple.Add({0, 3});
        triple.Add({2, 3});
        triple.Add({4, 3});
        Expect(6, triple, 2, 3);
        NS_TEST_EXPECT_MSG_EQ(triple.Assign().bound, 3, "No two fit on a wavelength");
        const Assignment::Result none = Assignment(5).Assign(Assignment::EXACT);
        NS_TEST_EXPECT_MSG_EQ(none.used, 0, "No arcs");
        NS_TEST_EXPECT_MSG_EQ(none.IsOptimal(), true, "No arcs");
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Checks all-to-all on larger rings, where the load has a closed form.
 */
class RingWavelengthAllToAllTestCase : public TestCase
{
  public:
    RingWavelengthAllToAllTestCase()
        : TestCase("Wavelengths: all-to-all has the load of the closed form")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t nodes = 3; nodes <= 36; ++nodes)
        {
            const Assignment assignment = MakeShortest(nodes);
            const Assignment::Result result = assignment.Assign();
            const uint32_t load = (nodes * nodes / 4 + 1) / 2;
            NS_TEST_EXPECT_MSG_EQ(result.load, load, nodes << " nodes");
            NS_TEST_EXPECT_MSG_EQ((nodes % 2 == 0 || load == (nodes * nodes - 1) / 8), true, nodes);
            NS_TEST_EXPECT_MSG_EQ(FindConflict(nodes, assignment, result), "", nodes);
            NS_TEST_EXPECT_MSG_EQ((result.used <= load + (load + 32) / 33), true, nodes);
        }
        NS_TEST_EXPECT_MSG_EQ(MakeShortest(35).Assign().load, 153, "35 nodes fit into 160");
        NS_TEST_EXPECT_MSG_EQ(MakeShortest(36).Assign().load, 162, "36 nodes do not");
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Compares random sets of arcs with the number of wavelengths found by counting.
 */
class RingWavelengthRandomTestCase : public TestCase
{
  public:
    RingWavelengthRandomTestCase()
        : TestCase("Wavelengths: random arcs get as few as counting proves")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937 random(21);
        uint32_t used = 0;
        uint32_t least = 0;
        for (uint32_t run = 0; run < 250; ++run)
        {
            const uint32_t nodes = 4 + random() % 5;
            const uint32_t arcs = 1 + random() % 14;
            const uint32_t longest = 1 + random() % (nodes - 1);
            Assignment assignment(nodes);
            for (uint32_t arc = 0; arc < arcs; ++arc)
            {
                assignment.Add({static_cast<uint32_t>(random() % nodes),
                                static_cast<uint32_t>(1 + random() % longest)});
            }
            const uint32_t chromatic = CountColours(nodes, assignment.GetSpans());
            for (const auto method : {Assignment::CUT,
                                      Assignment::LONGEST_FIRST,
                                      Assignment::DSATUR,
                                      Assignment::BEST,
                                      Assignment::EXACT})
            {
                const Assignment::Result result = assignment.Assign(method);
                NS_TEST_EXPECT_MSG_EQ(FindConflict(nodes, assignment, result), "", "Run " << run);
                NS_TEST_EXPECT_MSG_EQ((result.load <= result.bound), true, "Run " << run);
                NS_TEST_EXPECT_MSG_EQ((result.bound <= chromatic), true, "Run " << run);
                NS_TEST_EXPECT_MSG_EQ((chromatic <= result.used), true, "Run " << run);
            }
            const Assignment::Result best = assignment.Assign();
            const Assignment::Result exact = assignment.Assign(Assignment::EXACT);
            NS_TEST_EXPECT_MSG_EQ(exact.used, chromatic, "Run " << run);
            NS_TEST_EXPECT_MSG_EQ(exact.IsOptimal(), true, "Run " << run);
            NS_TEST_EXPECT_MSG_LT(exact.used, 2 * exact.load, "Tucker's bound, run " << run);
            used += best.used;
            least += chromatic;
        }
        NS_TEST_EXPECT_MSG_LT(used, 1.01 * least, "BEST is within a hundredth on average");
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Checks what holds for arcs of which none passes some node, and for many arcs.
 */
class RingWavelengthManyTestCase : public TestCase
{
  public:
    RingWavelengthManyTestCase()
        : TestCase("Wavelengths: intervals and many arcs keep to their bounds")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937 random(22);
        for (uint32_t run = 0; run < 25; ++run)
        {
            const uint32_t nodes = 5 + random() % 200;
            const uint32_t cut = random() % nodes;
            const uint32_t arcs = 1 + random() % 400;
            Assignment intervals(nodes);
            Assignment any(nodes);
            for (uint32_t arc = 0; arc < arcs; ++arc)
            {
                const uint32_t begin = random() % (nodes - 1);
                const uint32_t hops = 1 + random() % (nodes - 1 - begin);
                intervals.Add({(cut + begin) % nodes, hops});
                any.Add({static_cast<uint32_t>(random() % nodes), hops});
            }
            const Assignment::Result exact = intervals.Assign(Assignment::CUT);
            NS_TEST_EXPECT_MSG_EQ(FindConflict(nodes, intervals, exact), "", "Run " << run);
            NS_TEST_EXPECT_MSG_EQ(exact.used, exact.load, "An interval graph, run " << run);
            NS_TEST_EXPECT_MSG_EQ(exact.method, Assignment::CUT, "Run " << run);
            uint32_t fewest = arcs + 1;
            for (const auto method :
                 {Assignment::CUT, Assignment::LONGEST_FIRST, Assignment::DSATUR})
            {
                const Assignment::Result result = any.Assign(method);
                NS_TEST_EXPECT_MSG_EQ(FindConflict(nodes, any, result), "", "Run " << run);
                NS_TEST_EXPECT_MSG_EQ(result.method, method, "Run " << run);
                fewest = std::min(fewest, result.used);
            }
            const Assignment::Result best = any.Assign();
            NS_TEST_EXPECT_MSG_EQ(best.used, fewest, "The fewest of all, run " << run);
            NS_TEST_EXPECT_MSG_EQ((any.Assign(best.method).wavelengths == best.wavelengths),
                                  true,
                                  "The method named, run " << run);
            // The cut leaves at most the arcs through it, which are at most the load
            NS_TEST_EXPECT_MSG_LT(any.Assign(Assignment::CUT).used, 2 * best.load + 1, run);
        }
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Checks that two wavelengths are found to be enough for an even cycle, as DSATUR is exact
 * for bipartite graphs (Brelaz, 1979).
 */
class RingWavelengthCycleTestCase : public TestCase
{
  public:
    RingWavelengthCycleTestCase()
        : TestCase("Wavelengths: DSATUR is exact for cycles")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937 random(24);
        for (uint32_t arcs = 3; arcs <= 40; ++arcs)
        {
            std::vector<RingSpan> spans;
            for (uint32_t arc = 0; arc < arcs; ++arc)
            {
                spans.push_back({2 * arc, 3});
                std::swap(spans[random() % spans.size()], spans.back());
            }
            Assignment assignment(2 * arcs);
            for (const RingSpan& span : spans)
            {
                assignment.Add(span);
            }
            const Assignment::Result result = assignment.Assign(Assignment::DSATUR);
            NS_TEST_EXPECT_MSG_EQ(FindConflict(2 * arcs, assignment, result), "", arcs);
            NS_TEST_EXPECT_MSG_EQ(result.load, 2, arcs);
            NS_TEST_EXPECT_MSG_EQ(result.used, 2 + arcs % 2, arcs);
            NS_TEST_EXPECT_MSG_EQ(result.bound, 2 + arcs % 2, arcs);
        }
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Checks the limits of the exact search, and what is refused.
 */
class RingWavelengthErrorTestCase : public TestCase
{
  public:
    RingWavelengthErrorTestCase()
        : TestCase("Wavelengths: limits are kept and wrong arcs refused")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937 random(23);
        bool isLimited = false;
        for (uint32_t run = 0; run < 200 && !isLimited; ++run)
        {
            Assignment assignment(7);
            for (uint32_t arc = 0; arc < 12; ++arc)
            {
                assignment.Add(
                    {static_cast<uint32_t>(random() % 7), static_cast<uint32_t>(2 + random() % 2)});
            }
            const Assignment::Result best = assignment.Assign();
            if (best.IsOptimal())
            {
                continue;
            }
            isLimited = true;
            for (const auto& limits : {Assignment::Limits{12, 0}, Assignment::Limits{11, 1000}})
            {
                assignment.SetLimits(limits);
                const Assignment::Result stopped = assignment.Assign(Assignment::EXACT);
                NS_TEST_EXPECT_MSG_EQ(stopped.used, best.used, "As without a search");
                NS_TEST_EXPECT_MSG_EQ(stopped.method, best.method, "As without a search");
                NS_TEST_EXPECT_MSG_EQ(stopped.IsOptimal(), false, "Nothing is proven");
            }
            assignment.SetLimits({12, 100000});
            NS_TEST_EXPECT_MSG_EQ(assignment.Assign(Assignment::EXACT).IsOptimal(), true, "Proof");
        }
        NS_TEST_EXPECT_MSG_EQ(isLimited, true, "Some arcs need a search");
        std::string error = GetError([] { Assignment ring(1); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "a ring of 1 nodes"), true, error);
        Assignment ring(6);
        for (const RingSpan& span : {RingSpan{6, 1}, RingSpan{0, 0}, RingSpan{5, 6}})
        {
            error = GetError([&] { ring.Add(span); });
            NS_TEST_EXPECT_MSG_EQ(Contains(error,
                                           "An arc of " + std::to_string(span.hops) +
                                               " segments from segment " +
                                               std::to_string(span.first)),
                                  true,
                                  error);
            NS_TEST_EXPECT_MSG_EQ(Contains(error, "a ring of 6 nodes"), true, error);
        }
        for (const auto& [source, destination] : {PortPair{2, 2}, PortPair{6, 0}, PortPair{0, 6}})
        {
            error = GetError([&, source = source, destination = destination] {
                ring.Add(source, destination, RingDirection::CLOCKWISE);
            });
            NS_TEST_EXPECT_MSG_EQ(Contains(error, "no arc from node"), true, error);
        }
        NS_TEST_EXPECT_MSG_EQ(ring.GetSpans().empty(), true, "Nothing was added");
        ring.Add(1, 5, RingDirection::CLOCKWISE);
        ring.Add(1, 5, RingDirection::COUNTERCLOCKWISE);
        NS_TEST_EXPECT_MSG_EQ(ring.GetSpans()[0].first, 1, "Segments 1 to 4");
        NS_TEST_EXPECT_MSG_EQ(ring.GetSpans()[0].hops, 4, "Segments 1 to 4");
        NS_TEST_EXPECT_MSG_EQ(ring.GetSpans()[1].first, 5, "Segments 5 and 0");
        NS_TEST_EXPECT_MSG_EQ(ring.GetSpans()[1].hops, 2, "Segments 5 and 0");
        NS_TEST_EXPECT_MSG_EQ(ring.Assign().used, 1, "They do not overlap");
    }
};

std::vector<TestCase*>
MakeRingWavelengthCases()
{
    return {new RingWavelengthVectorTestCase,
            new RingWavelengthAllToAllTestCase,
            new RingWavelengthRandomTestCase,
            new RingWavelengthManyTestCase,
            new RingWavelengthCycleTestCase,
            new RingWavelengthErrorTestCase};
}
