/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "socket-fixture.h"
#include "training-fixture.h"

#include "ns3/fabric-helper.h"
#include "ns3/fixed-planner.h"
#include "ns3/model-zoo.h"
#include "ns3/planning-problem.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/training-report.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of jobs over sockets, and of their failures.
 */
class SocketJobTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Connections that cannot be opened, or break, are reported in one sentence.
     *
     * @param isCut whether the link is cut; the other rank does not listen if not
     * @param part a part of the sentence
     */
    void TestFailure(bool isCut, const std::string& part)
    {
        SocketPair pair;
        const auto errors = pair.Lose(1, 1);
        if (isCut)
        {
            errors->Disable();
            Simulator::Schedule(MicroSeconds(100), &ErrorModel::Enable, errors);
        }
        pair.Install(isCut ? 2 : 1);
        if (!isCut)
        {
            errors->Disable();
        }
        pair.transports[0]->Send(1, 0, 10000000);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(pair.failures.size(), 1, "one sentence");
        NS_TEST_EXPECT_MSG_EQ(pair.received[1].size(), 0, "nothing arrives");
        const std::string expected =
            "The connection of rank 0 to rank 1 at 10.1.0.2 port 50000 " + part;
        NS_TEST_EXPECT_MSG_EQ(pair.failures[0], expected, "the sentence");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), Seconds(1), "before long");
    }

    /// A failure of a connection ends the job.
    void TestJobFailure()
    {
        SocketPair pair;
        RankProgram program;
        program.AddTask(Collective(CollectiveKind::ALL_REDUCE, 100000000));
        TrainingHelper helper;
        helper.SetTransport("ns3::lightpath::SocketTransport");
        const auto applications =
            helper.Install(MakePlan({program, program}), pair.nodes, pair.interfaces);
        std::string failure;
        TrainingHelper::GetJob(applications)
            ->SetFailureCallback(Callback<void, std::string>([&failure](std::string sentence) {
                failure = sentence;
                Simulator::Stop();
            }));
        const auto errors = pair.Lose(1, 1);
        errors->Disable();
        Simulator::Schedule(MicroSeconds(100), &ErrorModel::Enable, errors);
        Simulator::Run();
        EXPECT_PART(failure, "has been given up, as no acknowledgement came");
    }

    /// Settings that do not fit together are refused.
    void TestMisuse()
    {
        TryDatagrams();
        SocketPair pair;
        RankProgram program;
        program.AddTask(Collective(CollectiveKind::ALL_REDUCE, 1000));
        const auto plan = MakePlan({program, program});
        TrainingHelper circuits;
        Try([&] { circuits.Install(plan, pair.nodes, pair.interfaces); }, "needs sockets");
        TrainingHelper helper;
        helper.SetTransport("ns3::lightpath::SocketTransport");
        Try([&] { helper.Install(MakePlan({program}), pair.nodes, pair.interfaces); },
            "cannot be installed on 2 nodes: give one node a rank");
        Try([&] { helper.Install(plan, pair.nodes, std::vector<Address>(1)); },
            "There are 1 addresses for 2 nodes");
        Try([&] { helper.Install(plan, pair.nodes, std::vector<Address>(2)); },
            "which is none of IPv4 or IPv6");
        NodeContainer bare;
        bare.Create(2);
        Try([&] { helper.Install(plan, bare, pair.interfaces); },
            "has no ns3::TcpSocketFactory: install a protocol stack");
        const auto other = Socket::CreateSocket(pair.nodes.Get(1), TcpSocketFactory::GetTypeId());
        other->Bind(InetSocketAddress(Ipv4Address::GetAny(), 50000));
        Try([&] { helper.Install(plan, pair.nodes, pair.interfaces); },
            "Rank 1 cannot listen at 10.1.0.2 port 50000 on node 1: another socket does");
        pair.factory.Set("CongestionControl", StringValue("ns3::lightpath::TrainingJob"));
        Try([&] { pair.Install(); },
            "The CongestionControl of a SocketTransport must be one of TCP");
        pair.factory.Set("CongestionControl", StringValue(""));
        pair.factory.Set("Recovery", StringValue("ns3::lightpath::TrainingJob"));
        Try([&] { pair.Install(); }, "The Recovery of a SocketTransport must be one of TCP");
        const std::string fabric = GetAbort([&] {
            NodeContainer nodes;
            nodes.Create(2);
            helper.Install(plan, FabricHelper::Create("electrical")->Install(nodes), nullptr);
        });
        EXPECT_PART(fabric, "assign addresses first");
    }

    /// Ranks on shared and on separate nodes carry out a job over a user's network.
    void TestJob()
    {
        SocketPair pair("80Gbps", "1us");
        RankProgram program;
        constexpr uint64_t bytes = 20000000;
        program.AddTask(Collective(CollectiveKind::ALL_REDUCE, bytes));
        TrainingHelper helper;
        helper.SetTransport("ns3::lightpath::SocketTransport");
        helper.SetJobAttribute("Iterations", UintegerValue(2));
        const auto applications =
            helper.Install(MakePlan({program, program}), pair.nodes, pair.interfaces);
        Simulator::Run();
        const TrainingReport report(TrainingHelper::GetJob(applications), nullptr);
        // Two steps of half the bytes each, both ways at once; 8960 of 9002 bytes are payload, and
        // every other packet has an acknowledgement of 42
        const double seconds = 2 * (bytes / 2 / 10e9 * (9002 + 42 / 2) / 8960 + 1e-6);
        NS_TEST_EXPECT_MSG_EQ_TOL(report.GetSteadySeconds() / seconds, 1, 0.01, "an iteration");
        const TransportStatistics& transport = report.transport;
        NS_TEST_EXPECT_MSG_EQ(transport.connections, 2, "one for each direction");
        NS_TEST_EXPECT_MSG_EQ(transport.retransmittedBytes, 0, "no losses");
        // A SYN and its answer have 2 + 20 + 20 bytes and options of 4 to 12
        NS_TEST_EXPECT_MSG_EQ_TOL(transport.handshake.GetSeconds(), 2e-6, 20e-9, "handshake");
        NS_TEST_EXPECT_MSG_EQ_TOL(transport.leastRoundTrip.GetSeconds(), 2e-6, 20e-9, "round trip");
        NS_TEST_EXPECT_MSG_GT(report.bytesSent, 2 * 2 * bytes * 9000 / 8960, "with headers");
        NS_TEST_EXPECT_MSG_LT(report.bytesSent, 2 * 2 * bytes * 1.01, "and little else");
        const auto json = report.GetJson();
        NS_TEST_EXPECT_MSG_EQ(json.at("transport").at("connections").get<int>(), 2, "in JSON");
        std::ostringstream table;
        TrainingReport::PrintTable(table, {report});
        EXPECT_PART(table.str(), "2 connections, open after 2.0");
    }

  private:
    /// Sockets of datagrams are refused.
    void TryDatagrams()
    {
        SocketPair datagrams;
        datagrams.factory.Set("SocketFactory", StringValue("ns3::UdpSocketFactory"));
        Try([&] { datagrams.Install(); }, "carry datagrams, and messages need a stream");
    }

    /**
     * @param call the refused call
     * @param part a part of the sentence
     */
    void Try(const std::function<void()>& call, const std::string& part)
    {
        const std::string sentence = GetAbort(call);
        EXPECT_PART(sentence, part);
    }
};

/**
 * @ingroup lightpath-tests
 * @brief A job takes as long over TCP as over circuits, but for headers and acknowledgements.
 */
class SocketFabricTestCase : public TestCase
{
  public:
    /**
     * @param fabric the name of the fabric
     */
    explicit SocketFabricTestCase(const std::string& fabric)
        : TestCase("TCP and circuits agree on " + fabric),
          m_fabric(fabric)
    {
    }

  private:
    void DoRun() override
    {
        const double circuits = Train(false);
        const double sockets = Train(true);
        NS_TEST_EXPECT_MSG_GT(m_exposed, 0.08, "communication is worth a comparison");
        NS_TEST_EXPECT_MSG_GT(sockets, circuits, "headers and acknowledgements take time");
        NS_TEST_EXPECT_MSG_LT(sockets, circuits * 1.05, "but little");
    }

    /**
     * @param isSocket whether messages go over TCP
     * @return the time of the second iteration in seconds
     */
    double Train(bool isSocket)
    {
        PlanningProblem problem;
        problem.graph = ModelZoo::Create("resnet50");
        problem.accelerator = Accelerator::Create("A100");
        problem.gpus = 4;
        problem.globalBatch = 4;
        problem.fabric.bitRate = 250e9;
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("DataParallel", UintegerValue(4));
        const auto fabric = FabricHelper::Create(m_fabric);
        fabric->SetBandwidth(DataRate("250Gbps"));
        fabric->SetQueueAttribute("MaxSize", StringValue("100000p"));
        fabric->SetQueueAttribute("DestinationMaxSize", StringValue("100000p"));
        fabric->DisableFlowControl();
        NodeContainer nodes;
        nodes.Create(4);
        const auto devices = fabric->Install(nodes);
        TrainingHelper helper;
        helper.SetJobAttribute("Iterations", UintegerValue(2));
        if (isSocket)
        {
            fabric->AssignAddresses(devices);
            helper.SetTransport("ns3::lightpath::SocketTransport");
        }
        const auto applications =
            helper.Install(planner->Plan(problem), devices, fabric->CreateController(devices));
        Simulator::Run();
        const TrainingReport report(TrainingHelper::GetJob(applications),
                                    FabricHelper::GetChannel(devices));
        Simulator::Destroy();
        m_exposed = report.exposedCommunicationSeconds / report.GetSteadySeconds();
        return report.GetSteadySeconds();
    }

    std::string m_fabric; //!< Name of the fabric
    double m_exposed{0};  //!< Share of an iteration that communication takes
};

/**
 * @ingroup lightpath-tests
 * @return the test cases of jobs over sockets, and of their failures; the caller owns them
 */
static std::vector<TestCase*>
MakeSocketJobTests()
{
    const std::string refused = "cannot be opened";
    const std::string given = "has been given up, as no acknowledgement came";
    return {
        MakeCase("A failure in the middle of a transfer",
                 &SocketJobTests::TestFailure,
                 false,
                 refused),
        MakeCase("A failure in the middle of a transfer",
                 &SocketJobTests::TestFailure,
                 true,
                 given),
        MakeCase("A job whose connection breaks", &SocketJobTests::TestJobFailure),
        MakeCase("Nodes, addresses and attributes that do not fit together",
                 &SocketJobTests::TestMisuse),
        MakeCase("A job over a link of ns-3, and its report", &SocketJobTests::TestJob),
        new SocketFabricTestCase("sip-ring"),
        new SocketFabricTestCase("sip-ocs"),
    };
}

/// Registers the test cases
static const SuiteCases g_socketJobCases("lightpath-socket", {MakeSocketJobTests()});
