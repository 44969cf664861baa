/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-test-cases.h"
#include "method-case.h"
#include "model/control/graph-solvers.h"

#include <algorithm>
#include <functional>
#include <set>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param random the source of random numbers
 * @param nodes the number of nodes
 * @param chance the number of existing edges out of four
 * @param most the largest weight; weights may be down to a quarter of it below zero
 * @return a graph
 */
std::vector<WeightedEdge>
MakeGraph(std::mt19937& random, uint32_t nodes, uint32_t chance, uint32_t most)
{
    std::vector<WeightedEdge> edges;
    for (uint32_t first = 0; first < nodes; ++first)
    {
        for (uint32_t second = first + 1; second < nodes; ++second)
        {
            if (random() % 4 < chance)
            {
                const int64_t weight = random() % (most + most / 4 + 1);
                edges.push_back({first, second, weight - most / 4});
            }
        }
    }
    return edges;
}

/**
 * @ingroup lightpath-tests
 * @param nodes the number of nodes
 * @param edges the edges
 * @return the largest weight of a matching, by recursion over all sets of edges
 */
int64_t
MatchByForce(uint32_t nodes, const std::vector<WeightedEdge>& edges)
{
    const std::function<int64_t(std::size_t, uint32_t)> best = [&](std::size_t next,
                                                                   uint32_t used) -> int64_t {
        if (next == edges.size())
        {
            return 0;
        }
        const auto& [first, second, weight] = edges[next];
        const uint32_t ends = (1U << first) | (1U << second);
        const int64_t without = best(next + 1, used);
        return used & ends ? without : std::max(without, weight + best(next + 1, used | ends));
    };
    return best(0, 0);
}

/**
 * @ingroup lightpath-tests
 * @param nodes the number of nodes
 * @param edges the edges
 * @return the largest weight of a matching, by dynamic programming over sets of nodes
 */
int64_t
MatchBySets(uint32_t nodes, const std::vector<WeightedEdge>& edges)
{
    std::vector<int64_t> best(std::size_t{1} << nodes, 0);
    for (uint32_t set = 1; set < best.size(); ++set)
    {
        for (const auto& [first, second, weight] : edges)
        {
            const uint32_t ends = (1U << first) | (1U << second);
            if ((set & ends) == ends)
            {
                best[set] = std::max(best[set], weight + best[set & ~ends]);
            }
        }
        for (uint32_t node = 0; node < nodes; ++node)
        {
            best[set] = std::max(best[set], set >> node & 1 ? best[set & ~(1U << node)] : 0);
        }
    }
    return best.back();
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the solvers of matchings and flows.
 */
class GraphSolversTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares FindMaxWeightMatching with searches that see all matchings.
    void TestMatching()
    {
        // A triangle with tails: two edges of 5 beat one of 8
        Check(4, {{0, 1, 5}, {1, 2, 8}, {2, 3, 5}}, 10);
        Check(3, {{0, 1, 5}, {1, 2, 5}, {0, 2, 6}}, 6);
        Check(2, {{0, 1, 0}}, 0);
        Check(2, {{0, 1, -3}}, 0);
        Check(5, {}, 0);
        std::mt19937 random(11);
        for (uint32_t run = 0; run < 200; ++run)
        {
            const uint32_t nodes = 2 + random() % 7;
            const auto edges = MakeGraph(random, nodes, 1 + run % 3, run % 2 ? 4 : 1000000);
            Check(nodes, edges, MatchByForce(nodes, edges));
        }
        for (uint32_t run = 0; run < 40; ++run)
        {
            const uint32_t nodes = 9 + random() % 4;
            const auto edges = MakeGraph(random, nodes, 1 + run % 4, run % 2 ? 4 : 1000000);
            Check(nodes, edges, MatchBySets(nodes, edges));
        }
    }

    /// Checks FindMinCostFlow by flows that are known.
    void TestMinCostFlow()
    {
        // Three units: two by the middle for 2 each, one direct for 5
        const std::vector<FlowArc> arcs{{0, 1, 2, 1}, {1, 2, 4, 1}, {0, 2, 4, 5}};
        const auto flow = FindMinCostFlow({3, 0, -3}, arcs);
        NS_TEST_ASSERT_MSG_EQ(flow.has_value(), true, "There is room");
        NS_TEST_EXPECT_MSG_EQ((*flow == std::vector<int64_t>{2, 2, 1}),
                              true,
                              "The cheap one first");
        NS_TEST_EXPECT_MSG_EQ(FindMinCostFlow({7, 0, -7}, arcs).has_value(), false, "Room for 6");
        // A circulation that pays
        const auto round = FindMinCostFlow({0, 0}, {{0, 1, 5, -3}, {1, 0, 4, 2}, {1, 0, 4, 4}});
        NS_TEST_ASSERT_MSG_EQ(round.has_value(), true, "Nothing need flow");
        NS_TEST_EXPECT_MSG_EQ((*round == std::vector<int64_t>{4, 4, 0}), true, "3 - 2, not 3 - 4");
    }

  private:
    /**
     * @param nodes the number of nodes
     * @param edges the edges
     * @param best the weight expected
     */
    void Check(uint32_t nodes, const std::vector<WeightedEdge>& edges, int64_t best)
    {
        std::set<uint32_t> used;
        int64_t weight = 0;
        const std::vector<uint32_t> chosen = FindMaxWeightMatching(nodes, edges);
        for (const uint32_t index : chosen)
        {
            const WeightedEdge& edge = edges.at(index);
            weight += edge.weight;
            NS_TEST_EXPECT_MSG_GT(edge.weight, 0, "Only what is worth something");
            NS_TEST_EXPECT_MSG_EQ(used.insert(edge.first).second, true, "Each node once");
            NS_TEST_EXPECT_MSG_EQ(used.insert(edge.second).second, true, "Each node once");
        }
        NS_TEST_EXPECT_MSG_EQ(weight, best, "Largest weight of " << nodes << " nodes");
        NS_TEST_EXPECT_MSG_EQ(std::is_sorted(chosen.begin(), chosen.end()), true, "Ascending");
    }
};

/// Registers the test cases
static const SuiteCases g_graphSolversCases(
    "lightpath-control-switches",
    {{MakeCase("The matching of largest weight in general graphs",
               &GraphSolversTests::TestMatching),
      MakeCase("The cheapest flow in a network", &GraphSolversTests::TestMinCostFlow)}});
