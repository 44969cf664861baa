/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fabric-fixture.h"
#include "fabric-parts.h"
#include "method-case.h"
#include "model/fabric/link-routes.h"

#include "ns3/crossbar-channel.h"
#include "ns3/link-graph-channel.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param perLeaf the ports of a leaf
 * @param nLeaves the number of leaves
 * @param nSpines the number of spines
 * @return a leaf-spine network of links of 48 Gb/s and 500 ns
 */
LinkGraph
MakeTwoLevels(uint32_t perLeaf, uint32_t nLeaves, uint32_t nSpines)
{
    LinkGraph graph(perLeaf * nLeaves);
    for (uint32_t spine = 0; spine < nSpines; ++spine)
    {
        graph.AddSwitch("spine-" + std::to_string(spine));
    }
    for (uint32_t i = 0; i < nLeaves; ++i)
    {
        const uint32_t leaf = graph.AddSwitch("leaf-" + std::to_string(i));
        for (uint32_t port = 0; port < perLeaf; ++port)
        {
            graph.Connect(i * perLeaf + port, leaf, DataRate("48Gbps"), NanoSeconds(500));
        }
        for (uint32_t spine = 0; spine < nSpines; ++spine)
        {
            graph.Connect(leaf, perLeaf * nLeaves + spine, DataRate("48Gbps"), NanoSeconds(500));
        }
    }
    return graph;
}

/**
 * @param graph a network
 * @param routing the Routing
 * @param seed the HashSeed
 * @param paths the Paths
 * @return a channel of this network
 */
Ptr<LinkGraphChannel>
MakeLinks(const LinkGraph& graph, const std::string& routing, uint32_t seed = 0, uint32_t paths = 1)
{
    const auto channel = MakeChannel<LinkGraphChannel>({{"Routing", routing},
                                                        {"HashSeed", std::to_string(seed)},
                                                        {"Paths", std::to_string(paths)}});
    channel->SetGraph(graph);
    return channel;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Tests of networks of links at flow level.
 */
class LinkGraphTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Each pair of a full mesh has its own link; on a ring, ports forward.
    void TestServers()
    {
        {
            const auto graph = LinkGraph::CreateMesh(4, DataRate("8Gbps"), NanoSeconds(100));
            FabricFixture fixture(MakeLinks(graph, "Ecmp"), 4);
            for (uint32_t to = 1; to < 4; ++to)
            {
                fixture.sources[0]->Send(to, 1000 * to);
            }
            Simulator::Run();
            for (uint32_t to = 1; to < 4; ++to)
            {
                NS_TEST_EXPECT_MSG_EQ(fixture.received[to].at(0),
                                      NanoSeconds(1000 * to + 100),
                                      "1 byte/ns over a link of its own");
            }
        }
        const auto graph = LinkGraph::CreateRing(6, DataRate("8Gbps"), NanoSeconds(100));
        FabricFixture fixture(MakeLinks(graph, "Spray"), 6);
        fixture.sources[0]->Send(2, 3000);
        fixture.sources[1]->Send(2, 3000);
        fixture.sources[3]->Send(0, 3000);
        Simulator::Run();
        // Two flows share the link from 1 to 2; half of the one from 3 goes either way round
        NS_TEST_EXPECT_MSG_EQ(fixture.received[2].at(0), NanoSeconds(6100), "over one link");
        NS_TEST_EXPECT_MSG_EQ(fixture.received[2].at(1), NanoSeconds(6200), "over two links");
        NS_TEST_EXPECT_MSG_EQ(fixture.received[0].at(0), NanoSeconds(1800), "over both sides");
    }

    /**
     * All-to-all over a leaf-spine whose leaves have fewer links up than down.
     *
     * Each of l * g ports sends to all others. A leaf sends out over u links what g ports send to
     * (l - 1) g ports each, so that such a pair has u / (g (l - 1) g) of a link; inside a leaf, a
     * pair has a (g - 1)th of what the link of a port has left, until the others have ended.
     *
     * @param perLeaf the ports g of a leaf
     * @param nLeaves the number l of leaves
     * @param nSpines the number u of links up
     */
    void TestAllToAll(uint32_t perLeaf, uint32_t nLeaves, uint32_t nSpines)
    {
        const auto channel = MakeLinks(MakeTwoLevels(perLeaf, nLeaves, nSpines), "Spray");
        const uint32_t nPorts = perLeaf * nLeaves;
        FabricFixture fixture(channel, nPorts);
        constexpr uint32_t bytes = 600000;
        for (uint32_t source = 0; source < nPorts; ++source)
        {
            for (uint32_t offset = 1; offset < nPorts; ++offset)
            {
                fixture.sources[source]->Send((source + offset) % nPorts, bytes);
            }
        }
        Simulator::Run();
        const uint64_t rate = 48000000000 * nSpines / (perLeaf * (nLeaves - 1) * perLeaf);
        const uint64_t left = 48000000000 - (nLeaves - 1) * perLeaf * rate;
        const auto getEnd = [](uint64_t bitRate, uint32_t links) {
            const uint64_t bits = uint64_t{bytes} * 8 * 1000000000;
            return static_cast<int64_t>((bits + bitRate - 1) / bitRate + 500 * links);
        };
        for (uint32_t port = 0; port < nPorts; ++port)
        {
            const auto& times = fixture.received[port];
            NS_TEST_ASSERT_MSG_EQ(times.size(), nPorts - 1, "messages");
            NS_TEST_EXPECT_MSG_EQ(times[perLeaf - 2].GetNanoSeconds(),
                                  getEnd(left / (perLeaf - 1), 2),
                                  "the last one from the leaf");
            NS_TEST_EXPECT_MSG_EQ(times.back().GetNanoSeconds(), getEnd(rate, 4), "the last one");
        }
    }

    /**
     * Sprayed routes of networks that are drawn, some nodes and links of which fail, against the
     * count of all shortest walks by powers of the matrix of links.
     *
     * @param seed the seed of the drawing
     * @param forwards whether ports forward what is for others
     */
    void TestDrawnRoutes(uint32_t seed, bool forwards)
    {
        constexpr uint32_t nPorts = 5;
        constexpr uint32_t nNodes = 12;
        std::mt19937 draw(seed);
        LinkGraph graph(nPorts);
        graph.SetPortsForward(forwards);
        for (uint32_t node = nPorts; node < nNodes; ++node)
        {
            graph.AddSwitch("switch-" + std::to_string(node));
        }
        for (uint32_t link = 0; link < 24; ++link)
        {
            const uint32_t a = draw() % nNodes;
            graph.Connect(a, (a + 1 + draw() % (nNodes - 1)) % nNodes, DataRate("1Gbps"), Time(1));
        }
        LinkRoutes routes(graph);
        routes.SetFailed("switch-" + std::to_string(nPorts + draw() % (nNodes - nPorts)), true);
        for (uint32_t pair = 0; pair < nPorts * nPorts; ++pair)
        {
            if (pair / nPorts != pair % nPorts)
            {
                CheckRoutes(graph, routes, pair / nPorts, pair % nPorts);
            }
        }
    }

    /**
     * With ECMP, n pairs over n links up meet by chance, as balls fall into bins: the busiest of 8
     * links carries 2.61 pairs on average, and that of 32 links 3.53 (exact means are computed from
     * the number of ways).
     *
     * @param n the number of pairs and of links
     * @param mean the mean number of pairs of the busiest link
     */
    void TestCollisions(uint32_t n, double mean)
    {
        const auto graph = MakeTwoLevels(n, 2, n);
        constexpr uint32_t rounds = 300;
        uint32_t sum = 0;
        std::set<uint32_t> kinds;
        for (uint32_t seed = 0; seed < rounds; ++seed)
        {
            const uint32_t busiest = GetBusiest(MakeLinks(graph, "Ecmp", seed), n);
            kinds.insert(busiest);
            sum += busiest;
            if (seed < 3)
            {
                NS_TEST_EXPECT_MSG_EQ(GetBusiest(MakeLinks(graph, "Ecmp", seed), n),
                                      busiest,
                                      "the same seed, the same routes");
            }
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(double(sum) / rounds, mean, 0.05 * mean, "the busiest link");
        NS_TEST_EXPECT_MSG_GT(kinds.size(), 2, "it depends on the seed");
        NS_TEST_EXPECT_MSG_EQ(GetBusiest(MakeLinks(graph, "Spray"), n), 1, "no collisions");
        NS_TEST_EXPECT_MSG_EQ(GetBusiest(MakeLinks(graph, "Adaptive"), n), 1, "no collisions");
        NS_TEST_EXPECT_MSG_LT(GetBusiest(MakeLinks(graph, "Ecmp", 1, 64), n),
                              mean * 0.75,
                              "many routes for each pair even out");
    }

    /// Of two idle routes the adaptive one has the faster links, whatever the hash says.
    void TestUnequalRoutes()
    {
        for (uint32_t seed = 0; seed < 8; ++seed)
        {
            LinkGraph graph(2);
            for (const auto& [name, rate] :
                 {std::make_pair("slow", "100Gbps"), std::make_pair("fast", "400Gbps")})
            {
                const uint32_t middle = graph.AddSwitch(name);
                graph.Connect(0, middle, DataRate("400Gbps"), NanoSeconds(100));
                graph.Connect(middle, 1, DataRate(rate), NanoSeconds(100));
            }
            FabricFixture fixture(MakeLinks(graph, "Adaptive", seed), 2);
            fixture.sources[0]->Send(1, 100000);
            Simulator::Run();
            // 100 kB at 50 bytes/ns
            NS_TEST_EXPECT_MSG_EQ(fixture.received[1].at(0).GetNanoSeconds(), 2200, "the fast one");
        }
    }

    /// A network of one switch is a crossbar.
    void TestCrossbar()
    {
        constexpr uint32_t nPorts = 9;
        LinkGraph star(nPorts);
        const uint32_t centre = star.AddSwitch("switch");
        for (uint32_t port = 0; port < nPorts; ++port)
        {
            star.Connect(port, centre, DataRate("100Gbps"), NanoSeconds(150));
        }
        const auto random = CreateObject<UniformRandomVariable>();
        std::vector<std::vector<std::vector<Time>>> received;
        for (const Ptr<FabricChannel>& channel :
             {Ptr<FabricChannel>(MakeLinks(star, "Ecmp")),
              Ptr<FabricChannel>(
                  MakeChannel<CrossbarChannel>({{"LinkRate", "100Gbps"}, {"Delay", "300ns"}}))})
        {
            random->SetStream(5);
            FabricFixture fixture(channel, nPorts);
            std::set<std::pair<uint32_t, uint32_t>> pairs;
            for (uint32_t i = 0; i < 60; ++i)
            {
                const uint32_t from = random->GetInteger(0, nPorts - 1);
                const uint32_t to = random->GetInteger(0, nPorts - 1);
                const uint32_t bytes = random->GetInteger(1000, 100000);
                const Time when = NanoSeconds(random->GetInteger(0, 20000));
                if (from != to && pairs.insert({from, to}).second)
                {
                    Simulator::Schedule(when, [&fixture, from, to, bytes]() {
                        fixture.sources[from]->Send(to, bytes);
                    });
                }
            }
            Simulator::Run();
            received.push_back(fixture.received);
        }
        NS_TEST_EXPECT_MSG_EQ((received[0] == received[1]), true, "to the tick");
    }

    /// Failures of switches and links take routes away, and repairs bring them back.
    void TestFaults()
    {
        const auto channel = MakeLinks(MakeTwoLevels(4, 2, 4), "Spray");
        FabricFixture fixture(channel, 8);
        // Four flows of 6 bytes/ns fill the links up; from 1 us on three of four are left, from
        // 2 us on none until 3 us
        for (uint32_t port = 0; port < 4; ++port)
        {
            fixture.sources[port]->Send(port + 4, 12000);
        }
        ScheduleFault(channel, MicroSeconds(1), "switch:spine-2");
        for (const uint32_t spine : {0, 1, 3})
        {
            const std::string link = "link:leaf-1:spine-" + std::to_string(spine);
            ScheduleFault(channel, MicroSeconds(2), link);
            ScheduleFault(channel, MicroSeconds(3), link, false);
        }
        Simulator::Schedule(NanoSeconds(2500), [this, &channel]() {
            NS_TEST_EXPECT_MSG_EQ(channel->HasPath(0, 4), false, "no link into the leaf works");
            NS_TEST_EXPECT_MSG_EQ(channel->HasPath(0, 1), true, "the other leaf works");
            NS_TEST_EXPECT_MSG_EQ(channel->IsLinkUp(0), true, "its own link works");
            NS_TEST_EXPECT_MSG_EQ(channel->GetReachable(0).size(), 3, "its leaf");
        });
        Simulator::Run();
        // 6000 bytes by 1 us, 4500 by 2 us, and the last 1500 from 3 us on at 4.5 bytes/ns
        for (uint32_t port = 4; port < 8; ++port)
        {
            NS_TEST_EXPECT_MSG_EQ(fixture.received[port].at(0).GetNanoSeconds(),
                                  3000 + 334 + 2000,
                                  "the last bit");
        }
    }

    /// The link of a port goes down and up; names of components that do not exist are refused.
    void TestNames()
    {
        const auto channel = MakeLinks(MakeTwoLevels(2, 2, 1), "Ecmp");
        FabricFixture fixture(channel, 4);
        channel->SetFailed("link:leaf-1:gpu-3", true);
        NS_TEST_EXPECT_MSG_EQ(channel->IsLinkUp(3), false, "down");
        NS_TEST_EXPECT_MSG_EQ(channel->IsLinkUp(2), true, "up");
        NS_TEST_EXPECT_MSG_EQ(channel->HasPath(0, 3), false, "cut off");
        channel->SetFailed("link:gpu-3:leaf-1", false);
        NS_TEST_EXPECT_MSG_EQ(channel->IsLinkUp(3), true, "up again");
        for (const std::string name :
             {"spine-0", "switch:gpu-1", "switch:leaf-2", "link:gpu-0:leaf-1", "link:leaf-0"})
        {
            EXPECT_ABORT("no component '" + name +
                             "': the components of this network are switch:NAME, such as "
                             "switch:spine-0, and link:NAME:NAME, such as link:spine-0:leaf-1",
                         [&]() { channel->SetFailed(name, true); });
        }
        EXPECT_PART(GetError([]() { LinkGraph(2).AddSwitch("gpu-1"); }), "two nodes of the name");
        EXPECT_PART(GetError([]() { LinkGraph(2).AddSwitch("a:b"); }), "no colon");
        EXPECT_ABORT("has no room for another",
                     [&]() { AddDevice(CreateObject<Node>(), channel); });
    }

  private:
    /**
     * Checks the sprayed routes of a pair. The number of shortest walks over a link is that of
     * walks from the source to the link times that from the link to the destination.
     *
     * @param graph the network
     * @param routes its routes
     * @param source a port
     * @param destination another port
     */
    void CheckRoutes(const LinkGraph& graph,
                     LinkRoutes& routes,
                     uint32_t source,
                     uint32_t destination)
    {
        const uint32_t nNodes = graph.GetNNodes();
        const auto isWay = [&](uint32_t node) {
            return node == source || node == destination || node >= graph.GetNPorts() ||
                   graph.PortsForward();
        };
        std::vector<LinkGraph::Link> links;
        std::vector<uint32_t> numbers;
        for (uint32_t link = 0; link < graph.GetLinks().size(); ++link)
        {
            const auto& ends = graph.GetLinks()[link];
            if (!routes.HasFailed(link) && isWay(ends.from) && isWay(ends.to))
            {
                links.push_back(ends);
                numbers.push_back(link);
            }
        }
        using Walks = std::vector<std::vector<double>>; // by length and node
        Walks from(nNodes, std::vector<double>(nNodes, 0));
        Walks to = from;
        from[0][source] = 1;
        to[0][destination] = 1;
        uint32_t length = 0;
        while (to[length][source] == 0 && length + 1 < nNodes)
        {
            ++length;
            for (const auto& ends : links)
            {
                from[length][ends.to] += from[length - 1][ends.from];
                to[length][ends.from] += to[length - 1][ends.to];
            }
        }
        const double all = to[length][source];
        std::map<uint32_t, double> parts;
        for (uint32_t step = 0; step < length && all > 0; ++step)
        {
            for (std::size_t link = 0; link < links.size(); ++link)
            {
                const double walks =
                    from[step][links[link].from] * to[length - step - 1][links[link].to];
                if (walks > 0)
                {
                    parts[numbers[link]] += walks / all;
                }
            }
        }
        LinkRoutes::Uses uses;
        const Time delay = routes.Spray(source, destination, uses);
        NS_TEST_EXPECT_MSG_EQ(delay, Time(all > 0 ? length : 0), "The delay of the links");
        NS_TEST_EXPECT_MSG_EQ(routes.HasPath(source, destination), (all > 0), "A route");
        NS_TEST_ASSERT_MSG_EQ(uses.size(), parts.size(), "The links of all shortest walks");
        for (const auto& use : uses)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(double(use.part) / LinkSharing::WHOLE,
                                      parts[use.link],
                                      1.0 / LinkSharing::WHOLE,
                                      "The share of walks over a link");
        }
    }

    /**
     * @param channel a leaf-spine network of two leaves
     * @param n the number of ports of a leaf
     * @return the most pairs that share a link if each port of the first leaf sends to the second
     */
    uint32_t GetBusiest(Ptr<LinkGraphChannel> channel, uint32_t n)
    {
        FabricFixture fixture(channel, 2 * n);
        uint64_t least = UINT64_MAX;
        for (uint32_t port = 0; port < n; ++port)
        {
            fixture.sources[port]->Send(n + port, 1000000000);
        }
        Simulator::Schedule(NanoSeconds(1), [&]() {
            for (uint32_t port = 0; port < n; ++port)
            {
                least = std::min(least, channel->GetRate(port, n + port).GetBitRate());
            }
        });
        Simulator::Stop(NanoSeconds(2));
        Simulator::Run();
        return static_cast<uint32_t>(std::lround(48e9 / least));
    }
};

/// Registers the test cases
static const SuiteCases g_linkGraphCases(
    "lightpath-link-graph",
    {{MakeCase("Mesh and ring", &LinkGraphTests::TestServers),
      MakeCase("Adaptive routes of unequal rates", &LinkGraphTests::TestUnequalRoutes),
      MakeCase("Collisions of ECMP", &LinkGraphTests::TestCollisions, 8, 2.61),
      MakeCase("Collisions of ECMP", &LinkGraphTests::TestCollisions, 32, 3.53),
      MakeCase("A star is a crossbar", &LinkGraphTests::TestCrossbar),
      MakeCase("Failures", &LinkGraphTests::TestFaults),
      MakeCase("Names of components", &LinkGraphTests::TestNames)},
     MakeCases("Drawn routes by seed, and whether ports forward",
               &LinkGraphTests::TestDrawnRoutes,
               {{1, false}, {2, false}, {3, false}, {4, true}, {5, true}, {6, true}}),
     MakeCases("All-to-all",
               &LinkGraphTests::TestAllToAll,
               {{4, 2, 1}, {4, 4, 1}, {8, 2, 2}, {8, 4, 2}, {8, 4, 4}, {6, 3, 2}})});
