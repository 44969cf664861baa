/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "planner-tests.h"

#include "ns3/training-plan.h"

#include <functional>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of programs, groups and plans.
 */
class TrainingPlanTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Builds programs and groups, and tries what they refuse.
    void TestRankProgram()
    {
        RankProgram program;
        program.AddTask(MakeCompute(2));
        program.AddTask(MakeMessage(TaskKind::SEND, 1, 0, 9));
        program.AddTask(MakeCompute(3));
        program.AddDependency(0, 1);
        program.AddDependency(0, 2);
        program.AddDependency(0, 2);
        NS_TEST_EXPECT_MSG_EQ(program.GetSuccessors(0).size(), 2, "Stated twice, held once");
        NS_TEST_EXPECT_MSG_EQ(program.GetNPredecessors()[2], 1, "Stated twice, counted once");
        NS_TEST_EXPECT_MSG_EQ(program.GetComputeSeconds(), 5, "Compute tasks only");
        for (const auto& pair : {std::make_pair(1, 1), std::make_pair(2, 1), std::make_pair(1, 3)})
        {
            const std::string error =
                GetError([&]() { program.AddDependency(pair.first, pair.second); });
            NS_TEST_EXPECT_MSG_EQ(Contains(error, "lower index"), true, error);
        }

        RankGroups groups;
        groups.Add({4, 2});
        groups.Add({0});
        NS_TEST_EXPECT_MSG_EQ(groups.GetMembers(2).size(), 2, "Group of rank 2");
        NS_TEST_EXPECT_MSG_EQ(groups.GetMembers(2)[0], 4, "Order is kept");
        NS_TEST_EXPECT_MSG_EQ(groups.GetPosition(2), 1, "Position of rank 2");
        NS_TEST_EXPECT_MSG_EQ(groups.GetPosition(0), 0, "Position of rank 0");
        NS_TEST_EXPECT_MSG_EQ(groups.GetMembers(3).size(), 0, "Rank 3 has no group");
        NS_TEST_EXPECT_MSG_EQ(groups.GetMembers(99).size(), 0, "Rank 99 has no group");
        NS_TEST_EXPECT_MSG_EQ(Contains(GetError([&]() {
                                           groups.Add({1, 4});
                                       }),
                                       "Rank 4"),
                              true,
                              "Rank 4 has a group");
        NS_TEST_EXPECT_MSG_EQ(groups.GetMembers(1).size(), 0, "Refused as a whole");
        NS_TEST_EXPECT_MSG_EQ(Contains(GetError([&]() {
                                           groups.Add({5, 5});
                                       }),
                                       "Rank 5"),
                              true,
                              "Rank 5 twice");
        NS_TEST_EXPECT_MSG_EQ(Contains(GetError([&]() { groups.Add({}); }), "1 rank"),
                              true,
                              "Nobody");
    }

    /// Breaks a good plan in all ways that TrainingPlan::Check() knows.
    void TestPlanCheck()
    {
        // Rank 0 sends to rank 2, which sends back; ranks 0 and 1 form a group of their own
        m_good = {{MakeMessage(TaskKind::SEND, 2, 7, 100),
                   MakeMessage(TaskKind::RECEIVE, 2, 7, 50),
                   MakeCollective(0, 3, 60),
                   MakeCollective(1, 3, 40)},
                  {MakeCollective(0, 3, 60), MakeCollective(1, 3, 40)},
                  {MakeMessage(TaskKind::RECEIVE, 0, 7, 100),
                   MakeMessage(TaskKind::SEND, 0, 7, 50),
                   MakeCollective(0, 3, 60)}};
        Try([](Tasks&) {}, {});
        Try([](Tasks& t) { t[2][0].bytes = 99; }, {"Rank 0", "operation 7", "100", "99"});
        Try([](Tasks& t) { t[2].erase(t[2].begin()); }, {"rank 2", "does not receive"});
        Try([](Tasks& t) { t[2].erase(t[2].begin() + 1); }, {"Rank 0", "does not send"});
        Try([](Tasks& t) { t[0][0].operation = 8; }, {"does not"});
        Try([](Tasks& t) { t[0][0].peer = 1; }, {"does not"});
        Try([](Tasks& t) { t[0][0].peer = 3; }, {"position 3", "3 members"});
        Try([](Tasks& t) { t[0][0].peer = 0; }, {"itself"});
        Try([](Tasks& t) { t[0][0].group = 2; }, {"kind 2", "2 kinds"});
        Try([](Tasks& t) { t[2][2].group = 1; }, {"kind 1", "in none"});
        Try([](Tasks& t) { t[0].push_back(t[0][0]); }, {"Rank 0", "twice", "one message"});
        Try([](Tasks& t) { t[2].push_back(t[2][0]); }, {"Rank 2", "twice", "one message"});
        Try([](Tasks& t) { t[1].pop_back(); }, {"kind 1", "rank 1", "no part"});
        Try([](Tasks& t) { t[1].erase(t[1].begin()); }, {"kind 0", "rank 1", "no part"});
        Try([](Tasks& t) { t[1][0].bytes = 61; }, {"Rank 1", "61", "60"});
        Try([](Tasks& t) { t[1][0].collective = CollectiveKind::ALL_GATHER; }, {"Rank 1", "kind"});
        Try([](Tasks& t) { t[1].push_back(t[1][0]); }, {"Rank 1", "twice", "one collective"});
        Try([](Tasks& t) { t[0][3].options.local = t[1][1].options.local = 2; }, {});
        Try([](Tasks& t) { t[1][0].options.local = 3; }, {"Rank 1", "3 a server", "1 a server"});
        Try([](Tasks& t) { t[0][2].options.local = 2; },
            {"rank 0", "2 members", "3 members", "divide"});
        Try([](Tasks& t) { t[0][2].options.local = 0; }, {"rank 0", "0 members", "divide"});

        TrainingPlan plan;
        plan.programs.resize(1);
        NS_TEST_EXPECT_MSG_EQ(Contains(GetError([&]() { plan.Check(); }), "no program"),
                              true,
                              "A rank without a program");
    }

    /// Compares the traffic of random plans with a walk over all steps of all schedules.
    void TestPlanTraffic()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        for (uint32_t round = 0; round < 20; ++round)
        {
            // Two groups of three ranks, three groups of two, and one of all, on servers of as many
            // ranks as divide it; programs are shared
            TrainingPlan plan;
            plan.groups.resize(3);
            plan.groups[2].Add({3, 1, 4, 0, 5, 2});
            plan.groups[0].Add({0, 1, 2});
            plan.groups[0].Add({5, 4, 3});
            plan.groups[1].Add({0, 3});
            plan.groups[1].Add({1, 4});
            plan.groups[1].Add({5, 2});
            const auto first = MakeRandomProgram(random);
            const auto second = MakeRandomProgram(random);
            plan.programs = {first, second, first, second, first, second};
            TrafficMatrix expected(6);
            for (uint32_t rank = 0; rank < 6; ++rank)
            {
                for (const auto& task : plan.programs[rank]->GetTasks())
                {
                    Walk(plan, rank, task, expected);
                }
            }
            NS_TEST_EXPECT_MSG_EQ((plan.GetTraffic() == expected), true, "Round " << round);
        }
    }

    /// Adds up the messages of a small plan by hand.
    void TestMessageTraffic()
    {
        TrainingPlan plan;
        plan.groups.resize(1);
        plan.groups[0].Add({1, 0});
        plan.groups[0].Add({3, 2});
        const auto sender = MakeChain({MakeMessage(TaskKind::SEND, 1, 0, 5),
                                       MakeCompute(1),
                                       MakeMessage(TaskKind::SEND, 1, 1, 6)});
        const auto receiver = MakeChain(
            {MakeMessage(TaskKind::RECEIVE, 0, 0, 5), MakeMessage(TaskKind::RECEIVE, 0, 1, 6)});
        plan.programs = {receiver, sender, receiver, sender};
        plan.Check();
        const TrafficMatrix traffic = plan.GetTraffic();
        NS_TEST_EXPECT_MSG_EQ(traffic.Get(1, 0), 11, "First group");
        NS_TEST_EXPECT_MSG_EQ(traffic.Get(3, 2), 11, "Second group");
        NS_TEST_EXPECT_MSG_EQ(traffic.GetTotal(), 22, "Nothing else");
    }

    /// Breaks one of several pairs of ranks that share their programs.
    void TestSharedProgram()
    {
        const auto send = [](uint64_t bytes) { return MakeMessage(TaskKind::SEND, 1, 0, bytes); };
        const auto sum = [](uint64_t bytes) { return MakeCollective(0, 1, bytes); };
        NS_TEST_EXPECT_MSG_EQ(TrySharedProgram({send(5), sum(8)}, 0), "", "All fits");
        for (uint32_t pair = 0; pair < 3; ++pair)
        {
            const std::string first = "Rank " + std::to_string(2 * pair) + " has";
            const std::string second = "Rank " + std::to_string(2 * pair + 1) + " has";
            Expect(TrySharedProgram({send(6), sum(8)}, pair), first, "to send with 6 bytes");
            Expect(TrySharedProgram({sum(8)}, pair), second, "which does not send it");
            Expect(TrySharedProgram({send(5), sum(9)}, pair),
                   second,
                   "with another kind, algorithm or size");
            Expect(TrySharedProgram({send(5)}, pair), second, "takes no part");
            Expect(TrySharedProgram({send(5), sum(8), sum(8)}, pair), first, "twice in its group");
        }
    }

  private:
    /// The tasks of each of three ranks.
    using Tasks = std::vector<std::vector<Task>>;

    /**
     * @param change a change of the good plan
     * @param parts parts of the expected sentence; none if the plan remains good
     */
    void Try(const std::function<void(Tasks&)>& change, const std::vector<std::string>& parts)
    {
        Tasks tasks = m_good;
        change(tasks);
        TrainingPlan plan;
        plan.groups.resize(2);
        plan.groups[0].Add({0, 1, 2});
        plan.groups[1].Add({0, 1});
        for (const auto& mine : tasks)
        {
            plan.programs.push_back(MakeChain(mine));
        }
        const std::string error = GetError([&]() { plan.Check(); });
        NS_TEST_EXPECT_MSG_EQ(error.empty(), parts.empty(), "Sentence: " << error);
        for (const auto& part : parts)
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(error, part), true, error << " does not say " << part);
        }
    }

    /**
     * @param random a source of random numbers
     * @return a program with messages to the next member and with collectives
     */
    std::shared_ptr<const RankProgram> MakeRandomProgram(Ptr<UniformRandomVariable> random)
    {
        std::vector<Task> tasks;
        for (uint32_t i = 0; i < 8; ++i)
        {
            const uint64_t bytes = random->GetInteger(0, 20);
            const uint32_t kind = random->GetInteger(0, 6);
            const uint32_t group = random->GetInteger(0, 2);
            tasks.push_back(MakeCollective(group, i, bytes, static_cast<CollectiveKind>(kind % 5)));
            if (group == 2)
            {
                tasks.back().options.local = random->GetInteger(1, 3);
            }
            if (kind >= 5)
            {
                tasks.back().kind = kind == 5 ? TaskKind::COMPUTE : TaskKind::RECEIVE;
            }
        }
        return MakeChain(tasks);
    }

    /**
     * Add the bytes that a task sends, step by step.
     *
     * @param plan the plan
     * @param rank the rank that runs the task
     * @param task the task
     * @param [in,out] traffic the bytes
     */
    void Walk(const TrainingPlan& plan, uint32_t rank, const Task& task, TrafficMatrix& traffic)
    {
        if (task.kind != TaskKind::COLLECTIVE)
        {
            return;
        }
        const auto& members = plan.groups[task.group].GetMembers(rank);
        uint32_t position = 0;
        while (members[position] != rank)
        {
            ++position;
        }
        const auto schedule =
            CollectiveSchedule::Create(task.collective, members.size(), task.bytes, task.options);
        std::vector<Transfer> sends;
        for (uint32_t step = 0; step < schedule->GetNSteps(); ++step)
        {
            schedule->GetSends(position, step, sends);
            for (const auto& send : sends)
            {
                traffic.Add(rank, members[send.peer], send.bytes);
            }
        }
    }

    /**
     * @param tasks the tasks of the first rank of a pair
     * @param pair the pair, of three; the first ranks of the others send 5 bytes and sum 8
     * @return the message of the check
     */
    static std::string TrySharedProgram(const std::vector<Task>& tasks, uint32_t pair)
    {
        const auto sender =
            MakeChain({MakeMessage(TaskKind::SEND, 1, 0, 5), MakeCollective(0, 1, 8)});
        const auto receiver =
            MakeChain({MakeMessage(TaskKind::RECEIVE, 0, 0, 5), MakeCollective(0, 1, 8)});
        TrainingPlan plan;
        plan.groups.resize(1);
        for (uint32_t rank = 0; rank < 6; rank += 2)
        {
            plan.groups[0].Add({rank, rank + 1});
            plan.programs.push_back(rank / 2 == pair ? MakeChain(tasks) : sender);
            plan.programs.push_back(receiver);
        }
        return GetError([&]() { plan.Check(); });
    }

    /**
     * @param error a sentence
     * @param begin its expected beginning
     * @param part a part that it must contain
     */
    void Expect(const std::string& error, const std::string& begin, const std::string& part)
    {
        NS_TEST_EXPECT_MSG_EQ(error.rfind(begin, 0), 0, error << " does not begin with " << begin);
        NS_TEST_EXPECT_MSG_EQ(Contains(error, part), true, error << " does not say " << part);
    }

    Tasks m_good; //!< Tasks of a good plan
};

/// Registers the test cases
static const SuiteCases g_trainingPlanCases(
    "lightpath-planner",
    {{MakeCase("Programs and groups hold what they are given and refuse what is wrong",
               &TrainingPlanTests::TestRankProgram),
      MakeCase("Programs that do not fit together are refused", &TrainingPlanTests::TestPlanCheck),
      MakeCase("The traffic of a plan is what its schedules send",
               &TrainingPlanTests::TestPlanTraffic),
      MakeCase("Messages are added up by pair of ranks", &TrainingPlanTests::TestMessageTraffic),
      MakeCase("Each rank that differs from others with the same group is found",
               &TrainingPlanTests::TestSharedProgram)}});
