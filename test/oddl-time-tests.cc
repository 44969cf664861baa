/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/control/grid/oddl-control-unit.h"
#include "oddl-fixture.h"
#include "oddl-tests.h"

#include "ns3/collective-schedule.h"
#include "ns3/oddl-helper.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"
#include "ns3/wss-grid-channel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of times on ODDL.
 */
class OddlTimeTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Halving-doubling on a square grid takes the time of its closed form and uses rows and columns
     * only; no flow waits for a receiver.
     *
     * @param side the number of rows, and of columns
     * @param bytes the size of the buffer
     * @param limit the time without any messages, tuning and delay, in seconds
     */
    void TestOddlHalvingDoubling(uint32_t side, uint64_t bytes, double limit)
    {
        OddlHelper helper;
        // The prototype has 100 Gb/s at each switch of a node
        helper.SetBandwidth(DataRate("200Gbps"));
        helper.DisableFlowControl();
        helper.SetGrid(side, side);
        const uint32_t ranks = side * side;
        NodeContainer nodes;
        nodes.Create(ranks);
        const NetDeviceContainer devices = helper.Install(nodes);
        Watch(devices);
        const auto applications =
            TrainingHelper().Install(MakePlan(ranks, bytes, "all-reduce", "halving-doubling"),
                                     devices,
                                     nullptr);
        Simulator::Run();
        const auto grid = DynamicCast<WssGridChannel>(FabricHelper::GetChannel(devices));
        const double seconds =
            TrainingReport(TrainingHelper::GetJob(applications), grid).iterationSeconds.front();
        // Two ways through the steps, of which step k sends a 2^k-th
        const double rate = 100e9 / 8;
        double sum = 0;
        double data = 0;
        uint32_t steps = 0;
        for (uint32_t part = 2; part <= ranks; part *= 2)
        {
            const double piece = double(bytes) / part;
            data += 2 * piece / rate;
            sum += 2 * (helper.GetFlowTime().GetSeconds() + piece / rate);
            ++steps;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(seconds, sum, 1e-3 * sum, "time");
        NS_TEST_EXPECT_MSG_EQ_TOL(data, limit, 5e-4 * limit + 5e-6, "its limit");
        NS_TEST_EXPECT_MSG_EQ(m_nFlows, 2 * steps * ranks, "flows");
        NS_TEST_EXPECT_MSG_EQ(m_nMessages, 2 * m_nFlows, "a request and a grant for each");
        NS_TEST_EXPECT_MSG_EQ(m_nWaiting, 0, "grants that waited");
        NS_TEST_EXPECT_MSG_EQ(m_nForwarded, 0, "flows to corners");
        NS_TEST_EXPECT_MSG_EQ(grid->GetNCollisions(), 0, "collisions");
        Simulator::Destroy();
    }

    /**
     * An all-reduce over rows and columns at the same time uses all of the bandwidth of a node.
     *
     * @param ranks the number of nodes
     * @param most the longest time, relative to the time of its bytes at the bandwidth
     */
    void TestGrid(uint32_t ranks, double most)
    {
        constexpr uint64_t bytes = 200000000;
        const double bound = 2 * (ranks - 1.0) / ranks * bytes * 8 / 200e9;
        const double seconds = Simulate("all-reduce", bytes, "Forbid", 0, ranks, "grid");
        NS_TEST_EXPECT_MSG_GT(seconds, bound, "the bandwidth");
        NS_TEST_EXPECT_MSG_LT(seconds, most * bound, ranks << " nodes");
    }

    /// Messages that corners store and forward take the same time as bursts and as frames.
    void TestForwardedBursts()
    {
        for (const std::string kind : {"all-reduce", "all-to-all"})
        {
            // Messages of 625 kB, and of 10 MB, which have more than 9000 bytes in a frame
            for (const uint64_t bytes : {10000000, 160000000})
            {
                const double bursts = Simulate(kind, bytes, "XFirst", 0);
                const double frames = Simulate(kind, bytes, "XFirst", 9000);
                NS_TEST_EXPECT_MSG_EQ_TOL(bursts, frames, 5e-3 * frames, kind << " of " << bytes);
            }
        }
    }

    /// The policy that looks for idle transmitters is no slower than a fixed corner.
    void TestLeastLoaded()
    {
        for (const std::string kind : {"all-reduce", "all-to-all"})
        {
            const double row = Simulate(kind, 16000000, "XFirst", 0);
            const double column = Simulate(kind, 16000000, "YFirst", 0);
            const double least = Simulate(kind, 16000000, "LeastLoaded", 0);
            NS_TEST_EXPECT_MSG_LT(least, 1.001 * std::min(row, column), kind);
        }
        // One node sends alone, to the 9 nodes that share no switch with it: one transmitter takes
        // the time of 9 messages, two that of about 5
        const double least = SimulateOne("LeastLoaded");
        NS_TEST_EXPECT_MSG_LT(least, 0.85 * SimulateOne("XFirst"), "one sender");
    }

  private:
    /**
     * Carry out a collective operation on a grid of nodes of 200 Gb/s.
     *
     * @param kind the operation
     * @param bytes the size of the buffer
     * @param policy the choice of the corner that forwards
     * @param frameSize bytes of a frame; 0 for bursts
     * @param ranks the number of nodes
     * @param algorithm its algorithm
     * @return its time in seconds
     */
    static double Simulate(const std::string& kind,
                           uint64_t bytes,
                           const std::string& policy,
                           uint32_t frameSize,
                           uint32_t ranks = 16,
                           const std::string& algorithm = "automatic")
    {
        OddlHelper helper;
        helper.DisableFlowControl();
        helper.SetUnitAttribute("RelayPolicy", StringValue(policy));
        NodeContainer nodes(ranks);
        const NetDeviceContainer devices = helper.Install(nodes);
        TrainingHelper training;
        training.SetTransportAttribute("FrameSize", UintegerValue(frameSize));
        const auto applications =
            training.Install(MakePlan(ranks, bytes, kind, algorithm), devices, nullptr);
        Simulator::Run();
        const auto job = TrainingHelper::GetJob(applications);
        const double seconds =
            TrainingReport(job, FabricHelper::GetChannel(devices)).iterationSeconds.front();
        Simulator::Destroy();
        return seconds;
    }

    /**
     * Send from one node of 4 x 4 to all that share no switch with it.
     *
     * @param policy the choice of the corner that forwards
     * @return when the last message comes in, in seconds
     */
    static double SimulateOne(const std::string& policy)
    {
        const auto helper = MakeOddl(4, 4);
        helper->SetUnitAttribute("RelayPolicy", StringValue(policy));
        OddlFixture fixture(*helper, 16);
        Simulator::ScheduleNow([&]() {
            for (const uint32_t destination : {5, 6, 7, 9, 10, 11, 13, 14, 15})
            {
                fixture.frames[0]->Send(destination, 1, 80000);
            }
        });
        Simulator::Run();
        Time last;
        for (const auto& frames : fixture.frames)
        {
            last = frames->received.empty() ? last : std::max(last, frames->received.back().second);
        }
        Simulator::Destroy();
        return last.GetSeconds();
    }

    /**
     * Count the events of the devices.
     *
     * @param devices the devices
     */
    void Watch(const NetDeviceContainer& devices)
    {
        m_nFlows = m_nMessages = m_nWaiting = m_nForwarded = 0;
        const ApplicationContainer units = OddlHelper::GetUnits(devices);
        for (uint32_t port = 0; port < units.GetN(); ++port)
        {
            const auto unit = units.Get(port);
            unit->TraceConnectWithoutContext(
                "ControlTx",
                Callback<void, const OddlHeader&, uint32_t>(
                    [this](const OddlHeader& message, uint32_t) {
                        ++m_nMessages;
                        m_nWaiting += message.kind == OddlHeader::GRANT && message.wait > 0;
                    }));
            unit->TraceConnectWithoutContext(
                "FlowDone",
                Callback<void, const OddlFlow&>([this](const OddlFlow& flow) {
                    ++m_nFlows;
                    m_nForwarded += flow.hop != flow.destination;
                }));
        }
    }

    /**
     * @param ranks the number of ranks
     * @param bytes the size of the buffer
     * @param kind the operation
     * @param algorithm its algorithm
     * @return a plan whose only task is the operation
     */
    static TrainingPlan MakePlan(uint32_t ranks,
                                 uint64_t bytes,
                                 const std::string& kind,
                                 const std::string& algorithm)
    {
        Task task;
        task.kind = TaskKind::COLLECTIVE;
        task.bytes = bytes;
        task.collective = CollectiveSchedule::GetKind(kind);
        task.options = {1, CollectiveSchedule::GetAlgorithm(algorithm), 1};
        const auto program = std::make_shared<RankProgram>();
        program->AddTask(task);
        std::vector<uint32_t> members(ranks);
        std::iota(members.begin(), members.end(), 0);
        TrainingPlan plan;
        plan.strategy.dataParallel = ranks;
        plan.programs.assign(ranks, program);
        plan.groups.resize(1);
        plan.groups[0].Add(members);
        return plan;
    }

    uint64_t m_nFlows{0};     //!< Flows that have been sent
    uint64_t m_nMessages{0};  //!< Control messages
    uint64_t m_nWaiting{0};   //!< Grants that waited
    uint64_t m_nForwarded{0}; //!< Flows to corners
};

/// Registers the test cases
static const SuiteCases g_oddlTimeCases(
    "lightpath-oddl",
    {MakeCases("Halving-doubling on a grid",
               &OddlTimeTests::TestOddlHalvingDoubling,
               {{2, 102000000, 12.24e-3}, {4, 102000000, 15.30e-3}, {16, 575000000, 91.64e-3}}),
     MakeCases("All-reduce over rows and columns",
               &OddlTimeTests::TestGrid,
               {{16, 1.01}, {36, 1.01}, {64, 1.01}, {7, 1.01}, {32, 1.01}, {20, 1.01}, {14, 1.01}}),
     {MakeCase("Bursts and frames at corners", &OddlTimeTests::TestForwardedBursts),
      MakeCase("Idle transmitters take flows to corners", &OddlTimeTests::TestLeastLoaded)}});

/// Registers the long test cases
static const SuiteCases g_longOddlTimeCases(
    "lightpath-oddl",
    {MakeCases("Halving-doubling on a large grid",
               &OddlTimeTests::TestOddlHalvingDoubling,
               {{32, 102000000, 16.30e-3}, {32, 575000000, 91.9e-3}, {64, 102000000, 16.32e-3}})},
    TestLength::EXTENSIVE);
