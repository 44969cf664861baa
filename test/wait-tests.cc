/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/training/run/report-format.h"
#include "training-fixture.h"

#include "ns3/training-report.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

constexpr int64_t MESSAGE = 20000; //!< Bytes of a message with its headers: 20 us
constexpr int64_t STEP = 1034;     //!< Time of a step of the all-reduces in ns

/**
 * @ingroup lightpath-tests
 * @brief Tests of the parts of the time of an iteration.
 */
class WaitTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * One forward and one backward pass alternate, over a network that costs nothing: the bubble is
     * (p - 1) / (m + p - 1) of the iteration.
     *
     * @param stages the number of stages, p
     * @param microbatches the number of microbatches, m
     * @param iterations the number of iterations
     */
    void TestBubble(uint32_t stages, uint32_t microbatches, uint32_t iterations)
    {
        std::vector<RankProgram> programs;
        for (uint32_t stage = 0; stage < stages; ++stage)
        {
            programs.push_back(MakeStage(stage, stages, microbatches));
        }
        TrainingRun run(MakeGroup(programs, PIPELINE_GROUP), 2);
        for (uint32_t stage = 1; stage < stages; ++stage)
        {
            run.circuits.AddLane(stage - 1, stage, {0, 0});
            run.circuits.AddLane(stage, stage - 1, {1, 0});
        }
        run.Run(0, iterations);
        const TrainingReport report(run.job, run.channel);
        const double iteration = (microbatches + stages - 1) * 3e-3;
        NS_TEST_EXPECT_MSG_EQ_TOL(report.GetSteadySeconds(), iteration, 1e-5, "(m + p - 1) t");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.bubbleSeconds,
                                  iteration * (stages - 1) / (microbatches + stages - 1),
                                  1e-5,
                                  "Bubble");
        NS_TEST_EXPECT_MSG_LT(report.exposedCommunicationSeconds, 1e-5, "Messages of some bytes");
        CheckSum(report);
        Simulator::Destroy();
    }

    /**
     * Replicas wait for an all-reduce over slow links, and for slower replicas.
     *
     * @param late the additional computation of one of the two, in us
     * @param dark the first darkness of circuits, in us
     * @param iterations the number of iterations
     */
    void TestReplicas(uint32_t late, uint32_t dark, uint32_t iterations)
    {
        std::vector<RankProgram> programs(2);
        for (uint32_t rank = 0; rank < 2; ++rank)
        {
            Task collective = Collective(CollectiveKind::ALL_REDUCE, 2000);
            collective.group = DATA_GROUP;
            programs[rank].AddTask(Compute((10 + rank * late) * 1e-6));
            programs[rank].AddTask(collective);
            programs[rank].AddDependency(0, 1);
        }
        TrainingRun run(MakeGroup(programs, DATA_GROUP), 1);
        run.circuits.AddLane(0, 1, {0, 0});
        run.circuits.AddLane(1, 0, {0, 0});
        Darken(run, dark);
        run.Run(0, iterations);
        // Darkness comes once, and computation hides the first part of it
        const double compute = 10 + late / 2.0;
        const double circuits = iterations == 1 && dark > 10 + late ? dark - 10.0 - late : 0;
        Expect(run, compute, late / 2.0, {{"data", 2 * STEP * 1e-3}, {"circuits", circuits}});
    }

    /**
     * The last of three stages waits for two messages over slow links, each of which the stage
     * before computes before it is sent.
     *
     * @param dark the first darkness of circuits, in us
     */
    void TestChain(uint32_t dark)
    {
        std::vector<RankProgram> programs(3);
        for (uint32_t stage = 0; stage < 3; ++stage)
        {
            uint32_t tasks = 0;
            if (stage > 0)
            {
                tasks = programs[stage].AddTask(MakeMessage(TaskKind::RECEIVE, stage - 1)) + 1;
            }
            programs[stage].AddTask(Compute(1e-6));
            if (stage < 2)
            {
                programs[stage].AddTask(MakeMessage(TaskKind::SEND, stage + 1));
                programs[stage].AddDependency(tasks, tasks + 1);
            }
            if (stage > 0)
            {
                programs[stage].AddDependency(0, 1);
            }
        }
        TrainingRun run(MakeGroup(programs, PIPELINE_GROUP), 1);
        run.circuits.AddLane(0, 1, {0, 0});
        run.circuits.AddLane(1, 2, {0, 0});
        Darken(run, dark);
        run.Run();
        const double circuits = dark > 1 ? dark - 1.0 : 0;
        Expect(run, 1, 2, {{"pipeline", 40}, {"circuits", circuits}});
    }

  private:
    /// Parts of the exposed communication, in us.
    using Parts = std::map<std::string, double>;

    /**
     * @param programs the program of each rank
     * @param kind the kind of the group that they form
     * @return the plan
     */
    static TrainingPlan MakeGroup(const std::vector<RankProgram>& programs, GroupKind kind)
    {
        TrainingPlan plan = MakePlan(programs);
        plan.groups.resize(N_GROUP_KINDS);
        std::swap(plan.groups[0], plan.groups[kind]);
        return plan;
    }

    /**
     * @param kind SEND or RECEIVE
     * @param peer the peer
     * @param operation the number that joins the two
     * @param bytes the size
     * @return a message between stages
     */
    static Task MakeMessage(TaskKind kind,
                            uint32_t peer,
                            uint32_t operation = 0,
                            uint64_t bytes = MESSAGE - HEADERS)
    {
        Task task = Message(kind, peer, operation, bytes);
        task.group = PIPELINE_GROUP;
        return task;
    }

    /**
     * @param stage a stage
     * @param stages the number of stages
     * @param microbatches the number of microbatches
     * @return its program: as many forward passes as there are stages behind, then a forward and a
     * backward pass in turn, 1 ms and 2 ms
     */
    static RankProgram MakeStage(uint32_t stage, uint32_t stages, uint32_t microbatches)
    {
        std::vector<std::pair<bool, uint32_t>> passes;
        const uint32_t ahead = std::min(stages - 1 - stage, microbatches);
        for (uint32_t i = 0; i < microbatches + ahead; ++i)
        {
            if (i < microbatches)
            {
                passes.emplace_back(true, i);
            }
            if (i >= ahead)
            {
                passes.emplace_back(false, i - ahead);
            }
        }
        RankProgram program;
        uint32_t before = UINT32_MAX;
        for (const auto& [isForward, microbatch] : passes)
        {
            const uint32_t number = 2 * microbatch + (isForward ? 0 : 1);
            const bool receives = isForward ? stage > 0 : stage + 1 < stages;
            const bool sends = isForward ? stage + 1 < stages : stage > 0;
            if (receives)
            {
                const uint32_t peer = isForward ? stage - 1 : stage + 1;
                program.AddTask(MakeMessage(TaskKind::RECEIVE, peer, number, 1));
            }
            const uint32_t compute = program.AddTask(Compute(isForward ? 1e-3 : 2e-3));
            if (receives)
            {
                program.AddDependency(compute - 1, compute);
            }
            if (before != UINT32_MAX)
            {
                program.AddDependency(before, compute);
            }
            if (sends)
            {
                const uint32_t peer = isForward ? stage + 1 : stage - 1;
                program.AddDependency(
                    compute,
                    program.AddTask(MakeMessage(TaskKind::SEND, peer, number, 1)));
            }
            before = compute;
        }
        return program;
    }

    /**
     * @param run a job
     * @param dark the time until the first circuits are lit, in us
     */
    static void Darken(TrainingRun& run, uint32_t dark)
    {
        run.channel->SetAttribute("InitialSwitching", BooleanValue(dark > 0));
        run.channel->SetAttribute("SwitchingDelay", TimeValue(MicroSeconds(dark)));
    }

    /**
     * Check the parts of an iteration, in us.
     *
     * @param run a job that has ended
     * @param compute computation
     * @param bubble waiting for ranks that compute
     * @param parts the exposed communication; parts that are missing are zero
     */
    void Expect(const TrainingRun& run, double compute, double bubble, const Parts& parts)
    {
        const TrainingReport report(run.job, run.channel);
        NS_TEST_EXPECT_MSG_EQ_TOL(report.computeSeconds, compute * 1e-6, 1e-12, "Computation");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.bubbleSeconds, bubble * 1e-6, 1e-12, "Bubble");
        for (const auto& [name, seconds] : report.exposedSeconds)
        {
            const auto part = parts.find(name);
            const double expected = part == parts.end() ? 0 : part->second;
            NS_TEST_EXPECT_MSG_EQ_TOL(seconds, expected * 1e-6, 1e-12, name);
            std::ostringstream table;
            TrainingReport::PrintTable(table, {report});
            const std::string entry = " " + name + " " + FormatSeconds(seconds);
            const bool isNamed = table.str().find(entry) != std::string::npos;
            NS_TEST_EXPECT_MSG_EQ(isNamed, (expected > 0), entry << " in " << table.str());
        }
        CheckSum(report);
        Simulator::Destroy();
    }

    /**
     * Check that the parts of an iteration add up to it.
     *
     * @param report a report
     */
    void CheckSum(const TrainingReport& report)
    {
        const auto json = report.GetJson();
        double exposed = 0;
        for (const auto& part : json.at("exposedSeconds"))
        {
            exposed += part.get<double>();
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(exposed,
                                  json.at("exposedCommunicationSeconds").get<double>(),
                                  1e-15,
                                  "Exposed communication");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.computeSeconds + report.bubbleSeconds + exposed,
                                  report.GetSteadySeconds(),
                                  1e-15,
                                  "The iteration");
    }
};

/// Registers the test cases
static const SuiteCases g_waitCases(
    "lightpath-training",
    {MakeCases("The bubble of a pipeline: stages, microbatches, iterations",
               &WaitTests::TestBubble,
               {{2, 1, 1}, {4, 8, 1}, {4, 8, 3}, {8, 8, 2}, {3, 2, 2}, {5, 20, 3}}),
     MakeCases("Waiting of replicas: late, dark, iterations",
               &WaitTests::TestReplicas,
               {{0, 0, 1}, {0, 0, 3}, {20, 0, 1}, {20, 0, 3}, {0, 30, 1}, {20, 40, 1}, {0, 30, 2}}),
     MakeCases("Waiting along a chain of messages: dark",
               &WaitTests::TestChain,
               {{0}, {1}, {30}})});

} // namespace
