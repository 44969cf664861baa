/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Shows how to draw a fabric for NetAnim: a ring whose circuits change every 200 us, with TCP over
 * it. Labels of lines name the lightpaths between two nodes and their numbers of wavelengths.
 *
 * Run it in a tree of ns-3 by
 *     ./ns3 run "lightpath-animate --file=ring.xml"
 * or else by build/lightpath-animate --file=ring.xml; it needs the module netanim of ns-3.
 */

#include "ns3/animation-interface.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/circuit-controller.h"
#include "ns3/command-line.h"
#include "ns3/inet-socket-address.h"
#include "ns3/optical-channel.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * Place nodes in a circle, with a line between each pair. NetAnim draws lines for point-to-point
 * links only, so each line is a link that carries nothing.
 *
 * @param nodes the nodes
 */
void
PlaceNodes(const NodeContainer& nodes)
{
    const double step = 2 * std::acos(-1) / nodes.GetN();
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const double x = 50 + 40 * std::sin(i * step);
        const double y = 50 - 40 * std::cos(i * step);
        AnimationInterface::SetConstantPosition(nodes.Get(i), x, y);
        for (uint32_t other = 0; other < i; ++other)
        {
            PointToPointHelper().Install(nodes.Get(other), nodes.Get(i));
        }
    }
}

/**
 * Send from each node to its neighbour and to the node that it faces, over circuits that change.
 *
 * @param fabric the fabric
 * @param devices the devices of the nodes
 */
void
StartTraffic(const SipRingHelper& fabric, const NetDeviceContainer& devices)
{
    const Ipv4InterfaceContainer interfaces = fabric.AssignAddresses(devices);
    const uint32_t n = devices.GetN();
    std::vector<TrafficMatrix> demands(3, TrafficMatrix(n)); // Neighbours, facing nodes, both
    for (uint32_t node = 0; node < n; ++node)
    {
        for (const uint32_t turn : {0, 1})
        {
            const uint32_t peer = (node + (turn == 0 ? 1 : n / 2)) % n;
            for (TrafficMatrix* demand : {&demands[turn], &demands[2]})
            {
                demand->Add(node, peer, 100);
                demand->Add(peer, node, 1); // Acknowledgements
            }
            const InetSocketAddress sink(interfaces.GetAddress(peer), 9);
            BulkSendHelper source("ns3::TcpSocketFactory", sink);
            source.SetAttribute("MaxBytes", UintegerValue(100000));
            source.Install(devices.Get(node)->GetNode());
        }
        const InetSocketAddress own(interfaces.GetAddress(node), 9);
        PacketSinkHelper("ns3::TcpSocketFactory", own).Install(devices.Get(node)->GetNode());
    }
    const auto control = fabric.CreateController(devices);
    for (uint32_t turn = 0; turn <= 8; ++turn)
    {
        const auto& next = demands[turn < 8 ? turn % 2 : 2];
        Simulator::Schedule(turn * MicroSeconds(200), &CircuitController::Start, control, next);
    }
}

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0
 */
int
main(int argc, char* argv[])
{
    std::string file = "lightpath.xml";
    CommandLine cmd(__FILE__);
    cmd.AddValue("file", "Name of the file to be written", file);
    cmd.Parse(argc, argv);
    NodeContainer nodes(6);
    SipRingHelper fabric;
    fabric.SetChannelAttribute("SwitchingDelay", TimeValue(MicroSeconds(20)));
    const NetDeviceContainer devices = fabric.Install(nodes);
    StartTraffic(fabric, devices);

    PlaceNodes(nodes);
    AnimationInterface animation(file);
    const auto channel = DynamicCast<OpticalChannel>(FabricHelper::GetChannel(devices));
    std::map<std::pair<uint32_t, uint32_t>, std::string> labels;
    uint64_t changes = 0;
    for (uint32_t from = 0; from < nodes.GetN(); ++from)
    {
        for (const std::string trace : {"LightpathUp", "LightpathDown"})
        {
            const auto change = [&, from, up = trace == "LightpathUp"](uint32_t to) {
                ++changes;
                const auto lanes = channel->GetPlan().GetLanes(from, to).size();
                const std::string pair = std::to_string(from) + ">" + std::to_string(to);
                labels[{from, to}] = up ? " " + pair + ": " + std::to_string(lanes) : "";
                const auto [a, b] = std::minmax(from, to);
                const std::string both = labels[{a, b}] + labels[{b, a}];
                animation.UpdateLinkDescription(nodes.Get(a), nodes.Get(b), both);
            };
            const Callback<void, uint32_t> sink(change);
            devices.Get(from)->TraceConnectWithoutContext(trace, sink);
        }
    }
    uint64_t frames = 0;
    const Callback<void, Ptr<const Packet>, Ptr<NetDevice>, Ptr<NetDevice>, Time, Time> count(
        [&frames](auto&&...) { ++frames; });
    channel->TraceConnectWithoutContext("TxRxPointToPoint", count);

    Simulator::Stop(Seconds(5));
    Simulator::Run();
    std::cout << "{\"changes\": " << changes << ", \"frames\": " << frames << "}\n";
    Simulator::Destroy();
    return 0;
}
