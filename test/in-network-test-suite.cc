/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fabric-parts.h"
#include "in-network-fixture.h"
#include "method-case.h"
#include "model/photonics/exact-averager.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Time of a message between a server and the slot manager, in nanoseconds.
constexpr double SIGNALLING = 300;

/// Guard time, in nanoseconds.
constexpr double GUARD = 20;

/**
 * @param metres the length of a fibre, in metres
 * @return its delay in nanoseconds, for the group index 1.468
 */
double
GetDelay(double metres)
{
    return metres * 1.468 / 0.299792458;
}

/**
 * @return a network with 8 bit/ns a server, by 8 transceivers
 */
Ptr<InNetworkChannel>
MakeNetwork()
{
    const auto channel = MakeChannel<InNetworkChannel>({{"Transceivers", "8"},
                                                        {"LaneRate", "1Gbps"},
                                                        {"SignallingDelay", "300ns"},
                                                        {"GuardTime", "20ns"},
                                                        {"FibreLength", "100"}});
    return channel;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Tests of networks that average.
 */
class InNetworkTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * A slot takes its bytes at the rate of a server, the way there and back and twice the
     * signalling; slots of one tensor follow each other by the guard time.
     *
     * @param servers the number of servers
     * @param bursts the number of bursts of a tensor
     */
    void TestSlotTiming(uint32_t servers, uint32_t bursts)
    {
        constexpr uint64_t bytes = 9966;
        const auto channel = MakeNetwork();
        // Server i has a fibre of 100 + 7 i metres
        for (uint32_t i = 0; i < servers; ++i)
        {
            channel->SetFibreLength(i, 100 + 7 * i);
        }
        InNetworkFixture fixture(channel, servers, bytes);
        // The barrier waits for the last of them
        for (uint32_t i = 0; i < servers; ++i)
        {
            Simulator::Schedule(NanoSeconds(10 * i), [&fixture, i, bursts]() {
                fixture.clients[i]->Send(5, bytes * bursts);
            });
        }
        Simulator::Run();
        const double last = 10 * (servers - 1);
        const double farthest = GetDelay(100 + 7 * (servers - 1));
        const double end =
            last + 2 * SIGNALLING + farthest + bursts * (bytes + HEADERS) + (bursts - 1) * GUARD;
        for (uint32_t i = 0; i < servers; ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(fixture.received[i].size(), 1, "average of server " << i);
            NS_TEST_EXPECT_MSG_EQ_TOL(fixture.received[i].at(5).GetNanoSeconds(),
                                      end + GetDelay(100 + 7 * i),
                                      3,
                                      "at server " << i);
            NS_TEST_EXPECT_MSG_EQ(fixture.clients[i]->GetSentBytes(),
                                  bursts * (bytes + HEADERS),
                                  "sent once");
        }
        NS_TEST_EXPECT_MSG_EQ(channel->GetNSlots(), bursts, "slots");
        NS_TEST_EXPECT_MSG_EQ(channel->GetNSpoilt(), 0, "spoilt");
        NS_TEST_EXPECT_MSG_EQ(channel->IsChanging(), false, "nothing is under way");
    }

    /**
     * The averages that arrive are those of the averager, word by word.
     *
     * @param servers the number of servers
     * @param bits the bits of a word
     */
    void TestAveragedWords(uint32_t servers, uint32_t bits)
    {
        constexpr std::size_t count = 12345;
        const auto averager = CreateObject<ExactAverager>();
        averager->SetAttribute("Servers", UintegerValue(servers));
        averager->SetAttribute("Bits", UintegerValue(bits));
        const auto channel = MakeNetwork();
        channel->SetAttribute("Averager", PointerValue(averager));
        InNetworkFixture fixture(channel, servers, 5000);
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(servers + bits);
        std::vector<std::vector<uint16_t>> words(servers, std::vector<uint16_t>(count));
        std::vector<uint16_t> expected(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            uint32_t sum = 0;
            for (auto& own : words)
            {
                own[i] = static_cast<uint16_t>(random->GetInteger(0, (1U << bits) - 1));
                sum += own[i];
            }
            expected[i] = static_cast<uint16_t>((2 * sum + servers) / (2 * servers));
        }
        std::vector<std::shared_ptr<WordTensor>> tensors;
        for (uint32_t server = 0; server < servers; ++server)
        {
            tensors.push_back(std::make_shared<WordTensor>(words[server], 1 + server));
            fixture.clients[server]->Send(7, tensors.back());
        }
        Simulator::Run();
        const uint64_t bursts = (count + 5000 / (bits / 8) - 1) / (5000 / (bits / 8));
        for (uint32_t server = 0; server < servers; ++server)
        {
            NS_TEST_EXPECT_MSG_EQ(fixture.received[server].count(7), 1, "back at " << server);
            NS_TEST_EXPECT_MSG_EQ((words[server] == expected), true, "words of " << server);
            // Of all blocks, as they were sent and as they came back
            const std::vector<uint8_t> scales(2 * ((count + 99) / 100), servers);
            NS_TEST_EXPECT_MSG_EQ((tensors[server]->scales == scales), true, "the largest scale");
            NS_TEST_EXPECT_MSG_EQ(fixture.clients[server]->GetSentBytes(),
                                  count * bits / 8 + (count + 99) / 100 + bursts * HEADERS,
                                  "bytes on the wire");
        }
        NS_TEST_EXPECT_MSG_EQ(channel->GetNSlots(), bursts, "slots");
    }

    /**
     * A slot lasts as long as its only burst, however large.
     *
     * @param bytes the bytes of the tensor
     */
    void TestLargeBurst(uint64_t bytes)
    {
        InNetworkFixture fixture(MakeNetwork(), 2);
        fixture.SendAll(1, bytes);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(fixture.received[0].size(), 1, "the average comes back");
        NS_TEST_EXPECT_MSG_EQ_TOL(fixture.received[0].at(1).GetNanoSeconds(),
                                  2 * SIGNALLING + 2 * GetDelay(100) + bytes + HEADERS,
                                  3,
                                  "its time");
        NS_TEST_EXPECT_MSG_EQ(fixture.channel->GetNSpoilt(), 0, "spoilt");
    }

    /// A burst that gets lost spoils its slot, which all servers repeat.
    void TestSpoiltSlot()
    {
        constexpr uint64_t bytes = 9966;
        const auto channel = MakeNetwork();
        // The third burst of the first slot, and the first of its repetition
        const auto losses = CreateObject<ReceiveListErrorModel>();
        losses->SetList({2, 4});
        channel->SetAttribute("BurstErrorModel", PointerValue(losses));
        InNetworkFixture fixture(channel, 4);
        fixture.SendAll(1, bytes);
        Simulator::Run();
        const double path = 2 * GetDelay(100) + 2 * SIGNALLING + bytes + HEADERS;
        for (uint32_t i = 0; i < 4; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(fixture.received[i].at(1).GetNanoSeconds(),
                                      3 * path + 2 * GUARD,
                                      8,
                                      "the third time");
            NS_TEST_EXPECT_MSG_EQ(fixture.clients[i]->GetSentBytes(),
                                  3 * (bytes + HEADERS),
                                  "all send again");
        }
        NS_TEST_EXPECT_MSG_EQ(channel->GetNSlots(), 1, "answered");
        NS_TEST_EXPECT_MSG_EQ(channel->GetNSpoilt(), 2, "spoilt");
        NS_TEST_EXPECT_MSG_EQ(fixture.faults[InNetworkChannel::MISSING], 2, "bursts were missing");
    }

    /// Without ranging the bursts meet as far as their fibres have the same length.
    void TestRanging()
    {
        // 4 m of fibre take 19.6 ns, 5 m 24.5 ns
        Run(4, true);
        EXPECT_ABORT("After 4 attempts the slot of burst 0 of tensor 1 is still spoilt",
                     [this]() { Run(5, false); });
    }

    /// Errors of ranging spoil as many slots as the range of normal numbers says.
    void TestRangingError()
    {
        constexpr uint32_t slots = 2000;
        const auto channel = MakeNetwork();
        const auto error = CreateObject<NormalRandomVariable>();
        error->SetAttribute("Variance", DoubleValue(100));
        channel->SetAttribute("RangingError", PointerValue(error));
        NS_TEST_EXPECT_MSG_EQ(channel->AssignStreams(3), 1, "streams");
        // The farthest server cannot launch too early: it does as soon as it hears of the slot
        channel->SetFibreLength(2, 130);
        InNetworkFixture fixture(channel, 3);
        for (uint32_t slot = 0; slot < slots; ++slot)
        {
            Simulator::Schedule(MicroSeconds(100 * slot),
                                &InNetworkFixture::SendAll,
                                &fixture,
                                slot,
                                100);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(channel->GetNSlots(), slots, "each burst is averaged in the end");
        const uint32_t apart = fixture.faults[InNetworkChannel::APART];
        const uint32_t late = fixture.faults[InNetworkChannel::MISSING];
        NS_TEST_EXPECT_MSG_EQ(channel->GetNSpoilt(), apart + late, "traced");
        const double tries = slots + apart + late;
        // Three standard errors
        NS_TEST_EXPECT_MSG_EQ_TOL((apart + late) / tries, GetSpoiltShare(), 0.028, "share");
        NS_TEST_EXPECT_MSG_GT(late, 0, "late");
        NS_TEST_EXPECT_MSG_GT(apart, 0, "apart");
    }

    /// Refusals of a network that averages.
    void TestInNetworkRefusal()
    {
        Expect("carries nothing from one server to another", [](InNetworkFixture& fixture) {
            fixture.devices[0]->Send(Create<Packet>(100), fixture.devices[1]->GetAddress(), 0x800);
        });
        Expect("all servers must send the same tensors", [](InNetworkFixture& fixture) {
            fixture.clients[0]->Send(1, 100);
            fixture.clients[1]->Send(1, 200);
        });
        Expect("is under way already", [](InNetworkFixture& fixture) {
            fixture.clients[0]->Send(1, 100);
            fixture.clients[0]->Send(1, 100);
        });
        Expect("is empty", [](InNetworkFixture& fixture) { fixture.clients[0]->Send(1, 0); });
        Expect("need an Averager", [](InNetworkFixture& fixture) {
            std::vector<uint16_t> words(3);
            fixture.clients[0]->Send(1, std::make_shared<WordTensor>(words));
        });
        Expect("is for 5 servers, but the fabric has 2", [](InNetworkFixture& fixture) {
            const auto averager = CreateObject<ExactAverager>();
            averager->SetAttribute("Servers", UintegerValue(5));
            fixture.channel->SetAttribute("Averager", PointerValue(averager));
            fixture.SendAll(1, 100);
        });
        Expect("8 is no multiple of it", [](InNetworkFixture& fixture) {
            const auto averager = CreateObject<ExactAverager>();
            averager->SetAttribute("Servers", UintegerValue(2));
            averager->SetAttribute("Bits", UintegerValue(6));
            fixture.channel->SetAttribute("Averager", PointerValue(averager));
            fixture.SendAll(1, 100);
        });
        Expect("set BurstErrorModel", [](InNetworkFixture& fixture) {
            const auto losses = CreateObject<ReceiveListErrorModel>();
            losses->SetList({0});
            fixture.devices[1]->SetAttribute("ReceiveErrorModel", PointerValue(losses));
            fixture.SendAll(1, 100);
        });
        InNetworkFixture fixture(MakeNetwork(), 3);
        fixture.clients[0]->Send(9, 100);
        fixture.clients[2]->Send(9, 100);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fixture.channel->DescribeWaiting(),
                              "the slot of burst 0 of tensor 9 waits for server 1",
                              "who is waited for");
    }

  private:
    /**
     * @param metres the additional length of one fibre
     * @param meets whether the bursts meet
     */
    void Run(double metres, bool meets)
    {
        const auto channel = MakeNetwork();
        channel->SetAttribute("Ranging", BooleanValue(false));
        channel->SetAttribute("MostRepeats", UintegerValue(3));
        channel->SetFibreLength(1, 100 + metres);
        InNetworkFixture fixture(channel, 3);
        fixture.SendAll(1, 1000);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(channel->GetNSlots(), (meets ? 1 : 0), "averaged");
        NS_TEST_EXPECT_MSG_EQ(channel->GetNSpoilt(), 0, "spoilt");
    }

    /**
     * @return the share of random draws in which a slot is spoilt: three launches have errors of 10
     *         ns (standard deviation), one of them is never early, and they are not within 20 ns of
     *         each other or one is later than 20 ns
     */
    static double GetSpoiltShare()
    {
        constexpr uint32_t draws = 200000;
        const auto error = CreateObject<NormalRandomVariable>();
        error->SetStream(99);
        uint32_t spoilt = 0;
        for (uint32_t draw = 0; draw < draws; ++draw)
        {
            const double a = 10 * error->GetValue();
            const double b = 10 * error->GetValue();
            const double c = std::max(10 * error->GetValue(), 0.0);
            const double last = std::max({a, b, c});
            spoilt += last > 20 || last - std::min({a, b, c}) > 20 ? 1 : 0;
        }
        return static_cast<double>(spoilt) / draws;
    }

    /**
     * @param part a part of the sentence that ends the program
     * @param what the actions of two servers
     */
    void Expect(const std::string& part, const std::function<void(InNetworkFixture&)>& what)
    {
        EXPECT_ABORT(part, [&what]() {
            InNetworkFixture fixture(MakeNetwork(), 2);
            what(fixture);
            Simulator::Run();
        });
    }
};

/// Registers the test cases.
static const SuiteCases g_inNetworkCases(
    "lightpath-in-network",
    {MakeCases("Timing of slots",
               &InNetworkTests::TestSlotTiming,
               {{2, 1}, {4, 1}, {16, 1}, {4, 25}}),
     MakeCases("Averaged words",
               &InNetworkTests::TestAveragedWords,
               {{2, 8}, {2, 16}, {4, 8}, {4, 16}, {8, 8}, {8, 16}, {16, 8}, {16, 16}}),
     // 2^32 bits are one more than 32 bits can count
     MakeCases("A large burst",
               &InNetworkTests::TestLargeBurst,
               {{(1ULL << 29) - HEADERS - 1}, {(1ULL << 29) - HEADERS}, {1ULL << 30}}),
     {MakeCase("A slot with a lost burst is repeated", &InNetworkTests::TestSpoiltSlot),
      MakeCase("Bursts miss each other without ranging", &InNetworkTests::TestRanging),
      MakeCase("Errors of ranging", &InNetworkTests::TestRangingError),
      MakeCase("What a network that averages refuses", &InNetworkTests::TestInNetworkRefusal)}});
