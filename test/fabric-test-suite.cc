/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fabric-fixture.h"
#include "fabric-parts.h"
#include "method-case.h"

#include "ns3/boolean.h"
#include "ns3/circuit-switch-channel.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/pointer.h"
#include "ns3/port-table.h"
#include "ns3/string.h"
#include "ns3/transmission-clock.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <map>

/**
 * @defgroup lightpath-tests Tests of the optical interconnects for machine learning
 * @ingroup lightpath
 * @ingroup tests
 */

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Tests of the clock, the queue and the net device.
 */
class FabricTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * The end of each of a million frames is within one tick of the closed form.
     *
     * @param bitRate the rate in bit/s
     * @param frame the size of a frame in bytes
     */
    void TestClockExactness(uint64_t bitRate, uint32_t frame)
    {
        TransmissionClock clock;
        Time now = NanoSeconds(17);
        clock.Restart(now);
        clock.SetBitRate(bitRate, now);
        const long double ticksPerByte = 8.0L * Seconds(1).GetTimeStep() / bitRate;
        long double worst = 0;
        for (uint32_t k = 1; k <= 1000000; ++k)
        {
            clock.Append(frame, now);
            now = clock.GetEnd();
            const long double exact = 17 + ticksPerByte * frame * k;
            worst = std::max(worst, std::fabs(now.GetTimeStep() - exact));
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(worst, 1.0L, "a frame ends off the closed form");
    }

    /// Changes of rate neither lose nor gain a bit.
    void TestClockRateChange()
    {
        // Ten ticks at each of 1000 rates send sum(10 r) bit ticks; the rest goes at 7 bit a tick
        TransmissionClock clock;
        const uint64_t tick = Seconds(1).GetTimeStep();
        Time now(0);
        clock.Restart(now);
        clock.Append(1000000, now);
        uint64_t sent = 0;
        for (uint64_t k = 0; k < 1000; ++k)
        {
            const uint64_t rate = (k % 2 == 0 ? 3 * k + 1 : 0) * tick / 3;
            clock.SetBitRate(rate, now);
            sent += 10 * rate;
            now += TimeStep(10);
        }
        clock.SetBitRate(7 * tick, now);
        const uint64_t left = 8000000 * tick - sent;
        const int64_t end = now.GetTimeStep() + (left + 7 * tick - 1) / (7 * tick);
        NS_TEST_EXPECT_MSG_EQ(clock.GetEnd(), TimeStep(end), "the end of the frame");
        NS_TEST_EXPECT_MSG_EQ(clock.GetUnsentBytes(now),
                              (left + 8 * tick - 1) / (8 * tick),
                              "the bytes that are left");
    }

    /// Entries for few ports, and for many, that come in no order.
    void TestPortTable()
    {
        PortTable<uint32_t> table;
        std::map<uint32_t, uint32_t> expected;
        for (uint32_t entry = 0; entry < 40; ++entry)
        {
            const uint32_t port = 37 * entry % 101;
            table.Get(port, entry);
            expected[port] = entry;
            std::map<uint32_t, uint32_t> found;
            for (uint32_t other = 0; other <= 101; ++other)
            {
                if (const uint32_t* const known = table.Find(other))
                {
                    found[other] = *known;
                }
            }
            NS_TEST_ASSERT_MSG_EQ((found == expected), true, "after entry " << entry);
        }
        uint32_t index = 0;
        for (const auto& [port, entry] : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(table.GetPorts().at(index), port, "in ascending order");
            NS_TEST_EXPECT_MSG_EQ(table.GetEntry(index), entry, "in the order of ports");
            ++index;
        }
        table.Clear();
        NS_TEST_EXPECT_MSG_EQ((table.Find(0) == nullptr), true, "none");
        table.Get(100, 1U);
        NS_TEST_EXPECT_MSG_EQ(*table.Find(100), 1, "used again");
    }

    /// A queue for each destination in one buffer.
    void TestVirtualOutputQueue()
    {
        const auto queue = CreateObject<VirtualOutputQueue>();
        queue->SetAttribute("MaxSize", QueueSizeValue(QueueSize("5p")));
        queue->SetAttribute("DestinationMaxSize", QueueSizeValue(QueueSize("300B")));
        std::vector<Ptr<Packet>> packets;
        for (uint32_t i = 0; i < 8; ++i)
        {
            packets.push_back(Create<Packet>(100));
        }
        NS_TEST_EXPECT_MSG_EQ(queue->EnqueueFor(packets[0], 7), true, "room for port 7");
        NS_TEST_EXPECT_MSG_EQ(queue->EnqueueFor(packets[1], 2), true, "room for port 2");
        NS_TEST_EXPECT_MSG_EQ(queue->EnqueueFor(packets[2], 7), true, "room for port 7");
        NS_TEST_EXPECT_MSG_EQ(queue->EnqueueFor(packets[3], 7), true, "room for port 7");
        NS_TEST_EXPECT_MSG_EQ(queue->EnqueueFor(packets[4], 7), false, "300 bytes for port 7");
        NS_TEST_EXPECT_MSG_EQ(queue->EnqueueFor(packets[5], 2), true, "room for port 2");
        NS_TEST_EXPECT_MSG_EQ(queue->EnqueueFor(packets[6], 3), false, "5 packets in the buffer");
        NS_TEST_EXPECT_MSG_EQ(queue->GetTotalDroppedPackets(), 2, "packets dropped");
        NS_TEST_EXPECT_MSG_EQ(queue->GetBytesFor(7), 300, "bytes for port 7");
        NS_TEST_EXPECT_MSG_EQ(queue->DequeueFor(3), nullptr, "nothing for port 3");
        NS_TEST_EXPECT_MSG_EQ(queue->DequeueFor(2), packets[1], "first for port 2");
        NS_TEST_EXPECT_MSG_EQ(queue->Peek(), packets[0], "first of all");
        NS_TEST_EXPECT_MSG_EQ(queue->Dequeue(), packets[0], "first of all");
        NS_TEST_EXPECT_MSG_EQ(queue->DequeueFor(7), packets[2], "next for port 7");
        queue->Flush();
        NS_TEST_EXPECT_MSG_EQ(queue->GetBytesFor(7) + queue->GetBytesFor(2), 0, "flushed");
        NS_TEST_EXPECT_MSG_EQ(queue->DequeueFor(7), nullptr, "flushed");
    }

    /**
     * A message takes its bytes over the rate, and the delay, in any number of frames.
     *
     * @param size the size of a frame in bytes
     * @param count the number of frames
     */
    void TestMessageTime(uint32_t size, uint32_t count)
    {
        const auto fabric = MakeChannel<CircuitSwitchChannel>({{"NSwitches", "3"},
                                                               {"LaneRate", "133333333333bps"},
                                                               {"InitialSwitching", "false"},
                                                               {"FibreLength", "100"}});
        FabricFixture fixture(fabric, 2);
        fabric->Configure(MakeCircuits({{0, 1, {0, 0}}, {0, 1, {2, 0}}}));
        fixture.sources[0]->Send(1, size, count);
        Simulator::Run();
        const auto& sender = fixture.devices[0];
        NS_TEST_EXPECT_MSG_EQ(sender->GetRate(1), 2 * 133333333333, "the rate of two lanes");
        NS_TEST_EXPECT_MSG_EQ(fixture.devices[1]->GetRate(0), 0, "no lightpath back");
        NS_TEST_ASSERT_MSG_EQ(fixture.received[1].size(), count, "frames received");
        // 200 m of fibre at 1.468 / 299792458 s/m are 979.3 ns
        const double exact = 979.3 + 8e9 * size * count / (2 * 133333333333.0);
        NS_TEST_EXPECT_MSG_EQ_TOL(fixture.received[1].back().GetNanoSeconds(),
                                  exact,
                                  1.0,
                                  "the end of the message");
    }

    /// The traces of a device, the error model, and the treatment of a lost frame.
    void TestDeviceHooks()
    {
        const auto fabric = MakeChannel<CircuitSwitchChannel>({{"SwitchingDelay", "0s"}});
        FabricFixture fixture(fabric, 3);
        const CircuitPlan plan = MakeCircuits({{0, 1, {0, 0}}, {0, 2, {1, 0}}});
        fabric->Configure(plan);
        std::map<std::string, uint32_t> counts;
        for (const std::string trace : {"MacTx", "MacTxDrop", "PhyTxBegin", "PhyTxEnd", "Sniffer"})
        {
            CountPackets(fixture.devices[0], trace, counts[trace]);
        }
        for (const std::string trace : {"PhyRxEnd", "PhyRxDrop", "MacRx", "PromiscSniffer"})
        {
            CountPackets(fixture.devices[1], trace, counts[trace]);
        }
        const auto device = fixture.devices[0];
        const Address to = fixture.devices[1]->GetAddress();
        const auto error = CreateObject<ReceiveListErrorModel>();
        error->SetList({1});
        fixture.devices[1]->SetAttribute("ReceiveErrorModel", PointerValue(error));

        NS_TEST_EXPECT_MSG_EQ(device->Send(Create<Packet>(1000), to, 0x0800),
                              true,
                              "known address");
        NS_TEST_EXPECT_MSG_EQ(device->Send(Create<Packet>(9001), to, 0x0800),
                              false,
                              "above the MTU");
        NS_TEST_EXPECT_MSG_EQ(device->Send(Create<Packet>(10), Mac48Address::Allocate(), 0x0800),
                              false,
                              "no port has this address");
        fixture.sources[0]->Send(1, 500);
        device->Send(Create<Packet>(100), device->GetBroadcast(), 0x0800);
        NS_TEST_EXPECT_MSG_EQ(device->GetBacklog(1), 1014 + 500 + 114, "backlog for port 1");
        const std::vector<std::pair<uint32_t, uint64_t>> both{{1, 1014 + 500 + 114}, {2, 114}};
        std::vector<std::pair<uint32_t, uint64_t>> backlog{{0, 1}};
        device->GetBacklog(backlog);
        NS_TEST_EXPECT_MSG_EQ((backlog == both), true, "ports with a backlog");
        Simulator::Run();
        const std::map<std::string, uint32_t> expected = {{"MacTx", 2},
                                                          {"MacTxDrop", 2},
                                                          {"PhyTxBegin", 4},
                                                          {"PhyTxEnd", 4},
                                                          {"Sniffer", 4},
                                                          {"PhyRxEnd", 2},
                                                          {"PhyRxDrop", 1},
                                                          {"MacRx", 2},
                                                          {"PromiscSniffer", 2}};
        for (const auto& entry : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(counts[entry.first], entry.second, entry.first);
        }
        NS_TEST_EXPECT_MSG_EQ(fixture.received[2].size(), 1, "the broadcast reaches port 2");
        NS_TEST_ASSERT_MSG_EQ(fixture.sources[0]->lost.size(), 1, "the source hears of a loss");
        NS_TEST_EXPECT_MSG_EQ(fixture.sources[0]->lost[0].first, 1, "port of the lost frame");
        NS_TEST_EXPECT_MSG_EQ(fixture.sources[0]->lost[0].second, 486, "its payload");
        Simulator::Destroy();

        const auto single = CreateObject<OpticalNetDevice>();
        uint32_t changes = 0;
        single->AddLinkChangeCallback(Callback<void>([&changes]() { ++changes; }));
        NS_TEST_EXPECT_MSG_EQ(single->IsLinkUp(), false, "link before Attach");
        single->Attach(CreateObject<CircuitSwitchChannel>());
        NS_TEST_EXPECT_MSG_EQ(single->IsLinkUp(), true, "link after Attach");
        NS_TEST_EXPECT_MSG_EQ(changes, 1, "link changes");
    }

    /// Misuse of a device ends the program with a sentence.
    void TestDeviceMisuse()
    {
        const auto fabric = CreateObject<CircuitSwitchChannel>();
        FabricFixture fixture(fabric, 2);
        EXPECT_ABORT("is installed already, as port 1",
                     [&fixture, fabric]() { fixture.devices[1]->Attach(fabric); });
        EXPECT_ABORT("attach it to a fabric first", []() {
            CreateObject<OpticalNetDevice>()->Send(Create<Packet>(1), Mac48Address(), 1);
        });
        EXPECT_ABORT("Port 2 does not exist", [fabric]() { fabric->GetPort(2); });
    }

    /// Checks that copies of a plan are plans of their own, and lanes added together.
    void TestPlanCopy()
    {
        CircuitPlan plan;
        const CircuitPlan none = plan;
        plan.AddLane(0, 1, {0, 2});
        plan.AddLane(0, 1, {0, 1});
        CircuitPlan copy = plan;
        NS_TEST_EXPECT_MSG_EQ((copy == plan), true, "A copy");
        copy.RemoveLane(2, 3, {0, 1});
        NS_TEST_EXPECT_MSG_EQ((copy == plan), true, "There is no such lightpath");
        copy.RemoveLane(0, 1, {0, 1});
        NS_TEST_EXPECT_MSG_EQ(copy.GetNLanes(), 1, "One of two lanes is left");
        NS_TEST_EXPECT_MSG_EQ(plan.GetNLanes(), 2, "What has been copied stays as it was");
        NS_TEST_EXPECT_MSG_EQ(none.GetNLanes(), 0, "So does a copy of nothing");
        plan.AddLane(4, 5, {1, 0});
        NS_TEST_EXPECT_MSG_EQ(copy.GetLanes(4, 5).size(), 0, "A copy does not follow");

        CircuitPlan other;
        other.AddLanes(4, 5, {});
        NS_TEST_EXPECT_MSG_EQ(other.GetLightpaths().size(), 0, "No lanes make no lightpath");
        other.AddLanes(4, 5, {{1, 0}});
        other.AddLanes(0, 1, {{0, 2}});
        other.AddLanes(0, 1, {{0, 1}});
        NS_TEST_EXPECT_MSG_EQ((other == plan), true, "The same lanes in another order");
        other.AddLanes(0, 1, {{0, 0}, {0, 2}, {0, 3}});
        const std::vector<Lane> lanes{{0, 0}, {0, 1}, {0, 2}, {0, 2}, {0, 3}};
        NS_TEST_EXPECT_MSG_EQ((other.GetLanes(0, 1) == lanes), true, "Merged in ascending order");
    }
};

/// Registers the test cases
static const SuiteCases g_fabricCases(
    "lightpath-fabric",
    {MakeCases("A million frames",
               &FabricTests::TestClockExactness,
               {{8000000000000, 9000}, {333333333333, 9034}, {25000000000, 64}}),
     MakeCases("A message of frames",
               &FabricTests::TestMessageTime,
               {{9000, 20000}, {180000000, 1}, {14, 1}}),
     {MakeCase("Entries of ports", &FabricTests::TestPortTable),
      MakeCase("A change of a plan leaves its copies as they are", &FabricTests::TestPlanCopy),
      MakeCase("A thousand changes of rate in the middle of a frame",
               &FabricTests::TestClockRateChange),
      MakeCase("Order, limits and counts of a virtual output queue",
               &FabricTests::TestVirtualOutputQueue),
      MakeCase("Traces, error model, link callback and addressing of a device",
               &FabricTests::TestDeviceHooks),
      MakeCase("A device installed twice, and Send() before Attach()",
               &FabricTests::TestDeviceMisuse)}});
