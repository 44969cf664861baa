/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-parts.h"
#include "method-case.h"
#include "model/control/switches/circuit-switch-max-min-allocator.h"
#include "model/training/transport/hybrid-transport.h"
#include "test-lengths.h"
#include "training-fixture.h"

#include "ns3/circuit-controller.h"
#include "ns3/circuit-switch-channel.h"
#include "ns3/circuit-transport.h"
#include "ns3/crossbar-channel.h"
#include "ns3/error-model.h"
#include "ns3/node-container.h"
#include "ns3/optical-net-device.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Nanoseconds that a byte takes on the electrical network.
constexpr uint64_t SLOWNESS = 8;

/**
 * @ingroup lightpath-tests
 * @brief Ranks on circuit switches, where a byte takes 1 ns, and on an electrical switch, where it
 * takes 8 ns.
 */
class HybridFixture
{
  public:
    /**
     * @param size the number of ranks
     */
    explicit HybridFixture(uint32_t size)
        : channel(MakeSwitches(2))
    {
        channel->SetAttribute("SwitchingDelay", TimeValue(Time(0)));
        const auto crossbar =
            MakeChannel<CrossbarChannel>({{"LinkRate", "1Gbps"}, {"Delay", "0s"}});
        NodeContainer nodes(size);
        for (uint32_t rank = 0; rank < size; ++rank)
        {
            optical.Add(AddDevice(nodes.Get(rank), channel));
            electrical.Add(AddDevice(nodes.Get(rank), crossbar));
        }
    }

    ~HybridFixture()
    {
        for (const auto& transport : transports)
        {
            transport->Dispose();
        }
        Simulator::Destroy();
    }

    HybridFixture(const HybridFixture&) = delete;
    HybridFixture& operator=(const HybridFixture&) = delete;

    /**
     * Install transports without a job.
     *
     * @param small the size of the largest message that goes electrically, in bytes
     * @param bulk the size of the smallest message that goes optically, in bytes
     * @param limit the time that messages wait for a lightpath
     * @param frameSize bytes of a frame on the optical fabric, 0 for bursts
     */
    void InstallTransports(uint64_t small, uint64_t bulk, Time limit, uint64_t frameSize = 0)
    {
        for (uint32_t rank = 0; rank < optical.GetN(); ++rank)
        {
            const auto hybrid = CreateObject<HybridTransport>();
            hybrid->SetAttribute("SmallMessage", UintegerValue(small));
            hybrid->SetAttribute("BulkMessage", UintegerValue(bulk));
            hybrid->SetAttribute("WaitLimit", TimeValue(limit));
            hybrid->SetUp(MakeTransport(optical.Get(rank), frameSize),
                          MakeTransport(electrical.Get(rank), 0));
            hybrid->SetReceiveCallback(Callback<void, uint32_t, uint64_t, uint64_t>(
                [this, rank](uint32_t source, uint64_t tag, uint64_t bytes) {
                    ends[tag] = Simulator::Now();
                    received[{source, rank, tag, bytes}] += 1;
                }));
            transports.push_back(hybrid);
        }
    }

    /**
     * Send a message.
     *
     * @param at when
     * @param source the rank that sends it
     * @param rank the rank that it is for
     * @param tag its tag
     * @param bytes its size in bytes
     */
    void Send(Time at, uint32_t source, uint32_t rank, uint64_t tag, uint64_t bytes)
    {
        Simulator::Schedule(at, &Transport::Send, transports[source], rank, tag, bytes);
    }

    /**
     * Change the circuits.
     *
     * @param at when
     * @param pairs the pairs that get a lightpath, of which no two have a port in common
     */
    void Configure(Time at, const std::vector<PortPair>& pairs)
    {
        CircuitPlan plan;
        for (const auto& [source, destination] : pairs)
        {
            plan.AddLane(source, destination, {0, 0});
        }
        Simulator::Schedule(at, &OpticalChannel::Configure, channel, plan);
    }

    /// Source, destination, tag and size of a message.
    using Message = std::tuple<uint32_t, uint32_t, uint64_t, uint64_t>;

    Ptr<CircuitSwitchChannel> channel;            //!< The optical fabric
    NetDeviceContainer optical;                   //!< The devices on it
    NetDeviceContainer electrical;                //!< The devices on the electrical switch
    TrainingHelper helper;                        //!< Installs jobs
    std::vector<Ptr<HybridTransport>> transports; //!< The transports by rank
    std::map<uint64_t, Time> ends;                //!< When messages were received, by tag
    std::map<Message, uint32_t> received;         //!< How often

  private:
    /**
     * @param device a device
     * @param frameSize bytes of a frame, 0 for bursts
     * @return a transport on it
     */
    static Ptr<CircuitTransport> MakeTransport(Ptr<NetDevice> device, uint64_t frameSize)
    {
        const auto transport = CreateObject<CircuitTransport>();
        transport->SetAttribute("FrameSize", UintegerValue(frameSize));
        transport->SetDevice(DynamicCast<OpticalNetDevice>(device));
        return transport;
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Tests of messages with two ways.
 */
class HybridTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// The way that messages take, by their time.
    void TestWay()
    {
        TrySizes();
        TryBoundary();
        TryWaiting();
        // Of 4000 bytes that were sent, all but the headers arrive
        const Time burst = MicroSeconds(5) + GetSlow(6034);
        TryLoss(0, 0, burst, burst + GetSlow(10000), 3966);
        // Three frames of 1000 bytes arrive, and the rest of the fourth waits for nothing
        const Time frames = MicroSeconds(5) + GetSlow(1000) + GetSlow(6000);
        TryLoss(0, 1020, frames, frames + GetSlow(10000), 3000);
        // Bulk goes on with the lightpath
        const Time bulk = MicroSeconds(16) + GetFast(10000);
        TryLoss(10000, 0, bulk, bulk + GetFast(10000), 20000);
        TryFailure();
        TryCorruption();
    }

    /// Every message arrives once, however the circuits change.
    void TestDelivery()
    {
        constexpr uint32_t size = 6;
        constexpr uint32_t messages = 5000;
        constexpr uint32_t span = 2000000;
        std::mt19937 random(1);
        HybridFixture fixture(size);
        fixture.InstallTransports(300, 0, MicroSeconds(3));
        std::map<HybridFixture::Message, uint32_t> sent;
        uint64_t bytes = 0;
        for (uint32_t tag = 0; tag < messages; ++tag)
        {
            const uint32_t source = random() % size;
            const uint32_t rank = (source + 1 + random() % (size - 1)) % size;
            const uint64_t length = 1 + random() % 3000;
            fixture.Send(NanoSeconds(random() % span), source, rank, tag, length);
            sent[{source, rank, tag, length}] = 1;
            bytes += length;
        }
        for (uint32_t at = 0; at < span; at += 2000 + random() % 5000)
        {
            const uint32_t shift = 1 + random() % (size - 1);
            std::vector<PortPair> pairs;
            for (uint32_t source = 0; source < size; ++source)
            {
                if (random() % 2 == 0)
                {
                    pairs.emplace_back(source, (source + shift) % size);
                }
            }
            fixture.Configure(NanoSeconds(at), pairs);
        }
        // A message that has begun ends with its circuit
        for (uint32_t shift = 1; shift < size; ++shift)
        {
            std::vector<PortPair> pairs;
            for (uint32_t source = 0; source < size; ++source)
            {
                pairs.emplace_back(source, (source + shift) % size);
            }
            fixture.Configure(NanoSeconds(span) + MilliSeconds(shift), pairs);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((fixture.received == sent), true, "Each once");
        TransportStatistics all;
        for (const auto& transport : fixture.transports)
        {
            all.Add(transport->GetStatistics());
            NS_TEST_EXPECT_MSG_EQ(transport->Describe(), "", "Nothing waits");
            NS_TEST_EXPECT_MSG_EQ(transport->IsMoving(), false, "Nothing moves");
        }
        NS_TEST_EXPECT_MSG_EQ(all.opticalMessages + all.electricalMessages, messages, "Messages");
        NS_TEST_EXPECT_MSG_EQ(all.opticalBytes + all.electricalBytes, bytes, "Bytes");
        NS_TEST_EXPECT_MSG_GT(all.opticalMessages, messages / 20, "Both ways are taken");
        NS_TEST_EXPECT_MSG_GT(all.electricalMessages, messages / 20, "Both ways are taken");
    }

    /// A job whose pairs do not all have a lightpath.
    void TestJob()
    {
        HybridFixture fixture(3);
        std::vector<RankProgram> programs(3);
        programs[0].AddTask(Message(TaskKind::SEND, 1, 0, 5000));
        programs[1].AddTask(Message(TaskKind::RECEIVE, 0, 0, 5000));
        programs[1].AddTask(Message(TaskKind::SEND, 2, 1, 5000));
        programs[2].AddTask(Message(TaskKind::RECEIVE, 1, 1, 5000));
        fixture.channel->Configure(MakeCircuits({{0, 1, {0, 0}}}));
        const auto applications = fixture.helper.InstallHybrid(MakePlan(programs),
                                                               fixture.optical,
                                                               fixture.electrical,
                                                               nullptr);
        Simulator::Run();
        const auto job = TrainingHelper::GetJob(applications);
        NS_TEST_EXPECT_MSG_EQ(job->IsFinished(), true, "The job ends");
        const auto getEnd = [&applications](uint32_t rank) {
            return DynamicCast<TrainingApplication>(applications.Get(rank))->GetRecords()[0].end;
        };
        NS_TEST_EXPECT_MSG_EQ(getEnd(1), NanoSeconds(5000 + HEADERS), "By a circuit");
        NS_TEST_EXPECT_MSG_EQ(getEnd(2), NanoSeconds((5000 + HEADERS) * SLOWNESS), "Without one");
        const TrainingReport report(job, fixture.channel);
        NS_TEST_EXPECT_MSG_EQ(report.GetJson()["hybrid"]["electricalBytes"], 5000, "In the report");
    }

    /// A job whose circuits do not reach all ranks ends unless bulk messages wait for one.
    void TestBulk()
    {
        NS_TEST_EXPECT_MSG_EQ(Run(5004, Time(0)), "", "Nothing is bulk");
        NS_TEST_EXPECT_MSG_EQ(Run(5004, MicroSeconds(7)), "", "And waits for a time only");
        NS_TEST_EXPECT_MSG_EQ(
            Run(5001, MicroSeconds(7)),
            "The training job has made no progress for 1 s and cannot go on: 1 of 4 "
            "ranks wait; rank 1 waits in 'message 1' for a message from rank 0; "
            "5035 bytes wait at rank 0 for a lightpath to rank 1",
            "All are");
    }

  private:
    /// The largest small message goes electrically, and demands no circuits.
    void TryBoundary()
    {
        HybridFixture fixture(2);
        fixture.InstallTransports(300, 0, Time(0));
        fixture.Configure(Time(0), {{0, 1}});
        fixture.Send(MicroSeconds(1), 0, 1, 300, 300);
        fixture.Send(MicroSeconds(10), 0, 1, 301, 301);
        Simulator::Run();
        for (const uint64_t bytes : {300, 301})
        {
            const bool isOptical =
                fixture.ends.at(bytes) < MicroSeconds(bytes == 300 ? 1 : 10) + GetSlow(bytes);
            NS_TEST_EXPECT_MSG_EQ(isOptical, (bytes == 301), bytes << " bytes");
            NS_TEST_EXPECT_MSG_EQ(fixture.transports[0]->UsesCircuits(bytes),
                                  isOptical,
                                  "The demand of " << bytes << " bytes");
        }
    }

    /**
     * @param bytes the size of a message
     * @return the time that it takes electrically
     */
    static Time GetSlow(uint64_t bytes)
    {
        return NanoSeconds((bytes + HEADERS) * SLOWNESS);
    }

    /**
     * @param bytes the size of a message
     * @return the time that it takes optically
     */
    static Time GetFast(uint64_t bytes)
    {
        return NanoSeconds(bytes + HEADERS);
    }

    /// By size.
    void TrySizes()
    {
        HybridFixture fixture(3);
        fixture.InstallTransports(1000, 5000, Time(0));
        fixture.channel->Configure(GetPlan());
        fixture.Send(Time(0), 0, 1, 1, 1000);
        fixture.Send(Time(0), 0, 1, 2, 1001);
        fixture.Send(MicroSeconds(50), 2, 1, 3, 4999);
        fixture.Send(MicroSeconds(50), 2, 0, 4, 5000);
        fixture.Configure(MicroSeconds(80), {{2, 0}});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fixture.ends[1], GetSlow(1000), "Small, in spite of a lightpath");
        NS_TEST_EXPECT_MSG_EQ(fixture.ends[2], GetFast(1001), "Not small");
        NS_TEST_EXPECT_MSG_EQ(fixture.ends[3], MicroSeconds(50) + GetSlow(4999), "No lightpath");
        NS_TEST_EXPECT_MSG_EQ(fixture.ends[4], MicroSeconds(80) + GetFast(5000), "Bulk waits");
        const TransportStatistics statistics = fixture.transports[2]->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.electricalBytes, 4999, "What went electrically");
        NS_TEST_EXPECT_MSG_EQ(statistics.opticalBytes, 5000, "What went optically");
    }

    /// By waiting.
    void TryWaiting()
    {
        HybridFixture fixture(4);
        fixture.InstallTransports(0, 0, MicroSeconds(5));
        fixture.Send(Time(0), 0, 1, 1, 1000);
        fixture.Send(Time(0), 2, 3, 2, 1000);
        fixture.Send(MicroSeconds(4), 2, 3, 3, 500);
        fixture.Configure(MicroSeconds(3), {{0, 1}});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fixture.ends[1], MicroSeconds(3) + GetFast(1000), "In time");
        NS_TEST_EXPECT_MSG_EQ(fixture.ends[2], MicroSeconds(5) + GetSlow(1000), "In vain");
        NS_TEST_EXPECT_MSG_EQ(fixture.ends[3],
                              fixture.ends[2] + GetSlow(500),
                              "The one behind it waits no longer");
    }

    /**
     * A lightpath ceases in the middle of one message, with another behind.
     *
     * @param bulk bytes of a message that waits, at least
     * @param frameSize bytes of a frame, 0 for bursts
     * @param first when the first message is expected
     * @param second when the second message is expected
     * @param bytes the bytes that are expected to go optically
     */
    void TryLoss(uint64_t bulk, uint64_t frameSize, Time first, Time second, uint64_t bytes)
    {
        HybridFixture fixture(2);
        fixture.InstallTransports(0, bulk, MicroSeconds(1), frameSize);
        uint32_t dropped = 0;
        CountPackets(fixture.optical.Get(0), "PhyTxDrop", dropped);
        fixture.channel->Configure(GetPlan());
        fixture.Send(Time(0), 0, 1, 1, 10000);
        fixture.Send(Time(0), 0, 1, 2, 10000);
        fixture.Configure(MicroSeconds(4), {});
        fixture.Configure(MicroSeconds(20), {{0, 1}});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fixture.ends[1], first, "Begun");
        NS_TEST_EXPECT_MSG_EQ(fixture.ends[2], second, "Not begun");
        NS_TEST_EXPECT_MSG_EQ(fixture.received.size(), 2, "Each once, with its size");
        const TransportStatistics statistics = fixture.transports[0]->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(dropped, (bulk > 0 ? 0 : 1), "A frame cut by darkness is given up");
        NS_TEST_EXPECT_MSG_EQ(statistics.opticalBytes, bytes, "What went optically");
        NS_TEST_EXPECT_MSG_EQ(statistics.electricalBytes, 20000 - bytes, "What did not");
        NS_TEST_EXPECT_MSG_EQ(fixture.transports[0]->Describe(), "", "Nothing waits");
    }

    /// A lightpath fails for good under the only message.
    void TryFailure()
    {
        HybridFixture fixture(2);
        fixture.InstallTransports(0, 0, Time(0));
        fixture.channel->Configure(GetPlan());
        fixture.Send(Time(0), 0, 1, 1, 10000);
        ScheduleFault(fixture.channel, MicroSeconds(4), "switch:0");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fixture.ends[1], MicroSeconds(4) + GetSlow(6034), "The rest");
        NS_TEST_EXPECT_MSG_EQ(fixture.transports[0]->IsMoving(), false, "Nothing moves");
    }

    /// A message is received corrupt just before its lightpath ceases.
    void TryCorruption()
    {
        HybridFixture fixture(2);
        fixture.InstallTransports(0, 0, MicroSeconds(1));
        const auto errors = CreateObject<RateErrorModel>();
        errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        errors->SetRate(1);
        fixture.optical.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        fixture.channel->Configure(GetPlan());
        fixture.Send(Time(0), 0, 1, 1, 10000);
        fixture.Configure(GetFast(10000) + NanoSeconds(1), {});
        Simulator::Run();
        // The RetransmissionDelay and the WaitLimit
        NS_TEST_EXPECT_MSG_EQ(fixture.ends[1],
                              GetFast(10000) + MicroSeconds(2) + GetSlow(10000),
                              "It goes electrically in the end");
    }

    /**
     * @return a lightpath from rank 0 to rank 1
     */
    static CircuitPlan GetPlan()
    {
        const CircuitPlan plan = MakeCircuits({{0, 1, {0, 0}}});
        return plan;
    }

    /**
     * Let a rank with two circuits send messages of 5001, 5002 and 5003 bytes to three other ranks.
     *
     * @param bulk the size of the smallest message that goes optically, in bytes
     * @param limit the time that other messages wait for a lightpath
     * @return the sentence with which the job fails, or nothing
     */
    static std::string Run(uint64_t bulk, Time limit)
    {
        HybridFixture fixture(4);
        std::vector<RankProgram> programs(4);
        for (uint32_t rank = 1; rank < 4; ++rank)
        {
            const uint64_t size = 5000 + rank;
            programs[0].AddTask(Message(TaskKind::SEND, rank, rank, size));
            programs[rank].AddTask(Message(TaskKind::RECEIVE, 0, rank, size));
        }
        const auto allocator = CreateObject<CircuitSwitchMaxMinAllocator>();
        allocator->SetGeometry(fixture.channel->GetGeometry());
        const auto controller = CreateObject<CircuitController>();
        controller->SetChannel(fixture.channel);
        controller->SetAllocator(allocator);
        fixture.helper.SetHybridAttribute("BulkMessage", UintegerValue(bulk));
        fixture.helper.SetHybridAttribute("WaitLimit", TimeValue(limit));
        const auto job = TrainingHelper::GetJob(fixture.helper.InstallHybrid(MakePlan(programs),
                                                                             fixture.optical,
                                                                             fixture.electrical,
                                                                             controller));
        std::string failure = "not finished";
        job->SetFailureCallback(Callback<void, std::string>([&failure](std::string sentence) {
            failure = sentence;
            Simulator::Stop();
        }));
        job->TraceConnectWithoutContext("Finished",
                                        Callback<void>([&failure] { failure.clear(); }));
        Simulator::Run();
        return failure;
    }
};

/// Registers the test cases
static const SuiteCases g_hybridCases(
    "lightpath-hybrid",
    {{MakeCase("The ways of messages", &HybridTests::TestWay),
      MakeCase("Messages while circuits change", &HybridTests::TestDelivery),
      MakeCase("A job on a hybrid fabric", &HybridTests::TestJob),
      MakeCase("Bulk messages that get no circuit", &HybridTests::TestBulk)}});

} // namespace
