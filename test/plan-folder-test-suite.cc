/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "expert-tests.h"
#include "fold-tests.h"
#include "method-case.h"
#include "model/planner/write/plan-builder.h"
#include "planner-tests.h"

#include "ns3/electrical-switch-helper.h"
#include "ns3/plan-folder.h"

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Tests of the folding of symmetric plans.
 */
class PlanFolderTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// The representatives of ranks, and the folding of buffers and servers.
    void TestFoldedGroups()
    {
        const auto program = MakeChain({MakeCollective(0, 0, 10), MakeCollective(1, 0, 10)});
        const PlanFolder flat(MakeStages({program}, 5, 3));
        const RankGroups& parts = flat.GetPlan().groups[0];
        const RankGroups& replicas = flat.GetPlan().groups[1];
        using Ranks = std::vector<uint32_t>;
        NS_TEST_EXPECT_MSG_EQ((flat.GetRanks() == Ranks{0, 1, 3, 4}), true, "Ranks");
        NS_TEST_EXPECT_MSG_EQ((parts.GetMembers(0) == Ranks{0, 1, 1}), true, "Parts of 0");
        NS_TEST_EXPECT_MSG_EQ((parts.GetMembers(3) == Ranks{2, 3, 2}), true, "Parts of 3");
        NS_TEST_EXPECT_MSG_EQ((replicas.GetMembers(1) == Ranks{1, 3, 3, 3, 3}), true, "Of 1");
        NS_TEST_EXPECT_MSG_EQ((replicas.GetMembers(2) == Ranks{0, 2, 0, 0, 0}), true, "Of 2");
        NS_TEST_EXPECT_MSG_EQ(replicas.GetPosition(2), 1, "Position");
        const auto& tasks = flat.GetPlan().programs[3]->GetTasks();
        NS_TEST_EXPECT_MSG_EQ(tasks[0].bytes, 12, "A multiple of 3");
        NS_TEST_EXPECT_MSG_EQ(tasks[1].bytes, 10, "A multiple of 5");
        NS_TEST_EXPECT_MSG_EQ(flat.GetPlan().programs[3]->GetNPredecessors()[1], 1, "The chain");
        flat.GetPlan().Check();

        // 3 servers of 2 replicas: place and server of the replica are folded apart
        const PlanFolder servers(MakeStages(MakeStagePrograms(2, 2), 6, 3), 6);
        const RankGroups& both = servers.GetPlan().groups[1];
        NS_TEST_EXPECT_MSG_EQ(servers.GetRanks().size(), 16, "2 x 2 x 2 x 2");
        NS_TEST_EXPECT_MSG_EQ(servers.GetServerGpus(), 4, "2 parts of 2 replicas");
        NS_TEST_EXPECT_MSG_EQ((both.GetMembers(0) == Ranks{0, 2, 4, 6, 4, 6}), true, "Of 0");
        NS_TEST_EXPECT_MSG_EQ((both.GetMembers(14) == Ranks{8, 10, 12, 14, 8, 10}), true, "Of 14");
        NS_TEST_EXPECT_MSG_EQ((servers.GetPlan().groups[2].GetMembers(14) == Ranks{6, 14}),
                              true,
                              "Stages of 14");
        CheckServers();
        CheckViews();
    }

    /// Plans whose ranks do not do the same are refused in one sentence.
    void TestFoldRefusal()
    {
        const auto program = MakeChain({MakeCompute(1)});
        TrainingPlan plan = MakeStages({program}, 3, 2);
        plan.strategy.dataParallel = 4;
        ExpectFoldRefusal(plan, "6 ranks, but 1 stages of 4 replicas of 2 parts");
        plan = MakeStages({program}, 3, 2);
        plan.programs[5] = MakeChain({MakeCompute(1)});
        ExpectFoldRefusal(plan, "Ranks 0 and 5 have different programs");
        plan = PlanFolder(MakeStages({program}, 3, 2)).GetPlan();
        ExpectFoldRefusal(plan, "folded already");
        plan = MakeStages({program}, 3, 2);
        plan.groups[0] = RankGroups();
        plan.groups[0].Add({0, 2});
        ExpectFoldRefusal(plan, "Rank 0 has a group of kind 0");
        plan = MakeStages({program}, 3, 2);
        plan.groups[1] = RankGroups();
        plan.groups[1].Add({2, 0, 4});
        ExpectFoldRefusal(plan, "Rank 0 has a group of kind 1");
        plan = MakeStages({program, program}, 2, 1);
        plan.groups[2] = RankGroups();
        plan.groups[2].Add({0, 2});
        plan.groups[2].Add({3, 1});
        ExpectFoldRefusal(plan, "Rank 1 has a group of kind 2");
        Task task = MakeCollective(1, 0, EVEN, CollectiveKind::ALL_TO_ALL);
        task.options.algorithm = CollectiveAlgorithm::BRUCK;
        ExpectFoldRefusal(task, "6 replicas is not carried out by an algorithm");
        task = MakeMessage(TaskKind::SEND, 1, 0, EVEN);
        ExpectFoldRefusal(task, "message between parts");
        task = MakeCollective(0, 0, EVEN);
        task.options.local = 2;
        ExpectFoldRefusal(task, "has 2 of 3 parts a server");
        task = MakeCollective(1, 0, EVEN);
        task.options = {2, CollectiveAlgorithm::TWO_LEVEL, 1, CollectiveAlgorithm::DOUBLE_TREE};
        ExpectFoldRefusal(task, "6 replicas is not carried out by an algorithm");
        task = MakeCollective(1, 0, EVEN);
        task.options.local = 4;
        ExpectFoldRefusal(task, "4 replicas a server, which do not divide the 6");
        task = MakeCollective(1, 0, EVEN, CollectiveKind::SEND_RECV);
        task.options.local = 2;
        ExpectFoldRefusal(task, "to the next one inside a server and in the next server");
        Task other = MakeCollective(1, 1, EVEN);
        other.options.local = 3;
        task.collective = CollectiveKind::ALL_REDUCE;
        ExpectFoldRefusal(MakeStages({MakeChain({task, other})}, 6, 1),
                          "3 replicas a server, but task");
        ExpectFoldRefusal(MakeStages({program}, 6, 3),
                          "Servers of 2 GPUs do not hold whole groups",
                          2);
        ExpectFoldRefusal(MakeStages({program}, 6, 3),
                          "Servers of 6 GPUs do not hold whole groups",
                          6);
        ExpectFoldRefusal(MakeStages({program}, 6, 3),
                          "Servers of 0 GPUs do not hold whole groups",
                          0);
    }

    /// Plans of planners are folded if all replicas do the same, and refused otherwise.
    void TestFoldStrategy()
    {
        for (uint32_t zero = 0; zero <= 3; ++zero)
        {
            Strategy strategy = MakeExpertStrategy(6, 1, 2);
            strategy.zeroStage = zero;
            strategy.bucketBytes = 20000;
            Compare(strategy);
            if (zero > 0)
            {
                strategy.shardGpus = 3;
                Compare(strategy, 8);
                strategy.dataParallel = 8;
                strategy.tensorParallel = 1;
                strategy.shardGpus = 4;
                Compare(strategy, 4);
            }
        }
        for (const auto algorithm :
             {CollectiveAlgorithm::DIRECT, CollectiveAlgorithm::HALVING_DOUBLING})
        {
            Strategy even = MakeExpertStrategy(8, 1);
            even.dataAlgorithm = algorithm;
            Compare(even, 2);
        }
        Compare(MakeExpertStrategy(6, 2));
        // All ranks that share out experts are kept
        Compare(MakeExpertStrategy(16, 4), 8);
        Compare(MakeExpertStrategy(16, 8), 16);
        Compare(MakeExpertStrategy(16, 4, 2), 16);
        Strategy strategy = MakeExpertStrategy(4, 1);
        strategy.contextParallel = 4;
        Compare(strategy);
        strategy.contextGather = true;
        strategy.expertParallel = 8;
        Compare(strategy, 16);
        for (const uint32_t experts : {2, 4, 8})
        {
            strategy = MakeExpertStrategy(4, experts, 4);
            strategy.wholeExperts = true;
            strategy.sequenceParallel = true;
            Compare(strategy, experts == 8 ? 16 : 8);
        }
        strategy = MakeExpertStrategy(8, 8);
        strategy.contextParallel = 3;
        Refuse(strategy, "groups of 3 and of 8 successive ranks");
        strategy = MakeExpertStrategy(6, 1);
        strategy.dataAlgorithm = CollectiveAlgorithm::MULTI_RING;
        strategy.dataRings = 1;
        Refuse(strategy, "6 replicas is not carried out by an algorithm");
        strategy.dataAlgorithm = CollectiveAlgorithm::DOUBLE_TREE;
        Refuse(strategy, "6 replicas is not carried out by an algorithm");
        strategy = MakeExpertStrategy(6, 1, 2);
        TrainingPlan plan = PlanBuilder(MakeExpertProblem(12, 12)).Build(strategy);
        plan.placement = Placement({1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
        ExpectFoldRefusal(plan.OnPorts(), "that does not suit a plan to be folded");
    }

  private:
    /**
     * Check groups that each rank sees in its own way.
     */
    void CheckViews()
    {
        RankGroups groups;
        groups.AddView(3, 1, {2, 3, 2});
        NS_TEST_EXPECT_MSG_EQ(groups.GetMembers(3).size(), 3, "Rank 3 has a view");
        NS_TEST_EXPECT_MSG_EQ(groups.GetMembers(2).size(), 0, "Rank 2 has none");
        for (const uint32_t position : {0, 3})
        {
            const std::string error = GetError([&]() { groups.AddView(2, position, {3, 2, 3}); });
            NS_TEST_EXPECT_MSG_EQ(Contains(error, "Rank 2 is not at position"), true, error);
        }
        const std::string error = GetError([&]() { groups.AddView(3, 0, {3}); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "Rank 3 is in a group"), true, error);
    }

    /**
     * Check the sizes of folded servers.
     */
    void CheckServers()
    {
        const auto count = [](uint32_t stages,
                              uint32_t replicas,
                              uint32_t parts,
                              uint32_t local,
                              uint32_t serverGpus) {
            const PlanFolder folder(MakeStages(MakeStagePrograms(stages, local), replicas, parts),
                                    serverGpus);
            return std::make_pair(folder.GetRanks().size(), folder.GetServerGpus());
        };
        using Counts = std::pair<std::size_t, uint32_t>;
        NS_TEST_EXPECT_MSG_EQ((count(8, 48, 8, 1, 8) == Counts(32, 2)), true, "A server a part");
        NS_TEST_EXPECT_MSG_EQ((count(1, 64, 1, 8, 8) == Counts(4, 2)), true, "Replicas only");
        NS_TEST_EXPECT_MSG_EQ((count(4, 2, 1, 1, 8) == Counts(8, 8)), true, "Nothing to fold");
        NS_TEST_EXPECT_MSG_EQ((count(4, 4, 2, 4, 16) == Counts(16, 8)), true, "Two stages");
        NS_TEST_EXPECT_MSG_EQ((count(3, 1, 1, 1, 2) == Counts(3, 2)), true, "Stages only");
        NS_TEST_EXPECT_MSG_EQ((count(1, 1, 4, 1, 8) == Counts(2, 2)), true, "Half a server");
        NS_TEST_EXPECT_MSG_EQ((count(1, 1, 1, 1, 1) == Counts(1, 1)), true, "One rank");
        NS_TEST_EXPECT_MSG_EQ((count(2, 3, 2, 1, 16) == Counts(8, 8)), true, "One server");
    }

    /**
     * @param plan an invalid plan
     * @param sentence a part of the expected sentence
     * @param serverGpus the ranks of a server
     */
    void ExpectFoldRefusal(const TrainingPlan& plan,
                           const std::string& sentence,
                           uint32_t serverGpus = 1)
    {
        const auto fold = [&]() { PlanFolder folder(plan, serverGpus); };
        NS_TEST_EXPECT_MSG_EQ(FindWrongError(fold, {sentence}), "", serverGpus << " GPUs");
    }

    /**
     * @param task the only task of all ranks
     * @param sentence a part of the expected sentence
     */
    void ExpectFoldRefusal(const Task& task, const std::string& sentence)
    {
        ExpectFoldRefusal(MakeStages({MakeChain({task})}, 6, 3), sentence);
    }

    /**
     * @param strategy a strategy
     * @return its plan
     */
    static TrainingPlan Build(const Strategy& strategy)
    {
        const auto gpus = static_cast<uint32_t>(strategy.GetGpus());
        return PlanBuilder(MakeExpertProblem(gpus, 2 * strategy.dataParallel)).Build(strategy);
    }

    /**
     * @param strategy a strategy whose plan cannot be folded
     * @param sentence a part of the expected sentence
     */
    void Refuse(const Strategy& strategy, const std::string& sentence)
    {
        ExpectFoldRefusal(Build(strategy), sentence);
    }

    /**
     * Check that a folded plan takes as long as the full one.
     *
     * @param strategy its strategy
     * @param nFolded the number of ranks of the folded plan
     */
    void Compare(const Strategy& strategy, std::size_t nFolded = 4)
    {
        const TrainingPlan plan = Build(strategy);
        const PlanFolder folder(plan);
        NS_TEST_EXPECT_MSG_EQ(folder.GetPlan().programs.size(), nFolded, strategy.GetName());
        ElectricalSwitchHelper fabric;
        fabric.SetBandwidth(DataRate("80Gbps"));
        fabric.DisableFlowControl();
        const auto all = CarryOut(plan, fabric, 2).front().back();
        const auto few = CarryOut(folder.GetPlan(), fabric, 2).front().back();
        const double seconds = (all.end - all.begin).GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL((few.end - few.begin).GetSeconds(),
                                  seconds,
                                  1e-3 * seconds,
                                  strategy.GetName());
    }
};

/// Registers the test cases
static const SuiteCases g_planFolderCases(
    "lightpath-fold",
    {{MakeCase("A folded plan keeps two of each coordinate and groups of full size",
               &PlanFolderTests::TestFoldedGroups),
      MakeCase("What cannot be folded is refused", &PlanFolderTests::TestFoldRefusal),
      MakeCase("Plans of all strategies are folded or refused",
               &PlanFolderTests::TestFoldStrategy)}});
