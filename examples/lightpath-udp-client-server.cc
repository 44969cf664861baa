/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Shows a ring of micro-ring resonators in place of a network of ns-3, with UDP between four nodes:
 * a client and a server that counts losses, and an on-off source. With a CsmaHelper instead of the
 * RingLinkHelper it is a local area network; two nodes and a PointToPointHelper make a link.
 *
 * Run it in a tree of ns-3 by
 *     ./ns3 run "lightpath-udp-client-server --packets=100"
 * or else by build/lightpath-udp-client-server --packets=100.
 */

#include "ns3/application-container.h"
#include "ns3/command-line.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/ring-link-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/udp-client-server-helper.h"
#include "ns3/udp-server.h"
#include "ns3/uinteger.h"

#include <iostream>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0
 */
int
main(int argc, char* argv[])
{
    uint32_t packets = 1000;
    CommandLine cmd(__FILE__);
    cmd.Usage("Send datagrams over a ring that takes the place of a network.");
    cmd.AddValue("packets", "Datagrams that the client sends", packets);
    cmd.Parse(argc, argv);

    NodeContainer nodes;
    nodes.Create(4);

    RingLinkHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("3Gbps"));
    link.SetChannelAttribute("Delay", StringValue("50us"));
    const NetDeviceContainer devices = link.Install(nodes);

    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper addresses("10.1.1.0", "255.255.255.0");
    const Ipv4InterfaceContainer interfaces = addresses.Assign(devices);

    constexpr uint16_t port = 4000;
    const ApplicationContainer servers = UdpServerHelper(port).Install(nodes.Get(1));
    UdpClientHelper client(interfaces.GetAddress(1), port);
    client.SetAttribute("MaxPackets", UintegerValue(packets));
    client.SetAttribute("Interval", TimeValue(MicroSeconds(20)));
    client.SetAttribute("PacketSize", UintegerValue(1472));
    client.Install(nodes.Get(0));

    OnOffHelper source("ns3::UdpSocketFactory", InetSocketAddress(interfaces.GetAddress(3), port));
    source.SetConstantRate(DataRate("500Mbps"), 1472);
    source.Install(nodes.Get(2));
    PacketSinkHelper sink("ns3::UdpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), port));
    const ApplicationContainer sinks = sink.Install(nodes.Get(3));

    Simulator::Stop(MilliSeconds(100));
    Simulator::Run();
    const auto server = DynamicCast<UdpServer>(servers.Get(0));
    std::cout << "client: " << server->GetReceived() << " of " << packets << " datagrams received, "
              << server->GetLost() << " lost\n"
              << "on-off source: " << DynamicCast<PacketSink>(sinks.Get(0))->GetTotalRx()
              << " bytes received\n";
    Simulator::Destroy();
    return 0;
}
