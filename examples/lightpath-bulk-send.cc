/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Shows a ring of micro-ring resonators in place of a link of ns-3: one TCP flow over it. With a
 * PointToPointHelper instead of the RingLinkHelper, and nothing else changed, it goes over a link.
 *
 * Run it in a tree of ns-3 by
 *     ./ns3 run "lightpath-bulk-send --bytes=1000000"
 * or else by build/lightpath-bulk-send --bytes=1000000.
 */

#include "ns3/bulk-send-helper.h"
#include "ns3/command-line.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/ring-link-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
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
    uint64_t bytes = 10000000;
    bool tracing = false;
    CommandLine cmd(__FILE__);
    cmd.Usage("Send bytes through TCP over a ring that takes the place of a link.");
    cmd.AddValue("bytes", "Bytes to send, or 0 to send for 100 ms", bytes);
    cmd.AddValue("tracing", "Write ascii and pcap traces", tracing);
    cmd.Parse(argc, argv);

    NodeContainer nodes;
    nodes.Create(2);

    RingLinkHelper link; // or: PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    link.SetDeviceAttribute("Mtu", UintegerValue(1500));
    link.SetChannelAttribute("Delay", StringValue("50us"));
    const NetDeviceContainer devices = link.Install(nodes);

    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper addresses("10.1.1.0", "255.255.255.0");
    const Ipv4InterfaceContainer interfaces = addresses.Assign(devices);

    constexpr uint16_t port = 9;
    BulkSendHelper source("ns3::TcpSocketFactory",
                          InetSocketAddress(interfaces.GetAddress(1), port));
    source.SetAttribute("MaxBytes", UintegerValue(bytes));
    source.Install(nodes.Get(0));
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), port));
    const ApplicationContainer sinks = sink.Install(nodes.Get(1));

    if (tracing)
    {
        link.EnableAsciiAll(AsciiTraceHelper().CreateFileStream("lightpath-bulk-send.tr"));
        link.EnablePcapAll("lightpath-bulk-send");
    }

    Time last;
    sinks.Get(0)->TraceConnectWithoutContext(
        "Rx",
        Callback<void, Ptr<const Packet>, const Address&>(
            [&last](Ptr<const Packet>, const Address&) { last = Simulator::Now(); }));
    Simulator::Stop(bytes == 0 ? MilliSeconds(100) : Seconds(100));
    Simulator::Run();
    std::cout << "received " << DynamicCast<PacketSink>(sinks.Get(0))->GetTotalRx()
              << " bytes, the last after " << last.GetSeconds() << " s\n";
    Simulator::Destroy();
    return 0;
}
