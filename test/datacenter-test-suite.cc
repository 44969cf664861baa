/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/datacenter/clos-routing.h"

#include "ns3/channel.h"
#include "ns3/cluster-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/fat-tree-helper.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/leaf-spine-helper.h"
#include "ns3/net-device.h"
#include "ns3/node-list.h"
#include "ns3/packet.h"
#include "ns3/planning-problem.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Get the nodes on the way of the packets of a TCP flow.
 *
 * @param source the node that sends them
 * @param from the number of the host that this is
 * @param to the number of the host that they are for
 * @param port the source port
 * @return the IDs of the nodes after the first, to the one that has no further; empty if there are
 *         too many
 */
std::vector<uint32_t>
FindPath(Ptr<Node> source, uint32_t from, uint32_t to, uint16_t port)
{
    const auto packet = Create<Packet>(100);
    TcpHeader tcp;
    tcp.SetSourcePort(port);
    tcp.SetDestinationPort(50000);
    packet->AddHeader(tcp);
    Ipv4Header header;
    header.SetSource(ClosRouting::GetAddress(from));
    header.SetDestination(ClosRouting::GetAddress(to));
    header.SetProtocol(6);
    std::vector<uint32_t> path;
    Socket::SocketErrno error = Socket::ERROR_NOTERROR;
    for (Ptr<Node> node = source; path.size() < 10;)
    {
        const auto routing = node->GetObject<Ipv4>()->GetRoutingProtocol();
        const auto route = routing->RouteOutput(packet, header, nullptr, error);
        const Ptr<Channel> channel = route ? route->GetOutputDevice()->GetChannel() : nullptr;
        if (!channel)
        {
            // A host has a route to itself, over no channel
            return path;
        }
        const uint32_t other = channel->GetDevice(0) == route->GetOutputDevice() ? 1 : 0;
        node = channel->GetDevice(other)->GetNode();
        path.push_back(node->GetId());
    }
    return {};
}

/**
 * @ingroup lightpath-tests
 * @brief Each host reaches each other host over the right numbers of links and paths.
 */
class ClosPathTestCase : public TestCase
{
  public:
    /// Makes a helper.
    using Maker = std::function<std::unique_ptr<DatacenterHelper>()>;

    /// Counts by two hosts.
    using Counter = std::function<uint32_t(uint32_t, uint32_t)>;

    /**
     * @param name the name of the network
     * @param make makes its helper
     * @param hosts the number of hosts
     * @param switches the number of switches that it must have
     * @param links the links between two hosts
     * @param paths the shortest paths between two hosts
     */
    ClosPathTestCase(const std::string& name,
                     Maker make,
                     uint32_t hosts,
                     uint32_t switches,
                     Counter links,
                     Counter paths)
        : TestCase("Paths of a " + name),
          m_make(make),
          m_hosts(hosts),
          m_switches(switches),
          m_links(links),
          m_paths(paths)
    {
    }

  private:
    void DoRun() override
    {
        NodeContainer nodes(m_hosts);
        const auto helper = m_make();
        helper->Install(nodes);
        NS_TEST_EXPECT_MSG_EQ(NodeList::GetNNodes(), m_hosts + m_switches, "switches");
        for (uint32_t from = 0; from < m_hosts; ++from)
        {
            for (uint32_t to = 0; to < m_hosts; ++to)
            {
                const auto path = FindPath(nodes.Get(from), from, to, 1);
                const uint32_t links = from == to ? 0 : m_links(from, to);
                NS_TEST_ASSERT_MSG_EQ(path.size(), links, from << " to " << to);
                NS_TEST_ASSERT_MSG_EQ((links == 0 || path.back() == nodes.Get(to)->GetId()),
                                      true,
                                      from << " reaches " << to);
            }
        }
        for (const uint32_t to : {1U, m_hosts / 4, m_hosts / 2 - 1, m_hosts - 1})
        {
            CountPaths(nodes, to);
        }
        Simulator::Destroy();
    }

    /**
     * Count how many flows of the first host take each path.
     *
     * @param nodes the hosts
     * @param to the host that they are for
     */
    void CountPaths(const NodeContainer& nodes, uint32_t to)
    {
        std::map<std::vector<uint32_t>, uint32_t> counts;
        constexpr uint32_t flows = 8000;
        for (uint32_t flow = 0; flow < flows; ++flow)
        {
            ++counts[FindPath(nodes.Get(0), 0, to, static_cast<uint16_t>(10000 + flow))];
        }
        const uint32_t paths = m_paths(0, to);
        NS_TEST_ASSERT_MSG_EQ(counts.size(), paths, "paths to " << to);
        // A binomial distribution: five standard deviations
        const double share = 1.0 / paths;
        const double deviation = std::sqrt(flows * share * (1 - share));
        for (const auto& count : counts)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(count.second,
                                      flows * share,
                                      5 * deviation + 1e-9,
                                      "flows of a path to " << to);
        }
    }

    Maker m_make;        //!< Makes the helper
    uint32_t m_hosts;    //!< Hosts
    uint32_t m_switches; //!< Switches
    Counter m_links;     //!< Links between two hosts
    Counter m_paths;     //!< Shortest paths between two hosts
};

/**
 * @ingroup lightpath-tests
 * @brief The suite of electrical datacenters.
 */
class DatacenterTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// The limits that a planner gets, against closed forms.
    void TestLimits()
    {
        FatTreeHelper tree;
        tree.SetBandwidth(DataRate("800Gbps"));
        tree.SetDelay(NanoSeconds(300));
        const FabricLimits limits = FabricDescription::Create(tree)->GetLimits(16);
        NS_TEST_EXPECT_MSG_EQ_TOL(limits.bitRate, 800e9 * 8960 / 9002, 1, "without headers");
        // Six links, and five switches that take in 9002 bytes in 90 ns
        NS_TEST_EXPECT_MSG_EQ_TOL(limits.latency, 6 * 300e-9 + 5 * 90e-9, 2e-9, "latency");
        NS_TEST_EXPECT_MSG_EQ(limits.peerBitRate, 0, "each peer can get all");
        NS_TEST_EXPECT_MSG_EQ(limits.isShared, true, "switches share");
        tree.SetNPorts(4);
        NS_TEST_EXPECT_MSG_EQ_TOL(FabricDescription::Create(tree)->GetLimits(4).latency,
                                  1200e-9 + 270e-9,
                                  2e-9,
                                  "one pod");
        NS_TEST_EXPECT_MSG_EQ_TOL(FabricDescription::Create(tree)->GetLimits(2).latency,
                                  600e-9 + 90e-9,
                                  2e-9,
                                  "one edge");
        tree.SetMessageDelay(MicroSeconds(4));
        for (const auto& [nodes, seconds] : std::map<uint32_t, double>{{4, 1470e-9}, {2, 690e-9}})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(FabricDescription::Create(tree)->GetLimits(nodes).latency,
                                      4e-6 + seconds,
                                      2e-9,
                                      "with the delay of messages, " << nodes);
        }
        tree.SetOversubscription(4);
        NS_TEST_EXPECT_MSG_EQ_TOL(FabricDescription::Create(tree)->GetLimits(64).peerBitRate,
                                  200e9 * 8960 / 9002,
                                  1,
                                  "a quarter");
        ClusterHelper cluster;
        cluster.SetServers(4, DataRate("1200Gbps"));
        const FabricLimits servers = FabricDescription::Create(cluster)->GetLimits(64);
        NS_TEST_EXPECT_MSG_EQ(servers.servers.layout.gpus, 4, "GPUs of a server");
        NS_TEST_EXPECT_MSG_EQ_TOL(servers.servers.bitRate, 1200e9 * 8960 / 9002, 1, "their rate");
        // 100 Gb/s and 500 ns on links up: six links of a round trip and 720 ns at each switch
        LeafSpineHelper leaves;
        const double roundTrip = 8 * 500e-9 + 4 * 720e-9 + 4 * 3.4e-9;
        NS_TEST_EXPECT_MSG_EQ_TOL(leaves.GetRoundTrip().GetSeconds(), roundTrip, 10e-9, "trip");
        NS_TEST_EXPECT_MSG_EQ(leaves.GetMarkingThreshold(), 90000, "ten packets");
        leaves.SetBandwidth(DataRate("800Gbps"));
        leaves.SetDelay(MicroSeconds(1));
        const double fifth = 0.2 * 100e9 * (8 * 1e-6 + 4 * 90e-9);
        NS_TEST_EXPECT_MSG_EQ_TOL(leaves.GetMarkingThreshold(), fifth, 1000, "a fifth");
    }

    /// Impossible networks are refused in one sentence.
    void TestMisuse()
    {
        TryTree([](auto& tree) { tree.SetNPorts(5); }, "must have an even number");
        TryTree([](auto& tree) { tree.SetBandwidth(DataRate(0)); }, "must not be zero");
        TryTree([](auto& tree) { tree.SetMtu(100); }, "576 is the least");
        TryTree([](auto& tree) { tree.SetDelay(Seconds(-1)); }, "must be 0 or more");
        TryTree([](auto& tree) { tree.SetOversubscription(0); }, "1 is the least");
        TryTree([](auto& tree) { tree.SetNPorts(4); },
                "with 4 ports has room for 16 nodes and not for 17");
        LeafSpineHelper leaves;
        NS_TEST_EXPECT_MSG_EQ(leaves.Check(8), "", "as it is by default");
        leaves.SetOversubscription(3);
        Try(leaves.Check(8), "8 nodes cannot have an oversubscription of 3");
        Try(GetAbort([&] { FabricDescription::Create(leaves)->GetLimits(8); }),
            "cannot have an oversubscription of 3");
        ClusterHelper cluster;
        cluster.SetServers(0, DataRate("1Gbps"));
        Try(cluster.Check(8), "There are no servers of 0 GPUs");
        cluster.SetServers(5, DataRate("1Gbps"));
        Try(cluster.Check(8), "no room for whole servers of 5");
        Try(InterconnectHelper::CheckName("hypercube"),
            "the known ones are cluster, dragonfly, electrical, fat-tree, fat-tree-flows, "
            "leaf-spine, leaf-spine-flows, link-graph");
        NodeContainer nodes(2);
        InternetStackHelper().Install(nodes);
        EXPECT_ABORT("leave it to the helper", [&] { LeafSpineHelper().Install(nodes); });
        Simulator::Destroy();
    }

  private:
    /**
     * @param configure makes a fat tree impossible for 17 nodes
     * @param part a part of the sentence that refuses it
     */
    void TryTree(const std::function<void(FatTreeHelper&)>& configure, const std::string& part)
    {
        FatTreeHelper tree;
        configure(tree);
        Try(tree.Check(17), part);
    }

    /**
     * @param sentence a sentence
     * @param part a part that it should have
     */
    void Try(const std::string& sentence, const std::string& part)
    {
        EXPECT_PART(sentence, part);
    }
};

/**
 * @ingroup lightpath-tests
 * @return the test cases of this file
 */
static std::vector<TestCase*>
ListCases()
{
    std::vector<TestCase*> cases;
    // k = 4: pods of 4 hosts, edge switches with 2
    cases.push_back(new ClosPathTestCase(
        "fat tree of switches with 4 ports",
        [] { return std::make_unique<FatTreeHelper>(); },
        16,
        4 + 8 + 8,
        [](uint32_t a, uint32_t b) { return a / 2 == b / 2 ? 2 : (a / 4 == b / 4 ? 4 : 6); },
        [](uint32_t a, uint32_t b) { return a / 2 == b / 2 ? 1 : (a / 4 == b / 4 ? 2 : 4); }));
    // k = 6, twice as many hosts at an edge switch: 6 there, 18 in a pod
    cases.push_back(new ClosPathTestCase(
        "fat tree with an oversubscription of 2",
        [] {
            auto helper = std::make_unique<FatTreeHelper>();
            helper->SetOversubscription(2);
            return helper;
        },
        107,
        9 + 18 + 18,
        [](uint32_t a, uint32_t b) { return a / 6 == b / 6 ? 2 : (a / 18 == b / 18 ? 4 : 6); },
        [](uint32_t a, uint32_t b) { return a / 6 == b / 6 ? 1 : (a / 18 == b / 18 ? 3 : 9); }));
    cases.push_back(new ClosPathTestCase(
        "leaf-spine network with an oversubscription of 2",
        [] {
            auto helper = std::make_unique<LeafSpineHelper>();
            helper->SetNodesPerLeaf(6);
            helper->SetOversubscription(2);
            return helper;
        },
        40,
        7 + 3,
        [](uint32_t a, uint32_t b) { return a / 6 == b / 6 ? 2 : 4; },
        [](uint32_t a, uint32_t b) { return a / 6 == b / 6 ? 1 : 3; }));
    cases.push_back(new ClosPathTestCase(
        "cluster",
        [] {
            auto helper = std::make_unique<ClusterHelper>();
            helper->SetNodesPerLeaf(8);
            helper->SetServers(4, DataRate("2400Gbps"));
            return helper;
        },
        30,
        4 + 8 + 8,
        [](uint32_t a, uint32_t b) { return a / 8 == b / 8 ? 2 : 4; },
        [](uint32_t a, uint32_t b) { return a / 8 == b / 8 ? 1 : 8; }));
    cases.push_back(MakeCase("What planners know of datacenters", &DatacenterTests::TestLimits));
    cases.push_back(MakeCase("Datacenters that cannot be", &DatacenterTests::TestMisuse));
    return cases;
}

/// Registers the test cases
static const SuiteCases g_datacenterCases("lightpath-datacenter", {ListCases()});
