/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-parts.h"
#include "ip-fixture.h"
#include "method-case.h"

#include "ns3/circuit-switch-channel.h"
#include "ns3/double.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/mrr-ring-channel.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/nix-vector-helper.h"
#include "ns3/optical-net-device.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/queue-disc.h"
#include "ns3/route-updater.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @return a circuit in each direction between the first and the last of three nodes
 */
CircuitPlan
GetPlan()
{
    return MakeCircuits({{0, 2, {0, 0}}, {2, 0, {0, 0}}});
}

/**
 * @param helper a fabric of three nodes, of which the first and the last are to have circuits
 * @param nodes the nodes
 * @param delay the delay of a circuit
 * @return the devices
 */
template <typename Helper>
NetDeviceContainer
InstallFabric(Helper& helper, const NodeContainer& nodes, Time delay)
{
    helper.SetWavelengthRate(DataRate("25Gbps"));
    helper.SetChannelAttribute("Delay", TimeValue(delay));
    helper.SetChannelAttribute("SwitchingDelay", TimeValue(MicroSeconds(10)));
    const auto devices = helper.Install(nodes);
    const auto channel = DynamicCast<OpticalChannel>(FabricHelper::GetChannel(devices));
    Simulator::ScheduleNow(&OpticalChannel::Configure, channel, GetPlan());
    return devices;
}

/**
 * @param nodes the nodes
 * @return the devices of a ring of one fibre and one wavelength in each direction
 */
NetDeviceContainer
InstallRing(const NodeContainer& nodes)
{
    SipRingHelper helper;
    helper.SetNFibres(1);
    helper.SetBandwidth(DataRate("50Gbps"));
    helper.SetChannelAttribute("NodeDistance", DoubleValue(0));
    return InstallFabric(helper, nodes, MicroSeconds(5));
}

/**
 * @param nodes the nodes
 * @return the devices of a circuit switch
 */
NetDeviceContainer
InstallSwitch(const NodeContainer& nodes)
{
    SipOcsHelper helper;
    helper.SetNSwitches(1);
    helper.SetBandwidth(DataRate("50Gbps"));
    helper.SetChannelAttribute("FibreLength", DoubleValue(0));
    return InstallFabric(helper, nodes, MicroSeconds(3));
}

/**
 * @param nodes the nodes that get an IPv4 stack
 * @param routing how they find routes: "static", "global" or "NIX"
 */
void
InstallStack(const NodeContainer& nodes, const std::string& routing)
{
    InternetStackHelper stack;
    const Ipv4NixVectorHelper nix;
    if (routing == "NIX")
    {
        stack.SetRoutingHelper(nix);
    }
    stack.SetIpv6StackInstall(false);
    stack.Install(nodes);
}

/// A link of 10 Gb/s.
class Link : public PointToPointHelper
{
  public:
    Link()
    {
        SetDeviceAttribute("DataRate", StringValue("10Gbps"));
        SetChannelAttribute("Delay", StringValue("1us"));
    }
};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Routes over optical fabrics, their links, and the queue discs above them.
 */
class IpRoutingTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Packets cross a ring and a circuit switch between hosts behind them.
     *
     * @param routing how routes are found
     */
    void TestRoute(const std::string& routing)
    {
        // 0 is a host; 1, 2, 3 are on the ring; 3, 4, 5 on the switch; 6 is a host
        NodeContainer nodes(7);
        const auto get = [&nodes](uint32_t from, uint32_t to) {
            NodeContainer part;
            for (uint32_t i = from; i <= to; ++i)
            {
                part.Add(nodes.Get(i));
            }
            return part;
        };
        const std::vector<NetDeviceContainer> networks = {Link().Install(get(0, 1)),
                                                          InstallRing(get(1, 3)),
                                                          InstallSwitch(get(3, 5)),
                                                          Link().Install(get(5, 6))};
        InstallStack(nodes, routing);
        Ipv4AddressHelper addresses("10.1.0.0", "255.255.255.0");
        for (const auto& network : networks)
        {
            addresses.Assign(network);
            addresses.NewNetwork();
        }
        if (routing == "global")
        {
            Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        }
        else if (routing == "static")
        {
            SetStaticRoutes(nodes);
        }
        UdpFlow datagrams(nodes.Get(0), nodes.Get(6), Ipv4Address("10.1.3.2"));
        datagrams.Send(MilliSeconds(1), 1, 1000);
        TcpSettings settings;
        settings.segmentSize = 1448;
        settings.start = MilliSeconds(2);
        settings.bytes = 3000000;
        const TcpFlow flow(nodes.Get(0), nodes.Get(6), Ipv4Address("10.1.3.2"), settings);
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        Simulator::Destroy();
        NS_TEST_ASSERT_MSG_EQ(datagrams.arrivals.size(), 1, "the datagram arrives");
        // Twice 1030 bytes at 10 Gb/s, 1042 at 25 and at 50 Gb/s, and all delays
        const double wanted = 2 * 1030 * 8 / 10. + 1042 * 8 / 25. + 1042 * 8 / 50. + 10000;
        const Time took = datagrams.arrivals[0] - MilliSeconds(1);
        NS_TEST_EXPECT_MSG_EQ_TOL(took.GetNanoSeconds(), wanted, 4, "hop by hop");
        NS_TEST_EXPECT_MSG_EQ(flow.received, settings.bytes, "TCP, there and back");
        const double least = settings.bytes * 8.0 * 1502 / 1448 / 10e9;
        NS_TEST_EXPECT_MSG_EQ_TOL((flow.last - settings.start).GetSeconds() / least,
                                  1,
                                  0.1,
                                  "at the rate of the links");
    }

    /**
     * Routes that follow the links of a fabric, and routes that do not.
     *
     * @param routing how routes are found
     * @param followsPlan whether links need a lightpath
     */
    void TestRouteUpdate(const std::string& routing, bool followsPlan)
    {
        CheckCounts(routing, followsPlan, true, {10, 10, 10});
        // The packets wait for the ring
        CheckCounts(routing, followsPlan, false, {10, 0, 20});
    }

    /// The link of a device goes down and comes up with plans, or with failures only.
    void TestLinkStates()
    {
        CheckChanges(true,
                     "10 up 0, 10 up 2, 100 down 2, 110 up 1, 200 down 1, 310 down 0, 340 up 0, ");
        CheckChanges(false, "300 down 1, 310 down 0, 320 up 0, ");
    }

    /**
     * A queue disc above a device keeps what the device has no room for.
     *
     * @param disc the type of the queue disc
     * @param maxSize the room of the device
     * @param destinationMaxSize its room for each destination
     */
    void TestQueueDisc(const std::string& disc,
                       const std::string& maxSize,
                       const std::string& destinationMaxSize)
    {
        CheckRoom(disc, maxSize, destinationMaxSize, 80);
        CheckRoom(disc, maxSize, destinationMaxSize, 300);
    }

  private:
    static constexpr uint32_t ROOM = 100; //!< Packets of a queue disc

    /**
     * Set routes from each end to the other.
     *
     * @param nodes the nodes
     */
    static void SetStaticRoutes(const NodeContainer& nodes)
    {
        const std::vector<uint32_t> path = {0, 1, 3, 5, 6};
        const Ipv4Mask mask("255.255.255.0");
        for (std::size_t i = 0; i + 1 < path.size(); ++i)
        {
            // The network after node i has number i; the first of it is i, the last is i + 1
            const auto address = [i](uint32_t last) {
                return Ipv4Address(
                    ("10.1." + std::to_string(i) + "." + std::to_string(last)).c_str());
            };
            const uint32_t end = i == 1 || i == 2 ? 3 : 2;
            const auto there = nodes.Get(path[i])->GetObject<Ipv4>();
            const auto back = nodes.Get(path[i + 1])->GetObject<Ipv4>();
            Ipv4StaticRoutingHelper().GetStaticRouting(there)->AddNetworkRouteTo(
                "10.1.3.0",
                mask,
                address(end),
                there->GetInterfaceForAddress(address(1)));
            Ipv4StaticRoutingHelper().GetStaticRouting(back)->AddNetworkRouteTo(
                "10.1.0.0",
                mask,
                address(1),
                back->GetInterfaceForAddress(address(end)));
        }
    }

    /**
     * Send 10 packets before the failure, 10 during it and 10 after the repair.
     *
     * @param routing how routes are found
     * @param followsPlan whether links need a lightpath
     * @param follow whether routes follow links
     * @param expected the packets that arrive in each of these times
     */
    void CheckCounts(const std::string& routing,
                     bool followsPlan,
                     bool follow,
                     const std::vector<uint32_t>& expected)
    {
        // 0, 1, 2 are on a ring and on a switch; 3 is a host behind 2
        NodeContainer nodes(4);
        const NodeContainer inner(nodes.Get(0), nodes.Get(1), nodes.Get(2));
        // NIX routing knows no metrics: it takes the last of equal paths
        const auto circuitSwitch = InstallSwitch(inner);
        const auto ring = InstallRing(inner);
        const auto link = Link().Install(nodes.Get(2), nodes.Get(3));
        InstallStack(nodes, routing);
        Ipv4AddressHelper addresses("10.1.0.0", "255.255.255.0");
        for (const auto& network : {ring, circuitSwitch, link})
        {
            auto interfaces = addresses.Assign(network);
            addresses.NewNetwork();
            for (uint32_t i = 0; i < interfaces.GetN() && network.Get(0) == circuitSwitch.Get(0);
                 ++i)
            {
                interfaces.SetMetric(i, 10);
            }
        }
        const auto updater = CreateObject<RouteUpdater>();
        updater->SetAttribute("GlobalRouting", BooleanValue(routing == "global"));
        if (follow)
        {
            updater->Follow(ring);
            updater->Follow(circuitSwitch);
        }
        if (routing == "global")
        {
            Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        }
        UdpFlow datagrams(nodes.Get(0), nodes.Get(3), Ipv4Address("10.1.2.2"));
        for (uint32_t i = 0; i < 30; ++i)
        {
            datagrams.Send(MicroSeconds(500 + 1000 * i), 1, 1000);
        }
        const auto channel = DynamicCast<OpticalChannel>(FabricHelper::GetChannel(ring));
        const CircuitPlan plan = GetPlan();
        channel->SetAttribute("LinkFollowsPlan", BooleanValue(followsPlan));
        ScheduleFault(channel, MilliSeconds(10), "laser:0:0");
        ScheduleFault(channel, MilliSeconds(20), "laser:0:0", false);
        Simulator::Schedule(MilliSeconds(20), &OpticalChannel::Configure, channel, plan);
        std::vector<uint32_t> onRing(3, 0);
        ring.Get(0)->TraceConnectWithoutContext(
            "PhyTxEnd",
            Callback<void, Ptr<const Packet>>([&onRing](Ptr<const Packet>) {
                ++onRing[Simulator::Now().GetMicroSeconds() / 10000];
            }));
        Simulator::Run();
        std::vector<uint32_t> arrived(3, 0);
        for (const Time& arrival : datagrams.arrivals)
        {
            ++arrived[arrival.GetMicroSeconds() / 10000];
        }
        for (uint32_t i = 0; i < 3; ++i)
        {
            const uint32_t byRing = follow && i == 1 ? 0 : expected[i];
            NS_TEST_EXPECT_MSG_EQ(arrived[i], expected[i], "arrivals in time " << i);
            NS_TEST_EXPECT_MSG_EQ(onRing[i], byRing, "over the ring in time " << i);
        }
        // First light, if that matters, failure, repair
        NS_TEST_EXPECT_MSG_EQ(updater->GetNUpdates(), (follow ? 2U + followsPlan : 0U), "updates");
        Simulator::Destroy();
    }

    /**
     * @param followsPlan whether a link needs a lightpath to be up
     * @param expected the expected reports of changes
     */
    void CheckChanges(bool followsPlan, const std::string& expected)
    {
        std::string changes;
        NodeContainer nodes(3);
        const auto devices = InstallRing(nodes);
        const auto channel = DynamicCast<OpticalChannel>(FabricHelper::GetChannel(devices));
        channel->SetAttribute("LinkFollowsPlan", BooleanValue(followsPlan));
        for (uint32_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(devices.Get(i)->IsLinkUp(), !followsPlan, "at first");
            // The device keeps the callback, which must not keep the device
            const auto* const device = PeekPointer(devices.Get(i));
            devices.Get(i)->AddLinkChangeCallback(Callback<void>([&changes, i, device]() {
                const bool isUp = device->IsLinkUp();
                changes += std::to_string(Simulator::Now().GetMicroSeconds()) +
                           (isUp ? " up " : " down ") + std::to_string(i) + ", ";
            }));
        }
        const auto configure = [channel](Time time, std::vector<PortPair> pairs) {
            CircuitPlan plan;
            for (const auto& pair : pairs)
            {
                plan.AddLane(pair.first, pair.second, {0, 0});
            }
            Simulator::Schedule(time, &OpticalChannel::Configure, channel, plan);
        };
        // First light of 0 and 2 after 10 us; then 0 sends to another, 2 to none, and 1 begins
        configure(MicroSeconds(100), {{0, 1}, {1, 2}});
        // Given up before it has come
        configure(MicroSeconds(200), {{0, 1}, {2, 0}});
        configure(MicroSeconds(205), {{0, 1}});
        ScheduleFault(channel, MicroSeconds(300), "laser:1:0");
        ScheduleFault(channel, MicroSeconds(310), "laser:0:0");
        ScheduleFault(channel, MicroSeconds(320), "laser:0:0", false);
        configure(MicroSeconds(330), {{0, 2}});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(changes, expected, "changes");
        Simulator::Destroy();
    }

    /**
     * @param type the type of the queue disc
     * @param maxSize the room of the device
     * @param destinationMaxSize its room for each destination
     * @param count the number of packets
     */
    void CheckRoom(const std::string& type,
                   const std::string& maxSize,
                   const std::string& destinationMaxSize,
                   uint32_t count)
    {
        NodeContainer nodes(3);
        SipRingHelper fabric;
        fabric.SetNFibres(1);
        fabric.SetBandwidth(DataRate("50Gbps"));
        fabric.SetChannelAttribute("SwitchingDelay", TimeValue(MilliSeconds(1)));
        fabric.SetQueueAttribute("MaxSize", StringValue(maxSize));
        fabric.SetQueueAttribute("DestinationMaxSize", StringValue(destinationMaxSize));
        const auto devices = fabric.Install(nodes);
        InternetStackHelper().Install(nodes);
        TrafficControlHelper control;
        control.SetRootQueueDisc("ns3::" + type,
                                 "MaxSize",
                                 QueueSizeValue(QueueSize(PACKETS, ROOM)));
        const auto discs = control.Install(devices);
        const auto interfaces = Ipv4AddressHelper("10.1.1.0", "255.255.255.0").Assign(devices);
        CircuitPlan plan = MakeCircuits({{0, 1, {0, 0}}, {0, 2, {1, 0}}});
        const auto channel = DynamicCast<OpticalChannel>(FabricHelper::GetChannel(devices));
        Simulator::ScheduleNow(&OpticalChannel::Configure, channel, plan);
        UdpFlow first(nodes.Get(0), nodes.Get(1), interfaces.GetAddress(1));
        UdpFlow second(nodes.Get(0), nodes.Get(2), interfaces.GetAddress(2));
        first.Send(MicroSeconds(500), count / 2, 8972);
        second.Send(MicroSeconds(500), count / 2, 8972);
        uint32_t dropped = 0;
        CountPackets(devices.Get(0), "MacTxDrop", dropped);
        const auto queue = devices.Get(0)->GetObject<NetDeviceQueueInterface>()->GetTxQueue(0);
        const auto disc = discs.Get(0);
        Simulator::Schedule(MicroSeconds(900), [&]() {
            const uint32_t inDevice =
                DynamicCast<OpticalNetDevice>(devices.Get(0))->GetQueue()->GetNPackets();
            const auto& stats = disc->GetStats();
            NS_TEST_EXPECT_MSG_EQ(queue->IsStopped(), true, "stopped");
            NS_TEST_EXPECT_MSG_EQ(inDevice + disc->GetNPackets() + stats.nTotalDroppedPackets,
                                  count,
                                  "all wait or were dropped by the queue disc");
            NS_TEST_EXPECT_MSG_EQ((disc->GetNPackets() > 0), true, "some wait there");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(dropped, 0, "the device drops none");
        NS_TEST_EXPECT_MSG_EQ(queue->IsStopped(), false, "woken");
        const uint32_t dropsOfDisc = disc->GetStats().nTotalDroppedPackets;
        NS_TEST_EXPECT_MSG_EQ(first.arrivals.size() + second.arrivals.size() + dropsOfDisc,
                              count,
                              "the rest arrives");
        NS_TEST_EXPECT_MSG_EQ((dropsOfDisc > 0), (count > ROOM), "it drops what has no room");
        Simulator::Destroy();
    }

    static constexpr auto PACKETS = QueueSizeUnit::PACKETS; //!< What queue discs count
};

/**
 * @ingroup lightpath-tests
 * @return test cases about routes, links and queue discs
 */
static std::vector<TestCase*>
MakeIpRoutingTests()
{
    std::vector<TestCase*> tests;
    for (const std::string routing : {"static", "global", "NIX"})
    {
        tests.push_back(MakeCase("Two fabrics in the path", &IpRoutingTests::TestRoute, routing));
    }
    for (const std::string routing : {"global", "NIX"})
    {
        for (const bool followsPlan : {false, true})
        {
            tests.push_back(MakeCase("Routes follow links",
                                     &IpRoutingTests::TestRouteUpdate,
                                     routing,
                                     followsPlan));
        }
    }
    tests.push_back(MakeCase("Links of devices", &IpRoutingTests::TestLinkStates));
    for (const std::string disc : {"PfifoFastQueueDisc", "FqCoDelQueueDisc", "RedQueueDisc"})
    {
        for (const auto& [room, ofDestination] :
             std::vector<std::pair<std::string, std::string>>{{"20p", "20p"},
                                                              {"20p", "5p"},
                                                              {"18020B", "1000p"},
                                                              {"1000p", "18020B"}})
        {
            tests.push_back(MakeCase("Room of a device below a queue disc",
                                     &IpRoutingTests::TestQueueDisc,
                                     disc,
                                     room,
                                     ofDestination));
        }
    }
    return tests;
}

/// Registers the test cases
static const SuiteCases g_ipRoutingCases("lightpath-ip", {MakeIpRoutingTests()});
