/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Shows a training job on a network that knows nothing of this module: a fat tree of switches with
 * four ports, made of point-to-point links with global routing, where other traffic may run, too.
 *
 * Run it by ./ns3 run lightpath-fat-tree in a tree of ns-3, or else by build/lightpath-fat-tree.
 */

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lightpath-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <iostream>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The fat tree: 16 hosts, 8 edge, 8 aggregation and 4 core switches.
class FatTree
{
  public:
    FatTree()
    {
        const NodeContainer edges(8); // With hosts
        const NodeContainer aggregations(8);
        const NodeContainer cores(4);
        m_links.SetDeviceAttribute("DataRate", StringValue("100Gbps"));
        m_links.SetDeviceAttribute("Mtu", UintegerValue(9000));
        m_links.SetChannelAttribute("Delay", StringValue("500ns"));
        m_links.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("10000p"));
        m_links.DisableFlowControl();
        InternetStackHelper().InstallAll();
        m_addresses.SetBase("10.0.0.0", "255.255.255.252");
        for (uint32_t i = 0; i < 16; ++i)
        {
            interfaces.Add(Connect(hosts.Get(i), edges.Get(i / 2)));
        }
        for (uint32_t i = 0; i < 16; ++i)
        {
            Connect(edges.Get(i / 2), aggregations.Get(i / 4 * 2 + i % 2));
            Connect(aggregations.Get(i / 2), cores.Get(i / 2 % 2 * 2 + i % 2));
        }
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    }

    NodeContainer hosts{16};           //!< The hosts
    Ipv4InterfaceContainer interfaces; //!< Their interfaces

  private:
    /**
     * @param lower the node at the lower end of a new link
     * @param upper the node at the upper end
     * @return the interface of the lower one
     */
    std::pair<Ptr<Ipv4>, uint32_t> Connect(Ptr<Node> lower, Ptr<Node> upper)
    {
        const auto both = m_addresses.Assign(m_links.Install(lower, upper));
        m_addresses.NewNetwork();
        return both.Get(0);
    }

    PointToPointHelper m_links;    //!< Makes the links
    Ipv4AddressHelper m_addresses; //!< Gives each link a network
};

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0
 */
int
main(int argc, char* argv[])
{
    bool background = false;
    CommandLine cmd(__FILE__);
    cmd.Usage("Run a training job over a fat tree.");
    cmd.AddValue("background", "Let two hosts send as fast as they can beside the job", background);
    cmd.Parse(argc, argv);

    FatTree tree;
    if (background)
    {
        const InetSocketAddress sink(tree.interfaces.GetAddress(15), 9);
        Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(8960));
        BulkSendHelper sender("ns3::TcpSocketFactory", sink);
        sender.Install(NodeContainer(tree.hosts.Get(3), tree.hosts.Get(7)));
        PacketSinkHelper("ns3::TcpSocketFactory", sink).Install(tree.hosts.Get(15));
    }

    // A plan: ResNet-50 with one replica a host
    PlanningProblem problem;
    problem.graph = ModelZoo::Create("resnet50");
    problem.accelerator = Accelerator::Create("A100");
    problem.gpus = 16;
    problem.globalBatch = 256;
    problem.fabric.bitRate = 100e9;
    const auto planner = CreateObject<FixedPlanner>();
    planner->SetAttribute("DataParallel", UintegerValue(16));

    TrainingHelper training;
    training.SetTransport("tcp");
    const auto job = training.Install(planner->Plan(problem), tree.hosts, tree.interfaces);

    // Other traffic never ends
    TrainingHelper::StopWhenFinished(job);
    TrainingHelper::EnableProgress(job);
    Simulator::Run();
    TrainingReport report(TrainingHelper::GetJob(job), nullptr);
    report.fabric = "fat tree";
    TrainingReport::PrintTable(std::cout, {report});
    Simulator::Destroy();
    return 0;
}
