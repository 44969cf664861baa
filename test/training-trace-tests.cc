/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "training-fixture.h"

#include "ns3/accelerator.h"
#include "ns3/config.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/log.h"
#include "ns3/message-tag.h"
#include "ns3/model-zoo.h"
#include "ns3/planning-problem.h"
#include "ns3/simulator.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The trace sources of tasks, in the order in which those of a collective task fire.
const std::vector<std::string> TASK_TRACES{"TaskBegin",
                                           "CollectiveBegin",
                                           "CollectiveEnd",
                                           "TaskEnd"};

/**
 * @ingroup lightpath-tests
 * @brief Records all reports of the trace sources of a training job.
 */
class Timeline
{
  public:
    /// A message: source, destination, tag, size in bytes.
    using MessageKey = std::tuple<uint32_t, uint32_t, uint64_t, uint64_t>;

    /// The times of a task by trace source.
    using TaskTimes = std::map<std::string, std::vector<int64_t>>;

    /// Connect to the trace sources of all applications that there are.
    Timeline()
    {
        const std::string path =
            "/NodeList/*/ApplicationList/*/$ns3::lightpath::TrainingApplication/";
        for (const auto& source : TASK_TRACES)
        {
            Config::Connect(path + source, MakeCallback(&Timeline::NoteTask, this));
        }
        Config::ConnectWithoutContext(path + "MessageSent",
                                      MakeCallback(&Timeline::NoteSent, this));
        Config::ConnectWithoutContext(path + "MessageReceived",
                                      MakeCallback(&Timeline::NoteReceived, this));
    }

    /// Times in ns by rank, iteration and index of the task
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, TaskTimes> tasks;
    std::map<MessageKey, std::vector<int64_t>> sent;     //!< Times in ns
    std::map<MessageKey, std::vector<int64_t>> received; //!< Times in ns
    std::map<std::string, uint64_t> names;               //!< Events by name of the task

  private:
    /**
     * @param context the path of the trace source
     * @param event the task
     */
    void NoteTask(std::string context, const TaskEvent& event)
    {
        tasks[{event.rank, event.iteration, event.index}][context.substr(context.rfind('/') + 1)]
            .push_back(Simulator::Now().GetNanoSeconds());
        ++names[event.task.name];
    }

    /**
     * @param rank the rank that sends a message
     * @param peer the rank that it is for
     * @param tag its tag
     * @param bytes its size in bytes
     */
    void NoteSent(uint32_t rank, uint32_t peer, uint64_t tag, uint64_t bytes)
    {
        sent[{rank, peer, tag, bytes}].push_back(Simulator::Now().GetNanoSeconds());
    }

    /**
     * @param rank the rank that receives a message
     * @param peer the rank that sent it
     * @param tag its tag
     * @param bytes its size in bytes
     */
    void NoteReceived(uint32_t rank, uint32_t peer, uint64_t tag, uint64_t bytes)
    {
        received[{peer, rank, tag, bytes}].push_back(Simulator::Now().GetNanoSeconds());
    }
};

/**
 * @ingroup lightpath-tests
 * @return a plan of two ranks that compute for a time, one of which then sends a message
 *
 * @param seconds the time
 */
TrainingPlan
MakeShortPlan(double seconds)
{
    RankProgram first;
    first.AddTask(Compute(seconds));
    first.AddTask(Message(TaskKind::SEND, 1, 0, 1000));
    first.AddDependency(0, 1);
    RankProgram second;
    second.AddTask(Message(TaskKind::RECEIVE, 0, 0, 1000));
    return MakePlan({first, second});
}

/// Run an event every 10 us forever.
void
Tick()
{
    Simulator::Schedule(MicroSeconds(10), &Tick);
}

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the traces of a job, of the end of a simulation and of partial reports;
 *         the caller owns them.
 */
class TrainingTraceTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// The traces of a job of two ranks have the times of closed forms.
    void TestTimeline()
    {
        TrainingRun run(MakeTwoRanks(), 1);
        run.circuits.AddLane(0, 1, {0, 0});
        run.circuits.AddLane(1, 0, {0, 0});
        run.helper.SetJobAttribute("CollectiveLatency", StringValue("2us"));
        run.Install(0, 2);
        Timeline timeline;
        Simulator::Run();

        // A message of 1000 bytes takes 1034 ns. The ring of two has two steps of 1000 bytes each.
        // Rank 0 launches it at 12000 and its message is there early; rank 1 launches it at 18034
        // and sends both of its messages, one behind the other.
        const int64_t period = 20102;
        for (int64_t i = 0; i < 2; ++i)
        {
            Expect(timeline, 0, i, 0, {{"TaskBegin", 0}, {"TaskEnd", 10000}});
            Expect(timeline, 0, i, 1, {{"TaskBegin", 10000}, {"TaskEnd", 10000}});
            Expect(timeline,
                   0,
                   i,
                   2,
                   {{"TaskBegin", 10000},
                    {"CollectiveBegin", 12000},
                    {"CollectiveEnd", 20102},
                    {"TaskEnd", 20102}});
            Expect(timeline, 1, i, 0, {{"TaskBegin", 0}, {"TaskEnd", 11034}});
            Expect(timeline, 1, i, 1, {{"TaskBegin", 11034}, {"TaskEnd", 16034}});
            Expect(timeline,
                   1,
                   i,
                   2,
                   {{"TaskBegin", 16034},
                    {"CollectiveBegin", 18034},
                    {"CollectiveEnd", 20102},
                    {"TaskEnd", 20102}});
            const auto check = [&](uint32_t source, MessageTag tag, int64_t out, int64_t in) {
                tag.iteration = static_cast<uint32_t>(i);
                const Timeline::MessageKey key{source, 1 - source, tag.Encode(), 1000};
                const std::string name = "message of rank " + std::to_string(source) + ", step " +
                                         std::to_string(tag.step);
                NS_TEST_EXPECT_MSG_EQ(timeline.sent[key].size(), 1, name);
                NS_TEST_EXPECT_MSG_EQ(timeline.sent[key].at(0), i * period + out, name);
                NS_TEST_EXPECT_MSG_EQ(timeline.received[key].size(), 1, name);
                NS_TEST_EXPECT_MSG_EQ(timeline.received[key].at(0), i * period + in, name);
            };
            MessageTag single;
            single.operation = 7;
            check(0, single, 10000, 11034);
            MessageTag step;
            step.isCollective = true;
            check(0, step, 12000, 13034);
            check(1, step, 18034, 19068);
            step.step = 1;
            check(0, step, 19068, 20102);
            check(1, step, 18034, 20102);
        }
        NS_TEST_EXPECT_MSG_EQ(timeline.tasks.size(), 2 * 2 * 3, "each task once an iteration");
        NS_TEST_EXPECT_MSG_EQ(timeline.names["message 7"], 2 * 2 * 2, "events of the message");
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now().GetNanoSeconds(),
                              2 * period,
                              "the watch keeps the simulation alive");
        Simulator::Destroy();
    }

    /**
     * In a job with all kinds of parallelism, each message that is sent is received once, the
     * bytes are those of the plan, and collectives nest in tasks.
     */
    void TestTracePairs()
    {
        constexpr uint32_t iterations = 2;
        ElectricalSwitchHelper fabric;
        const NodeContainer nodes(8);
        const NetDeviceContainer devices = fabric.Install(nodes);
        const PlanningProblem problem{ModelZoo::Create("bert-large"),
                                      Accelerator::Create("A100"),
                                      FabricDescription::Create(fabric)->GetLimits(8),
                                      8,
                                      32};
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("DataParallel", UintegerValue(2));
        planner->SetAttribute("TensorParallel", UintegerValue(2));
        planner->SetAttribute("PipelineParallel", UintegerValue(2));
        planner->SetAttribute("Microbatch", UintegerValue(4));
        const TrainingPlan plan = planner->Plan(problem);
        TrainingHelper training;
        training.SetJobAttribute("Iterations", UintegerValue(iterations));
        training.Install(plan, devices, nullptr);
        Timeline timeline;
        Simulator::Run();
        Simulator::Destroy();

        uint64_t bytes = 0;
        for (const auto& message : timeline.sent)
        {
            NS_TEST_EXPECT_MSG_EQ(timeline.received[message.first].size(),
                                  message.second.size(),
                                  "messages received");
            bytes += std::get<3>(message.first) * message.second.size();
        }
        NS_TEST_EXPECT_MSG_EQ(timeline.received.size(), timeline.sent.size(), "kinds of messages");
        NS_TEST_EXPECT_MSG_EQ(bytes, iterations * plan.GetTraffic().GetTotal(), "bytes sent");

        uint64_t tasks = 0;
        for (const auto& program : plan.programs)
        {
            tasks += program->GetTasks().size();
        }
        NS_TEST_EXPECT_MSG_EQ(timeline.tasks.size(), iterations * tasks, "tasks");
        for (const auto& task : timeline.tasks)
        {
            const auto& what =
                plan.programs[std::get<0>(task.first)]->GetTasks()[std::get<2>(task.first)];
            int64_t last = 0;
            for (const auto& source : TASK_TRACES)
            {
                const auto times = task.second.find(source);
                const bool isTraced = times != task.second.end();
                NS_TEST_EXPECT_MSG_EQ(
                    isTraced,
                    (source.find("Task") == 0 || what.kind == TaskKind::COLLECTIVE),
                    source << " of '" << what.name << "'");
                if (isTraced)
                {
                    NS_TEST_EXPECT_MSG_EQ(times->second.size(), 1, source);
                    NS_TEST_EXPECT_MSG_GT_OR_EQ(times->second.front(), last, source);
                    last = times->second.front();
                }
            }
        }
    }

    /// A simulation ends with its last job.
    void TestStopWhenFinished()
    {
        TrainingRun brief(MakeShortPlan(10e-6), 1);
        TrainingRun lengthy(MakeShortPlan(33e-6), 1);
        ApplicationContainer both;
        for (auto* run : {&brief, &lengthy})
        {
            run->circuits.AddLane(0, 1, {0, 0});
            run->Install();
            both.Add(run->applications);
        }
        TrainingHelper::StopWhenFinished(both);
        std::ostringstream lines;
        TrainingHelper::EnableProgress(lengthy.applications, lines, 1e-9);
        Tick();
        // Were the jobs not to stop it, this would
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now().GetNanoSeconds(), 33000 + 1034, "the last job");
        NS_TEST_EXPECT_MSG_EQ(brief.job->IsFinished(), true, "the first job");
        NS_TEST_EXPECT_MSG_EQ(lengthy.job->IsFinished(), true, "the last job");
        NS_TEST_EXPECT_MSG_EQ(lines.str().substr(0, 18), "0 of 1 iterations,", "progress");
        Simulator::Destroy();

        // A job that fails has ended
        TrainingRun stalled(MakeShortPlan(10e-6), 1);
        stalled.Install();
        stalled.job->SetFailureCallback(
            Callback<void, std::string>([&](std::string sentence) { stalled.failure = sentence; }));
        TrainingHelper::StopWhenFinished(stalled.applications);
        Tick();
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(stalled.failure.empty(), false, "no circuit leads to rank 1");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), Seconds(3), "the job had failed before");
        Simulator::Destroy();
    }

    /// The times of iterations are traced, and fill the time of the job.
    void TestIterationTime()
    {
        TrainingRun run(MakeShortPlan(10e-6), 1);
        run.circuits.AddLane(0, 1, {0, 0});
        run.Install(0, 3);
        std::vector<Time> times{Time(0)};
        const Callback<void, Time, Time> note([&](Time before, Time time) {
            NS_TEST_EXPECT_MSG_EQ(before, times.back(), "the time of the iteration before");
            times.push_back(time);
        });
        run.job->TraceConnectWithoutContext("IterationTime", note);
        TrainingHelper::StopWhenFinished(run.applications);
        Tick();
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(times.size(), 4, "a time for each iteration");
        NS_TEST_EXPECT_MSG_EQ(times[1], NanoSeconds(10000 + 1034), "computation and message");
        NS_TEST_EXPECT_MSG_EQ(times[1] + times[2] + times[3],
                              Simulator::Now(),
                              "the times of all iterations");
        Simulator::Destroy();
    }

    /// The report of a job that has not finished.
    void TestPartialReport()
    {
        TrainingRun run(MakeShortPlan(10e-6), 1);
        run.circuits.AddLane(0, 1, {0, 0});
        run.Install(0, 3);
        Check(run, MicroSeconds(5), 0, 0);
        // Rank 0, which waits for nobody, has ended its first iteration at 10 us, rank 1 has not
        Check(run, MicroSeconds(6), 0, 0);
        Check(run, MicroSeconds(10), 1, 11034e-9);
        const auto json = TrainingReport(run.job).GetJson();
        NS_TEST_EXPECT_MSG_EQ(json.at("unfinished").at("iterations"), 3, "iterations in all");
        NS_TEST_EXPECT_MSG_EQ_TOL(json.at("unfinished").at("elapsedSeconds").get<double>(),
                                  21e-6,
                                  1e-15,
                                  "time");
        std::ostringstream table;
        TrainingReport::PrintTable(table, {TrainingReport(run.job)});
        NS_TEST_EXPECT_MSG_EQ(
            (table.str().find("not finished: 1 of 3 iterations in 21.00 us") != std::string::npos),
            true,
            table.str());
        Simulator::Run();
        const TrainingReport report(run.job);
        NS_TEST_EXPECT_MSG_EQ(report.isFinished, true, "the end");
        NS_TEST_EXPECT_MSG_EQ(report.iterationSeconds.size(), 3, "the end");
        NS_TEST_EXPECT_MSG_EQ(report.GetJson().contains("unfinished"), false, "the end");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.elapsedSeconds, 31034e-9, 1e-15, "the end");
        Simulator::Destroy();
    }

  private:
    /**
     * Check when a task began and ended.
     *
     * @param timeline the traced times
     * @param rank the rank
     * @param iteration the iteration
     * @param index the index of the task
     * @param times the time of each trace in ns, from the beginning of the iteration
     */
    void Expect(const Timeline& timeline,
                uint32_t rank,
                int64_t iteration,
                uint32_t index,
                const std::map<std::string, int64_t>& times)
    {
        Timeline::TaskTimes expected;
        for (const auto& time : times)
        {
            expected[time.first] = {iteration * 20102 + time.second};
        }
        const auto found = timeline.tasks.find({rank, static_cast<uint32_t>(iteration), index});
        NS_TEST_ASSERT_MSG_EQ((found != timeline.tasks.end()), true, "task " << index);
        NS_TEST_EXPECT_MSG_EQ((found->second == expected),
                              true,
                              "task " << index << " of rank " << rank << " in iteration "
                                      << iteration);
    }

    /**
     * Go on for a time and report.
     *
     * @param run the job
     * @param time the time
     * @param ended the iterations that have ended
     * @param seconds the time of an iteration
     */
    void Check(const TrainingRun& run, Time time, std::size_t ended, double seconds)
    {
        Simulator::Stop(time);
        Simulator::Run();
        const TrainingReport report(run.job);
        NS_TEST_EXPECT_MSG_EQ(report.isFinished, false, "not finished");
        NS_TEST_EXPECT_MSG_EQ(report.iterations, 3, "iterations in all");
        NS_TEST_EXPECT_MSG_EQ(report.iterationSeconds.size(), ended, "iterations ended");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.GetSteadySeconds(), seconds, 1e-15, "an iteration");
        NS_TEST_EXPECT_MSG_EQ(report.fabric, "sip-ocs", "name of the fabric");
        std::ostringstream table;
        TrainingReport::PrintTable(table, {report});
        NS_TEST_EXPECT_MSG_EQ((table.str().find("not finished") != std::string::npos),
                              true,
                              table.str());
    }
};

#ifdef NS3_LOG_ENABLE
/**
 * @ingroup lightpath-tests
 * @brief At the level of logic, the log records each decision of a job in one line.
 */
class TrainingLogTestCase : public TestCase
{
  public:
    TrainingLogTestCase()
        : TestCase("The log of a job tells its decisions")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string> components{"TrainingApplication",
                                                  "TrainingJob",
                                                  "CircuitTransport"};
        for (const auto& component : components)
        {
            LogComponentEnable(component.c_str(), LOG_LOGIC);
        }
        std::ostringstream log;
        auto* const before = std::clog.rdbuf(log.rdbuf());
        TrainingRun run(MakeShortPlan(10e-6), 1);
        run.circuits.AddLane(0, 1, {0, 0});
        run.Run();
        std::clog.rdbuf(before);
        for (const auto& component : components)
        {
            LogComponentDisable(component.c_str(), LOG_LOGIC);
        }
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(
            log.str(),
            "phase 0 of iteration 0 begins\n"
            "rank 1: 'message 0' waits for its message\n"
            "rank 0: computes 'compute' for +10us\n"
            "rank 0: 'compute' is done\n"
            "rank 0: 'message 0' hands over 1000 bytes\n"
            "rank 0: a message of 1000 bytes for rank 1 goes out over the fabric, "
            "behind 0 bytes\n"
            "rank 0: 'message 0' is done\n"
            "rank 1: 'message 0' is done\n"
            "iteration 0 has ended on all ranks\n",
            "the log");
    }
};
#endif

} // namespace

/// Registers the test cases
static const SuiteCases g_trainingTraceCases(
    "lightpath-training",
    {{MakeCase("Tasks, collectives and messages are traced when they begin and end",
               &TrainingTraceTests::TestTimeline),
      MakeCase("Each message sent is received, and collectives nest in tasks",
               &TrainingTraceTests::TestTracePairs),
      MakeCase("A simulation stops with the last of its jobs",
               &TrainingTraceTests::TestStopWhenFinished),
      MakeCase("The times of iterations are traced", &TrainingTraceTests::TestIterationTime),
#ifdef NS3_LOG_ENABLE
      new TrainingLogTestCase(),
#endif
      MakeCase("A job that has not finished is reported as far as it is",
               &TrainingTraceTests::TestPartialReport)}});
