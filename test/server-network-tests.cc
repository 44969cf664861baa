/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/control/traffic-ledger.h"
#include "server-fixture.h"

#include "ns3/circuit-controller.h"
#include "ns3/collective-schedule.h"
#include "ns3/enum.h"
#include "ns3/optical-channel.h"
#include "ns3/training-report.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Time of a step of a ring inside a server at 2 bytes/ns, ns.
constexpr int64_t INSIDE_STEP = (N_SERVERS * MESSAGE_BYTES + HEADERS) / 2 + INSIDE_DELAY;

/**
 * @ingroup lightpath-tests
 * @param groups the number of groups, whose members are that far from each other
 * @param options how they sum
 * @return the part of such an all-reduce that is between servers
 */
TrainingPlan
MakeAcross(uint32_t groups, const CollectiveOptions& options)
{
    Task task = Collective(CollectiveKind::ALL_REDUCE, SUM_BYTES / N_SERVERS);
    task.options = options;
    RankProgram program;
    program.AddTask(task);
    TrainingPlan plan = MakePlan(std::vector<RankProgram>(groups * N_SERVERS, program));
    plan.groups[0] = RankGroups();
    for (uint32_t group = 0; group < groups; ++group)
    {
        std::vector<uint32_t> members;
        for (uint32_t member = 0; member < N_SERVERS; ++member)
        {
            members.push_back(group + member * groups);
        }
        plan.groups[0].Add(members);
    }
    return plan;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of jobs on servers: times and ways.
 */
class ServerNetworkTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// The darkness of a job is the mean over the rails, each of which is dark for 10 us at first.
    void TestDarkness()
    {
        auto fabric = MakeFabric("sip-ocs");
        fabric->SetChannelAttribute("InitialSwitching", BooleanValue(true));
        fabric->SetChannelAttribute("SwitchingDelay", TimeValue(MicroSeconds(10)));
        ServerHelper servers(std::move(fabric));
        servers.SetServers(8, DataRate("16Gbps"), NanoSeconds(INSIDE_DELAY));
        servers.SetAttach(AttachName::Find("rail"), 0);
        servers.SetBandwidth(DataRate("8Gbps"));
        ServerJob job(servers, MakeTwoLevels(CollectiveAlgorithm::RING));
        job.Run();
        NS_TEST_EXPECT_MSG_EQ(job.failure, "", "The job ends");
        NS_TEST_EXPECT_MSG_EQ_TOL(job.report->darkSeconds, 10e-6, 1e-12, "Mean of eight rails");
    }

    /// The layout of servers: places, ports and ways.
    void TestLayout()
    {
        const ServerLayout rails = ServerLayout::Create(Attach::RAIL, 8);
        NS_TEST_EXPECT_MSG_EQ(rails.GetNRails(), 8, "rails");
        NS_TEST_EXPECT_MSG_EQ(rails.GetNPorts(64), 8, "ports of a rail");
        const auto relayed = rails.GetWay(3, 13);
        NS_TEST_EXPECT_MSG_EQ(relayed.relay, 5, "the GPU of index 5 hands it over");
        NS_TEST_EXPECT_MSG_EQ(relayed.rail, 5, "on its rail");
        NS_TEST_EXPECT_MSG_EQ(relayed.to, 1, "to the second server");
        NS_TEST_EXPECT_MSG_EQ(rails.GetWay(3, 5).isInside, true, "one server");
        const ServerLayout shared = ServerLayout::Create(Attach::RAIL, 8, 4);
        NS_TEST_EXPECT_MSG_EQ(shared.GetNRails(), 4, "a rail for two GPUs");
        NS_TEST_EXPECT_MSG_EQ(shared.GetWay(2, 11).relay, 2, "on the same card");
        NS_TEST_EXPECT_MSG_EQ(shared.GetWay(0, 11).relay, 3, "the GPU of index 3 is on that card");
        const ServerLayout cards = ServerLayout::Create(Attach::CARDS, 8, 2);
        NS_TEST_EXPECT_MSG_EQ(cards.GetNPorts(24), 6, "two ports a server");
        NS_TEST_EXPECT_MSG_EQ(cards.GetWay(7, 9).from, 1, "the second card");
        NS_TEST_EXPECT_MSG_EQ(cards.GetWay(7, 9).to, 2, "the first card of the next server");
        TrafficMatrix places(64);
        places.Add(0, 1, 10);
        places.Add(0, 8, 20);
        places.Add(1, 8, 40);
        NS_TEST_EXPECT_MSG_EQ(rails.GetRailTraffic(places, 0).Get(0, 1), 60, "both on rail 0");
        NS_TEST_EXPECT_MSG_EQ(rails.GetRailTraffic(places, 1).GetTotal(), 0, "none on rail 1");
        NS_TEST_EXPECT_MSG_EQ(rails.GetInsideTraffic(places).Get(1, 0), 40, "to the relay");
        NS_TEST_EXPECT_MSG_EQ(rails.GetInsideTraffic(places).GetTotal(), 50, "inside");
        EXPECT_PART(GetError([]() { ServerLayout::Create(Attach::CARDS, 8, 3); }),
                    "must divide that of GPUs");
        EXPECT_PART(GetError([]() { ServerLayout::Create(Attach::GPU, 8, 4); }),
                    "attach them as rail or cards");
        EXPECT_PART(GetError([]() { AttachName::Find("nic"); }), "give one of gpu, rail");
    }

    /**
     * An all-reduce in two levels takes the steps inside, and the time of the part between servers,
     * which the same fabric without servers takes by itself.
     *
     * @param fabric the fabric
     * @param attach how GPUs are attached
     * @param lanes the lanes from a port to its neighbour; 0 if there are none
     */
    void TestSum(std::string fabric, std::string attach, uint32_t lanes)
    {
        const bool isAveraged = fabric == "optinc";
        const auto across =
            isAveraged ? CollectiveAlgorithm::IN_NETWORK : CollectiveAlgorithm::RING;
        const Time whole = RunServers(fabric, attach, 0, MakeTwoLevels(across)).end;
        const uint32_t groups = attach == "gpu" ? N_SERVERS : 1;
        const PlainRun part(fabric, groups * N_SERVERS, MakeAcross(groups, {1, across}));
        NS_TEST_EXPECT_MSG_EQ(whole.GetNanoSeconds(),
                              14 * INSIDE_STEP + part.end.GetNanoSeconds(),
                              "both parts");
        if (isAveraged || fabric == "oddl")
        {
            return;
        }
        // The part between servers is a ring of links of the same rate
        NS_TEST_ASSERT_MSG_EQ(part.lanes, lanes, "lanes to the neighbour");
        const double rate = part.laneRate * std::max(lanes, 1U) / 8;
        NS_TEST_EXPECT_MSG_EQ_TOL(part.end.GetNanoSeconds(),
                                  14 *
                                      (std::ceil((MESSAGE_BYTES + HEADERS) / rate) + OUTSIDE_DELAY),
                                  0.5,
                                  "the closed form");
    }

    /**
     * Where GPUs share cards, their messages go one after the other, and delays are hidden but for
     * the last one.
     *
     * @param fabric the fabric
     * @param attach how GPUs are attached
     * @param cards the cards of a server; 0 for one
     */
    void TestSharedSum(std::string fabric, std::string attach, uint32_t cards)
    {
        const ServerJob run =
            RunServers(fabric, attach, cards, MakeTwoLevels(CollectiveAlgorithm::RING));
        NS_TEST_EXPECT_MSG_EQ(run.end.GetNanoSeconds(),
                              14 * INSIDE_STEP + 14 * (MESSAGE_BYTES + HEADERS) + OUTSIDE_DELAY,
                              "the closed form");
        // Each GPU sends 14 messages inside, and 14 across
        const uint64_t inside = 64 * 14 * (N_SERVERS * MESSAGE_BYTES + HEADERS);
        NS_TEST_EXPECT_MSG_EQ(run.report->insideBytes, inside, "bytes inside");
        NS_TEST_EXPECT_MSG_EQ(run.report->bytesSent,
                              inside + 64 * 14 * (MESSAGE_BYTES + HEADERS),
                              "all bytes, those of shared cards once");
    }

    /**
     * An all-to-all in two steps: inside, each GPU has one message for each other one; then, one
     * for each other server.
     *
     * @param fabric the fabric
     */
    void TestExchange(std::string fabric)
    {
        constexpr uint64_t BLOCK = 10007;
        Task task = Collective(CollectiveKind::ALL_TO_ALL, 64 * BLOCK);
        task.options = {8,
                        CollectiveAlgorithm::TWO_LEVEL,
                        1,
                        CollectiveAlgorithm::DIRECT,
                        CollectiveAlgorithm::DIRECT};
        RankProgram program;
        program.AddTask(task);
        const ServerJob run =
            RunServers(fabric, "rail", 0, MakePlan(std::vector<RankProgram>(64, program)));
        // Shares of a link are rounded down to whole bit/s. Each of seven peers has one of eight
        // circuits, and some a second one
        const int64_t inside = 7 * (8 * BLOCK + HEADERS) / 2 + INSIDE_DELAY;
        const int64_t outside = (fabric == "electrical" ? 7 : 8) * (8 * BLOCK + HEADERS);
        NS_TEST_EXPECT_MSG_EQ_TOL(run.end.GetNanoSeconds(),
                                  inside + outside + OUTSIDE_DELAY,
                                  2,
                                  "both steps");
    }

    /**
     * The GPUs of a card have their averages made one after the other.
     */
    void TestSharedAverage()
    {
        const Time whole =
            RunServers("optinc", "server", 0, MakeTwoLevels(CollectiveAlgorithm::IN_NETWORK)).end;
        // The same averages on the network itself, as tasks of eight groups of all ranks
        RankProgram program;
        Task task = Collective(CollectiveKind::ALL_REDUCE, SUM_BYTES / N_SERVERS);
        task.options = {1, CollectiveAlgorithm::IN_NETWORK};
        for (uint32_t index = 0; index < N_SERVERS; ++index)
        {
            task.operation = index;
            program.AddTask(task);
        }
        const PlainRun part("optinc",
                            N_SERVERS,
                            MakePlan(std::vector<RankProgram>(N_SERVERS, program)),
                            N_SERVERS);
        NS_TEST_EXPECT_MSG_EQ(whole.GetNanoSeconds(),
                              14 * INSIDE_STEP + part.end.GetNanoSeconds(),
                              "both parts");
    }

    /// The switch of a server sums what its GPUs hand over: one message of each, and back.
    void TestSwitchSum()
    {
        Task task = Collective(CollectiveKind::ALL_REDUCE, SUM_BYTES);
        task.options = {N_SERVERS, CollectiveAlgorithm::IN_NETWORK};
        task.options.algorithm = CollectiveAlgorithm::AUTOMATIC;
        task.options.inside = CollectiveAlgorithm::IN_NETWORK;
        RankProgram program;
        program.AddTask(task);
        const TrainingPlan plan = MakePlan(std::vector<RankProgram>(N_SERVERS, program));
        const auto servers = MakeServers("electrical", "rail", 0);
        servers->SetReduces(true);
        ServerJob run(*servers, plan);
        run.Run();
        NS_TEST_EXPECT_MSG_EQ(run.failure, "", "no failure");
        NS_TEST_EXPECT_MSG_EQ(run.end.GetNanoSeconds(),
                              static_cast<int64_t>((SUM_BYTES + HEADERS) / 2 + INSIDE_DELAY),
                              "once through the link of each GPU");
        EXPECT_PART(RunServers("electrical", "rail", 0, plan).failure, "does not reduce");
    }

    /**
     * Bursts and frames take the same time, but for the headers of frames.
     *
     * @param fabric the fabric
     * @param attach how GPUs are attached
     */
    void TestFrames(std::string fabric, std::string attach)
    {
        const TrainingPlan plan = MakeTwoLevels(CollectiveAlgorithm::RING);
        const double bursts = RunServers(fabric, attach, 0, plan).end.GetSeconds();
        ServerJob frames(*MakeServers(fabric, attach, 0), plan, 9000);
        frames.Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(frames.end.GetSeconds(), bursts, 0.005 * bursts, "the same time");
        // Messages of all GPUs to all others, most of which cross rails if there are any
        Task task = Collective(CollectiveKind::ALL_TO_ALL, 16 * MESSAGE_BYTES);
        task.options = {1, CollectiveAlgorithm::DIRECT};
        RankProgram program;
        program.AddTask(task);
        const TrainingPlan all = MakePlan(std::vector<RankProgram>(16, program));
        const double whole = RunServers(fabric, attach, 0, all).end.GetSeconds();
        ServerJob cut(*MakeServers(fabric, attach, 0), all, 9000);
        cut.Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(cut.end.GetSeconds(), whole, 0.005 * whole, "all to all");
    }

    /**
     * A message to another rail goes over the scale-up network in parts, at the same time as over
     * the rail.
     *
     * @param parts the number of parts
     */
    void TestRelay(uint32_t parts)
    {
        // All parts but the last have one byte more than that
        constexpr uint64_t K = 20000;
        const uint64_t bytes = parts * K + parts - 1;
        const auto servers = MakeServers("electrical", "rail", 0);
        ServerJob run(*servers, MakeMessagePlan(16, {{0, 9, bytes}, {1, 8, bytes}}));
        run.helper.SetServerAttribute("RelayedParts", UintegerValue(parts));
        run.Run();
        // The rail is slower, so that it only waits for the first part
        const auto inside = static_cast<int64_t>(K + (parts > 1 ? 1 : 0) + HEADERS + 1) / 2;
        const auto outside = static_cast<int64_t>(bytes + parts * HEADERS);
        NS_TEST_EXPECT_MSG_EQ_TOL(run.end.GetNanoSeconds(),
                                  inside + INSIDE_DELAY + outside + OUTSIDE_DELAY,
                                  1,
                                  "the closed form");
        NS_TEST_EXPECT_MSG_EQ(run.report->insideBytes,
                              static_cast<uint64_t>(2 * outside),
                              "each byte once inside");
    }

    /// Messages that would cross rails are refused where that is not wanted.
    void TestRefusal()
    {
        const TrainingPlan plan = MakeMessagePlan(16, {{0, 9, 1000}});
        const auto servers = MakeServers("electrical", "rail", 0);
        servers->SetCrossRails(false);
        EXPECT_ABORT("GPU 0 on rail 0 has messages for GPU 9 of another server, on rail 1",
                     [&]() { ServerJob(*servers, plan).Run(); });
        // Messages that stay on a rail, or inside a server, are not refused
        ServerJob other(*servers, MakeMessagePlan(16, {{0, 8, 1000}, {0, 1, 1000}}));
        other.Run();
        NS_TEST_EXPECT_MSG_EQ(other.failure, "", "no crossing");
    }

    /**
     * What crosses rails is on the account of its rail until it is handed to it, and nothing is
     * left in the end.
     */
    void TestAccount()
    {
        const auto servers = MakeServers("sip-ocs", "rail", 0);
        auto& circuits = dynamic_cast<CircuitFabricHelper&>(servers->GetOutside());
        circuits.SetControllerAttribute("Trigger", EnumValue(CircuitController::PERIODIC));
        circuits.SetControllerAttribute("DemandSource", EnumValue(CircuitController::UNDERWAY));
        circuits.SetControllerAttribute("DecisionInterval", TimeValue(MicroSeconds(20)));
        circuits.SetChannelAttribute("SwitchingDelay", TimeValue(MicroSeconds(1)));
        Task task = Collective(CollectiveKind::ALL_TO_ALL, 16 * 100000);
        task.options = {1, CollectiveAlgorithm::DIRECT};
        RankProgram program;
        program.AddTask(task);
        ServerJob run(*servers, MakePlan(std::vector<RankProgram>(16, program)));
        std::vector<std::shared_ptr<TrafficLedger>> accounts;
        const auto read = [&accounts](uint32_t rail) {
            TrafficMatrix left(2);
            accounts.at(rail)->AddTo(left);
            return left.GetTotal();
        };
        std::vector<uint64_t> underway;
        Simulator::Schedule(MicroSeconds(500), [&]() {
            for (uint32_t rail = 0; rail < run.controllers.size(); ++rail)
            {
                accounts.push_back(run.controllers[rail]->GetLedger());
                underway.push_back(read(rail));
            }
        });
        run.Run();
        NS_TEST_EXPECT_MSG_EQ(run.failure, "", "no failure");
        NS_TEST_ASSERT_MSG_EQ(underway.size(), N_SERVERS, "an account for each rail");
        // Each rail has 7 messages of each GPU of other rails
        const uint64_t left = std::accumulate(underway.begin(), underway.end(), uint64_t{0});
        NS_TEST_EXPECT_MSG_GT(left, 0, "some are still inside");
        NS_TEST_EXPECT_MSG_LT(left, 8 * 2 * 7 * 100000, "some have left");
        for (uint32_t rail = 0; rail < N_SERVERS; ++rail)
        {
            NS_TEST_EXPECT_MSG_EQ(read(rail), 0, "nothing is left");
        }
    }

  private:
    /**
     * Carry out a job on servers.
     *
     * @param fabric the fabric between servers
     * @param attach how GPUs are attached
     * @param cards the cards of a server; 0 for the natural number
     * @param plan the plan
     * @return the job
     */
    static ServerJob RunServers(const std::string& fabric,
                                const std::string& attach,
                                uint32_t cards,
                                const TrainingPlan& plan)

    {
        ServerJob run(*MakeServers(fabric, attach, cards), plan);
        run.Run();
        return run;
    }

    void DoTeardown() override
    {
        Simulator::Destroy();
    }
};

/// Registers the test cases
static const SuiteCases g_serverNetworkCases(
    "lightpath-servers",
    {{MakeCase("Layout", &ServerNetworkTests::TestLayout),
      MakeCase("Averages of a shared card", &ServerNetworkTests::TestSharedAverage),
      MakeCase("Darkness of rails", &ServerNetworkTests::TestDarkness),
      MakeCase("A switch that sums", &ServerNetworkTests::TestSwitchSum),
      MakeCase("A relayed message in 64 parts", &ServerNetworkTests::TestRelay, 64),
      MakeCase("A relayed message in one part", &ServerNetworkTests::TestRelay, 1),
      MakeCase("Crossing rails is refused", &ServerNetworkTests::TestRefusal),
      MakeCase("Bytes under way across rails", &ServerNetworkTests::TestAccount)},
     MakeCases("All-reduce in two levels",
               &ServerNetworkTests::TestSum,
               {{"electrical", "gpu", 0},
                {"electrical", "rail", 0},
                {"sip-ocs", "gpu", 8},
                {"sip-ocs", "rail", 8},
                {"sip-ring", "gpu", 1},
                {"sip-ring", "rail", 9},
                {"oddl", "gpu", 0},
                {"oddl", "rail", 0},
                {"sip-ocs+electrical", "rail", 8},
                {"optinc", "rail", 0}}),
     MakeCases("All-to-all in two steps",
               &ServerNetworkTests::TestExchange,
               {{"electrical"}, {"sip-ocs"}}),
     MakeCases("All-reduce over shared cards",
               &ServerNetworkTests::TestSharedSum,
               {{"electrical", "server", 0},
                {"electrical", "cards", 4},
                {"sip-ocs", "server", 0},
                {"sip-ocs", "cards", 2}}),
     MakeCases("Bursts and frames",
               &ServerNetworkTests::TestFrames,
               {{"electrical", "rail"}, {"sip-ocs", "server"}, {"sip-ring", "gpu"}})});
