/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/animation-interface.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/circuit-controller.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/inet-socket-address.h"
#include "ns3/optical-net-device.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <map>
#include <string>
#include <utility>

/**
 * @file
 * @ingroup lightpath
 * Animates a ring whose circuits change for NetAnim: TCP flows between neighbours, and between
 * nodes that face each other. Needs the module netanim of ns-3.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

constexpr uint32_t N = 6; //!< Nodes of the ring

/// Draws the circuits of a ring: a line between each pair, with the wavelengths that carry light.
class CircuitDrawing
{
  public:
    /**
     * @param file the name of the file
     * @param devices the devices of a fabric of circuits
     */
    CircuitDrawing(const std::string& file, const NetDeviceContainer& devices)
        : m_channel(DynamicCast<OpticalChannel>(FabricHelper::GetChannel(devices))),
          m_animation(PlaceNodes(file, devices))
    {
        for (uint32_t port = 0; port < devices.GetN(); ++port)
        {
            for (const bool up : {true, false})
            {
                devices.Get(port)->TraceConnectWithoutContext(
                    up ? "LightpathUp" : "LightpathDown",
                    Callback<void, uint32_t>(
                        [this, port, up](uint32_t destination) { Change(port, destination, up); }));
            }
        }
        m_channel->TraceConnectWithoutContext(
            "TxRxPointToPoint",
            Callback<void, Ptr<const Packet>, Ptr<NetDevice>, Ptr<NetDevice>, Time, Time>(
                [this](Ptr<const Packet>, Ptr<NetDevice>, Ptr<NetDevice>, Time, Time) {
                    ++m_frames;
                }));
    }

    /// Print what the file must hold.
    void Print() const
    {
        std::cout << "{\"changes\": " << m_changes << ", \"frames\": " << m_frames << "}\n";
    }

  private:
    /**
     * Place nodes in a circle, with a line between each pair. NetAnim draws lines for
     * point-to-point links only, so there is one that carries nothing.
     *
     * @param file the name of the file
     * @param devices the devices of the nodes
     * @return the name of the file
     */
    static std::string PlaceNodes(const std::string& file, const NetDeviceContainer& devices)
    {
        const double step = 2 * std::acos(-1) / devices.GetN();
        for (uint32_t port = 0; port < devices.GetN(); ++port)
        {
            const auto node = devices.Get(port)->GetNode();
            AnimationInterface::SetConstantPosition(node,
                                                    50 + 40 * std::sin(port * step),
                                                    50 - 40 * std::cos(port * step));
            for (uint32_t other = 0; other < port; ++other)
            {
                PointToPointHelper().Install(devices.Get(other)->GetNode(), node);
            }
        }
        return file;
    }

    /**
     * Draw a lightpath that begins or ceases to carry light.
     *
     * @param source its source
     * @param destination its destination
     * @param up true if it begins
     */
    void Change(uint32_t source, uint32_t destination, bool up)
    {
        ++m_changes;
        m_lanes[{source, destination}] =
            up ? m_channel->GetPlan().GetLanes(source, destination).size() : 0;
        const uint32_t first = std::min(source, destination);
        const uint32_t second = std::max(source, destination);
        m_animation.UpdateLinkDescription(m_channel->GetDevice(first)->GetNode(),
                                          m_channel->GetDevice(second)->GetNode(),
                                          Describe(first, second) + Describe(second, first));
    }

    /**
     * @param source a port
     * @param destination another port
     * @return the wavelengths that carry light between them
     */
    std::string Describe(uint32_t source, uint32_t destination)
    {
        const std::size_t lanes = m_lanes[{source, destination}];
        return lanes == 0 ? ""
                          : " " + std::to_string(source) + ">" + std::to_string(destination) +
                                ": " + std::to_string(lanes);
    }

    Ptr<OpticalChannel> m_channel;                                //!< The fabric
    AnimationInterface m_animation;                               //!< Writes the file
    std::map<std::pair<uint32_t, uint32_t>, std::size_t> m_lanes; //!< Wavelengths with light
    uint64_t m_changes{0}; //!< Lightpaths that began or ceased
    uint64_t m_frames{0};  //!< Frames that were sent
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
    std::string file = "lightpath.xml";
    CommandLine cmd(__FILE__);
    cmd.Usage("Animate a ring whose circuits change, for NetAnim.");
    cmd.AddValue("file", "Name of the file to be written", file);
    cmd.Parse(argc, argv);
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(8948));

    SipRingHelper ring;
    ring.SetBandwidth(DataRate("250Gbps"));
    ring.SetChannelAttribute("SwitchingDelay", StringValue("20us"));
    NodeContainer nodes;
    nodes.Create(N);
    const auto devices = ring.Install(nodes);
    const auto interfaces = ring.AssignAddresses(devices);
    const auto controller = ring.CreateController(devices);
    for (uint32_t turn = 0; turn < 8; ++turn)
    {
        const uint32_t hops = turn % 2 == 0 ? 1 : N / 2;
        TrafficMatrix demand(N);
        for (uint32_t node = 0; node < N; ++node)
        {
            const uint32_t peer = (node + hops) % N;
            demand.Add(node, peer, 100);
            demand.Add(peer, node, 1);
            if (turn < 2)
            {
                const InetSocketAddress sink(interfaces.GetAddress(peer), 9 + hops);
                BulkSendHelper source("ns3::TcpSocketFactory", sink);
                source.SetAttribute("MaxBytes", UintegerValue(1000000));
                source.Install(nodes.Get(node));
                PacketSinkHelper("ns3::TcpSocketFactory", sink).Install(nodes.Get(peer));
            }
        }
        Simulator::Schedule(turn * MicroSeconds(200),
                            &CircuitController::Start,
                            controller,
                            demand);
    }
    CircuitDrawing drawing(file, devices);
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
    drawing.Print();
    Simulator::Destroy();
    return 0;
}
