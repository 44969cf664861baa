/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "helper/optical/link-graph-builder.h"
#include "method-case.h"

#include "ns3/fabric-description.h"
#include "ns3/interconnect-helper.h"
#include "ns3/link-graph-channel.h"
#include "ns3/link-graph-helper.h"
#include "ns3/node-container.h"
#include "ns3/planning-problem.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>
#include <sstream>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param text a network as JSON
 * @return the network
 */
LinkGraph
ReadNetwork(const std::string& text)
{
    std::istringstream input(text);
    return LinkGraphBuilder::Read(input, "n.json");
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Tests of the helper of networks of links, and of its networks.
 */
class LinkGraphHelperTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Networks have the switches and links that their definitions ask for.
     *
     * @param name the name of the kind
     * @param nNodes the number of nodes
     * @param perLeaf the nodes of a leaf
     * @param oversubscription links to nodes for each link up
     * @param nSwitches the number of switches
     * @param nLinks the number of links, in one direction
     * @param farthest the links of the longest of the shortest routes
     */
    void TestSizes(const std::string& name,
                   uint32_t nNodes,
                   uint32_t perLeaf,
                   uint32_t oversubscription,
                   uint32_t nSwitches,
                   uint32_t nLinks,
                   uint32_t farthest)
    {
        const auto fabric = Make(name);
        fabric->SetNodesPerLeaf(perLeaf);
        fabric->SetOversubscription(oversubscription);
        fabric->SetRails(4);
        NS_TEST_ASSERT_MSG_EQ(fabric->Check(nNodes), "", "it can be");
        const LinkGraph graph = fabric->GetGraph(nNodes);
        NS_TEST_EXPECT_MSG_EQ(graph.GetNNodes() - graph.GetNPorts(), nSwitches, "switches");
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks().size(), 2 * nLinks, "links, in both directions");
        NS_TEST_EXPECT_MSG_EQ_TOL(FabricDescription::Create(*fabric)->GetLimits(nNodes).latency,
                                  farthest * 500e-9,
                                  1e-12,
                                  "the longest route");
        NodeContainer nodes(nNodes);
        const auto devices = fabric->Install(nodes);
        const auto channel = FabricHelper::GetChannel(devices);
        NS_TEST_EXPECT_MSG_EQ(channel->GetFabricName(), name, "in reports");
        NS_TEST_EXPECT_MSG_EQ(channel->GetReachable(0).size(), nNodes - 1, "all are reached");
        Simulator::Destroy();
    }

    /// A router of a dragonfly has p nodes, 2 p - 1 routers of its group and up to p of others.
    void TestDragonfly()
    {
        const auto fabric = Make("dragonfly");
        fabric->SetNodesPerLeaf(2);
        NS_TEST_EXPECT_MSG_EQ(fabric->Check(72), "", "nine groups of four routers");
        EXPECT_PART(fabric->Check(73), "has room for 72 nodes and not for 73");
        const LinkGraph graph = fabric->GetGraph(72);
        std::map<uint32_t, uint32_t> links;
        std::map<std::pair<std::string, std::string>, uint32_t> groups;
        for (const auto& link : graph.GetLinks())
        {
            ++links[link.from];
            ++groups[{graph.GetName(link.from).substr(0, 7), graph.GetName(link.to).substr(0, 7)}];
        }
        for (uint32_t node = graph.GetNPorts(); node < graph.GetNNodes(); ++node)
        {
            NS_TEST_EXPECT_MSG_EQ(links[node], 2 + 3 + 2, "links of " << graph.GetName(node));
        }
        for (const auto& [pair, count] : groups)
        {
            if (pair.first.substr(0, 5) == "group" && pair.second.substr(0, 5) == "group")
            {
                NS_TEST_EXPECT_MSG_EQ(count, (pair.first == pair.second ? 12 : 1), "joined");
            }
        }
    }

    /// On rails, node k of each server is on a leaf of rail k, and rails may be apart.
    void TestRails()
    {
        const auto fabric = Make("rail-optimised");
        fabric->SetRails(4);
        fabric->SetNodesPerLeaf(2);
        fabric->SetOversubscription(2);
        const FabricLimits limits = FabricDescription::Create(*fabric)->GetLimits(16);
        const LinkGraph graph = fabric->GetGraph(16);
        for (const auto& link : graph.GetLinks())
        {
            if (link.from < 16)
            {
                const uint32_t rail = link.from % 4;
                const uint32_t leaf = link.from / 4 / 2;
                NS_TEST_EXPECT_MSG_EQ(graph.GetName(link.to),
                                      "rail-" + std::to_string(rail) + "-leaf-" +
                                          std::to_string(leaf),
                                      "the leaf of " << link.from);
                NS_TEST_EXPECT_MSG_EQ(limits.leaf.GetLeaf(link.from),
                                      4 * leaf + rail,
                                      "its number");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(limits.leaf.bitRate, 400e9, "one link up from a leaf of two");
        NS_TEST_EXPECT_MSG_EQ(bool(limits.pathRefusal), false, "all are reached");
        const auto only = Make("rail-only");
        only->SetRails(4);
        const auto refusal = FabricDescription::Create(*only)->GetLimits(16).pathRefusal;
        NS_TEST_EXPECT_MSG_EQ(refusal(3, 15), "", "one rail");
        EXPECT_PART(
            refusal(3, 12),
            "GPU 3 cannot send to GPU 12: they are on different rails, which nothing joins");
    }

    /// Limits say what leaves a leaf if that is less than what enters it.
    void TestLimits()
    {
        const auto fabric = Make("leaf-spine-flows");
        NS_TEST_EXPECT_MSG_EQ(FabricDescription::Create(*fabric)->GetLimits(64).leaf.gpus,
                              0,
                              "as much up as down");
        fabric->SetOversubscription(4);
        NS_TEST_EXPECT_MSG_EQ(FabricDescription::Create(*fabric)->GetLimits(64).leaf.gpus,
                              8,
                              "GPUs of a leaf");
        NS_TEST_EXPECT_MSG_EQ(FabricDescription::Create(*fabric)->GetLimits(64).leaf.bitRate,
                              800e9,
                              "two links up");
        NS_TEST_EXPECT_MSG_EQ(FabricDescription::Create(*fabric)->GetLimits(64).peerBitRate,
                              100e9,
                              "a fourth for each");
        NS_TEST_EXPECT_MSG_EQ(FabricDescription::Create(*fabric)->GetLimits(8).leaf.gpus,
                              0,
                              "nothing leaves the only leaf");
        NS_TEST_EXPECT_MSG_EQ_TOL(FabricDescription::Create(*fabric)->GetLimits(8).latency,
                                  1e-6,
                                  1e-12,
                                  "two links");
        const auto tree = Make("fat-tree-flows");
        tree->SetOversubscription(4);
        tree->SetNPorts(4);
        NS_TEST_EXPECT_MSG_EQ(FabricDescription::Create(*tree)->GetLimits(64).leaf.gpus,
                              8,
                              "GPUs of an edge switch");
        NS_TEST_EXPECT_MSG_EQ(FabricDescription::Create(*tree)->GetLimits(64).leaf.bitRate,
                              800e9,
                              "two links up");
    }

    /// One sentence refuses each invalid setting.
    void TestRefusals()
    {
        const auto check = [](const std::string& name, auto change, uint32_t nNodes) {
            const auto fabric = Make(name);
            change(*fabric);
            return fabric->Check(nNodes);
        };
        EXPECT_PART(check(
                        "leaf-spine-flows",
                        [](auto& f) { f.SetBandwidth(DataRate(0)); },
                        4),
                    "must not be zero");
        EXPECT_PART(check(
                        "leaf-spine-flows",
                        [](auto& f) { f.SetDelay(Seconds(-1)); },
                        4),
                    "must be 0 or more");
        EXPECT_PART(check(
                        "leaf-spine-flows",
                        [](auto& f) { f.SetOversubscription(0); },
                        4),
                    "1 is the least");
        EXPECT_PART(check(
                        "leaf-spine-flows",
                        [](auto& f) { f.SetOversubscription(3); },
                        4),
                    "A leaf switch with 8 nodes cannot have an oversubscription of 3");
        EXPECT_PART(check(
                        "fat-tree-flows",
                        [](auto& f) { f.SetNPorts(3); },
                        4),
                    "even number");
        EXPECT_PART(check(
                        "fat-tree-flows",
                        [](auto& f) { f.SetNPorts(4); },
                        17),
                    "has room for 16 nodes and not for 17");
        EXPECT_PART(check(
                        "link-graph",
                        [](auto& f) { f.SetGraph(LinkGraph(3)); },
                        4),
                    "The network has 3 ports, and not 4");
        EXPECT_PART(Make("leaf-spine-flows")->CheckComponent("switch:leaf-9", 16), "switch:leaf-0");
        EXPECT_ABORT("the known ones are ecmp, spray, adaptive",
                     []() { LinkGraphHelper().SetRouting("random"); });
    }

    /// A network is read from a file.
    void TestFile()
    {
        const LinkGraph graph = ReadNetwork(
            R"({"format": "lightpath-network", "version": 1, "gpus": 3, "rateGbps": 100,
                "delayNs": 50, "gpusForward": true, "switches": ["s"],
                "links": [{"from": "gpu-0", "to": "s"},
                          {"from": "s", "to": "gpu-1", "rateGbps": 2.5, "delayNs": 7, "oneWay": true}]})");
        NS_TEST_ASSERT_MSG_EQ(graph.GetLinks().size(), 3, "one link is in both directions");
        NS_TEST_EXPECT_MSG_EQ(graph.PortsForward(), true, "GPUs forward");
        NS_TEST_EXPECT_MSG_EQ(graph.GetName(3), "s", "the switch");
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks()[1].to, 0, "the way back");
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks()[1].rate, DataRate("100Gbps"), "of all links");
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks()[2].rate, DataRate("2.5Gbps"), "its own");
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks()[2].delay, NanoSeconds(7), "its own");
    }

    /// A file with a fault is refused in one sentence.
    void TestFaults()
    {
        const std::vector<std::pair<std::string, std::string>> faults = {
            {R"("links": [])", "gpus"},
            {R"("gpus": 1)", "/gpus"},
            {R"("gpus": 2, "switches": ["gpu-1"])", "two nodes of the name 'gpu-1'"},
            {R"("gpus": 2, "switches": ["a:b"])", "no colon"},
            {R"("gpus": 2, "switches": [7])", "/switches/0"},
            {R"("gpus": 2, "rateGbps": 1, "links": [{"from": "gpu-0", "to": "gpu-2"}])",
             "n.json, /links/0: there is no node 'gpu-2': the nodes are gpu-0 to gpu-1"},
            {R"("gpus": 2, "rateGbps": 1, "links": [{"from": "gpu-0", "to": "gpu-0"}])",
             "cannot lead from gpu-0 to itself"},
            {R"("gpus": 2, "links": [{"from": "gpu-0", "to": "gpu-1"}])", "needs rateGbps"},
            {R"("gpus": 2, "rateGbps": 0, "links": [{"from": "gpu-0", "to": "gpu-1"}])",
             "must be a rate above 0"},
            {R"("gpus": 2, "links": [{"from": "gpu-0", "to": "gpu-1", "rate": 1}])", "rate"},
            {R"("gpus": 2, "nodes": 3)", "nodes"}};
        for (const auto& [members, sentence] : faults)
        {
            const std::string text =
                R"({"format": "lightpath-network", "version": 1, )" + members + "}";
            EXPECT_PART(GetError([&text]() { ReadNetwork(text); }), sentence);
        }
    }

  private:
    /**
     * @param name the name of a kind
     * @return its helper
     */
    static std::unique_ptr<LinkGraphHelper> Make(const std::string& name)
    {
        return std::unique_ptr<LinkGraphHelper>(
            dynamic_cast<LinkGraphHelper*>(InterconnectHelper::Create(name).release()));
    }
};

/// Registers the test cases
static const SuiteCases g_linkGraphHelperCases(
    "lightpath-link-graph",
    {MakeCases("Network",
               &LinkGraphHelperTests::TestSizes,
               {{"leaf-spine-flows", 32, 8, 4, 4 + 2, 32 + 4 * 2, 4},
                {"leaf-spine-flows", 8, 8, 4, 1, 8, 2},
                {"leaf-spine-flows", 20, 8, 1, 3 + 8, 20 + 3 * 8, 4},
                // 16 nodes, 8 edges, 8 aggregations and 4 cores: k^3 / 4 links at each level
                {"fat-tree-flows", 16, 0, 1, 20, 48, 6},
                {"fat-tree-flows", 128, 0, 1, 80, 3 * 128, 6},
                {"fat-tree-flows", 2, 0, 2, 1, 2, 2},
                {"rail-optimised", 32, 4, 2, 4 * 2 + 2, 32 + 8 * 2, 4},
                {"rail-optimised", 16, 4, 1, 4 + 4, 16 + 4 * 4, 4},
                {"dragonfly", 72, 2, 1, 36, 72 + 9 * 6 + 36, 5},
                {"link-graph", 5, 0, 1, 1, 5, 2}}),
     {MakeCase("Routers of a dragonfly", &LinkGraphHelperTests::TestDragonfly),
      MakeCase("Rails", &LinkGraphHelperTests::TestRails),
      MakeCase("Limits", &LinkGraphHelperTests::TestLimits),
      MakeCase("Refusals", &LinkGraphHelperTests::TestRefusals),
      MakeCase("File", &LinkGraphHelperTests::TestFile),
      MakeCase("Faults of files", &LinkGraphHelperTests::TestFaults)}});
