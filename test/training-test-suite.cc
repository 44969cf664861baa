/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/training/transport/message-header.h"
#include "training-fixture.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/circuit-transport.h"
#include "ns3/error-model.h"
#include "ns3/ethernet-header.h"
#include "ns3/fixed-planner.h"
#include "ns3/model-zoo.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/planning-problem.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/training-application.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Claims for ever that bytes are being sent.
 */
class StuckTransport : public CircuitTransport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lightpath::StuckTransport")
                                .SetParent<CircuitTransport>()
                                .AddConstructor<StuckTransport>();
        return tid;
    }

    bool IsMoving() const override
    {
        return true;
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Collectives on dedicated circuits take the time of their closed form.
 */
class CollectiveTimeTestCase : public TestCase
{
  public:
    /**
     * @param name the name of the operation
     * @param ranks the number of ranks
     * @param frameSize the size of a frame, or 0
     * @param chunk the bytes of a message
     * @param expected the closed form in ns
     */
    CollectiveTimeTestCase(const std::string& name,
                           uint32_t ranks,
                           uint64_t frameSize,
                           uint64_t chunk,
                           int64_t expected)
        : TestCase(name + " over " + std::to_string(ranks) + " ranks, frames of " +
                   std::to_string(frameSize)),
          m_kind(CollectiveSchedule::GetKind(name)),
          m_ranks(ranks),
          m_frameSize(frameSize),
          m_chunk(chunk),
          m_expected(expected)
    {
    }

  private:
    void DoRun() override
    {
        RankProgram program;
        program.AddTask(
            Collective(m_kind, m_kind == CollectiveKind::SEND_RECV ? m_chunk : m_chunk * m_ranks));
        TrainingRun run(MakePlan(std::vector<RankProgram>(m_ranks, program)), m_ranks - 1);
        const bool direct = m_kind == CollectiveKind::ALL_TO_ALL;
        for (uint32_t stride = 1; stride < (direct ? m_ranks : 2); ++stride)
        {
            for (uint32_t rank = 0; rank < m_ranks; ++rank)
            {
                run.circuits.AddLane(rank, (rank + stride) % m_ranks, {stride - 1, 0});
            }
        }
        run.Run(m_frameSize, 3);
        NS_TEST_ASSERT_MSG_EQ(run.job->IsFinished(), true, "the job ends");
        for (uint32_t iteration = 0; iteration < 3; ++iteration)
        {
            const auto record = run.GetRecord(m_ranks - 1, iteration);
            NS_TEST_EXPECT_MSG_EQ(record.end - record.begin, NanoSeconds(m_expected), "its time");
        }
        Simulator::Destroy();
    }

    CollectiveKind m_kind; //!< The operation
    uint32_t m_ranks;      //!< Number of ranks
    uint64_t m_frameSize;  //!< Size of a frame, or 0
    uint64_t m_chunk;      //!< Bytes of a message
    int64_t m_expected;    //!< The closed form in ns
};

/**
 * @ingroup lightpath-tests
 * @brief Tests of the training job.
 */
class TrainingTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Computation is serial, communication overlaps with it.
    void TestOverlap()
    {
        // Rank 0: 10 us, then a message of 20 us beside 15 us of computation. Rank 1: 7 us while it
        // waits, then 4 us that need the message, then 2 us that need nothing but come last.
        RankProgram sender;
        sender.AddTask(Compute(10e-6));
        sender.AddTask(Message(TaskKind::SEND, 1, 5, 20000 - HEADERS));
        sender.AddTask(Compute(15e-6));
        sender.AddDependency(0, 1);
        RankProgram receiver;
        receiver.AddTask(Message(TaskKind::RECEIVE, 0, 5, 20000 - HEADERS));
        receiver.AddTask(Compute(4e-6));
        receiver.AddDependency(0, 1);
        receiver.AddTask(Compute(7e-6));
        receiver.AddTask(Compute(2e-6));
        receiver.AddDependency(1, 3);
        TrainingRun run(MakePlan({sender, receiver}), 1);
        run.circuits.AddLane(0, 1, {0, 0});
        run.Run(0, 2);
        const auto first = run.GetRecord(0);
        NS_TEST_EXPECT_MSG_EQ(first.end, MicroSeconds(25), "the sender does not wait");
        NS_TEST_EXPECT_MSG_EQ(first.compute, MicroSeconds(25), "the sender's computation");
        NS_TEST_EXPECT_MSG_EQ(run.GetRecord(1).end, MicroSeconds(36), "10 + 20 + 4 + 2 us");
        NS_TEST_EXPECT_MSG_EQ(run.GetRecord(1).compute, MicroSeconds(13), "its computation");
        NS_TEST_EXPECT_MSG_EQ(run.GetRecord(0, 1).end, MicroSeconds(50), "the second iteration");
        NS_TEST_EXPECT_MSG_EQ(run.GetRecord(1, 1).end,
                              MicroSeconds(61),
                              "its message leaves at 35 us and is there at 55 us");
        const TrainingReport report(run.job, run.channel);
        NS_TEST_EXPECT_MSG_EQ_TOL(report.iterationSeconds.at(0), 36e-6, 1e-12, "first iteration");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.iterationSeconds.at(1), 25e-6, 1e-12, "second iteration");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.computeSeconds, 19e-6, 1e-12, "mean computation");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.exposedCommunicationSeconds,
                                  25e-6 - 19e-6,
                                  1e-12,
                                  "what is left of an iteration");
        NS_TEST_EXPECT_MSG_EQ(report.bytesSent, 40000, "two messages with headers");
        NS_TEST_EXPECT_MSG_EQ(report.GetJson().at("lightpaths").get<int>(), 1, "in JSON");
        Simulator::Destroy();
    }

    /**
     * A sink that is connected while a frame is being sent sees the packet, and no time changes.
     *
     * @param trace the name of a trace source
     * @param rank the rank whose device has it
     * @param bytes the size of the packet that is traced
     */
    void TestLateSink(const std::string& trace, uint32_t rank, uint32_t bytes)
    {
        RankProgram sender;
        sender.AddTask(Message(TaskKind::SEND, 1, 5, 20000 - HEADERS));
        RankProgram receiver;
        receiver.AddTask(Message(TaskKind::RECEIVE, 0, 5, 20000 - HEADERS));
        TrainingRun run(MakePlan({sender, receiver}), 1);
        run.circuits.AddLane(0, 1, {0, 0});
        std::vector<Ptr<const Packet>> packets;
        const Callback<void, Ptr<const Packet>> sink(
            [&packets](Ptr<const Packet> packet) { packets.push_back(packet->Copy()); });
        const Ptr<NetDevice> device = run.devices.Get(rank);
        Simulator::Schedule(MicroSeconds(5), [device, sink, trace] {
            device->TraceConnectWithoutContext(trace, sink);
        });
        run.Run();
        NS_TEST_EXPECT_MSG_EQ(run.GetRecord(1).end, MicroSeconds(20), "a byte takes 1 ns");
        NS_TEST_ASSERT_MSG_EQ(packets.size(), 1, "one frame");
        NS_TEST_EXPECT_MSG_EQ(packets[0]->GetSize(), bytes, "its size");
        const Ptr<Packet> payload = packets[0]->Copy();
        EthernetHeader ethernet(false);
        if (bytes == 20000)
        {
            payload->RemoveHeader(ethernet);
            NS_TEST_EXPECT_MSG_EQ(Address(ethernet.GetSource()),
                                  run.devices.Get(0)->GetAddress(),
                                  "from");
            NS_TEST_EXPECT_MSG_EQ(Address(ethernet.GetDestination()),
                                  run.devices.Get(1)->GetAddress(),
                                  "to");
            NS_TEST_EXPECT_MSG_EQ(ethernet.GetLengthType(),
                                  CircuitTransport::PROTOCOL_NUMBER,
                                  "protocol");
        }
        MessageHeader header;
        payload->RemoveHeader(header);
        NS_TEST_EXPECT_MSG_EQ(header.GetSource(), 0, "the sender");
        NS_TEST_EXPECT_MSG_EQ(header.GetMessageSize(), 20000 - HEADERS, "the size of the message");
        Simulator::Destroy();
    }

    /// Messages beyond 4 GiB, in bursts and in frames that are sent again where they are lost.
    void TestMessageSize()
    {
        constexpr uint64_t bytes = 6000000000;
        RankProgram sender;
        sender.AddTask(Message(TaskKind::SEND, 1, 0, bytes));
        RankProgram receiver;
        receiver.AddTask(Message(TaskKind::RECEIVE, 0, 0, bytes));
        TrainingRun large(MakePlan({sender, receiver}), 1);
        large.circuits.AddLane(0, 1, {0, 0});
        large.Run();
        // Six frames of at most 1 GiB
        NS_TEST_EXPECT_MSG_EQ(large.GetRecord(1).end, NanoSeconds(bytes + 6 * HEADERS), "the end");
        Simulator::Destroy();

        sender = RankProgram();
        sender.AddTask(Message(TaskKind::SEND, 1, 0, 98000));
        receiver = RankProgram();
        receiver.AddTask(Message(TaskKind::RECEIVE, 0, 0, 98000));
        TrainingRun lossy(MakePlan({sender, receiver}), 1);
        lossy.circuits.AddLane(0, 1, {0, 0});
        // A frame is sent again 1000 ns after it was lost, and a frame takes 1014 ns, so that the
        // repetition of the last frame but one follows the last one without a gap
        const auto error = CreateObject<ReceiveListErrorModel>();
        error->SetList({4, 99});
        lossy.devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(error));
        lossy.Run(1000);
        NS_TEST_EXPECT_MSG_EQ(lossy.job->IsFinished(), true, "the message arrives");
        NS_TEST_EXPECT_MSG_EQ(TrainingReport(lossy.job, lossy.channel).bytesSent,
                              102 * 1014,
                              "100 frames and two more");
        NS_TEST_EXPECT_MSG_EQ(lossy.GetRecord(1).end, NanoSeconds(102 * 1014), "without a gap");
        Simulator::Destroy();
    }

    /// A job whose transports claim for ever that bytes move fails nevertheless.
    void TestClaimedMotion()
    {
        RankProgram program;
        program.AddTask(Collective(CollectiveKind::ALL_REDUCE, 3000));
        TrainingRun run(MakePlan({program, program}), 1);
        run.helper.SetTransport(StuckTransport::GetTypeId().GetName());
        run.helper.SetJobAttribute("StallTimeout", TimeValue(MicroSeconds(1)));
        Simulator::Stop(MilliSeconds(2));
        run.Run();
        EXPECT_PART(run.failure, "has made no progress for 0.001");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MicroSeconds(1010), "a thousand checks");
        Simulator::Destroy();
    }

    /// A job that cannot go on says why.
    void TestStall()
    {
        RankProgram program;
        program.AddTask(Compute(2));
        program.AddTask(Collective(CollectiveKind::ALL_REDUCE, 3000));
        program.AddDependency(0, 1);
        TrainingRun run(MakePlan({program, program, program}), 2);
        run.circuits.AddLane(0, 1, {0, 0});
        run.circuits.AddLane(1, 2, {0, 0});
        run.Run();
        NS_TEST_EXPECT_MSG_EQ(run.job->IsFinished(), false, "2 to 0 has no circuit");
        for (const std::string part :
             {"has made no progress for 1 s and cannot go on: 3 of 3 ranks wait",
              "rank 0 waits in step 1 of 4 of 'collective' for a message from rank 2",
              "3102 bytes wait at rank 2 for a lightpath to rank 0"})
        {
            EXPECT_PART(run.failure, part);
        }
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), Seconds(5), "not long after the computation");
        const std::string abort = GetAbort([&run]() {
            run.job->SetFailureCallback(TrainingJob::FailureCallback());
            run.job->Fail("a sentence");
        });
        EXPECT_PART(abort, "a sentence");
        Simulator::Destroy();
    }

    /// Jobs and installations that do not fit together are refused.
    void TestTrainingMisuse()
    {
        RankProgram sender;
        sender.AddTask(Message(TaskKind::SEND, 1, 0, 10));
        RankProgram receiver;
        receiver.AddTask(Message(TaskKind::RECEIVE, 0, 0, 11));
        TrainingRun run(MakePlan({sender, receiver}), 1);
        const std::string mismatch = GetAbort([&run]() { run.Run(); });
        NS_TEST_EXPECT_MSG_NE(mismatch, "", "another size");
        const std::string devices =
            GetAbort([&]() { TrainingHelper().Install(MakePlan({sender}), run.devices, nullptr); });
        EXPECT_PART(devices, "cannot be installed on 2 devices");
        NetDeviceContainer twice;
        twice.Add(run.devices.Get(1));
        twice.Add(run.devices.Get(1));
        receiver = RankProgram();
        receiver.AddTask(Message(TaskKind::RECEIVE, 0, 0, 10));
        const std::string port = GetAbort([&]() {
            TrainingHelper().Install(MakePlan({sender, receiver}), twice, nullptr);
        });
        EXPECT_PART(port, "both have port 1");
        const std::string frame = GetAbort([&]() {
            TrainingHelper helper;
            helper.SetTransportAttribute("FrameSize", UintegerValue(20));
            helper.Install(MakePlan({sender, receiver}), run.devices, nullptr);
        });
        EXPECT_PART(frame, "leaves no room for data");
        for (const std::string name : {"pigeon", "ns3::Node"})
        {
            const std::string transport = GetAbort([&]() { TrainingHelper().SetTransport(name); });
            EXPECT_PART(transport,
                        "There is no transport '" + name +
                            "': give one of circuit, relay, rotor, tcp, dctcp, dcqcn, hpcc, "
                            "nscc, pfc");
        }
        const auto average = [](uint32_t local) {
            const std::string abort = GetAbort([&]() {
                TrainingRun averaging(MakePlan({MakeAverage(local), MakeAverage(local)}), 1);
                averaging.Install();
                averaging.job->SetFailureCallback(TrainingJob::FailureCallback());
                Simulator::Run();
            });
            Simulator::Destroy();
            return abort;
        };
        EXPECT_PART(average(1), "use the collective IN_NETWORK only on a fabric");
        EXPECT_PART(average(2), "these ranks have no server whose switch averages");
    }

  private:
    /**
     * @param local the ranks of a server
     * @return the program of a rank that has the network average its gradients
     */
    static RankProgram MakeAverage(uint32_t local)
    {
        RankProgram program;
        Task task = Collective(CollectiveKind::ALL_REDUCE, 1000);
        task.options = {local, CollectiveAlgorithm::IN_NETWORK};
        program.AddTask(task);
        return program;
    }
};

/**
 * @ingroup lightpath-tests
 * @brief On each fabric, bursts and frames of 9000 bytes give the same times, and so do two runs.
 */
class FrameSizeAgreementTestCase : public TestCase
{
  public:
    /**
     * @param fabric the name of the fabric
     */
    explicit FrameSizeAgreementTestCase(const std::string& fabric)
        : TestCase("Bursts and frames agree on " + fabric),
          m_fabric(fabric)
    {
    }

  private:
    void DoRun() override
    {
        const double burst = Train(0);
        const double packets = Train(9000);
        NS_TEST_EXPECT_MSG_EQ_TOL(packets / burst, 1, 0.005, "times of an iteration");
        NS_TEST_EXPECT_MSG_GT(packets, burst, "headers take time");
        NS_TEST_EXPECT_MSG_EQ(Train(9000), packets, "two runs");
        NS_TEST_EXPECT_MSG_GT(m_exposed, 0.2, "communication is worth a comparison");
    }

    /**
     * @param frameSize the size of a frame, or 0
     * @return the time of the second iteration in seconds
     */
    double Train(uint64_t frameSize)
    {
        PlanningProblem problem;
        problem.graph = ModelZoo::Create("resnet50");
        problem.accelerator = Accelerator::Create("A100");
        problem.accelerator.convolutionRamp = 0;
        problem.accelerator.launchSeconds = 0;
        problem.gpus = 16;
        problem.globalBatch = 64;
        problem.fabric.bitRate = 250e9;
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("DataParallel", UintegerValue(16));
        const auto fabric = FabricHelper::Create(m_fabric);
        fabric->SetBandwidth(DataRate("250Gbps"));
        NodeContainer nodes;
        nodes.Create(problem.gpus);
        const auto devices = fabric->Install(nodes);
        TrainingHelper helper;
        helper.SetTransportAttribute("FrameSize", UintegerValue(frameSize));
        helper.SetJobAttribute("Iterations", UintegerValue(2));
        const auto applications =
            helper.Install(planner->Plan(problem), devices, fabric->CreateController(devices));
        Simulator::Run();
        const TrainingReport report(TrainingHelper::GetJob(applications),
                                    FabricHelper::GetChannel(devices));
        m_exposed = report.exposedCommunicationSeconds / report.GetSteadySeconds();
        Simulator::Destroy();
        return report.GetSteadySeconds();
    }

    std::string m_fabric; //!< Name of the fabric
    double m_exposed{0};  //!< Share of exposed communication
};

/**
 * @ingroup lightpath-tests
 * @return the test cases of this file
 */
static std::vector<TestCase*>
ListCases()
{
    std::vector<TestCase*> cases;
    // 2 (n - 1) (alpha + S / (n B)), with 34 ns of headers for each frame
    cases.push_back(new CollectiveTimeTestCase("all-reduce", 8, 0, 1000, 14 * 1034));
    cases.push_back(new CollectiveTimeTestCase("all-reduce", 64, 0, 12345, 126 * 12379));
    cases.push_back(new CollectiveTimeTestCase("all-reduce", 5, 9000, 27000, 8 * (27000 + 4 * 34)));
    cases.push_back(new CollectiveTimeTestCase("reduce-scatter", 8, 0, 1000, 7 * 1034));
    cases.push_back(new CollectiveTimeTestCase("all-gather", 3, 0, 700, 2 * 734));
    // All messages at once, each on a circuit of its own
    cases.push_back(new CollectiveTimeTestCase("all-to-all", 6, 0, 4000, 4034));
    cases.push_back(new CollectiveTimeTestCase("send-recv", 6, 0, 4000, 4034));
    cases.push_back(
        MakeCase("Overlap of computation and communication", &TrainingTests::TestOverlap));
    for (const auto& [trace, rank, bytes] : {std::make_tuple("PhyTxEnd", 0, 20000),
                                             {"PhyRxEnd", 1, 20000},
                                             {"Sniffer", 1, 20000},
                                             {"MacRx", 1, 20000 - 14}})
    {
        cases.push_back(MakeCase("A sink connected in the middle of a frame",
                                 &TrainingTests::TestLateSink,
                                 trace,
                                 rank,
                                 bytes));
    }
    cases.push_back(MakeCase("A message of 6 GB, and one with frames that are lost",
                             &TrainingTests::TestMessageSize));
    cases.push_back(MakeCase("A job that can make no more progress", &TrainingTests::TestStall));
    cases.push_back(
        MakeCase("A job whose transports claim to move", &TrainingTests::TestClaimedMotion));
    cases.push_back(MakeCase("Programs, plans and devices that do not fit together",
                             &TrainingTests::TestTrainingMisuse));
    cases.push_back(new FrameSizeAgreementTestCase("sip-ring"));
    cases.push_back(new FrameSizeAgreementTestCase("sip-ocs"));
    cases.push_back(new FrameSizeAgreementTestCase("electrical"));
    return cases;
}

/// Registers the test cases
static const SuiteCases g_trainingCases("lightpath-training", {ListCases()});
