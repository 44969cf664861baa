/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fold-tests.h"
#include "method-case.h"
#include "model/plan/message-merger.h"
#include "planner-tests.h"

#include "ns3/electrical-switch-helper.h"
#include "ns3/fixed-planner.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/plan-folder.h"
#include "ns3/simulator.h"
#include "ns3/training-application.h"
#include "ns3/training-helper.h"
#include "ns3/training-plan.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param layers the number of layers
 * @return a model of layers that are two operators each, split by columns and by rows
 */
OperatorGraph
MakePairs(uint32_t layers)
{
    OperatorGraph graph("layers");
    const uint32_t n = 2 * layers;
    const auto add = [&](uint32_t i, const std::string& name, Pass pass) {
        Operator op = MakeToyOperator(name + std::to_string(i), pass, 7 + i, EVEN);
        op.inputBytes = EVEN;
        op.split = i % 2 == 0 ? TensorSplit::COLUMN : TensorSplit::ROW;
        op.forward = i;
        op.parameters = pass == Pass::FORWARD ? 0 : EVEN * (i + 1);
        return graph.AddOperator(op);
    };
    for (uint32_t i = 0; i < n; ++i)
    {
        add(i, "forward", Pass::FORWARD);
        if (i > 0)
        {
            graph.AddEdge(i - 1, i);
        }
    }
    for (uint32_t i = n; i-- > 0;)
    {
        const uint32_t back = add(i, "backward", Pass::BACKWARD);
        graph.AddEdge(back - 1, back);
    }
    for (uint32_t i = n; i-- > 0;)
    {
        graph.AddEdge(2 * n - 1 - i, add(i, "update", Pass::UPDATE));
    }
    return graph;
}

/**
 * @ingroup lightpath-tests
 * @param replicas the number of replicas
 * @param parts the number of parts of a replica
 * @return a plan of FixedPlanner with small buckets
 */
TrainingPlan
MakeFixedPlan(uint32_t replicas, uint32_t parts)
{
    const auto planner = CreateObject<FixedPlanner>();
    planner->SetAttribute("DataParallel", UintegerValue(replicas));
    planner->SetAttribute("TensorParallel", UintegerValue(parts));
    planner->SetAttribute("BucketBytes", UintegerValue(3 * EVEN));
    return planner->TryPlan(MakeToyProblem(MakePairs(3), replicas * parts, 2 * replicas));
}

/**
 * @ingroup lightpath-tests
 * @param kind SEND or RECEIVE
 * @param peer the stage of the peer
 * @param operation the number of the operation
 * @return a message between stages
 */
Task
MakeStageMessage(TaskKind kind, uint32_t peer, uint32_t operation)
{
    Task task = MakeMessage(kind, peer, operation, EVEN);
    task.group = 2;
    return task;
}

/**
 * @ingroup lightpath-tests
 * Carry out 3 iterations of a plan on an electrical switch of 8 Gbit/s with a delay of 1 us.
 *
 * @param plan the plan
 * @param frameSize the size of a frame, 0 for bursts
 * @return how each rank spent each iteration
 */
Records
Train(const TrainingPlan& plan, uint64_t frameSize)
{
    ElectricalSwitchHelper fabric;
    fabric.SetBandwidth(DataRate("8Gbps"));
    fabric.SetDelay(MicroSeconds(1));
    fabric.DisableFlowControl();
    return CarryOut(plan, fabric, 3, Time(0), frameSize);
}

/**
 * @ingroup lightpath-tests
 * @param traffic bytes by source and destination
 * @param source a source
 * @param ranks the number of ranks
 * @return the bytes that it sends
 */
uint64_t
GetSent(const TrafficMatrix& traffic, uint32_t source, uint32_t ranks)
{
    uint64_t bytes = 0;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        bytes += rank == source ? 0 : traffic.Get(source, rank);
    }
    return bytes;
}

} // namespace

Records
CarryOut(const TrainingPlan& plan,
         const InterconnectHelper& fabric,
         uint32_t iterations,
         Time launch,
         uint64_t frameSize)
{
    NodeContainer nodes;
    nodes.Create(plan.programs.size());
    TrainingHelper training;
    training.SetJobAttribute("Iterations", UintegerValue(iterations));
    training.SetJobAttribute("CollectiveLatency", TimeValue(launch));
    training.SetTransportAttribute("FrameSize", UintegerValue(frameSize));
    training.SetServerAttribute("FrameSize", UintegerValue(frameSize));
    const auto applications = training.Install(plan, fabric, fabric.Install(nodes));
    Simulator::Run();
    Records records;
    for (uint32_t rank = 0; rank < applications.GetN(); ++rank)
    {
        records.push_back(DynamicCast<TrainingApplication>(applications.Get(rank))->GetRecords());
    }
    Simulator::Destroy();
    return records;
}

void
FoldTestCase::Compare(const std::string& label,
                      const TrainingPlan& plan,
                      const InterconnectHelper& fabric,
                      const PlanFolder& folder,
                      const InterconnectHelper& few,
                      double tolerance)
{
    const Time launch = NanoSeconds(2700);
    const Records full = CarryOut(plan, fabric, 2, launch);
    const Records folded = CarryOut(folder.GetPlan(), few, 2, launch);
    TrainingPlan merged = folder.GetPlan();
    if (MessageMerger::Merge(merged))
    {
        ++m_nMerged;
        const Records records = CarryOut(merged, few, 2, launch);
        for (uint32_t rank = 0; rank < folded.size(); ++rank)
        {
            NS_TEST_EXPECT_MSG_EQ(records[rank].at(1).end,
                                  folded[rank].at(1).end,
                                  label << ", merged, end of " << rank);
        }
    }
    Time end;
    for (const auto& records : full)
    {
        end = std::max(end, records.at(1).end);
    }
    const Time most = Time::From(tolerance * end.ToDouble(Time::NS), Time::NS);
    Time foldedEnd;
    for (uint32_t rank = 0; rank < folded.size(); ++rank)
    {
        foldedEnd = std::max(foldedEnd, folded[rank].at(1).end);
        for (uint32_t i = 0; i < 2; ++i)
        {
            const auto& one = folded[folder.GetPlan().placement.GetPort(rank)].at(i);
            const auto& other = full[plan.placement.GetPort(folder.GetRanks()[rank])].at(i);
            NS_TEST_EXPECT_MSG_EQ_TOL(one.begin, other.begin, most, label << ", begin of " << rank);
            NS_TEST_EXPECT_MSG_EQ_TOL(one.end, other.end, most, label << ", end of " << rank);
        }
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(foldedEnd, end, most, label << ", end");
    NS_TEST_EXPECT_MSG_GT(end, Time(0), "It takes time");
}

TrainingPlan
MakeStages(const std::vector<std::shared_ptr<RankProgram>>& programs,
           uint32_t replicas,
           uint32_t parts)
{
    const auto stages = static_cast<uint32_t>(programs.size());
    TrainingPlan plan;
    plan.strategy.dataParallel = replicas;
    plan.strategy.tensorParallel = parts;
    plan.strategy.pipelineParallel = stages;
    plan.groups.resize(4);
    const uint32_t width = replicas * parts;
    // Members from a first rank on at a distance
    const auto add = [&](uint32_t kind, uint32_t first, uint32_t stride, uint32_t size) {
        std::vector<uint32_t> members(size);
        for (uint32_t i = 0; i < size; ++i)
        {
            members[i] = first + i * stride;
        }
        plan.groups[kind].Add(members);
    };
    for (uint32_t rank = 0; rank < stages * width; ++rank)
    {
        plan.programs.push_back(programs[rank / width]);
        if (rank % parts == 0)
        {
            add(0, rank, 1, parts);
        }
        if (rank % width < parts)
        {
            add(1, rank, parts, replicas);
        }
        if (rank < width)
        {
            add(2, rank, width, stages);
            if (stages > 1)
            {
                add(3, rank, (stages - 1) * width, 2);
            }
        }
    }
    return plan;
}

std::vector<std::shared_ptr<RankProgram>>
MakeStagePrograms(uint32_t stages, uint32_t local)
{
    constexpr uint32_t microbatches = 3;
    std::vector<std::shared_ptr<RankProgram>> programs;
    for (uint32_t stage = 0; stage < stages; ++stage)
    {
        auto program = std::make_shared<RankProgram>();
        const bool first = stage == 0;
        const bool last = stage + 1 == stages;
        uint32_t previous = UINT32_MAX;
        const auto chain = [&](const Task& task) {
            const uint32_t index = program->AddTask(task);
            if (previous != UINT32_MAX)
            {
                program->AddDependency(previous, index);
            }
            previous = index;
        };
        for (uint32_t i = 0; i < 2 * microbatches; ++i)
        {
            const bool forward = i < microbatches;
            if (forward ? !first : !last)
            {
                chain(MakeStageMessage(TaskKind::RECEIVE, forward ? stage - 1 : stage + 1, i));
            }
            chain(MakeCompute((forward ? 11e-6 : 23e-6) + stage * 1e-6));
            chain(MakeCollective(0, i, EVEN * (i + 1)));
            if (forward ? !last : !first)
            {
                chain(MakeStageMessage(TaskKind::SEND, forward ? stage + 1 : stage - 1, i));
            }
        }
        const uint32_t computed = previous;
        for (uint32_t i = 0; i < 2; ++i)
        {
            const auto kind = i == 0 ? CollectiveKind::REDUCE_SCATTER : CollectiveKind::ALL_REDUCE;
            Task task = MakeCollective(1, i, 5 * EVEN, kind);
            task.options.local = local;
            previous = computed;
            chain(task);
        }
        if (stages > 1 && (first || last))
        {
            chain(MakeCollective(3, 0, EVEN));
        }
        programs.push_back(program);
    }
    return programs;
}

/**
 * @ingroup lightpath-tests
 * @brief Each rank of a folded plan acts at all times like the rank that it represents.
 */
class FoldedTimeTestCase : public TestCase
{
  public:
    /**
     * @param name the name of the case
     * @param makePlan makes the full plan
     * @param nFolded the number of ranks of the folded plan
     * @param frameSize the size of a frame, 0 for bursts
     */
    FoldedTimeTestCase(const std::string& name,
                       std::function<TrainingPlan()> makePlan,
                       uint32_t nFolded,
                       uint64_t frameSize = 0)
        : TestCase("Folded in time: " + name),
          m_makePlan(std::move(makePlan)),
          m_nFolded(nFolded),
          m_frameSize(frameSize)
    {
    }

  private:
    void DoRun() override
    {
        const TrainingPlan plan = m_makePlan();
        const PlanFolder folder(plan);
        const TrainingPlan& folded = folder.GetPlan();
        const auto& ranks = folder.GetRanks();
        const auto nRanks = static_cast<uint32_t>(plan.programs.size());
        NS_TEST_ASSERT_MSG_EQ(folded.programs.size(), m_nFolded, "Number of ranks");
        NS_TEST_ASSERT_MSG_EQ(ranks.size(), m_nFolded, "Number of ranks");
        NS_TEST_EXPECT_MSG_EQ(folded.representedRanks, nRanks, "Number of ranks of the full plan");
        const TrafficMatrix traffic = plan.GetTraffic();
        const TrafficMatrix foldedTraffic = folded.GetTraffic();
        const Records full = Train(plan, m_frameSize);
        const Records few = Train(folded, m_frameSize);
        Time end;
        Time foldedEnd;
        for (const auto& records : full)
        {
            end = std::max(end, records.at(2).end);
        }
        for (uint32_t rank = 0; rank < m_nFolded; ++rank)
        {
            foldedEnd = std::max(foldedEnd, few[rank].at(2).end);
            for (uint32_t i = 0; i < 3; ++i)
            {
                const auto& one = few[rank].at(i);
                const auto& other = full[ranks[rank]].at(i);
                NS_TEST_EXPECT_MSG_EQ(one.begin, other.begin, "Begin of rank " << rank);
                NS_TEST_EXPECT_MSG_EQ(one.end, other.end, "End of rank " << rank);
                NS_TEST_EXPECT_MSG_EQ(one.compute, other.compute, "Compute of rank " << rank);
            }
            NS_TEST_EXPECT_MSG_EQ(GetSent(foldedTraffic, rank, m_nFolded),
                                  GetSent(traffic, ranks[rank], nRanks),
                                  "Bytes sent by rank " << rank);
        }
        NS_TEST_EXPECT_MSG_EQ(foldedEnd, end, "End of the job");
        NS_TEST_EXPECT_MSG_GT(end, Time(0), "It takes time");
    }

    std::function<TrainingPlan()> m_makePlan; //!< Makes the full plan
    uint32_t m_nFolded;                       //!< Ranks of the folded plan
    uint64_t m_frameSize;                     //!< Size of a frame, 0 for bursts
};

/**
 * @ingroup lightpath-tests
 * @return the test cases of the time that folded plans take; the caller owns them
 */
static std::vector<TestCase*>
MakeFoldedTimeTests()
{
    std::vector<TestCase*> tests;
    for (uint32_t replicas = 1; replicas <= 5; ++replicas)
    {
        for (uint32_t parts = 1; parts <= 4; ++parts)
        {
            const std::string name =
                std::to_string(replicas) + " replicas of " + std::to_string(parts) + " parts";
            const uint32_t few = std::min(replicas, 2U) * std::min(parts, 2U);
            tests.push_back(new FoldedTimeTestCase(
                name,
                [=]() { return MakeFixedPlan(replicas, parts); },
                few));
            for (const uint32_t stages : {2, 3})
            {
                tests.push_back(new FoldedTimeTestCase(
                    name + " in " + std::to_string(stages) + " stages",
                    [=]() { return MakeStages(MakeStagePrograms(stages, 1), replicas, parts); },
                    stages * few));
            }
        }
    }
    tests.push_back(new FoldedTimeTestCase(
        "frames",
        []() { return MakeFixedPlan(5, 3); },
        4,
        1500));
    return tests;
}

/// Registers the test cases
static const SuiteCases g_foldedTimeCases("lightpath-fold", {MakeFoldedTimeTests()});
