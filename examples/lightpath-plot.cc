/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Shows how to plot a fabric with gnuplot: a ring on which each node sends packets to the next one,
 * over circuits whose numbers of wavelengths change. The rates of the nodes and the sizes of their
 * frames over time are plots of ns-3's GnuplotHelper, the bytes that wait are text of its
 * FileHelper.
 *
 * Run it in a tree of ns-3 by
 *     ./ns3 run lightpath-plot
 * or else by build/lightpath-plot; sh lightpath-rate.sh then draws lightpath-rate.png.
 */

#include "ns3/circuit-plan.h"
#include "ns3/command-line.h"
#include "ns3/file-helper.h"
#include "ns3/gnuplot-helper.h"
#include "ns3/mrr-ring-channel.h"
#include "ns3/simulator.h"
#include "ns3/sip-ring-helper.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * Set up circuits from each node of a ring to the next one.
 *
 * @param ring the ring
 * @param lanes the wavelengths of each circuit
 */
void
SetCircuits(Ptr<MrrRingChannel> ring, uint32_t lanes)
{
    CircuitPlan plan;
    for (uint32_t node = 0; node < ring->GetNDevices(); ++node)
    {
        for (uint32_t wavelength = 0; wavelength < lanes; ++wavelength)
        {
            plan.AddLane(node, (node + 1) % ring->GetNDevices(), {0, wavelength});
        }
    }
    ring->Configure(plan);
}

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0
 */
int
main(int argc, char* argv[])
{
    uint32_t packets = 60;
    std::string type = "png";
    Time::SetResolution(Time::PS);
    CommandLine cmd(__FILE__);
    cmd.Usage("Plot the rates and the backlog of a ring whose circuits change.");
    cmd.AddValue("packets", "Packets of 8986 bytes that each node sends", packets);
    cmd.AddValue("type", "Terminal of gnuplot, like png or pdf", type);
    cmd.Parse(argc, argv);

    // Four wavelengths of 25 Gb/s in each direction; circuits take 10 us to change
    NodeContainer nodes(4);
    SipRingHelper fabric;
    fabric.SetNFibres(1);
    fabric.SetBandwidth(DataRate("200Gbps"));
    fabric.SetChannelAttribute("SwitchingDelay", TimeValue(MicroSeconds(10)));
    const NetDeviceContainer devices = fabric.Install(nodes);
    const auto ring = DynamicCast<MrrRingChannel>(FabricHelper::GetChannel(devices));
    Time change;
    for (const uint32_t lanes : {1, 4, 2})
    {
        Simulator::Schedule(change, &SetCircuits, ring, lanes);
        change += MicroSeconds(50);
    }
    for (uint32_t i = 0; i < packets * nodes.GetN(); ++i)
    {
        const auto source = devices.Get(i % nodes.GetN());
        const auto address = devices.Get((i + 1) % nodes.GetN())->GetAddress();
        Simulator::ScheduleNow([=]() { source->Send(Create<Packet>(8986), address, 0x88b5); });
    }

    const std::string device = "/NodeList/*/DeviceList/*/$ns3::lightpath::OpticalNetDevice/";
    GnuplotHelper rates("lightpath-rate", "Lightpaths", "Time (s)", "Rate (bit/s)", type);
    rates.PlotProbe("ns3::DoubleProbe", device + "Rate", "Output", "Rate");
    GnuplotHelper frames("lightpath-frames", "Frames", "Time (s)", "Bytes sent", type);
    frames.PlotProbe("ns3::PacketProbe", device + "PhyTxEnd", "OutputBytes", "Frames");
    FileHelper backlog("lightpath-backlog", FileAggregator::SPACE_SEPARATED);
    backlog.WriteProbe("ns3::DoubleProbe", device + "Backlog", "Output");

    Simulator::Stop(MicroSeconds(300));
    Simulator::Run();
    Simulator::Destroy();
    return 0;
}
