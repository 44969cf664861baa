/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Shows TCP over circuits that are switched again and again: the ring is dark for a share of the
 * time, and the flow gets nearly all of the rest.
 *
 * Run it in a tree of ns-3 by
 *     ./ns3 run "lightpath-tcp-ring --dark=0.9 --period=1ms"
 * or else by build/lightpath-tcp-ring --dark=0.9 --period=1ms.
 */

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lightpath-optical-module.h"
#include "ns3/network-module.h"

#include <iostream>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * Move the circuits of two nodes to another wavelength, once in each period.
 *
 * @param ring the ring
 * @param period the time from one reconfiguration to the next
 * @param wavelength the wavelength, 0 or 1
 */
void
Switch(Ptr<MrrRingChannel> ring, Time period, uint32_t wavelength)
{
    CircuitPlan plan;
    plan.AddLane(0, 1, {0, wavelength});
    plan.AddLane(1, 0, {1, wavelength});
    ring->Configure(plan);
    Simulator::Schedule(period, &Switch, ring, period, 1 - wavelength);
}

/**
 * Prepare TCP for such rates: large segments and buffers, short timeouts, and no timestamps,
 * whose clock is coarse. Options of the program, like --ns3::TcpSocketBase::MinRto=10ms, prevail.
 */
void
SetUpTcp()
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpCubic"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(8960));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4000000));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4000000));
    Config::SetDefault("ns3::TcpSocket::DelAckTimeout", StringValue("50us"));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", StringValue("1ms"));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0 if the flow was simulated
 */
int
main(int argc, char* argv[])
{
    double dark = 0.5;
    Time period = MicroSeconds(100);
    Time delay = MicroSeconds(5);
    Time duration = MilliSeconds(20);
    Time::SetResolution(Time::PS);
    SetUpTcp();
    CommandLine cmd(__FILE__);
    cmd.Usage("Send through TCP over a ring that is dark for a share of the time.");
    cmd.AddValue("dark", "Share of the time that the ring is dark, above 0 and below 1", dark);
    cmd.AddValue("period", "Time from one reconfiguration to the next", period);
    cmd.AddValue("delay", "Time from one node to the other", delay);
    cmd.AddValue("duration", "Time to simulate", duration);
    cmd.AddValue("congestionControl", "ns3::TcpL4Protocol::SocketType");
    cmd.Parse(argc, argv);
    if (!(dark > 0 && dark < 1))
    {
        std::cerr << "--dark must be a share above 0 and below 1, like 0.5, and not " << dark
                  << std::endl;
        return 1;
    }

    NodeContainer nodes;
    nodes.Create(4);
    SipRingHelper fabric;
    fabric.SetNFibres(1);
    fabric.SetWavelengthRate(DataRate("100Gbps"));
    fabric.SetBandwidth(DataRate("400Gbps"));
    fabric.SetChannelAttribute("SwitchingDelay", TimeValue(dark * period));
    fabric.SetChannelAttribute("Delay", TimeValue(delay));
    const NetDeviceContainer devices = fabric.Install(nodes);
    const auto ring = DynamicCast<MrrRingChannel>(FabricHelper::GetChannel(devices));
    const Ipv4InterfaceContainer interfaces = fabric.AssignAddresses(devices);
    Simulator::ScheduleNow(&Switch, ring, period, 0);

    const InetSocketAddress sink(interfaces.GetAddress(1), 9);
    BulkSendHelper source("ns3::TcpSocketFactory", sink);
    source.SetAttribute("SendSize", UintegerValue(8960));
    source.Install(nodes.Get(0));
    const auto sinks = PacketSinkHelper("ns3::TcpSocketFactory", sink).Install(nodes.Get(1));
    Simulator::Stop(duration);
    Simulator::Run();

    const double received = 8.0 * DynamicCast<PacketSink>(sinks.Get(0))->GetTotalRx();
    const double light = (duration - ring->GetDarkTime()).GetSeconds();
    std::cout << "light for " << light * 1e3 << " of " << duration.GetSeconds() * 1e3 << " ms, "
              << ring->GetNReconfigurations() << " reconfigurations; TCP carried "
              << received / 1e9 / duration.GetSeconds() << " Gb/s, "
              << 100 * received / (light * 100e9) << " % of what the light could\n";
    Simulator::Destroy();
    return 0;
}
