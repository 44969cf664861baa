/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "partition-tests.h"

#include "ns3/fabric-bounds.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Peers that each node sends to, a bit for each one
using Links = std::vector<uint32_t>;

/**
 * @ingroup lightpath-tests
 * Go through all links of a number of nodes with a degree.
 *
 * @param nodes the number of nodes
 * @param degree the peers of each node
 * @param visit what to do with each
 */
void
ForAllLinks(uint32_t nodes, uint32_t degree, const std::function<void(const Links&)>& visit)
{
    Links links;
    const std::function<void()> grow = [&]() {
        if (links.size() == nodes)
        {
            visit(links);
            return;
        }
        for (uint32_t peers = 0; peers < (1U << nodes); ++peers)
        {
            uint32_t count = 0;
            for (uint32_t node = 0; node < nodes; ++node)
            {
                count += (peers >> node) % 2;
            }
            if (count == degree && (peers >> links.size()) % 2 == 0)
            {
                links.push_back(peers);
                grow();
                links.pop_back();
            }
        }
    };
    grow();
}

/**
 * @ingroup lightpath-tests
 * @param times the links of each time
 * @return the hops of all pairs, if each goes over links in the order of their times as short as
 *         possible; infinite if there is no way
 */
double
CountHops(const std::vector<Links>& times)
{
    const auto nodes = static_cast<uint32_t>(times.front().size());
    double sum = 0;
    for (uint32_t from = 0; from < nodes; ++from)
    {
        std::vector<double> hops(nodes, std::numeric_limits<double>::infinity());
        hops[from] = 0;
        for (const auto& links : times)
        {
            for (uint32_t round = 0; round < nodes; ++round)
            {
                for (uint32_t node = 0; node < nodes; ++node)
                {
                    for (uint32_t to = 0; to < nodes; ++to)
                    {
                        if ((links[node] >> to) % 2 == 1)
                        {
                            hops[to] = std::min(hops[to], hops[node] + 1);
                        }
                    }
                }
            }
        }
        for (const auto count : hops)
        {
            sum += count;
        }
    }
    return sum;
}

/**
 * @ingroup lightpath-tests
 * @brief Bounds of all-to-alls equal published values and never exceed what is possible.
 */
class AllToAllBoundTest : public TestCase
{
  public:
    AllToAllBoundTest()
        : TestCase("bounds of all-to-alls")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::vector<double>> means{{64, 32, 4.19, 2.62, 1.87},
                                                     {256, 128, 6.06, 3.58, 2.69},
                                                     {1024, 512, 8.02, 4.56, 3.35}};
        for (const auto& row : means)
        {
            const auto nodes = static_cast<uint32_t>(row[0]);
            for (uint32_t i = 0; i < 4; ++i)
            {
                const double mean =
                    static_cast<double>(FabricBounds::GetMooreDistances(nodes, 1U << i)) /
                    (nodes - 1);
                NS_TEST_EXPECT_MSG_EQ_TOL(mean, row[i + 1], 0.00501, nodes << ", " << (1U << i));
            }
        }
        NS_TEST_EXPECT_MSG_EQ(FabricBounds::GetMooreDistances(1, 3), 0, "a node alone");
        // Whether some links reach the bound is found by trying all of them
        const std::vector<std::tuple<uint32_t, uint32_t, bool>> small{{4, 1, true},
                                                                      {4, 2, true},
                                                                      {5, 1, true},
                                                                      {5, 2, true}};
        for (const auto& [nodes, degree, isReached] : small)
        {
            double least = std::numeric_limits<double>::infinity();
            ForAllLinks(nodes, degree, [&least](const Links& links) {
                least = std::min(least, CountHops({links}));
            });
            const double bound = FabricBounds::GetStaticAllToAllSeconds(nodes, 1, degree, 8);
            NS_TEST_EXPECT_MSG_EQ((bound * nodes <= least), true, "hops of any links");
            NS_TEST_EXPECT_MSG_EQ((bound * nodes == least || !isReached), true, "the best links");
        }
        CheckSwitched();
        NS_TEST_EXPECT_MSG_EQ(
            Contains(GetError([]() { FabricBounds::GetMooreDistances(4, 0); }), "must be positive"),
            true,
            "no peers");
    }

    /**
     * Check the bound of an all-to-all over circuits that are switched.
     */
    void CheckSwitched()
    {
        // All switches of circuits between 4 nodes, for several delays; bytes take 1 s for each hop
        std::vector<Links> all;
        ForAllLinks(4, 1, [&](const Links& links) { all.push_back(links); });
        std::vector<double> hops(3, std::numeric_limits<double>::infinity());
        for (const auto& first : all)
        {
            hops[0] = std::min(hops[0], CountHops({first}));
            for (const auto& second : all)
            {
                hops[1] = std::min(hops[1], CountHops({first, second}));
                for (uint32_t third = 0; third < all.size(); third += 5)
                {
                    hops[2] = std::min(hops[2], CountHops({first, second, all[third]}));
                }
            }
        }
        for (const double delay : {0.0, 0.5, 0.99, 1.0, 1.5, 4.0})
        {
            double best = std::numeric_limits<double>::infinity();
            double formula = best;
            for (uint32_t switches = 0; switches < 3; ++switches)
            {
                best = std::min(best, switches * delay + hops[switches] / 4);
                formula = std::min(formula,
                                   switches * delay + std::min(3.0, 1.0 + switches) +
                                       2 * std::max(0.0, 2.0 - switches));
            }
            const double bound = FabricBounds::GetSwitchedAllToAllSeconds(4, 1, 1, 8, delay);
            NS_TEST_EXPECT_MSG_EQ_TOL(bound, formula, 1e-12, "delay " << delay);
            NS_TEST_EXPECT_MSG_EQ((bound <= best), true, "delay " << delay);
        }
        // The minimum over all numbers of switches
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(53);
        for (uint32_t run = 0; run < 200; ++run)
        {
            const double nodes = random->GetInteger(1, 40);
            const double degree = random->GetInteger(1, 9);
            const double delay = random->GetInteger(0, 12);
            double least = std::numeric_limits<double>::infinity();
            for (double switches = 0; switches < 40; ++switches)
            {
                const double direct = degree * (switches + 1);
                least = std::min(least,
                                 switches * delay + std::min(nodes - 1, direct) +
                                     2 * std::max(0.0, nodes - 1 - direct));
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(
                FabricBounds::GetSwitchedAllToAllSeconds(static_cast<uint32_t>(nodes),
                                                         1,
                                                         static_cast<uint32_t>(degree),
                                                         8,
                                                         delay),
                least,
                1e-9,
                nodes << " nodes, degree " << degree << ", delay " << delay);
        }
    }
};

/**
 * @ingroup lightpath-tests
 * @brief The bound of parallel switches never exceeds the best schedule of a port.
 */
class PlanesBoundTest : public TestCase
{
  public:
    PlanesBoundTest()
        : TestCase("bounds of parallel switches")
    {
    }

  private:
    void DoRun() override
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(54);
        uint32_t equal = 0;
        for (uint32_t run = 0; run < 200; ++run)
        {
            // One port sends to or receives from all others, by turns on each switch
            const uint32_t peers = random->GetInteger(1, 5);
            const uint32_t planes = random->GetInteger(1, 3);
            const double delay = random->GetInteger(0, 4);
            const bool isSender = random->GetInteger(0, 1) == 0;
            TrafficMatrix traffic(peers + 1);
            std::vector<uint32_t> bytes;
            for (uint32_t peer = 1; peer <= peers; ++peer)
            {
                bytes.push_back(random->GetInteger(1, 6));
                traffic.Add(isSender ? 0 : peer, isSender ? peer : 0, bytes.back());
            }
            std::vector<double> times(planes, -delay);
            const double best = TryPlanes(bytes, delay, 0, times);
            const double bound = FabricBounds::GetPlanesSeconds(traffic, planes, 8, delay);
            NS_TEST_ASSERT_MSG_EQ((bound <= best + 1e-9), true, "run " << run);
            equal += std::abs(bound - best) < 1e-9 ? 1 : 0;
        }
        NS_TEST_ASSERT_MSG_GT(equal, 50, "schedules as fast as the bound");
        TrafficMatrix traffic(3);
        traffic.Add(0, 1, 30);
        traffic.Add(2, 1, 12);
        NS_TEST_EXPECT_MSG_EQ_TOL(FabricBounds::GetTransferSeconds(traffic, 16), 21, 1e-12, "port");
        NS_TEST_EXPECT_MSG_EQ(
            Contains(GetError([&]() { FabricBounds::GetTransferSeconds(traffic, 0); }),
                     "must be positive"),
            true,
            "no rate");
    }

    /**
     * @param bytes the bytes of each peer
     * @param delay the time of a switch, s
     * @param peer the first peer that is not served yet
     * @param times the time that each switch is in use, without a delay before its first peer, s
     * @return the least time of the busiest switch, s
     */
    static double TryPlanes(const std::vector<uint32_t>& bytes,
                            double delay,
                            uint32_t peer,
                            std::vector<double>& times)
    {
        if (peer == bytes.size())
        {
            return *std::max_element(times.begin(), times.end());
        }
        double best = std::numeric_limits<double>::infinity();
        // The peer is served by some switches, a bit for each, which share its bytes evenly
        for (uint32_t used = 1; used < (1U << times.size()); ++used)
        {
            const std::vector<double> before(times);
            uint32_t count = 0;
            for (std::size_t plane = 0; plane < times.size(); ++plane)
            {
                count += (used >> plane) % 2;
            }
            for (std::size_t plane = 0; plane < times.size(); ++plane)
            {
                times[plane] += (used >> plane) % 2 == 1 ? delay + double(bytes[peer]) / count : 0;
            }
            best = std::min(best, TryPlanes(bytes, delay, peer + 1, times));
            times = before;
        }
        return best;
    }
};

} // namespace

std::vector<TestCase*>
MakeFabricBoundsTests()
{
    return {new AllToAllBoundTest, new PlanesBoundTest};
}
