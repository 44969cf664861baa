/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Shows how to set up a circuit by hand, between two of four nodes of a ring. Frames wait until the
 * ring has switched and light comes; the other nodes have no light.
 *
 * Run it in a tree of ns-3 by
 *     ./ns3 run "lightpath-circuit --lanes=2"
 * or else by build/lightpath-circuit --lanes=2.
 */

#include "ns3/command-line.h"
#include "ns3/mrr-ring-channel.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/sip-ring-helper.h"

#include <iostream>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * Print that a node has received a packet.
 *
 * @param node the node
 * @param packet the packet
 */
void
PrintReceived(uint32_t node, Ptr<const Packet> packet)
{
    std::cout << Simulator::Now().As(Time::US) << ": node " << node << " has received "
              << packet->GetSize() << " bytes\n";
}

/**
 * Print that a lightpath begins to carry light.
 *
 * @param source the port that it leads from
 * @param destination the port that it leads to
 */
void
PrintLight(uint32_t source, uint32_t destination)
{
    std::cout << Simulator::Now().As(Time::US) << ": light from " << source << " to " << destination
              << "\n";
}

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0
 */
int
main(int argc, char* argv[])
{
    uint32_t lanes = 4;
    Time::SetResolution(Time::PS);
    CommandLine cmd(__FILE__);
    cmd.Usage("Set up a circuit between two nodes of a ring, by hand.");
    cmd.AddValue("lanes", "Wavelengths of the circuit, from 1 to 4", lanes);
    cmd.Parse(argc, argv);

    // Four nodes, one fibre in each direction, four wavelengths of 25 Gb/s
    NodeContainer nodes(4);
    SipRingHelper fabric;
    fabric.SetNFibres(1);
    fabric.SetBandwidth(DataRate("200Gbps"));
    const NetDeviceContainer devices = fabric.Install(nodes);
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const auto device = devices.Get(i);
        device->TraceConnectWithoutContext("MacRx", MakeBoundCallback(&PrintReceived, i));
        device->TraceConnectWithoutContext("LightpathUp", MakeBoundCallback(&PrintLight, i));
    }

    // From node 0 to node 2, clockwise, on the first wavelengths of fibre 0
    CircuitPlan plan;
    for (uint32_t wavelength = 0; wavelength < lanes; ++wavelength)
    {
        plan.AddLane(0, 2, {0, wavelength});
    }
    const auto ring = DynamicCast<MrrRingChannel>(FabricHelper::GetChannel(devices));
    const std::string conflict = ring->Check(plan);
    if (!conflict.empty())
    {
        std::cerr << conflict << "\n";
        return 1;
    }
    ring->Configure(plan);

    // The first packet waits for the light, the second for a circuit that never comes
    devices.Get(0)->Send(Create<Packet>(9000), devices.Get(2)->GetAddress(), 0x88b5);
    devices.Get(0)->Send(Create<Packet>(9000), devices.Get(1)->GetAddress(), 0x88b5);
    Simulator::Run();
    std::cout << "waiting for node 1: "
              << DynamicCast<OpticalNetDevice>(devices.Get(0))->GetBacklog(1) << " bytes\n";
    Simulator::Destroy();
    return 0;
}
