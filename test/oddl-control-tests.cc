/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "oddl-fixture.h"
#include "oddl-tests.h"

#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/oddl-header.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <sstream>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// A frame of 10,000 bytes, with its header, in nanoseconds of 1 byte each.
constexpr uint32_t FRAME = 10000 - 14;

/// When all control units are there and frames are sent, in nanoseconds.
constexpr int64_t START = 1000;

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the control of ODDL.
 */
class OddlControlTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Messages survive serialisation unchanged.
    void TestHeader()
    {
        const std::vector<std::pair<OddlHeader::Kind, uint32_t>> sizes = {
            {OddlHeader::JOB_REQUEST, 12 + 4 + 3},
            {OddlHeader::JOB_GO, 12},
            {OddlHeader::REQUEST, 12 + 32},
            {OddlHeader::GRANT, 12 + 32},
            {OddlHeader::GRANT_CANCEL, 12},
            {OddlHeader::DONE, 12 + 8}};
        for (const auto& [kind, size] : sizes)
        {
            OddlHeader sent;
            sent.kind = kind;
            sent.direction = 1;
            sent.index = 3;
            sent.port = 70000;
            sent.number = 4000000000;
            sent.bytes = uint64_t{1} << 40;
            sent.stamp = NanoSeconds(123456789012).GetTimeStep();
            sent.slack = MicroSeconds(10).GetTimeStep();
            sent.wait = NanoSeconds(17).GetTimeStep();
            sent.hold = MilliSeconds(3).GetTimeStep();
            sent.nPorts = 20;
            sent.ports = {0, 7, 8, 19};
            const auto packet = Create<Packet>();
            packet->AddHeader(sent);
            NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), size, "bytes of kind " << +kind);
            OddlHeader got;
            packet->RemoveHeader(got);
            NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 0, "nothing is left");
            std::ostringstream one;
            std::ostringstream other;
            sent.Print(one);
            got.Print(other);
            NS_TEST_EXPECT_MSG_EQ(one.str(), other.str(), "as printed");
            NS_TEST_EXPECT_MSG_EQ(got.port, 70000, "the port");
            NS_TEST_EXPECT_MSG_EQ(got.number, 4000000000, "the number");
            const bool isRequest = kind == OddlHeader::REQUEST;
            if (isRequest || kind == OddlHeader::GRANT)
            {
                NS_TEST_EXPECT_MSG_EQ(got.stamp, sent.stamp, "the stamp");
                NS_TEST_EXPECT_MSG_EQ(got.slack, sent.slack, "the slack");
                NS_TEST_EXPECT_MSG_EQ(got.wait, sent.wait, "the time of waiting");
                NS_TEST_EXPECT_MSG_EQ((!isRequest || got.bytes == sent.bytes), true, "the size");
                NS_TEST_EXPECT_MSG_EQ((isRequest || got.hold == sent.hold), true, "the hold");
            }
            if (kind == OddlHeader::JOB_REQUEST)
            {
                NS_TEST_EXPECT_MSG_EQ((got.ports == sent.ports), true, "the ports");
            }
        }
    }

    /**
     * A flow takes the time of its messages, to tune, to lock, to send and to travel; the next
     * one of the same transmitter as much, or less where it looks ahead.
     */
    void TestFlowTime()
    {
        // 2 x (a datagram of 74 bytes on two links of 100 Gb/s, 12 ns; 2 x (200 ns + 10 m of
        // fibre of index 1.468, 48.97 ns); 100 ns)
        const int64_t control = 2 * (12 + 498 + 100);
        NS_TEST_EXPECT_MSG_EQ_TOL(MakeOddl(1, 4)->GetControlTime().GetNanoSeconds(),
                                  control,
                                  4,
                                  "time of control");
        const int64_t flow = control + 15 + 10000 + 100;
        Check("0s", 1, flow, 2 * flow - 100);
        // The messages of the second flow are hidden
        Check("1500ns", 1, flow, flow + 15 + 10000);
        // They begin too late to be hidden whole
        Check("1us", 1, flow, flow + 15 + 10000 + control - 1000);
        Check("0s", 2, flow, flow + 15 + 10000);
    }

    /// A receiver is granted in the order of the policy.
    void TestGrant()
    {
        // Port 1 has the receiver; then come 2 with the largest flow, 3 and 4 with the smallest,
        // whose data has been ready longest as its transmitter was busy
        CheckGrant("Fcfs", {1, 2, 3, 4});
        CheckGrant("SmallestFirst", {1, 4, 3, 2});
        CheckGrant("OldestStepFirst", {1, 4, 2, 3});
    }

    /// The loss of a message costs the time until it is repeated, and no more.
    void TestLoss()
    {
        const int64_t flow = 2 * (12 + 500 + 100) + 15 + 10000 + 100;
        NS_TEST_EXPECT_MSG_EQ_TOL(Simulate(1, {0}, 400), flow + 100000, 10, "a lost request");
        NS_TEST_EXPECT_MSG_EQ_TOL(Simulate(0, {0}, 400), flow + 10000, 10, "a lost grant");
        NS_TEST_EXPECT_MSG_EQ_TOL(Simulate(0, {0, 1}, 400), flow + 20000, 10, "two lost grants");
        // Requests again after 100, 200 and 400 us
        NS_TEST_EXPECT_MSG_EQ_TOL(Simulate(1, {0, 1, 2}, 400), flow + 700000, 10, "lost requests");
        // Messages of 30 us: the first grant comes too late, and the second allows for that
        const int64_t time = Simulate(0, {}, 30000);
        NS_TEST_EXPECT_MSG_LT(time, 2 * (flow + 2 * 30000), "slow messages");
        NS_TEST_EXPECT_MSG_GT(time, flow + 4 * 29600, "two requests");
    }

    /// The corner that forwards, and the refusal where no corner may.
    void TestRelay()
    {
        CheckRelay("XFirst", {}, 4, {1});
        CheckRelay("YFirst", {}, 4, {3});
        // The row has sent to port 2 and sends to port 1: the column is idle
        CheckRelay("LeastLoaded", {}, 4, {3});
        CheckRelay("XFirst", {"column:1"}, 8, {2});
        CheckRelay("XFirst", {"column:1"}, 4, {3});
        CheckRelay("YFirst", {"receiver:4:row"}, 4, {1});
        // In a row whose switch does not work
        CheckRelay("XFirst", {"row:0"}, 1, {3, 4});
        CheckRelay("XFirst", {"laser:0:column"}, 3, {1, 4});
        CheckRelay("XFirst", {"laser:0:column", "laser:0:row"}, 4, {});
        const std::string error = GetAbort([&]() { CheckRelay("Forbid", {}, 4, {}); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "they share no row and no column"),
                              true,
                              "refused: " << error);
    }

  private:
    /**
     * Send from port 0 to ports 1 and 2.
     *
     * @param lookAhead how long before the end of a flow the next is requested
     * @param requests the most requests outstanding
     * @param first the time of the first in nanoseconds
     * @param second the time of the second
     */
    void Check(const std::string& lookAhead, uint32_t requests, int64_t first, int64_t second)
    {
        const auto helper = MakeOddl(1, 4);
        helper->SetUnitAttribute("LookAhead", StringValue(lookAhead));
        helper->SetUnitAttribute("MaxRequests", UintegerValue(requests));
        helper->SetUnitAttribute("Reliable", BooleanValue(true));
        OddlFixture fixture(*helper, 4);
        Simulator::Schedule(NanoSeconds(START), [&]() {
            fixture.frames[0]->Send(1, 1, FRAME);
            fixture.frames[0]->Send(2, 2, FRAME);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(fixture.GetFirst(1).GetNanoSeconds() - START,
                                  first,
                                  8,
                                  "first flow");
        if (requests == 1)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(fixture.GetFirst(2).GetNanoSeconds() - START,
                                      second,
                                      16,
                                      "second");
            NS_TEST_EXPECT_MSG_EQ(fixture.units[0]->GetNMessages(), 2, "requests");
        }
        else
        {
            // A grant for a busy transmitter is given back, as it could not begin in time
            NS_TEST_EXPECT_MSG_EQ(fixture.frames[2]->received.size(), 1, "second flow");
        }
        NS_TEST_EXPECT_MSG_EQ(fixture.units[0]->GetNConfirmed(), 2, "ends reported");
        NS_TEST_EXPECT_MSG_EQ(fixture.grid->GetNCollisions(), 0, "collisions");
        Simulator::Destroy();
    }

    /**
     * @param policy the policy
     * @param wanted the senders in the expected order
     */
    void CheckGrant(const std::string& policy, const std::vector<uint32_t>& wanted)
    {
        const auto helper = MakeOddl(1, 6);
        helper->SetUnitAttribute("GrantPolicy", StringValue(policy));
        OddlFixture fixture(*helper, 6);
        Simulator::Schedule(NanoSeconds(START), [&]() {
            fixture.frames[4]->Send(5, 9, 5000);
            fixture.frames[4]->Send(0, 4, 1000);
            fixture.frames[1]->Send(0, 1, 40000);
        });
        Simulator::Schedule(MicroSeconds(3), [&]() { fixture.frames[2]->Send(0, 2, 3000); });
        Simulator::Schedule(MicroSeconds(4), [&]() { fixture.frames[3]->Send(0, 3, 2000); });
        Simulator::Run();
        std::vector<uint32_t> senders;
        for (const auto& frame : fixture.frames[0]->received)
        {
            senders.push_back(frame.first);
        }
        NS_TEST_EXPECT_MSG_EQ((senders == wanted), true, "order with " << policy);
        Simulator::Destroy();
    }

    /**
     * Send from port 0 to port 1.
     *
     * @param port the port that loses messages
     * @param lost the indices of the lost packets, from 0
     * @param delay the switching delay of the control network in nanoseconds
     * @return the time in nanoseconds
     */
    int64_t Simulate(uint32_t port, const std::list<uint32_t>& lost, int64_t delay)
    {
        const auto helper = MakeOddl(2, 2);
        OddlControlNetwork network;
        network.switchingDelay = NanoSeconds(delay);
        network.usesUdp = true;
        helper->SetControlNetwork(network);
        OddlFixture fixture(*helper, 4);
        const auto losses = CreateObject<ReceiveListErrorModel>();
        std::list<std::decay_t<decltype(losses->GetList())>::value_type> list;
        for (const uint32_t each : lost)
        {
            list.push_back(each);
        }
        losses->SetList(list);
        fixture.GetControlDevice(port)->SetReceiveErrorModel(losses);
        Simulator::Schedule(NanoSeconds(START), [&]() { fixture.frames[0]->Send(1, 1, FRAME); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fixture.frames[1]->received.size(), 1, "frames received");
        NS_TEST_EXPECT_MSG_EQ(fixture.grid->GetNCollisions(), 0, "collisions");
        const Time first = fixture.GetFirst(1);
        Simulator::Destroy();
        return first.GetNanoSeconds() - START;
    }

    /**
     * Send from port 0 of a grid of 3 x 3.
     *
     * @param policy the policy
     * @param failed the failed components
     * @param destination the port to send to
     * @param wanted the ports that forward, in ascending order; none if there is no way
     */
    void CheckRelay(const std::string& policy,
                    const std::vector<std::string>& failed,
                    uint32_t destination,
                    const std::vector<uint32_t>& wanted)
    {
        const auto helper = MakeOddl(3, 3);
        helper->SetUnitAttribute("RelayPolicy", StringValue(policy));
        OddlFixture fixture(*helper, 9);
        std::vector<uint32_t> forwarded;
        for (uint32_t port = 0; port < 9; ++port)
        {
            fixture.grid->GetPort(port)->TraceConnectWithoutContext(
                "Forward",
                Callback<void, Ptr<const Packet>>(
                    [&forwarded, port](Ptr<const Packet>) { forwarded.push_back(port); }));
        }
        for (const auto& component : failed)
        {
            fixture.grid->SetFailed(component, true);
        }
        Simulator::Schedule(NanoSeconds(START), [&]() {
            if (failed.empty())
            {
                fixture.frames[0]->Send(2, 7, FRAME);
                fixture.frames[0]->Send(1, 8, FRAME);
            }
            fixture.frames[0]->Send(destination, 1, FRAME);
        });
        Simulator::Schedule(MicroSeconds(500), [&]() {
            const bool isThere = !fixture.frames[destination]->received.empty();
            std::sort(forwarded.begin(), forwarded.end());
            NS_TEST_EXPECT_MSG_EQ(isThere, !wanted.empty(), "received at " << destination);
            NS_TEST_EXPECT_MSG_EQ((forwarded == wanted), true, policy << " to " << destination);
            NS_TEST_EXPECT_MSG_EQ(
                Contains(fixture.units[0]->GetRefusal(destination), "no way leads"),
                !isThere,
                "reported");
            NS_TEST_EXPECT_MSG_EQ(fixture.grid->IsChanging(), false, "nothing is about to change");
            for (const auto& component : failed)
            {
                fixture.grid->SetFailed(component, false);
            }
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fixture.frames[destination]->received.size(), 1, "once mended");
        NS_TEST_EXPECT_MSG_EQ(fixture.units[0]->GetRefusal(destination), "", "no longer reported");
        Simulator::Destroy();
    }
};

/// Registers the test cases
static const SuiteCases g_oddlControlCases(
    "lightpath-oddl",
    {{MakeCase("Control messages, written and read", &OddlControlTests::TestHeader),
      MakeCase("Times of flows, one after the other, with and without looking ahead",
               &OddlControlTests::TestFlowTime),
      MakeCase("Policies of grants", &OddlControlTests::TestGrant),
      MakeCase("A lost request and a lost grant, and slow messages", &OddlControlTests::TestLoss),
      MakeCase("Policies of corners, and detours around failures", &OddlControlTests::TestRelay)}});
