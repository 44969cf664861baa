/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/control/turns/circuit-turns.h"
#include "model/planner/price/cost-model.h"
#include "turning-run.h"

#include "ns3/circuit-switch-channel.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/photonic-rails-helper.h"
#include "ns3/random-variable-stream.h"
#include "ns3/server-helper.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of circuits that follow operations: photonic rails, and planes in turn.
 */
class CircuitTurnsTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Checks the order in which requests are served, by hand.
    void TestOrder()
    {
        CircuitTurns turns(4, 1);
        const uint64_t first = turns.Request({0, 1}, {});
        const uint64_t second = turns.Request({0, 2}, {});
        const uint64_t third = turns.Request({3, 2}, {});
        const uint64_t fourth = turns.Request({3, 1}, {});
        NS_TEST_EXPECT_MSG_EQ(turns.IsServed(first, 0), true, "The first of all");
        NS_TEST_EXPECT_MSG_EQ(turns.IsServed(second, 0), false, "Waits for port 0");
        NS_TEST_EXPECT_MSG_EQ(turns.IsServed(third, 0), false, "Behind the second at port 2");
        turns.Expect({3, 0}, {});
        NS_TEST_EXPECT_MSG_EQ(turns.GetCircuit(0, 3).has_value(), false, "Port 3 is asked for");
        turns.Expect({1, 3}, {});
        NS_TEST_EXPECT_MSG_EQ(turns.GetCircuit(0, 1)->destination, 3, "Both ends are idle");
        turns.End(first);
        NS_TEST_EXPECT_MSG_EQ(turns.IsServed(second, 0), true, "Now port 0 is free");
        NS_TEST_EXPECT_MSG_EQ(turns.IsServed(fourth, 0), false, "Behind the third at port 3");
        turns.End(second);
        NS_TEST_EXPECT_MSG_EQ(turns.IsServed(third, 0), true, "Now port 2 is free");
        turns.End(third);
        NS_TEST_EXPECT_MSG_EQ(turns.IsServed(fourth, 0), true, "At last");
        // Of the ports of circuits that have been replaced, none has two
        NS_TEST_EXPECT_MSG_EQ(turns.GetCircuit(0, 0)->destination, 2, "Stays until asked for");
        turns.SetCanJoin([](uint32_t source, uint32_t, uint32_t) { return source != 0; });
        NS_TEST_EXPECT_MSG_EQ(turns.GetCircuit(0, 0).has_value(), false, "Its port has failed");
        NS_TEST_EXPECT_MSG_EQ(turns.IsServed(fourth, 0), true, "Others stay");
    }

    /// Checks that planes are matchings at all times, and that each request is served in the end.
    void TestMatchings()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(7);
        for (uint32_t round = 0; round < 200; ++round)
        {
            const uint32_t ports = random->GetInteger(2, 6);
            const uint32_t planes = random->GetInteger(1, 4);
            CircuitTurns turns(ports, planes);
            std::set<uint64_t> open;
            for (uint32_t i = 0; i < 60 || !open.empty(); ++i)
            {
                if (i < 60)
                {
                    const uint32_t source = random->GetInteger(0, ports - 1);
                    const uint32_t other = random->GetInteger(1, ports - 1);
                    const uint32_t groups = random->GetInteger(1, planes);
                    open.insert(turns.Request({source, (source + other) % ports},
                                              {random->GetInteger(0, groups - 1), groups}));
                }
                // The oldest request has all its planes
                const auto planesOf = turns.GetPlanes(*open.begin());
                for (uint32_t plane = planesOf.first; plane < planes; plane += planesOf.groups)
                {
                    NS_TEST_ASSERT_MSG_EQ(turns.IsServed(*open.begin(), plane), true, "Oldest");
                }
                if (random->GetInteger(0, 2) > 0 || i >= 60)
                {
                    turns.End(*open.begin());
                    open.erase(open.begin());
                }
                for (uint32_t plane = 0; plane < planes; ++plane)
                {
                    std::set<uint32_t> destinations;
                    for (uint32_t source = 0; source < ports; ++source)
                    {
                        const auto& circuit = turns.GetCircuit(plane, source);
                        const bool isNew =
                            !circuit || destinations.insert(circuit->destination).second;
                        NS_TEST_ASSERT_MSG_EQ(isNew, true, "Each receives from one");
                    }
                }
            }
        }
    }

    /**
     * Checks operations that need as many configurations of one switch, in turn: an iteration takes
     * all of them, the computation before each, and max(0, delay - computation).
     *
     * @param configurations the number of configurations: 1, 2 or 3
     * @param delay the switching delay, us
     * @param gap the time of computation before each operation, us
     */
    void TestConfigurations(uint32_t configurations, uint32_t delay, uint32_t gap)
    {
        constexpr uint32_t iterations = 3;
        const std::vector<std::vector<std::vector<uint32_t>>> kinds{{{0, 1, 2, 3}},
                                                                    {{0, 2}, {1, 3}},
                                                                    {{0, 3}, {2, 1}}};
        RankProgram program;
        std::vector<uint32_t> after;
        Time operations;
        for (uint32_t kind = 0; kind < configurations; ++kind)
        {
            if (gap > 0)
            {
                after = {program.AddTask(Compute(gap * 1e-6), after)};
            }
            Task gather = Collective(CollectiveKind::ALL_GATHER, 4000);
            gather.group = kind;
            after = {program.AddTask(gather, after)};
            const auto members = static_cast<uint32_t>(kinds[kind].front().size());
            operations += (members - 1) * NanoSeconds(4000 / members + TURN_HEADERS);
        }
        const TurningRun run(*MakeTurningSwitches(1, MicroSeconds(delay)),
                             MakeGroupedPlan(kinds, std::vector<RankProgram>(4, program)),
                             iterations);
        const Time dark = MicroSeconds(delay > gap ? delay - gap : 0);
        const Time each = operations + configurations * MicroSeconds(gap);
        // A configuration that stays is set once
        const uint32_t nTurns = configurations > 1 ? iterations * configurations : 1;
        NS_TEST_EXPECT_MSG_EQ(run.failure, "", "Ends");
        NS_TEST_EXPECT_MSG_EQ(run.end, iterations * each + nTurns * dark, "All in turn");
    }

    /**
     * Checks an exchange of all pairs on two planes: if a plane turns no faster than all planes
     * send, they take turns, and a step takes as long as on one of them.
     *
     * @param ranks the number of ranks
     * @param delay the switching delay, ns
     * @param algorithm the algorithm
     */
    void TestPlanes(uint32_t ranks, uint32_t delay, const std::string& algorithm)
    {
        constexpr uint64_t bytes = 10000;
        Task exchange = Collective(CollectiveKind::ALL_TO_ALL, (bytes - TURN_HEADERS) * ranks);
        exchange.options.algorithm = CollectiveSchedule::GetAlgorithm(algorithm);
        RankProgram program;
        program.AddTask(exchange);
        std::vector<uint32_t> all(ranks);
        std::iota(all.begin(), all.end(), 0);
        const auto plan = MakeGroupedPlan({{all}}, std::vector<RankProgram>(ranks, program));
        const auto fabric = MakeTurningSwitches(2, NanoSeconds(delay));
        const TurningRun run(*fabric, plan);
        const int64_t steps = ranks - 1;
        const int64_t both = steps * (bytes / 2 + delay);
        // The first plane turns once before all steps; a plane has a step to turn in
        const int64_t apart = delay <= bytes ? steps * bytes + delay : INT64_MAX;
        NS_TEST_EXPECT_MSG_EQ(run.end, NanoSeconds(std::min(both, apart)), "Steps in turn");
        NS_TEST_EXPECT_MSG_EQ(run.received,
                              ranks * steps * (bytes - TURN_HEADERS),
                              "Nothing is lost");
        const double predicted =
            CostModel(FabricDescription::Create(*fabric)->GetLimits(ranks)).Price(plan).seconds;
        // The price is that of a further iteration, whose first circuits are set in time
        NS_TEST_EXPECT_MSG_EQ_TOL(predicted,
                                  run.end.GetSeconds(),
                                  delay * 1e-9 + 0.01 * run.end.GetSeconds(),
                                  "Predicted");
    }

    /// Checks the number of groups of planes.
    void TestGroups()
    {
        NS_TEST_EXPECT_MSG_EQ(CircuitTurns::ChooseGroups(2, 5, 1, 0.9), 1, "Faster together");
        NS_TEST_EXPECT_MSG_EQ(CircuitTurns::ChooseGroups(2, 5, 1, 1.5), 2, "Faster in turn");
        NS_TEST_EXPECT_MSG_EQ(CircuitTurns::ChooseGroups(2, 1, 1, 9), 1, "One step only");
        NS_TEST_EXPECT_MSG_EQ(CircuitTurns::ChooseGroups(6, 9, 1, 4), 2, "max(2, 3) < max(3, 2.3)");
        NS_TEST_EXPECT_MSG_EQ(CircuitTurns::ChooseGroups(6, 9, 1, 90), 6, "max(6, 16)");
    }

    /// Checks that rings on rails without a switching delay take the time of an electrical rail.
    void TestElectricalRail()
    {
        RankProgram program;
        std::vector<uint32_t> after;
        for (uint32_t operation = 0; operation < 4; ++operation)
        {
            Task task = Collective(operation < 2 ? CollectiveKind::ALL_GATHER
                                                 : CollectiveKind::REDUCE_SCATTER,
                                   64000);
            task.group = operation % 2;
            task.operation = operation;
            after = {program.AddTask(Compute(1e-6), after)};
            after = {program.AddTask(task, after)};
        }
        // Four servers of two GPUs; a group of all GPUs on a rail, and pairs of these
        const std::vector<std::vector<std::vector<uint32_t>>> kinds{
            {{0, 2, 4, 6}, {1, 3, 5, 7}},
            {{0, 4}, {2, 6}, {1, 5}, {3, 7}}};
        const auto plan = MakeGroupedPlan(kinds, std::vector<RankProgram>(8, program));
        const auto getEnd = [&plan](std::unique_ptr<InterconnectHelper> rail) {
            ServerHelper servers(std::move(rail));
            servers.SetServers(2, DataRate("800Gbps"));
            servers.SetAttach(Attach::RAIL);
            servers.SetBandwidth(DataRate("8Gbps"));
            return TurningRun(servers, plan, 2).end;
        };
        const Time optical = getEnd(MakeTurningSwitches(1, Time(0)));
        const Time electrical = getEnd(std::make_unique<ElectricalSwitchHelper>());
        const Time ring = 3 * NanoSeconds(16000 + TURN_HEADERS);
        const Time pair = NanoSeconds(32000 + TURN_HEADERS);
        NS_TEST_EXPECT_MSG_EQ(optical, 2 * (2 * (ring + pair) + MicroSeconds(4)), "Closed form");
        NS_TEST_EXPECT_MSG_EQ(optical, electrical, "As an electrical rail");
    }

    /// Checks random jobs: all bytes arrive, and all iterations end, whatever waits for what.
    void TestRandom()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(11);
        for (uint32_t round = 0; round < 200; ++round)
        {
            const uint32_t ranks = random->GetInteger(2, 6);
            const auto plan = MakeRandomPlan(ranks, random);
            const auto fabric = MakeTurningSwitches(random->GetInteger(1, 3),
                                                    NanoSeconds(random->GetInteger(0, 4000)));
            constexpr uint32_t iterations = 2;
            const TurningRun run(*fabric, plan, iterations);
            NS_TEST_ASSERT_MSG_EQ(run.failure, "", "Round " << round);
            NS_TEST_ASSERT_MSG_EQ(run.nIterations, iterations * ranks, "Round " << round);
            NS_TEST_ASSERT_MSG_EQ(run.sent, iterations * plan.GetTraffic().GetTotal(), "Sent");
            NS_TEST_ASSERT_MSG_EQ(run.received, run.sent, "Arrived in round " << round);
            // Messages that are computed in place of simulated make no difference
            const TurningRun other(*fabric, plan, iterations, false);
            NS_TEST_ASSERT_MSG_EQ(other.end, run.end, "Round " << round);
        }
    }

    /// Checks that lanes of overlapping reconfigurations are dark for the same time each.
    void TestLanes()
    {
        const auto channel = MakeSwitches(2);
        NodeContainer nodes(3);
        for (uint32_t i = 0; i < 3; ++i)
        {
            AddDevice(nodes.Get(i), channel);
        }
        channel->SetAttribute("PauseMode", StringValue("Lane"));
        channel->SetAttribute("SwitchingDelay", TimeValue(MicroSeconds(10)));
        CircuitPlan plan;
        plan.AddLane(0, 1, {0, 0});
        channel->Configure(plan);
        std::vector<uint64_t> lanes;
        const auto look = [&lanes, &channel] { lanes.push_back(channel->GetLive().GetNLanes()); };
        Simulator::Schedule(MicroSeconds(4), [&plan, &channel] {
            plan.AddLane(1, 2, {1, 0});
            channel->Configure(plan);
        });
        Simulator::Schedule(MicroSeconds(8), [&plan, &channel] {
            plan.AddLane(0, 2, {1, 0});
            plan.RemoveLane(1, 2, {1, 0});
            channel->Configure(plan);
        });
        for (const uint32_t us : {1, 5, 15, 17, 19})
        {
            Simulator::Schedule(MicroSeconds(us), look);
        }
        Simulator::Run();
        const Time dark = channel->GetDarkTime();
        Simulator::Destroy();
        const std::vector<uint64_t> expected{1, 1, 1, 1, 2};
        NS_TEST_EXPECT_MSG_EQ((lanes == expected), true, "Lanes with light");
        NS_TEST_EXPECT_MSG_EQ(dark, MicroSeconds(14), "From the first change to the last light");
    }

    /// Checks fabrics and transports that circuits cannot take turns on.
    void TestRefusals()
    {
        SipRingHelper ring;
        ring.SetControllerAttribute("Trigger", StringValue("Operation"));
        EXPECT_PART(ring.CheckController(4), "Circuits follow operations (Trigger Operation) on");
        SipOcsHelper duplex;
        duplex.SetDuplex(true);
        duplex.SetControllerAttribute("Trigger", StringValue("Operation"));
        EXPECT_PART(duplex.CheckController(4), "choose another trigger for this fabric");
        NS_TEST_EXPECT_MSG_EQ(PhotonicRailsHelper().CheckController(4), "", "As it is meant");
    }

  private:
    /**
     * @param ranks the number of ranks
     * @param random draws
     * @return a plan of messages and collectives of any kind, in groups of any size
     */
    static TrainingPlan MakeRandomPlan(uint32_t ranks, Ptr<UniformRandomVariable> random)
    {
        const std::vector<std::pair<CollectiveKind, const char*>> collectives{
            {CollectiveKind::ALL_REDUCE, "ring"},
            {CollectiveKind::ALL_REDUCE, "halving-doubling"},
            {CollectiveKind::ALL_REDUCE, "double-tree"},
            {CollectiveKind::ALL_REDUCE, "direct"},
            {CollectiveKind::ALL_GATHER, "ring"},
            {CollectiveKind::ALL_TO_ALL, "direct"},
            {CollectiveKind::ALL_TO_ALL, "pairwise"},
            {CollectiveKind::SEND_RECV, "automatic"}};
        constexpr uint32_t nKinds = 3;
        std::vector<std::vector<std::vector<uint32_t>>> kinds;
        for (uint32_t kind = 0; kind < nKinds; ++kind)
        {
            std::vector<uint32_t> order(ranks);
            std::iota(order.begin(), order.end(), 0);
            for (uint32_t i = ranks - 1; i > 0; --i)
            {
                std::swap(order[i], order[random->GetInteger(0, i)]);
            }
            // Messages are in a group of all ranks
            const uint32_t cut = kind == 0 ? ranks : random->GetInteger(1, ranks);
            kinds.emplace_back();
            kinds.back().emplace_back(order.begin(), order.begin() + cut);
            if (cut < ranks)
            {
                kinds.back().emplace_back(order.begin() + cut, order.end());
            }
        }
        std::vector<RankProgram> programs(ranks);
        const auto add = [&](uint32_t rank, const Task& task) {
            std::vector<uint32_t> after;
            const auto n = static_cast<uint32_t>(programs[rank].GetTasks().size());
            if (n > 0 && random->GetInteger(0, 3) > 0)
            {
                after = {random->GetInteger(n > 2 ? n - 3 : 0, n - 1)};
            }
            programs[rank].AddTask(task, after);
        };
        const uint32_t steps = random->GetInteger(3, 12);
        for (uint32_t operation = 0; operation < steps; ++operation)
        {
            add(random->GetInteger(0, ranks - 1), Compute(random->GetInteger(0, 5000) * 1e-9));
            const uint64_t bytes = random->GetInteger(1, 9000);
            if (random->GetInteger(0, 1) == 0)
            {
                const auto& members = kinds[0].front();
                const uint32_t from = random->GetInteger(0, ranks - 1);
                const uint32_t to = (from + random->GetInteger(1, ranks - 1)) % ranks;
                add(members[from], Message(TaskKind::SEND, to, operation, bytes));
                add(members[to], Message(TaskKind::RECEIVE, from, operation, bytes));
                continue;
            }
            const uint32_t kind = random->GetInteger(0, nKinds - 1);
            const auto& [what, algorithm] =
                collectives[random->GetInteger(0, static_cast<uint32_t>(collectives.size()) - 1)];
            for (const auto& group : kinds[kind])
            {
                Task task = Collective(what, bytes);
                task.group = kind;
                task.operation = operation;
                task.options.algorithm = CollectiveSchedule::GetAlgorithm(algorithm);
                for (const uint32_t rank : group)
                {
                    add(rank, task);
                }
            }
        }
        return MakeGroupedPlan(kinds, programs);
    }
};

/// Registers the test cases
static const SuiteCases g_circuitTurnsCases(
    "lightpath-turns",
    {{MakeCase("Turns: order of requests", &CircuitTurnsTests::TestOrder),
      MakeCase("Turns: matchings", &CircuitTurnsTests::TestMatchings),
      MakeCase("Turns: groups of planes", &CircuitTurnsTests::TestGroups),
      MakeCase("Turns: lanes of overlapping reconfigurations", &CircuitTurnsTests::TestLanes),
      MakeCase("Turns: electrical rail", &CircuitTurnsTests::TestElectricalRail),
      MakeCase("Turns: random jobs", &CircuitTurnsTests::TestRandom),
      MakeCase("Turns: refusals", &CircuitTurnsTests::TestRefusals)},
     MakeCases("Turns: configurations, delay and gap (us)",
               &CircuitTurnsTests::TestConfigurations,
               {{1, 10, 3},
                {2, 0, 3},
                {2, 10, 3},
                {2, 10, 10},
                {2, 10, 20},
                {2, 7, 0},
                {3, 10, 3},
                {3, 10, 30},
                {3, 1, 0}}),
     MakeCases("Turns: two planes, delay (ns)",
               &CircuitTurnsTests::TestPlanes,
               {{4, 0, "pairwise"},
                {4, 4000, "pairwise"},
                {4, 6000, "pairwise"},
                {4, 10000, "pairwise"},
                {8, 10000, "pairwise"},
                {5, 6000, "direct"},
                {5, 3000, "direct"}})});
