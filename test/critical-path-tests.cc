/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bound-tests.h"
#include "expect-error.h"
#include "method-case.h"
#include "planner-tests.h"
#include "training-fixture.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/critical-path.h"
#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/hybrid-helper.h"
#include "ns3/job-recorder.h"
#include "ns3/planning-problem.h"
#include "ns3/server-helper.h"
#include "ns3/sip-ml-planner.h"
#include "ns3/training-report.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// How a drawn job is simulated.
struct PathFabric
{
    std::string name;                                   //!< Name of the fabric
    std::function<void(CircuitFabricHelper&)> circuits; //!< Sets up its circuits
    /// Whether no message slows down another, and no clock switches circuits
    bool isExact{true};
    std::string transport{"circuit"}; //!< The transport
    uint32_t serverGpus{1};           //!< GPUs of a server
    Attach attach{Attach::GPU};       //!< How they leave it
};

/// A job that is drawn at random.
struct PathJob
{
    PathFabric fabric;      //!< How it is simulated
    TrainingPlan plan;      //!< Its plan
    uint32_t iterations{1}; //!< Number of iterations
    Time latency;           //!< Time to launch a collective operation
    uint64_t frameSize{0};  //!< Size of a frame; 0 for bursts
};

/// The outcome of a job.
struct PathOutcome
{
    std::vector<CriticalPath::Segment> segments; //!< Its critical path
    Time begin;                                  //!< Beginning of the iteration
    Time end;                                    //!< End of the iteration
    double seconds{0};                           //!< Length of it in the report
    CriticalPath::Sums sums;                     //!< Parts of it
};

/// The fabrics of drawn jobs.
std::vector<PathFabric>
GetPathFabrics()
{
    const auto decide = [](const std::string& trigger, const std::string& source) {
        return [=](CircuitFabricHelper& helper) {
            helper.SetChannelAttribute("SwitchingDelay", StringValue("7us"));
            helper.SetControllerAttribute("Trigger", StringValue(trigger));
            helper.SetControllerAttribute("DemandSource", StringValue(source));
            helper.SetControllerAttribute("DecisionInterval", StringValue("150us"));
        };
    };
    const auto once = decide("Once", "Planned");
    return {{"sip-ring", once},
            {"sip-ring", decide("Phase", "Phase")},
            {"sip-ocs", once},
            {"sip-ocs", decide("Phase", "Phase")},
            {"sip-ocs", decide("Periodic", "Backlog"), false},
            {"sip-ring", decide("Periodic", "Underway"), false},
            {"oddl", {}, false},
            {"optinc", {}},
            {"electrical", {}, false},
            {"leaf-spine-flows", {}, false},
            {"sip-ocs", once, true, "circuit", 2, Attach::RAIL},
            {"electrical", {}, false, "circuit", 4, Attach::SERVER},
            {"leaf-spine", {}, false, "tcp"},
            {"leaf-spine", {}, false, "dctcp"},
            {"sip-ring+electrical", once, false},
            {"sip-ocs+leaf-spine", once, false, "tcp"}};
}

/**
 * @param fabric how a job is simulated
 * @return the helper that installs its fabric
 */
std::unique_ptr<InterconnectHelper>
MakePathFabric(const PathFabric& fabric)
{
    auto helper = InterconnectHelper::Create(fabric.name);
    InterconnectHelper* optical = helper.get();
    if (auto* const hybrid = dynamic_cast<HybridHelper*>(helper.get()))
    {
        optical = &hybrid->GetOptical();
    }
    if (auto* const circuits = dynamic_cast<CircuitFabricHelper*>(optical))
    {
        circuits->SetWavelengthRate(DataRate("1Gbps"));
        if (fabric.circuits)
        {
            fabric.circuits(*circuits);
        }
    }
    // Averages are to take longer than the updates that could hide them
    helper->SetBandwidth(DataRate(fabric.name == "optinc" ? "2Gbps" : "64Gbps"));
    if (fabric.serverGpus > 1)
    {
        auto servers = std::make_unique<ServerHelper>(std::move(helper));
        servers->SetServers(fabric.serverGpus, DataRate("128Gbps"), NanoSeconds(700));
        servers->SetAttach(fabric.attach);
        servers->SetBandwidth(DataRate("64Gbps"));
        return servers;
    }
    return helper;
}

/**
 * @param job a job
 * @return the outcome
 */
PathOutcome
RunPathJob(const PathJob& job)
{
    const TrainingPlan& plan = job.plan;
    const auto fabric = MakePathFabric(job.fabric);
    NodeContainer nodes;
    nodes.Create(plan.programs.size());
    const auto devices = fabric->Install(nodes);
    TrainingHelper training;
    training.SetJobAttribute("Iterations", UintegerValue(job.iterations));
    training.SetJobAttribute("CollectiveLatency", TimeValue(job.latency));
    if (job.fabric.transport != "circuit")
    {
        training.SetTransport(job.fabric.transport);
        fabric->AssignAddresses(devices);
    }
    else
    {
        training.SetTransportAttribute("FrameSize", UintegerValue(job.frameSize));
    }
    const auto applications = training.Install(plan, *fabric, devices);
    const auto running = TrainingHelper::GetJob(applications);
    JobRecorder recorder(running);
    TrainingHelper::StopWhenFinished(applications);
    PathOutcome outcome;
    Simulator::Run();
    const CriticalPath path(recorder);
    outcome.segments = path.GetSegments();
    outcome.begin = path.GetBegin();
    outcome.end = path.GetEnd();
    outcome.sums = path.GetSums();
    outcome.seconds = TrainingReport(running).iterationSeconds.back();
    Simulator::Destroy();
    return outcome;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of critical paths.
 */
class CriticalPathTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * The path of drawn jobs, and what becomes of it when its tasks are shortened.
     *
     * @param number the number of the fabric
     * @param jobs the number of jobs
     */
    void TestDrawn(uint32_t number, uint32_t jobs)
    {
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(100 + number);
        for (uint32_t i = 0; i < jobs; ++i)
        {
            const PathJob job = DrawJob(GetPathFabrics()[number]);
            const PathOutcome outcome = RunPathJob(job);
            CheckPath(outcome);
            CutTasks(job, outcome);
        }
        NS_TEST_EXPECT_MSG_GT(m_nShorter, 3 * jobs, "Cuts that let jobs end earlier");
    }

    /// Two ranks compute, exchange a message and sum: the segments have the times of closed forms.
    void TestClosedForm()
    {
        // By default, the path is that of the last iteration
        for (const auto& [chosen, iteration] :
             std::vector<std::pair<std::optional<uint32_t>, int64_t>>{{0, 0}, {1, 1}, {{}, 2}})
        {
            TrainingRun run(MakeTwoRanks(), 1);
            run.circuits.AddLane(0, 1, {0, 0});
            run.circuits.AddLane(1, 0, {0, 0});
            run.helper.SetJobAttribute("CollectiveLatency", StringValue("2us"));
            run.Install(0, 3);
            JobRecorder recorder(run.job, chosen);
            NS_TEST_EXPECT_MSG_EQ(GetError([&recorder]() { CriticalPath path(recorder); }),
                                  "The critical path needs an iteration that all ranks have ended, "
                                  "but the one that was recorded has not: simulate on",
                                  "Too early");
            Simulator::Run();
            // A message of 1000 bytes takes 1034 ns. Rank 1 launches the sum last and sends the
            // messages of both steps, one behind the other
            constexpr int64_t period = 20102;
            const CriticalPath path(recorder);
            Expect(path,
                   iteration * period,
                   {{10000, Kind::COMPUTE, 0, 0, "compute"},
                    {1034, Kind::TRANSMISSION, 0, 1, "message 7"},
                    {5000, Kind::COMPUTE, 1, 1, "compute"},
                    {2000, Kind::LAUNCH, 1, 1, "collective"},
                    {1034, Kind::TRANSMISSION, 1, 0, "collective"},
                    {1034, Kind::TRANSMISSION, 1, 0, "collective"}});
            const CriticalPath::Sums sums = {{"compute", NanoSeconds(15000)},
                                             {"tensor", NanoSeconds(3102)},
                                             {"launch", NanoSeconds(2000)}};
            NS_TEST_EXPECT_MSG_EQ((path.GetSums() == sums), true, "Parts");
            CheckOutput(path);
            Simulator::Destroy();
        }
    }

    /// The rank that computes most is not on the path.
    void TestSlowestRank()
    {
        RankProgram first;
        first.AddTask(Compute(5e-6));
        first.AddTask(Message(TaskKind::SEND, 1, 0, 20000 - HEADERS));
        first.AddDependency(0, 1);
        RankProgram second;
        second.AddTask(Message(TaskKind::RECEIVE, 0, 0, 20000 - HEADERS));
        second.AddTask(Compute(5e-6));
        second.AddDependency(0, 1);
        RankProgram slowest;
        slowest.AddTask(Compute(14e-6));
        TrainingRun run(MakePlan({first, second, slowest}), 1);
        run.circuits.AddLane(0, 1, {0, 0});
        run.Install();
        run.applications.Get(2)->SetAttribute("SpeedFactor", DoubleValue(0.5));
        JobRecorder recorder(run.job);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run.GetRecord(2).compute, MicroSeconds(28), "Most computation");
        Expect(CriticalPath(recorder),
               0,
               {{5000, Kind::COMPUTE, 0, 0, "compute"},
                {20000, Kind::TRANSMISSION, 0, 1, "message 0"},
                {5000, Kind::COMPUTE, 1, 1, "compute"}});
        Simulator::Destroy();
    }

    /**
     * Rank 0 computes for 10 us and then has a message for rank 1. If the first circuits come
     * later, the path begins with darkness: the computation of rank 0 decides nothing.
     *
     * @param dark the time to switch them, in us
     */
    void TestDarkness(int64_t dark)
    {
        RankProgram first;
        first.AddTask(Compute(10e-6));
        first.AddTask(Message(TaskKind::SEND, 1, 0, 20000 - HEADERS));
        first.AddDependency(0, 1);
        RankProgram second;
        second.AddTask(Message(TaskKind::RECEIVE, 0, 0, 20000 - HEADERS));
        TrainingRun run(MakePlan({first, second}), 1);
        run.circuits.AddLane(0, 1, {0, 0});
        run.channel->SetAttribute("InitialSwitching", BooleanValue(true));
        run.channel->SetAttribute("SwitchingDelay", TimeValue(MicroSeconds(dark)));
        run.Install();
        JobRecorder recorder(run.job);
        Simulator::Run();
        const Part begin = dark > 10 ? Part{1000 * dark, Kind::DARKNESS, 0, 1, "message 0"}
                                     : Part{10000, Kind::COMPUTE, 0, 0, "compute"};
        Expect(CriticalPath(recorder), 0, {begin, {20000, Kind::TRANSMISSION, 0, 1, "message 0"}});
        Simulator::Destroy();
    }

    /// Circuits go away in the middle of a message, which is resumed on the next ones.
    void TestCutMessage()
    {
        RankProgram first;
        first.AddTask(Message(TaskKind::SEND, 1, 0, 20000 - HEADERS));
        RankProgram second;
        second.AddTask(Message(TaskKind::RECEIVE, 0, 0, 20000 - HEADERS));
        TrainingRun run(MakePlan({first, second}), 2);
        run.circuits.AddLane(0, 1, {0, 0});
        run.channel->SetAttribute("SwitchingDelay", TimeValue(MicroSeconds(3)));
        run.Install();
        JobRecorder recorder(run.job);
        CircuitPlan none;
        none.AddLane(1, 0, {0, 0});
        CircuitPlan again;
        again.AddLane(0, 1, {1, 0});
        Simulator::Schedule(MicroSeconds(5),
                            &OpticalChannel::Configure,
                            PeekPointer(run.channel),
                            none);
        Simulator::Schedule(MicroSeconds(12),
                            &OpticalChannel::Configure,
                            PeekPointer(run.channel),
                            again);
        Simulator::Run();
        Expect(CriticalPath(recorder),
               0,
               {{5000, Kind::TRANSMISSION, 0, 1, "message 0"},
                {3000, Kind::DARKNESS, 0, 1, "message 0"},
                {4000, Kind::CIRCUIT, 0, 1, "message 0"},
                {3000, Kind::DARKNESS, 0, 1, "message 0"},
                {15000, Kind::TRANSMISSION, 0, 1, "message 0"}});
        Simulator::Destroy();
    }

  private:
    /// The kind of a segment.
    using Kind = CriticalPath::Kind;

    /// A segment that is expected.
    struct Part
    {
        int64_t length;   //!< Its length in ns
        Kind kind;        //!< Its kind
        uint32_t rank;    //!< Its rank
        uint32_t peer;    //!< Its peer
        std::string name; //!< Name of its task
    };

    /**
     * @param path a path
     * @param begin when the iteration begins, in ns
     * @param parts the segments that are expected
     */
    void Expect(const CriticalPath& path, int64_t begin, const std::vector<Part>& parts)
    {
        const auto& segments = path.GetSegments();
        NS_TEST_ASSERT_MSG_EQ(segments.size(), parts.size(), "Segments");
        NS_TEST_EXPECT_MSG_EQ(path.GetBegin(), NanoSeconds(begin), "Begin");
        for (std::size_t i = 0; i < parts.size(); ++i)
        {
            const std::string what = "segment " + std::to_string(i);
            NS_TEST_EXPECT_MSG_EQ(segments[i].begin, NanoSeconds(begin), what);
            begin += parts[i].length;
            NS_TEST_EXPECT_MSG_EQ(segments[i].end, NanoSeconds(begin), what);
            NS_TEST_EXPECT_MSG_EQ((segments[i].kind == parts[i].kind), true, what);
            NS_TEST_EXPECT_MSG_EQ(segments[i].rank, parts[i].rank, what);
            NS_TEST_EXPECT_MSG_EQ(segments[i].peer, parts[i].peer, what);
            NS_TEST_EXPECT_MSG_EQ(segments[i].name, parts[i].name, what);
        }
        NS_TEST_EXPECT_MSG_EQ(path.GetEnd(), NanoSeconds(begin), "End");
    }

    /**
     * The table and the JSON have the parts of the path.
     *
     * @param path the path of TestClosedForm()
     */
    void CheckOutput(const CriticalPath& path)
    {
        std::ostringstream text;
        path.Print(text);
        for (const std::string part : {"20.10 us:\n  compute        15.00 us   74.6 %\n",
                                       "  tensor         3.102 us   15.4 %\n",
                                       "from 10.00 us     rank 0 to 1  message 7\n",
                                       "from 18.03 us     rank 1, 2 messages  collective\n"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(text.str(), part), true, part << " in " << text.str());
        }
        const auto json = path.GetJson();
        NS_TEST_EXPECT_MSG_EQ(json["seconds"].size(), 3, "Parts");
        NS_TEST_EXPECT_MSG_EQ(json["seconds"]["launch"], 2e-6, "Launch");
        NS_TEST_ASSERT_MSG_EQ(json["segments"].size(), 5, "Rows");
        NS_TEST_EXPECT_MSG_EQ(json["segments"][1]["bytes"], 1000, "Message");
        NS_TEST_EXPECT_MSG_EQ(json["segments"][1]["peer"], 1, "Receiver");
        NS_TEST_EXPECT_MSG_EQ(json["segments"][2].contains("peer"), false, "Computation");
        // The two messages of the sum are one row
        NS_TEST_EXPECT_MSG_EQ(path.GetMerged().size(), 5, "Rows");
        NS_TEST_EXPECT_MSG_EQ(path.GetMerged().back().end, path.GetEnd(), "Last row");
    }

    /**
     * @param fabric the fabric that carries it
     * @return a job
     */
    PathJob DrawJob(const PathFabric& fabric)
    {
        PathJob job;
        job.fabric = fabric;
        job.iterations = m_random->GetInteger(1, 3);
        job.latency = MicroSeconds(3 * m_random->GetInteger(0, 1));
        job.frameSize = 3000 * m_random->GetInteger(0, 1);
        const uint32_t gpus = 4 << m_random->GetInteger(0, 1);
        const auto helper = MakePathFabric(fabric);
        for (;;)
        {
            PlanningProblem problem =
                MakeToyProblem(MakeBoundChain(m_random->GetInteger(3, 6), m_random), gpus, 16);
            problem.fabric = FabricDescription::Create(*helper)->GetLimits(gpus);
            try
            {
                job.plan = DrawPlan(problem, fabric.name == "optinc");
                job.plan = job.plan.OnPorts();
                SpreadTimes(job.plan);
                return job;
            }
            catch (const std::invalid_argument&)
            {
                // Another model or strategy may do
            }
        }
    }

    /**
     * Give each task of each rank a time of its own, so that hardly any two paths are as long.
     *
     * @param [in,out] plan the plan
     */
    void SpreadTimes(TrainingPlan& plan)
    {
        const double scale = std::pow(5, -1.0 * m_random->GetInteger(0, 2));
        for (auto& shared : plan.programs)
        {
            RankProgram program = *shared;
            uint32_t index = 0;
            program.ChangeTasks([&](Task& task) {
                task.name += " " + std::to_string(index++);
                task.seconds =
                    1e-6 *
                        std::round(1e6 * task.seconds * scale * m_random->GetValue(0.7, 1.3) + 2) +
                    1e-9 * m_random->GetInteger(0, 999);
            });
            shared = std::make_shared<RankProgram>(program);
        }
    }

    /**
     * @param problem a problem
     * @param averages whether the fabric only averages
     * @return a plan
     */
    TrainingPlan DrawPlan(const PlanningProblem& problem, bool averages)
    {
        if (!averages && m_random->GetInteger(0, 3) == 0)
        {
            return CreateObject<SipMlPlanner>()->TryPlan(problem);
        }
        const auto planner = CreateObject<FixedPlanner>();
        const uint32_t most = averages ? 0 : 1;
        planner->SetAttribute("TensorParallel", UintegerValue(1 << m_random->GetInteger(0, most)));
        planner->SetAttribute("PipelineParallel",
                              UintegerValue(1 << m_random->GetInteger(0, most)));
        planner->SetAttribute("Microbatch", UintegerValue(m_random->GetInteger(1, 2)));
        planner->SetAttribute("BucketBytes", UintegerValue(20000 * m_random->GetInteger(0, 1)));
        planner->SetAttribute("ZeroStage",
                              UintegerValue(averages ? 0 : m_random->GetInteger(0, 2)));
        return planner->TryPlan(problem);
    }

    /**
     * The path begins and ends with the iteration, and has no gap.
     *
     * @param outcome the outcome of a job
     */
    void CheckPath(const PathOutcome& outcome)
    {
        Time now = outcome.begin;
        for (const auto& segment : outcome.segments)
        {
            NS_TEST_EXPECT_MSG_EQ(segment.begin, now, "Begins where the one before ends");
            NS_TEST_EXPECT_MSG_LT(segment.begin, segment.end, "Takes time");
            NS_TEST_EXPECT_MSG_EQ((segment.kind == CriticalPath::Kind::UNKNOWN), false, "Known");
            now = segment.end;
        }
        NS_TEST_EXPECT_MSG_EQ(now, outcome.end, "The end of the iteration");
        Time sum;
        for (const auto& part : outcome.sums)
        {
            sum += part.second;
        }
        NS_TEST_EXPECT_MSG_EQ(sum, outcome.end - outcome.begin, "The parts add up");
        NS_TEST_EXPECT_MSG_EQ(sum, Seconds(outcome.seconds), "Iteration of the report");
    }

    /**
     * Shorten tasks of a path, and the launches on it, by 1 us each, one at a time.
     *
     * @param job a job
     * @param before its outcome
     */
    void CutTasks(const PathJob& job, const PathOutcome& before)
    {
        std::vector<std::size_t> tasks;
        bool hasLaunch = false;
        for (std::size_t i = 0; i < before.segments.size(); ++i)
        {
            hasLaunch = hasLaunch || before.segments[i].kind == Kind::LAUNCH;
            if (before.segments[i].kind == Kind::COMPUTE)
            {
                tasks.push_back(i);
            }
        }
        for (uint32_t i = 0; i < 10 && !tasks.empty(); ++i)
        {
            const std::size_t index =
                tasks[m_random->GetInteger(0, static_cast<uint32_t>(tasks.size() - 1))];
            const CriticalPath::Segment& task = before.segments[index];
            PathJob cut = job;
            Shorten(cut.plan, task);
            // In earlier iterations the task is shorter, too, and messages follow it
            const bool isLast = job.iterations == 1 && IsLast(before, index);
            Compare(before, RunPathJob(cut), job.fabric.isExact || isLast, task);
        }
        if (hasLaunch)
        {
            PathJob cut = job;
            cut.latency -= MicroSeconds(1);
            CriticalPath::Segment launch;
            launch.kind = Kind::LAUNCH;
            Compare(before, RunPathJob(cut), job.fabric.isExact, launch);
        }
    }

    /**
     * @param outcome the outcome of a job
     * @param index the index of a segment of its path
     * @return whether all later ones belong to the GPUs, so that no message takes another time if
     *         it becomes shorter
     */
    static bool IsLast(const PathOutcome& outcome, std::size_t index)
    {
        return std::all_of(outcome.segments.begin() + static_cast<std::ptrdiff_t>(index),
                           outcome.segments.end(),
                           [](const auto& segment) {
                               return segment.kind == Kind::COMPUTE || segment.kind == Kind::LAUNCH;
                           });
    }

    /**
     * Give a rank a program of its own, one of whose tasks takes 1 us less.
     *
     * @param [in,out] plan the plan
     * @param segment the task
     */
    static void Shorten(TrainingPlan& plan, const CriticalPath::Segment& segment)
    {
        RankProgram program = *plan.programs[segment.rank];
        program.ChangeTasks(
            [&segment](Task& task) { task.seconds -= task.name == segment.name ? 1e-6 : 0; });
        plan.programs[segment.rank] = std::make_shared<RankProgram>(program);
    }

    /**
     * The job ends earlier, or a path as long remains without what was shortened.
     *
     * @param before the outcome of a job
     * @param after its outcome with a shorter task
     * @param isExact whether nothing else may come of it
     * @param task the task, or a launch
     */
    void Compare(const PathOutcome& before,
                 const PathOutcome& after,
                 bool isExact,
                 const CriticalPath::Segment& task)
    {
        CheckPath(after);
        const bool isShorter = after.end < before.end;
        m_nShorter += isShorter ? 1 : 0;
        const bool isOther =
            after.end == before.end &&
            std::none_of(after.segments.begin(), after.segments.end(), [&](const auto& segment) {
                return segment.kind == task.kind &&
                       (task.kind == Kind::LAUNCH ||
                        (segment.rank == task.rank && segment.name == task.name));
            });
        if (isExact)
        {
            NS_TEST_EXPECT_MSG_EQ((isShorter || isOther), true, "Path without " << task.name);
        }
    }

    Ptr<UniformRandomVariable> m_random; //!< A source of random numbers
    uint32_t m_nShorter{0};              //!< Cuts that let the job end earlier
};

/// Registers the test cases
static const SuiteCases g_criticalPathCases(
    "lightpath-observation",
    {{MakeCase("The segments of a path have the times of closed forms",
               &CriticalPathTests::TestClosedForm),
      MakeCase("The rank that computes most is not on the path",
               &CriticalPathTests::TestSlowestRank),
      MakeCase("Darkness cuts a message in two", &CriticalPathTests::TestCutMessage)},
     MakeCases("The first circuits come late or in time",
               &CriticalPathTests::TestDarkness,
               {{7}, {50}}),
     MakeCases("The path of drawn jobs is as long as the iteration, and decides it",
               &CriticalPathTests::TestDrawn,
               {{0, 4},
                {1, 4},
                {2, 4},
                {3, 4},
                {4, 4},
                {5, 4},
                {6, 4},
                {7, 4},
                {8, 4},
                {9, 4},
                {10, 4},
                {11, 4},
                {12, 2},
                {13, 2},
                {14, 4},
                {15, 2}})});
