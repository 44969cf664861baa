/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/fabric/link-bundles.h"
#include "model/fabric/link-routes.h"

#include <map>
#include <random>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Tests of the links that sprayed flows use alike.
 */
class LinkBundlesTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Links between leaves and spines are bundles, also while one of them has failed.
    void TestLeaves()
    {
        constexpr uint32_t nPorts = 6;
        LinkGraph graph(nPorts);
        for (uint32_t spine = 0; spine < 4; ++spine)
        {
            graph.AddSwitch("spine-" + std::to_string(spine));
        }
        for (uint32_t leaf = 0; leaf < 3; ++leaf)
        {
            const uint32_t node = graph.AddSwitch("leaf-" + std::to_string(leaf));
            for (const uint32_t other : {2 * leaf, 2 * leaf + 1, nPorts, nPorts + 1, nPorts + 2})
            {
                graph.Connect(node, other, DataRate("1Gbps"), Time(1));
            }
            // The last spine has two links of half the rate
            graph.Connect(node, nPorts + 3, DataRate("500Mbps"), Time(1));
            graph.Connect(node, nPorts + 3, DataRate("500Mbps"), Time(1));
        }
        LinkRoutes routes(graph);
        const LinkBundles whole(graph, routes);
        NS_TEST_EXPECT_MSG_EQ(Count(routes, whole, 0, 1), 2, "of a leaf");
        NS_TEST_EXPECT_MSG_EQ(Count(routes, whole, 0, 2), 6, "with two kinds of spines");
        routes.SetFailed("link:leaf-0:spine-1", true);
        const LinkBundles failed(graph, routes);
        NS_TEST_EXPECT_MSG_EQ(Count(routes, failed, 1, 5), 6, "by all spines but one");
        NS_TEST_EXPECT_MSG_EQ(Count(routes, failed, 5, 0), 6, "by all spines but one");
        NS_TEST_EXPECT_MSG_EQ(Count(routes, failed, 3, 4), 8, "the other spine is another kind");
    }

    /**
     * Bundles of networks that are drawn, of whose switches several are alike.
     *
     * @param seed the seed of the drawing
     */
    void TestDrawn(uint32_t seed)
    {
        constexpr uint32_t nPorts = 5;
        constexpr uint32_t nKinds = 5;
        constexpr uint32_t nTwins = 3;
        std::mt19937 draw(seed);
        LinkGraph graph(nPorts);
        for (uint32_t i = 0; i < nKinds * nTwins; ++i)
        {
            graph.AddSwitch("switch-" + std::to_string(i));
        }
        for (uint32_t link = 0; link < 14; ++link)
        {
            const uint32_t a = draw() % (nPorts + nKinds);
            const uint32_t b = nPorts + draw() % nKinds;
            for (uint32_t twin = 0; twin < nTwins && a != b; ++twin)
            {
                graph.Connect(a < nPorts ? a : nPorts + (a - nPorts) * nTwins + twin,
                              nPorts + (b - nPorts) * nTwins + twin,
                              DataRate("1Gbps"),
                              Time(1));
            }
        }
        LinkRoutes routes(graph);
        const LinkBundles whole(graph, routes);
        routes.SetFailed("switch-" + std::to_string(draw() % (nKinds * nTwins)), true);
        const LinkBundles failed(graph, routes);
        for (uint32_t pair = 0; pair < nPorts * nPorts; ++pair)
        {
            if (pair / nPorts != pair % nPorts)
            {
                Count(routes, failed, pair / nPorts, pair % nPorts);
            }
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(CountLinks(graph, whole),
                                    graph.GetLinks().size() / 2,
                                    "Many links are alike");
    }

  private:
    /**
     * Checks that a route has all links of a bundle in equal parts, or none.
     *
     * @param routes the routes
     * @param bundles the bundles
     * @param source a port
     * @param destination another port
     * @return the number of bundles that the route has
     */
    std::size_t Count(LinkRoutes& routes,
                      const LinkBundles& bundles,
                      uint32_t source,
                      uint32_t destination)
    {
        LinkRoutes::Uses uses;
        routes.Spray(source, destination, uses);
        LinkRoutes::Uses folded(uses);
        bundles.Fold(folded);
        const auto unfolded = bundles.Unfold(folded);
        NS_TEST_EXPECT_MSG_EQ(unfolded.size(), uses.size(), "links of the bundles");
        std::map<uint32_t, uint32_t> parts;
        for (const auto& use : unfolded)
        {
            parts[use.link] = use.part;
        }
        for (const auto& use : uses)
        {
            NS_TEST_EXPECT_MSG_EQ(parts[use.link], use.part, "the part on a link of a bundle");
        }
        return folded.size();
    }

    /**
     * @param graph a network
     * @param bundles its bundles
     * @return the number of bundles
     */
    std::size_t CountLinks(const LinkGraph& graph, const LinkBundles& bundles) const
    {
        LinkRoutes::Uses all;
        for (uint32_t link = 0; link < graph.GetLinks().size(); ++link)
        {
            all.push_back({link});
        }
        bundles.Fold(all);
        return all.size();
    }
};

/// Registers the test cases
static const SuiteCases g_linkBundlesCases("lightpath-link-graph",
                                           {{MakeCase("Bundles of leaves and spines",
                                                      &LinkBundlesTests::TestLeaves)},
                                            MakeCases("Bundles of drawn networks, by seed",
                                                      &LinkBundlesTests::TestDrawn,
                                                      {{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}})});
