/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCTCP_NETWORK_H
#define DCTCP_NETWORK_H

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

#include <string>
#include <utility>

namespace ns3
{

/**
 * @ingroup lightpath
 * @brief The network and the flows of ns-3's own dctcp-example, which know nothing of this module.
 *
 * Forty flows cross two bottlenecks, 10 Gb/s from switch T1 to T2, and 1 Gb/s from T2 to R1. They
 * begin within 100 ms, not within a second.
 */
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

} // namespace ns3

#endif /* DCTCP_NETWORK_H */
