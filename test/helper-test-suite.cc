/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "ip-fixture.h"
#include "method-case.h"

#include "ns3/boolean.h"
#include "ns3/circuit-fabric-helper.h"
#include "ns3/error-model.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/icmpv4.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-flow-classifier.h"
#include "ns3/ipv4-flow-probe.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-raw-socket-factory.h"
#include "ns3/node-container.h"
#include "ns3/optical-channel.h"
#include "ns3/optical-net-device.h"
#include "ns3/pcap-file.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <fstream>
#include <iterator>
#include <map>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Ping and TCP cross a fabric of circuits, which is reconfigured meanwhile; pcap, ascii
 * traces and FlowMonitor see them.
 */
class InternetTestCase : public TestCase
{
  public:
    /**
     * @param fabric the name of the fabric
     */
    explicit InternetTestCase(const std::string& fabric)
        : TestCase("Ping and TCP over " + fabric),
          m_fabric(fabric)
    {
    }

  private:
    /// Bytes that the TCP flow carries.
    static constexpr uint32_t BYTES = 30000000;

    void DoRun() override
    {
        const std::string pcap = CreateTempDirFilename(m_fabric + ".pcap");
        const std::string ascii = CreateTempDirFilename(m_fabric + ".tr");
        const uint32_t frames = Simulate(pcap, ascii);
        CheckPcap(pcap, frames);
        std::ifstream trace(ascii);
        const std::string text{std::istreambuf_iterator<char>(trace), {}};
        for (const std::string event : {"+ ", "- ", "r "})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(text, "\n" + event), true, "event " << event);
        }
    }

    /**
     * Simulate; the traces of node 0 are complete once this returns.
     *
     * @param pcap the name of the file for its capture
     * @param ascii the name of the file for its ascii trace
     * @return the number of frames that node 0 sent and received
     */
    uint32_t Simulate(const std::string& pcap, const std::string& ascii)
    {
        const auto fabric = FabricHelper::Create(m_fabric);
        fabric->SetBandwidth(DataRate("500Gbps"));
        fabric->SetChannelAttribute("SwitchingDelay", StringValue("2ms"));
        NodeContainer nodes(4);
        const auto devices = fabric->Install(nodes);
        InternetStackHelper().Install(nodes);
        Ipv4AddressHelper addresses("10.1.1.0", "255.255.255.0");
        m_interfaces = addresses.Assign(devices);
        fabric->EnablePcap(pcap, devices.Get(0), true, true);
        fabric->EnableAscii(ascii, devices.Get(0), true);
        FlowMonitorHelper flowHelper;
        const auto monitor = flowHelper.Install(nodes);

        // Both directions of one pair first; then all pairs, which moves the first pair's lanes
        const auto channel = DynamicCast<OpticalChannel>(FabricHelper::GetChannel(devices));
        const auto controller = fabric->CreateController(devices);
        TrafficMatrix pair(4);
        pair.Add(0, 1, 1);
        pair.Add(1, 0, 1);
        TrafficMatrix all(4);
        for (uint32_t source = 0; source < 4; ++source)
        {
            for (uint32_t hop = 1; hop < 4; ++hop)
            {
                all.Add(source, (source + hop) % 4, 1);
            }
        }
        Simulator::ScheduleNow(&CircuitController::Start, controller, pair);
        Simulator::Schedule(MilliSeconds(6), &CircuitController::Start, controller, all);
        uint32_t frames = 0;
        for (const std::string event : {"PhyTxBegin", "PhyRxEnd"})
        {
            devices.Get(0)->TraceConnectWithoutContext(
                event,
                Callback<void, Ptr<const Packet>>([&frames](Ptr<const Packet>) { ++frames; }));
        }
        SetUpPing(nodes);
        TcpSettings settings;
        settings.segmentSize = 8948;
        settings.start = MicroSeconds(5800);
        settings.bytes = BYTES;
        const TcpFlow flow(nodes.Get(0), nodes.Get(1), m_interfaces.GetAddress(1), settings);
        Simulator::Stop(Seconds(3));
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(m_replies, 2, "echo replies, one of a ping sent in the darkness");
        NS_TEST_EXPECT_MSG_EQ(flow.received, BYTES, "bytes through TCP");
        NS_TEST_EXPECT_MSG_GT(flow.last,
                              MilliSeconds(8),
                              "the flow goes on after the reconfiguration");
        NS_TEST_EXPECT_MSG_EQ(channel->GetNReconfigurations(), 2, "reconfigurations");
        CheckFlows(monitor);
        Simulator::Destroy();
        return frames;
    }

    /**
     * Let node 0 ping node 1 twice: with circuits, and in the darkness.
     *
     * @param nodes the nodes
     */
    void SetUpPing(const NodeContainer& nodes)
    {
        const auto socket = Socket::CreateSocket(nodes.Get(0), Ipv4RawSocketFactory::GetTypeId());
        socket->SetAttribute("Protocol", UintegerValue(1));
        socket->Bind();
        socket->SetRecvCallback(Callback<void, Ptr<Socket>>([this](Ptr<Socket> from) {
            while (const auto packet = from->Recv())
            {
                Ipv4Header ip;
                Icmpv4Header icmp;
                packet->RemoveHeader(ip);
                packet->RemoveHeader(icmp);
                m_replies += icmp.GetType() == Icmpv4Header::ICMPV4_ECHO_REPLY;
            }
        }));
        for (const int64_t milliseconds : {4, 7})
        {
            Simulator::Schedule(MilliSeconds(milliseconds), [this, socket]() {
                Icmpv4Echo echo;
                echo.SetIdentifier(1);
                echo.SetData(Create<Packet>(56));
                Icmpv4Header icmp;
                icmp.SetType(Icmpv4Header::ICMPV4_ECHO);
                const auto packet = Create<Packet>();
                packet->AddHeader(echo);
                packet->AddHeader(icmp);
                socket->SendTo(packet, 0, InetSocketAddress(m_interfaces.GetAddress(1), 0));
            });
        }
    }

    /**
     * Check what FlowMonitor has seen of the TCP flow.
     *
     * @param monitor the monitor
     */
    void CheckFlows(Ptr<FlowMonitor> monitor)
    {
        uint64_t most = 0;
        for (const auto& flow : monitor->GetFlowStats())
        {
            most = std::max(most, flow.second.rxBytes);
        }
        NS_TEST_EXPECT_MSG_GT(most, BYTES, "bytes of the largest flow, with headers");
    }

    /**
     * Check a capture.
     *
     * @param name the name of the file
     * @param frames the number of frames that must be in it
     */
    void CheckPcap(const std::string& name, uint32_t frames)
    {
        PcapFile file;
        file.Open(name, std::ios::in);
        NS_TEST_ASSERT_MSG_EQ(file.Fail(), false, "the capture exists");
        NS_TEST_EXPECT_MSG_EQ(file.GetDataLinkType(), 1, "Ethernet");
        std::vector<uint8_t> data(65536);
        uint32_t count = 0;
        uint32_t ipv4 = 0;
        while (true)
        {
            uint32_t seconds;
            uint32_t microseconds;
            uint32_t included;
            uint32_t original;
            uint32_t read;
            file.Read(data.data(), data.size(), seconds, microseconds, included, original, read);
            if (file.Fail() || file.Eof())
            {
                break;
            }
            ++count;
            ipv4 += read > 14 && data[12] == 0x08 && data[13] == 0x00 && data[14] >> 4 == 4;
        }
        NS_TEST_EXPECT_MSG_EQ(count, frames, "frames in the capture");
        NS_TEST_EXPECT_MSG_EQ(ipv4, frames, "all of which hold IPv4: nothing asks for addresses");
    }

    std::string m_fabric;                //!< Name of the fabric
    Ipv4InterfaceContainer m_interfaces; //!< The interfaces by node
    uint32_t m_replies{0};               //!< Echo replies received
};

/**
 * @ingroup lightpath-tests
 * @brief Tests of the helpers, and of other models on top of a fabric.
 */
class HelperTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Helpers refuse impossible fabrics.
    void TestFabricHelper()
    {
        const std::string abort = GetAbort([]() { FabricHelper::Create("sip-star"); });
        NS_TEST_EXPECT_MSG_EQ(Contains(abort, FabricHelper::CheckName("sip-star")), true, abort);
        const std::string unknown = FabricHelper::CheckName("sip-star");
        EXPECT_PART(unknown,
                    "There is no fabric 'sip-star': the known ones are dragonfly, electrical");
        const auto check = [](const std::string& name, DataRate bandwidth) {
            const auto fabric = FabricHelper::Create(name);
            fabric->SetBandwidth(bandwidth);
            return fabric->Check(4);
        };
        const std::string ring = check("sip-ring", DataRate("310Gbps"));
        EXPECT_PART(ring, "a multiple of 50 Gb/s, or a wavelength have another rate, like 19.375");
        const std::string ocs = check("sip-ocs", DataRate("30Gbps"));
        EXPECT_PART(ocs, "it must be a multiple of 25 Gb/s");
        const std::string zero = check("electrical", DataRate(0));
        EXPECT_PART(zero, "must not be zero");
        // All lanes of a ring of 8 nodes: 80 wavelengths of 25 Gb/s a node
        const auto helper = FabricHelper::Create("sip-ring");
        NodeContainer nodes(8);
        const auto devices = helper->Install(nodes);
        const auto controller = helper->CreateController(devices);
        TrafficMatrix neighbours(8);
        for (uint32_t node = 0; node < 8; ++node)
        {
            neighbours.Add(node, (node + 1) % 8, 1000);
            neighbours.Add(node, (node + 7) % 8, 1000);
        }
        controller->Start(neighbours);
        NS_TEST_EXPECT_MSG_EQ(controller->GetChannel()->GetPlan().GetNLanes(), 8 * 80, "lanes");
        NS_TEST_EXPECT_MSG_EQ(controller->GetUnserved().empty(), true, "all pairs are served");
        Simulator::Destroy();
    }

    /// A controller decides again from what waits in the devices.
    void TestController()
    {
        const auto helper = FabricHelper::Create("sip-ocs");
        auto& circuits = dynamic_cast<CircuitFabricHelper&>(*helper);
        circuits.SetControllerAttribute("Trigger", StringValue("Periodic"));
        circuits.SetControllerAttribute("DecisionInterval", StringValue("100us"));
        helper->SetChannelAttribute("SwitchingDelay", StringValue("20us"));
        NodeContainer nodes(3);
        const auto devices = helper->Install(nodes);
        const auto controller = helper->CreateController(devices);
        const auto channel = controller->GetChannel();
        TrafficMatrix planned(3);
        planned.Add(0, 1, 1000);
        controller->Start(planned);
        std::vector<Time> decisions;
        controller->TraceConnectWithoutContext(
            "Decision",
            Callback<void, const TrafficMatrix&, const CircuitAllocation&>(
                [&decisions](const TrafficMatrix&, const CircuitAllocation&) {
                    decisions.push_back(Simulator::Now());
                }));
        const auto device = DynamicCast<OpticalNetDevice>(devices.Get(0));
        Simulator::Schedule(MicroSeconds(50), [&]() {
            device->Send(Create<Packet>(5000), devices.Get(2)->GetAddress(), 0x88b5);
        });
        Simulator::Schedule(MicroSeconds(119), [&]() {
            NS_TEST_EXPECT_MSG_EQ(device->GetBacklog(2), 5014, "waits for a circuit");
            NS_TEST_EXPECT_MSG_EQ(channel->GetPlan().GetLanes(0, 2).size(), 0, "none yet");
        });
        Simulator::Schedule(MicroSeconds(139), [&]() {
            NS_TEST_EXPECT_MSG_EQ(channel->GetPlan().GetLanes(0, 2).size(), 20, "all circuits");
            NS_TEST_EXPECT_MSG_EQ(device->GetBacklog(2), 5014, "still dark");
        });
        Simulator::Schedule(MicroSeconds(141),
                            [&]() { NS_TEST_EXPECT_MSG_EQ(device->GetBacklog(2), 0, "sent"); });
        Simulator::Schedule(MicroSeconds(700), &CircuitController::Stop, controller);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(decisions.size(), 1, "no decision without a backlog");
        NS_TEST_EXPECT_MSG_EQ(decisions[0], MicroSeconds(120), "20 us dark and 100 us of service");
        NS_TEST_EXPECT_MSG_EQ(channel->GetDarkTime(), MicroSeconds(40), "two reconfigurations");
        Simulator::Destroy();
    }

    /// Of 30 datagrams at once, 1 is sent, 10 fit into the queue, and 2 of these 11 are corrupt.
    void TestLosses()
    {
        const std::string prefix = CreateTempDirFilename("losses");
        SimulateLosses(prefix);
        CheckTraces(prefix + "-0-0", {{'+', 11}, {'-', 11}, {'d', 19}}, 11);
        CheckTraces(prefix + "-1-0", {{'r', 9}, {'d', 2}}, 9);
    }

  private:
    /**
     * Send the datagrams; captures and traces are complete once this returns.
     *
     * @param prefix the beginning of the names of their files
     */
    void SimulateLosses(const std::string& prefix)
    {
        SipRingHelper fabric;
        fabric.DisableFlowControl();
        fabric.SetChannelAttribute("InitialSwitching", BooleanValue(false));
        fabric.SetQueueAttribute("MaxSize", StringValue("10p"));
        NodeContainer nodes;
        nodes.Create(2);
        const auto devices = fabric.Install(nodes);
        const auto interfaces = fabric.AssignAddresses(devices);
        const auto errors = CreateObject<ReceiveListErrorModel>();
        errors->SetList({2, 5});
        devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        fabric.EnablePcap(prefix, devices, true);
        fabric.EnableAscii(prefix, devices);
        FlowMonitorHelper flows;
        const auto monitor = flows.Install(nodes);
        TrafficMatrix demand(2);
        demand.Add(0, 1, 1);
        fabric.CreateController(devices)->Start(demand);
        const auto sink = Socket::CreateSocket(nodes.Get(1), UdpSocketFactory::GetTypeId());
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        const auto socket = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
        socket->Connect(InetSocketAddress(interfaces.GetAddress(1), 9));
        Simulator::Schedule(MicroSeconds(1), [socket]() {
            for (uint32_t i = 0; i < 30; ++i)
            {
                socket->Send(Create<Packet>(1000));
            }
        });
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        monitor->CheckForLostPackets(Time(0));
        const auto flow = monitor->GetFlowStats().at(1);
        NS_TEST_EXPECT_MSG_EQ(flow.txPackets, 30, "datagrams");
        NS_TEST_EXPECT_MSG_EQ(flow.rxPackets, 9, "that arrive");
        NS_TEST_EXPECT_MSG_EQ(flow.lostPackets, 21, "that do not");
        NS_TEST_EXPECT_MSG_EQ(flow.packetsDropped.at(Ipv4FlowProbe::DROP_QUEUE),
                              19,
                              "by the queue");
        Simulator::Destroy();
    }

    /**
     * Check the ascii trace and the capture of a device.
     *
     * @param name the name of the files without their ends
     * @param events the number of lines that begin with each letter
     * @param frames the number of frames of 1000 bytes of data in the capture
     */
    void CheckTraces(const std::string& name, std::map<char, int> events, std::size_t frames)
    {
        std::ifstream trace(name + ".tr");
        std::map<char, int> found;
        for (std::string line; std::getline(trace, line);)
        {
            ++found[line.front()];
        }
        for (const auto& [letter, number] : events)
        {
            NS_TEST_EXPECT_MSG_EQ(found[letter], number, letter << " in " << name);
        }
        // A header of 24 bytes; each frame has 16, and headers of Ethernet, IPv4 and UDP
        std::ifstream capture(name + ".pcap", std::ios::ate);
        NS_TEST_EXPECT_MSG_EQ(static_cast<std::size_t>(capture.tellg()),
                              24 + frames * (16 + 14 + 20 + 8 + 1000),
                              "bytes of the capture " << name);
    }
};

/// Registers the test cases
static const SuiteCases g_helperCases(
    "lightpath-helper",
    {{new InternetTestCase("sip-ring"),
      new InternetTestCase("sip-ocs"),
      MakeCase("Bandwidths, names and limits of the fabric helpers",
               &HelperTests::TestFabricHelper),
      MakeCase("Periodic decisions from the backlog", &HelperTests::TestController),
      MakeCase("Lost frames in captures, traces and flows", &HelperTests::TestLosses)}});
