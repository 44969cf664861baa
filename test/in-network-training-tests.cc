/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/photonics/network/table-averager.h"
#include "stage-tests.h"
#include "training-fixture.h"

#include "ns3/fabric-description.h"
#include "ns3/in-network-channel.h"
#include "ns3/opt-inc-helper.h"
#include "ns3/planning-problem.h"
#include "ns3/sip-ml-planner.h"
#include "ns3/training-plan.h"
#include "ns3/training-report.h"
#include "ns3/word-averager.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param algorithm the algorithm
 * @param bytes the size of the buffer
 * @return a task that sums buffers
 */
Task
Sum(CollectiveAlgorithm algorithm, uint64_t bytes)
{
    Task task = Collective(CollectiveKind::ALL_REDUCE, bytes);
    task.options.algorithm = algorithm;
    return task;
}

/**
 * Carry out a job.
 *
 * @param fabric the fabric
 * @param plan the plan
 * @param [out] failure why it failed; empty if it did not
 * @param frameSize the size of a frame, or 0
 * @return the report; empty if the job failed
 */
std::optional<TrainingReport>
RunJob(const FabricHelper& fabric,
       const TrainingPlan& plan,
       std::string& failure,
       uint64_t frameSize = 0)
{
    NodeContainer nodes(plan.programs.size());
    const auto devices = fabric.Install(nodes);
    TrainingHelper helper;
    helper.SetTransportAttribute("FrameSize", UintegerValue(frameSize));
    const auto applications = helper.Install(plan, devices, fabric.CreateController(devices));
    const auto job = TrainingHelper::GetJob(applications);
    failure.clear();
    job->SetFailureCallback(Callback<void, std::string>([&failure](std::string sentence) {
        failure = sentence;
        Simulator::Stop();
    }));
    Simulator::Run();
    std::optional<TrainingReport> report;
    if (failure.empty())
    {
        report.emplace(job, FabricHelper::GetChannel(devices));
    }
    Simulator::Destroy();
    return report;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of jobs that train on a network that averages.
 */
class InNetworkTrainingTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// The schedule of an all-reduce in the network.
    void TestInNetworkSchedule()
    {
        const CollectiveOptions options(1, CollectiveSchedule::GetAlgorithm("in-network"));
        NS_TEST_EXPECT_MSG_EQ(CollectiveSchedule::GetName(options.algorithm), "in-network", "name");
        const auto make = [&options](CollectiveKind kind, uint32_t ranks, uint64_t bytes) {
            return CollectiveSchedule::Create(kind, ranks, bytes, options);
        };
        const auto schedule = make(CollectiveKind::ALL_REDUCE, 16, 1000);
        NS_TEST_EXPECT_MSG_EQ(schedule->GetNSteps(), 1, "one step");
        std::vector<Transfer> transfers;
        schedule->GetSends(3, 0, transfers);
        NS_TEST_ASSERT_MSG_EQ(transfers.size(), 1, "one send");
        NS_TEST_EXPECT_MSG_EQ(transfers[0].peer, 3, "to the network");
        NS_TEST_EXPECT_MSG_EQ(transfers[0].bytes, 1000, "all of the buffer");
        schedule->GetReceives(3, 0, transfers);
        NS_TEST_ASSERT_MSG_EQ(transfers.size(), 1, "one receive");
        NS_TEST_EXPECT_MSG_EQ(transfers[0].bytes, 1000, "all of the buffer");
        schedule->GetTotals(3, transfers);
        NS_TEST_ASSERT_MSG_EQ(transfers.size(), 1, "one peer");
        NS_TEST_EXPECT_MSG_EQ(transfers[0].peer, 3, "which is the network");
        std::vector<Block> blocks;
        schedule->GetBlocks(3, 0, blocks);
        NS_TEST_ASSERT_MSG_EQ(blocks.size(), 1, "one block");
        NS_TEST_EXPECT_MSG_EQ(blocks[0].bytes, 1000, "all of the buffer");
        schedule->GetOwned(3, blocks);
        NS_TEST_EXPECT_MSG_EQ(blocks.empty(), true, "all ranks have all");
        NS_TEST_EXPECT_MSG_EQ(schedule->GetNPeers(), 0, "no peers");
        NS_TEST_EXPECT_MSG_EQ_TOL(schedule->GetSeconds(1e-6, 1e9), 2e-6, 1e-15, "closed form");
        NS_TEST_EXPECT_MSG_EQ_TOL(schedule->GetCircuitSeconds({1e-6, 1e9}), 2e-6, 1e-15, "same");
        NS_TEST_EXPECT_MSG_EQ_TOL(schedule->GetBusFactor(), 1.875, 1e-12, "as NCCL has it");
        NS_TEST_EXPECT_MSG_EQ(make(CollectiveKind::ALL_REDUCE, 16, 0)->GetNSteps(), 0, "empty");
        NS_TEST_EXPECT_MSG_EQ(make(CollectiveKind::ALL_REDUCE, 1, 5)->GetNSteps(), 0, "alone");
        const std::string text = GetError([&make]() { make(CollectiveKind::ALL_GATHER, 4, 5); });
        EXPECT_PART(text, "in-network does not carry out all-gather");
    }

    /// A ring has 2 (n - 1) / n times the bytes on the wire of the same buffer.
    void TestWireBytes()
    {
        constexpr uint64_t bytes = 50000000;
        for (const uint32_t ranks : {4, 8, 16})
        {
            const auto optinc = MakeReport("optinc", CollectiveAlgorithm::IN_NETWORK, ranks, bytes);
            const auto ring = MakeReport("electrical", CollectiveAlgorithm::RING, ranks, bytes);
            NS_TEST_EXPECT_MSG_EQ(optinc.bytesSent, ranks * (bytes + 34), "once");
            const double ratio = static_cast<double>(ring.bytesSent) / optinc.bytesSent;
            NS_TEST_EXPECT_MSG_EQ_TOL(ratio, 2 * (ranks - 1.0) / ranks, 2e-5, "normalised traffic");
            // 100 bytes a ns; 20 m of fibre and 500 ns of signalling twice each
            NS_TEST_EXPECT_MSG_EQ_TOL(optinc.iterationSeconds.front(),
                                      (bytes + 34) / 1e11 + 2 * 20 * 1.468 / 299792458 + 1e-6,
                                      3e-9,
                                      "time");
            NS_TEST_EXPECT_MSG_EQ(optinc.fabricCounts.at("slots"), 1, "slots");
            NS_TEST_EXPECT_MSG_EQ(optinc.fabricCounts.at("spoiltSlots"), 0, "spoilt");
        }
    }

    /**
     * A plan for a network that averages takes the time of its price, and has the bytes of
     * quantised gradients.
     */
    void TestAveragedPlan()
    {
        for (const uint32_t bits : {8, 16})
        {
            OptIncHelper fabric;
            fabric.DisableFlowControl();
            fabric.SetBits(bits);
            PlanningProblem problem = MakeStageProblem("resnet50", 4, 256);
            problem.fabric = FabricDescription::Create(fabric)->GetLimits(4);
            NS_TEST_EXPECT_MSG_EQ_TOL(problem.fabric.averagedBits, bits + 1 / 32.0, 1e-12, "bits");
            const TrainingPlan plan = MakeStagePlan(problem, StageSettings());
            NS_TEST_EXPECT_MSG_EQ(plan.GetTraffic().GetTotal(), 0, "nothing to other ranks");
            uint64_t bytes = 0;
            uint32_t sums = 0;
            for (const auto& task : plan.programs.front()->GetTasks())
            {
                bytes += task.kind == TaskKind::COLLECTIVE ? task.bytes : 0;
                sums += task.kind == TaskKind::COLLECTIVE ? 1 : 0;
            }
            // 25,557,032 parameters, by torchvision
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(bytes),
                                      25557032 * (bits + 1 / 32.0) / 8,
                                      sums,
                                      "bytes of the gradients");
            NS_TEST_EXPECT_MSG_EQ(plan.cost.groups.at(1).bytes, bytes, "in the price");
            std::string failure;
            const auto report = RunJob(fabric, plan, failure);
            NS_TEST_ASSERT_MSG_EQ(failure, "", "the job goes on");
            NS_TEST_EXPECT_MSG_EQ(report->bytesSent, 4 * (bytes + sums * 34), "sent once");
            NS_TEST_EXPECT_MSG_EQ_TOL(report->iterationSeconds.front(),
                                      plan.predictedSeconds,
                                      plan.predictedSeconds * 1e-4,
                                      "time");
            NS_TEST_EXPECT_MSG_EQ(report->fabricCounts.at("slots"), sums, "slots");
            NS_TEST_EXPECT_MSG_EQ(report->GetJson().count("spoiltSlots"), 1, "in the report");
            // In frames, each of which takes a slot
            const auto frames = RunJob(fabric, plan, failure, 1000000);
            NS_TEST_EXPECT_MSG_GT(frames->fabricCounts.at("slots"),
                                  bytes / 1000000,
                                  "slots of frames");
        }
    }

    /// Refusals of plans, jobs and helpers of a network that averages.
    void TestAveragedRefusal()
    {
        TryPlans();
        TryReplicas();
        TryJobs();
        TryHelper();
    }

  private:
    /**
     * @param name the name of the fabric
     * @param algorithm the algorithm
     * @param ranks the number of ranks
     * @param bytes the size of the buffer
     * @return the report of a job that sums buffers once
     */
    static TrainingReport MakeReport(const std::string& name,
                                     CollectiveAlgorithm algorithm,
                                     uint32_t ranks,
                                     uint64_t bytes)
    {
        const auto fabric = FabricHelper::Create(name);
        fabric->SetBandwidth(DataRate("800Gbps"));
        RankProgram program;
        program.AddTask(Sum(algorithm, bytes));
        std::string failure;
        return *RunJob(*fabric, MakePlan(std::vector<RankProgram>(ranks, program)), failure);
    }

    /**
     * @param part a part of the sentence
     * @param what the refused call
     */
    void Expect(const std::string& part, const std::function<void()>& what)
    {
        const std::string text = GetError(what);
        EXPECT_PART(text, part);
    }

    /**
     * @param part a part of the sentence
     * @param configure makes a fabric impossible
     */
    void TryFabric(const std::string& part, const std::function<void(OptIncHelper&)>& configure)
    {
        OptIncHelper fabric;
        configure(fabric);
        const std::string text = fabric.Check(8);
        EXPECT_PART(text, part);
    }

    /// Plans with other traffic.
    void TryPlans()
    {
        PlanningProblem problem =
            MakeStageProblem("gpt2-xl:layers=4,hidden=256,heads=8,vocabulary=1024", 4, 16);
        problem.fabric = FabricDescription::Create(OptIncHelper())->GetLimits(4);
        for (const uint32_t kind : {0, 1, 2})
        {
            StageSettings settings;
            settings.tensor = kind == 0 ? 2 : 1;
            settings.pipeline = kind == 1 ? 2 : 1;
            settings.zero = kind == 2 ? 1 : 0;
            Expect("averages the gradients of all GPUs and carries nothing else",
                   [&]() { MakeStagePlan(problem, settings); });
        }
    }

    /// A planner that tries all numbers of replicas finds the one without other traffic.
    void TryReplicas()
    {
        PlanningProblem problem =
            MakeStageProblem("gpt2-xl:layers=4,hidden=256,heads=8,vocabulary=1024", 4, 16);
        problem.fabric = FabricDescription::Create(OptIncHelper())->GetLimits(4);
        const TrainingPlan plan = CreateObject<SipMlPlanner>()->Plan(problem);
        NS_TEST_ASSERT_MSG_EQ(plan.strategy.dataParallel, 4, "Replicas");
        // Words of 8 bits, and a scale of 8 bits for each 256 of them
        uint64_t bytes = 0;
        for (const auto& task : plan.programs[0]->GetTasks())
        {
            bytes += task.kind == TaskKind::COLLECTIVE ? task.bytes : 0;
        }
        const double words = static_cast<double>(problem.graph.GetParameters());
        NS_TEST_EXPECT_MSG_EQ_TOL(bytes, words * 257 / 256, 10, "Averaged bytes");
        const TrainingPlan fixed = MakeStagePlan(problem, {});
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds,
                                  fixed.predictedSeconds,
                                  0.05 * fixed.predictedSeconds,
                                  "As long as the plan by hand");
    }

    /// Jobs that hang, and messages to others.
    void TryJobs()
    {
        // Rank 2 does not begin the first sum before the second one has ended
        std::vector<RankProgram> programs(4);
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            for (uint32_t operation = 0; operation < 2; ++operation)
            {
                Task sum = Sum(CollectiveAlgorithm::IN_NETWORK, 1000);
                sum.operation = rank == 2 ? 1 - operation : operation;
                programs[rank].AddTask(sum);
            }
            programs[rank].AddDependency(0, 1);
        }
        std::string failure;
        RunJob(OptIncHelper(), MakePlan(programs), failure);
        EXPECT_PART(failure, "for the average from the network");
        EXPECT_PART(failure, "waits for server 2");
        RankProgram ring;
        ring.AddTask(Sum(CollectiveAlgorithm::RING, 1000));
        EXPECT_ABORT("carries nothing from one rank to another", [&]() {
            RunJob(OptIncHelper(), MakePlan(std::vector<RankProgram>(4, ring)), failure);
        });
    }

    /// Impossible settings.
    void TryHelper()
    {
        TryFabric("an even number of them", [](auto& fabric) { fabric.SetBits(7); });
        TryFabric("an even number of them", [](auto& fabric) { fabric.SetBits(18); });
        TryFabric("the 8 transceivers of a server are no multiple of it",
                  [](auto& fabric) { fabric.SetBits(6); });
        TryFabric("at least 1, not 0", [](auto& fabric) { fabric.SetBlockSize(0); });
        TryFabric("There is no averager 'best'", [](auto& fabric) { fabric.SetAverager("best"); });
        TryFabric("There is no cascade 'deep'", [](auto& fabric) { fabric.SetCascade("deep", 2); });
        TryFabric("groups of 0 servers", [](auto& fabric) { fabric.SetCascade("naive", 0); });
        TryFabric("cannot be shared out over them",
                  [](auto& fabric) { fabric.SetBandwidth(DataRate(801)); });
        OptIncHelper fabric;
        fabric.SetBandwidth(DataRate("400Gbps"));
        fabric.SetCascade("naive", 4);
        EXPECT_PART(fabric.Check(10), "its groups are all of one size");
        const double naive = FabricDescription::Create(fabric)->GetLimits(16).latency;
        fabric.SetCascade("fraction", 4);
        NS_TEST_EXPECT_MSG_EQ(fabric.MakeAverager(16)->GetDelay(), NanoSeconds(5), "link");
        NS_TEST_EXPECT_MSG_EQ_TOL(FabricDescription::Create(fabric)->GetLimits(16).latency,
                                  naive,
                                  1e-12,
                                  "the same link");
        fabric.SetCascade("none", 4);
        NS_TEST_EXPECT_MSG_EQ_TOL(FabricDescription::Create(fabric)->GetLimits(16).latency,
                                  naive - 5e-9,
                                  1e-12,
                                  "one level");
        NS_TEST_EXPECT_MSG_EQ_TOL(FabricDescription::Create(fabric)->GetLimits(16).bitRate,
                                  4e11,
                                  1,
                                  "rate");
        // Light goes through meshes; there are weights for 4 servers only
        fabric.SetAverager("mesh");
        NS_TEST_EXPECT_MSG_GT(FabricDescription::Create(fabric)->GetLimits(4).latency,
                              naive - 5e-9 + 1e-9,
                              "columns");
        NS_TEST_EXPECT_MSG_EQ(bool(DynamicCast<TableAverager>(fabric.MakeAverager(4))),
                              true,
                              "a table");
        NS_TEST_EXPECT_MSG_NE(fabric.Check(5), "", "other weights");
        fabric.SetCascade("fraction", 4);
        EXPECT_ABORT("belongs to a naive one",
                     [&]() { FabricDescription::Create(fabric)->GetLimits(16); });
        fabric.SetCascade("naive", 4);
        NS_TEST_EXPECT_MSG_GT(FabricDescription::Create(fabric)->GetLimits(16).latency,
                              naive + 2e-9,
                              "columns twice");
    }
};

/// Registers the test cases
static const SuiteCases g_inNetworkTrainingCases(
    "lightpath-in-network",
    {{MakeCase("Schedule of an all-reduce in the network",
               &InNetworkTrainingTests::TestInNetworkSchedule),
      MakeCase("Bytes on the wire and time of all-reduces", &InNetworkTrainingTests::TestWireBytes),
      MakeCase("Plans for a network that averages", &InNetworkTrainingTests::TestAveragedPlan),
      MakeCase("What jobs on a network that averages refuse",
               &InNetworkTrainingTests::TestAveragedRefusal)}});
