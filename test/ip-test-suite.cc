/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-parts.h"
#include "ip-fixture.h"
#include "method-case.h"

#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/mrr-ring-channel.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/ring-link-helper.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// A ring whose circuits move to another wavelength once in each period, with IPv4.
class SwitchedRing
{
  public:
    /**
     * @param period the time from one reconfiguration to the next
     * @param dark the darkness of each
     */
    SwitchedRing(Time period, Time dark)
        : m_period(period)
    {
        nodes.Create(4);
        SipRingHelper fabric;
        fabric.SetNFibres(1);
        fabric.SetWavelengthRate(DataRate("25Gbps"));
        fabric.SetBandwidth(DataRate("100Gbps"));
        fabric.SetChannelAttribute("SwitchingDelay", TimeValue(dark));
        fabric.SetChannelAttribute("Delay", StringValue("5us"));
        const auto devices = fabric.Install(nodes);
        ring = DynamicCast<MrrRingChannel>(FabricHelper::GetChannel(devices));
        interfaces = fabric.AssignAddresses(devices);
        Simulator::ScheduleNow(&SwitchedRing::Switch, this, 0);
    }

    NodeContainer nodes;               //!< The nodes
    Ptr<MrrRingChannel> ring;          //!< The ring
    Ipv4InterfaceContainer interfaces; //!< The interfaces by node

  private:
    /**
     * @param wavelength the wavelength to switch to, 0 or 1
     */
    void Switch(uint32_t wavelength)
    {
        ring->Configure(MakeCircuits({{0, 1, {0, wavelength}}, {1, 0, {1, wavelength}}}));
        Simulator::Schedule(m_period, &SwitchedRing::Switch, this, 1 - wavelength);
    }

    Time m_period; //!< Time from one reconfiguration to the next
};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Tests of the Internet protocols over fabrics of circuits.
 */
class IpTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * TCP reaches the throughput of a ring that is dark for a share of the time.
     *
     * @param congestionControl the name of the type of the congestion control, without ns3::
     * @param percent the share of the time that the ring is dark
     * @param period the time from one reconfiguration to the next
     */
    void TestDarkShare(const std::string& congestionControl, uint32_t percent, Time period)
    {
        SwitchedRing fabric(period, period * int64_t{percent} / 100);
        TcpSettings settings;
        settings.congestionControl = "ns3::" + congestionControl;
        const TcpFlow flow(fabric.nodes.Get(0),
                           fabric.nodes.Get(1),
                           fabric.interfaces.GetAddress(1),
                           settings);
        const Time duration = MilliSeconds(20);
        Simulator::Stop(duration);
        Simulator::Run();
        const double live = (duration - fabric.ring->GetDarkTime()).GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(live / duration.GetSeconds(),
                                  1 - percent / 100.0,
                                  1e-9,
                                  "the live share");
        const double most = live * 25e9 / 8;
        NS_TEST_EXPECT_MSG_GT(flow.received, 0.8 * most, "80 % of what the light can carry");
        NS_TEST_EXPECT_MSG_LT(flow.received, most * 8960 / 9014, "headers take the rest");
        NS_TEST_EXPECT_MSG_EQ(flow.timeouts, 0, "no timeout");
        NS_TEST_EXPECT_MSG_EQ(flow.recoveries, 0, "no loss");
        Simulator::Destroy();
    }

    /// Darkness that is longer than the least timeout is taken for a loss.
    void TestTimeout()
    {
        constexpr uint32_t periods = 10;
        const auto shortRto = Send(MilliSeconds(1), periods);
        NS_TEST_EXPECT_MSG_GT(shortRto.first, periods - 2, "a timeout in each darkness, at least");
        const auto longRto = Send(MilliSeconds(6), periods);
        NS_TEST_EXPECT_MSG_EQ(longRto.first, 0, "none if it is longer than the darkness");
        // 5 of 10 ms have light
        const double most = periods * 5e-3 * 25e9 / 8;
        NS_TEST_EXPECT_MSG_GT(longRto.second, 0.8 * most, "nothing else is lost");
        NS_TEST_EXPECT_MSG_GT(longRto.second, shortRto.second, "a timeout costs bandwidth");
    }

    /// A ring that replaces a link has the times of the link.
    void TestRingLink()
    {
        const Outcome link = SendRingLink<PointToPointHelper>();
        const Outcome ring = SendRingLink<RingLinkHelper>();
        // UDP and IPv4 have headers of 28 bytes, a frame of PPP 2 and one of Ethernet 14
        NS_TEST_EXPECT_MSG_EQ(link.datagram, MicroSeconds(50) + NanoSeconds(1054 * 8), "a link");
        NS_TEST_EXPECT_MSG_EQ(ring.datagram, MicroSeconds(50) + NanoSeconds(1066 * 8), "a ring");
        NS_TEST_EXPECT_MSG_EQ(link.bytes, BYTES, "all comes in");
        NS_TEST_EXPECT_MSG_EQ(ring.bytes, BYTES, "all comes in");
        NS_TEST_EXPECT_MSG_EQ_TOL(ring.last.GetSeconds() / link.last.GetSeconds(),
                                  1514.0 / 1502,
                                  0.002,
                                  "headers make the difference");
        CheckSizes();
    }

  private:
    /**
     * Send while 5 ms of each 10 ms are dark.
     *
     * @param minRto the least timeout
     * @param periods the number of periods
     * @return the timeouts and the bytes received
     */
    static std::pair<uint32_t, uint64_t> Send(Time minRto, uint32_t periods)
    {
        SwitchedRing fabric(MilliSeconds(10), MilliSeconds(5));
        TcpSettings settings;
        settings.minRto = minRto;
        settings.start = MilliSeconds(6);
        const TcpFlow flow(fabric.nodes.Get(0),
                           fabric.nodes.Get(1),
                           fabric.interfaces.GetAddress(1),
                           settings);
        Simulator::Stop(MilliSeconds(10) * int64_t{periods});
        Simulator::Run();
        Simulator::Destroy();
        return {flow.timeouts, flow.received};
    }

    /// The data received.
    struct Outcome
    {
        Time datagram;  //!< Time that a datagram of 1024 bytes takes
        uint64_t bytes; //!< Bytes through TCP
        Time last;      //!< When the last of them came in
    };

    /**
     * @tparam Helper the helper that builds the link
     * @return the data received over it
     */
    template <typename Helper>
    static Outcome SendRingLink()
    {
        NodeContainer nodes(2);
        Helper link;
        link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
        link.SetDeviceAttribute("Mtu", UintegerValue(1500));
        link.SetChannelAttribute("Delay", StringValue("50us"));
        const NetDeviceContainer devices = link.Install(nodes.Get(0), nodes.Get(1));
        InternetStackHelper().Install(nodes);
        const auto interfaces = Ipv4AddressHelper("10.1.1.0", "255.255.255.0").Assign(devices);
        UdpFlow datagrams(nodes.Get(0), nodes.Get(1), interfaces.GetAddress(1));
        datagrams.Send(MilliSeconds(1), 1, 1024);
        TcpSettings settings;
        settings.segmentSize = 1448;
        settings.bufferSize = 100000;
        settings.bytes = BYTES;
        settings.start = MilliSeconds(2);
        const TcpFlow flow(nodes.Get(0), nodes.Get(1), interfaces.GetAddress(1), settings);
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        Simulator::Destroy();
        const bool arrived = datagrams.arrivals.size() == 1;
        return {arrived ? datagrams.arrivals[0] - MilliSeconds(1) : Time(0),
                flow.received,
                flow.last - settings.start};
    }

    /// Networks of several nodes: an equal rate for each pair.
    void CheckSizes()
    {
        for (uint32_t n = 2; n <= 9; ++n)
        {
            RingLinkHelper network;
            network.SetDeviceAttribute("DataRate", DataRateValue(DataRate("84Gbps")));
            NodeContainer nodes(n);
            const auto channel = FabricHelper::GetChannel(network.Install(nodes));
            const auto ring = DynamicCast<OpticalChannel>(channel);
            for (uint32_t i = 0; i < n * n; ++i)
            {
                const auto lanes = ring->GetLive().GetLanes(i / n, i % n).size();
                NS_TEST_EXPECT_MSG_EQ(lanes, (i / n == i % n ? 0 : 1), "a lane for each pair");
            }
            NS_TEST_EXPECT_MSG_EQ(ring->GetLaneRate(), DataRate(84e9 / (n - 1)), "its rate");
            Simulator::Destroy();
        }
    }

    static constexpr uint64_t BYTES = 20000000; //!< Bytes through TCP
};

/**
 * @ingroup lightpath-tests
 * @return the test cases of this file
 */
static std::vector<TestCase*>
ListCases()
{
    std::vector<TestCase*> cases;
    for (const std::string congestionControl : {"TcpNewReno", "TcpCubic", "TcpDctcp"})
    {
        for (const uint32_t percent : {10, 50, 90})
        {
            for (const Time& period : {MicroSeconds(100), MicroSeconds(1000)})
            {
                cases.push_back(MakeCase("TCP through darkness",
                                         &IpTests::TestDarkShare,
                                         congestionControl,
                                         percent,
                                         period));
            }
        }
    }
    cases.push_back(MakeCase("Timeouts in long darkness", &IpTests::TestTimeout));
    cases.push_back(MakeCase("A ring instead of a link", &IpTests::TestRingLink));
    return cases;
}

/// Registers the test cases
static const SuiteCases g_ipCases("lightpath-ip", {ListCases()});
