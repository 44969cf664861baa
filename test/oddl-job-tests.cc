/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/control/grid/oddl-arbiter.h"
#include "oddl-fixture.h"
#include "oddl-tests.h"

#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/inet-socket-address.h"

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of jobs on ODDL.
 */
class OddlJobTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * The first flow of a job waits until the arbiter has set the switches, even if messages are
     * lost.
     */
    void TestJob()
    {
        // A message takes 612 ns, and the arbiter 100 us in place of 100 ns
        const int64_t go = 512 + 100000 + 100000000 + 612;
        const int64_t flow = 2 * (12 + 500 + 100) + 15 + 10000 + 100;
        NS_TEST_EXPECT_MSG_EQ_TOL(Simulate(false), go + flow, 100, "without loss");
        // Port 0 does not hear that it may go and has asked after 0.1, 0.3,
        // 0.7, 1.5, 3.1, 6.3, 12.7 ms and each 10 ms, the last time at 102.7 ms
        NS_TEST_EXPECT_MSG_EQ_TOL(Simulate(true),
                                  102700000 + 512 + 100000 + 612 + flow,
                                  100,
                                  "with loss");
    }

    /// Jobs share switches and no light, and no ports.
    void TestIsolation()
    {
        const auto helper = MakeOddl(2, 4);
        helper->SetChannelAttribute("SettingTime", TimeValue(MicroSeconds(50)));
        OddlFixture fixture(*helper, 8);
        const auto& grid = fixture.grid;
        const auto arbiter = CreateObject<OddlArbiter>();
        arbiter->SetUp(grid, nullptr);
        arbiter->TraceConnectWithoutContext(
            "Refused",
            Callback<void, uint32_t, const std::string&>(
                [this](uint32_t, const std::string& reason) { m_refusals.push_back(reason); }));
        arbiter->RequestJob(1, {0, 1, 4, 5});
        arbiter->RequestJob(2, {2, 3});
        arbiter->RequestJob(3, {3, 6});
        arbiter->RequestJob(4, {8});
        Simulator::Schedule(MicroSeconds(49), [&]() {
            NS_TEST_EXPECT_MSG_EQ(grid->CanReach(0, 1, WssGridChannel::ROW), false, "being set");
        });
        Simulator::Schedule(MicroSeconds(51), [&]() {
            const auto row = WssGridChannel::ROW;
            const auto column = WssGridChannel::COLUMN;
            NS_TEST_EXPECT_MSG_EQ(grid->CanReach(0, 1, row), true, "of job 1");
            NS_TEST_EXPECT_MSG_EQ(grid->CanReach(1, 5, column), true, "of job 1");
            NS_TEST_EXPECT_MSG_EQ(grid->CanReach(2, 3, row), true, "of job 2");
            NS_TEST_EXPECT_MSG_EQ(grid->CanReach(1, 2, row), false, "of two jobs");
            NS_TEST_EXPECT_MSG_EQ(grid->CanReach(2, 6, column), false, "of no job");
            NS_TEST_EXPECT_MSG_EQ(grid->CanReach(4, 7, row), false, "of no job");
            // Who tunes across is in the dark
            fixture.frames[1]->waiting[2].emplace_back(1, 1000);
            grid->SetController(1, nullptr);
            fixture.grid->GetPort(1)->NotifyFrames(2);
            grid->Tune({1, row, 0}, 1, 2);
        });
        Simulator::Stop(MicroSeconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(grid->GetNLost(), 1, "light from job 1 to job 2");
        NS_TEST_EXPECT_MSG_EQ(fixture.frames[2]->received.size(), 0, "nothing comes through");
        NS_TEST_EXPECT_MSG_EQ(arbiter->IsRunning(1) && arbiter->IsRunning(2), true, "both run");
        NS_TEST_ASSERT_MSG_EQ(m_refusals.size(), 2, "jobs refused");
        NS_TEST_EXPECT_MSG_EQ(m_refusals[0], "Job 3 cannot have port 3, which job 2 has", "taken");
        NS_TEST_EXPECT_MSG_EQ(m_refusals[1],
                              "Job 4 cannot have port 8 of a fabric of 8 ports",
                              "no such port");
        arbiter->EndJob(2);
        arbiter->RequestJob(3, {3, 6});
        NS_TEST_EXPECT_MSG_EQ(m_refusals.size(), 2, "once job 2 has ended");
        arbiter->Dispose();
        Simulator::Destroy();
    }

  private:
    /**
     * Send from port 0 to port 1.
     *
     * @param loses true if port 0 loses the message that it may go
     * @return the time in nanoseconds
     */
    int64_t Simulate(bool loses)
    {
        const auto helper = MakeOddl(2, 2);
        helper->SetInitiallySet(false);
        UsePackets(*helper);
        OddlFixture fixture(*helper, 4);
        const auto losses = CreateObject<ReceiveListErrorModel>();
        losses->SetList({0});
        if (loses)
        {
            fixture.GetControlDevice(0)->SetReceiveErrorModel(losses);
        }
        Simulator::Schedule(MicroSeconds(1), [&]() { fixture.frames[0]->Send(1, 1, 9986); });
        Simulator::Run();
        const Time first = fixture.GetFirst(1);
        Simulator::Destroy();
        return first.GetNanoSeconds();
    }

    std::vector<std::string> m_refusals; //!< Why jobs were refused
};

/// Registers the test cases
static const SuiteCases g_oddlJobCases(
    "lightpath-oddl",
    {{MakeCase("A job begins once the switches are set", &OddlJobTests::TestJob),
      MakeCase("Jobs are kept apart by the switches", &OddlJobTests::TestIsolation)}});
