/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fabric-fixture.h"
#include "in-network-fixture.h"
#include "method-case.h"
#include "model/training/transport/relay-transport.h"
#include "training-fixture.h"

#include "ns3/circuit-transport.h"
#include "ns3/crossbar-channel.h"
#include "ns3/error-model.h"
#include "ns3/in-network-channel.h"
#include "ns3/link-budget.h"
#include "ns3/optical-error-model.h"
#include "ns3/optical-link.h"
#include "ns3/pointer.h"
#include "ns3/training-report.h"

#include <cmath>
#include <map>
#include <numeric>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Time from a loss to its repeat beyond propagation in nanoseconds, the default.
constexpr double REPEAT_DELAY = 1000;

/**
 * @ingroup lightpath-tests
 * @brief The errors of a path whose light is just so weak.
 */
struct WeakLight
{
    /**
     * @param bytes the size of a frame
     * @param rate the share of such frames to lose
     * @param stream the stream of random numbers
     */
    WeakLight(uint32_t bytes, double rate, int64_t stream)
    {
        // No code: a frame arrives if all of its bits do
        const auto link = CreateObject<OpticalLink>();
        OpticalSignal signal;
        signal.frequency = 193.1e12;
        double dbm = -30;
        for (double step = 16; step > 1e-9; step /= 2)
        {
            signal.power = DbmToWatt(dbm + step);
            bitErrorRate = link->GetBitErrorRate(signal);
            dbm += GetRate(bytes) > rate ? step : 0;
        }
        errors->SetSignal(link, signal);
        errors->AssignStreams(stream);
    }

    /**
     * @param bytes the size of a frame
     * @return the probability that one of its bits is wrong
     */
    double GetRate(uint32_t bytes) const
    {
        return -std::expm1(8.0 * bytes * std::log1p(-bitErrorRate));
    }

    double bitErrorRate{0};                                           //!< The error rate of bits
    Ptr<OpticalErrorModel> errors{CreateObject<OpticalErrorModel>()}; //!< The errors
};

/**
 * @ingroup lightpath-tests
 * @brief Rank 0 sends a message to rank 1, where a byte takes 1 ns.
 */
class LossyMessage : public TrainingRun
{
  public:
    /**
     * @param bytes the size of the message
     */
    explicit LossyMessage(uint64_t bytes)
        : TrainingRun(MakePlan({MakeProgram(TaskKind::SEND, 1, bytes),
                                MakeProgram(TaskKind::RECEIVE, 0, bytes)}),
                      1)
    {
        circuits.AddLane(0, 1, {0, 0});
    }

    /**
     * Send the message over a path with errors.
     *
     * @param errors the errors
     * @param frameSize the size of a frame, or 0
     */
    void Lose(Ptr<OpticalErrorModel> errors, uint64_t frameSize)
    {
        DynamicCast<OpticalNetDevice>(devices.Get(0))->SetPathErrors(1, errors);
        Install(frameSize);
        const auto application = DynamicCast<TrainingApplication>(applications.Get(0));
        application->GetTransport()->TraceConnectWithoutContext(
            "SendAgain",
            Callback<void, uint32_t>([this](uint32_t) { ++repeats; }));
        Simulator::Run();
    }

    /**
     * @return the bytes that rank 0 has sent
     */
    double GetSent() const
    {
        return static_cast<double>(TrainingReport(job, channel).bytesSent);
    }

    uint32_t repeats{0}; //!< Frames, or parts of bursts, that were sent again

  private:
    /**
     * @param kind SEND or RECEIVE
     * @param peer the other rank
     * @param bytes the size of the message
     * @return the program of a rank
     */
    static RankProgram MakeProgram(TaskKind kind, uint32_t peer, uint64_t bytes)
    {
        RankProgram program;
        program.AddTask(Message(kind, peer, 0, bytes));
        return program;
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Test cases on frames that are received corrupt.
 */
class LossTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * A million frames lose the predicted share, and all of their bytes arrive.
     *
     * @param rate the share
     */
    void TestShare(double rate)
    {
        constexpr uint32_t size = 1500;
        constexpr uint32_t frame = size + 14;
        constexpr uint64_t count = 1000000;
        const WeakLight light(frame, rate, 1);
        LossyMessage run(count * (frame - HEADERS));
        run.Lose(light.errors, size);
        NS_TEST_EXPECT_MSG_EQ(run.job->IsFinished(), true, "All bytes arrive");
        const double sent = run.GetSent() / frame;
        NS_TEST_EXPECT_MSG_EQ(sent, static_cast<double>(count + run.repeats), "Whole frames");
        NS_TEST_EXPECT_MSG_EQ(TrainingReport(run.job, run.channel).transport.repeatedBytes,
                              uint64_t{run.repeats} * (frame - HEADERS),
                              "Reported");
        const double share = light.GetRate(frame);
        NS_TEST_EXPECT_MSG_EQ_TOL(share, rate, 1e-3 * rate, "The light is as weak as needed");
        NS_TEST_EXPECT_MSG_EQ_TOL(run.repeats,
                                  sent * share,
                                  3 * std::sqrt(sent * share * (1 - share)),
                                  "Lost frames");
        Simulator::Destroy();
    }

    /**
     * A burst loses as much as the frames that it stands for.
     *
     * @param rate the share
     */
    void TestBurstShare(double rate)
    {
        constexpr uint32_t mtu = 1500;
        constexpr uint64_t bytes = 1000000 * uint64_t{mtu - 20};
        const WeakLight light(mtu + 14, rate, 2);
        LossyMessage run(bytes);
        run.devices.Get(0)->SetAttribute("Mtu", UintegerValue(mtu));
        run.Lose(light.errors, 0);
        NS_TEST_EXPECT_MSG_EQ(run.job->IsFinished(), true, "All bytes arrive");
        const double sent = run.GetSent() / (mtu - 20);
        const double share = light.GetRate(mtu + 14);
        NS_TEST_EXPECT_MSG_EQ_TOL((run.GetSent() - bytes) / (mtu - 20),
                                  sent * share,
                                  3 * std::sqrt(sent * share * (1 - share)),
                                  "Lost frames");
        // Two bursts: the rest of each is repeated until nothing is left
        NS_TEST_EXPECT_MSG_LT(run.repeats, 50, "Bursts");
        Simulator::Destroy();
    }

    /// The time of a message, against the closed form of selective repeat.
    void TestTime()
    {
        constexpr uint32_t rounds = 300;
        constexpr uint32_t count = 100;
        constexpr uint32_t frame = 1014;
        constexpr double rate = 0.1;
        std::vector<double> times;
        for (uint32_t round = 0; round < rounds; ++round)
        {
            const WeakLight light(frame, rate, round);
            LossyMessage run(count * (frame - HEADERS));
            run.Lose(light.errors, frame - 14);
            times.push_back(run.GetRecord(1).end.GetNanoSeconds());
            NS_TEST_EXPECT_MSG_EQ(run.GetSent(), (count + run.repeats) * frame, "Bytes");
            Simulator::Destroy();
        }
        const double mean = std::accumulate(times.begin(), times.end(), 0.0) / rounds;
        double square = 0;
        for (const double time : times)
        {
            square += (time - mean) * (time - mean);
        }
        // A repeat is ready before the next frame ends. Only a frame that is alone is waited for
        const double expected = (count * frame + REPEAT_DELAY * rate) / (1 - rate);
        NS_TEST_EXPECT_MSG_EQ_TOL(mean,
                                  expected,
                                  3 * std::sqrt(square / (rounds - 1) / rounds),
                                  "Mean time of a message");
    }

    /// A loss is known after the propagation delay there and back.
    void TestPropagation()
    {
        LossyMessage run(9980);
        run.channel->SetAttribute("Delay", StringValue("3us"));
        const auto error = CreateObject<ReceiveListErrorModel>();
        error->SetList({0, 1});
        run.devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(error));
        run.Run();
        NS_TEST_EXPECT_MSG_EQ(run.GetRecord(1).end,
                              NanoSeconds(3 * (9980 + HEADERS + 3000) + 2 * (3000 + 1000)),
                              "Twice in vain");
        Simulator::Destroy();
    }

    /// A burst takes the time of all that it sends, and a wait for each repeat.
    void TestBurstTime()
    {
        const WeakLight light(9014, 0.2, 4);
        LossyMessage run(50000000);
        run.Lose(light.errors, 0);
        NS_TEST_EXPECT_MSG_GT(run.repeats, 3, "Repeats");
        NS_TEST_EXPECT_MSG_EQ(static_cast<double>(run.GetRecord(1).end.GetNanoSeconds()),
                              run.GetSent() + REPEAT_DELAY * run.repeats,
                              "End");
        Simulator::Destroy();
    }

    /// A burst is repeated as often as the frame that is lost most often.
    void TestBurstRepeats()
    {
        constexpr uint32_t rounds = 200;
        constexpr double count = 50;
        constexpr double rate = 0.2;
        double sum = 0;
        double square = 0;
        for (uint32_t round = 0; round < rounds; ++round)
        {
            const WeakLight light(9014, rate, round);
            LossyMessage run(static_cast<uint64_t>(count) * (9000 - 20));
            run.Lose(light.errors, 0);
            sum += run.repeats;
            square += run.repeats * run.repeats;
            Simulator::Destroy();
        }
        double expected = 0;
        for (uint32_t k = 1; k < 50; ++k)
        {
            // The probability that not all frames arrive at one of k attempts
            expected += 1 - std::pow(1 - std::pow(rate, k), count);
        }
        const double mean = sum / rounds;
        NS_TEST_EXPECT_MSG_EQ_TOL(mean,
                                  expected,
                                  3 * std::sqrt((square / rounds - mean * mean) / rounds),
                                  "Mean number of repeats");
    }

    /**
     * Without light a message is given up.
     *
     * @param frameSize the size of a frame, or 0
     */
    void TestNoLight(uint32_t frameSize)
    {
        LossyMessage run(100000);
        run.helper.SetTransportAttribute("MaxRepeats", UintegerValue(5));
        run.Lose(CreateObject<OpticalErrorModel>(), frameSize);
        NS_TEST_EXPECT_MSG_EQ(run.job->IsFinished(), false, "Nothing arrives");
        EXPECT_PART(run.failure, "Rank 0 has sent a frame to rank 1 6 times in vain");
        Simulator::Destroy();
    }

    /// A rank that stands for others has no errors of its own.
    void TestFoldedPlan()
    {
        RankProgram program;
        program.AddTask(Collective(CollectiveKind::ALL_REDUCE, 1000));
        TrainingPlan plan = MakePlan({program, program});
        plan.representedRanks = 4;
        TrainingRun run(plan, 1);
        DynamicCast<OpticalNetDevice>(run.devices.Get(1))
            ->SetPathErrors(0, CreateObject<OpticalErrorModel>());
        EXPECT_ABORT("errors at device 1 strike at random", [&run] { run.Install(); });
        Simulator::Destroy();
    }

    /// Errors are taken back, and traces see the lost part of a burst.
    void TestTraces()
    {
        const WeakLight light(9014, 0.3, 5);
        LossyMessage run(9000000);
        const auto device = DynamicCast<OpticalNetDevice>(run.devices.Get(0));
        uint64_t lost = 0;
        uint64_t received = 0;
        run.devices.Get(1)->TraceConnectWithoutContext(
            "PhyRxDrop",
            Callback<void, Ptr<const Packet>>(
                [&](Ptr<const Packet> packet) { lost += packet->GetSize() - HEADERS; }));
        run.devices.Get(1)->TraceConnectWithoutContext(
            "PhyRxEnd",
            Callback<void, Ptr<const Packet>>(
                [&](Ptr<const Packet> packet) { received += packet->GetSize() - HEADERS; }));
        NS_TEST_EXPECT_MSG_EQ(device->HasErrors(), false, "None yet");
        run.Lose(light.errors, 0);
        NS_TEST_EXPECT_MSG_EQ(device->HasErrors(), true, "Errors");
        NS_TEST_EXPECT_MSG_EQ(received, 9000000, "Each byte once");
        NS_TEST_EXPECT_MSG_GT(lost, 2000000, "Bytes are lost");
        NS_TEST_EXPECT_MSG_EQ(run.GetSent(),
                              static_cast<double>(received + lost + (run.repeats + 1) * HEADERS),
                              "Bytes sent");
        Simulator::Destroy();

        LossyMessage clear(9000000);
        DynamicCast<OpticalNetDevice>(clear.devices.Get(0))->SetPathErrors(1, light.errors);
        clear.Lose(nullptr, 0);
        NS_TEST_EXPECT_MSG_EQ(clear.repeats, 0, "No errors any more");
        Simulator::Destroy();
    }

    /// Ranks forward what arrives, each over paths with errors of their own.
    void TestRelay()
    {
        RankProgram first;
        first.AddTask(Message(TaskKind::SEND, 2, 0, 30000000));
        RankProgram last;
        last.AddTask(Message(TaskKind::RECEIVE, 0, 0, 30000000));
        TrainingRun run(MakePlan({first, RankProgram(), last}), 1);
        run.helper.SetTransport(RelayTransport::GetTypeId().GetName());
        const WeakLight weak(9014, 0.1, 6);
        const WeakLight weaker(9014, 0.25, 7);
        DynamicCast<OpticalNetDevice>(run.devices.Get(0))->SetPathErrors(1, weak.errors);
        DynamicCast<OpticalNetDevice>(run.devices.Get(1))->SetPathErrors(2, weaker.errors);
        run.circuits.AddLane(0, 1, {0, 0});
        run.circuits.AddLane(1, 2, {0, 0});
        run.Run();
        NS_TEST_EXPECT_MSG_EQ(run.job->IsFinished(), true, "All bytes arrive");
        // Frames of 64 KiB stand for eight of 8227 bytes
        const double sent = 30e6 / (1 - weak.GetRate(8227)) + 30e6 / (1 - weaker.GetRate(8227));
        NS_TEST_EXPECT_MSG_EQ_TOL(
            static_cast<double>(TrainingReport(run.job, run.channel).bytesSent),
            sent,
            0.015 * sent,
            "Lost by both paths");
        Simulator::Destroy();
    }

    /// Frames that devices forward are lost on the paths that they take.
    void TestForwarding()
    {
        FabricFixture fixture(MakeChannel<CrossbarChannel>({}), 3);
        const auto channel = DynamicCast<FabricChannel>(fixture.devices[0]->GetChannel());
        channel->SetNextHop(0, 2, 1);
        const auto dark = CreateObject<OpticalErrorModel>();
        fixture.devices[1]->SetPathErrors(2, dark);
        fixture.devices[0]->SetPathErrors(2, dark);
        fixture.sources[0]->Send(2, 1000, 3);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fixture.received[1].size(), 3, "Clear to the next hop");
        NS_TEST_EXPECT_MSG_EQ(fixture.received[2].size(), 0, "Dark from there");
        NS_TEST_EXPECT_MSG_EQ(fixture.sources[0]->lost.size(), 3, "The first sender learns of it");
        fixture.devices[1]->SetPathErrors(2, nullptr);
        fixture.devices[0]->SetPathErrors(1, dark);
        fixture.sources[0]->Send(2, 1000, 3);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fixture.received[1].size(), 3, "Dark to the next hop");
        NS_TEST_EXPECT_MSG_EQ(fixture.sources[0]->lost.size(), 6, "Known, too");
    }

    /// A contribution that is lost spoils its slot, which all servers repeat.
    void TestAverages()
    {
        constexpr uint32_t slots = 400;
        InNetworkFixture fixture(MakeChannel<InNetworkChannel>({}), 4, 8000);
        const WeakLight light(8100, 0.1, 8);
        fixture.devices[2]->SetPathErrors(2, light.errors);
        fixture.SendAll(1, slots * 8000);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(fixture.received[0].size(), 1, "The average comes back");
        NS_TEST_EXPECT_MSG_EQ(fixture.channel->GetNSlots(), slots, "Slots");
        // A spoilt slot is one loss
        const double mean = slots * 0.1 / 0.9;
        NS_TEST_EXPECT_MSG_EQ_TOL(fixture.channel->GetNSpoilt(),
                                  mean,
                                  4 * std::sqrt(mean),
                                  "Spoilt slots");
    }

    /// The time of training grows as the closed form says.
    void TestTraining()
    {
        constexpr uint32_t size = 4;
        constexpr uint32_t iterations = 30;
        constexpr uint32_t count = 200;
        constexpr uint32_t frame = 1014;
        constexpr double rate = 0.05;
        RankProgram program;
        program.AddTask(
            Collective(CollectiveKind::ALL_REDUCE, uint64_t{size} * count * (frame - HEADERS)));
        TrainingRun run(MakePlan(std::vector<RankProgram>(size, program)), 1);
        const WeakLight light(frame, rate, 9);
        DynamicCast<OpticalNetDevice>(run.devices.Get(0))->SetPathErrors(1, light.errors);
        for (uint32_t rank = 0; rank < size; ++rank)
        {
            run.circuits.AddLane(rank, (rank + 1) % size, {0, 0});
        }
        run.Run(frame - 14, iterations);
        NS_TEST_ASSERT_MSG_EQ(run.job->IsFinished(), true, "All bytes arrive");
        // The weak path is always busy in the 2 (N - 1) steps of the ring, until its last frame
        const double steps = 2 * (size - 1);
        const double mean =
            run.GetRecord(1, iterations - 1).end.GetNanoSeconds() / double{iterations};
        NS_TEST_EXPECT_MSG_EQ_TOL(mean,
                                  (steps * count * frame + REPEAT_DELAY * rate) / (1 - rate),
                                  3 * frame * std::sqrt(steps * count * rate / iterations) /
                                      (1 - rate),
                                  "Mean time of an iteration");
        Simulator::Destroy();
    }
};

/// Registers the test cases
const SuiteCases g_lossCases(
    "lightpath-loss",
    {MakeCases("Lost frames", &LossTests::TestShare, {{0.001}, {0.02}, {0.3}}),
     MakeCases("Lost parts of bursts", &LossTests::TestBurstShare, {{0.001}, {0.02}, {0.3}}),
     {MakeCase("Time of a message", &LossTests::TestTime),
      MakeCase("Propagation", &LossTests::TestPropagation),
      MakeCase("Time of a burst", &LossTests::TestBurstTime),
      MakeCase("Repeats of a burst", &LossTests::TestBurstRepeats),
      MakeCase("No light", &LossTests::TestNoLight, 0U),
      MakeCase("No light", &LossTests::TestNoLight, 1000U),
      MakeCase("Folded plan", &LossTests::TestFoldedPlan),
      MakeCase("Traces", &LossTests::TestTraces),
      MakeCase("Relay", &LossTests::TestRelay),
      MakeCase("Forwarding", &LossTests::TestForwarding),
      MakeCase("Averages", &LossTests::TestAverages),
      MakeCase("Training", &LossTests::TestTraining)}});

} // namespace
