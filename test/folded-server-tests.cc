/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fold-tests.h"
#include "method-case.h"
#include "model/base/named-enum.h"

#include "ns3/accelerator.h"
#include "ns3/boolean.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/model-zoo.h"
#include "ns3/plan-folder.h"
#include "ns3/planning-problem.h"
#include "ns3/server-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// A training job on servers.
struct FoldedServerJob
{
    uint32_t tensor;        //!< TensorParallel
    uint32_t pipeline;      //!< PipelineParallel
    uint32_t data;          //!< DataParallel
    uint32_t serverGpus;    //!< GPUs of a server
    uint32_t local;         //!< Replicas that share a server, as collectives are to have it
    uint32_t chunks;        //!< VirtualStages
    uint32_t microbatches;  //!< Microbatches of a replica
    Recomputation anew;     //!< What the backward pass computes anew
    bool sequence;          //!< SequenceParallel
    uint32_t zero;          //!< ZeroStage
    uint64_t hidden{240};   //!< Elements of a token's activation
    uint64_t gigabits{360}; //!< Rate between servers, Gbit/s
    PipelineScheduleKind schedule{PipelineScheduleKind::ONE_F_ONE_B}; //!< Schedule

    /**
     * @return a description of the job
     */
    std::string Describe() const
    {
        return std::to_string(tensor) + " x " + std::to_string(pipeline) + " x " +
               std::to_string(data) + " on servers of " + std::to_string(serverGpus) + ", " +
               std::to_string(chunks) + " parts, " + std::to_string(microbatches) +
               " microbatches, " + std::to_string(gigabits) + " Gb, " +
               PipelineScheduleName::Get(schedule);
    }
};

/**
 * @ingroup lightpath-tests
 * @param job a job
 * @return the servers that it runs on, whose GPUs have other rates and delays than the switch
 *         between them
 */
std::unique_ptr<InterconnectHelper>
MakeServerSwitch(const FoldedServerJob& job)
{
    auto fabric = std::make_unique<ElectricalSwitchHelper>();
    fabric->SetBandwidth(DataRate(job.gigabits * 1000000000));
    fabric->SetDelay(NanoSeconds(5100));
    fabric->DisableFlowControl();
    auto servers = std::make_unique<ServerHelper>(std::move(fabric));
    servers->SetServers(job.serverGpus, DataRate("2520Gbps"), NanoSeconds(1300));
    servers->SetAttach(Attach::GPU);
    return servers;
}

/**
 * @ingroup lightpath-tests
 * @param job a job
 * @return its plan for a small transformer
 */
TrainingPlan
MakeServerPlan(const FoldedServerJob& job)
{
    const std::string width = std::to_string(job.hidden);
    PlanningProblem problem;
    problem.graph = ModelZoo::Create("transformer:layers=4,hidden=" + width +
                                     ",heads=12,feedForward=960,sequence=60,vocabulary=960," +
                                     "positions=60,gradients=half");
    problem.accelerator = Accelerator::Create("A100");
    problem.gpus = job.tensor * job.pipeline * job.data;
    problem.globalBatch = uint64_t{job.data} * job.microbatches;
    problem.fabric = FabricDescription::Create(*MakeServerSwitch(job))->GetLimits(problem.gpus);
    problem.placement = "linear";
    const auto planner = CreateObject<FixedPlanner>();
    planner->SetAttribute("DataParallel", UintegerValue(job.data));
    planner->SetAttribute("TensorParallel", UintegerValue(job.tensor));
    planner->SetAttribute("PipelineParallel", UintegerValue(job.pipeline));
    planner->SetAttribute("VirtualStages", UintegerValue(job.chunks));
    planner->SetAttribute("Microbatch", UintegerValue(1));
    planner->SetAttribute(
        "Schedule",
        StringValue(NamedEnum::GetAttributeName(PipelineScheduleName::Get(job.schedule))));
    planner->SetAttribute(
        "Recomputation",
        StringValue(NamedEnum::GetAttributeName(RecomputationName::Get(job.anew))));
    planner->SetAttribute("SequenceParallel", BooleanValue(job.sequence));
    planner->SetAttribute("ZeroStage", UintegerValue(job.zero));
    planner->SetAttribute("BucketBytes", UintegerValue(500000));
    return planner->TryPlan(problem);
}

/**
 * @ingroup lightpath-tests
 * @brief A folded plan of FixedPlanner takes as long on its servers as the full one.
 *
 * All buffers divide evenly. The folded ranks begin and end each iteration at the same tick as
 * the ranks that they represent.
 */
class FoldedServerTestCase : public TestCase
{
  public:
    /**
     * @param job the job
     */
    explicit FoldedServerTestCase(const FoldedServerJob& job)
        : TestCase("Folded on servers: " + job.Describe()),
          m_job(job)
    {
    }

  private:
    void DoRun() override
    {
        TrainingPlan plan = MakeServerPlan(m_job);
        uint32_t local = 1;
        for (const auto& task : plan.programs[0]->GetTasks())
        {
            local = task.group == 1 ? task.options.local : local;
        }
        NS_TEST_EXPECT_MSG_EQ(local, m_job.local, "Replicas that share a server");
        // Messages to several peers at a time share ports with those between stages, in other parts
        // where fewer GPUs stand for them
        const auto isSpread = [](const Task& task) {
            using A = CollectiveAlgorithm;
            return task.options.algorithm == A::SERVER_RINGS || task.options.inside == A::DIRECT ||
                   task.options.across == A::DIRECT;
        };
        Compare(plan, 1e-3);
        plan.ChangeTasks(isSpread,
                         [](Task& task) { task.options = CollectiveOptions(task.options.local); });
        Compare(plan, 0);
    }

    /**
     * Compare a plan with the folded one.
     *
     * @param plan the plan
     * @param tolerance the share of the time of a rank by which it may begin or end at another time
     */
    void Compare(const TrainingPlan& plan, double tolerance)
    {
        const PlanFolder folder(plan, m_job.serverGpus);
        const Time launch = NanoSeconds(2700);
        const Records full = CarryOut(plan, *MakeServerSwitch(m_job), 2, launch);
        FoldedServerJob folded = m_job;
        folded.serverGpus = folder.GetServerGpus();
        const Records few = CarryOut(folder.GetPlan(), *MakeServerSwitch(folded), 2, launch);
        const auto check = [tolerance, this](Time found, Time wanted, const std::string& label) {
            NS_TEST_EXPECT_MSG_EQ_TOL(found.GetSeconds(),
                                      wanted.GetSeconds(),
                                      tolerance * wanted.GetSeconds(),
                                      label);
        };
        Time end;
        Time foldedEnd;
        for (const auto& records : full)
        {
            end = std::max(end, records.at(1).end);
        }
        for (uint32_t rank = 0; rank < few.size(); ++rank)
        {
            foldedEnd = std::max(foldedEnd, few[rank].at(1).end);
            for (uint32_t i = 0; i < 2; ++i)
            {
                const auto& one = few[rank].at(i);
                const auto& other = full[folder.GetRanks()[rank]].at(i);
                check(one.begin, other.begin, "Begin of rank " + std::to_string(rank));
                check(one.end, other.end, "End of rank " + std::to_string(rank));
                NS_TEST_EXPECT_MSG_EQ(one.compute, other.compute, "Compute of rank " << rank);
            }
        }
        check(foldedEnd, end, "End of the job");
        NS_TEST_EXPECT_MSG_GT(end, Time(0), "It takes time");
    }

    FoldedServerJob m_job; //!< What is trained
};

/**
 * @ingroup lightpath-tests
 * @brief Where buffers do not divide evenly a folded plan takes longer by up to a byte a step.
 */
class FoldedBytesTestCase : public TestCase
{
  public:
    FoldedBytesTestCase()
        : TestCase("Folded on servers: buffers that do not divide evenly")
    {
    }

  private:
    void DoRun() override
    {
        // A byte takes 8 ns between servers, which have one replica each
        const FoldedServerJob job{3, 1, 5, 3, 1, 1, 1, Recomputation::NONE, true, 0, 252, 1};
        const TrainingPlan plan = MakeServerPlan(job);
        int64_t steps = 0;
        for (const auto& task : plan.programs[0]->GetTasks())
        {
            if (task.kind == TaskKind::COLLECTIVE)
            {
                steps += 2 * ((task.group == 0 ? job.tensor : job.data) - 1);
            }
        }
        const PlanFolder folder(plan, job.serverGpus);
        const Time full = CarryOut(plan, *MakeServerSwitch(job), 1).front().front().end;
        FoldedServerJob folded = job;
        folded.serverGpus = folder.GetServerGpus();
        const Time few =
            CarryOut(folder.GetPlan(), *MakeServerSwitch(folded), 1).front().front().end;
        NS_TEST_EXPECT_MSG_GT(few, full, "More bytes");
        // Times are rounded to the nanosecond
        NS_TEST_EXPECT_MSG_LT(few, full + NanoSeconds(9 * steps), "A byte a step");
        NS_TEST_EXPECT_MSG_LT((few - full).GetSeconds(), 1e-5 * full.GetSeconds(), "Few of many");
    }
};

} // namespace

/**
 * @ingroup lightpath-tests
 * @return the test cases of the time that folded plans take on servers; the caller owns them
 */
static std::vector<TestCase*>
MakeFoldedServerTests()
{
    std::vector<TestCase*> tests;
    constexpr auto none = Recomputation::NONE;
    constexpr auto full = Recomputation::FULL;
    constexpr auto selective = Recomputation::SELECTIVE;
    constexpr auto late = PipelineScheduleKind::ZB_H1;
    constexpr auto both = PipelineScheduleKind::DUALPIPE;
    for (const auto& job : {
             // Replicas that share servers: an even and an odd number of these
             FoldedServerJob{1, 1, 8, 4, 4, 1, 1, none, false, 0},
             FoldedServerJob{1, 1, 12, 4, 4, 1, 2, none, false, 0},
             FoldedServerJob{2, 1, 6, 4, 2, 1, 1, none, false, 0},
             FoldedServerJob{2, 2, 6, 4, 2, 1, 4, none, false, 1},
             FoldedServerJob{2, 2, 12, 8, 4, 1, 2, full, true, 0},
             FoldedServerJob{4, 2, 6, 8, 2, 2, 4, selective, true, 1},
             // A server for each replica of a stage
             FoldedServerJob{4, 2, 3, 4, 1, 1, 4, none, false, 0},
             FoldedServerJob{4, 2, 5, 4, 1, 2, 4, full, false, 1},
             FoldedServerJob{3, 4, 3, 3, 1, 1, 6, selective, true, 0},
             FoldedServerJob{4, 4, 2, 4, 1, 1, 8, full, true, 0},
             // All replicas of a stage, or several stages, on a server
             FoldedServerJob{2, 4, 4, 8, 1, 1, 4, none, true, 0},
             FoldedServerJob{2, 4, 2, 8, 1, 1, 4, selective, false, 1},
             FoldedServerJob{2, 3, 2, 8, 1, 1, 3, none, true, 0},
             FoldedServerJob{4, 4, 1, 8, 1, 1, 8, selective, true, 0},
             FoldedServerJob{1, 4, 1, 8, 1, 1, 8, full, false, 0},
             // Other schedules
             FoldedServerJob{2, 4, 4, 4, 2, 1, 8, none, false, 0, 240, 360, late},
             // Stages that sum gradients two at a time
             FoldedServerJob{2, 4, 4, 4, 2, 1, 8, none, false, 0, 240, 360, both},
             FoldedServerJob{1, 4, 8, 4, 4, 1, 8, full, false, 1, 240, 360, both},
             FoldedServerJob{2, 4, 3, 2, 1, 1, 8, selective, true, 1, 240, 360, both},
             FoldedServerJob{2, 2, 4, 8, 4, 1, 6, none, true, 1, 240, 360, both},
             FoldedServerJob{2, 2, 1, 2, 1, 1, 4, none, false, 0, 240, 360, both},
         })
    {
        tests.push_back(new FoldedServerTestCase(job));
    }
    tests.push_back(new FoldedBytesTestCase);
    return tests;
}

/// Registers the test cases
static const SuiteCases g_foldedServerCases("lightpath-fold", {MakeFoldedServerTests()});
