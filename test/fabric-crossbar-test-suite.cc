/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fabric-fixture.h"
#include "fabric-parts.h"
#include "method-case.h"

#include "ns3/crossbar-channel.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"

#include <memory>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Tests of the ideal electrical switch.
 */
class FabricCrossbarTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Messages of n ports to one port take n times as long as one.
     *
     * @param senders the number n of ports that send
     * @param frames the number of frames of a message
     */
    void TestIncast(uint32_t senders, uint32_t frames)
    {
        const auto fabric =
            MakeChannel<CrossbarChannel>({{"LinkRate", "2000Gbps"}, {"Delay", "300ns"}});
        FabricFixture fixture(fabric, senders + 1);
        for (uint32_t sender = 1; sender <= senders; ++sender)
        {
            fixture.sources[sender]->Send(0, 5000000 / frames, frames);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(fixture.received[0].size(), senders * frames, "frames received");
        NS_TEST_EXPECT_MSG_EQ_TOL(fixture.received[0].back().GetNanoSeconds(),
                                  senders * 20000 + 300,
                                  1,
                                  "n messages of 5 MB at 2 Tb/s");
    }

    /**
     * Shares follow at once as messages begin and end.
     *
     * The rate is 8 bit/ns. Until 12 us, ports 0, 3 and 4 share the output of port 2, and port 0
     * gives to port 1 what that leaves. Then the rest of the messages has the ports to itself.
     */
    void TestChangingShares()
    {
        const auto fabric = MakeChannel<CrossbarChannel>({{"LinkRate", "8Gbps"}});
        FabricFixture fixture(fabric, 5);
        fixture.sources[0]->Send(2, 4000);
        fixture.sources[3]->Send(2, 4000);
        fixture.sources[4]->Send(2, 4000);
        fixture.sources[0]->Send(1, 16000);
        Simulator::Schedule(NanoSeconds(1), [&]() {
            NS_TEST_EXPECT_MSG_EQ(fabric->GetRate(0, 2), DataRate(2666666666), "a third");
            NS_TEST_EXPECT_MSG_EQ(fabric->GetRate(3, 2), DataRate(2666666666), "a third");
            NS_TEST_EXPECT_MSG_EQ(fabric->GetRate(0, 1), DataRate(5333333334), "what is left");
            NS_TEST_EXPECT_MSG_EQ(fabric->GetRate(1, 0), DataRate(0), "no frames");
        });
        Simulator::Run();
        // 8000 bytes by 12000 ns at two thirds, 8000 at the full rate
        NS_TEST_EXPECT_MSG_EQ_TOL(fixture.received[1].at(0).GetNanoSeconds(), 20000, 1, "port 1");
        NS_TEST_EXPECT_MSG_EQ_TOL(fixture.received[2].at(2).GetNanoSeconds(), 12000, 1, "port 2");
    }

    /**
     * A pair that goes on at the instant at which its last frame has ended changes no other rate.
     *
     * Port 0 sends each of 4 messages of 1000 bytes to port 2 when the one before has arrived, by
     * half of its rate of 1 byte a ns. Port 1 has the other half until 8 us, and then all of it.
     */
    void TestGoingOn()
    {
        const auto fabric = MakeChannel<CrossbarChannel>({{"LinkRate", "8Gbps"}});
        FabricFixture fixture(fabric, 3);
        uint32_t nLeft = 3;
        fixture.devices[2]->TraceConnectWithoutContext(
            "PhyRxEnd",
            Callback<void, Ptr<const Packet>>([&](Ptr<const Packet>) {
                if (nLeft > 0)
                {
                    --nLeft;
                    fixture.sources[0]->Send(2, 1000);
                }
            }));
        std::vector<std::pair<int64_t, double>> rates;
        fixture.devices[1]->TraceConnectWithoutContext(
            "Rate",
            Callback<void, double, double>([&](double, double rate) {
                rates.emplace_back(Simulator::Now().GetNanoSeconds(), rate);
            }));
        fixture.sources[0]->Send(2, 1000);
        fixture.sources[1]->Send(2, 10000);
        Simulator::Run();
        const std::vector<std::pair<int64_t, double>> expected{{0, 4e9}, {8000, 8e9}, {14000, 0}};
        NS_TEST_EXPECT_MSG_EQ((rates == expected), true, "the rates of port 1");
        NS_TEST_ASSERT_MSG_EQ(fixture.received[2].size(), 5, "messages");
        NS_TEST_EXPECT_MSG_EQ(fixture.received[2].at(3), NanoSeconds(8000), "of port 0");
        NS_TEST_EXPECT_MSG_EQ(fixture.received[2].at(4), NanoSeconds(14000), "of port 1");
    }

    /**
     * Trace sinks that send while the device and the switch are at work.
     *
     * As each of three messages of 1000 bytes to port 0 begins and as it ends, its sender sends one
     * more of 1000 bytes to each of ports 0 and 4.
     */
    void TestSendingSink()
    {
        const auto fabric = MakeChannel<CrossbarChannel>({{"LinkRate", "8Gbps"}});
        FabricFixture fixture(fabric, 5);
        const Address to = fixture.devices[0]->GetAddress();
        const Address other = fixture.devices[4]->GetAddress();
        for (uint32_t sender = 1; sender <= 3; ++sender)
        {
            // Not a Ptr: the device's trace would then hold the device itself
            const auto device = PeekPointer(fixture.devices[sender]);
            for (const std::string trace : {"PhyTxBegin", "PhyTxEnd"})
            {
                const auto done = std::make_shared<bool>(false);
                device->TraceConnectWithoutContext(
                    trace,
                    Callback<void, Ptr<const Packet>>([device, to, other, done](Ptr<const Packet>) {
                        if (!*done)
                        {
                            *done = true;
                            device->Send(Create<Packet>(986), to, 0x88b5);
                            device->Send(Create<Packet>(986), other, 0x88b5);
                        }
                    }));
            }
            fixture.sources[sender]->Send(0, 1000);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(fixture.received[0].size(), 9, "frames to port 0");
        NS_TEST_ASSERT_MSG_EQ(fixture.received[4].size(), 6, "frames to port 4");
        // Its receiver never rests: 9 frames of 1000 bytes at 1 byte a ns
        NS_TEST_EXPECT_MSG_EQ_TOL(fixture.received[0].back().GetNanoSeconds(), 9000, 2, "the last");
    }

    /**
     * A reduction of S bytes takes S / B and the delay, from the last part on.
     *
     * The rate B is 1 byte/ns and the delay 300 ns.
     */
    void TestReduction()
    {
        const auto fabric = MakeReducing();
        FabricFixture fixture(fabric, 4);
        Schedule(fabric, 0, {0, 1, 2}, 7, 8000);
        Schedule(fabric, 500, {3}, 7, 8000);
        // The tag is free again after the end of the first reduction
        Schedule(fabric, 9000, {3, 2, 1, 0}, 7, 1000);
        Simulator::Run();
        const std::vector<std::pair<uint32_t, int64_t>> ends = {{0, 8800},
                                                                {1, 8800},
                                                                {2, 8800},
                                                                {3, 8800},
                                                                {0, 10300},
                                                                {1, 10300},
                                                                {2, 10300},
                                                                {3, 10300}};
        NS_TEST_EXPECT_MSG_EQ((m_ends == ends), true, "the sum arrives at all ports");
    }

    /**
     * Reductions share the links of all ports with frames and with each other.
     *
     * The frame from 0 to 1 and the reduction have half a link each until the frame ends at 8 us;
     * a second reduction begins at 10 us, as the first one has 2000 bytes left.
     */
    void TestSharedReduction()
    {
        const auto fabric = MakeReducing();
        FabricFixture fixture(fabric, 4);
        fixture.sources[0]->Send(1, 4000);
        Schedule(fabric, 0, {0, 1, 2, 3}, 1, 8000);
        Schedule(fabric, 10000, {0, 1, 2, 3}, 2, 5000);
        Simulator::Schedule(NanoSeconds(1), [&]() {
            NS_TEST_EXPECT_MSG_EQ(fabric->GetRate(0, 1), DataRate("4Gbps"), "half of the link");
        });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_ends.size(), 8, "two reductions of four ports");
        NS_TEST_EXPECT_MSG_EQ(fixture.received[1].at(0), NanoSeconds(8300), "the frame");
        NS_TEST_EXPECT_MSG_EQ(m_ends[0].second, 10000 + 2 * 2000 + 300, "the first");
        NS_TEST_EXPECT_MSG_EQ(m_ends[4].second, 14000 + 3000 + 300, "the second");
    }

    /// Reductions that cannot be are refused.
    void TestReductionRefusals()
    {
        const auto none = Callback<void>([]() {});
        const auto plain = MakeChannel<CrossbarChannel>({});
        EXPECT_ABORT("set its attribute Reduces", [&]() { plain->Reduce(0, 1, 8, none); });
        const auto fabric = MakeReducing();
        FabricFixture fixture(fabric, 2);
        EXPECT_ABORT("hands over 0 bytes", [&]() { fabric->Reduce(0, 1, 0, none); });
        fabric->Reduce(0, 1, 8, none);
        EXPECT_ABORT("one part of each port", [&]() { fabric->Reduce(0, 1, 8, none); });
        EXPECT_ABORT("Port 1 hands over 9 bytes to reduction 1, and another port 8",
                     [&]() { fabric->Reduce(1, 1, 9, none); });
    }

  private:
    /**
     * @return a switch that reduces
     */
    static Ptr<CrossbarChannel> MakeReducing()
    {
        return MakeChannel<CrossbarChannel>(
            {{"LinkRate", "8Gbps"}, {"Delay", "300ns"}, {"Reduces", "true"}});
    }

    /**
     * Have ports hand over their parts of a reduction, and note when each has the sum.
     *
     * @param fabric the switch
     * @param time when, in ns
     * @param ports the ports
     * @param tag the number of the reduction
     * @param bytes the bytes of a part
     */
    void Schedule(Ptr<CrossbarChannel> fabric,
                  int64_t time,
                  const std::vector<uint32_t>& ports,
                  uint64_t tag,
                  uint64_t bytes)
    {
        for (const uint32_t port : ports)
        {
            const Callback<void> done(
                [this, port]() { m_ends.emplace_back(port, Simulator::Now().GetNanoSeconds()); });
            Simulator::Schedule(NanoSeconds(time),
                                &CrossbarChannel::Reduce,
                                fabric,
                                port,
                                tag,
                                bytes,
                                done);
        }
    }

    std::vector<std::pair<uint32_t, int64_t>> m_ends; //!< Ports that have a sum, and when, in ns
};

/// Registers the test cases
static const SuiteCases g_fabricCrossbarCases(
    "lightpath-fabric-crossbar",
    {{MakeCase("Incast of messages", &FabricCrossbarTests::TestIncast, 1, 1),
      MakeCase("Incast of messages", &FabricCrossbarTests::TestIncast, 7, 1),
      MakeCase("Incast of messages", &FabricCrossbarTests::TestIncast, 7, 500),
      MakeCase("Max-min shares that change as messages begin and end",
               &FabricCrossbarTests::TestChangingShares),
      MakeCase("A pair that goes on", &FabricCrossbarTests::TestGoingOn),
      MakeCase("Sinks of traces that send", &FabricCrossbarTests::TestSendingSink),
      MakeCase("Reduction", &FabricCrossbarTests::TestReduction),
      MakeCase("Reductions and frames", &FabricCrossbarTests::TestSharedReduction),
      MakeCase("Reductions that cannot be", &FabricCrossbarTests::TestReductionRefusals)}});
