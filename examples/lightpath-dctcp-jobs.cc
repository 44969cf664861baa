/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Shows two training jobs beside the flows of ns-3's own dctcp-example: on its hosts and links,
 * through its marking queues. Forty flows cross two bottlenecks, 10 Gb/s from switch T1 to T2, and
 * 1 Gb/s from T2 to R1; they begin within 100 ms, not within a second, to meet the jobs. What the
 * jobs need stands in InstallJob() and at the end of main().
 *
 * Run it by ./ns3 run lightpath-dctcp-jobs in a tree of ns-3, or else by
 * build/lightpath-dctcp-jobs.
 */

#include "ns3/boolean.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/training-helper.h"
#include "ns3/training-plan.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The network and the flows of dctcp-example.
class DctcpNetwork
{
  public:
    DctcpNetwork()
    {
        Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpDctcp"));
        Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
        Config::SetDefault("ns3::RedQueueDisc::UseEcn", BooleanValue(true));
        Config::SetDefault("ns3::RedQueueDisc::UseHardDrop", BooleanValue(false));
        Config::SetDefault("ns3::RedQueueDisc::MeanPktSize", UintegerValue(1500));
        Config::SetDefault("ns3::RedQueueDisc::MaxSize", QueueSizeValue(QueueSize("2666p")));
        Config::SetDefault("ns3::RedQueueDisc::QW", DoubleValue(1));
        m_switches.Create(2);
        InternetStackHelper().Install(m_switches);
        m_addresses.SetBase("10.0.0.0", "255.255.255.252");
        Connect(m_switches.Get(0), m_switches.Get(1), "10Gbps", 50);
        const uint32_t counts[]{10, 20, 10, 1, 20};
        const uint32_t switches[]{0, 0, 1, 1, 1};
        for (uint32_t group = 0; group < 5; ++group)
        {
            hosts[group].Create(counts[group]);
            InternetStackHelper().Install(hosts[group]);
            for (uint32_t i = 0; i < counts[group]; ++i)
            {
                interfaces[group].Add(
                    Connect(hosts[group].Get(i), m_switches.Get(switches[group]), "1Gbps", 20));
            }
        }
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    }

    /// Groups of hosts.
    enum Group
    {
        S1, //!< Ten at T1 that send to R1
        S2, //!< Twenty at T1 that send to R2
        S3, //!< Ten at T2 that send to R1
        R1, //!< One at T2
        R2  //!< Twenty at T2
    };

    /**
     * Let each host of a group send as fast as it can.
     *
     * @param from the group
     * @param to the group of the receivers
     */
    void AddFlows(Group from, Group to)
    {
        for (uint32_t i = 0; i < hosts[from].GetN(); ++i)
        {
            const uint32_t receiver = i % hosts[to].GetN();
            const InetSocketAddress sink(interfaces[to].GetAddress(receiver),
                                         40000 + 100 * from + i);
            sinks[from].Add(
                PacketSinkHelper("ns3::TcpSocketFactory", sink).Install(hosts[to].Get(receiver)));
            OnOffHelper sender("ns3::TcpSocketFactory", sink);
            sender.SetConstantRate(DataRate("1Gbps"), 1000);
            sender.Install(hosts[from].Get(i)).Start(MilliSeconds(5 * i));
        }
    }

    NodeContainer hosts[5];               //!< The hosts of each group
    Ipv4InterfaceContainer interfaces[5]; //!< Their interfaces
    ApplicationContainer sinks[5];        //!< The receivers of their flows

  private:
    /**
     * @param lower the node at the lower end of a new link
     * @param upper the node at the upper end
     * @param rate the rate of the link
     * @param mark the queue above which packets are marked, packets; all are above three times that
     * @return the interface of the lower one
     */
    std::pair<Ptr<Ipv4>, uint32_t> Connect(Ptr<Node> lower,
                                           Ptr<Node> upper,
                                           const std::string& rate,
                                           double mark)
    {
        PointToPointHelper links;
        links.SetDeviceAttribute("DataRate", StringValue(rate));
        links.SetChannelAttribute("Delay", StringValue("10us"));
        const auto devices = links.Install(lower, upper);
        TrafficControlHelper queues;
        queues.SetRootQueueDisc("ns3::RedQueueDisc",
                                "LinkBandwidth",
                                StringValue(rate),
                                "LinkDelay",
                                StringValue("10us"),
                                "MinTh",
                                DoubleValue(mark),
                                "MaxTh",
                                DoubleValue(3 * mark));
        // A host has the queue that addresses bring
        queues.Install(rate == "1Gbps" ? NetDeviceContainer(devices.Get(1)) : devices);
        const auto both = m_addresses.Assign(devices);
        m_addresses.NewNetwork();
        return both.Get(0);
    }

    NodeContainer m_switches;      //!< T1 and T2
    Ipv4AddressHelper m_addresses; //!< Gives each link a network
};

// From here on, the jobs

/**
 * Install a job whose ranks compute for 10 ms and sum 1 MB up, three times.
 *
 * @param network the network
 * @param places the group of each rank, and its host in it
 * @return the applications
 */
ApplicationContainer
InstallJob(const DctcpNetwork& network,
           const std::vector<std::pair<DctcpNetwork::Group, uint32_t>>& places)
{
    Task compute;
    compute.name = "compute";
    compute.seconds = 0.01;
    Task sum;
    sum.kind = TaskKind::COLLECTIVE;
    sum.name = "sum";
    sum.collective = CollectiveKind::ALL_REDUCE;
    sum.options.algorithm = CollectiveAlgorithm::RING;
    sum.bytes = 1000000;
    const auto program = std::make_shared<RankProgram>();
    program->AddTask(sum, {program->AddTask(compute)});
    TrainingPlan plan;
    std::vector<uint32_t> ranks;
    NodeContainer nodes;
    Ipv4InterfaceContainer interfaces;
    for (const auto& [group, host] : places)
    {
        ranks.push_back(plan.programs.size());
        plan.programs.push_back(program);
        nodes.Add(network.hosts[group].Get(host));
        interfaces.Add(network.interfaces[group].Get(host));
    }
    plan.groups.resize(1);
    plan.groups[0].Add(ranks);
    TrainingHelper training;
    training.SetTransport("dctcp");
    training.SetJobAttribute("Iterations", UintegerValue(3));
    return training.Install(plan, nodes, interfaces);
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0
 */
int
main(int argc, char* argv[])
{
    bool flows = true;
    CommandLine cmd(__FILE__);
    cmd.Usage("Run two training jobs beside the flows of dctcp-example.");
    cmd.AddValue("flows", "Let the forty flows send", flows);
    cmd.Parse(argc, argv);

    using Group = DctcpNetwork;
    DctcpNetwork network;
    if (flows)
    {
        network.AddFlows(Group::S1, Group::R1);
        network.AddFlows(Group::S2, Group::R2);
        network.AddFlows(Group::S3, Group::R1);
    }

    // One job among the hosts at T2, one across both switches
    const auto near = InstallJob(network, {{Group::S3, 0}, {Group::S3, 1}, {Group::R2, 0}});
    const auto far = InstallJob(network, {{Group::S1, 0}, {Group::R2, 1}, {Group::S2, 0}});
    ApplicationContainer both(near);
    both.Add(far);
    TrainingHelper::StopWhenFinished(both);
    Simulator::Run();
    std::vector<TrainingReport> reports;
    for (const auto& [name, job] : {std::make_pair("at T2", near), std::make_pair("across", far)})
    {
        reports.emplace_back(TrainingHelper::GetJob(job), nullptr);
        reports.back().fabric = name;
    }
    TrainingReport::PrintTable(std::cout, reports);
    for (const auto group : {Group::S1, Group::S2, Group::S3})
    {
        uint64_t bytes = 0;
        for (uint32_t i = 0; i < network.sinks[group].GetN(); ++i)
        {
            bytes += DynamicCast<PacketSink>(network.sinks[group].Get(i))->GetTotalRx();
        }
        std::cout << "Flows of S" << group + 1 << ": "
                  << 8 * bytes / 1e6 / Simulator::Now().GetSeconds() << " Mb/s" << std::endl;
    }
    Simulator::Destroy();
    return 0;
}
