/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "planner-tests.h"

#include "ns3/iteration-estimator.h"

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

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Compares the estimate with schedules that were worked out by hand.
 */
class EstimatedMessagesTestCase : public TestCase
{
  public:
    EstimatedMessagesTestCase()
        : TestCase("Messages overlap with computation and share channels")
    {
    }

  private:
    void DoRun() override
    {
        // GPU 0: A 0-1, B 1-3, sends 4 bytes 1-5. GPU 1: they are there at 5.25, C ends at 6.25.
        const auto sender = std::make_shared<RankProgram>();
        sender->AddTask(MakeCompute(1));
        sender->AddTask(MakeMessage(TaskKind::SEND, 1, 0, 4));
        sender->AddTask(MakeCompute(2));
        sender->AddDependency(0, 1);
        sender->AddDependency(0, 2);
        const auto receiver = MakeChain({MakeMessage(TaskKind::RECEIVE, 0, 0, 4), MakeCompute(1)});
        Expect({sender, receiver}, 1, 6.25);
        // A computation that does not wait for the message fits in before it
        const auto busy = std::make_shared<RankProgram>();
        busy->AddTask(MakeMessage(TaskKind::RECEIVE, 0, 0, 4));
        busy->AddTask(MakeCompute(1));
        busy->AddTask(MakeCompute(5));
        busy->AddDependency(0, 1);
        Expect({sender, busy}, 1, 6.25);
        // One that takes longer holds the other one up
        const auto late = std::make_shared<RankProgram>();
        late->AddTask(MakeMessage(TaskKind::RECEIVE, 0, 0, 4));
        late->AddTask(MakeCompute(1));
        late->AddTask(MakeCompute(6));
        late->AddDependency(0, 1);
        Expect({sender, late}, 1, 7);

        // 4, 2 and 3 bytes for GPUs 1, 2 and 3
        const auto fan = MakeFan({4, 2, 3});
        // One channel: the last one is out at 9 s
        Expect(fan, 1, 9.25);
        // Two channels of half the rate: GPUs 1 and 3 share one of them
        Expect(fan, 2, 14.25);
        // Three channels of a third of the rate; more circuits than peers help nobody
        Expect(fan, 3, 12.25);
        Expect(fan, 20, 12.25);
    }

    /**
     * @param sizes sizes of messages
     * @return programs of which the first sends one message to each of the others
     */
    Programs MakeFan(const std::vector<uint64_t>& sizes)
    {
        Programs programs;
        const auto sender = std::make_shared<RankProgram>();
        for (uint32_t i = 0; i < sizes.size(); ++i)
        {
            sender->AddTask(MakeMessage(TaskKind::SEND, i + 1, i, sizes[i]));
        }
        programs.push_back(sender);
        for (uint32_t i = 0; i < sizes.size(); ++i)
        {
            programs.push_back(MakeChain({MakeMessage(TaskKind::RECEIVE, 0, i, sizes[i])}));
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
        NS_TEST_EXPECT_MSG_EQ_TOL(IterationEstimator(programs, 1, MakeSlowFabric(circuits)).Run(),
                                  seconds,
                                  1e-12,
                                  circuits << " circuits");
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Compares the estimate of programs with collectives with what was worked out by hand.
 */
class EstimatedCollectivesTestCase : public TestCase
{
  public:
    EstimatedCollectivesTestCase()
        : TestCase("Collectives wait for their members and for each other")
    {
    }

  private:
    void DoRun() override
    {
        // Two GPUs, ready at 1 and at 2; 8 bytes take 2 (0.25 + 4) s
        Programs programs{MakeChain({MakeCompute(1), MakeCollective(0, 0, 8), MakeCompute(1)}),
                          MakeChain({MakeCompute(2), MakeCollective(0, 0, 8)})};
        NS_TEST_EXPECT_MSG_EQ_TOL(IterationEstimator(programs, 1, MakeSlowFabric()).Run(),
                                  11.5,
                                  1e-12,
                                  "Within a replica");
        // Four replicas of one GPU: 8 bytes take 6 (0.25 + 2) s, during which it computes
        const auto program = std::make_shared<RankProgram>();
        program->AddTask(MakeCompute(1));
        program->AddTask(MakeCollective(1, 0, 8));
        program->AddTask(MakeCollective(1, 1, 4));
        program->AddTask(MakeCompute(15));
        program->AddDependency(0, 1);
        program->AddDependency(0, 2);
        program->AddDependency(0, 3);
        // The second one takes 6 (0.25 + 1) s and begins at 14.5
        NS_TEST_EXPECT_MSG_EQ_TOL(IterationEstimator({program}, 4, MakeSlowFabric()).Run(),
                                  22,
                                  1e-12,
                                  "Over the replicas");
        NS_TEST_EXPECT_MSG_EQ_TOL(IterationEstimator({program}, 1, MakeSlowFabric()).Run(),
                                  16,
                                  1e-12,
                                  "One replica has nothing to sum");
        // Both rings at once, of two GPUs each: on one channel one after the other, or on two
        // channels of half the rate: 2 (0.25 + 8) s
        const auto both = std::make_shared<RankProgram>();
        both->AddTask(MakeCollective(0, 0, 8));
        both->AddTask(MakeCollective(1, 0, 8));
        NS_TEST_EXPECT_MSG_EQ_TOL(IterationEstimator({both, both}, 2, MakeSlowFabric()).Run(),
                                  17,
                                  1e-12,
                                  "One channel");
        NS_TEST_EXPECT_MSG_EQ_TOL(IterationEstimator({both, both}, 2, MakeSlowFabric(2)).Run(),
                                  16.5,
                                  1e-12,
                                  "Two channels");
        // An all-to-all uses all channels: 0.25 + 2 (9 / 3) s
        const auto all = MakeChain({MakeCollective(0, 0, 9, CollectiveKind::ALL_TO_ALL)});
        for (const uint32_t circuits : {1, 2, 8})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(
                IterationEstimator({all, all, all}, 1, MakeSlowFabric(circuits)).Run(),
                6.25,
                1e-12,
                circuits << " circuits");
        }
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Looks at the order of computation, at programs that stand still, and at the limit.
 */
class EstimatedOrderTestCase : public TestCase
{
  public:
    EstimatedOrderTestCase()
        : TestCase("The ready task with the lowest index is computed first")
    {
    }

  private:
    void DoRun() override
    {
        // At 1 the second and the third task are ready: the second goes first, its message of 3
        // bytes leaves at 2 and is there at 5.25; the third one ends at 7
        const auto program = std::make_shared<RankProgram>();
        program->AddTask(MakeCompute(1));
        program->AddTask(MakeCompute(1));
        program->AddTask(MakeMessage(TaskKind::SEND, 1, 0, 3));
        program->AddTask(MakeCompute(5));
        program->AddDependency(0, 1);
        program->AddDependency(1, 2);
        const auto receive = MakeChain({MakeMessage(TaskKind::RECEIVE, 0, 0, 3), MakeCompute(4)});
        IterationEstimator estimator({program, receive}, 1, MakeSlowFabric());
        NS_TEST_EXPECT_MSG_EQ_TOL(estimator.Run(), 9.25, 1e-12, "Second before third");
        NS_TEST_EXPECT_MSG_EQ_TOL(estimator.Run(9.25), 9.25, 1e-12, "Not beyond the limit");
        const double bound = estimator.Run(8.5);
        NS_TEST_EXPECT_MSG_GT(bound, 8.5, "Beyond the limit");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(bound, 9.25, "No more than the exact time");

        const auto wait = [](uint32_t peer) {
            return MakeChain({MakeMessage(TaskKind::RECEIVE, peer, 0, 1),
                              MakeMessage(TaskKind::SEND, peer, 0, 1)});
        };
        const std::string circle = GetError([&]() {
            IterationEstimator({wait(1), wait(0)}, 1, MakeSlowFabric()).Run();
        });
        NS_TEST_EXPECT_MSG_EQ(Contains(circle, "standstill with 4 tasks"), true, circle);
        const std::string lost = GetError([&]() {
            IterationEstimator({program, MakeChain({})}, 1, MakeSlowFabric()).Run();
        });
        NS_TEST_EXPECT_MSG_EQ(Contains(lost, "does not receive operation 0"), true, lost);
    }
};

std::vector<TestCase*>
MakeIterationEstimatorTests()
{
    return {new EstimatedMessagesTestCase,
            new EstimatedCollectivesTestCase,
            new EstimatedOrderTestCase};
}
