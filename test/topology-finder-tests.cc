/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/collective/multi-ring-schedule.h"
#include "model/control/graph/topology-finder.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <sstream>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Links by their ends, with their rates in Gb/s.
using RateTable = std::map<std::pair<uint32_t, uint32_t>, uint32_t>;

/// Weights of pairs of ports, the lower one first.
using PairWeights = std::map<std::pair<uint32_t, uint32_t>, double>;

/**
 * @param degree the links from each port
 * @return finds networks of links of 1 Gb/s
 */
TopologyFinder
MakeFinder(uint32_t degree)
{
    return TopologyFinder(degree, DataRate("1Gbps"), MicroSeconds(1));
}

/**
 * @param graph a network
 * @return its links
 */
RateTable
GetRates(const LinkGraph& graph)
{
    RateTable rates;
    for (const auto& link : graph.GetLinks())
    {
        rates[{link.from, link.to}] += static_cast<uint32_t>(link.rate.GetBitRate() / 1000000000);
    }
    return rates;
}

/**
 * @param graph a network
 * @param source a port
 * @return the number of links to each port, by Bellman and Ford's algorithm; the number of ports if
 *         there is no way
 */
std::vector<uint32_t>
CountHops(const LinkGraph& graph, uint32_t source)
{
    std::vector<uint32_t> hops(graph.GetNPorts(), graph.GetNPorts());
    hops[source] = 0;
    for (bool isChanged = true; isChanged;)
    {
        isChanged = false;
        for (const auto& link : graph.GetLinks())
        {
            if (hops[link.from] + 1 < hops[link.to])
            {
                hops[link.to] = hops[link.from] + 1;
                isChanged = true;
            }
        }
    }
    return hops;
}

/**
 * @param n the number of ports
 * @param coins the strides
 * @return the least number of coins that add up to each distance (mod n), by dynamic programming
 */
std::vector<uint32_t>
ChangeCoins(uint32_t n, const std::vector<uint32_t>& coins)
{
    std::vector<uint32_t> least(n, n);
    least[0] = 0;
    for (uint32_t round = 0; round < n; ++round)
    {
        std::vector<uint32_t> next = least;
        for (uint32_t sum = 0; sum < n; ++sum)
        {
            for (const auto coin : coins)
            {
                next[sum] = std::min(next[sum], least[(sum + n - coin) % n] + 1);
            }
        }
        if (next == least)
        {
            break;
        }
        least = next;
    }
    return least;
}

/**
 * @param weights the weights
 * @param nPorts the number of ports
 * @return the matching of the largest weight, of all matchings
 */
std::set<std::pair<uint32_t, uint32_t>>
MatchAll(const PairWeights& weights, uint32_t nPorts)
{
    std::set<std::pair<uint32_t, uint32_t>> best;
    double most = 0;
    std::set<std::pair<uint32_t, uint32_t>> chosen;
    std::vector<bool> isTaken(nPorts, false);
    const std::function<void(PairWeights::const_iterator, double)> extend =
        [&](PairWeights::const_iterator next, double weight) {
            if (weight > most)
            {
                most = weight;
                best = chosen;
            }
            for (; next != weights.end(); ++next)
            {
                const auto [a, b] = next->first;
                if (isTaken[a] || isTaken[b])
                {
                    continue;
                }
                isTaken[a] = isTaken[b] = true;
                chosen.insert(next->first);
                extend(std::next(next), weight + next->second);
                chosen.erase(next->first);
                isTaken[a] = isTaken[b] = false;
            }
        };
    extend(weights.begin(), 0);
    return best;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Tests of the networks that TopologyFinder finds.
 */
class TopologyFinderTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * The strides for all ports, and the hops that they make, are those that the authors' program
     * finds.
     *
     * @param n the number of ports
     * @param degree the links from each port
     * @param strides the strides, in ascending order, of rings one way round
     * @param diameter the hops between the ports that are farthest apart
     * @param mean the mean hops between ports
     */
    void TestStrides(uint32_t n,
                     uint32_t degree,
                     const std::string& strides,
                     uint32_t diameter,
                     double mean)
    {
        std::set<uint32_t> wanted;
        std::istringstream words(strides);
        for (uint32_t stride; words >> stride;)
        {
            wanted.insert(stride);
            wanted.insert(n - stride);
        }
        const auto topology = MakeFinder(degree).FindForAll(n);
        std::set<uint32_t> found;
        for (const auto& [ends, rate] : GetRates(topology.graph))
        {
            found.insert((ends.second + n - ends.first) % n);
            NS_TEST_ASSERT_MSG_EQ(rate, 1, "a link");
        }
        NS_TEST_ASSERT_MSG_EQ((found == wanted), true, "strides");
        NS_TEST_EXPECT_MSG_EQ(topology.graph.GetLinks().size(), n * degree, "all links");
        NS_TEST_EXPECT_MSG_EQ(topology.graph.PortsForward(), true, "ports forward");
        const auto hops = CountHops(topology.graph, 0);
        NS_TEST_EXPECT_MSG_EQ(*std::max_element(hops.begin(), hops.end()), diameter, "diameter");
        const double sum = std::accumulate(hops.begin(), hops.end(), 0.0);
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / (n - 1), mean, 5e-4, "mean hops");
        const auto coins = ChangeCoins(n, {found.begin(), found.end()});
        NS_TEST_EXPECT_MSG_EQ((hops == coins), true, "sums of the fewest strides");
        for (const auto stride : found)
        {
            uint32_t length = 1;
            for (uint32_t at = stride; at != 0; at = (at + stride) % n)
            {
                ++length;
            }
            NS_TEST_EXPECT_MSG_EQ(length, n, "a ring of all");
        }
    }

    /// Each split serves all of the demand, and shares out the links of sums by bytes.
    void TestSplit()
    {
        // Rows of 4 sum three times as much as columns of 3
        auto demand = MakeGrid(3, 4);
        demand.sums[0].bytes = 750;
        demand.sums[1].bytes = 250;
        demand.others.Add(0, 11, 1000);
        const auto topology = MakeFinder(8).Find(12, demand, {0, 4, 4});
        NS_TEST_EXPECT_MSG_EQ(topology.rings[0], 3, "of 4 links for sums");
        NS_TEST_EXPECT_MSG_EQ(topology.rings[1], 1, "the last");
        const auto rates = GetRates(topology.graph);
        NS_TEST_EXPECT_MSG_EQ(rates.at({0, 11}), 4, "each matching has the one pair");
        NS_TEST_EXPECT_MSG_EQ(rates.at({11, 0}), 4, "both ways");
        // Strides 1 and 3 of the row, and 1 again
        NS_TEST_EXPECT_MSG_EQ(rates.at({4, 5}), 2, "two rings");
        NS_TEST_EXPECT_MSG_EQ(rates.at({4, 7}), 1, "the other way round");
        NS_TEST_EXPECT_MSG_EQ(rates.at({0, 4}), 1, "a column");
        NS_TEST_EXPECT_MSG_EQ(rates.count({4, 0}), 0, "one way round");
        // Of all ways to add up to 8, those without a ring of all and with less than 4 links for
        // sums leave columns apart
        NS_TEST_EXPECT_MSG_EQ(CheckAll(8, 12, demand), 45 - 4, "splits");
        demand.others = TrafficMatrix(12);
        NS_TEST_EXPECT_MSG_EQ(CheckAll(8, 12, demand), 9, "no other messages");
        NS_TEST_EXPECT_MSG_EQ(CheckAll(24, 12, demand), 9, "several links together");
        demand.sums.resize(1);
        demand.sums[0].groups = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}};
        NS_TEST_EXPECT_MSG_EQ(CheckAll(8, 12, demand), 1, "all sum");
        demand.others.Add(0, 11, 1000);
        NS_TEST_EXPECT_MSG_EQ(CheckAll(8, 12, demand), 8, "and one at least is for them");
        demand.sums.clear();
        NS_TEST_EXPECT_MSG_EQ(CheckAll(5, 12, demand), 5, "none sums");
    }

    /// Groups apart from each other are joined by a ring of all.
    void TestCommonRing()
    {
        auto demand = MakeGrid(3, 4);
        demand.sums.pop_back();
        for (const uint32_t degree : {1, 3})
        {
            NS_TEST_EXPECT_MSG_EQ(CheckAll(degree, 12, demand), degree, "with a ring of all");
            const auto topology = MakeFinder(degree).Find(12, demand, {1, degree - 1, 0});
            NS_TEST_EXPECT_MSG_EQ(topology.rings[0], degree - 1, "the other links");
        }
        // Without any demand there is still a way
        NS_TEST_EXPECT_MSG_EQ(CheckAll(2, 3, {{}, TrafficMatrix(3)}), 1, "rings of all");
        NS_TEST_EXPECT_MSG_EQ(MakeFinder(2).FindForAll(1).graph.GetLinks().size(), 0, "one port");
        const auto two = MakeFinder(3).FindForAll(2);
        NS_TEST_EXPECT_MSG_EQ(GetRates(two.graph).at({0, 1}), 3, "all links go to the other one");
    }

    /// Matchings are the best of all, and later ones count the links of earlier ones.
    void TestMatchings()
    {
        std::mt19937 random(7);
        for (uint32_t round = 0; round < 200; ++round)
        {
            const uint32_t n = 2 + random() % 7;
            const uint32_t degree = 2 + random() % 4;
            SummedDemand demand{{{{{}}, 1}}, TrafficMatrix(n)};
            demand.sums[0].groups[0].resize(n);
            std::iota(demand.sums[0].groups[0].begin(), demand.sums[0].groups[0].end(), 0);
            PairWeights weights;
            for (uint32_t from = 0; from < n; ++from)
            {
                for (uint32_t to = 0; to < n; ++to)
                {
                    if (from != to && random() % 3 > 0)
                    {
                        const uint32_t bytes = 1000 + random() % 1000000;
                        demand.others.Add(from, to, bytes);
                        weights[std::minmax(from, to)] += bytes;
                    }
                }
            }
            if (weights.empty())
            {
                continue;
            }
            const auto topology = MakeFinder(degree).Find(n, demand, {0, 1, degree - 1});
            RateTable rates;
            for (uint32_t port = 0; port < n; ++port)
            {
                ++rates[{port, (port + 1) % n}];
            }
            PairWeights left = weights;
            std::map<std::pair<uint32_t, uint32_t>, uint32_t> counts;
            for (uint32_t i = 1; i < degree; ++i)
            {
                for (const auto& pair : MatchAll(left, n))
                {
                    ++rates[pair];
                    ++rates[{pair.second, pair.first}];
                    left[pair] = weights[pair] / (1 + ++counts[pair]);
                }
            }
            NS_TEST_ASSERT_MSG_EQ((GetRates(topology.graph) == rates), true, "round " << round);
        }
    }

    /// Each invalid setting is refused.
    void TestRefusals()
    {
        const auto refuse = [](const SummedDemand& demand) {
            return GetError([&demand] { MakeFinder(2).FindAll(4, demand); });
        };
        EXPECT_PART(GetError([] {
                        MakeFinder(3).Find(4, {{}, TrafficMatrix(4)}, {1, 1, 0});
                    }),
                    "A split of 2 links is none of a port that has 3");
        EXPECT_PART(GetError([] { MakeFinder(0); }), "at least 1 link from each port, not 0");
        EXPECT_PART(refuse({{{{{1, 4}}, 1}}, TrafficMatrix(4)}),
                    "Port 4 sums, but the network has 4 ports");
        EXPECT_PART(refuse({{{{{1, 2}, {2, 3}}, 1}}, TrafficMatrix(4)}),
                    "Port 2 is in two groups that sum alike");
        EXPECT_PART(refuse({{}, TrafficMatrix(5)}), "5 ports is none of a network of 4");
    }

  private:
    /**
     * Check that each network joins all ports, and gives no port more links than it has.
     *
     * @param degree the links of a port
     * @param n the number of ports
     * @param demand the demand
     * @return the number of networks
     */
    std::size_t CheckAll(uint32_t degree, uint32_t n, const SummedDemand& demand)
    {
        const auto topologies = MakeFinder(degree).FindAll(n, demand);
        for (const auto& topology : topologies)
        {
            NS_TEST_EXPECT_MSG_EQ(topology.split.GetTotal(), degree, "all links");
            const auto hops = CountHops(topology.graph, 5 % n);
            NS_TEST_EXPECT_MSG_LT(*std::max_element(hops.begin(), hops.end()), n, "joined");
            std::vector<uint32_t> out(n, 0);
            std::vector<uint32_t> in(n, 0);
            for (const auto& [ends, rate] : GetRates(topology.graph))
            {
                out[ends.first] += rate;
                in[ends.second] += rate;
            }
            NS_TEST_EXPECT_MSG_LT_OR_EQ(*std::max_element(out.begin(), out.end()), degree, "out");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(*std::max_element(in.begin(), in.end()), degree, "in");
        }
        return topologies.size();
    }

    /**
     * @param rows the number of rows
     * @param columns the number of columns
     * @return a demand of rows, each with successive ports, and columns that sum equally much
     */
    static SummedDemand MakeGrid(uint32_t rows, uint32_t columns)
    {
        SummedDemand demand{{{{}, 1}, {{}, 1}}, TrafficMatrix(rows * columns)};
        demand.sums[0].groups.resize(rows);
        demand.sums[1].groups.resize(columns);
        for (uint32_t port = 0; port < rows * columns; ++port)
        {
            demand.sums[0].groups[port / columns].push_back(port);
            demand.sums[1].groups[port % columns].push_back(port);
        }
        return demand;
    }
};

static const SuiteCases g_topologyFinderTests(
    "lightpath-topoopt",
    {MakeCases("strides for all",
               &TopologyFinderTests::TestStrides,
               {{12, 4, "1 5", 3, 1.818},
                {16, 4, "1 5", 4, 2.133},
                {16, 6, "1 3 7", 3, 1.733},
                {16, 8, "1 3 5 9", 2, 1.467},
                {32, 4, "1 7", 4, 2.710},
                {32, 8, "1 3 7 15", 3, 2.0},
                {128, 4, "1 13", 10, 5.622},
                {128, 6, "1 7 27", 6, 3.669},
                {128, 8, "1 5 13 39", 5, 2.961},
                {432, 8, "1 5 23 95", 7, 4.088},
                {1024, 8, "1 7 33 181", 8, 5.116}}),
     {MakeCase("split of links", &TopologyFinderTests::TestSplit),
      MakeCase("a ring of all", &TopologyFinderTests::TestCommonRing),
      MakeCase("matchings", &TopologyFinderTests::TestMatchings),
      MakeCase("refusals of networks", &TopologyFinderTests::TestRefusals)}});
