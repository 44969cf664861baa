/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/search/plan-constraint.h"
#include "stage-tests.h"
#include "training-fixture.h"

#include "ns3/collective-protocols.h"
#include "ns3/fabric-description.h"
#include "ns3/fabric-helper.h"
#include "ns3/plan-folder.h"
#include "ns3/planner.h"
#include "ns3/planning-problem.h"
#include "ns3/simulator.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The largest buffer of each protocol but the last.
constexpr uint64_t LIMITS[] = {2000, 48000};

/**
 * @ingroup lightpath-tests
 * @return protocols with the overhead of NCCL's
 */
CollectiveProtocols
MakeProtocols()
{
    return CollectiveProtocols({{"LL", 2, 1, 3e-6, LIMITS[0]},
                                {"LL128", 128, 120, 5e-6, LIMITS[1]},
                                {"Simple", 1, 1, 9e-6, UINT64_MAX}});
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of protocols of collective operations.
 */
class CollectiveProtocolTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Protocols and bytes on the wire follow from the size.
    void TestTable()
    {
        const CollectiveProtocols table = MakeProtocols();
        const std::vector<std::tuple<uint64_t, uint64_t, std::string>> rows{
            {0, 0, "LL"},
            {1, 2, "LL"},
            {2000, 4000, "LL"},
            // 16 lines of 120 bytes and one of 81, which takes 86.4
            {2001, 2135, "LL128"},
            {2040, 2176, "LL128"},
            {48000, 51200, "LL128"},
            {48001, 48001, "Simple"},
        };
        for (const auto& [bytes, sent, name] : rows)
        {
            NS_TEST_EXPECT_MSG_EQ(table.GetWireBytes(bytes), sent, bytes << " bytes are sent");
            NS_TEST_EXPECT_MSG_EQ(table.Get(bytes).name, name, bytes << " bytes");
        }
        // Beyond 64 bits without whole units first
        const CollectiveProtocols large({{"LL128", 128, 120, 0, UINT64_MAX}});
        NS_TEST_EXPECT_MSG_EQ(large.GetWireBytes(15000000000000000000ULL),
                              16000000000000000000ULL,
                              "no overflow");
        const CollectiveProtocols none;
        NS_TEST_EXPECT_MSG_EQ(none.GetWireBytes(12345), 12345U, "no protocol adds bytes");
        NS_TEST_EXPECT_MSG_EQ(none.Get(12345).latency, 0, "or time");
        NS_TEST_EXPECT_MSG_EQ(table.WithoutLatency().Get(1).latency, 0, "no time");
        NS_TEST_EXPECT_MSG_EQ(table.WithoutLatency().GetWireBytes(1), 2U, "bytes stay");
    }

    /**
     * Refuses a table.
     *
     * @param part a part of the sentence
     * @param wire bytes on the wire of the first protocol
     * @param data its bytes of data
     * @param latency its latency in seconds
     * @param first its largest buffer
     * @param last the largest buffer of the last protocol
     */
    void TestRefusal(std::string part,
                     uint64_t wire,
                     uint64_t data,
                     double latency,
                     uint64_t first,
                     uint64_t last)
    {
        const std::string error = GetError([&] {
            CollectiveProtocols({{"A", wire, data, latency, first}, {"B", 1, 1, 0, last}});
        });
        NS_TEST_EXPECT_MSG_NE(error.find(part), std::string::npos, error);
    }

    /**
     * An operation takes the launch and the closed form of what is sent, and the price says so.
     *
     * @param kind the operation
     * @param bytes the size of its buffer
     * @param sent the size with the overhead of its protocol
     * @param launch the latency of its protocol in us
     */
    void TestTime(std::string kind, uint64_t bytes, uint64_t sent, int64_t launch)
    {
        constexpr uint32_t ranks = 4;
        constexpr double rate = 1e9;
        const auto operation = CollectiveSchedule::GetKind(kind);
        RankProgram program;
        program.AddTask(Collective(operation, bytes));
        TrainingPlan plan = MakePlan(std::vector<RankProgram>(ranks, program));
        plan.protocols = MakeProtocols();
        const auto schedule = CollectiveSchedule::Create(operation, ranks, sent);
        std::vector<Transfer> sends;
        schedule->GetSends(0, 0, sends);
        const double expected =
            1e-6 * (1 + launch) + schedule->GetSeconds(sends.size() * HEADERS / rate, rate);
        const auto fabric = FabricHelper::Create("electrical");
        fabric->SetBandwidth(DataRate("8Gbps"));
        fabric->DisableFlowControl();
        NodeContainer nodes(ranks);
        TrainingHelper helper;
        helper.SetJobAttribute("CollectiveLatency", TimeValue(MicroSeconds(1)));
        helper.SetTransportAttribute("FrameSize", UintegerValue(0));
        const auto applications = helper.Install(plan, fabric->Install(nodes), nullptr);
        Simulator::Run();
        uint64_t all = 0;
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            const auto application = DynamicCast<TrainingApplication>(applications.Get(rank));
            const auto record = application->GetRecords().at(0);
            NS_TEST_EXPECT_MSG_EQ_TOL(record.end - record.begin,
                                      Seconds(expected),
                                      TimeStep(1),
                                      "rank " << rank);
            schedule->GetTotals(rank, sends);
            for (const auto& total : sends)
            {
                NS_TEST_EXPECT_MSG_EQ(plan.GetTraffic().Get(rank, total.peer),
                                      total.bytes,
                                      "bytes from " << rank << " to " << total.peer);
            }
            for (uint32_t step = 0; step < schedule->GetNSteps(); ++step)
            {
                schedule->GetSends(rank, step, sends);
                for (const auto& send : sends)
                {
                    all += send.bytes + HEADERS;
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(TrainingReport(TrainingHelper::GetJob(applications)).bytesSent,
                              all,
                              "bytes sent");
        FabricLimits limits = FabricDescription::Create(*fabric)->GetLimits(ranks);
        limits.collectiveLatency = 1e-6;
        NS_TEST_EXPECT_MSG_EQ_TOL(CostModel(limits).Price(plan).seconds,
                                  expected,
                                  1e-12,
                                  "the price");
        Simulator::Destroy();
    }

    /**
     * A plan with protocols takes the predicted time, which is longer than without, and not less
     * than the bound.
     *
     * @param name the fabric
     * @param planner the planner
     */
    void TestPlan(std::string name, std::string planner)
    {
        constexpr uint32_t gpus = 8;
        const auto fabric = FabricHelper::Create(name);
        fabric->SetBandwidth(DataRate("100Gbps"));
        fabric->DisableFlowControl();
        PlanningProblem problem =
            MakeStageProblem("gpt2-xl:layers=1,hidden=256,heads=8,feedForward=1024,vocabulary=1024",
                             gpus,
                             2 * gpus);
        problem.fabric = FabricDescription::Create(*fabric)->GetLimits(gpus);
        const double before = Planner::Create(planner)->Plan(problem).predictedSeconds;
        problem.protocols = CollectiveProtocols(
            {{"LL128", 128, 120, 20e-6, 2000000}, {"Simple", 1, 1, 50e-6, UINT64_MAX}});
        const TrainingPlan plan = Planner::Create(planner)->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ(plan.protocols.IsEmpty(), false, "the plan has the protocols");
        NS_TEST_EXPECT_MSG_GT(plan.predictedSeconds, before, "they take time");
        NS_TEST_EXPECT_MSG_LT(plan.lowerBoundSeconds, plan.predictedSeconds, "the bound");
        NodeContainer nodes(gpus);
        const NetDeviceContainer devices = fabric->Install(nodes);
        TrainingHelper helper;
        helper.SetJobAttribute("Iterations", UintegerValue(3));
        helper.SetTransportAttribute("FrameSize", UintegerValue(0));
        const bool hasCircuits = !problem.fabric.allocators.empty();
        const auto applications =
            helper.Install(plan,
                           devices,
                           hasCircuits ? fabric->CreateController(devices) : nullptr);
        Simulator::Run();
        const double simulated =
            TrainingReport(TrainingHelper::GetJob(applications)).GetSteadySeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, simulated, 0.01 * simulated, "prediction");
        const auto gains = PlanConstraint(problem).GetGains(plan);
        const auto delay = std::find_if(gains.begin(), gains.end(), [](const auto& gain) {
            return gain.name == "delay";
        });
        NS_TEST_EXPECT_MSG_LT(delay->seconds, plan.predictedSeconds - 20e-6, "without delays");
        NS_TEST_EXPECT_MSG_NE(GetError([&] { PlanFolder folder(plan); }).find("protocols"),
                              std::string::npos,
                              "protocols cannot be folded");
        Simulator::Destroy();
    }
};

/// Registers the test cases
static const SuiteCases g_collectiveProtocolCases(
    "lightpath-collective",
    {{MakeCase("Protocols by size", &CollectiveProtocolTests::TestTable)},
     MakeCases("A table of protocols is refused",
               &CollectiveProtocolTests::TestRefusal,
               {{"at least its data", 119, 120, 0, 10, UINT64_MAX},
                {"at least its data", 0, 0, 0, 10, UINT64_MAX},
                {"less than 4 GiB", uint64_t{1} << 32, 1, 0, 10, UINT64_MAX},
                {"less than no time", 2, 1, -1, 10, UINT64_MAX},
                {"sizes must ascend", 2, 1, 0, UINT64_MAX, UINT64_MAX},
                {"of any size", 2, 1, 0, 10, 20}}),
     MakeCases("An operation sends the bytes of its protocol",
               &CollectiveProtocolTests::TestTime,
               {{"all-reduce", 2000, 4000, 3},
                {"all-reduce", 48000, 51200, 5},
                {"all-reduce", 60000, 60000, 9},
                {"reduce-scatter", 2000, 4000, 3},
                {"all-gather", 48000, 51200, 5},
                {"all-to-all", 48000, 51200, 5},
                {"send-recv", 1000, 2000, 3}}),
     MakeCases("A plan with protocols takes the predicted time",
               &CollectiveProtocolTests::TestPlan,
               {{"electrical", "fixed"},
                {"sip-ocs", "fixed"},
                {"electrical", "sip-ml"},
                {"electrical", "search"}})});
