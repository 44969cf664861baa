/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "training-fixture.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/rdma-card.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-net-device.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-switch.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/training-report.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Bytes of a full packet with headers.
constexpr uint32_t ROCE_FRAME = 4096 + 62;

/// Bytes of an acknowledgement.
constexpr uint32_t ROCE_ACK = 66;

/**
 * @param bytes the size of a frame
 * @param rate the rate of a link in Gb/s
 * @return the time that it takes with preamble and gap, ps
 */
int64_t
GetTime(uint32_t bytes, uint32_t rate)
{
    return int64_t{bytes + 20} * 8000 / rate;
}

/**
 * @param rates the rate of the link of each port in Gb/s
 * @param delay the delay of each link
 * @return ports around one switch
 */
LinkGraph
MakeStar(const std::vector<uint32_t>& rates, Time delay)
{
    LinkGraph graph(static_cast<uint32_t>(rates.size()));
    const uint32_t hub = graph.AddSwitch("hub");
    for (uint32_t i = 0; i < rates.size(); ++i)
    {
        graph.Connect(i, hub, DataRate(rates[i] * 1000000000ULL), delay);
    }
    return graph;
}

/**
 * @brief Sends at the rate of the link, in the longest frames.
 */
class FullFrames : public LineRate
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lightpath::FullFrames")
                                .SetParent<LineRate>()
                                .SetGroupName("Lightpath")
                                .AddConstructor<FullFrames>();
        return tid;
    }

    Signals GetSignals() const override
    {
        return {16, 0, true};
    }
};

/// A network, and what has arrived.
struct Rig
{
    /**
     * @param graph the network
     * @param congestion the name of the congestion control
     */
    Rig(const LinkGraph& graph, const std::string& congestion)
        : helper(std::make_unique<LinkGraphHelper>(LinkGraphHelper::CUSTOM))
    {
        helper.GetGraph().SetGraph(graph);
        helper.SetCongestion(congestion);
    }

    ~Rig()
    {
        Simulator::Destroy();
    }

    /**
     * Install the network.
     */
    void Install()
    {
        nodes.Create(helper.GetGraph().GetGraph(0).GetNPorts());
        devices = helper.Install(nodes);
        network = RdmaHelper::GetNetwork(devices);
        network->AssignStreams(1);
        for (uint32_t i = 0; i < devices.GetN(); ++i)
        {
            Get(i)->SetMessageCallback([this, i](uint32_t from, uint64_t id, uint64_t bytes) {
                times[{from, i}] = Simulator::Now();
                received += bytes;
            });
        }
    }

    /**
     * @param port a port
     * @return its card
     */
    Ptr<RdmaNetDevice> Get(uint32_t port) const
    {
        return DynamicCast<RdmaNetDevice>(devices.Get(port));
    }

    RdmaHelper helper;                                   //!< The helper
    NodeContainer nodes;                                 //!< The nodes
    NetDeviceContainer devices;                          //!< Their cards
    Ptr<RdmaNetwork> network;                            //!< The network
    std::map<std::pair<uint32_t, uint32_t>, Time> times; //!< When the last message of a pair came
    uint64_t received{0};                                //!< Bytes that have arrived
};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of networks for RDMA.
 */
class RdmaTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * A message takes the time of its packets on one link, and of the last one on the other.
     *
     * @param nPackets the packets of the message
     * @param delay the delay of messages
     * @param skip the packets that need not be simulated
     */
    void TestMessage(uint32_t nPackets, uint32_t delay, std::string skip)
    {
        Rig rig(MakeStar({100, 100}, MicroSeconds(1)), "pfc");
        rig.helper.SetNetworkAttribute("Skip", StringValue(skip));
        rig.helper.SetMessageDelay(MicroSeconds(delay));
        rig.Install();
        rig.Get(0)->Post(1, 7, nPackets * 4096);
        Simulator::Run();
        const int64_t expected =
            (nPackets + 1) * GetTime(ROCE_FRAME, 100) + 2000000 + int64_t{delay} * 1000000;
        // In ns, rounded up
        NS_TEST_EXPECT_MSG_EQ((rig.times[{0, 1}].GetNanoSeconds()),
                              (expected + 999) / 1000,
                              "store and forward");
        NS_TEST_EXPECT_MSG_EQ(rig.network->IsMoving(), false, "all has arrived");
        NS_TEST_EXPECT_MSG_EQ(rig.network->GetCounts().resent, 0, "once");
        // All but the first, which is the one that is acknowledged, and the last
        const uint64_t skipped = skip == "steady" ? nPackets - 2 : 0;
        NS_TEST_EXPECT_MSG_EQ(rig.network->GetCounts().skipped, skipped, "packets left out");
        NS_TEST_EXPECT_MSG_EQ(rig.Get(0)->GetSentBytes(), nPackets * ROCE_FRAME, "bytes sent");
    }

    /**
     * What begins brings packets back that had been left out: messages end as if all were
     * simulated, and a link with enough to send is busy.
     *
     * @param congestion the congestion control
     * @param least the least share of packets that may be left out, percent
     */
    void TestSkip(std::string congestion, uint32_t least)
    {
        constexpr uint32_t packets = 5000;
        std::vector<double> times;
        for (const std::string skip : {"none", "steady"})
        {
            Rig rig(MakeStar({100, 100, 100, 100}, MicroSeconds(1)), congestion);
            rig.helper.SetNetworkAttribute("Skip", StringValue(skip));
            // Marks without chance, as one notification more or less halves a rate
            rig.helper.SetSwitchAttribute("Kmin", UintegerValue(400000));
            rig.helper.SetSwitchAttribute("Kmax", UintegerValue(400000));
            rig.Install();
            // The second one meets the first in its middle, and the third neither
            rig.Get(0)->Post(3, 1, packets * 4096);
            Simulator::Schedule(MicroSeconds(800), [&] {
                rig.Get(1)->Post(3, 1, packets * 4096);
                rig.Get(2)->Post(1, 1, packets * 4096);
            });
            Simulator::Run();
            std::size_t place = 0;
            for (const auto& [pair, time] : rig.times)
            {
                times.push_back(time.GetSeconds());
                // Of all packets, both times without skipping
                const double all = times[place++];
                NS_TEST_EXPECT_MSG_EQ_TOL(times.back() / all, 1, 0.005, "the time");
            }
            const auto& counts = rig.network->GetCounts();
            NS_TEST_EXPECT_MSG_EQ(
                (100 * counts.skipped >= (skip == "none" ? 0 : least) * uint64_t{3 * packets}),
                true,
                counts.skipped << " packets left out");
            if (congestion == "pfc")
            {
                const double busy = 2 * packets * GetTime(ROCE_FRAME, 100) * 1e-12;
                NS_TEST_EXPECT_MSG_EQ_TOL(rig.times.at({1, 3}).GetSeconds() / busy,
                                          1,
                                          0.005,
                                          "busy");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(times.size(), 6, "all arrive");
    }

    /**
     * What arrives until a pause has stopped a sender fits in the usual headroom, and in the one
     * that is computed here frame by frame, but not in a byte less.
     *
     * @param rate the rate of the links in Gb/s
     * @param delay the delay of each in ns
     */
    void TestHeadroom(uint32_t rate, uint32_t delay)
    {
        // Next to nothing leaves the switch for the third card. The second one sends a frame to
        // the first, for which its link is busy from 1 ns before the one that has the first paused
        constexpr uint32_t bytes = ROCE_FRAME + 42;
        const int64_t frame = GetTime(bytes, rate);
        const int64_t until = 2000 * int64_t{delay} + GetTime(64, rate) + frame - 1000;
        // The first card begins one in each of these times; those on the link arrive as well
        const int64_t room = (1 + (until + frame - 1) / frame) * bytes;
        for (const int64_t headroom : {int64_t{0}, room, room - 1})
        {
            Rig rig(MakeStar({rate, rate, 1}, NanoSeconds(delay)),
                    FullFrames::GetTypeId().GetName());
            rig.helper.SetSwitchAttribute("Headroom", UintegerValue(headroom));
            rig.helper.SetSwitchAttribute("PauseThreshold", UintegerValue(3 * bytes));
            rig.Install();
            Simulator::Schedule(NanoSeconds(1), [&] { rig.Get(0)->Post(2, 1, 100 * 4096); });
            rig.Get(1)->Post(0, 1, 15 * 4096);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(rig.received, 115 * 4096, "the messages arrive");
            NS_TEST_EXPECT_MSG_EQ((rig.network->GetCounts().drops > 0),
                                  (headroom == room - 1),
                                  "losses with " << headroom << " of " << room);
            NS_TEST_EXPECT_MSG_EQ((rig.network->GetCounts().pauses > 0), true, "pauses");
            const auto usual = static_cast<int64_t>(
                RdmaSwitch::GetUsualHeadroom(4096, rig.network->GetLinks()[0]));
            NS_TEST_EXPECT_MSG_EQ((usual >= room && usual < room + 64), true, "no more, no less");
        }
    }

    /**
     * A buffer must have more than the headroom of all ports.
     */
    void TestBuffer()
    {
        for (const uint32_t buffer : {2000, 2001})
        {
            Rig rig(MakeStar({100, 100}, MicroSeconds(1)), "pfc");
            rig.helper.SetSwitchAttribute("Headroom", UintegerValue(1000));
            rig.helper.SetSwitchAttribute("Buffer", UintegerValue(buffer));
            const std::string refusal = rig.helper.Check(2);
            NS_TEST_EXPECT_MSG_EQ(refusal.empty(), (buffer > 2 * 1000), "refused: " + refusal);
        }
    }

    /**
     * A network of point-to-point links is one for cards: a message takes the time of its packets
     * on the slowest link, and of one on each other.
     */
    void TestPointToPoint()
    {
        NodeContainer nodes(4);
        PointToPointHelper links;
        links.SetChannelAttribute("Delay", StringValue("2us"));
        for (const auto& [from, to, rate] :
             std::vector<std::tuple<uint32_t, uint32_t, std::string>>{{0, 2, "100Gbps"},
                                                                      {2, 3, "25Gbps"},
                                                                      {3, 1, "50Gbps"}})
        {
            links.SetDeviceAttribute("DataRate", StringValue(rate));
            links.Install(nodes.Get(from), nodes.Get(to));
        }
        RdmaHelper helper(RdmaHelper::ReadGraph(NodeContainer(nodes.Get(0), nodes.Get(1))));
        helper.SetCongestion("pfc");
        const auto devices = helper.Install(NodeContainer(nodes.Get(0), nodes.Get(1)));
        Time time;
        DynamicCast<RdmaNetDevice>(devices.Get(1))
            ->SetMessageCallback([&](uint32_t, uint64_t, uint64_t) { time = Simulator::Now(); });
        DynamicCast<RdmaNetDevice>(devices.Get(0))->Post(1, 1, 100 * 4096);
        Simulator::Run();
        const int64_t expected = GetTime(ROCE_FRAME, 100) + 100 * GetTime(ROCE_FRAME, 25) +
                                 GetTime(ROCE_FRAME, 50) + 6000000;
        NS_TEST_EXPECT_MSG_EQ(time.GetNanoSeconds(), (expected + 999) / 1000, "three links");
        Simulator::Destroy();
    }

    /**
     * The probability of a mark follows the queue that a packet meets.
     *
     * @param percent the probability at Kmax
     */
    void TestMarking(uint32_t percent)
    {
        Rig rig(MakeStar({100, 100, 100}, NanoSeconds(500)), "pfc");
        constexpr double least = 20000;
        constexpr double most = 180000;
        rig.helper.SetSwitchAttribute("Kmin", UintegerValue(least));
        rig.helper.SetSwitchAttribute("Kmax", UintegerValue(most));
        rig.helper.SetSwitchAttribute("MarkProbability", DoubleValue(percent / 100.0));
        rig.helper.SetSwitchAttribute("PauseThreshold", UintegerValue(80000));
        rig.Install();
        double mean = 0;
        double variance = 0;
        uint64_t last = 0;
        rig.network->GetSwitches().front()->TraceConnectWithoutContext(
            "Queue",
            Callback<void, uint32_t, uint64_t>([&](uint32_t, uint64_t bytes) {
                if (bytes > last)
                {
                    const double met = static_cast<double>(bytes) - ROCE_FRAME;
                    const double p = met > most ? 1
                                     : met > least
                                         ? percent / 100.0 * (met - least) / (most - least)
                                         : 0;
                    mean += p;
                    variance += p * (1 - p);
                }
                last = bytes;
            }));
        rig.Get(0)->Post(2, 1, 20000 * 4096);
        rig.Get(1)->Post(2, 1, 20000 * 4096);
        Simulator::Run();
        const auto marks = static_cast<double>(rig.network->GetCounts().marks);
        NS_TEST_EXPECT_MSG_EQ((mean > 500), true, "queues are met");
        NS_TEST_EXPECT_MSG_EQ_TOL(marks, mean, 4 * std::sqrt(variance), "marks");
    }

    /**
     * Go-back-N sends again all that it had sent since the packet that was lost, and selective
     * repeat that packet alone.
     *
     * @param lost the number of the packet
     * @param isSelective whether it is selective repeat
     */
    void TestLoss(uint32_t lost, bool isSelective)
    {
        Rig rig(MakeStar({100, 100}, MicroSeconds(1)), "pfc");
        rig.helper.SetNetworkAttribute("SelectiveRepeat", BooleanValue(isSelective));
        rig.helper.SetNetworkAttribute("ReorderLimit", UintegerValue(8));
        rig.Install();
        bool isDone = false;
        rig.network->SetLoss([&](const RdmaFrame& frame) {
            const bool isLost = !isDone && frame.kind == RdmaFrame::DATA && frame.number == lost;
            isDone = isDone || isLost;
            return isLost;
        });
        constexpr uint32_t packets = 1000;
        rig.Get(0)->Post(1, 1, packets * 4096);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(rig.received, packets * 4096, "all arrives");
        // The next packet has crossed two links, and the answer as many, each 1 us long
        const int64_t frame = GetTime(ROCE_FRAME, 100);
        const int64_t told = (lost + 1) * frame + 2 * frame + 2 * GetTime(ROCE_ACK, 100) + 4000000;
        const int64_t sent = std::min<int64_t>(told / frame + 1, packets);
        NS_TEST_EXPECT_MSG_EQ(rig.network->GetCounts().resent,
                              static_cast<uint64_t>(isSelective ? 1 : sent - lost),
                              "packets that are sent again");
    }

    /**
     * Each of two losses is told of by itself, as neither waits for a timer.
     */
    void TestTwoLosses()
    {
        std::vector<uint64_t> resent;
        for (const uint64_t second : {100, 500})
        {
            Rig rig(MakeStar({100, 100}, MicroSeconds(1)), "pfc");
            rig.Install();
            std::set<uint64_t> toLose = {100, second};
            rig.network->SetLoss([&](const RdmaFrame& frame) {
                return frame.kind == RdmaFrame::DATA && toLose.erase(frame.number) > 0;
            });
            rig.Get(0)->Post(1, 1, 1000 * 4096);
            Simulator::Run();
            resent.push_back(rig.network->GetCounts().resent);
        }
        NS_TEST_EXPECT_MSG_EQ(resent[1], 2 * resent[0], "twice as many as for one loss");
    }

    /**
     * Cards of two leaves send over n spines, of which one link of the first leaf fails. From then
     * on, n - 1 links carry what n did.
     *
     * @param spines the number of spines, and of the cards of a leaf
     * @param from when the link fails, us
     * @param until when it is repaired, us; 0 for never
     */
    void TestFailedUplink(uint32_t spines, uint32_t from, uint32_t until)
    {
        LinkGraph graph(2 * spines);
        const uint32_t leaves[] = {graph.AddSwitch("leaf-0"), graph.AddSwitch("leaf-1")};
        for (uint32_t i = 0; i < 2 * spines; ++i)
        {
            graph.Connect(i, leaves[i / spines], DataRate("100Gbps"), NanoSeconds(500));
        }
        for (uint32_t i = 0; i < spines; ++i)
        {
            const uint32_t spine = graph.AddSwitch("spine-" + std::to_string(i));
            graph.Connect(leaves[0], spine, DataRate("100Gbps"), NanoSeconds(500));
            graph.Connect(leaves[1], spine, DataRate("100Gbps"), NanoSeconds(500));
        }
        Rig rig(graph, "nscc");
        rig.Install();
        constexpr uint64_t packets = 20000;
        for (uint32_t i = 0; i < spines; ++i)
        {
            rig.Get(i)->Post(spines + i, 1, packets * 4096);
        }
        const auto set = [&](uint32_t time, bool failed) {
            Simulator::Schedule(MicroSeconds(time), [&rig, failed] {
                rig.network->SetFailed("link:leaf-0:spine-1", failed);
            });
        };
        set(from, true);
        if (until > 0)
        {
            set(until, false);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(rig.received, spines * packets * 4096, "all arrives");
        // The other links carry the share of the failed one until its repair, or to the end
        const double whole = static_cast<double>(packets * GetTime(ROCE_FRAME, 100)) * 1e-12;
        const double share = 1.0 / spines;
        const double expected = until > 0 ? whole + (until - from) * 1e-6 * share
                                          : from * 1e-6 + (whole - from * 1e-6) / (1 - share);
        Time last;
        for (const auto& [pair, time] : rig.times)
        {
            last = std::max(last, time);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(last.GetSeconds() / expected, 1, 0.005, "its time");
        NS_TEST_EXPECT_MSG_EQ((rig.network->GetCounts().drops > 0), (from > 0), "some are lost");
    }

    /**
     * A message waits while the only link of its card, or the only switch, fails, and goes on at
     * the next repeat. Without a repair, the queue pair fails after the last one.
     *
     * @param component what fails
     * @param isSelective whether lost packets alone are repeated
     */
    void TestRepair(std::string component, bool isSelective)
    {
        constexpr uint64_t packets = 10000;
        constexpr uint32_t begin = 1;
        const double whole = static_cast<double>(packets * GetTime(ROCE_FRAME, 100)) * 1e-12;
        const double timeout = 4096e-9 * 1024;
        for (const uint32_t end : {9U, 1000U})
        {
            Rig rig(MakeStar({100, 100}, MicroSeconds(1)), "nscc");
            rig.helper.SetNetworkAttribute("Routing", StringValue("ecmp"));
            rig.helper.SetNetworkAttribute("SelectiveRepeat", BooleanValue(isSelective));
            rig.Install();
            Time failure;
            rig.network->AddFailureCallback([&](const std::string& sentence) {
                NS_TEST_EXPECT_MSG_NE(sentence.find("Card 1 has not answered card 0"),
                                      std::string::npos,
                                      sentence);
                failure = Simulator::Now();
                Simulator::Stop();
            });
            for (const uint32_t time : {begin, end})
            {
                Simulator::Schedule(MilliSeconds(time), [&rig, component, time] {
                    rig.network->SetFailed(component, time == begin);
                });
            }
            rig.Get(0)->Post(1, 1, packets * 4096);
            Simulator::Run();
            if (end == 9)
            {
                // The second repeat is the first one after the repair
                const double expected = whole + 2 * timeout;
                NS_TEST_EXPECT_MSG_EQ(rig.received, packets * 4096, "all arrives");
                NS_TEST_EXPECT_MSG_EQ_TOL((rig.times[{0, 1}].GetSeconds() / expected),
                                          1,
                                          0.01,
                                          "its time");
            }
            else
            {
                const double expected = begin * 1e-3 + 8 * timeout;
                NS_TEST_EXPECT_MSG_EQ_TOL(failure.GetSeconds() / expected, 1, 0.01, "given up");
            }
        }
    }

    /**
     * A class of a port is paused once it has Alpha times what is free of the buffer.
     *
     * @param percent Alpha
     */
    void TestShare(uint32_t percent)
    {
        // Next to nothing leaves the switch
        Rig rig(MakeStar({100, 1}, NanoSeconds(500)), "pfc");
        constexpr uint32_t room = 40;
        rig.helper.SetSwitchAttribute("Headroom", UintegerValue(20 * ROCE_FRAME));
        rig.helper.SetSwitchAttribute("Buffer", UintegerValue((2 * 20 + room) * ROCE_FRAME));
        rig.helper.SetSwitchAttribute("Alpha", DoubleValue(percent / 100.0));
        rig.Install();
        const auto hub = rig.network->GetSwitches().front();
        uint64_t queue = 0;
        uint64_t atPause = 0;
        hub->TraceConnectWithoutContext(
            "Queue",
            Callback<void, uint32_t, uint64_t>([&](uint32_t, uint64_t bytes) { queue = bytes; }));
        hub->TraceConnectWithoutContext(
            "Pause",
            Callback<void, uint32_t, uint8_t, bool>([&](uint32_t, uint8_t, bool pauses) {
                atPause = pauses && atPause == 0 ? queue : atPause;
            }));
        rig.Get(0)->Post(1, 1, 100 * 4096);
        Simulator::Run();
        // The last one that fits: k <= Alpha (room - (k - 1))
        const uint32_t most = percent * (room + 1) / (100 + percent);
        NS_TEST_EXPECT_MSG_EQ(atPause, uint64_t{most} * ROCE_FRAME, "the share");
    }

    /**
     * DCQCN shares a link equally, at the rate of notifications of its fluid model: the rate of
     * marks is higher, as they come in bursts, of which each tells once.
     *
     * @param flows the number of flows
     */
    void TestDcqcn(uint32_t flows)
    {
        Rig rig(MakeStar(std::vector<uint32_t>(flows + 1, 40), MicroSeconds(1)), "dcqcn");
        rig.helper.SetSwitchAttribute("Kmin", UintegerValue(5000));
        rig.helper.SetSwitchAttribute("Kmax", UintegerValue(200000));
        rig.helper.SetSwitchAttribute("MarkProbability", DoubleValue(0.01));
        rig.helper.SetNetworkAttribute("MessageDelay", TimeValue(MicroSeconds(1)));
        rig.Install();
        for (uint32_t i = 0; i < flows; ++i)
        {
            rig.Get(i)->Post(flows, 1, 4000000000);
        }
        std::vector<uint64_t> before(flows);
        uint64_t notifications = 0;
        const Time begin = MilliSeconds(100);
        const Time end = MilliSeconds(400);
        Simulator::Schedule(begin, [&] {
            notifications = rig.network->GetCounts().notifications;
            for (uint32_t i = 0; i < flows; ++i)
            {
                before[i] = rig.Get(i)->GetPair(flows).GetAcknowledged();
            }
        });
        Simulator::Stop(end);
        Simulator::Run();
        double sum = 0;
        double squares = 0;
        for (uint32_t i = 0; i < flows; ++i)
        {
            const auto bytes =
                static_cast<double>(rig.Get(i)->GetPair(flows).GetAcknowledged() - before[i]);
            sum += bytes;
            squares += bytes * bytes;
        }
        const double share = (end - begin).GetSeconds() * 40e9 / 8 * 4096 / (ROCE_FRAME + 20);
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / share, 1, 0.03, "the link is full");
        NS_TEST_EXPECT_MSG_GT(sum * sum / (flows * squares), 0.95, "equal shares (Jain)");
        const double told =
            static_cast<double>(rig.network->GetCounts().notifications - notifications) /
            (flows * (end - begin).GetSeconds());
        NS_TEST_EXPECT_MSG_EQ_TOL(told / GetFluidRate(flows, 40e9), 1, 0.15, "notifications");
    }

    /**
     * HPCC fills the most loaded link to eta, with a queue of next to nothing.
     *
     * @param flows the number of flows
     * @param percent eta
     */
    void TestHpcc(uint32_t flows, uint32_t percent)
    {
        Rig rig(MakeStar(std::vector<uint32_t>(flows + 1, 100), MicroSeconds(1)), "hpcc");
        rig.helper.SetCongestionAttribute("Eta", DoubleValue(percent / 100.0));
        rig.helper.SetNetworkAttribute("MessageDelay", TimeValue(MicroSeconds(1)));
        rig.Install();
        for (uint32_t i = 0; i < flows; ++i)
        {
            rig.Get(i)->Post(flows, 1, 1000000000);
        }
        uint64_t before = 0;
        const auto getAll = [&] {
            uint64_t all = 0;
            for (uint32_t i = 0; i < flows; ++i)
            {
                all += rig.Get(i)->GetPair(flows).GetAcknowledged();
            }
            return all;
        };
        Simulator::Schedule(MilliSeconds(2), [&] { before = getAll(); });
        Simulator::Stop(MilliSeconds(10));
        Simulator::Run();
        const double rate = static_cast<double>(getAll() - before) * 8 / 8e-3;
        const double ofLink = rate * (ROCE_FRAME + 42 + 20) / 4096 / 100e9;
        NS_TEST_EXPECT_MSG_EQ_TOL(ofLink / (percent / 100.0), 1, 0.03, "eta");
        NS_TEST_EXPECT_MSG_EQ(rig.network->GetCounts().pauses, 0, "no pauses");
    }

    /**
     * All to one: nothing is lost, and the link of the receiver is full.
     *
     * @param senders the number of senders
     * @param congestion the congestion control
     */
    void TestIncast(uint32_t senders, std::string congestion)
    {
        Rig rig(MakeStar(std::vector<uint32_t>(senders + 1, 100), MicroSeconds(1)), congestion);
        rig.helper.SetSwitchAttribute("Buffer", UintegerValue(12 << 20));
        rig.helper.SetNetworkAttribute("MessageDelay", TimeValue(MicroSeconds(1)));
        rig.Install();
        constexpr uint64_t bytes = 500 * 4096;
        for (uint32_t i = 0; i < senders; ++i)
        {
            rig.Get(i)->Post(senders, 1, bytes);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(rig.received, senders * bytes, "all arrives");
        NS_TEST_EXPECT_MSG_EQ(rig.network->GetCounts().drops, 0, "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ((rig.network->GetCounts().pauses > 0), true, "pauses");
        NS_TEST_EXPECT_MSG_EQ(rig.network->GetCounts().resent, 0, "once");
        Time last;
        for (const auto& [pair, time] : rig.times)
        {
            last = std::max(last, time);
        }
        const double least =
            senders * 500.0 * static_cast<double>(GetTime(ROCE_FRAME, 100)) * 1e-12;
        NS_TEST_EXPECT_MSG_EQ((last.GetSeconds() >= least), true, "the link is a bound");
        const double most = congestion == "pfc" ? 1.01 : 2;
        NS_TEST_EXPECT_MSG_LT(last.GetSeconds() / least, most, "and no more");
    }

    /**
     * Sprayed packets of an all-to-all on leaves and spines without oversubscription take the time
     * that the links of the cards take, although all cards send in step.
     *
     * @param congestion the congestion control
     */
    void TestSpray(std::string congestion)
    {
        constexpr uint32_t n = 64;
        constexpr uint32_t packets = 32;
        Rig rig(LinkGraphHelper(LinkGraphHelper::LEAF_SPINE).GetGraph(n), congestion);
        rig.helper.SetNetworkAttribute("Routing", StringValue("spray"));
        rig.Install();
        for (uint32_t shift = 1; shift < n; ++shift)
        {
            for (uint32_t i = 0; i < n; ++i)
            {
                rig.Get(i)->Post((i + shift) % n, 1, packets * 4096);
            }
        }
        Simulator::Run();
        Time last;
        for (const auto& [pair, time] : rig.times)
        {
            last = std::max(last, time);
        }
        NS_TEST_EXPECT_MSG_EQ(rig.times.size(), n * (n - 1), "all arrive");
        // A card sends packets, and answers to what it gets
        const int64_t each = GetTime(ROCE_FRAME, 400) + GetTime(ROCE_ACK, 400);
        const double least = static_cast<double>((n - 1) * packets * each) * 1e-12;
        NS_TEST_EXPECT_MSG_EQ_TOL(last.GetSeconds() / least, 1.03, 0.03, "as the cards send");
    }

    /**
     * A card that has its switch paused for 10 ms stops those who share a port with what it is
     * sent, and nobody else. Nothing is lost, nor sent twice, nor taken for a deadlock.
     */
    void TestStorm()
    {
        LinkGraph graph(8);
        const uint32_t spine = graph.AddSwitch("spine");
        for (uint32_t i = 0; i < 8; ++i)
        {
            const uint32_t leaf = i < 4 ? 9 : 10;
            if (i % 4 == 0)
            {
                graph.Connect(graph.AddSwitch("leaf-" + std::to_string(i / 4)),
                              spine,
                              DataRate("100Gbps"),
                              NanoSeconds(500));
            }
            graph.Connect(i, leaf, DataRate("100Gbps"), NanoSeconds(500));
        }
        Rig rig(graph, "pfc");
        rig.helper.SetSwitchAttribute("PauseThreshold", UintegerValue(100000));
        rig.Install();
        const uint32_t stormy = rig.network->GetLinks()[rig.network->GetCard(4).GetLink()].reverse;
        const auto setPause = [&](bool pauses) {
            rig.network->EnterLater([&rig, stormy, pauses] {
                RdmaFrame frame;
                frame.classes = 1 << DATA_CLASS;
                frame.pauses = pauses;
                rig.network->Pause(stormy, frame);
            });
        };
        constexpr uint64_t packets = 20000;
        const Time end = MilliSeconds(10);
        setPause(true);
        Simulator::Schedule(end, [&] { setPause(false); });
        rig.Get(0)->Post(4, 1, packets * 4096);
        rig.Get(1)->Post(4, 1, packets * 4096);
        // This one comes to the spine behind them, and the last one does not
        rig.Get(2)->Post(5, 1, packets * 4096);
        rig.Get(6)->Post(7, 1, packets * 4096);
        Simulator::Run();
        const auto frames = [](uint64_t number) {
            return PicoSeconds(static_cast<int64_t>(number) * GetTime(ROCE_FRAME, 100));
        };
        const auto& times = rig.times;
        NS_TEST_EXPECT_MSG_EQ(rig.received, 4 * packets * 4096, "all arrives");
        NS_TEST_EXPECT_MSG_EQ_TOL(times.at({6, 7}).GetSeconds(),
                                  frames(packets).GetSeconds(),
                                  4e-6,
                                  "a path of its own");
        // Three share the link to the spine, with what waited there
        const double last = (end + frames(3 * packets)).GetSeconds();
        for (const uint32_t i : {0, 1, 2})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL((times.at({i, i < 2 ? 4 : 5}).GetSeconds() / last),
                                      1,
                                      0.01,
                                      "stopped with the others");
        }
        NS_TEST_EXPECT_MSG_EQ(rig.network->GetCounts().drops, 0, "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(rig.network->GetCounts().resent, 0, "nor sent twice");
    }

    /**
     * Packets two switches on around a ring of five wait for each other.
     */
    void TestDeadlock()
    {
        constexpr uint32_t n = 5;
        LinkGraph graph(n);
        for (uint32_t i = 0; i < n; ++i)
        {
            graph.Connect(i,
                          graph.AddSwitch("ring-" + std::to_string(i)),
                          DataRate("100Gbps"),
                          NanoSeconds(500));
        }
        for (uint32_t i = 0; i < n; ++i)
        {
            graph.Connect(n + i, n + (i + 1) % n, DataRate("100Gbps"), NanoSeconds(500));
        }
        Rig rig(graph, "pfc");
        rig.helper.SetSwitchAttribute("PauseThreshold", UintegerValue(40000));
        rig.Install();
        std::string sentence;
        rig.network->AddFailureCallback([&](const std::string& why) {
            sentence = why;
            Simulator::Stop();
        });
        for (uint32_t i = 0; i < n; ++i)
        {
            rig.Get(i)->Post((i + 2) % n, 1, 10000000);
        }
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_NE(sentence.find("deadlock"), std::string::npos, "named: " + sentence);
        for (uint32_t i = 0; i < n; ++i)
        {
            const std::string port =
                "from ring-" + std::to_string(i) + " to ring-" + std::to_string((i + 1) % n);
            NS_TEST_EXPECT_MSG_NE(sentence.find(port), std::string::npos, port + ": " + sentence);
        }
    }

    /**
     * A ring all-reduce on leaves and spines without oversubscription takes the time of flows, with
     * headers, and of a packet in each switch and step.
     *
     * @param congestion the congestion control
     */
    void TestRing(std::string congestion)
    {
        constexpr uint32_t ranks = 16;
        constexpr uint64_t bytes = 16 * 4096 * 200;
        RankProgram program;
        Task task = Collective(CollectiveKind::ALL_REDUCE, bytes);
        task.options.algorithm = CollectiveAlgorithm::RING;
        program.AddTask(task);
        std::vector<double> seconds;
        RdmaHelper cards(RdmaHelper::MakeGraph("leaf-spine"));
        cards.SetCongestion(congestion);
        LinkGraphHelper flows(LinkGraphHelper::LEAF_SPINE);
        for (InterconnectHelper* const helper : std::vector<InterconnectHelper*>{&cards, &flows})
        {
            helper->SetBandwidth(DataRate("100Gbps"));
            NodeContainer nodes(ranks);
            const auto devices = helper->Install(nodes);
            const auto applications =
                TrainingHelper().Install(MakePlan(std::vector<RankProgram>(ranks, program)),
                                         *helper,
                                         devices);
            Simulator::Run();
            const TrainingReport report(TrainingHelper::GetJob(applications), nullptr);
            seconds.push_back(report.iterationSeconds[0]);
            Simulator::Destroy();
        }
        // Each step passes a switch, and those between leaves two more: of the hops of a byte, the
        // two of the ring that lead to another leaf come twice
        const double packet = static_cast<double>(GetTime(ROCE_FRAME, 100)) * 1e-12;
        const uint32_t steps = 2 * (ranks - 1);
        // A card answers the one before it on the link on which it sends to the next one
        const double answers = 200.0 / (congestion == "nscc" ? 1 : 16) *
                               static_cast<double>(GetTime(ROCE_ACK, 100)) * 1e-12;
        const double expected = seconds[1] + (steps + 4 * 2) * packet +
                                steps * (200 * packet + answers - bytes / ranks * 8 / 100e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(seconds[0] / expected, 1, 0.003, "flows, headers and switches");
    }

    /**
     * tshark reads frames: messages, acknowledgements, notifications and pauses.
     */
    void TestCapture()
    {
        const std::string file = CreateTempDirFilename("rdma.pcap");
        auto made = std::make_unique<Rig>(MakeStar({40, 40, 40}, MicroSeconds(1)), "dcqcn");
        Rig& rig = *made;
        rig.helper.SetSwitchAttribute("Kmin", UintegerValue(5000));
        rig.helper.SetSwitchAttribute("Kmax", UintegerValue(20000));
        rig.helper.SetSwitchAttribute("PauseThreshold", UintegerValue(20000));
        rig.Install();
        rig.helper.EnablePcap(file, rig.devices.Get(0), true, true);
        rig.Get(0)->Post(2, 1, 10 * 4096 + 42);
        rig.Get(1)->Post(2, 1, 10 * 4096 + 42);
        Simulator::Run();
        // The file is complete once the cards have gone
        made.reset();
        if (std::system("command -v tshark >/dev/null 2>&1") != 0)
        {
            std::cout << "tshark is not there, so that it does not read frames\n";
            return;
        }
        const std::string command =
            "tshark -r '" + file +
            "' -T fields -E separator=, -e infiniband.bth.opcode -e infiniband.bth.psn -e "
            "infiniband.bth.padcnt -e macc.cbfc.pause_time.c3 2>/dev/null";
        std::string text;
        FILE* const pipe = popen(command.c_str(), "r");
        for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe))
        {
            text += static_cast<char>(c);
        }
        pclose(pipe);
        std::string expected = "0,0,0,\n";
        for (uint32_t i = 1; i < 10; ++i)
        {
            expected += "1," + std::to_string(i) + ",0,\n";
        }
        expected += "2,10,2,\n,,,65535\n129,0,0,\n,,,0\n17,11,0,\n";
        NS_TEST_EXPECT_MSG_EQ(text, expected, "what tshark reads");
    }

    /**
     * Packets of IP go beside messages, and answers come back.
     */
    void TestForeign()
    {
        Rig rig(MakeStar({100, 100, 100}, MicroSeconds(1)), "pfc");
        rig.Install();
        const auto interfaces = rig.helper.AssignAddresses(rig.devices);
        const auto sink = Socket::CreateSocket(rig.nodes.Get(1), UdpSocketFactory::GetTypeId());
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        Time time;
        sink->SetRecvCallback(
            Callback<void, Ptr<Socket>>([&](Ptr<Socket>) { time = Simulator::Now(); }));
        const auto source = Socket::CreateSocket(rig.nodes.Get(0), UdpSocketFactory::GetTypeId());
        source->SendTo(Create<Packet>(1000), 0, InetSocketAddress(interfaces.GetAddress(1), 9));
        rig.Get(2)->Post(1, 1, 100000);
        Simulator::Run();
        // A request, after at most 10 ms, and an answer of ARP, and the packet: each over two links
        NS_TEST_EXPECT_MSG_EQ((time > MicroSeconds(6) && time < MilliSeconds(11)),
                              true,
                              "the packet arrives");
        NS_TEST_EXPECT_MSG_EQ(rig.received, 100000, "and so does the message");
    }

    /**
     * The time of the network does not depend on how far it is simulated ahead, nor on who looks.
     *
     * @param congestion the congestion control
     */
    void TestLookAhead(std::string congestion)
    {
        std::vector<Time> times;
        for (const bool isWatched : {false, true})
        {
            Rig rig(MakeStar({100, 100, 100, 100, 100}, NanoSeconds(700)), congestion);
            rig.helper.SetMessageDelay(MicroSeconds(5));
            rig.helper.SetSwitchAttribute("PauseThreshold", UintegerValue(80000));
            rig.Install();
            if (isWatched)
            {
                rig.Get(0)->TraceConnectWithoutContext(
                    "PromiscSniffer",
                    Callback<void, Ptr<const Packet>>([](Ptr<const Packet>) {}));
            }
            for (uint32_t i = 0; i < 4; ++i)
            {
                rig.Get(i)->Post(4, 1, 3000000 + i * 10000);
                rig.Get(4)->Post(i, 1, 500000);
            }
            Simulator::Run();
            std::vector<Time> own;
            for (const auto& [pair, time] : rig.times)
            {
                own.push_back(time);
            }
            NS_TEST_EXPECT_MSG_EQ(own.size(), 8, "all arrive");
            NS_TEST_EXPECT_MSG_EQ((times.empty() || times == own), true, "the same times");
            times = own;
        }
    }

  private:
    /**
     * Solve the fluid model of DCQCN (Zhu et al. 2015, equations 5 to 9) for its fixed point.
     *
     * @param flows the number of flows
     * @param capacity the rate of the link, bit/s
     * @return the notifications that a flow gets in a second
     */
    static double GetFluidRate(uint32_t flows, double capacity)
    {
        constexpr double packet = (ROCE_FRAME + 20) * 8.0;
        constexpr double tau = 50e-6;
        constexpr double period = 55e-6;
        constexpr double fast = 5;
        const double counter = 10e6 * 8 / packet;
        const double step = 40e6 / packet;
        const double rate = capacity / packet / flows;
        // The change of the rate; positive for few marks
        const auto change = [&](double p) {
            const auto ends = [&](double length) { return p / (std::pow(1 - p, -length) - 1); };
            const double told = 1 - std::pow(1 - p, tau * rate);
            const double alpha = 1 - std::pow(1 - p, period * rate);
            const double rises = std::pow(1 - p, fast * counter) * ends(counter) +
                                 std::pow(1 - p, fast * period * rate) * ends(period * rate);
            const double ahead = tau * step * rate * rises / told;
            return ahead / 2 * rate * (ends(counter) + ends(period * rate)) -
                   rate * alpha / (2 * tau) * told;
        };
        double low = 1e-9;
        double high = 0.5;
        for (uint32_t i = 0; i < 200; ++i)
        {
            const double middle = std::sqrt(low * high);
            (change(middle) > 0 ? low : high) = middle;
        }
        return (1 - std::pow(1 - low, tau * rate)) / tau;
    }
};

/// Registers the test cases
static const SuiteCases g_rdmaCases(
    "lightpath-rdma",
    {MakeCases("A message over RDMA",
               &RdmaTests::TestMessage,
               {{1, 0, "none"}, {100, 0, "none"}, {100, 3, "none"}, {100, 3, "steady"}}),
     MakeCases("Packets left out", &RdmaTests::TestSkip, {{"pfc", 45}, {"dcqcn", 90}}),
     MakeCases("Headroom", &RdmaTests::TestHeadroom, {{100, 1011}, {25, 664}}),
     {MakeCase("Buffers", &RdmaTests::TestBuffer),
      MakeCase("Links of ns-3", &RdmaTests::TestPointToPoint)},
     MakeCases("Marks", &RdmaTests::TestMarking, {{5}, {100}}),
     MakeCases("Losses", &RdmaTests::TestLoss, {{100, false}, {995, false}, {100, true}}),
     {MakeCase("Two losses", &RdmaTests::TestTwoLosses)},
     MakeCases("A failed uplink",
               &RdmaTests::TestFailedUplink,
               {{4, 0, 0}, {4, 2000, 0}, {8, 1000, 4000}}),
     MakeCases("A failure and its repair",
               &RdmaTests::TestRepair,
               {{"switch:hub", false}, {"link:gpu-1:hub", true}}),
     MakeCases("The share of a port", &RdmaTests::TestShare, {{100}, {50}}),
     MakeCases("DCQCN and its fluid model", &RdmaTests::TestDcqcn, {{2}, {8}}),
     MakeCases("HPCC and eta", &RdmaTests::TestHpcc, {{2, 95}, {8, 90}}),
     MakeCases("Sprayed packets in step", &RdmaTests::TestSpray, {{"pfc"}, {"nscc"}}),
     MakeCases("Incast", &RdmaTests::TestIncast, {{60, "pfc"}, {60, "dcqcn"}}),
     MakeCases("Simulation ahead",
               &RdmaTests::TestLookAhead,
               {{"dcqcn"}, {"hpcc"}, {"nscc"}, {"pfc"}}),
     MakeCases("A ring and flows", &RdmaTests::TestRing, {{"pfc"}, {"dcqcn"}, {"nscc"}}),
     {MakeCase("What tshark reads", &RdmaTests::TestCapture)},
     {MakeCase("Packets of IP", &RdmaTests::TestForeign)},
     {MakeCase("A storm of pauses", &RdmaTests::TestStorm)},
     {MakeCase("A deadlock by pauses", &RdmaTests::TestDeadlock)}});
