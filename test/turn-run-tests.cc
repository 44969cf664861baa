/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/collective/turn-schedule.h"
#include "model/planner/place/turn-collectives.h"
#include "model/planner/price/cost-model.h"
#include "turning-run.h"

#include "ns3/fabric-description.h"
#include "ns3/random-variable-stream.h"
#include "ns3/server-helper.h"
#include "ns3/turn-clock.h"
#include "ns3/turn-methods.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Simulates collective operations over topologies that are turned while they go on, and
 * compares the times with those of TurnClock.
 */
class TurnRunTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares all methods, for 200 random problems.
    void TestRandom()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(44);
        for (uint32_t round = 0; round < 200; ++round)
        {
            const auto kind = KINDS[random->GetInteger(0, 3)];
            TurnProblem problem;
            problem.kind = TurnSchedule::GetTurnKind(kind);
            problem.ports = random->GetInteger(2, 17);
            problem.bytes = uint64_t{problem.ports} << random->GetInteger(0, 12);
            problem.planes = random->GetInteger(1, 5);
            problem.laneRate = 8000000000;
            problem.delay = NanoSeconds(1U << random->GetInteger(0, 15));
            problem.headers = TURN_HEADERS;
            problem.listsItems = true;
            TurnCarrier carrier;
            for (const auto& row : TurnMethods::GetRows())
            {
                if (const auto sequence = row.method->Solve(problem, carrier))
                {
                    NS_TEST_ASSERT_MSG_EQ(Run(kind, problem, *sequence),
                                          TurnClock::GetTime(problem, *sequence),
                                          row.name << " in round " << round);
                }
            }
        }
    }

    /// Compares 50 points of the map (lightpath-turns), for 16 to 64 ports.
    void TestMap()
    {
        uint32_t nWinners[2] = {0, 0};
        for (uint32_t point = 0; point < 50; ++point)
        {
            const auto kind = KINDS[point % 3 == 1 ? 2 : point % 3 == 2 ? 3 : 0];
            TurnProblem problem;
            problem.kind = TurnSchedule::GetTurnKind(kind);
            problem.ports = 16U << point % 5 / 2;
            problem.bytes = uint64_t{1024} << point * 7 % 21;
            problem.planes = 4;
            problem.laneRate = 100000000000;
            problem.delay = NanoSeconds(10);
            for (uint32_t decade = point % 8; decade > 0; --decade)
            {
                problem.delay = problem.delay * 10;
            }
            problem.latency = MicroSeconds(1);
            problem.headers = TURN_HEADERS;
            problem.listsItems = true;
            TurnCarrier carrier;
            const auto best = TurnMethods::Solve("best", problem, carrier);
            ++nWinners[best.sequence.phases.size() > 1];
            NS_TEST_ASSERT_MSG_EQ(Run(kind, problem, best.sequence),
                                  best.time,
                                  best.row->name << " at point " << point);
        }
        NS_TEST_EXPECT_MSG_GT(nWinners[0], 9, "Some never turn");
        NS_TEST_EXPECT_MSG_GT(nWinners[1], 9, "Others do");
    }

    /// Checks that each operation of a job gets the topologies of its own group and size.
    void TestJob()
    {
        constexpr uint32_t ranks = 8;
        const auto fabric = MakeTurningSwitches(2, NanoSeconds(500));
        const FabricLimits limits = FabricDescription::Create(*fabric)->GetLimits(ranks);
        RankProgram program;
        std::vector<uint32_t> after;
        Time expected;
        TurnCarrier carrier;
        for (const uint64_t bytes : {80U, 800000U})
        {
            for (const uint32_t group : {0U, 1U})
            {
                Task task = Collective(CollectiveKind::ALL_TO_ALL, bytes);
                task.group = group;
                task.operation = static_cast<uint32_t>(program.GetTasks().size());
                after = {program.AddTask(task, after)};
                const uint32_t n = group == 0 ? ranks : ranks / 2;
                const auto problem =
                    TurnCollectives::GetProblem(limits, task.collective, n, bytes, TURN_HEADERS);
                expected += TurnMethods::Solve("best", problem, carrier).time;
            }
        }
        auto plan = MakeGroupedPlan({{{0, 1, 2, 3, 4, 5, 6, 7}}, {{0, 2, 4, 6}, {1, 3, 5, 7}}},
                                    std::vector<RankProgram>(ranks, program));
        NS_TEST_EXPECT_MSG_EQ(TurnCollectives("best", TURN_HEADERS).Apply(limits, plan),
                              4,
                              "Each has its own");
        fabric->SetChannelAttribute("InitialSwitching", BooleanValue(false));
        const TurningRun run(*fabric, plan);
        NS_TEST_EXPECT_MSG_EQ(run.failure, "", "Ends");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(run.end, expected, "No faster than one by one");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(run.end,
                                    expected + 3 * NanoSeconds(500),
                                    "A turn more for each that follows another");
    }

    /**
     * Checks operations across servers of two GPUs on two rails: what goes on inside takes as long
     * as it does alone, the rest that of TurnClock. Prices are near.
     *
     * @param planes the number of planes
     * @param delay the time to turn, ns
     */
    void TestServers(uint32_t planes, uint32_t delay)
    {
        constexpr uint32_t ranks = 16;
        constexpr uint64_t bytes = 64000;
        std::vector<uint32_t> all(ranks);
        std::iota(all.begin(), all.end(), 0);
        std::vector<std::vector<uint32_t>> pairs;
        for (uint32_t rank = 0; rank < ranks; rank += 2)
        {
            pairs.push_back({rank, rank + 1});
        }
        auto rail = MakeTurningSwitches(planes, NanoSeconds(delay));
        rail->SetChannelAttribute("InitialSwitching", BooleanValue(false));
        ServerHelper servers(std::move(rail));
        servers.SetServers(2, DataRate("16Gbps"));
        servers.SetAttach(Attach::RAIL);
        servers.SetBandwidth(DataRate(uint64_t{8000000000} * planes));
        const FabricLimits limits = FabricDescription::Create(servers)->GetLimits(ranks);
        for (const auto kind : KINDS)
        {
            Task task = Collective(kind, bytes);
            RankProgram program;
            program.AddTask(task);
            const auto alone = MakeGroupedPlan({pairs}, std::vector<RankProgram>(ranks, program));
            auto plan = MakeGroupedPlan({{all}}, std::vector<RankProgram>(ranks, program));
            NS_TEST_ASSERT_MSG_EQ(TurnCollectives("best", TURN_HEADERS).Apply(limits, plan),
                                  1,
                                  "Across servers");
            const Task& turned = plan.programs.front()->GetTasks().front();
            const uint64_t part = kind == CollectiveKind::ALL_TO_ALL ? bytes : bytes / 2;
            const auto problem =
                TurnCollectives::GetProblem(limits, kind, ranks / 2, part, TURN_HEADERS);
            const TurningRun run(servers, plan);
            NS_TEST_ASSERT_MSG_EQ(run.failure, "", "Ends");
            NS_TEST_EXPECT_MSG_EQ(run.end,
                                  TurningRun(servers, alone).end +
                                      TurnClock::GetTime(problem, *turned.options.turns),
                                  "Inside and across, operation " << static_cast<int>(kind));
            NS_TEST_EXPECT_MSG_EQ_TOL(CostModel(limits).Price(plan).seconds,
                                      run.end.GetSeconds(),
                                      0.02 * run.end.GetSeconds(),
                                      "Price of operation " << static_cast<int>(kind));
        }
    }

    /**
     * Checks an all-to-all of five ranks of which one of two switches fails while the first two
     * messages are sent: what is left goes over the other one.
     */
    void TestFault()
    {
        constexpr uint32_t ranks = 5;
        constexpr uint64_t chunk = 10000;
        constexpr uint32_t delay = 700;
        const auto fabric = MakeTurningSwitches(2, NanoSeconds(delay));
        fabric->SetChannelAttribute("InitialSwitching", BooleanValue(false));
        const FabricLimits limits = FabricDescription::Create(*fabric)->GetLimits(ranks);
        RankProgram program;
        program.AddTask(Collective(CollectiveKind::ALL_TO_ALL, ranks * chunk));
        auto plan = MakeGroupedPlan({{{0, 1, 2, 3, 4}}}, std::vector<RankProgram>(ranks, program));
        TurnCollectives("every-step", TURN_HEADERS).Apply(limits, plan);
        const auto& turns = plan.programs.front()->GetTasks().front().options.turns;
        NS_TEST_ASSERT_MSG_EQ(turns->words, "each peer in turn", "Two at a time");
        const TurningRun whole(*fabric, plan);
        constexpr uint64_t message = chunk + TURN_HEADERS;
        NS_TEST_EXPECT_MSG_EQ(whole.end, NanoSeconds(2 * message + delay), "Without a failure");
        const TurningRun run(*fabric, plan, 1, true, [](Ptr<FabricChannel> channel) {
            Simulator::Schedule(NanoSeconds(chunk / 2),
                                [channel] { channel->SetFailed("switch:1", true); });
        });
        NS_TEST_EXPECT_MSG_EQ(run.failure, "", "The job goes on");
        NS_TEST_EXPECT_MSG_EQ(run.received, whole.received, "All arrives");
        // The first message goes on, then the rest of the second one, and two more
        const uint64_t rest = message - chunk / 2;
        NS_TEST_EXPECT_MSG_EQ(run.end, NanoSeconds(3 * message + rest + 3 * delay), "One by one");
    }

    /// Checks that 60 random jobs end, and all arrives, if some part of one of several switches
    /// fails while they go on, and is repaired or not.
    void TestFaults()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(48);
        const std::vector<std::string> methods{"", "static", "every-step", "shared", "planes"};
        for (uint32_t round = 0; round < 60; ++round)
        {
            const uint32_t ranks = random->GetInteger(3, 9);
            const uint32_t planes = random->GetInteger(2, 4);
            const auto fabric = MakeTurningSwitches(planes, NanoSeconds(1U << round % 15));
            const FabricLimits limits = FabricDescription::Create(*fabric)->GetLimits(ranks);
            auto plan =
                MakeGroupedPlan({{Count(ranks)}},
                                std::vector<RankProgram>(ranks, DrawProgram(ranks, 12, *random)));
            const std::string& method = methods[round % methods.size()];
            if (!method.empty())
            {
                TurnCollectives(method, TURN_HEADERS).Apply(limits, plan);
            }
            const TurningRun whole(*fabric, plan, 2);
            const std::string plane = std::to_string(random->GetInteger(0, planes - 1));
            const std::string port = std::to_string(random->GetInteger(0, ranks - 1));
            const std::string part = round % 3 == 0   ? "switch:" + plane
                                     : round % 3 == 1 ? "input:" + plane + ":" + port
                                                      : "output:" + plane + ":" + port;
            const TurningRun run(*fabric, plan, 2, true, [&](Ptr<FabricChannel> channel) {
                const auto last = static_cast<uint32_t>(whole.end.GetNanoSeconds());
                const uint32_t when = random->GetInteger(0, last);
                Simulator::Schedule(NanoSeconds(when),
                                    [channel, part] { channel->SetFailed(part, true); });
                if (round % 2 == 0)
                {
                    Simulator::Schedule(NanoSeconds(random->GetInteger(when, last)),
                                        [channel, part] { channel->SetFailed(part, false); });
                }
            });
            NS_TEST_ASSERT_MSG_EQ(run.failure,
                                  "",
                                  method << " in round " << round << " goes on without " << part);
            NS_TEST_ASSERT_MSG_EQ(run.received, whole.received, "All arrives");
            NS_TEST_ASSERT_MSG_EQ(run.nIterations, whole.nIterations, "All iterations end");
        }
    }

    /// Checks that prices of whole plans find better ways than those of single operations.
    void TestRefine()
    {
        constexpr uint32_t ranks = 8;
        uint32_t nBetter = 0;
        for (const uint32_t planes : {1U, 2U, 3U})
        {
            for (const uint32_t delay : {1000U, 4000U, 45000U, 64000U})
            {
                const auto fabric = MakeTurningSwitches(planes, NanoSeconds(delay));
                const FabricLimits limits = FabricDescription::Create(*fabric)->GetLimits(ranks);
                RankProgram program;
                std::vector<uint32_t> after;
                for (uint32_t operation = 0; operation < 6; ++operation)
                {
                    Task task = Collective(operation % 3 == 2 ? CollectiveKind::ALL_GATHER
                                                              : CollectiveKind::ALL_TO_ALL,
                                           32000);
                    task.operation = operation;
                    after = {program.AddTask(Compute(5e-6), after)};
                    after = {program.AddTask(task, after)};
                }
                auto plan = MakeGroupedPlan({{{0, 1, 2, 3, 4, 5, 6, 7}}},
                                            std::vector<RankProgram>(ranks, program));
                TurnCollectives turns("best", TURN_HEADERS);
                NS_TEST_ASSERT_MSG_EQ(turns.Apply(limits, plan), 2, "Both");
                // An iteration after the first one, in which circuits are set up
                const auto getTime = [&] {
                    return (TurningRun(*fabric, plan, 3).end - TurningRun(*fabric, plan, 2).end)
                        .GetSeconds();
                };
                const auto check = [&](double time) {
                    const double price = CostModel(limits).Price(plan).seconds;
                    NS_TEST_EXPECT_MSG_EQ_TOL(price,
                                              time,
                                              0.01 * time,
                                              "Price, planes " << planes << ", delay " << delay);
                };
                const double time = getTime();
                check(time);
                turns.Refine(limits, plan);
                const double end = getTime();
                check(end);
                NS_TEST_EXPECT_MSG_LT_OR_EQ(end, 1.01 * time, "No slower, delay " << delay);
                nBetter += end < 0.99 * time;
            }
        }
        NS_TEST_EXPECT_MSG_GT(nBetter, 0, "Some are faster");
    }

    /**
     * Checks that jobs with the best ways take no longer, in simulations, than those in which all
     * operations use one method or stay as they are, for 60 random jobs, and that prices are near.
     */
    void TestBest()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(47);
        uint32_t nBetter = 0;
        for (uint32_t round = 0; round < 60; ++round)
        {
            const uint32_t ranks = random->GetInteger(3, 12);
            const uint32_t delay = 1U << random->GetInteger(0, 17);
            const uint32_t planes = random->GetInteger(1, 4);
            const auto fabric = MakeTurningSwitches(planes, NanoSeconds(delay));
            const FabricLimits limits = FabricDescription::Create(*fabric)->GetLimits(ranks);
            const RankProgram program = DrawProgram(ranks, 10, *random);
            std::map<std::string, double> times;
            for (const std::string method : {"", "static", "every-step", "shared", "best"})
            {
                auto plan =
                    MakeGroupedPlan({{Count(ranks)}}, std::vector<RankProgram>(ranks, program));
                if (!method.empty())
                {
                    TurnCollectives turns(method, TURN_HEADERS);
                    turns.Apply(limits, plan);
                    turns.Refine(limits, plan);
                }
                const double time =
                    (TurningRun(*fabric, plan, 3).end - TurningRun(*fabric, plan, 2).end)
                        .GetSeconds();
                const double price = CostModel(limits).Price(plan).seconds;
                NS_TEST_EXPECT_MSG_EQ_TOL(price,
                                          time,
                                          0.01 * time,
                                          "Price of \"" << method << "\" in round " << round
                                                        << " ranks " << ranks << " planes "
                                                        << planes << " delay " << delay);
                times[method] = time;
            }
            double least = times.at("");
            for (const auto& [method, time] : times)
            {
                NS_TEST_EXPECT_MSG_LT_OR_EQ(times.at("best"),
                                            1.001 * time,
                                            "No slower than \"" << method << "\" in round "
                                                                << round);
                least = method == "best" ? least : std::min(least, time);
            }
            nBetter += times.at("best") < 0.99 * least;
        }
        NS_TEST_EXPECT_MSG_GT(nBetter, 0, "Some are faster than all of one mind");
    }

  private:
    /// The operations that have steps.
    static constexpr CollectiveKind KINDS[] = {CollectiveKind::ALL_REDUCE,
                                               CollectiveKind::REDUCE_SCATTER,
                                               CollectiveKind::ALL_GATHER,
                                               CollectiveKind::ALL_TO_ALL};

    /**
     * @param ranks a number of ranks
     * @return these ranks
     */
    static std::vector<uint32_t> Count(uint32_t ranks)
    {
        std::vector<uint32_t> all(ranks);
        std::iota(all.begin(), all.end(), 0);
        return all;
    }

    /**
     * @param ranks the number of ranks
     * @param most how often the least size of buffers is doubled at most
     * @param random draws
     * @return a program of four operations with computation before each
     */
    static RankProgram DrawProgram(uint32_t ranks, uint32_t most, UniformRandomVariable& random)
    {
        RankProgram program;
        std::vector<uint32_t> after;
        for (uint32_t operation = 0; operation < 4; ++operation)
        {
            const uint64_t bytes = uint64_t{ranks} * 16 << random.GetInteger(0, most);
            Task task = Collective(KINDS[random.GetInteger(0, 3)], bytes);
            task.operation = operation;
            after = {program.AddTask(Compute(random.GetInteger(1, 40) * 1e-6), after)};
            after = {program.AddTask(task, after)};
        }
        return program;
    }

    /**
     * @param kind the operation
     * @param problem the same, and the fabric
     * @param sequence the topologies
     * @return how long the operation takes in a simulation
     */
    static Time Run(CollectiveKind kind, const TurnProblem& problem, const TurnSequence& sequence)
    {
        Task task = Collective(kind, problem.bytes);
        task.options.turns = std::make_shared<const TurnSequence>(sequence);
        RankProgram program;
        program.AddTask(task);
        std::vector<uint32_t> all(problem.ports);
        std::iota(all.begin(), all.end(), 0);
        const auto plan =
            MakeGroupedPlan({{all}}, std::vector<RankProgram>(problem.ports, program));
        const auto fabric = MakeTurningSwitches(problem.planes, problem.delay);
        fabric->SetBandwidth(DataRate(problem.laneRate * problem.planes));
        fabric->SetWavelengthRate(DataRate(problem.laneRate));
        fabric->SetChannelAttribute("Delay", TimeValue(problem.latency));
        fabric->SetChannelAttribute("InitialSwitching", BooleanValue(false));
        const TurningRun run(*fabric, plan);
        return run.failure.empty() ? run.end : Time(0);
    }
};

/// Registers the test cases
static const SuiteCases g_turnRunCases(
    "lightpath-turn-runs",
    {{MakeCase("Turn runs: random problems", &TurnRunTests::TestRandom),
      MakeCase("Turn runs: points of the map", &TurnRunTests::TestMap),
      MakeCase("Turn runs: operations of a job", &TurnRunTests::TestJob),
      MakeCase("Turn runs: ways by the price of a job", &TurnRunTests::TestRefine),
      MakeCase("Turn runs: a switch fails", &TurnRunTests::TestFault),
      MakeCase("Turn runs: random failures", &TurnRunTests::TestFaults),
      MakeCase("Turn runs: jobs of one mind", &TurnRunTests::TestBest)},
     MakeCases("Turn runs: servers by planes and delay (ns)",
               &TurnRunTests::TestServers,
               {{1, 1}, {1, 500}, {1, 100000}, {2, 2000}, {3, 500}})});
