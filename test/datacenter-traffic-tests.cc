/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "training-fixture.h"

#include "ns3/application-container.h"
#include "ns3/cluster-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/inet-socket-address.h"
#include "ns3/leaf-spine-helper.h"
#include "ns3/queue-disc.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/training-plan.h"
#include "ns3/training-report.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param senders the number of ranks that send one message each
 * @param receiver the rank that a rank sends to
 * @param ranks the number of ranks
 * @param bytes the size of each message
 * @return a plan of one message for each
 */
template <typename Receiver>
TrainingPlan
MakeMessages(uint32_t senders, Receiver receiver, uint32_t ranks, uint64_t bytes)
{
    std::vector<RankProgram> programs(ranks);
    for (uint32_t rank = 0; rank < senders; ++rank)
    {
        programs[rank].AddTask(Message(TaskKind::SEND, receiver(rank), rank, bytes));
        programs[receiver(rank)].AddTask(Message(TaskKind::RECEIVE, rank, rank, bytes));
    }
    return ::MakePlan(programs);
}

/**
 * @param helper installs the network
 * @param plan the plan
 * @param congestionControl the congestion control of TCP
 * @param [out] devices the devices of the ranks
 * @return the applications
 */
ApplicationContainer
InstallJob(const DatacenterHelper& helper,
           const TrainingPlan& plan,
           const std::string& congestionControl,
           NetDeviceContainer& devices)
{
    NodeContainer nodes(static_cast<uint32_t>(plan.programs.size()));
    devices = helper.Install(nodes);
    TrainingHelper training;
    training.SetTransport("ns3::lightpath::SocketTransport");
    training.SetTransportAttribute("CongestionControl", StringValue(congestionControl));
    return training.Install(plan, nodes, helper.AssignAddresses(devices));
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of traffic in electrical datacenters.
 */
class DatacenterTrafficTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * The traffic of all nodes of a leaf to another leaf takes the time of the links up.
     *
     * @param oversubscription links to nodes for each link up
     * @param rate the rate of a link in Gb/s
     */
    void TestBisection(uint32_t oversubscription, uint32_t rate)
    {
        LeafSpineHelper helper;
        helper.SetBandwidth(DataRate(rate * 1000000000ULL));
        helper.SetOversubscription(oversubscription);
        helper.SetQueueSize(64 << 20);
        constexpr uint64_t bytes = 5000000;
        const auto across = [](uint32_t rank) { return rank + 8; };
        NetDeviceContainer devices;
        const auto applications =
            InstallJob(helper, MakeMessages(8, across, 16, bytes), "ns3::TcpNewReno", devices);
        // The links up of the first leaf: its packets, whoever sent them
        std::vector<uint64_t> carried;
        const auto leaf = GetPeer(devices.Get(0))->GetNode();
        const uint32_t nUp = 8 / oversubscription;
        carried.resize(nUp);
        for (uint32_t i = 0; i < nUp; ++i)
        {
            const auto up = leaf->GetObject<Ipv4>()->GetNetDevice(9 + i);
            up->TraceConnectWithoutContext(
                "PhyTxEnd",
                Callback<void, Ptr<const Packet>>(
                    [&carried, i](Ptr<const Packet> packet) { carried[i] += packet->GetSize(); }));
        }
        Simulator::Run();
        const TrainingReport report(TrainingHelper::GetJob(applications), nullptr);
        const uint64_t total = std::accumulate(carried.begin(), carried.end(), uint64_t{0});
        NS_TEST_EXPECT_MSG_EQ_TOL(total / (8.0 * bytes * 9002 / 8960), 1, 0.02, "all goes up");
        NS_TEST_EXPECT_MSG_EQ(report.transport.retransmittedBytes, 0, "nothing is lost");
        // The fullest link decides; with a single one, the bisection does
        const double fullest = *std::max_element(carried.begin(), carried.end());
        const double seconds = fullest * 8 / (rate * 1e9) + helper.GetRoundTrip().GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(report.iterationSeconds[0] / seconds, 1, 0.05, "its time");
        NS_TEST_EXPECT_MSG_EQ((fullest >= bytes * 8.0 / nUp), true, "the bisection is a bound");
        Simulator::Destroy();
    }

    /**
     * DCTCP keeps the queue of a port about the threshold of marking, and the link busy.
     *
     * @param threshold the threshold in packets of 9000 bytes
     */
    void TestMarking(uint32_t threshold)
    {
        LeafSpineHelper helper;
        helper.EnableMarking(threshold * 9000);
        constexpr uint32_t senders = 3;
        constexpr uint64_t bytes = 25000000;
        const auto sink = [](uint32_t) { return senders; };
        NetDeviceContainer devices;
        const auto applications = InstallJob(helper,
                                             MakeMessages(senders, sink, senders + 1, bytes),
                                             "ns3::TcpDctcp",
                                             devices);
        const auto channel = devices.Get(senders)->GetChannel();
        const auto port = channel->GetDevice(channel->GetDevice(0) == devices.Get(senders) ? 1 : 0);
        const auto disc =
            port->GetNode()->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(port);
        disc->TraceConnectWithoutContext("BytesInQueue",
                                         MakeCallback(&DatacenterTrafficTests::NotifyQueue, this));
        Simulator::Run();
        const TrainingReport report(TrainingHelper::GetJob(applications), nullptr);
        const double seconds = senders * bytes * 9002.0 / 8960 / (100e9 / 8);
        NS_TEST_EXPECT_MSG_EQ_TOL(report.iterationSeconds[0] / seconds,
                                  1,
                                  0.05,
                                  "the link is busy");
        NS_TEST_EXPECT_MSG_EQ(report.transport.retransmittedBytes, 0, "nothing is lost");
        // Alizadeh et al., Data Center TCP, SIGCOMM 2010, section 3.3: the queue of n flows is K +
        // n at most, in packets, and less by (2 n (C RTT + K))^(1/2) / 2 at least. Here an
        // acknowledgement is for two packets, so that a window grows by two at once.
        const double underWay = 100e9 / 8 * 2.8e-6 / 9000;
        const double amplitude = std::sqrt(2 * senders * (underWay + threshold)) / 2;
        const double mean = m_area / (m_last - m_begin).GetSeconds() / 9000;
        NS_TEST_EXPECT_MSG_LT(mean, threshold + 2 * senders, "the mean queue");
        NS_TEST_EXPECT_MSG_GT(mean, threshold - amplitude, "the mean queue");
        Simulator::Destroy();
    }

    /**
     * Many DCTCP connections into each node, whose marks leave each a fair share of less than a
     * segment in flight: none of them stops sending for ever.
     *
     * @param ranks the number of ranks
     * @param bytes the bytes that they add up
     */
    void TestManyMarks(uint32_t ranks, uint64_t bytes)
    {
        LeafSpineHelper helper;
        helper.SetNodesPerLeaf(4);
        helper.EnableMarking();
        RankProgram program;
        Task task = Collective(CollectiveKind::ALL_REDUCE, bytes);
        task.options.algorithm = CollectiveAlgorithm::DIRECT;
        program.AddTask(task);
        NodeContainer nodes(ranks);
        const auto devices = helper.Install(nodes);
        TrainingHelper training;
        training.SetTransport("dctcp");
        training.SetJobAttribute("Iterations", UintegerValue(3));
        const auto applications =
            training.Install(MakePlan(std::vector<RankProgram>(ranks, program)),
                             nodes,
                             helper.AssignAddresses(devices));
        std::string failure;
        const auto job = TrainingHelper::GetJob(applications);
        job->SetFailureCallback(Callback<void, std::string>([&failure](std::string sentence) {
            failure = sentence;
            Simulator::Stop();
        }));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(failure, "", "no connection dies");
        NS_TEST_ASSERT_MSG_EQ(job->IsFinished(), true, "the end");
        // Each rank gets 2 (n - 1) / n of the bytes; marks cost less than as much again
        const double bound = 2.0 * (ranks - 1) / ranks * bytes * 8 / 100e9;
        const TrainingReport report(job, nullptr);
        NS_TEST_EXPECT_MSG_GT(report.GetSteadySeconds(), bound, "the links into a node");
        NS_TEST_EXPECT_MSG_LT(report.GetSteadySeconds(), 2 * bound, "and little more");
        Simulator::Destroy();
    }

    /**
     * A ring of DCTCP flows that share no link keeps the links busy both ways, though each host
     * sends data and acknowledgements, and pauses between steps.
     *
     * @param nodesPerLeaf the number of nodes of a leaf
     */
    void TestRing(uint32_t nodesPerLeaf)
    {
        constexpr uint32_t ranks = 8;
        constexpr uint64_t bytes = 8000000;
        LeafSpineHelper helper;
        helper.SetNodesPerLeaf(nodesPerLeaf);
        helper.EnableMarking();
        RankProgram program;
        Task task = Collective(CollectiveKind::ALL_REDUCE, bytes);
        task.options.algorithm = CollectiveAlgorithm::RING;
        program.AddTask(task);
        NodeContainer nodes(ranks);
        const auto devices = helper.Install(nodes);
        TrainingHelper training;
        training.SetTransport("dctcp");
        const auto applications =
            training.Install(MakePlan(std::vector<RankProgram>(ranks, program)),
                             nodes,
                             helper.AssignAddresses(devices));
        Simulator::Run();
        // Each step takes its packets at the full rate, and the delays of the longest path: those
        // of its links, and a packet in each switch
        const uint32_t links = nodesPerLeaf < ranks ? 4 : 2;
        const double packet = 9002 * 8 / 100e9;
        const double step = bytes / ranks / 8960.0 * packet + links * 500e-9 + (links - 1) * packet;
        const TrainingReport report(TrainingHelper::GetJob(applications), nullptr);
        NS_TEST_EXPECT_MSG_EQ_TOL(report.iterationSeconds[0] / (2 * (ranks - 1) * step),
                                  1,
                                  0.03,
                                  "the full rate");
        Simulator::Destroy();
    }

    /// GPUs of a server use the switch inside, other GPUs their network cards.
    void TestCluster()
    {
        constexpr uint64_t bytes = 10000000;
        // 8960 of 9002 bytes are payload
        NS_TEST_EXPECT_MSG_EQ_TOL(Send(1, bytes) / (bytes * 8 / 800e9 * 9002 / 8960),
                                  1,
                                  0.1,
                                  "800 Gb/s inside, and slow start");
        NS_TEST_EXPECT_MSG_EQ_TOL(Send(4, bytes) / (bytes * 8 / 100e9 * 9002 / 8960),
                                  1,
                                  0.02,
                                  "100 Gb/s outside");
    }

    /**
     * A packet over three switches arrives after four delays, three times the bytes that a switch
     * waits for, and once the packet.
     *
     * @param cut the bytes that a switch waits for; 0 for all
     * @param payload the bytes of the datagram
     */
    void TestCutThrough(uint32_t cut, uint32_t payload)
    {
        // A byte takes 1 ns
        LeafSpineHelper helper;
        helper.SetBandwidth(DataRate("8Gbps"));
        helper.SetDelay(NanoSeconds(500));
        helper.SetMtu(65535);
        helper.SetCutThrough(cut);
        helper.SetNodesPerLeaf(2);
        NodeContainer nodes(4);
        const auto interfaces = helper.AssignAddresses(helper.Install(nodes));
        constexpr uint16_t port = 9;
        const auto sink = Socket::CreateSocket(nodes.Get(3), UdpSocketFactory::GetTypeId());
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        std::vector<Time> arrivals;
        sink->SetRecvCallback(Callback<void, Ptr<Socket>>([&arrivals](Ptr<Socket> socket) {
            while (socket->Recv())
            {
                arrivals.push_back(Simulator::Now());
            }
        }));
        const auto source = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
        source->Connect(InetSocketAddress(interfaces.GetAddress(3), port));
        source->Send(Create<Packet>(payload));
        source->Send(Create<Packet>(payload));
        Simulator::Run();
        constexpr uint32_t headers = 20 + 8;
        constexpr uint32_t ppp = 2;
        const uint32_t packet = payload + headers;
        const uint32_t first = (cut > 0 ? std::min(cut, packet) : packet) + ppp;
        const Time arrival = NanoSeconds(4 * 500 + 3 * first + packet + ppp);
        const std::vector<Time> expected{arrival, arrival + NanoSeconds(packet + ppp)};
        NS_TEST_EXPECT_MSG_EQ((arrivals == expected), true, "the packets arrive in time");
        const uint32_t longest = 4 * 500 + 3 * ((cut > 0 ? cut : 65535) + ppp);
        NS_TEST_EXPECT_MSG_EQ_TOL(FabricDescription::Create(helper)->GetLimits(4).latency,
                                  longest * 1e-9,
                                  1e-15,
                                  "latency");
        Simulator::Destroy();
    }

  private:
    /**
     * @param device a device of a link
     * @return the other one
     */
    static Ptr<NetDevice> GetPeer(Ptr<NetDevice> device)
    {
        const auto channel = device->GetChannel();
        return channel->GetDevice(channel->GetDevice(0) == device ? 1 : 0);
    }

    /**
     * The queue changes.
     *
     * @param previous the bytes before
     * @param current the bytes now
     */
    void NotifyQueue(uint32_t previous, uint32_t current)
    {
        // After the start, and before the first of the flows can have ended
        const Time now = Simulator::Now();
        if (now < MilliSeconds(1) || now > MilliSeconds(4))
        {
            return;
        }
        if (m_last.IsZero())
        {
            m_begin = now;
            m_last = now;
        }
        m_area += previous * (now - m_last).GetSeconds();
        m_last = now;
    }

    /**
     * @param to the rank that rank 0 sends to
     * @param bytes the size of the message
     * @return the seconds that it takes
     */
    static double Send(uint32_t to, uint64_t bytes)
    {
        ClusterHelper helper;
        helper.SetServers(4, DataRate("800Gbps"));
        NetDeviceContainer devices;
        const auto applications = InstallJob(helper,
                                             MakeMessages(
                                                 1,
                                                 [to](uint32_t) { return to; },
                                                 8,
                                                 bytes),
                                             "ns3::TcpNewReno",
                                             devices);
        Simulator::Run();
        const TrainingReport report(TrainingHelper::GetJob(applications), nullptr);
        Simulator::Destroy();
        return report.iterationSeconds[0];
    }

    Time m_begin;     //!< First time that the queue was looked at
    Time m_last;      //!< Last time
    double m_area{0}; //!< Sum of bytes times seconds
};

/// Registers the test cases
static const SuiteCases g_datacenterTrafficCases(
    "lightpath-datacenter",
    {MakeCases("Bisection of a leaf-spine network",
               &DatacenterTrafficTests::TestBisection,
               {{1, 100}, {4, 100}, {8, 100}, {8, 800}}),
     MakeCases("DCTCP with a threshold in packets",
               &DatacenterTrafficTests::TestMarking,
               {{10}, {40}}),
     MakeCases("DCTCP with windows of a segment",
               &DatacenterTrafficTests::TestManyMarks,
               {{16, 4000000}}),
     MakeCases("Switches that cut through",
               &DatacenterTrafficTests::TestCutThrough,
               {{0, 60000}, {9000, 60000}, {64, 60000}, {9000, 1000}}),
     MakeCases("DCTCP around a ring", &DatacenterTrafficTests::TestRing, {{8}, {4}, {1}}),
     {MakeCase("Messages inside and between the servers of a cluster",
               &DatacenterTrafficTests::TestCluster)}});
