/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "sharing-fixture.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief The test cases of several jobs on one fabric.
 */
class SharedFabricTests : public SharingFixture
{
  public:
    using SharingFixture::SharingFixture;

    /**
     * Two jobs that share no link take, to the tick, what each takes alone.
     *
     * @param fabric the name of the fabric
     */
    void TestApart(std::string fabric)
    {
        Seed(1);
        for (uint32_t pair = 0; pair < 50; ++pair)
        {
            const bool isForward = m_random->GetInteger(0, 3) > 0;
            const auto jobs = DrawPair(fabric);
            const auto both = Run(fabric, jobs, isForward);
            for (uint32_t i = 0; i < 2; ++i)
            {
                const auto alone = Run(fabric, {jobs[i]}, isForward);
                NS_TEST_EXPECT_MSG_EQ(both[i].records,
                                      alone[0].records,
                                      "Job " << i << " of pair " << pair);
                NS_TEST_EXPECT_MSG_EQ(both[i].end, alone[0].end, "Its end");
                NS_TEST_EXPECT_MSG_GT(both[i].end, jobs[i].begin, "It has ended");
            }
        }
    }

    /**
     * Jobs that share links, circuits and ports one after the other take the same time, message by
     * message and computed.
     *
     * @param fabric the name of the fabric
     */
    void TestForward(std::string fabric)
    {
        Seed(2);
        uint64_t forwarded = 0;
        for (uint32_t draw = 0; draw < 40; ++draw)
        {
            const auto jobs = DrawJobs(fabric == "two-leaves" ? 8 : 12, 2);
            const auto on = Run(fabric, jobs, true);
            const auto off = Run(fabric, jobs, false);
            for (uint32_t i = 0; i < jobs.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(on[i].records, off[i].records, "Job " << i << " of " << draw);
                NS_TEST_EXPECT_MSG_EQ(on[i].end, off[i].end, "Its end");
                forwarded += on[i].forwarded;
            }
        }
        NS_TEST_EXPECT_MSG_GT(forwarded, 0, "Messages that were computed");
    }

    /// Two messages on one link share it fairly: the closed form of processor sharing.
    void TestFairLink()
    {
        Seed(3);
        for (uint32_t pair = 0; pair < 50; ++pair)
        {
            // Ports 0 to 3 are on one leaf, 4 to 7 on the other, with one link up of 8 Gb/s each
            std::vector<SharingJob> jobs(2);
            std::vector<double> bytes;
            for (uint32_t i = 0; i < 2; ++i)
            {
                bytes.push_back(m_random->GetInteger(100000, 10000000));
                RankProgram sender;
                sender.AddTask(Message(TaskKind::SEND, 1, 0, static_cast<uint64_t>(bytes.back())));
                RankProgram receiver;
                receiver.AddTask(
                    Message(TaskKind::RECEIVE, 0, 0, static_cast<uint64_t>(bytes.back())));
                jobs[i].plan = MakePlan({sender, receiver});
                jobs[i].ports = {2 * i + m_random->GetInteger(0, 1),
                                 4 + 2 * i + m_random->GetInteger(0, 1)};
            }
            const auto outcomes = Run("two-leaves", jobs, true);
            const double least = std::min(bytes[0], bytes[1]) + HEADERS;
            for (uint32_t i = 0; i < 2; ++i)
            {
                const double size = bytes[i] + HEADERS;
                // One byte takes 1 ns; the path is three hops of 500 ns long at most
                const double expected = size > least ? size + least : 2 * least;
                NS_TEST_EXPECT_MSG_EQ_TOL((outcomes[i].end.GetSeconds() * 1e9),
                                          expected,
                                          3000,
                                          "Job " << i << " of pair " << pair);
            }
        }
    }

    /**
     * What the ranks of a job send, they receive, whichever jobs begin, end and wait for repairs
     * meanwhile.
     *
     * @param fabric the name of the fabric
     * @param scripts the number of scripts
     */
    void TestBytes(std::string fabric, uint32_t scripts)
    {
        Seed(5);
        for (uint32_t script = 0; script < scripts; ++script)
        {
            const auto jobs = DrawJobs(12, m_random->GetInteger(2, 6));
            m_traces = true;
            m_nFailures = m_random->GetInteger(0, 4);
            const auto outcomes = Run(fabric, jobs, true);
            m_nFailures = 0;
            m_traces = false;
            for (uint32_t i = 0; i < jobs.size(); ++i)
            {
                const uint64_t planned = jobs[i].plan.GetTraffic().GetTotal() * jobs[i].nIterations;
                NS_TEST_EXPECT_MSG_EQ(outcomes[i].sent, planned, "Sent by job " << i);
                NS_TEST_EXPECT_MSG_EQ(outcomes[i].received, planned, "Received by job " << i);
            }
        }
    }

    /// A port serves one job at a time, and other fabrics refuse to be shared.
    void TestRefusals()
    {
        Seed(6);
        NodeContainer nodes(4);
        const auto helper = InterconnectHelper::Create("electrical");
        helper->SetBandwidth(DataRate("8Gbps"));
        const auto devices = helper->Install(nodes);
        NetDeviceContainer some(devices.Get(2), devices.Get(1));
        TrainingHelper training;
        training.Install(DrawPlan(2), some, nullptr);
        const std::string twice = GetAbort([&] { training.Install(DrawPlan(2), some, nullptr); });
        EXPECT_PART(twice, "it carries one at a time");
        Simulator::Destroy();
        for (const std::string fabric : {"oddl", "optinc"})
        {
            NodeContainer others(4);
            const auto other = InterconnectHelper::Create(fabric);
            other->SetBandwidth(DataRate("512Gbps"));
            const auto all = other->Install(others);
            const std::string refusal = GetAbort([&] {
                training.Install(DrawPlan(2), {all.Get(2), all.Get(1)}, nullptr);
            });
            EXPECT_PART(refusal, "A job on some of the ports of ");
            Simulator::Destroy();
        }
    }
};

} // namespace

/// Registers the test cases
static const SuiteCases g_sharedFabricCases(
    "lightpath-shared-fabric",
    {{MakeCase("Two jobs share a link fairly", &SharedFabricTests::TestFairLink),
      MakeCase("What cannot be shared is refused", &SharedFabricTests::TestRefusals)},
     MakeCases("Two jobs apart take what they take alone",
               &SharedFabricTests::TestApart,
               {{"electrical"}, {"two-leaves"}}),
     MakeCases("Jobs that share a fabric take the same time, message by message and computed",
               &SharedFabricTests::TestForward,
               {{"electrical"}, {"two-leaves"}, {"sip-ring"}, {"sip-ocs"}}),
     MakeCases("What jobs send, they receive",
               &SharedFabricTests::TestBytes,
               {{"sip-ring", 96}, {"sip-ocs", 96}, {"leaf-spine-flows", 64}})});
