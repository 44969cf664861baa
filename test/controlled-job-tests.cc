/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "controlled-job.h"
#include "expect-error.h"
#include "method-case.h"

#include "ns3/accelerator.h"
#include "ns3/fixed-planner.h"
#include "ns3/model-zoo.h"
#include "ns3/phase-counter.h"
#include "ns3/planning-problem.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the phases and the failures of training jobs.
 */
class ControlledJobTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// A job whose phases need the same switch one after the other.
    void TestPhaseJob()
    {
        constexpr uint64_t within = 20000;
        constexpr uint64_t between = 50000;
        constexpr uint64_t delay = 3000;
        const TrainingPlan plan = MakeTwoPhases(0, within, between);
        ControlledJob once(plan, 1, NanoSeconds(delay));
        once.Run();
        NS_TEST_EXPECT_MSG_EQ(Contains(once.failure, "cannot give a lightpath to 4 of the pairs"),
                              true,
                              once.failure);
        Simulator::Destroy();

        for (const std::string source : {"Phase", "Backlog", "Underway"})
        {
            for (const uint64_t decision : {0, 700})
            {
                ControlledJob phases(plan, 1, NanoSeconds(delay));
                phases.run.controller->SetAttribute("Trigger", StringValue("Phase"));
                phases.run.controller->SetAttribute("DemandSource", StringValue(source));
                phases.run.controller->SetAttribute("DecisionTime",
                                                    TimeValue(NanoSeconds(decision)));
                phases.Run(3);
                NS_TEST_ASSERT_MSG_EQ(phases.job->IsFinished(), true, phases.failure);
                // Two steps of half the buffer each, on one circuit
                const uint64_t iteration = 2 * (decision + delay) + within + between + 4 * HEADERS;
                NS_TEST_EXPECT_MSG_EQ(phases.end, NanoSeconds(3 * iteration), "its time");
                const std::vector<std::pair<uint32_t, uint32_t>> expected{{0, 0},
                                                                          {0, 1},
                                                                          {1, 0},
                                                                          {1, 1},
                                                                          {2, 0},
                                                                          {2, 1}};
                NS_TEST_EXPECT_MSG_EQ((phases.phases == expected), true, "phases announced");
                NS_TEST_EXPECT_MSG_EQ(phases.run.channel->GetNReconfigurations(), 6, "switched");
                Simulator::Destroy();
            }
        }
        CheckOthers();
    }

    /// The phases of plans and of jobs.
    void TestTrainingPhase()
    {
        for (const uint32_t tensor : {1U, 2U, 4U})
        {
            const auto planner = CreateObject<FixedPlanner>();
            planner->SetAttribute("TensorParallel", UintegerValue(tensor));
            PlanningProblem problem{ModelZoo::Create("bert-large"),
                                    Accelerator::Create("A100"),
                                    FabricLimits(),
                                    4,
                                    8};
            problem.fabric.bitRate = 1e12;
            const TrainingPlan plan = planner->Plan(problem);
            const auto phases = plan.GetPhaseDemands();
            NS_TEST_ASSERT_MSG_EQ(phases.size(), (tensor == 2 ? 2 : 1), "phases");
            TrafficMatrix sum(4);
            for (const auto& phase : phases)
            {
                NS_TEST_EXPECT_MSG_GT(phase.GetTotal(), 0, "bytes of a phase");
                for (uint32_t rank = 0; rank < 4; ++rank)
                {
                    for (const auto& [peer, bytes] : phase.GetRow(rank))
                    {
                        sum.Add(rank, peer, bytes);
                        const bool inside = rank / tensor == peer / tensor;
                        NS_TEST_EXPECT_MSG_EQ(inside,
                                              (tensor > 1 && &phase == &phases.front()),
                                              "replicas come first");
                    }
                }
            }
            NS_TEST_EXPECT_MSG_EQ((sum == plan.GetTraffic()), true, "all bytes");
        }
        CheckRefusals();
        CheckCounter();
    }

    /// Jobs whose fabric fails.
    void TestFaultyJob()
    {
        for (const std::string trigger : {"Once", "Periodic"})
        {
            // At the start, before the message is sent, and while it is under way
            for (const int64_t time : {0, 20000, 55000})
            {
                ControlledJob job(MakeSender(50e-6), 2, NanoSeconds(1000));
                job.run.controller->SetAttribute("Trigger", StringValue(trigger));
                Simulator::Schedule(NanoSeconds(time), [&job]() {
                    job.run.channel->SetFailed("port:0:2", true);
                    job.run.channel->SetFailed("port:1:2", true);
                    // Of a rank that sends nothing
                    job.run.channel->SetFailed("input:0:1", true);
                });
                job.Run();
                NS_TEST_EXPECT_MSG_EQ(
                    Contains(job.failure,
                             "Messages of rank 0 to rank 2 cannot be sent: the fabric has no path "
                             "between the two since port:1:2 has failed"),
                    true,
                    job.failure);
                NS_TEST_EXPECT_MSG_EQ(job.end,
                                      NanoSeconds(std::max<int64_t>(time, 50000)),
                                      "at once");
                Simulator::Destroy();
            }
            // A pair that has no messages any more
            ControlledJob job(MakeSender(50e-6), 2, NanoSeconds(1000));
            job.run.controller->SetAttribute("Trigger", StringValue(trigger));
            Simulator::Schedule(NanoSeconds(20000), [&job]() {
                job.run.channel->SetFailed("port:0:1", true);
                job.run.channel->SetFailed("port:1:1", true);
            });
            job.Run();
            NS_TEST_EXPECT_MSG_EQ(job.job->IsFinished(), true, job.failure);
            Simulator::Destroy();
        }
        CheckLanes();
    }

  private:
    /// Ranks that are ahead, and other triggers.
    void CheckOthers()
    {
        // Ranks 0 and 2 are through with an iteration long before 1 and 3
        ControlledJob ahead(MakeTwoPhases(1e-3, 20000, 50000), 1, NanoSeconds(3000));
        ahead.run.controller->SetAttribute("Trigger", StringValue("Phase"));
        ahead.Run(4);
        NS_TEST_EXPECT_MSG_EQ(ahead.job->IsFinished(), true, ahead.failure);
        NS_TEST_EXPECT_MSG_EQ(
            ahead.end,
            NanoSeconds(4 * (2 * 3000 + 70000 + 4 * HEADERS + 1000000) - 4 * 3000),
            "the second darkness falls into the computation");
        Simulator::Destroy();

        for (const std::string source : {"Backlog", "Underway", "Phase"})
        {
            ControlledJob periodic(MakeTwoPhases(1e-4, 20000, 50000), 1, NanoSeconds(3000));
            periodic.run.controller->SetAttribute("Trigger", StringValue("Periodic"));
            periodic.run.controller->SetAttribute("DemandSource", StringValue(source));
            periodic.run.controller->SetAttribute("DecisionInterval", StringValue("10us"));
            periodic.Run(3);
            NS_TEST_EXPECT_MSG_EQ(periodic.job->IsFinished(), true, periodic.failure);
            Simulator::Destroy();
        }

        // Nothing moves for a decision that takes longer than the job is patient
        ControlledJob slow(MakeTwoPhases(0, 20000, 50000), 1, NanoSeconds(3000));
        slow.run.controller->SetAttribute("Trigger", StringValue("Phase"));
        slow.run.controller->SetAttribute("DecisionTime", StringValue("5ms"));
        slow.Run(2, MicroSeconds(100));
        NS_TEST_EXPECT_MSG_EQ(slow.job->IsFinished(), true, slow.failure);
        Simulator::Destroy();

        // A schedule of one slot in many for each pair
        ControlledJob scheduled(MakeTwoPhases(0, 20000, 50000), 1, NanoSeconds(3000));
        std::vector<ScheduleSlot> slots(3);
        slots[0].duration = MilliSeconds(1);
        for (const auto& [a, b] : std::vector<PortPair>{{0, 1}, {1, 0}, {2, 3}, {3, 2}})
        {
            slots[0].plan.AddLane(a, b, {0, 0});
            slots[1].plan.AddLane((a + 2) % 4, a, {0, 0});
        }
        slots[1].duration = MilliSeconds(1);
        slots[2].duration = MilliSeconds(1);
        const auto scheduler = CreateObject<OneSchedule>(slots, true);
        scheduler->SetPlanes(
            std::make_shared<CircuitSwitchGeometry>(scheduled.run.channel->GetGeometry()));
        scheduler->SetTiming(DataRate("8Gbps"), NanoSeconds(3000));
        scheduled.run.controller->SetScheduler(scheduler);
        scheduled.Run(2, MicroSeconds(100));
        NS_TEST_EXPECT_MSG_EQ(scheduled.job->IsFinished(), true, scheduled.failure);
        Simulator::Destroy();
    }

    /// Communication that waits for a later phase, and parts in different phases.
    void CheckRefusals()
    {
        std::vector<RankProgram> programs(4);
        for (auto& program : programs)
        {
            program.AddTask(AllReduce(1, 100));
            program.AddTask(Compute(0));
            program.AddTask(AllReduce(0, 100));
            program.AddDependency(0, 1);
            program.AddDependency(1, 2);
        }
        TrainingPlan plan = MakePlan(programs);
        plan.groups.assign(2, plan.groups[0]);
        const std::string order = GetError([&plan]() { plan.Check(); });
        NS_TEST_EXPECT_MSG_EQ(order,
                              "Task sum of rank 0 belongs to phase 0 and waits for task sum of "
                              "phase 1: communication waits for no later phase",
                              "order");
        RankProgram one;
        one.AddTask(Message(TaskKind::SEND, 1, 0, 10));
        RankProgram other;
        Task receive = Message(TaskKind::RECEIVE, 0, 0, 10);
        receive.phase = 1;
        other.AddTask(receive);
        const std::string parts = GetError([&]() { MakePlan({one, other}).Check(); });
        const std::string end = "in phase 0, but rank 1 has it in phase 1";
        NS_TEST_EXPECT_MSG_EQ(Contains(parts, end), true, parts);
    }

    /// Tasks end in any order.
    void CheckCounter()
    {
        PhaseCounter counter({0, 2, 0, 1});
        NS_TEST_EXPECT_MSG_EQ(counter.GetPhase(), 1, "the first phase with tasks");
        NS_TEST_EXPECT_MSG_EQ(counter.End(1, 1), false, "ahead");
        NS_TEST_EXPECT_MSG_EQ(counter.End(2, 1) || counter.End(1, 1), false, "ahead");
        NS_TEST_EXPECT_MSG_EQ(counter.End(0, 1), false, "one of two");
        NS_TEST_EXPECT_MSG_EQ(counter.End(0, 1), true, "two of two");
        NS_TEST_EXPECT_MSG_EQ(counter.GetPhase(), 3, "the next phase with tasks");
        NS_TEST_EXPECT_MSG_EQ(counter.End(0, 3), true, "the iteration");
        NS_TEST_EXPECT_MSG_EQ(counter.GetIteration(), 1, "the next");
        NS_TEST_EXPECT_MSG_EQ(counter.GetPhase(), 3, "whose other phase is over");
        NS_TEST_EXPECT_MSG_EQ(counter.End(1, 3), true, "it, too");
        NS_TEST_EXPECT_MSG_EQ(counter.GetIteration(), 2, "the third");
        NS_TEST_EXPECT_MSG_EQ(counter.GetPhase(), 1, "of which a task is left");
    }

    /**
     * @param late how long rank 0 computes before its second message, in seconds
     * @return the plan of a rank that sends 10000 bytes to rank 1, then as many to rank 2
     */
    static TrainingPlan MakeSender(double late)
    {
        RankProgram sender;
        sender.AddTask(Message(TaskKind::SEND, 1, 0, 10000 - HEADERS));
        sender.AddTask(Compute(late));
        sender.AddTask(Message(TaskKind::SEND, 2, 0, 10000 - HEADERS));
        sender.AddDependency(1, 2);
        RankProgram receiver;
        receiver.AddTask(Message(TaskKind::RECEIVE, 0, 0, 10000 - HEADERS));
        return MakePlan({sender, receiver, receiver});
    }

    /// Too few lanes are left for all pairs.
    void CheckLanes()
    {
        for (const std::string trigger : {"Once", "Periodic"})
        {
            ControlledJob job(MakeSender(0), 2, NanoSeconds(1000));
            job.run.controller->SetAttribute("Trigger", StringValue(trigger));
            job.run.controller->SetAttribute("DecisionInterval", StringValue("15us"));
            Simulator::Schedule(NanoSeconds(3000),
                                [&job]() { job.run.channel->SetFailed("switch:1", true); });
            job.Run();
            NS_TEST_EXPECT_MSG_EQ(job.job->IsFinished(), (trigger == "Periodic"), job.failure);
            if (trigger == "Once")
            {
                NS_TEST_EXPECT_MSG_EQ(
                    Contains(job.failure, "they are given no lightpath since switch:1"),
                    true,
                    job.failure);
                NS_TEST_EXPECT_MSG_EQ(job.end, NanoSeconds(3000), "at once");
            }
            Simulator::Destroy();
        }
    }
};

/// Registers the test cases
static const SuiteCases g_controlledJobCases(
    "lightpath-controller",
    {{MakeCase("A job of two phases on one switch", &ControlledJobTests::TestPhaseJob),
      MakeCase("Phases of plans add up and follow each other",
               &ControlledJobTests::TestTrainingPhase),
      MakeCase("Jobs on a fabric that fails", &ControlledJobTests::TestFaultyJob)}});
