/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/write/replica-layout.h"
#include "planner-tests.h"

#include "ns3/planning-problem.h"

#include <algorithm>
#include <map>
#include <set>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The programs of a replica
using Programs = std::vector<std::shared_ptr<const RankProgram>>;

/**
 * @ingroup lightpath-tests
 * @param circuits the number of circuits
 * @return a fabric of 1 byte/s and 0.25 s of latency
 */
FabricLimits
MakeSlowFabric(uint32_t circuits = 1)
{
    FabricLimits fabric;
    fabric.bitRate = 8;
    fabric.latency = 0.25;
    fabric.circuits = circuits;
    return fabric;
}

/**
 * @ingroup lightpath-tests
 * @param programs the program of each GPU of a replica
 * @param replicas the number of replicas
 * @return the plan
 */
TrainingPlan
MakePlan(const Programs& programs, uint32_t replicas = 1)
{
    TrainingPlan plan;
    ReplicaLayout::Apply(programs, replicas, plan);
    return plan;
}

/**
 * @ingroup lightpath-tests
 * @brief Gives each GPU two lanes, which it shares out evenly to its peers.
 */
class TwoLaneAllocator : public CircuitAllocator
{
  public:
    /**
     * @param ports the number of GPUs
     */
    explicit TwoLaneAllocator(uint32_t ports)
        : m_ports(ports)
    {
    }

    uint32_t GetNPorts() const override
    {
        return m_ports;
    }

  private:
    CircuitAllocation DoAllocate(const TrafficMatrix& demand) const override
    {
        CircuitPlan plan;
        for (uint32_t source = 0; source < m_ports; ++source)
        {
            const auto& row = demand.GetRow(source);
            uint32_t lane = 0;
            while (lane < 2 && !row.empty())
            {
                for (auto peer = row.begin(); peer != row.end() && lane < 2; ++peer)
                {
                    plan.AddLane(source, peer->first, {source, lane++});
                }
            }
        }
        return Assess(plan, demand, 1);
    }

    uint32_t m_ports; //!< Number of GPUs
};

/**
 * @ingroup lightpath-tests
 * @brief Gives pairs of GPUs the lanes that it is told.
 */
class GivenAllocator : public CircuitAllocator
{
  public:
    /**
     * @param ports the number of GPUs
     * @param lanes the number of lanes by source and destination
     */
    GivenAllocator(uint32_t ports, std::map<PortPair, uint32_t> lanes)
        : m_ports(ports),
          m_lanes(std::move(lanes))
    {
    }

    uint32_t GetNPorts() const override
    {
        return m_ports;
    }

  private:
    CircuitAllocation DoAllocate(const TrafficMatrix& demand) const override
    {
        CircuitPlan plan;
        for (const auto& [pair, lanes] : m_lanes)
        {
            for (uint32_t lane = 0; lane < lanes; ++lane)
            {
                plan.AddLane(pair.first, pair.second, {pair.first, lane});
            }
        }
        return Assess(plan, demand, 1);
    }

    uint32_t m_ports;                     //!< Number of GPUs
    std::map<PortPair, uint32_t> m_lanes; //!< Lanes by source and destination
};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the prices of plans.
 */
class CostModelTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares the price of messages with schedules that were worked out by hand.
    void TestMessages()
    {
        const auto sender = std::make_shared<RankProgram>();
        sender->AddTask(MakeCompute(1));
        sender->AddTask(MakeMessage(TaskKind::SEND, 1, 0, 4));
        sender->AddTask(MakeCompute(2));
        sender->AddDependency(0, 1);
        sender->AddDependency(0, 2);
        const auto receiver = MakeChain({MakeMessage(TaskKind::RECEIVE, 0, 0, 4), MakeCompute(1)});
        // No rank waits for an answer: the lightpath takes longest
        Expect({sender, receiver}, 1, 4);
        // There and back: 1 + 4.25 + 2 + 4.25 + 1
        const auto ask = MakeChain({MakeCompute(1),
                                    MakeMessage(TaskKind::SEND, 1, 0, 4),
                                    MakeMessage(TaskKind::RECEIVE, 1, 0, 4),
                                    MakeCompute(1)});
        const auto answer = MakeChain({MakeMessage(TaskKind::RECEIVE, 0, 0, 4),
                                       MakeCompute(2),
                                       MakeMessage(TaskKind::SEND, 0, 0, 4)});
        Expect({ask, answer}, 1, 12.5);

        // 4, 2 and 3 bytes for GPUs 1, 2 and 3, which answer with 1 byte each, 1.25 s
        const auto fan = MakeFan({4, 2, 3});
        // One channel: the last one is out at 9 s
        Expect(fan, 1, 9.25 + 1.25);
        // Two channels of half the rate: GPUs 1 and 3 share one of them
        Expect(fan, 2, 14.25 + 1.25);
        // Three channels of a third of the rate; more circuits than peers help nobody
        Expect(fan, 3, 12.25 + 1.25);
        Expect(fan, 20, 12.25 + 1.25);

        // A switch gives each of the two messages half of what leads to GPU 2, and each has
        // headers of 34 bytes; the answers share what leads away from it
        FabricLimits shared = MakeSlowFabric();
        shared.isShared = true;
        const auto client = MakeChain(
            {MakeMessage(TaskKind::SEND, 2, 0, 66), MakeMessage(TaskKind::RECEIVE, 2, 0, 66)});
        const auto server = std::make_shared<RankProgram>();
        for (uint32_t peer = 0; peer < 2; ++peer)
        {
            server->AddTask(MakeMessage(TaskKind::RECEIVE, peer, 0, 66));
            server->AddTask(MakeMessage(TaskKind::SEND, peer, 0, 66));
            server->AddDependency(2 * peer, 2 * peer + 1);
        }
        const Programs clients{std::make_shared<RankProgram>(*client),
                               std::make_shared<RankProgram>(*client),
                               server};
        // Messages that are followed end at ticks
        for (const double ticks : {20, 0})
        {
            const CostModel model(shared);
            const TrainingPlan plan = MakePlan(clients);
            const PlanCost cost = ticks > 0 ? model.Price(plan) : model.Estimate(plan);
            NS_TEST_EXPECT_MSG_EQ_TOL(cost.seconds,
                                      2 * 200.25,
                                      1e-9 + ticks * TimeStep(1).GetSeconds(),
                                      "Max-min fair");
        }
    }

    /// Compares the price of collectives with results worked out by hand.
    void TestCollectives()
    {
        // Two GPUs, ready at 1 and at 2; 8 bytes take 2 (0.25 + 4) s; the second begins 1 s earlier
        ExpectCollectives(
            MakePlan({MakeChain({MakeCompute(1), MakeCollective(0, 0, 8), MakeCompute(1)}),
                      MakeChain({MakeCompute(2), MakeCollective(0, 0, 8)})}),
            1,
            10.5);
        // Two replicas of one GPU: 1 byte goes to and fro, 2 (0.25 + 1) s
        ExpectCollectives(MakePlan({MakeChain({MakeCollective(1, 0, 1)})}, 2), 1, 2.5);
        // Four replicas of one GPU: 8 bytes take 6 (0.25 + 2) s, during which it computes
        const auto program = std::make_shared<RankProgram>();
        program->AddTask(MakeCompute(1));
        program->AddTask(MakeCollective(1, 0, 8));
        program->AddTask(MakeCompute(15));
        program->AddDependency(0, 1);
        program->AddDependency(0, 2);
        ExpectCollectives(MakePlan({program}, 4), 1, 16);
        // With another one of 4 bytes, a step of each in turn takes 3 s
        program->AddTask(MakeCollective(1, 1, 4));
        program->AddDependency(0, 3);
        ExpectCollectives(MakePlan({program}, 4), 1, 1 + 6 * 3);
        ExpectCollectives(MakePlan({program}, 1), 1, 16);
        // Both rings at once, of two GPUs each: steps of 4 bytes in turn on one channel, or on two
        // channels of half the rate: 2 (0.25 + 8) s
        const auto both = std::make_shared<RankProgram>();
        both->AddTask(MakeCollective(0, 0, 8));
        both->AddTask(MakeCollective(1, 0, 8));
        ExpectCollectives(MakePlan({both, both}, 2), 1, 16);
        ExpectCollectives(MakePlan({both, both}, 2), 2, 16.5);
        // An all-to-all uses all channels: 0.25 + 2 (9 / 3) s
        const auto all = MakeChain({MakeCollective(0, 0, 9, CollectiveKind::ALL_TO_ALL)});
        for (const uint32_t circuits : {1, 2, 8})
        {
            ExpectCollectives(MakePlan({all, all, all}), circuits, 6.25);
        }
        // Launching takes 0.5 s
        m_launch = 0.5;
        ExpectCollectives(
            MakePlan({MakeChain({MakeCollective(0, 0, 8)}), MakeChain({MakeCollective(0, 0, 8)})}),
            1,
            9);
        CheckParts();
    }

    /// Compares the price of circuits that are decided on once and for each phase.
    void TestCircuits()
    {
        // Two steps of 66 bytes and a header of 34 in each ring
        Task sum = MakeCollective(1, 0, 132);
        sum.phase = 1;
        const auto program = MakeChain({MakeCompute(30), MakeCollective(0, 0, 132), sum});
        TrainingPlan plan = MakePlan({program, program}, 2);
        FabricLimits fabric;
        fabric.bitRate = 16;
        fabric.laneRate = 8;
        fabric.circuits = 2;
        fabric.allocators = {CreateObject<TwoLaneAllocator>(4)};
        PlanCost cost = CostModel(fabric).Price(plan);
        // Messages end at ticks, some of them one after the other
        const double ticks = 20 * TimeStep(1).GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(cost.seconds, 30 + 200 + 200, ticks, "A lane for each ring");
        NS_TEST_EXPECT_MSG_EQ_TOL(cost.groups[0].bitRate, 8, 1e-9, "A lane");
        plan.phaseCircuits = true;
        for (const double delay : {0, 7, 20, 50})
        {
            fabric.switchingSeconds = delay;
            cost = CostModel(fabric).Price(plan);
            NS_TEST_EXPECT_MSG_EQ_TOL(cost.seconds,
                                      std::max(30.0, delay) + 100 + delay + 100,
                                      ticks,
                                      "Dark before each ring, while it computes before the first");
            NS_TEST_EXPECT_MSG_EQ_TOL(cost.switchingSeconds, 2 * delay, 1e-9, "Twice");
            NS_TEST_EXPECT_MSG_EQ_TOL(cost.groups[1].bitRate, 16, 1e-9, "Two lanes");
        }
        // Circuits that stay the same are not switched
        plan = MakePlan({MakeChain({MakeCompute(30), MakeCollective(1, 1, 132), sum})}, 4);
        plan.phaseCircuits = true;
        cost = CostModel(fabric).Price(plan);
        NS_TEST_EXPECT_MSG_EQ_TOL(cost.seconds, 30 + 2 * 6 * (33 + 34) / 2, ticks, "One ring");
        NS_TEST_EXPECT_MSG_EQ(cost.switchingSeconds, 0, "No darkness");
        // Three peers for two lanes
        const auto all = MakeChain({MakeCollective(0, 0, 400, CollectiveKind::ALL_TO_ALL)});
        const std::string error = GetError([&]() {
            CostModel(fabric).Price(MakePlan({all, all, all, all}));
        });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "4 pairs would get none"), true, error);
    }

    /// Members of an all-to-all over lightpaths of different rates end apart.
    void TestUnevenCircuits()
    {
        const auto program = MakeChain({MakeCompute(10),
                                        MakeCollective(0, 0, 132, CollectiveKind::ALL_TO_ALL),
                                        MakeCompute(10),
                                        MakeCollective(0, 1, 132, CollectiveKind::ALL_TO_ALL)});
        FabricLimits fabric;
        fabric.bitRate = 16;
        fabric.laneRate = 8;
        fabric.circuits = 2;
        fabric.allocators = {
            CreateObject<GivenAllocator>(2,
                                         std::map<PortPair, uint32_t>{{{0, 1}, 1}, {{1, 0}, 2}})};
        const CostModel model(fabric);
        const TrainingPlan plan = MakePlan({program, std::make_shared<RankProgram>(*program)});
        // GPU 0 has its message of 100 bytes after 50 s, GPU 1 after 100 s, and while it computes
        // the next one is on its way: the slow lightpath is always busy
        NS_TEST_EXPECT_MSG_EQ_TOL(model.Price(plan).seconds,
                                  2 * 100,
                                  20 * TimeStep(1).GetSeconds(),
                                  "Followed");
        NS_TEST_EXPECT_MSG_EQ_TOL(model.Estimate(plan).seconds, 2 * (10 + 100), 1e-9, "Quick");
    }

    /// Messages without a lightpath share those of others, which store and forward their frames.
    void TestRelays()
    {
        const auto ask = MakeChain(
            {MakeMessage(TaskKind::SEND, 2, 0, 66), MakeMessage(TaskKind::RECEIVE, 2, 0, 66)});
        const auto answer = std::make_shared<RankProgram>();
        for (uint32_t peer = 0; peer < 2; ++peer)
        {
            answer->AddTask(MakeMessage(TaskKind::RECEIVE, peer, 0, 66));
            answer->AddTask(MakeMessage(TaskKind::SEND, peer, 0, 66));
            answer->AddDependency(2 * peer, 2 * peer + 1);
        }
        FabricLimits fabric = MakeSlowFabric();
        fabric.laneRate = 8;
        fabric.indirectBitRate = 8;
        fabric.relayFrameBytes = 10;
        fabric.allocators = {CreateObject<GivenAllocator>(
            3,
            std::map<PortPair, uint32_t>{{{0, 1}, 1}, {{1, 2}, 1}, {{2, 0}, 1}})};
        const auto estimate = [&fabric](const Programs& programs) {
            return CostModel(fabric).Estimate(MakePlan(programs)).seconds;
        };
        // A header of 34 bytes, a frame of 10 at the GPU between, and the way back on a lightpath
        const auto alone = MakeChain(
            {MakeMessage(TaskKind::RECEIVE, 0, 0, 66), MakeMessage(TaskKind::SEND, 0, 0, 66)});
        NS_TEST_EXPECT_MSG_EQ_TOL(estimate({ask, MakeChain({}), alone}),
                                  100 + 10 + 0.5 + 100 + 0.25,
                                  1e-9,
                                  "Over one GPU");
        // Both take the lightpath to GPU 2 for 200 s. Its answers share that to GPU 0: the first
        // one from 200.25 on, the second one from 210.5 on, until 390 and 400.25
        NS_TEST_EXPECT_MSG_EQ_TOL(estimate({std::make_shared<RankProgram>(*ask), ask, answer}),
                                  400.5,
                                  1e-9,
                                  "Two share two lightpaths");
        // Followed, a message goes in frames of 24, 24 and 18 bytes with headers of 38. GPU 1 sends
        // the first one on at 62.25 and the others at once behind it, and the answer takes 180
        fabric.relayFrameBytes = 48;
        const CostModel model(fabric);
        const double ticks = 20 * TimeStep(1).GetSeconds();
        const double there = 62.25 + 62 + 62 + 56 + 0.25;
        NS_TEST_EXPECT_MSG_EQ_TOL(model.Price(MakePlan({ask, MakeChain({}), alone})).seconds,
                                  there + 180.25,
                                  ticks,
                                  "Frame by frame");
        // First the message of GPU 1 goes to GPU 2, then the frames for the same GPU that came
        // meanwhile, until 360. The answer to GPU 0 ends at 540.5, and that to GPU 1 at 422.75. In
        // the next iteration GPU 1 has sent when the first frame comes, so that that of GPU 0 takes
        // as long as alone, until 963.25. In the last one GPU 1 sends again, from 900.75 until
        // 1080.75, and the first frame, which came at 1025.5, waits for that
        const double last = 1080.75 + 62 + 62 + 56 + 0.25 + 180.25;
        NS_TEST_EXPECT_MSG_EQ_TOL(
            model.Price(MakePlan({std::make_shared<RankProgram>(*ask), ask, answer})).seconds,
            (last - 540.5) / 2,
            ticks,
            "The second and the third iteration");
    }

    /// Small messages of a hybrid, and pairs without a lightpath, share another network.
    void TestHybrids()
    {
        FabricLimits fabric = MakeSlowFabric();
        fabric.laneRate = 8;
        FabricLimits beside = MakeSlowFabric();
        beside.bitRate = 80;
        beside.latency = 0.5;
        beside.isShared = true;
        fabric.beside.network = std::make_shared<const FabricLimits>(beside);
        fabric.indirectBitRate = beside.bitRate;
        fabric.beside.smallBytes = 66;
        fabric.allocators = {
            CreateObject<GivenAllocator>(3,
                                         std::map<PortPair, uint32_t>{{{0, 1}, 1}, {{1, 0}, 1}})};
        const double ticks = 20 * TimeStep(1).GetSeconds();
        const auto price = [&fabric](uint32_t peer, uint64_t bytes) {
            const auto ask = MakeChain({MakeMessage(TaskKind::SEND, peer, 0, bytes),
                                        MakeMessage(TaskKind::RECEIVE, peer, 0, bytes)});
            const auto answer = MakeChain({MakeMessage(TaskKind::RECEIVE, 0, 0, bytes),
                                           MakeMessage(TaskKind::SEND, 0, 0, bytes)});
            Programs programs(3, MakeChain({}));
            programs[0] = ask;
            programs[peer] = answer;
            return CostModel(fabric).Price(MakePlan(programs)).seconds;
        };
        // There and back, with headers of 34 bytes
        NS_TEST_EXPECT_MSG_EQ_TOL(price(1, 66), 2 * (10 + 0.5), ticks, "Small");
        NS_TEST_EXPECT_MSG_EQ_TOL(price(1, 166), 2 * (200 + 0.25), ticks, "On a lightpath");
        NS_TEST_EXPECT_MSG_EQ_TOL(price(2, 166), 2 * (20 + 0.5), ticks, "Without a lightpath");
    }

    /// Checks the order of computation, deadlocked programs, and the limit.
    void TestOrder()
    {
        // At 1 the second and the third task are ready: the second goes first, its message of 3
        // bytes leaves at 2 and is there at 5.25; the third one ends at 7. The answer of 1 byte
        // is there at 10.5.
        const auto program = std::make_shared<RankProgram>();
        program->AddTask(MakeCompute(1));
        program->AddTask(MakeCompute(1));
        program->AddTask(MakeMessage(TaskKind::SEND, 1, 0, 3));
        program->AddTask(MakeCompute(5));
        program->AddTask(MakeMessage(TaskKind::RECEIVE, 1, 0, 1));
        program->AddDependency(0, 1);
        program->AddDependency(1, 2);
        const auto receive = MakeChain({MakeMessage(TaskKind::RECEIVE, 0, 0, 3),
                                        MakeCompute(4),
                                        MakeMessage(TaskKind::SEND, 0, 0, 1)});
        const FabricLimits fabric = MakeSlowFabric();
        const CostModel model(fabric);
        const TrainingPlan plan = MakePlan({program, receive});
        NS_TEST_EXPECT_MSG_EQ_TOL(model.Price(plan).seconds, 10.5, 1e-9, "Second before third");
        NS_TEST_EXPECT_MSG_EQ_TOL(model.Price(plan, 10.5).seconds, 10.5, 1e-9, "Within the limit");
        for (const double limit : {0.0, 6.0, 8.5, 10.0})
        {
            const double seconds = model.Price(plan, limit).seconds;
            NS_TEST_EXPECT_MSG_GT(seconds, limit, "Beyond the limit");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(seconds, 10.5 + 1e-9, "No more than the exact time");
        }

        const auto wait = [](uint32_t peer) {
            return MakeChain({MakeMessage(TaskKind::RECEIVE, peer, 0, 1),
                              MakeMessage(TaskKind::SEND, peer, 0, 1)});
        };
        const std::string circle = GetError([&]() { model.Price(MakePlan({wait(1), wait(0)})); });
        NS_TEST_EXPECT_MSG_EQ(Contains(circle, "standstill with 4 tasks"), true, circle);
        const std::string lost = GetError([&]() {
            model.Price(MakePlan({wait(1), MakeChain({})}));
        });
        NS_TEST_EXPECT_MSG_EQ(Contains(lost, "standstill with 2 tasks"), true, lost);
        NS_TEST_EXPECT_MSG_EQ(model.Price(MakePlan({MakeChain({})}, 2)).seconds, 0, "No tasks");
    }

    /// Ranks that do the same, and send to or receive from one other rank, are told apart.
    void TestEqualRanks()
    {
        FabricLimits fabric;
        fabric.bitRate = 100e9;
        fabric.latency = 2e-6;
        fabric.isShared = true;
        const auto fan = [](TaskKind kind, const std::vector<uint32_t>& peers) {
            const auto program = std::make_shared<RankProgram>();
            for (const uint32_t peer : peers)
            {
                program->AddTask(MakeMessage(kind, peer, 0, 10000000));
            }
            return program;
        };
        const auto expect = [&](const Programs& programs, double seconds, const std::string& what) {
            NS_TEST_EXPECT_MSG_EQ_TOL(CostModel(fabric).Price(MakePlan(programs)).seconds,
                                      seconds,
                                      1e-7,
                                      what);
        };
        // 10 MB take 0.8 ms; the next iteration begins while the last bytes are on their way
        const auto one = fan(TaskKind::SEND, {2});
        const auto both = fan(TaskKind::RECEIVE, {0, 1});
        expect({one, one, both}, 1.6e-3, "Two equal senders to one receiver");
        const auto two = fan(TaskKind::SEND, {2, 3});
        expect({two, two, both, both}, 1.6e-3, "To two equal receivers");
        const auto all = fan(TaskKind::SEND, {5});
        expect({all, all, all, all, all, fan(TaskKind::RECEIVE, {0, 1, 2, 3, 4})},
               4e-3,
               "Five equal senders");
        const auto own = fan(TaskKind::RECEIVE, {0});
        expect({fan(TaskKind::SEND, {1, 2, 3}), own, own, own}, 2.4e-3, "Three equal receivers");
        const auto answer = [&](uint32_t peer) {
            return MakeChain({MakeMessage(TaskKind::SEND, peer, 0, 10000000),
                              MakeMessage(TaskKind::RECEIVE, peer, 0, 10000000)});
        };
        const auto server = std::make_shared<RankProgram>();
        for (const auto kind : {TaskKind::RECEIVE, TaskKind::SEND})
        {
            server->AddTask(MakeMessage(kind, 0, 0, 10000000));
            server->AddTask(MakeMessage(kind, 1, 0, 10000000));
        }
        server->AddDependency(0, 2);
        server->AddDependency(0, 3);
        server->AddDependency(1, 2);
        server->AddDependency(1, 3);
        expect({answer(2), answer(2), server}, 3.204e-3, "A server of parameters");
    }

    /// By a quick price, collectives of fewer bytes than ranks take as long as those of a byte for
    /// each rank.
    void TestFewBytes()
    {
        FabricLimits fabric;
        fabric.bitRate = 400e9;
        fabric.latency = 500e-9;
        fabric.isShared = true;
        const auto price = [&](uint32_t ranks,
                               uint64_t bytes,
                               CollectiveAlgorithm algorithm,
                               CollectiveKind kind) {
            Task task = MakeCollective(0, 0, bytes, kind);
            task.options.algorithm = algorithm;
            return CostModel(fabric).Estimate(MakePlan(Programs(ranks, MakeChain({task})))).seconds;
        };
        const double loss = price(8, 4, CollectiveAlgorithm::RING, CollectiveKind::ALL_REDUCE);
        NS_TEST_EXPECT_MSG_EQ_TOL(loss, 7.01e-6, 0.01e-6, "14 steps of 500 ns and their headers");
        for (const uint32_t ranks : {2, 3, 5, 8, 16})
        {
            for (const auto algorithm : {CollectiveAlgorithm::RING,
                                         CollectiveAlgorithm::DIRECT,
                                         CollectiveAlgorithm::HALVING_DOUBLING})
            {
                for (const auto kind : {CollectiveKind::ALL_REDUCE,
                                        CollectiveKind::REDUCE_SCATTER,
                                        CollectiveKind::ALL_GATHER})
                {
                    const double whole = price(ranks, ranks, algorithm, kind);
                    for (uint32_t bytes = 1; bytes < ranks; ++bytes)
                    {
                        NS_TEST_EXPECT_MSG_EQ_TOL(price(ranks, bytes, algorithm, kind),
                                                  whole,
                                                  1e-12,
                                                  bytes << " bytes of " << ranks << " ranks");
                    }
                }
            }
        }
    }

    /// What cannot be priced, but runs, has the reason for it; what waits in a circle is refused.
    void TestNoPrice()
    {
        const LinkLimits::Way way{{{0, 1.0}}, 0};
        PlanningProblem problem;
        problem.fabric.bitRate = 8;
        problem.fabric.isShared = true;
        problem.fabric.links.bitRates = {0};
        problem.fabric.links.getWay = [&way](uint32_t, uint32_t) -> const LinkLimits::Way& {
            return way;
        };
        problem.placement = "linear";
        const auto plan =
            Planner::Adopt(MakePlan({MakeChain({MakeMessage(TaskKind::SEND, 1, 0, 1)}),
                                     MakeChain({MakeMessage(TaskKind::RECEIVE, 0, 0, 1)})}),
                           problem);
        NS_TEST_EXPECT_MSG_EQ(Contains(plan.cost.refusal, "standstill with 1 tasks"),
                              true,
                              plan.cost.refusal);
        NS_TEST_EXPECT_MSG_EQ(plan.predictedSeconds, 0, "No price");
        // A computation is an event
        const auto sum = MakePlan({MakeChain({MakeCompute(1), MakeCollective(1, 0, 8)})}, 4);
        const FabricLimits slow = MakeSlowFabric();
        const CostModel model(slow);
        EXPECT_PART(GetError([&]() { model.Estimate(sum, 1e9, 0); }), "more than 0 events");
        NS_TEST_EXPECT_MSG_EQ(model.Estimate(sum, 1e9, 100).seconds,
                              model.Price(sum).seconds,
                              "Enough events");
        problem.fabric.links = LinkLimits();
        const auto wait = [](uint32_t peer) {
            Task receive = MakeMessage(TaskKind::RECEIVE, peer, 0, 1);
            receive.name = "from " + std::to_string(peer);
            return MakeChain({receive, MakeMessage(TaskKind::SEND, peer, 0, 1)});
        };
        const std::string circle = GetError([&]() {
            Planner::Adopt(MakePlan({wait(1), wait(0)}), problem);
        });
        NS_TEST_EXPECT_MSG_EQ(Contains(circle,
                                       "rank 0 waits in \"from 1\" for rank 1, rank 1 waits in "
                                       "\"from 0\" for rank 0"),
                              true,
                              circle);
        // Collectives in crossed order
        const auto sums = [](uint32_t first) {
            return MakeChain({MakeCollective(0, first, 8), MakeCollective(0, 1 - first, 8)});
        };
        const std::string crossed = GetError([&]() {
            Planner::Adopt(MakePlan({sums(0), sums(1)}), problem);
        });
        NS_TEST_EXPECT_MSG_EQ(Contains(crossed, "wait for each other in a circle: rank 0 waits"),
                              true,
                              crossed);
    }

  private:
    /**
     * @param sizes sizes of messages
     * @return programs of which the first sends one message to each of the others and waits for an
     *         answer
     */
    Programs MakeFan(const std::vector<uint64_t>& sizes)
    {
        Programs programs;
        const auto sender = std::make_shared<RankProgram>();
        for (uint32_t i = 0; i < sizes.size(); ++i)
        {
            sender->AddTask(MakeMessage(TaskKind::SEND, i + 1, i, sizes[i]));
            sender->AddTask(MakeMessage(TaskKind::RECEIVE, i + 1, i, 1));
        }
        programs.push_back(sender);
        for (uint32_t i = 0; i < sizes.size(); ++i)
        {
            programs.push_back(MakeChain({MakeMessage(TaskKind::RECEIVE, 0, i, sizes[i]),
                                          MakeMessage(TaskKind::SEND, 0, i, 1)}));
        }
        return programs;
    }

    /**
     * @param programs the programs of a replica
     * @param circuits the number of circuits
     * @param seconds the time that they take
     */
    void Expect(const Programs& programs, uint32_t circuits, double seconds)
    {
        const FabricLimits fabric = MakeSlowFabric(circuits);
        NS_TEST_EXPECT_MSG_EQ_TOL(CostModel(fabric).Price(MakePlan(programs)).seconds,
                                  seconds,
                                  1e-9,
                                  circuits << " circuits");
    }

    /**
     * @param plan a plan
     * @param circuits the number of circuits
     * @param seconds the time that it takes
     */
    void ExpectCollectives(const TrainingPlan& plan, uint32_t circuits, double seconds)
    {
        FabricLimits fabric = MakeSlowFabric(circuits);
        fabric.collectiveLatency = m_launch;
        NS_TEST_EXPECT_MSG_EQ_TOL(CostModel(fabric).Price(plan).seconds,
                                  seconds,
                                  1e-9,
                                  circuits << " circuits");
    }

    /**
     * Check the parts of a price.
     */
    void CheckParts()
    {
        const auto program = MakeChain({MakeCompute(3), MakeCollective(1, 0, 8), MakeCompute(1)});
        const PlanCost cost = CostModel(MakeSlowFabric()).Price(MakePlan({program}, 4));
        NS_TEST_EXPECT_MSG_EQ_TOL(cost.seconds, 17.5, 1e-9, "One after the other");
        NS_TEST_EXPECT_MSG_EQ_TOL(cost.computeSeconds, 4, 1e-9, "Computation");
        NS_TEST_EXPECT_MSG_EQ_TOL(cost.waitingSeconds, 13.5, 1e-9, "Communication");
        const auto other = MakeChain({MakeCompute(1), MakeCollective(1, 0, 8)});
        const PlanCost mean = CostModel(MakeSlowFabric()).Price(MakePlan({program, other}, 4));
        NS_TEST_EXPECT_MSG_EQ_TOL(mean.computeSeconds, 2.5, 1e-9, "Mean of 4 and 1 s");
        NS_TEST_EXPECT_MSG_EQ_TOL(mean.waitingSeconds, mean.seconds - 2.5, 1e-9, "The rest");
        NS_TEST_EXPECT_MSG_EQ(cost.switchingSeconds, 0, "Nothing is switched");
        NS_TEST_ASSERT_MSG_EQ(cost.groups.size(), 2, "Kinds of groups");
        NS_TEST_EXPECT_MSG_EQ(cost.groups[0].bytes, 0, "Nothing within a replica");
        NS_TEST_EXPECT_MSG_EQ(cost.groups[1].bytes, 12, "2 (n - 1) / n of 8 bytes");
        NS_TEST_EXPECT_MSG_EQ_TOL(cost.groups[1].seconds, 13.5, 1e-9, "Under way");
        NS_TEST_EXPECT_MSG_EQ_TOL(cost.groups[1].bitRate, 8, 1e-9, "The whole rate");
    }

    double m_launch{0}; //!< Time to launch a collective, seconds
};

/// Registers the test cases
static const SuiteCases g_costModelCases(
    "lightpath-planner",
    {{MakeCase("Messages overlap with computation and share links", &CostModelTests::TestMessages),
      MakeCase("Collectives wait for their members and share lightpaths",
               &CostModelTests::TestCollectives),
      MakeCase("Circuits have the lanes that are granted, and are dark while they are switched",
               &CostModelTests::TestCircuits),
      MakeCase("Members on different lightpaths end apart", &CostModelTests::TestUnevenCircuits),
      MakeCase("Relays share lightpaths", &CostModelTests::TestRelays),
      MakeCase("Messages beside the lightpaths of a hybrid", &CostModelTests::TestHybrids),
      MakeCase("The ready task with the lowest index is computed first",
               &CostModelTests::TestOrder),
      MakeCase("Equal ranks with a peer in common", &CostModelTests::TestEqualRanks),
      MakeCase("Fewer bytes than ranks", &CostModelTests::TestFewBytes),
      MakeCase("A plan without a price", &CostModelTests::TestNoPrice)}});
